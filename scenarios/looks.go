package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/session"
	"bridgesim/sim"
	"bridgesim/sim/history"
)

// commands are what a bridge can ask of a browser; a count of anything else would be 0 for ever.
var commands = []string{
	"dial", "Target.getTargets", "Target.createTarget", "Target.attachToTarget", "Target.closeTarget",
	"Browser.close", "Page.reload", "Page.navigate", "Page.stopLoading", "Page.handleJavaScriptDialog",
	"Input.insertText", "Input.dispatchMouseEvent", "Input.dispatchKeyEvent",
	"install", "guard", "composer", "focus", "empty", "fence", "revoke", "unfence", "tail", "turn",
	"record", "text", "copy",
}

// lookSteps judge what was done to the browser, and how long it took, by the history.
var lookSteps = []step{
	{
		re(`the browser was given at most (\d+) "([^"]*)" commands?`),
		`Then the browser was given at most 0 "Browser.close" commands`,
		"An upper bound on the commands of one kind: " + strings.Join(commands, ", ") + ".",
		func(s *scenario) any {
			return seen2(s, func(r *sim.Result, most int, name string) error {
				n, err := given(r, name)
				if err == nil && n > most {
					err = fmt.Errorf("the browser was given %d %q commands", n, name)
				}
				return err
			})
		},
	},
	{
		re(`the browser was given exactly (\d+) "([^"]*)" commands?`),
		`Then the browser was given exactly 1 "Target.createTarget" command`,
		"The number of commands of one kind.",
		func(s *scenario) any {
			return seen2(s, func(r *sim.Result, want int, name string) error {
				n, err := given(r, name)
				if err == nil && n != want {
					err = fmt.Errorf("the browser was given %d %q commands", n, name)
				}
				return err
			})
		},
	},
	{
		re(`every tab that the bridge opened is closed`),
		`Then every tab that the bridge opened is closed`,
		"As many tabs were closed as were opened, and at least one.",
		func(s *scenario) any { return seen0(s, tabsClosed) },
	},
	{
		re(`the run took at most "([^"]*)"`),
		`Then the run took at most "2h"`,
		"The time in the world of the run, from its first event to its last.",
		func(s *scenario) any { return seen(s, tookAtMost) },
	},
	{
		re(`the session took the edge "([^"]*)" from "([^"]*)"`),
		`Then the session took the edge "any-to-disconnected" from "repair"`,
		"Pi's journal holds a record that took this edge while the session was in this state.",
		func(s *scenario) any { return seen2(s, tookFrom) },
	},
	{
		re(`pi refuses to begin: (.+)`),
		`Then pi refuses to begin: the journal has a newer format`,
		"The last process of pi ended before it did anything: " + strings.Join(refusalWords(), "; ") + ".",
		func(s *scenario) any { return refused(s) },
	},
}

// given counts the commands of one name.
func given(r *sim.Result, name string) (int, error) {
	if !slices.Contains(commands, name) {
		return 0, fmt.Errorf("command %q is not known; known are %s", name, strings.Join(commands, ", "))
	}
	n := 0
	for _, e := range r.World.Log.Events() {
		if e.Lane == history.CDP && e.Kind == "call" && e.Key == name {
			n++
		}
	}
	return n, nil
}

func tabsClosed(r *sim.Result) error {
	opened, err := given(r, "Target.createTarget")
	if err != nil {
		return err
	}
	closed, err := given(r, "Target.closeTarget")
	if err == nil && (opened == 0 || closed != opened) {
		err = fmt.Errorf("%d tabs were opened and %d closed", opened, closed)
	}
	return err
}

func tookAtMost(r *sim.Result, most string) error {
	limit, err := time.ParseDuration(most)
	if err != nil {
		return err
	}
	events := r.World.Log.Events()
	if took := events[len(events)-1].At - events[0].At; took > limit {
		return fmt.Errorf("the run took %s: %s", took, r.Report)
	}
	return nil
}

// tookFrom folds the journal record by record. A journal that was written anew begins with what memory
// held, and shows the edges behind that.
func tookFrom(r *sim.Result, edge, phase string) error {
	if !knownEdge(edge) {
		return fmt.Errorf("edge %q is not in the table of the state machine", edge)
	}
	if !slices.Contains(session.Phases(), session.Phase(phase)) {
		return fmt.Errorf("state %q is not one of %q", phase, session.Phases())
	}
	var s session.State
	var from []string
	for _, rec := range r.Records {
		was := s.Phase
		e, err := s.Apply(rec)
		switch {
		case err != nil:
			return err
		case e.Name == edge && string(was) == phase:
			return nil
		case e.Name == edge:
			from = append(from, string(was))
		}
	}
	return fmt.Errorf("edge %q was taken from %q only", edge, from)
}

// refusals are the errors with which pi refuses to begin, in the words of a feature.
var refusals = []struct {
	words string
	err   error
}{
	{"the journal has a newer format", session.ErrNewer},
	{"the journal is damaged", session.ErrCorrupt},
	{"the journal is that of another session", session.ErrForeign},
	{"the session was begun with another request", bridge.ErrOtherRequest},
	{"the session has begun already", bridge.ErrBegun},
}

func refusalWords() []string {
	words := make([]string, len(refusals))
	for i := range refusals {
		words[i] = refusals[i].words
	}
	return words
}

// refused looks at the refusal of pi's last process; the promises are kept all the same.
func refused(s *scenario) any {
	return func(ctx context.Context, words string) error {
		i := slices.Index(refusalWords(), words)
		if i < 0 {
			return fmt.Errorf("refusal %q is not known; known are %q", words, refusalWords())
		}
		r, err := s.play(ctx)
		switch {
		case err != nil:
			return err
		case errors.Is(r.Err, refusals[i].err):
			return nil
		case r.Err != nil:
			return fmt.Errorf("pi refused for another reason: %w", r.Err)
		}
		return fmt.Errorf("pi did not refuse: %s", r.Report)
	}
}
