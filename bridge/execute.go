package bridge

import (
	"context"
	"fmt"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// obey does what a valid plan decides. need_info is executed like continue: its steps gather the
// missing information. done is recorded as terminal, never as a checkpoint.
func (r *relay) obey(ctx context.Context) error {
	c := r.state().Current()
	if c.Closed {
		return r.nextRound(ctx)
	}
	switch c.Decision {
	case wire.DecisionDone:
		return r.j.Write(session.Record{
			Kind: session.RecTerminal, Round: c.Round, PlanKey: c.PlanKey,
			Outcome: string(Done), Reason: "the other side says that the goal is achieved",
		})
	case wire.DecisionBlocked:
		return r.stop(Blocked, 0, "the plan is blocked: "+r.missing(c.Plan))
	}
	plan, _ := wire.ReadPlan(c.Plan, r.frame(c.Round))
	if capability, command := refusal(plan, r.state().Denials); capability != "" {
		return r.j.Write(session.Record{
			Kind: session.RecRoundClosed, Round: c.Round,
			Receipt: fmt.Sprintf("未执行：命令 %q 需要 %s，而它在 DENY 里。没有产生任何效果，请换一种做法。",
				command, capability),
			Reason: fmt.Sprintf("the plan needs %s, which is denied", capability),
		})
	}
	return r.j.Write(session.Record{
		Kind: session.RecExecuting, Round: c.Round, PlanKey: c.PlanKey,
	})
}

// missing is what a blocked plan says it lacks.
func (r *relay) missing(block string) string {
	plan, _ := wire.ReadPlan(block, r.frame(r.state().Round))
	if plan.Goal != "" {
		return plan.Goal
	}
	return plan.Task
}

// execute hands the plan to the agent once and waits until it has settled. The claim is the
// agent's: asking again after a restart starts nothing a second time.
func (r *relay) execute(ctx context.Context) error {
	task := r.task()
	r.cfg.Tracer.Op(point.AgentStart, task.Round)
	st, err := r.cfg.Agent.Start(ctx, task)
	if err == nil {
		st, err = r.settle(ctx, task, st)
	}
	if err != nil {
		return fmt.Errorf("executing round %d: %w", task.Round, err)
	}
	return r.settled(st)
}

// finish is execute where nothing may begin any more: before a RESUME, under a contract that is no
// longer in force, at a stop. What the agent has claimed is waited for; a plan that it never
// claimed is taken back.
func (r *relay) finish(ctx context.Context) error {
	st, err := r.lookup(ctx)
	if err == nil {
		st, err = r.settle(ctx, r.task(), st)
	}
	if err != nil {
		return fmt.Errorf("asking about round %d: %w", r.state().Round, err)
	}
	if st.Status != agent.Never {
		return r.settled(st)
	}
	c := r.state().Current()
	return r.j.Write(session.Record{
		Kind: session.RecUnclaimed, Round: c.Round, PlanKey: c.PlanKey,
		Reason: "the agent was asked: it never claimed the plan",
	})
}

// task is the current plan, for the agent.
func (r *relay) task() agent.Task {
	c := r.state().Current()
	return agent.Task{SID: r.state().SID, Round: c.Round, PlanKey: c.PlanKey, Plan: c.Plan}
}

// settled journals the receipt of the current plan.
func (r *relay) settled(st agent.State) error {
	c := r.state().Current()
	if st.Status != agent.Settled {
		return &Unsettled{Round: c.Round, Status: st.Status}
	}
	return r.j.Write(session.Record{
		Kind: session.RecSettled, Round: c.Round, PlanKey: c.PlanKey, Receipt: st.Receipt,
	})
}

// settle asks until the agent is no longer at work or its time is over. An agent that does not
// answer is asked again while this process remembers that it was started: silence is not an end. A
// boundary that is reached meanwhile waits: the settlement is journaled first (readings 6).
func (r *relay) settle(ctx context.Context, task agent.Task, st agent.State) (agent.State, error) {
	pause := r.cfg.Tuning.AgentPoll
	limit := r.cfg.Clock.Now().Add(r.cfg.Tuning.AgentLimit)
	for st.Status == agent.Running || st.Status == agent.NoAnswer && r.mind.held {
		if r.cfg.Clock.Now().After(limit) {
			return st, &Unsettled{Round: task.Round, Status: st.Status}
		}
		if err := r.cfg.Clock.Sleep(ctx, pause); err != nil {
			return st, err
		}
		pause = min(2*pause, r.cfg.Tuning.AgentPollTo)
		r.cfg.Tracer.Op(point.AgentPoll, task.Round)
		var err error
		if st, err = r.cfg.Agent.Poll(ctx, task); err != nil {
			return st, err
		}
	}
	return st, nil
}

// checkpoint is the one place where a checkpoint advances: the plan was validated and executed, and
// the agent has settled.
func (r *relay) checkpoint(c *session.RoundState) error {
	return r.j.Write(session.Record{
		Kind: session.RecCheckpoint, Round: c.Round, PlanKey: c.PlanKey,
	})
}
