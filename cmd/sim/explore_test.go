package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/sim/explore"
)

const quickSession = `Feature: Sessions
  Scenario: Quick
    Given round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
`

// planted makes the program with one wrong line: a message of which nothing is proven counts as not
// sent, so it goes out again.
func planted(t *testing.T) (program string) {
	t.Helper()
	const right, wrong = "\t\treturn r.unproven(ctx)\n", "\t\treturn r.notSent()\n"
	dir := t.TempDir()
	source, err := filepath.Abs(filepath.Join(root, "bridge", "deliver.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), right); n != 1 {
		t.Fatalf("the line to replace is in %s %d times", source, n)
	}
	put := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mutant := put("deliver.go", bytes.Replace(text, []byte(right), []byte(wrong), 1))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: mutant}})
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "sim")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-overlay", put("overlay.json", overlay),
		"-o", program, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return program
}

// TestPlantedBugIsFoundAndShrunk: many faults in a run, and one wrong line in the bridge. What is
// found is shrunk to two faults at most, and kept as a feature that is the same run to the byte: it
// fails with the wrong line and passes without it.
func TestPlantedBugIsFoundAndShrunk(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the build of a wrong bridge")
	}
	program := planted(t)
	dir := t.TempDir()
	feature := filepath.Join(dir, "quick.feature")
	if err := os.WriteFile(feature, []byte(quickSession), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"explore", feature, "--swarm", "60", "--kinds", "server-error,duplicate,reorder,delay",
		"--save", filepath.Join(dir, "found"), "--format", "json",
	}
	var out, errs bytes.Buffer
	if code := run(args, nil, &out, &errs); code != exitPass {
		t.Fatalf("the right bridge: exit code %d\n%s", code, &errs)
	}
	rep := exploredBy(t, program, args...)
	found := 0
	for _, c := range explore.InOrder(rep.Classes) {
		if n := len(c.First.Schedule); n > 2 {
			t.Errorf("%s has %d faults: %s", c.FileName(), n, c.First.Schedule)
		}
		found = max(found, len(c.First.Found))
		path := filepath.Join(dir, "found", c.FileName())
		again := exec.Command(program, "run", "--format", "json", path)
		out.Reset()
		again.Stdout = &out
		if code := codeOf(t, again); code != exitFail {
			t.Errorf("%s: the wrong bridge ends with code %d", c.FileName(), code)
		}
		if !strings.Contains(out.String(), c.First.Sum) {
			t.Errorf("%s is not the run that was found, to the byte:\n%s", c.FileName(), &out)
		}
		out.Reset()
		if code := run([]string{"run", path}, nil, &out, &errs); code != exitPass {
			t.Errorf("%s: the right bridge ends with code %d\n%s", c.FileName(), code, &out)
		}
	}
	if rep.Classes["round-once under server-error"] == nil {
		t.Errorf("nobody saw that a ROUND was sent twice: %v", rep.Promises)
	}
	if found < 3 {
		t.Errorf("the runs that were found had %d faults at most: there was nothing to shrink", found)
	}
}

// exploredBy runs a program that has to find something, and reads its report.
func exploredBy(t *testing.T, program string, args ...string) *explore.Result {
	t.Helper()
	cmd := exec.Command(program, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	if code := codeOf(t, cmd); code != exitFail {
		t.Fatalf("%s: exit code %d", cmd, code)
	}
	rep, err := explore.ReadReport(&out)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func codeOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// TestExploredRunsAgreeWithChromium: a few of the runs that exploration plays on the model come out
// the same on a real browser.
func TestExploredRunsAgreeWithChromium(t *testing.T) {
	launchtest.Require(t)
	feature := filepath.Join(t.TempDir(), "quick.feature")
	if err := os.WriteFile(feature, []byte(quickSession), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run([]string{
		"explore", feature, "--kinds", "sever,reload,close-tab,kill-pi", "--confirm", "chromium",
		"--sample", "6", "--jobs", "2",
	}, nil, &out, &errs)
	if code != exitPass || !strings.Contains(out.String(), ": 6 same, 0 differ") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}
