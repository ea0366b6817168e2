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
		pattern:  re(`the browser was given at most (\d+) "([^"]*)" commands?`),
		example:  `Then the browser was given at most 0 "Browser.close" commands`,
		sentence: "An upper bound on the commands of one kind: " + strings.Join(commands, ", ") + ".",
		bind: func(s *scenario) any {
			return seen2(s, func(r *sim.Result, most int, name string) error {
				n, err := asked(r, name)
				if err == nil && n > most {
					err = fmt.Errorf("the browser was given %d %q commands", n, name)
				}
				return err
			})
		},
		check: among(1, "command", commands),
	},
	{
		pattern:  re(`the browser was given exactly (\d+) "([^"]*)" commands?`),
		example:  `Then the browser was given exactly 1 "Target.createTarget" command`,
		sentence: "The number of commands of one kind.",
		bind: func(s *scenario) any {
			return seen2(s, func(r *sim.Result, want int, name string) error {
				n, err := asked(r, name)
				if err == nil && n != want {
					err = fmt.Errorf("the browser was given %d %q commands", n, name)
				}
				return err
			})
		},
		check: among(1, "command", commands),
	},
	{
		pattern:  re(`every tab that the bridge opened is closed`),
		example:  `Then every tab that the bridge opened is closed`,
		sentence: "As many tabs were closed as were opened, and at least one.",
		bind:     func(s *scenario) any { return seen0(s, tabsClosed) },
	},
	{
		pattern:  re(`the run took at most "([^"]*)"`),
		example:  `Then the run took at most "2h"`,
		sentence: "The time in the world of the run, from its first event to its last.",
		bind:     func(s *scenario) any { return seen(s, tookAtMost) },
		check:    timeIn,
	},
	{
		pattern:  re(`the run took at least "([^"]*)"`),
		example:  `Then the run took at least "30m"`,
		sentence: "The same from below: what takes its time was waited for.",
		bind:     func(s *scenario) any { return seen(s, tookAtLeast) },
		check:    timeIn,
	},
	{
		pattern:  re(`the session took the edge "([^"]*)" from "([^"]*)"`),
		example:  `Then the session took the edge "any-to-disconnected" from "repair"`,
		sentence: "Pi's journal holds a record that took this edge while the session was in this state.",
		bind:     func(s *scenario) any { return seen2(s, tookFrom) },
		check:    both(among(0, "edge", edgeNames()), among(1, "state", session.Phases())),
	},
	{
		pattern: re(`pi refuses to begin: (.+)`),
		example: `Then pi refuses to begin: the journal has a newer format`,
		sentence: "The last process of pi ended before it did anything: " +
			strings.Join(refusalWords(), "; ") + ".",
		bind:  func(s *scenario) any { return refused(s) },
		check: among(0, "refusal", refusalWords()),
	},
}

// asked counts the commands of one name.
func asked(r *sim.Result, name string) (int, error) {
	if err := oneOf("command", name, commands); err != nil {
		return 0, err
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
	opened, err := asked(r, "Target.createTarget")
	if err != nil {
		return err
	}
	closed, err := asked(r, "Target.closeTarget")
	if err == nil && (opened == 0 || closed != opened) {
		err = fmt.Errorf("%d tabs were opened and %d closed", opened, closed)
	}
	return err
}

func tookAtMost(r *sim.Result, most string) error {
	limit, err := duration(most)
	if err != nil {
		return err
	}
	if took := taken(r); took > limit {
		return fmt.Errorf("the run took %s: %s", took, r.Report)
	}
	return nil
}

func tookAtLeast(r *sim.Result, least string) error {
	limit, err := duration(least)
	if err != nil {
		return err
	}
	if took := taken(r); took < limit {
		return fmt.Errorf("the run took %s only: %s", took, r.Report)
	}
	return nil
}

// taken is the time in the world of the run.
func taken(r *sim.Result) time.Duration {
	events := r.World.Log.Events()
	return events[len(events)-1].At - events[0].At
}

// tookFrom folds the journal record by record. A journal that was written anew begins with what
// memory held, and shows the edges behind that.
func tookFrom(r *sim.Result, edge, phase string) error {
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
