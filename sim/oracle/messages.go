package oracle

import (
	"errors"
	"fmt"
	"strings"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/sim/history"
)

// Promises about each single message.
var (
	ErrRoundTwice = errors.New("no ROUND (sid, r) is ever sent twice: " +
		"a duplicate send is a duplicate execution, a missed send costs one retry")
	ErrMessageTwice = errors.New(
		"when in doubt, send one time too few, never one time too many: one send per intent")
	ErrHelloTwice = errors.New("HELLO is sent once per conversation")
	ErrNotWhole   = errors.New(
		"every message of pi is a whole message of pi-bridge/1, and pi sends nothing else",
	)
	ErrNotQuiet = errors.New(
		"no message of any kind goes out while an earlier one is unknown or its turn is unfinished")
	ErrNotDurable = errors.New(
		"unknown is written durably before the first act that could submit, executing before " +
			"the plan is handed over",
	)
	ErrStatic = errors.New(
		"RESUME resends no static text; RESYNC redeclares it: one must not stand in for the other")
)

// roundOnce counts every ROUND that reached the site, however its send ended: a click that passed
// the fence proves that it may have been taken.
func roundOnce(c *Case) Verdict {
	for i := range c.sends {
		s := &c.sends[i]
		if s.kind != wire.KindRound {
			continue
		}
		for j := range c.sends[:i] {
			if o := &c.sends[j]; o.kind == s.kind && o.round == s.round && o.sid == s.sid {
				return fail(fmt.Sprintf("ROUND %d was sent twice", s.round), o.seq, s.seq)
			}
		}
	}
	return c.kept()
}

// messageOnce judges the kinds that have no round of their own.
func messageOnce(c *Case) Verdict {
	for i := range c.sends {
		s := &c.sends[i]
		for j := range c.sends[:i] {
			if o := &c.sends[j]; o.kind == s.kind && c.again(o, s) {
				return fail(fmt.Sprintf("one %s was sent twice", s.kind), o.seq, s.seq)
			}
		}
	}
	return c.kept()
}

// again tells whether two messages of one kind are one intent, sent twice.
//
//	RESUME   once per (CK, NEXT)
//	RESYNC   once per recovery episode; a new checkpoint ends it
//	REPAIR   the same codes may come back, but only in a finished answer to the first one
func (c *Case) again(first, second *send) bool {
	switch first.kind {
	case wire.KindResume:
		return first.ck == second.ck && first.next == second.next
	case wire.KindResync:
		return !c.settledBetween(first.seq, second.seq)
	case wire.KindRepair:
		if first.round != second.round || first.codes != second.codes {
			return false
		}
		a := c.answerOf(first)
		return a == nil || a.known && !a.finished(second.at)
	}
	return false
}

func (c *Case) settledBetween(from, to int) bool {
	for i := range c.settled {
		if s := c.settled[i].seq; s > from && s < to {
			return true
		}
	}
	return false
}

func helloOnce(c *Case) Verdict {
	var first *send
	for i := range c.sends {
		s := &c.sends[i]
		if s.kind != wire.KindHello {
			continue
		}
		if first != nil && first.sid == s.sid {
			return fail("a second HELLO of the session was sent", first.seq, s.seq)
		}
		if first == nil {
			first = s
		}
	}
	return c.kept()
}

// wholeMessages: what has no header may be a person's, if the world saw one at work.
func wholeMessages(c *Case) Verdict {
	for i := range c.sends {
		switch s := &c.sends[i]; {
		case s.is(foreign) && s.known && !c.person:
			return fail("a text without a header reached the site and no person wrote one", s.seq)
		case s.is(malformed):
			return fail(fmt.Sprintf("the text of a %s is not whole", s.kind), s.seq)
		case s.ours() && !c.meant(s):
			return fail(fmt.Sprintf("the text of a %s is not what its intent names", s.kind), s.seq)
		}
	}
	return c.kept()
}

