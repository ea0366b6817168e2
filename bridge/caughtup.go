package bridge

import (
	"context"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// caughtUp brings the journal up to what the agent's ledger says about the last plan. An execution
// with a receipt is settled; one that never began leaves the plan to be consumed, once.
func (r *relay) caughtUp(ctx context.Context) error {
	s := r.state()
	c := s.Current()
	if c == nil || !c.Validated || c.Closed || c.Round <= s.Checkpoint.Round {
		return nil
	}
	if c.Settled {
		return r.checkpoint(c)
	}
	st, err := r.lookup(ctx)
	switch {
	case err != nil:
		return err
	case st.Status == agent.Never && !c.Executing:
		return nil
	case st.Status == agent.Started || st.Status == agent.NoAnswer:
		return r.doubtful(c, st)
	}
	if !c.Executing {
		err = r.j.Write(session.Record{
			Kind: session.RecExecuting, Round: c.Round, PlanKey: c.PlanKey,
		})
	}
	if err == nil {
		err = r.finish(ctx)
	}
	if err == nil && c.Settled {
		err = r.checkpoint(c)
	}
	return err
}

// doubtful: nobody can tell whether the plan ran. One without effects is dropped unexecuted; with
// effects it is row 11.
func (r *relay) doubtful(c *session.RoundState, st agent.State) error {
	plan, _ := wire.ReadPlan(c.Plan, r.frame(c.Round))
	if plan.Effects() || c.Executing {
		return &Unsettled{Round: c.Round, Status: st.Status}
	}
	return r.j.Write(session.Record{
		Kind: session.RecRoundClosed, Round: c.Round, Receipt: droppedPlan,
		Reason: "nobody can tell whether the plan ran, and it has no effects",
	})
}

// droppedPlan is what the next ROUND reports about it.
const droppedPlan = "上一轮的方案没有副作用，执行情况无法确认，已丢弃，未再执行。"

func (r *relay) lookup(ctx context.Context) (agent.State, error) {
	return r.askLookup(ctx, r.task())
}
