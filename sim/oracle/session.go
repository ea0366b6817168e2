package oracle

import (
	"errors"
	"fmt"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/history"
)

// Promises about the session as a whole.
var (
	ErrSID = errors.New(
		"sid is generated once per logical session; recovery never makes a new one",
	)
	ErrConversation = errors.New(
		"a session stays in one conversation, decided by the conversation id",
	)
	ErrNotEstablished = errors.New("all conditions of the gate must hold before any task is sent: " +
		"a half-established session is worse than none")
	ErrRequest = errors.New(
		"the request travels in ROUND 1, in full, exactly once, per qid, and never in HELLO",
	)
	ErrChain = errors.New(
		"r rises by one, and p= and CK name the last plan that was validated AND executed " +
			"AND settled, or nothing",
	)
	ErrRepairDomain = errors.New(
		"REPAIR answers remote faults only: a capture failure of ours and a version " +
			"mismatch are not the other side's fault",
	)
	ErrRepairBound = errors.New("REPAIR asks for the same round and is bounded by MAX_REPAIRS (2)")
)

func oneSID(c *Case) Verdict {
	var first *send
	for i := range c.sends {
		s := &c.sends[i]
		if s.sid == "" {
			continue
		}
		if first == nil {
			first = s
		}
		if s.sid != first.sid {
			return fail(fmt.Sprintf("sid %s became %s", first.sid, s.sid), first.seq, s.seq)
		}
	}
	return c.kept()
}

func oneConversation(c *Case) Verdict {
	var first *send
	doubt := c.kept()
	for i := range c.sends {
		s := &c.sends[i]
		switch {
		case !s.ours() || s.fate != received:
		case s.conversation == "":
			doubt = unknown("the history does not say in which conversation a message stands", s.seq)
		case first == nil:
			first = s
		case s.conversation != first.conversation:
			return fail(fmt.Sprintf("%s went to another conversation", s.kind), first.seq, s.seq)
		}
	}
	return doubt
}

// established: the last of HELLO, RESYNC and RESUME before a ROUND was acknowledged validly.
func established(c *Case) Verdict {
	var offer *send
	doubt := c.kept()
	for i := range c.sends {
		s := &c.sends[i]
		if s.is(malformed | static | bare) { // no offer, and a promise of its own
			continue
		}
		switch s.kind {
		case wire.KindHello, wire.KindResync, wire.KindResume:
			offer = s
		case wire.KindRound:
			switch what := c.reading(offer); what {
			case validAck:
			case unread:
				if offer == nil || c.answerOf(offer) == nil {
					return fail("a ROUND was sent before any acknowledgement", s.seq)
				}
				doubt = unknown("the history does not say what answered the offer", offer.seq, s.seq)
			default:
				return fail(
					fmt.Sprintf(
						"a ROUND was sent although the answer to %s fails the gate",
						offer.kind,
					),
					offer.seq,
					s.seq,
				)
			}
		}
	}
	return doubt
}

// reading is what the answer to a send is; unread without one.
func (c *Case) reading(s *send) verdictOn {
	if s == nil || s.answer < 0 {
		return unread
	}
	a := &c.answers[s.answer]
	if a.what != unread && (a.ending == string(fakesite.Stopped) ||
		a.ending == string(fakesite.Failed)) {
		return otherText // it broke off
	}
	return a.what
}

func requestOnce(c *Case) Verdict {
	if c.script.seq == 0 || c.guessed {
		return unknown("the history does not say what was asked for")
	}
	for i := range c.sends {
		s := &c.sends[i]
		switch {
		case s.qid != "" && c.script.qid != "" && s.qid != c.script.qid:
			return fail(
				fmt.Sprintf("%s is for qid %s, the request's is %s", s.kind, s.qid, c.script.qid),
				s.seq,
			)
		case s.is(told):
			return fail("the objective holds the request", s.seq)
		case s.kind != wire.KindRound || s.is(malformed):
		case s.round == 1 && !s.is(request):
			return fail("ROUND 1 does not carry the request word for word", s.seq)
		case s.round > 1 && (s.is(request) || s.is(asks)):
			return fail(fmt.Sprintf("ROUND %d carries a request again", s.round), s.seq)
		}
	}
	return c.kept()
}

// chain is what the messages so far prove.
type chain struct {
	round int   // of the last ROUND
	at    *send // the last ROUND
	held  int   // round of the last p= or CK
	cut   int   // seq of the last RESUME or RESYNC
}

func frameChain(c *Case) Verdict {
	var k chain
	for i := range c.sends {
		var v Verdict
		switch s := &c.sends[i]; s.kind {
		case wire.KindRound:
			v = k.next(c, s)
		case wire.KindResume:
			v = k.resume(c, s)
			k.cut = s.seq
		case wire.KindResync:
			k.cut = s.seq
		}
		if v.Status == Fail {
			return v
		}
	}
	return c.kept()
}

