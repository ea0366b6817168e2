package scenarios

import (
	"fmt"
	"strings"

	"bridgesim/bridge/wire"
	"bridgesim/sim"
)

// endSteps judge how the session ended.
var endSteps = []step{
	{
		pattern: re(`the session ends as "([^"]*)"`),
		example: `Then the session ends as "done"`,
		sentence: "The named outcome: done, blocked, protocol_violation, handshake_refused, boundary, " +
			"blocker, …",
		bind:  func(s *scenario) any { return seen(s, endsAs) },
		check: among(0, "outcome", outcomes),
	},
	{
		pattern:  re(`the session ends as "([^"]*)" by row (\d+)`),
		example:  `Then the session ends as "boundary" by row 14`,
		sentence: "The named outcome and the row of the decision table that led to it.",
		bind: func(s *scenario) any {
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
		check: both(among(0, "outcome", outcomes), among(1, "row", rowNumbers())),
	},
	{
		pattern:  re(`the report names "([^"]*)"`),
		example:  `Then the report names "需要人工登录邮箱"`,
		sentence: "The reason in the report holds this text.",
		bind: func(s *scenario) any {
			return seen(s, func(r *sim.Result, text string) error {
				if strings.Contains(r.Report.Reason, text) {
					return nil
				}
				return fmt.Errorf("the report's reason is %q", r.Report.Reason)
			})
		},
	},
	{
		pattern:  re(`the gate failed for "([^"]*)" alone`),
		example:  `Then the gate failed for "sid" alone`,
		sentence: "Exactly one condition of the establish gate failed over all acknowledgements.",
		bind:     func(s *scenario) any { return seen(s, gateFailed) },
		check:    among(0, "condition", wire.Conditions()),
	},
	{
		pattern:  re(`the session took the edges "([^"]*)"`),
		example:  `Then the session took the edges "round-to-plan, plan-to-executing"`,
		sentence: "The state machine took these edges in this order, others may lie between.",
		bind:     func(s *scenario) any { return seen(s, tookEdges) },
		check:    each(0, "edge", edgeNames()),
	},
	{
		pattern: re(`the checkpoint is round (\d+)`),
		example: `Then the checkpoint is round 2`,
		sentence: "The last plan that was validated, executed and settled, in pi's journal and in the " +
			"agent's ledger.",
		bind: func(s *scenario) any { return seen(s, checkpointIs) },
	},
	{
		pattern:  re(`the checkpoint is none`),
		example:  `Then the checkpoint is none`,
		sentence: "No plan was ever settled, and no ROUND says so.",
		bind: func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error {
				if ck := r.State.Checkpoint; ck != (wire.Checkpoint{}) {
					return fmt.Errorf("the checkpoint is %s", ck)
				}
				return confirmsNothing(r)
			})
		},
	},
	{
		pattern:  re(`the session is closed by round (\d+)`),
		example:  `Then the session is closed by round 2`,
		sentence: "The done plan of that round is the terminal, the status is closed.",
		bind:     func(s *scenario) any { return seen(s, closedBy) },
	},
}

// executionSteps judge what the agent did, by its own ledger.
var executionSteps = []step{
	{
		pattern: re(`the agent executed the rounds "([^"]*)"`),
		example: `Then the agent executed the rounds "1, 2"`,
		sentence: "The agent's ledger holds the valid plans of exactly these rounds, each once, in " +
			"this order.",
		bind:  func(s *scenario) any { return seen(s, executed) },
		check: roundsIn,
	},
	{
		pattern:  re(`the agent executed nothing`),
		example:  `Then the agent executed nothing`,
		sentence: "The agent's ledger is empty.",
		bind: func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error { return executed(r, "") })
		},
	},
	{
		pattern:  re(`the agent executed word for word what the site wrote`),
		example:  `Then the agent executed word for word what the site wrote`,
		sentence: "Every plan in the agent's ledger equals a block that the site wrote.",
		bind:     func(s *scenario) any { return seen0(s, wordForWord) },
	},
	{
		pattern:  re(`the agent was asked to start round (\d+) exactly once`),
		example:  `Then the agent was asked to start round 1 exactly once`,
		sentence: "One claim for that round.",
		bind:     func(s *scenario) any { return seen(s, startedOnce) },
	},
}

func endsAs(r *sim.Result, outcome string) error {
	if string(r.Report.Outcome) == outcome {
		return nil
	}
	return fmt.Errorf("%s", r.Report)
}

func gateFailed(r *sim.Result, condition string) error {
	failed := r.GateFailures()
	if len(failed) == 1 && string(failed[0]) == condition {
		return nil
	}
	return fmt.Errorf("the gate failed for %q", failed)
}

func tookEdges(r *sim.Result, list string) error {
	left := split(list)
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

func checkpointIs(r *sim.Result, round int) error {
	want := wire.Checkpoint{Round: round, Key: r.PlanKey(round)}
	if r.State.Checkpoint != want {
		return fmt.Errorf("the checkpoint is %s, the plan of round %d is %s",
			r.State.Checkpoint, round, want)
	}
	for i := range r.Executed {
		if e := &r.Executed[i]; e.Round == round && e.PlanKey == want.Key {
			return nil
		}
	}
	return fmt.Errorf("the agent's ledger does not hold the plan %s", want)
}

// confirmsNothing: no message that reached the site names a plan as settled.
func confirmsNothing(r *sim.Result) error {
	for _, m := range r.Received {
		if m.Kind == wire.KindRound && m.Frame.Prev != wire.NoPlan {
			return fmt.Errorf("the ROUND of round %d confirms the plan %s", m.Frame.Round, m.Frame.Prev)
		}
	}
	return nil
}

func closedBy(r *sim.Result, round int) error {
	want := wire.Checkpoint{Round: round, Key: r.PlanKey(round)}
	switch {
	case !saidDone(r, round):
		return fmt.Errorf("the site wrote no done plan in round %d", round)
	case !r.State.Closed:
		return fmt.Errorf("the session is open")
	case r.State.Terminal != want:
		return fmt.Errorf("the terminal is %s, the plan of round %d is %s",
			r.State.Terminal, round, want)
	}
	return nil
}

// saidDone looks for the plan itself, in the site's ledger.
func saidDone(r *sim.Result, round int) bool {
	for _, m := range r.Received {
		if !m.Ours || m.Frame.Round != round {
			continue
		}
		if p, faults := wire.CheckPlan(m.Answer, m.Frame); len(faults) == 0 &&
			p.Decision == wire.DecisionDone {
			return true
		}
	}
	return false
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
