package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

// TestPageOfEveryEnd: a suite in which a scenario passed, one failed without a history, one could
// not be judged, one crashed and one was stopped leaves a page that tells of each.
func TestPageOfEveryEnd(t *testing.T) {
	dir := t.TempDir()
	feature := filepath.Join(dir, "x.feature")
	const text = `Feature: x
  Scenario: goes well
    Given round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
`
	if err := os.WriteFile(feature, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := scenarios.Run(t.Context(), scenarios.Options{
		Paths: []string{feature}, Engine: sim.Virtual(), Seed: 1, Report: dir,
	})
	if err != nil || sum.Passed != 1 {
		t.Fatal(err, sum.Passed)
	}
	for _, o := range []scenarios.Outcome{
		{Name: "ends elsewhere", Status: scenarios.Failed, History: filepath.Join(dir, "gone.ndjson")},
		{Name: "stays open", Status: scenarios.Unknown, Error: "could not be judged: row"},
		{Name: "falls over", Status: scenarios.Failed, Error: "panic: index out of range"},
		{Name: "is stopped", Status: scenarios.Aborted},
	} {
		o.Engine = "virtual"
		sum.Outcomes = append(sum.Outcomes, o)
	}
	sum.Aborts = 1
	stopped, cancel := context.WithCancel(t.Context())
	cancel() // Ctrl-C ended the suite; the page is written all the same
	if err := writePageOf(stopped, dir, sum); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, pageFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<b>1</b> passed", "<b>2</b> failed", "<b>1</b> unknown", "<b>1</b> aborted",
		"The suite was stopped: 1 scenarios did not come to an end.", "goes well", "ends elsewhere",
		"could not be judged: row", "panic: index out of range", "is stopped",
		`"unjudged":"the run left no history"`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestBrokenHistoryIsNamed: a history that was damaged is an error with its name, and the page that
// was there stays.
func TestBrokenHistoryIsNamed(t *testing.T) {
	dir := t.TempDir()
	bad, page := filepath.Join(dir, "bad.ndjson"), filepath.Join(dir, pageFile)
	for path, text := range map[string]string{bad: "nonsense\n", page: "the page before"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := writePageOf(t.Context(), dir, scenarios.Summary{
		Outcomes: []scenarios.Outcome{{Name: "x", History: bad}},
	})
	if err == nil || !strings.Contains(err.Error(), "bad.ndjson") {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != "the page before" {
		t.Errorf("the page is %q, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
