package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bridgesim/scenarios"
	"bridgesim/sim"
	"bridgesim/sim/history"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeNamesTheWholeCommand: every subcommand, every exit code and every engine stand there,
// and no command or flag that does not exist.
func TestReadmeNamesTheWholeCommand(t *testing.T) {
	text := readme(t)
	cmd := newRoot(nil, &bytes.Buffer{}, &bytes.Buffer{})
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
		if c.Name() != "completion" && !strings.Contains(text, "| `sim "+c.Name()) {
			t.Errorf("no row for sim %s", c.Name())
		}
	}
	for _, m := range regexp.MustCompile("`sim ([a-z]+)").FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("sim %s does not exist", m[1])
		}
	}
	for code := exitPass; code <= exitUnknown; code++ {
		if !strings.Contains(text, fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("no row for exit code %d", code)
		}
	}
	for _, want := range append(sim.EngineNames(), engineBoth, `"""`) {
		if !strings.Contains(text, want) {
			t.Errorf("no word of %s", want)
		}
	}
	known := map[string]bool{}
	for _, c := range cmd.Commands() {
		for _, flag := range strings.Fields(c.UsageString()) {
			known[strings.Trim(flag, ",[]")] = true
		}
	}
	for _, m := range regexp.MustCompile("--[a-z]+").FindAllString(text, -1) {
		if !known[m] && m != "--help" {
			t.Errorf("no command has the flag %s", m)
		}
	}
}

var fenced = regexp.MustCompile("(?s)```(\\w*)\n(.*?)```")

// block is the n-th fenced block of a kind.
func block(t *testing.T, text, kind string, n int) string {
	t.Helper()
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		if m[1] == kind {
			if n--; n == 0 {
				return m[2]
			}
		}
	}
	t.Fatalf("the README has no such block %q", kind)
	return ""
}

// TestReadmeScenario: what a newcomer copies from "Write a scenario" passes.
func TestReadmeScenario(t *testing.T) {
	text := readme(t)
	_, text, _ = strings.Cut(text, "\n## Write a scenario\n")
	path := filepath.Join(t.TempDir(), "first.feature")
	if err := os.WriteFile(path, []byte(block(t, text, "gherkin", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"run", path}, nil, &out, &errs); code != exitPass {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

// TestReadmeHistory: the run that the README shows is the run that its command makes: each line of
// it is an event of that lane at that time.
func TestReadmeHistory(t *testing.T) {
	text := readme(t)
	spec := regexp.MustCompile("sim run --report report ([^`]+)`").FindStringSubmatch(text)
	if spec == nil {
		t.Fatal("the README names no scenario")
	}
	path := filepath.Join(root, spec[1])
	planned, err := scenarios.List([]string{path}, "")
	if err != nil || len(planned) != 1 {
		t.Fatalf("%d scenarios stand at %s: %v", len(planned), path, err)
	}
	for line := range strings.Lines(block(t, text, "gherkin", 1)) {
		_, step, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !slices.Contains(planned[0].Steps, step) {
			t.Errorf("the scenario has no step %q", step)
		}
	}
	told := happened(t, path)
	for line := range strings.Lines(block(t, text, "", 2)) {
		if strings.Contains(line, "what happened") {
			continue
		}
		if !slices.ContainsFunc(told, tells(t, line)) {
			t.Errorf("no event is %q", strings.TrimSpace(line))
		}
	}
	if t.Failed() {
		for _, e := range told {
			t.Logf("%6.2f  %-8s %s %s %s", e.At.Seconds(), e.Lane, e.Kind, e.Key, e.Text)
		}
	}
}

// happened is the history of one scenario.
func happened(t *testing.T, path string) []history.Event {
	t.Helper()
	dir := t.TempDir()
	sum, err := scenarios.Run(context.Background(), scenarios.Options{
		Paths: []string{path}, Engine: sim.Virtual(), Seed: 1, Jobs: 1, Report: dir,
	})
	if err != nil || sum.Passed != 1 {
		t.Fatalf("%d passed: %v", sum.Passed, err)
	}
	f, err := os.Open(sum.Outcomes[0].History)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := history.ReadNDJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return log.Events()
}

// tells reads "20.50  site     received ROUND r=1    why it matters": all words of what happened
// must stand in the event.
func tells(t *testing.T, line string) func(history.Event) bool {
	t.Helper()
	words := strings.Fields(line)
	seconds, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Duration(seconds * float64(time.Second))
	_, what, _ := strings.Cut(line, words[1])
	what, _, _ = strings.Cut(strings.TrimSpace(what), "  ")
	return func(e history.Event) bool {
		said := fmt.Sprintf("%s row %s: %s %s", e.Kind, e.Key, e.Key, e.Text)
		for word := range strings.FieldsSeq(what) {
			if !strings.Contains(said, word) {
				return false
			}
		}
		return e.At == at && fmt.Sprint(e.Lane) == words[1]
	}
}