// meant tells whether a durable intent names this text, as far as the history says what they name.
func (c *Case) meant(s *send) bool {
	said := false
	for i := range c.records {
		r := &c.records[i]
		if r.seq > s.seq || r.digest.IsZero() || !r.intends(s.kind) {
			continue
		}
		if r.digest == s.text {
			return true
		}
		said = true
	}
	return !said || s.text.IsZero()
}

// intends: the record holds an intent of that kind; a journal written anew holds the last one.
func (r *record) intends(k wire.Kind) bool {
	switch session.RecordKind(r.kind) {
	case session.RecIntent:
		return r.text == string(k)
	case session.RecSnapshot:
		return strings.HasPrefix(r.text+" ", "intent="+string(k)+" ")
	}
	return false
}

// plainDigest is the digest that an intent has of the same text. Of a text that is not kept it is
// known only where it was plain already, as what pi types is.
func plainDigest(e *history.Event) history.Digest {
	if plain := wire.Plain(e.Body); plain != e.Body {
		return wire.Sum(plain)
	}
	return e.Digest
}

// quiet asks the site, not the bridge: when a message came, had the answer to the one before ended?
// The same message again is another promise's matter.
func quiet(c *Case) Verdict {
	var before *send
	doubt := c.kept()
	for i := range c.sends {
		s := &c.sends[i]
		if !s.ours() {
			continue
		}
		if before != nil && !sameMessage(before, s) {
			a := c.answerOf(before)
			switch {
			case a != nil && !a.known:
				doubt = unknown("the history does not say when the answer ended", a.seq, s.seq)
			case a == nil || !a.finished(s.at):
				return fail(
					fmt.Sprintf(
						"%s went out while the turn of %s was unfinished",
						s.kind,
						before.kind,
					),
					before.seq,
					s.seq,
				)
			}
		}
		before = s
	}
	return doubt
}

func sameMessage(a, b *send) bool {
	return a.kind == b.kind && a.round == b.round && a.ck == b.ck && a.next == b.next &&
		a.codes == b.codes
}

// durableFirst holds the journal against site and agent. A journal written anew holds everything.
func durableFirst(c *Case) Verdict {
	if !c.views(history.Store) {
		return pass()
	}
	if len(c.records) == 0 && len(c.sends) > 0 {
		return unknown("the history does not say what was written to the journal")
	}
	for i := range c.sends {
		s := &c.sends[i]
		if s.ours() && !c.wrote(session.RecIntent, s.round, string(s.kind), s.seq) {
			return fail(fmt.Sprintf("%s went out without a durable intent", s.kind), s.seq)
		}
	}
	for i := range c.claims {
		t := &c.claims[i]
		if !c.wrote(session.RecExecuting, t.round, t.key, t.seq) {
			return fail(
				fmt.Sprintf("the plan of round %d was handed over before it was journaled", t.round),
				t.seq,
			)
		}
	}
	return c.kept()
}

// wrote tells whether a record was durable before an event. round 0 means any.
func (c *Case) wrote(kind session.RecordKind, round int, text string, before int) bool {
	for i := range c.records {
		r := &c.records[i]
		if r.seq > before {
			return false
		}
		if r.kind == string(session.RecSnapshot) && r.holds(string(kind), text) ||
			r.kind == string(kind) && r.text == text && (round == 0 || r.round == round) {
			return true
		}
	}
	return false
}

// holds tells whether a journal that was written anew still says something: its words name the kind
// of record and what it was about. Without words nobody knows, and it holds everything.
func (r *record) holds(kind, text string) bool {
	if r.text == "" {
		return true
	}
	for word := range strings.FieldsSeq(r.text) {
		if name, value, _ := strings.Cut(word, "="); name == kind && value == text {
			return true
		}
	}
	return false
}

func staticText(c *Case) Verdict {
	for i := range c.sends {
		switch s := &c.sends[i]; {
		case s.is(static):
			return fail("a RESUME carries contract or capabilities", s.seq)
		case s.is(bare):
			return fail("a RESYNC carries no HELLO", s.seq)
		}
	}
	return c.kept()
}
