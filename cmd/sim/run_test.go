package main

import (
	"bytes"
	"errors"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

// TestRunVerdict: pass, fail and unknown have an exit code each, and so have a wrong call and a
// machine that lacks something.
func TestRunVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		sum  scenarios.Summary
		err  error
		code int
	}{
		{"all passed", scenarios.Summary{Passed: 2}, nil, exitPass},
		{"one failed", scenarios.Summary{Passed: 1, Failed: 1}, nil, exitFail},
		{"failed and stopped", scenarios.Summary{Failed: 1, Aborts: 1}, nil, exitFail},
		{"stopped", scenarios.Summary{Passed: 1, Aborts: 1}, nil, exitUnknown},
		{"not judged", scenarios.Summary{Passed: 1, Unknown: 1}, nil, exitUnknown},
		{"failed and not judged", scenarios.Summary{Failed: 1, Unknown: 1}, nil, exitFail},
		{"a wrong feature", scenarios.Summary{}, &scenarios.InputError{}, exitUsage},
		{"no browser", scenarios.Summary{}, &sim.MissingError{What: "no browser"}, exitEnvironment},
		{"what nobody knows", scenarios.Summary{Passed: 1}, errors.New("odd"), exitUnknown},
	} {
		if code := end(&bytes.Buffer{}, kinded(runVerdict(c.sum, c.err))); code != c.code {
			t.Errorf("%s: code %d, want %d", c.name, code, c.code)
		}
	}
}

// TestCompared: a disagreement is a failure although every scenario may have passed, what was not
// compared is unknown, and agreement does not hide that both failed.
func TestCompared(t *testing.T) {
	outcome := func(line int, engine string, status scenarios.Status, end string, missed ...string,
	) scenarios.Outcome {
		return scenarios.Outcome{
			URI: "a.feature", Line: line, Name: "A\x1b", Engine: engine, Status: status, End: end,
			Missed: missed,
		}
	}
	summary := func(all ...scenarios.Outcome) (s scenarios.Summary) {
		s.Outcomes = all
		for i := range all {
			if all[i].Status == scenarios.Passed {
				s.Passed++
			} else if all[i].Status == scenarios.Unknown {
				s.Unknown++
			} else {
				s.Failed++
			}
		}
		return s
	}
	const pass, fail = scenarios.Passed, scenarios.Failed
	differ := "DIFFER  a.feature:3  A?\n      passed on virtual, the session ended as done\n" +
		"      passed on chromium, the session ended as manual\n"
	unknown := "UNKNOWN  a.feature:4  A?\n      passed on virtual, the session ended as done\n" +
		"      failed on chromium, the session ended as done, never reached: [f]\n"
	for _, c := range []struct {
		name          string
		virtual, real scenarios.Summary
		code          int
		said          string
	}{
		{
			"agree", summary(outcome(3, "virtual", pass, "done")),
			summary(outcome(3, "chromium", pass, "done")), exitPass, "0 disagreements, 0 unknown\n",
		},
		{
			"agree and fail", summary(outcome(3, "virtual", fail, "done")),
			summary(outcome(3, "chromium", fail, "done")), exitFail, "0 disagreements, 0 unknown\n",
		},
		{
			"differ", summary(outcome(3, "virtual", pass, "done")),
			summary(outcome(3, "chromium", pass, "manual")), exitFail,
			differ + "1 disagreements, 0 unknown\n",
		},
		{
			"not reached", summary(outcome(4, "virtual", pass, "done")),
			summary(outcome(4, "chromium", fail, "done", "f")), exitUnknown,
			unknown + "0 disagreements, 1 unknown\n",
		},
		{
			"not judged on either", summary(outcome(4, "virtual", scenarios.Unknown, "done")),
			summary(outcome(4, "chromium", scenarios.Unknown, "done")), exitUnknown,
			"UNKNOWN  a.feature:4  A?\n      unknown on virtual, the session ended as done\n" +
				"      unknown on chromium, the session ended as done\n0 disagreements, 1 unknown\n",
		},
		{
			"both kinds",
			summary(outcome(3, "virtual", pass, "done"), outcome(4, "virtual", pass, "done")),
			summary(
				outcome(3, "chromium", pass, "manual"), outcome(4, "chromium", fail, "done", "f"),
			), exitFail, differ + unknown + "1 disagreements, 1 unknown\n",
		},
	} {
		var said bytes.Buffer
		code := end(&bytes.Buffer{}, kinded(compared(&said, c.virtual, c.real)))
		if code != c.code || said.String() != c.said {
			t.Errorf("%s: code %d and\n%swant %d and\n%s", c.name, code, &said, c.code, c.said)
		}
	}
}
