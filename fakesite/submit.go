package fakesite

import (
	"time"

	"bridgesim/bridge/clock"
)

// Submit takes one send: it stands in the ledger and in the record, and the persona has decided its
// answer, whose Course tells how it comes into being.
//
//	conversation  message  refusal
//	set           set      Taken           accepted
//	set           set      RefusedServer   accepted all the same, yet told as a 500 (Accepted500)
//	set or nil    nil      Taken           told as accepted, in no record (Dropped); nil = new chat
//	nil           nil      any             refused; only the ledger knows of it
func (s *Site) Submit(now time.Time, p Post) (*Conversation, *Message, Refusal) {
	c := s.Find(p.ConversationID)
	if why := s.refusal(now, c, &p); why != Taken {
		return s.refuse(now, &p, why)
	}
	s.taken++
	f := &s.options.Faults
	if why := s.strike(f); why != Taken {
		return s.refuse(now, &p, why)
	}
	if f.Dropped.Has(s.taken) {
		s.ledger.add(entryOf(now, Dropped, &p))
		return c, nil, Taken
	}
	c, m := s.accept(now, c, &p)
	for i := range f.Block {
		if b := &f.Block[i]; b.Nth == s.taken && b.After {
			s.Block(b.Blocker)
		}
	}
	if f.Accepted500.Has(s.taken) {
		return c, m, RefusedServer
	}
	return c, m, Taken
}

// refusal judges what needs no fault: blockers, limits, the state of the conversation.
func (s *Site) refusal(now time.Time, c *Conversation, p *Post) Refusal {
	switch why := s.blocker.Refusal(); {
	case why != Taken:
		return why
	case len(p.Text) > s.options.maxText():
		return RefusedTooLong
	case c == nil && p.ConversationID != "":
		return RefusedNotFound
	case c != nil && c.running(now) != nil:
		return RefusedBusy
	}
	return Taken
}

// strike applies the faults that refuse this send.
func (s *Site) strike(f *Faults) Refusal {
	for i := range f.Block {
		if b := &f.Block[i]; b.Nth == s.taken && !b.After {
			s.Block(b.Blocker)
			return b.Blocker.Refusal()
		}
	}
	for i := range f.Refuse {
		if f.Refuse[i].Nth == s.taken {
			return f.Refuse[i].Why
		}
	}
	if f.ServerError.Has(s.taken) {
		return RefusedServer
	}
	return Taken
}

func (s *Site) refuse(now time.Time, p *Post, why Refusal) (*Conversation, *Message, Refusal) {
	e := entryOf(now, Refused, p)
	e.Refusal = why
	s.ledger.add(e)
	return nil, nil, why
}

func entryOf(now time.Time, kind EntryKind, p *Post) Entry {
	return Entry{
		At: now, Kind: kind, Conversation: p.ConversationID, MessageID: p.MessageID, Text: p.Text,
	}
}

// exchange is a user message and its answer, in one allocation.
type exchange struct{ user, answer Message }

func (s *Site) accept(now time.Time, c *Conversation, p *Post) (*Conversation, *Message) {
	if c == nil {
		c = s.open(now, p)
	}
	c.forkAt(p.ParentID)
	if c.stale {
		c.persona.reread(&s.script, c.Messages)
		c.stale = false
	}
	x := &exchange{user: Message{
		ID: s.messageID(c, p.MessageID), Parent: c.parentOfNext(), Role: User, Text: p.Text,
		Created: now,
	}}
	x.user.TurnID = x.user.ID
	c.Messages = append(c.Messages, &x.user)
	s.ledger.add(Entry{
		At: now, Kind: Received, Conversation: c.ID, MessageID: x.user.ID, Text: p.Text,
	})
	s.reply(now, c, x)
	return c, &x.answer
}

// messageID keeps the client's id, so that request, DOM and record hold the same value; a second
// message with a known id is one more message and gets an id of its own.
func (s *Site) messageID(c *Conversation, id string) string {
	if id == "" || c.holds(id) {
		return clock.UUID(s.entropy)
	}
	return id
}

func (s *Site) reply(now time.Time, c *Conversation, x *exchange) {
	choice := c.persona.decide(&s.script, readMessage(x.user.Text))
	x.answer = Message{
		ID: clock.UUID(s.entropy), Parent: x.user.ID, TurnID: turnID(c), Role: Assistant,
		Text: choice.text(), Created: now, Preamble: s.options.Preamble,
	}
	if s.options.TwoResponses && choice.part == PartPlan {
		x.answer.Alternative = choice.alternative()
	}
	s.shape(now, &x.answer, &choice)
	c.persona.wrote(&choice, &x.answer)
	c.Messages = append(c.Messages, &x.answer)
	s.ledger.add(Entry{
		At: now, Kind: Answered, Conversation: c.ID, MessageID: x.user.ID, AnswerID: x.answer.ID,
		Text: x.answer.Text, Ending: x.answer.Course.Ending(), Ends: x.answer.Course.Ends(),
	})
}

// shape gives the answer its course, with the faults and switches that concern it.
func (s *Site) shape(now time.Time, m *Message, choice *choice) {
	f, n := &s.options.Faults, s.taken
	plan := choice.part == PartPlan
	switch {
	case f.FailBefore.Has(n):
		m.Text, m.Preamble = "", ""
	case f.FailMid.Has(n):
		m.Text = m.Text[:cut(m.Text, 1, 2)]
	case s.options.Continue && plan:
		m.Text, m.Truncated = m.Text[:cut(m.Text, 1, 2)], true
	}
	choice.move.Think = s.think(&choice.move)
	m.Course = plotted(now, m.Text, &s.timing, &s.options, &choice.move)
	if f.FailBefore.Has(n) || f.FailMid.Has(n) || f.FailAfter.Has(n) {
		m.Course.ending = Failed
	}
	m.Course.waits = s.options.ToolApproval && plan
	m.Course.held = m.Course.waits || f.Never.Has(n)
}

// think is how long this answer thinks: as scripted, or drawn between Think and ThinkMost.
func (s *Site) think(m *Move) time.Duration {
	t := &s.timing
	switch {
	case m.Think > 0:
		return m.Think
	case t.ThinkMost > t.Think:
		return t.Think + time.Duration(clock.Unit(s.entropy)*float64(t.ThinkMost-t.Think))
	}
	return t.Think
}
