package scenarios

import (
	"fmt"
	"strings"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/sim"
)

// endSteps judge how the session ended.
var endSteps = []step{
	{
		re(`the session ends as "([^"]*)"`),
		`Then the session ends as "done"`,
		"The named outcome: done, blocked, protocol_violation, handshake_refused, boundary, blocker, …",
		func(s *scenario) any { return seen(s, endsAs) },
	},
	{
		re(`the session ends as "([^"]*)" by row (\d+)`),
		`Then the session ends as "boundary" by row 14`,
		"The named outcome and the row of the decision table that led to it.",
		func(s *scenario) any {
			return seen2(s, func(r *sim.Result, outcome string, row int) error {
				if err := endsAs(r, outcome); err != nil {
					return err
				}
				if r.Report.Row != row {
					return fmt.Errorf("it ended by row %d: %s", r.Report.Row, r.Report)
				}
				return nil
			})
		},
	},
	{
		re(`the report names "([^"]*)"`),
		`Then the report names "需要人工登录邮箱"`,
		"The reason in the report holds this text.",
		func(s *scenario) any {
			return seen(s, func(r *sim.Result, text string) error {
				if strings.Contains(r.Report.Reason, text) {
					return nil
				}
				return fmt.Errorf("the report's reason is %q", r.Report.Reason)
			})
		},
	},
	{
		re(`the gate failed for "([^"]*)" alone`),
		`Then the gate failed for "sid" alone`,
		"Exactly one condition of the establish gate failed over all acknowledgements.",
		func(s *scenario) any { return seen(s, gateFailed) },
	},
	{
		re(`the session took the edges "([^"]*)"`),
		`Then the session took the edges "round-to-plan, plan-to-executing"`,
		"The state machine took these edges in this order, others may lie between.",
		func(s *scenario) any { return seen(s, tookEdges) },
	},
	{
		re(`the checkpoint is round (\d+)`),
		`Then the checkpoint is round 2`,
		"The last plan that was validated, executed and settled, in pi's journal.",
		func(s *scenario) any { return seen(s, checkpointIs) },
	},
	{
		re(`the checkpoint is none`),
		`Then the checkpoint is none`,
		"No plan was ever settled.",
		func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error {
				if ck := r.State.Checkpoint; ck != (wire.Checkpoint{}) {
					return fmt.Errorf("the checkpoint is %s", ck)
				}
				return nil
			})
		},
	},
	{
		re(`the session is closed by round (\d+)`),
		`Then the session is closed by round 2`,
		"The done plan of that round is the terminal, the status is closed.",
		func(s *scenario) any { return seen(s, closedBy) },
	},
}

// executionSteps judge what the agent did, by its own ledger.
var executionSteps = []step{
	{
		re(`the agent executed the rounds "([^"]*)"`),
		`Then the agent executed the rounds "1, 2"`,
		"The agent's ledger holds the valid plans of exactly these rounds, each once, in this order.",
		func(s *scenario) any { return seen(s, executed) },
	},
	{
		re(`the agent executed nothing`),
		`Then the agent executed nothing`,
		"The agent's ledger is empty.",
		func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error { return executed(r, "") })
		},
	},
	{
		re(`the agent executed word for word what the site wrote`),
		`Then the agent executed word for word what the site wrote`,
		"Every plan in the agent's ledger equals a block that the site wrote.",
		func(s *scenario) any { return seen0(s, wordForWord) },
	},
	{
		re(`the agent was asked to start round (\d+) exactly once`),
		`Then the agent was asked to start round 1 exactly once`,
		"One claim for that round.",
		func(s *scenario) any { return seen(s, startedOnce) },
	},
}

func endsAs(r *sim.Result, outcome string) error {
	if string(r.Report.Outcome) == outcome {
		return nil
	}
	return fmt.Errorf("%s", r.Report)
}

func gateFailed(r *sim.Result, condition string) error {
	if !contains(wire.Conditions(), wire.Condition(condition)) {
		return fmt.Errorf("condition %q is not one of %q", condition, wire.Conditions())
	}
	failed := r.GateFailures()
	if len(failed) == 1 && string(failed[0]) == condition {
		return nil
	}
	return fmt.Errorf("the gate failed for %q", failed)
}

func tookEdges(r *sim.Result, list string) error {
	left := split(list)
	for _, name := range left {
		if !knownEdge(name) {
			return fmt.Errorf("edge %q is not in the table of the state machine", name)
		}
	}
	for _, e := range r.Edges {
		if len(left) > 0 && e == left[0] {
			left = left[1:]
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("edge %q was not taken; taken were %s", left[0], strings.Join(r.Edges, ", "))
	}
	return nil
}

func knownEdge(name string) bool {
	for _, e := range session.Edges() {
		if e.Name == name {
			return true
		}
	}
	return false
}

func checkpointIs(r *sim.Result, round int) error {
	want := wire.Checkpoint{Round: round, Key: r.PlanKey(round)}
	if r.State.Checkpoint != want {
		return fmt.Errorf("the checkpoint is %s, the plan of round %d is %s",
			r.State.Checkpoint, round, want)
	}
	return nil
}

func closedBy(r *sim.Result, round int) error {
	want := wire.Checkpoint{Round: round, Key: r.PlanKey(round)}
	switch {
	case !r.State.Closed:
		return fmt.Errorf("the session is open")
	case r.State.Terminal != want:
		return fmt.Errorf("the terminal is %s, the plan of round %d is %s",
			r.State.Terminal, round, want)
	}
	return nil
}

func executed(r *sim.Result, list string) error {
	var got []string
	for _, e := range r.Executed {
		got = append(got, fmt.Sprint(e.Round))
		if e.PlanKey != r.PlanKey(e.Round) {
			return fmt.Errorf("round %d: the agent executed %s, the site's valid plan is %q",
				e.Round, e.PlanKey, r.PlanKey(e.Round))
		}
	}
	if strings.Join(got, ",") != strings.Join(split(list), ",") {
		return fmt.Errorf("the agent executed the rounds %q", got)
	}
	return nil
}

func wordForWord(r *sim.Result) error {
	if len(r.Executed) == 0 {
		return fmt.Errorf("the agent executed nothing")
	}
	for _, e := range r.Executed {
		if !written(r, e.Plan) {
			return fmt.Errorf("no answer of the site holds the plan executed in round %d:\n%s",
				e.Round, e.Plan)
		}
	}
	return nil
}

func written(r *sim.Result, plan string) bool {
	for _, m := range r.Received {
		for _, b := range wire.Blocks(m.Answer) {
			if b.Text == plan {
				return true
			}
		}
	}
	return false
}

func startedOnce(r *sim.Result, round int) error {
	for _, e := range r.Executed {
		if e.Round == round && e.Claims == 1 {
			return nil
		}
	}
	return fmt.Errorf("the agent's ledger is %+v", r.Executed)
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if y == x {
			return true
		}
	}
	return false
}
