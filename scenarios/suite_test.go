package scenarios

import (
	"testing"

	"bridgesim/sim"
	"bridgesim/sim/oracle"
)

// TestUnjudged: a run whose steps all held has passed only when every promise could be judged, and
// godog, which knows no third verdict, hears of it as an error. A failure stays one.
func TestUnjudged(t *testing.T) {
	unclear := &sim.Result{Findings: []oracle.Finding{{
		Oracle: &oracle.Oracle{Name: "whole"}, Verdict: oracle.Verdict{Status: oracle.Unknown},
	}}}
	for _, c := range []struct {
		name   string
		before Status
		result *sim.Result
		after  Status
	}{
		{"judged", Passed, &sim.Result{}, Passed},
		{"not judged", Passed, unclear, Unknown},
		{"failed and not judged", Failed, unclear, Failed},
	} {
		o := Outcome{Status: c.before}
		o.describe(c.result)
		if o.Status != c.after || (o.unjudged() != nil) != (c.after == Unknown) {
			t.Errorf("%s: %s and %v, want %s", c.name, o.Status, o.unjudged(), c.after)
		}
	}
}