func (k *chain) next(c *Case, s *send) Verdict {
	switch {
	case s.is(malformed) || s.round <= k.round: // sent again: another promise
		return Verdict{}
	case s.round != k.round+1:
		return fail(fmt.Sprintf("ROUND %d follows ROUND %d", s.round, k.round), s.seq)
	}
	k.round, k.at = s.round, s
	round, v := k.proven(c, s, s.prev)
	if v.Status == Fail {
		return v
	}
	if last := c.lastSettled(s.seq, s.round); last != nil && last.round > round && k.cut < last.seq {
		return fail(
			fmt.Sprintf("p=%s although the plan of round %d was settled since", s.prev, last.round),
			last.seq,
			s.seq,
		)
	}
	k.held = round
	return Verdict{}
}

func (k *chain) resume(c *Case, s *send) Verdict {
	if s.is(malformed) || s.is(static) {
		return Verdict{}
	}
	ck, err := wire.ParseCheckpoint(s.ck)
	if err != nil {
		return fail("CK "+s.ck+" is no checkpoint", s.seq)
	}
	round, v := k.proven(c, s, ck.Prev())
	switch {
	case v.Status == Fail:
		return v
	case round != ck.Round:
		return fail(fmt.Sprintf("CK %s names the plan of round %d", s.ck, round), s.seq)
	case s.next <= ck.Round || s.next > k.round+1:
		return fail(
			fmt.Sprintf("NEXT %d after checkpoint %s and ROUND %d", s.next, s.ck, k.round),
			s.seq,
		)
	}
	k.held = round
	return Verdict{}
}

// proven is the round of the plan that a message names as settled.
func (k *chain) proven(c *Case, s *send, key string) (round int, v Verdict) {
	if key == wire.NoPlan {
		if k.held > 0 {
			return 0, fail(
				fmt.Sprintf("%s names no plan, the one of round %d was named before", s.kind, k.held),
				s.seq,
			)
		}
		return 0, v
	}
	p := c.planOf(key)
	if p != nil && p.decision == wire.DecisionDone { // folded into the checkpoint: another promise
		return p.round, v
	}
	t := c.settledPlan(key, s.seq)
	switch {
	case t == nil && p != nil && !c.views(history.Agent):
		round = p.round
	case t == nil:
		return 0, fail(
			fmt.Sprintf("%s names the plan %s, which the agent has not settled", s.kind, key),
			s.seq,
		)
	default:
		round = t.round
	}
	if round < k.held {
		return 0, fail(fmt.Sprintf("%s goes back to the plan of round %d", s.kind, round), s.seq)
	}
	return round, v
}

// lastSettled is the last plan of an earlier round that the agent settled before an event.
func (c *Case) lastSettled(before, round int) *task {
	var last *task
	for i := range c.settled {
		t := &c.settled[i]
		if t.seq < before && t.round < round && (last == nil || t.round > last.round) {
			last = t
		}
	}
	return last
}

// repairRemote: the last answer of the round, as the site held it when the bridge looked last, has
// remote faults and no others.
func repairRemote(c *Case) Verdict {
	doubt := c.kept()
	for i := range c.sends {
		s := &c.sends[i]
		if s.kind != wire.KindRepair || s.is(malformed) {
			continue
		}
		asked := c.askedBefore(i)
		if asked == nil || asked.answer < 0 {
			continue // no answer was there to repair: another promise
		}
		a := c.answerOf(asked)
		switch held := c.held(asked.answer, s); {
		case !held.known:
			doubt = unknown("the history does not say what was wrong with the answer", a.seq, s.seq)
		case held.what == validPlan:
			return fail("the site's answer was a valid PLAN", a.seq, s.seq)
		case held.what == faultyPlan:
			if d := domain(held.codes); d != wire.DomainRemote {
				return fail(
					fmt.Sprintf("the faults %s are of the %s domain", held.codes, d),
					a.seq,
					s.seq,
				)
			}
		default:
			return fail("the answer was no PLAN of a round", a.seq, s.seq)
		}
	}
	return doubt
}

// askedBefore is the ROUND or REPAIR of the same round before a REPAIR.
func (c *Case) askedBefore(i int) *send {
	for j := i - 1; j >= 0; j-- {
		o := &c.sends[j]
		if (o.kind == wire.KindRound || o.kind == wire.KindRepair) && o.round == c.sends[i].round {
			return o
		}
	}
	return nil
}

func repairBounded(c *Case) Verdict {
	var round *send
	repairs := 0
	for i := range c.sends {
		s := &c.sends[i]
		if s.is(malformed) {
			continue
		}
		switch s.kind {
		case wire.KindRound:
			round, repairs = s, 0
		case wire.KindRepair:
			if round == nil || s.round != round.round || s.prev != round.prev {
				return fail(
					fmt.Sprintf(
						"a REPAIR of round %d with p=%s is not of the round that is open",
						s.round,
						s.prev,
					),
					s.seq,
				)
			}
			if repairs++; repairs > wire.MaxRepairs {
				return fail(fmt.Sprintf("REPAIR %d of round %d", repairs, s.round), s.seq)
			}
			if asked := c.askedBefore(i); repairs > 1 && asked.answer >= 0 &&
				c.held(asked.answer, s).headless {
				return fail(
					"a REPAIR that was answered without any header calls for RESYNC",
					asked.seq,
					s.seq,
				)
			}
		}
	}
	return c.kept()
}
