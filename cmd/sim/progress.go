package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bridgesim/scenarios"
)

// progress tells what happens while a suite runs: one rewritten line on a terminal, plain lines in
// a pipe, nothing when a document was asked for.
type progress struct {
	format string
	out    io.Writer
	errs   io.Writer
	live   bool
	paint  paint
	passed int
	failed int
}

func newProgress(format string, out, errs io.Writer) *progress {
	return &progress{
		format: format, out: out, errs: errs, paint: paintFor(out),
		live: format == "" && isTerminal(out),
	}
}

func (p *progress) each(o scenarios.Outcome) {
	if o.Status == scenarios.Passed {
		p.passed++
	} else {
		p.failed++
	}
	if p.format != "" {
		return
	}
	switch {
	case o.Status != scenarios.Passed:
		p.wipe()
		p.failure(o)
	case p.live:
		p.wipe()
		fmt.Fprintf(p.out, "%d passed, %d failed  %s", p.passed, p.failed, shorten(printable(o.Name), 60))
	default:
		fmt.Fprintf(p.out, "ok    %s:%d  %s  %s\n", o.URI, o.Line, printable(o.Name), worldTime(o))
	}
}

func (p *progress) wipe() {
	if p.live {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) failure(o scenarios.Outcome) {
	word := "FAIL"
	switch o.Status {
	case scenarios.Aborted:
		word = "STOP"
	case scenarios.Unknown:
		word = "UNKNOWN"
	}
	fmt.Fprintf(p.out, "%s  %s:%d  %s\n", p.paint.bad(word), o.URI, o.Line, printable(o.Name))
	for _, line := range strings.Split(strings.TrimRight(o.Error, "\n"), "\n") {
		fmt.Fprintf(p.out, "      %s\n", printable(line))
	}
	if o.History != "" {
		fmt.Fprintf(p.out, "      history: %s\n", o.History)
	}
	fmt.Fprintf(p.out, "      repeat: %s\n", o.Repeat)
}

// close prints the count, or the whole summary as JSON.
func (p *progress) close(sum scenarios.Summary) error {
	p.wipe()
	switch p.format {
	case "":
		_, err := fmt.Fprintf(p.out, "%s\n", countLine(sum, p.paint))
		return err
	case "json":
		return printJSON(p.out, sum)
	}
	return nil
}

func countLine(sum scenarios.Summary, c paint) string {
	parts := []string{c.good(fmt.Sprintf("%d passed", sum.Passed))}
	if sum.Failed > 0 {
		parts = append(parts, c.bad(fmt.Sprintf("%d failed", sum.Failed)))
	}
	if sum.Aborts > 0 {
		parts = append(parts, c.weak(fmt.Sprintf("%d stopped", sum.Aborts)))
	}
	if sum.Unknown > 0 {
		parts = append(parts, c.bad(fmt.Sprintf("%d unknown", sum.Unknown)))
	}
	var engine string
	var seed uint64
	if len(sum.Outcomes) > 0 {
		engine, seed = sum.Outcomes[0].Engine, sum.Outcomes[0].Seed
	}
	return fmt.Sprintf("%s on %s in %s, seed %d",
		strings.Join(parts, ", "), engine, sum.Took.Round(time.Millisecond), seed)
}

func worldTime(o scenarios.Outcome) string {
	return fmt.Sprintf("(%d events, %s)", o.Events, o.World.Round(time.Millisecond))
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// writeReports leaves the summary beside the histories.
func writeReports(dir string, sum scenarios.Summary) error {
	f, err := os.Create(filepath.Join(dir, "summary.json"))
	if err != nil {
		return err
	}
	if err := printJSON(f, sum); err != nil {
		_ = f.Close() // the write's error says more
		return err
	}
	return f.Close()
}
