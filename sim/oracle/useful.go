package oracle

import (
	"errors"
	"fmt"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// Promises in the useful direction: a bridge that always gives up breaks them.
var (
	ErrLost       = errors.New("an answer that the site finished is not lost")
	ErrIncomplete = errors.New("when the fault is transient and its row says recover, " +
		"the run completes with all its plans")
	ErrNotReached = errors.New("a scheduled fault strikes, and there is evidence that it did")
)

// answerKept: a later ROUND shows that the bridge left a valid plan behind unexecuted.
func answerKept(c *Case) Verdict {
	for i := range c.plans {
		p := &c.plans[i]
		if p.mayStay() || c.replaced(i) || c.claimed(p.key, c.last+1) != nil {
			continue
		}
		if s := c.roundAfter(p); s != nil && !c.cutOff(p, s.seq) {
			return fail(
				fmt.Sprintf(
					"ROUND %d was sent, the plan of round %d was never executed",
					s.round,
					p.round,
				),
				p.seq,
				s.seq,
			)
		}
	}
	if v := c.answersKnown(); v.Status != Pass {
		return v
	}
	return c.kept()
}

// mayStay: nothing is to be executed, or nothing may.
func (p *plan) mayStay() bool {
	return p.stopped || p.decision == wire.DecisionDone || p.decision == wire.DecisionBlocked ||
		p.needs != "" || !p.effects
}

// replaced: a later plan of the same round counts instead.
func (c *Case) replaced(i int) bool {
	for j := i + 1; j < len(c.plans); j++ {
		if c.plans[j].round == c.plans[i].round {
			return true
		}
	}
	return false
}

func (c *Case) roundAfter(p *plan) *send {
	for i := range c.sends {
		s := &c.sends[i]
		if s.seq > p.seq && s.kind == wire.KindRound && s.round > p.round {
			return s
		}
	}
	return nil
}

// cutOff: row 9 closed the round, or pi refused the plan in a run in which nothing went wrong. Pi may
// refuse more than the judge's own short table knows.
func (c *Case) cutOff(p *plan, before int) bool {
	if c.versionLost(before) {
		return true
	}
	return len(c.verdicts) == 0 && !c.struckBefore(before) && c.closed(p.round, before)
}

func (c *Case) closed(round, before int) bool {
	for i := range c.records {
		r := &c.records[i]
		if r.kind == string(session.RecRoundClosed) && r.round == round && r.seq < before {
			return true
		}
	}
	return false
}

func (c *Case) struckBefore(seq int) bool {
	for i := range c.faults {
		if f := &c.faults[i]; f.applied != 0 && f.applied < seq {
			return true
		}
	}
	return false
}

// completes demands the fault-free end of a run whose faults all have the duty complete.
func completes(c *Case) Verdict {
	demanded, v := c.duty()
	switch {
	case v.Status == Unknown:
		return v
	case !demanded:
		return pass()
	case c.script.end == "":
		if len(c.faults) == 0 {
			return pass()
		}
		return unknown("nobody knows the end of the fault-free run", c.script.seq)
	case c.end.seq == 0:
		return unknown("the history stops before the end of the run", c.last)
	case c.end.key == session.OutcomeBoundary && c.boundaryDue():
		return pass()
	case c.end.key != c.script.end:
		return fail(
			fmt.Sprintf("the run ended as %q instead of %q", c.end.key, c.script.end),
			c.lastFault(),
			c.end.seq,
		)
	}
	if n := c.distinctSettled(); n+c.excused() < c.script.plans {
		return fail(
			fmt.Sprintf("%d of %d plans were executed", n, c.script.plans),
			c.lastFault(),
			c.end.seq,
		)
	}
	return pass()
}

// boundaryDue: the world itself saw a boundary at a verdict, so the time that a recovery took was more
// than there was.
func (c *Case) boundaryDue() bool {
	for i := range c.verdicts {
		if c.verdicts[i].expected == 14 {
			return true
		}
	}
	return false
}

// excused counts the rounds that rightly ended without an execution: the site never finished a valid
// plan there (the turn broke off, and no ROUND is sent twice), or row 9 cut the round off.
func (c *Case) excused() (n int) {
	for i := range c.sends {
		s := &c.sends[i]
		if s.kind != wire.KindRound {
			continue
		}
		p := c.lastPlan(s.round)
		if p == nil || !p.mayStay() && c.claimed(p.key, c.last+1) == nil && c.versionLost(c.last+1) {
			n++
		}
	}
	return n
}

// lastPlan is the last valid plan of a round, nil when the site wrote none.
func (c *Case) lastPlan(round int) *plan {
	for i := len(c.plans) - 1; i >= 0; i-- {
		if c.plans[i].round == round && !c.plans[i].stopped {
			return &c.plans[i]
		}
	}
	return nil
}

// duty tells by the table of faults whether the fault-free end is demanded; Unknown when a fault that
// struck is none that the table knows.
func (c *Case) duty() (bool, Verdict) {
	demanded := true
	for i := range c.faults {
		f := &c.faults[i]
		if f.applied == 0 {
			continue
		}
		fault, err := faults.ParseFault(f.text)
		if err != nil {
			return false, unknown(
				"the table does not know what a correct bridge must do about "+f.text,
				f.applied,
			)
		}
		if duty, _ := fault.Duty(); duty != faults.Complete {
			demanded = false
		}
	}
	return demanded, pass()
}

// lastFault is the last fault that struck; the script when none did.
func (c *Case) lastFault() int {
	seq := c.script.seq
	for i := range c.faults {
		seq = max(seq, c.faults[i].applied)
	}
	return seq
}

func (c *Case) distinctSettled() (n int) {
	for i := range c.settled {
		if c.settledPlan(c.settled[i].key, c.settled[i].seq) == nil {
			n++
		}
	}
	return n
}

// faultsReached: on a real engine a moment may not come; that is no verdict on the bridge.
func faultsReached(c *Case) Verdict {
	doubt := pass()
	for i := range c.faults {
		f := &c.faults[i]
		switch {
		case f.applied != 0:
		case f.reached != 0 && f.missed == 0:
			return fail(f.text+" left no evidence that it struck", f.reached)
		case c.header.Engine == faults.EngineVirtual:
			return fail(f.text+" never struck", max(f.armed, f.missed))
		default:
			doubt = unknown(f.text+" did not strike on "+c.header.Engine, max(f.armed, f.missed))
		}
	}
	if !c.views(history.Fault) && c.header.Schedule != "" {
		return unknown("the history does not hold the faults of its schedule")
	}
	return doubt
}
