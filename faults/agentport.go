package faults

import (
	"context"
	"errors"
	"fmt"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/point"
)

// Agent wraps the local agent for one process of pi. The agent itself outlives pi, and so does what
// a fault did to it.
func (i *Interposer) Agent(a agent.Agent) agent.Agent {
	if i.idle() {
		return a
	}
	return &agentPort{a, i, i.living()}
}

type agentPort struct {
	inner agent.Agent
	i     *Interposer
	proc  *process
}

// deadTask is a plan over which the agent's process died.
type deadTask struct {
	sid   string
	round int
	key   string
	state agent.State // what a question gets from then on
}

func (d *deadTask) is(t agent.Task) bool {
	return d.sid == t.SID && d.round == t.Round && d.key == t.PlanKey
}

// question is one way to ask the agent.
type question func(context.Context, agent.Task) (agent.State, error)

func (a *agentPort) Start(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.ask(ctx, t, a.inner.Start)
}

func (a *agentPort) Poll(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.ask(ctx, t, a.inner.Poll)
}

func (a *agentPort) Lookup(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.ask(ctx, t, a.inner.Lookup)
}

func (a *agentPort) ask(ctx context.Context, t agent.Task, q question) (agent.State, error) {
	a.proc.enter()
	if !a.i.expects() {
		return a.answer(ctx, t, q)
	}
	if !a.i.aimed() {
		return a.pass(ctx, t, q)
	}
	var st agent.State
	o := &outside{ctx: ctx, method: string(a.i.op), aim: a.proc.aim, do: func() (err error) {
		st, err = a.answer(ctx, t, q)
		return err
	}}
	if a.i.op == point.AgentPoll {
		o.state = func() string { return string(st.Status) }
	}
	a.i.asked = task{t, a.inner}
	err := a.i.meet(o)
	if err == nil {
		st, err = a.now(st, t)
	}
	return st, err
}

// pass is ask where no fault is aimed at.
func (a *agentPort) pass(ctx context.Context, t agent.Task, q question) (agent.State, error) {
	a.i.asked = task{t, a.inner}
	polled := a.i.op == point.AgentPoll
	if !polled {
		a.i.visit("")
	}
	st, err := a.answer(ctx, t, q)
	if err != nil {
		return st, err
	}
	if polled {
		a.i.visit(string(st.Status))
	}
	return a.now(st, t)
}

// answer is the agent's own, unless it cannot give one any more.
func (a *agentPort) answer(ctx context.Context, t agent.Task, q question) (agent.State, error) {
	if a.i.mute.Load() {
		return agent.State{Status: agent.NoAnswer}, nil
	}
	for k := range a.i.dead {
		if d := &a.i.dead[k]; d.is(t) {
			return d.state, nil
		}
	}
	return q(ctx, t)
}

// now is an answer that a fault may have overtaken: the agent went before it could be read.
func (a *agentPort) now(st agent.State, t agent.Task) (agent.State, error) {
	switch {
	case a.i.mute.Load():
		return agent.State{Status: agent.NoAnswer}, nil
	case st.Status == agent.Settled:
		return st, nil
	}
	for k := range a.i.dead {
		if d := &a.i.dead[k]; d.is(t) {
			return d.state, nil
		}
	}
	return st, nil
}

// task is the plan that the agent was asked about, for a fault that strikes it.
type task struct {
	agent.Task
	inner agent.Agent
}

var errNoTask = errors.New("the agent has claimed no plan")

// strikeAgent does an agent's fault. Whether a receipt was there before the death is asked of the
// agent's own ledger.
func (i *Interposer) strikeAgent(f *armed, o *outside) (string, error) {
	if f.fault.Kind == AgentMute {
		i.mute.Store(true)
		return "every question to the agent is answered no-answer", nil
	}
	t := i.asked
	if t.inner == nil {
		return "", errNoTask
	}
	st, err := t.inner.Lookup(o.ctx, t.Task)
	switch {
	case err != nil:
		return "", err
	case st.Status == agent.Never:
		return "", errNoTask
	case st.Status == agent.Settled:
		return "", fmt.Errorf("the receipt of round %d was there already", t.Round)
	}
	i.dead = append(i.dead, deadTask{t.SID, t.Round, t.PlanKey, agent.State{Status: agent.Started}})
	return fmt.Sprintf(
		"the claim of round %d reads %s, without a receipt",
		t.Round,
		agent.Started,
	), nil
}
