package scenarios

import (
	"fmt"
	"strings"

	"bridgesim/bridge/point"
	"bridgesim/sim"
	"bridgesim/sim/history"
)

// reasonSteps judge why pi says that it did what it did.
var reasonSteps = []step{
	{
		pattern: re(`pi says why: (.+)`),
		example: `Then pi says why: the record proves more than the journal`,
		sentence: "Words of a remark that pi made for a person, of a reason in its journal, or of its " +
			"report.",
		bind: func(s *scenario) any { return seen(s, saidWhy) },
	},
}

func saidWhy(r *sim.Result, want string) error {
	var said []string
	for _, e := range r.World.Log.Events() {
		if e.Lane == history.Bridge && e.Kind == string(point.NoteInfo) {
			said = append(said, e.Text)
		}
	}
	for _, rec := range r.Records {
		said = append(said, rec.Reason)
	}
	said = append(said, r.Report.Reason)
	for _, text := range said {
		if strings.Contains(text, want) {
			return nil
		}
	}
	return fmt.Errorf("pi said %q", said)
}
