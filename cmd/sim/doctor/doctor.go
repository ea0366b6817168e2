// Package doctor finds out what a machine lacks to run the simulator and its tests, and names the
// one command that mends each lack.
//
//	Checks() ──► Examine ──► Report ──► lines for people, JSON for tools
//	 (table)     one by one    ok, missing, mend
//
// A check really does what the simulator will do: it starts the browser, binds the port, writes the
// file. A check that only looks whether something is installed would find a browser that cannot
// start.
package doctor

import (
	"context"
	"fmt"
	"io"
	"time"
)

// State is what a check found.
type State string

// The two states.
const (
	OK      State = "ok"
	Missing State = "missing"
)

// Check is one line of the table.
type Check struct {
	Name     string
	For      string // what needs it
	Required bool   // without it the tests fail
	Limit    time.Duration
	// Look does what the simulator will do. The detail names what was found; an error means that it
	// is missing or does not work, and why.
	Look func(context.Context) (detail string, err error)
	// Mend is the command that mends it on this system.
	Mend func(System) string
}

// Result is what one check found.
type Result struct {
	Name     string `json:"name"`
	State    State  `json:"state"`
	Required bool   `json:"required"`
	For      string `json:"for"`
	Detail   string `json:"detail"`         // what was found, or why it is missing
	Mend     string `json:"mend,omitempty"` // the one command; only when missing
}

// Report is what all checks found.
type Report struct {
	OK     bool     `json:"ok"` // nothing that is required is missing
	Checks []Result `json:"checks"`
}

// Examine runs the checks one after the other, each within its limit.
func Examine(ctx context.Context, system System, checks []Check) (Report, error) {
	report := Report{OK: true}
	for _, check := range checks {
		result := check.run(ctx, system)
		if err := ctx.Err(); err != nil {
			return report, err // Ctrl-C: what the last check found is no finding
		}
		report.Checks = append(report.Checks, result)
		report.OK = report.OK && (result.State == OK || !result.Required)
	}
	return report, nil
}

func (c Check) run(ctx context.Context, system System) Result {
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	r := Result{Name: c.Name, State: OK, Required: c.Required, For: c.For}
	detail, err := c.Look(ctx)
	r.Detail = detail
	if err != nil {
		r.State, r.Detail, r.Mend = Missing, err.Error(), c.Mend(system)
	}
	return r
}

// Style marks up the state words; nil leaves them plain.
type Style func(State, bool) string

// Write prints the report for a person: a line a check, and under a missing one how to mend it.
func (r Report) Write(w io.Writer, style Style) error {
	for _, c := range r.Checks {
		word := c.word()
		if style != nil {
			word = style(c.State, c.Required)
		}
		line := fmt.Sprintf("%-8s %s  %s\n", c.Name, word, oneLine(c.Detail))
		if c.State == Missing {
			line += fmt.Sprintf("         needed for %s; mend it: %s\n", c.For, c.Mend)
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

func (r Result) word() string { return Word(r.State, r.Required) }

// Word is the state for a person. What is missing and not required says so.
func Word(s State, required bool) string {
	if s == Missing && !required {
		return "missing (optional)"
	}
	return string(s)
}
