package oracle

import (
	"errors"
	"fmt"
	"time"

	"bridgesim/bridge/point"
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
		if s := c.roundAfter(p); s != nil && !c.cutOff(p, s.seq) && c.holds(i, s) != Fail {
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
		o, p := &c.plans[j], &c.plans[i]
		if o.round == p.round && (o.answer < 0 || o.answer != p.answer) {
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

// cutOff: row 9 closed the round, or pi refused the plan in a run in which nothing went wrong. Pi
// may refuse more than the judge's own short table knows.
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
	case c.end.key == session.OutcomeBoundary && c.boundaryDue(),
		c.end.key == session.OutcomeManual && c.spentDue():
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

// boundaryDue: the world itself saw a boundary at a verdict, so the time that a recovery took was
// more than there was.
func (c *Case) boundaryDue() bool {
	for i := range c.verdicts {
		if c.verdicts[i].expected == 14 {
			return true
		}
	}
	return false
}

// Patience is the outage that a recovery budget has to outlast; a longer one may use it up.
const Patience = 15 * time.Minute

// spentDue: the budget was used up in honesty. The world itself says so, and either an outage went
// on for longer than Patience, or every attempt since the last checkpoint met a fault of its own:
// who wastes attempts on nothing has no excuse.
func (c *Case) spentDue() bool {
	n := len(c.verdicts)
	if n == 0 || c.verdicts[n-1].expected != 13 {
		return false
	}
	return c.outlasted(&c.verdicts[n-1]) || c.eachMet()
}

// outlasted: a fault had gone on for long at a verdict, and was not over.
func (c *Case) outlasted(v *verdict) bool {
	for i := range c.faults {
		f := &c.faults[i]
		over := f.over != 0 && f.over < v.seq
		if f.applied != 0 && f.applied < v.seq && !over && v.at-f.at >= Patience {
			return true
		}
	}
	return false
}

func (c *Case) eachMet() bool {
	from, attempts, met := 0, 0, 0
	for i := range c.records {
		switch r := &c.records[i]; session.RecordKind(r.kind) {
		case session.RecCheckpoint:
			from, attempts = r.seq, 0
		case session.RecBudget:
			attempts++
		}
	}
	for i := range c.faults {
		if f := &c.faults[i]; f.applied > from {
			met++
		}
	}
	return attempts > 0 && met >= attempts
}

// excused counts the rounds that rightly ended without an execution: the site never finished a
// valid plan there (the turn broke off, and no ROUND is sent twice), or row 9 cut the round off.
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

// duty tells by the table of faults whether the fault-free end is demanded; Unknown when a fault
// that struck is none that the table knows.
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
		duty, _ := fault.Duty()
		if duty != faults.Complete || fault.At.Op == point.ClosePage && !c.outcomeBefore(f.applied) {
			demanded = false
		}
	}
	return demanded, pass()
}

// outcomeBefore tells whether a process had named its outcome before an event. A page that is
// closed earlier is one that pi only looked into: the table's words about the end of a session do
// not hold there.
func (c *Case) outcomeBefore(before int) bool {
	for i := range c.ends {
		if e := &c.ends[i]; e.seq < before && e.named() {
			return true
		}
	}
	return false
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
