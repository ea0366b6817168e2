package coverage_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/scenarios/coverage"
	"bridgesim/sim"
)

const features = "../../features"

// TestNoHole is the gate: every row, edge, state of a loss, error code, condition, fault kind and
// field bug has a scenario that passes, and every tag names something.
func TestNoHole(t *testing.T) {
	planned, err := scenarios.List([]string{features}, "")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := scenarios.Run(context.Background(), scenarios.Options{
		Paths: []string{features}, Engine: sim.Virtual(), Seed: 1, Jobs: 2,
		Checks: sim.Checks{Once: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := coverage.Report(planned, sum.Outcomes)
	for _, h := range c.Holes {
		t.Error(h)
	}
	for _, s := range c.Strangers {
		t.Errorf("%s names nothing that there is", s)
	}
	if c.Duties.Either == 0 || c.Duties.Complete == 0 || c.Duties.Stop == 0 {
		t.Errorf("the duties are %+v", c.Duties)
	}
}

// TestAHoleIsFound: nothing counts but a scenario that passed on the engine, and not on the model
// alone.
func TestAHoleIsFound(t *testing.T) {
	one := scenarios.Planned{
		URI: "a.feature", Line: 3, Tags: []string{"@row-03", "@field-B01", "@err-E_PARSE"},
		Faults: []string{"sever"},
		Steps:  []string{`the session took the edge "any-to-disconnected" from "round"`},
	}
	passed := scenarios.Outcome{URI: "a.feature", Line: 3, Engine: "virtual", Status: scenarios.Passed}
	failed := passed
	failed.Status = scenarios.Failed
	elsewhere := passed
	elsewhere.Line = 4
	modelOnly := one
	modelOnly.Tags = append([]string{"@virtual-only"}, one.Tags...)

	ids := []string{"@row-03", "@field-B01", "@err-E_PARSE", "sever", "lost in round"}
	for _, c := range []struct {
		name    string
		planned scenarios.Planned
		out     []scenarios.Outcome
		covered bool
	}{
		{"passed", one, []scenarios.Outcome{passed}, true},
		{"not run", one, nil, true}, // then the features are taken at their word
		{"failed", one, []scenarios.Outcome{failed}, false},
		{"another scenario passed", one, []scenarios.Outcome{elsewhere}, false},
		{"on the model only", modelOnly, []scenarios.Outcome{passed}, false},
	} {
		holes := strings.Join(coverage.Report([]scenarios.Planned{c.planned}, c.out).Holes, "\n")
		for _, id := range ids {
			if hole := strings.Contains(holes, "covers "+id+" ("); hole == c.covered {
				t.Errorf("%s: %s is a hole: %t", c.name, id, hole)
			}
		}
		if !strings.Contains(holes, "covers @row-04 (") {
			t.Errorf("%s: row 4 is no hole:\n%s", c.name, holes)
		}
	}
}

// TestBothEnginesCount: what passed on the model alone is a hole of the real browser.
func TestBothEnginesCount(t *testing.T) {
	one := scenarios.Planned{URI: "a.feature", Line: 3, Tags: []string{"@row-03"}}
	c := coverage.Report([]scenarios.Planned{one}, []scenarios.Outcome{
		{URI: "a.feature", Line: 3, Engine: "virtual", Status: scenarios.Passed},
		{URI: "a.feature", Line: 3, Engine: "chromium", Status: scenarios.Failed},
	})
	holes := strings.Join(c.Holes, "\n")
	if !strings.Contains(holes, "covers @row-03 (chromium)") ||
		strings.Contains(holes, "covers @row-03 (virtual)") {
		t.Error(holes)
	}
}

// TestStrangersAreFound: a tag with a misspelt name covers nothing and must not pass unseen.
func TestStrangersAreFound(t *testing.T) {
	c := coverage.Report([]scenarios.Planned{{Tags: []string{
		"@row-16", "@edge-plan-to-heaven", "@err-E_NOTHING", "@gate-none", "@field-B99", "@slow",
	}}}, nil)
	if len(c.Strangers) != 5 {
		t.Errorf("strangers are %q", c.Strangers)
	}
}

// TestAnExcusedBugHasNoScenario: an excuse beside a scenario is one too many.
func TestAnExcusedBugHasNoScenario(t *testing.T) {
	c := coverage.Report([]scenarios.Planned{{Tags: []string{"@field-B17"}}}, nil)
	if !strings.Contains(strings.Join(c.Holes, "\n"), "@field-B17 has a scenario and an excuse") {
		t.Error(c.Holes)
	}
}

func TestBugsAreNumbered(t *testing.T) {
	id, seen := regexp.MustCompile(`^[BD]\d\d$`), map[string]bool{}
	for _, b := range coverage.Bugs() {
		if !id.MatchString(b.ID) || seen[b.ID] || b.What == "" {
			t.Errorf("bug %+v: want a number of its own and a sentence", b)
		}
		seen[b.ID] = true
	}
}

func TestPrint(t *testing.T) {
	planned, err := scenarios.List([]string{features}, "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	c := coverage.Report(planned, nil)
	if err := c.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"rows of the decision table (15 of 15 planned)", "edges of the state machine (25 of 25 planned)",
		"@field-B01", "no scenario: ", "cells of the fault table", "\n0 holes\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
}
