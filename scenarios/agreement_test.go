package scenarios_test

import (
	"reflect"
	"testing"

	"bridgesim/scenarios"
)

// outcomes are one scenario on the model and on a real browser, as alike as they can be.
func outcomes() (model, real scenarios.Outcome) {
	model = scenarios.Outcome{
		URI: "a.feature", Line: 3, Name: "A", Engine: "virtual", Status: scenarios.Passed, End: "done",
	}
	real = model
	real.Engine = "chromium"
	return model, real
}

// TestCompare: status, end and what was struck decide, and a fault that struck on one engine alone
// is neither agreement nor disagreement.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name          string
		change        func(model, real *scenarios.Outcome)
		differ        bool
		unknown       bool
		first, second string
	}{
		{name: "they agree", change: func(_, _ *scenarios.Outcome) {}},
		{
			name: "what is measured may differ", change: func(_, r *scenarios.Outcome) {
				r.Events, r.Took, r.World, r.Sum = 7, 8, 9, "other"
			},
		},
		{
			name: "another status", change: func(_, r *scenarios.Outcome) { r.Status = scenarios.Failed },
			differ: true,
			first:  "passed on virtual, the session ended as done",
			second: "failed on chromium, the session ended as done",
		},
		{
			name: "another end", change: func(_, r *scenarios.Outcome) { r.End = "manual" },
			differ: true,
			first:  "passed on virtual, the session ended as done",
			second: "passed on chromium, the session ended as manual",
		},
		{
			name:   "not reached on the real browser",
			change: func(_, r *scenarios.Outcome) { r.Missed = []string{"sever at x@1"} },
			differ: true, unknown: true,
			first:  "passed on virtual, the session ended as done",
			second: "passed on chromium, the session ended as done, never reached: [sever at x@1]",
		},
		{
			name:   "not reached on the model",
			change: func(m, _ *scenarios.Outcome) { m.Missed, m.End = []string{"sever at x@1"}, "" },
			differ: true, unknown: true,
			first:  "passed on virtual, never reached: [sever at x@1]",
			second: "passed on chromium, the session ended as done",
		},
		{
			name: "another fault is not reached", change: func(m, r *scenarios.Outcome) {
				m.Missed, r.Missed = []string{"sever at x@1"}, []string{"reload at y@2"}
			},
			differ: true, unknown: true,
			first: "passed on virtual, the session ended as done, never reached: [sever at x@1]",
			second: "passed on chromium, the session ended as done, " +
				"never reached: [reload at y@2]",
		},
		{
			name: "a promise that could not be judged", change: func(m, r *scenarios.Outcome) {
				m.Status, r.Status = scenarios.Unknown, scenarios.Unknown
			},
			differ: true, unknown: true,
			first:  "unknown on virtual, the session ended as done",
			second: "unknown on chromium, the session ended as done",
		},
		{
			name: "a scenario of one engine is not compared", change: func(_, r *scenarios.Outcome) {
				r.Line, r.Status = 9, scenarios.Failed
			},
		},
	} {
		model, real := outcomes()
		c.change(&model, &real)
		got := scenarios.Compare(
			scenarios.Summary{Outcomes: []scenarios.Outcome{model}},
			scenarios.Summary{Outcomes: []scenarios.Outcome{real}},
		)
		var want []scenarios.Disagreement
		if c.differ {
			want = []scenarios.Disagreement{{
				URI: "a.feature", Line: 3, Name: "A", First: c.first, Second: c.second, Unknown: c.unknown,
			}}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}
