package oracle

import (
	"errors"
	"fmt"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// Promises about plans and checkpoints.
var (
	ErrPlanTwice = errors.New(
		"an unconfirmed plan is never replayed automatically: every plan runs at most once",
	)
	ErrNotWritten = errors.New("the plan that is executed is word for word what the site wrote")
	ErrDenied     = errors.New("a plan that needs a denied capability is refused before any effect")
	ErrNotSettled = errors.New(
		"a checkpoint advances in exactly one place: after a plan has been validated, " +
			"executed, and the agent has settled",
	)
	ErrRegression = errors.New("a checkpoint never goes back")
	ErrDoneFolded = errors.New(
		"done is terminal, the other side's word, and not folded into the checkpoint: " +
			"it has no execution phase",
	)
	ErrAfterDone = errors.New("no user turn of ours follows a valid done answer: pi stops")
)

func planOnce(c *Case) Verdict {
	for i := range c.claims {
		t := &c.claims[i]
		for j := range c.claims[:i] {
			o := &c.claims[j]
			switch {
			case o.key == t.key:
				return fail(
					fmt.Sprintf("the plan %s of round %d was executed twice", t.key, t.round),
					o.seq,
					t.seq,
				)
			case o.round == t.round:
				return fail(fmt.Sprintf("two plans were executed in round %d", t.round), o.seq, t.seq)
			}
		}
	}
	return pass()
}

// wordForWord looks for the claimed text among the blocks that the site wrote for that round
// before.
func wordForWord(c *Case) Verdict {
	doubt := pass()
	for i := range c.claims {
		t := &c.claims[i]
		p := c.planOf(t.key)
		switch {
		case p != nil && p.stopped:
			return fail(fmt.Sprintf("the plan %s was cut off before it was whole", t.key), p.seq, t.seq)
		case p == nil && c.unknownAnswer() != 0:
			doubt = unknown(
				"the history does not hold every answer of the site",
				c.unknownAnswer(),
				t.seq,
			)
		case p == nil || p.seq > t.seq:
			return fail(fmt.Sprintf("the site wrote no valid plan %s", t.key), t.seq)
		case p.digest.IsZero() || t.digest.IsZero():
			doubt = unknown("the history holds neither text nor digest of the plan", p.seq, t.seq)
		case p.digest != t.digest || p.round != t.round:
			return fail(
				fmt.Sprintf("the executed plan %s differs from the one that the site wrote", t.key),
				p.seq,
				t.seq,
			)
		}
	}
	return doubt
}

// unknownAnswer is the seq of an answer that the history does not explain, 0 when there is none.
func (c *Case) unknownAnswer() int {
	for i := range c.answers {
		if c.answers[i].what == unread {
			return c.answers[i].seq
		}
	}
	return 0
}

func deniedFirst(c *Case) Verdict {
	for i := range c.claims {
		t := &c.claims[i]
		if p := c.planOf(t.key); p != nil && p.needs != "" {
			return fail(
				fmt.Sprintf("the plan of round %d needs %s, which is denied", t.round, p.needs),
				p.seq,
				t.seq,
			)
		}
	}
	if seq := c.unknownAnswer(); seq != 0 && len(c.claims) > 0 {
		return unknown("the history does not hold every answer of the site", seq)
	}
	return pass()
}

// checkpointSettled judges the journal; frameChain judges what the wire says.
func checkpointSettled(c *Case) Verdict {
	for i := range c.records {
		r := &c.records[i]
		if r.kind != string(session.RecCheckpoint) || c.decision(r.text) == wire.DecisionDone {
			continue
		}
		if t := c.settledPlan(r.text, r.seq); t == nil || t.round != r.round {
			return fail(
				fmt.Sprintf("the checkpoint went to round %d before its plan was settled", r.round),
				r.seq,
			)
		}
	}
	if c.views(history.Store) && len(c.records) == 0 && len(c.claims) > 0 {
		return unknown("the history does not say what was written to the journal")
	}
	return pass()
}

func (c *Case) decision(key string) wire.Decision {
	if p := c.planOf(key); p != nil {
		return p.decision
	}
	return ""
}

// checkpointMonotonic: a cache that was lost or aged may be written up to where it was, once more.
func checkpointMonotonic(c *Case) Verdict {
	top := record{}
	for i := range c.records {
		r := &c.records[i]
		if r.kind != string(session.RecCheckpoint) {
			continue
		}
		if r.round <= top.round && top.seq != 0 && !c.cacheLost(top.seq, r.seq) {
			return fail(
				fmt.Sprintf("the checkpoint went from round %d to round %d", top.round, r.round),
				top.seq,
				r.seq,
			)
		}
		top = *r
	}
	if c.views(history.Store) && len(c.records) == 0 && len(c.claims) > 0 {
		return unknown("the history does not say what was written to the journal")
	}
	return pass()
}

// cacheLost tells whether the journal lost records between two events.
func (c *Case) cacheLost(from, to int) bool {
	for i := range c.faults {
		f := &c.faults[i]
		torn := f.kind == faults.TearCache // the record that was written last is not there
		if f.applied > from && f.applied < to && (torn || f.takesCache()) {
			return true
		}
	}
	return false
}

// doneTerminal: neither done nor blocked is executed; done becomes no checkpoint, in the journal or
// on the wire; and only the other side says done.
func doneTerminal(c *Case) Verdict {
	done := false
	for i := range c.plans {
		p := &c.plans[i]
		if p.decision != wire.DecisionDone && p.decision != wire.DecisionBlocked {
			continue
		}
		if t := c.claimed(p.key, c.last+1); t != nil {
			return fail(
				fmt.Sprintf("the %s plan of round %d was executed", p.decision, p.round),
				p.seq,
				t.seq,
			)
		}
		if seq := c.confirmed(p.key); seq != 0 {
			return fail(
				fmt.Sprintf("the %s plan of round %d became a checkpoint", p.decision, p.round),
				p.seq,
				seq,
			)
		}
		done = done || p.decision == wire.DecisionDone && !p.stopped
	}
	v := c.answersKnown()
	if v.Status == Pass && !done && c.end.key == session.OutcomeDone {
		return fail("the run ended as done and the site never said so", c.end.seq)
	}
	return v
}

// answersKnown is Pass, or Unknown when an answer cannot be read.
func (c *Case) answersKnown() Verdict {
	if seq := c.unknownAnswer(); seq != 0 {
		return unknown("the history holds neither the text nor the reading of an answer", seq)
	}
	return pass()
}

// holds tells whether a plan stood there for who sent a message: in the record when pi looked last,
// or in pi's own journal.
func (c *Case) holds(i int, s *send) Status {
	p := &c.plans[i]
	if p.answer < 0 || c.wrote(session.RecTerminal, p.round, p.key, s.seq) {
		return Pass
	}
	switch v := c.held(p.answer, s); {
	case !v.known:
		return Unknown
	case v.plan == i:
		return Pass
	}
	return Fail
}

// confirmed is the first event that names a plan as checkpoint, 0 without.
func (c *Case) confirmed(key string) int {
	for i := range c.records {
		if r := &c.records[i]; r.kind == string(session.RecCheckpoint) && r.text == key {
			return r.seq
		}
	}
	for i := range c.sends {
		s := &c.sends[i]
		if s.prev == key {
			return s.seq
		}
		if ck, err := wire.ParseCheckpoint(s.ck); s.ck != "" && err == nil && ck.Key == key {
			return s.seq
		}
	}
	return 0
}

// afterDone: an answer that was cut off is no valid done, and one that the record does not hold any
// more is none for who looks later; what pi took down as terminal stays so.
func afterDone(c *Case) Verdict {
	doubt := pass()
	for i := range c.plans {
		p := &c.plans[i]
		if p.decision != wire.DecisionDone || p.stopped {
			continue
		}
		for j := range c.sends {
			s := &c.sends[j]
			if s.seq < p.seq || !s.ours() {
				continue
			}
			switch held := c.holds(i, s); {
			case held == Unknown:
				doubt = unknown("the history does not say what the site held", p.seq, s.seq)
			case held == Pass:
				return fail(
					fmt.Sprintf("%s was sent after the done of round %d", s.kind, p.round),
					p.seq,
					s.seq,
				)
			}
		}
	}
	if doubt.Status != Pass {
		return doubt
	}
	if v := c.answersKnown(); v.Status != Pass {
		return v
	}
	return c.kept()
}
