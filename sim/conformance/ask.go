package conformance

import (
	"fmt"
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// unknown is an id that no site gives.
const unknown = "00000000-0000-4000-8000-00000000dead"

// ask puts one question to the current tab and keeps the answer.
func ask[A, R any](p *play, q probe.Probe[A, R], args A) R {
	var none R
	if p.err != nil {
		return none
	}
	v, err := probe.Do(p.ctx, p.arm.session(p.tab), q, args)
	if err != nil {
		p.fail(fmt.Errorf("probe %s(%+v): %w", q.Name, args, err))
		return none
	}
	keep(p, fmt.Sprintf("%s%+v", q.Name, args), v)
	return v
}

// keep notes what was found.
func keep[R any](p *play, question string, v R) {
	clean, err := named(v, &p.names, p.arm.base())
	if err != nil {
		p.fail(fmt.Errorf("answer of %s: %w", question, err))
	}
	p.answers = append(p.answers, Answer{
		Step: p.step, Tab: p.tab, Probe: p.names.of(question, p.arm.base()), Value: clean,
	})
}

// known is what the ledger of the arm's site knows; the questions are about that.
type known struct {
	users, answers, turns, chats []string
	preamble, nested             bool
}

func (p *play) known() known {
	var k known
	p.site(func(_ time.Time, site *fakesite.Site) {
		p.names.meet(site)
		k.users = p.names.users
		for _, e := range site.Ledger().Entries() {
			if e.Kind == fakesite.Answered {
				k.answers = append(k.answers, e.AnswerID)
			}
			if e.Conversation != "" && (len(k.chats) == 0 || k.chats[len(k.chats)-1] != e.Conversation) {
				k.chats = append(k.chats, e.Conversation)
			}
		}
		for _, c := range site.Conversations() {
			if m := c.Last(); m != nil {
				k.turns = append(k.turns, m.TurnID)
			}
		}
		k.preamble, k.nested = site.Options().Preamble != "", site.Options().Nested
	})
	return k
}

// few keeps the first and the last two of many.
func few(ids []string) []string {
	if len(ids) > 3 {
		return []string{ids[0], ids[len(ids)-2], ids[len(ids)-1]}
	}
	return ids
}

func last(ids []string) string {
	if len(ids) == 0 {
		return unknown
	}
	return ids[len(ids)-1]
}

// entry is a line of the ledger as it is compared.
type entry struct {
	Kind, Conversation, MessageID, AnswerID, Text, Refusal, Ending string
	At, Ends                                                       time.Time
}

// look asks every tab everything.
func (p *play) look() {
	if p.err != nil {
		return
	}
	k, current := p.known(), p.tab
	for p.tab = 0; p.tab < p.arm.tabs() && p.err == nil; p.tab++ {
		p.lookAtPage()
		p.lookAtTurns(&k)
		p.lookAtAnswers(&k)
		ask(p, probe.Record, probe.RecordArgs{Conversation: last(k.chats)})
		ask(p, probe.Record, probe.RecordArgs{Conversation: last(k.chats), After: last(k.users)})
	}
	p.tab = current
	p.lookAtLedger()
}

func (p *play) lookAtPage() {
	ask(p, probe.Hello, probe.HelloArgs{Nonce: "document"})
	ask(p, probe.Guard, probe.None{})
	ask(p, probe.Composer, probe.None{})
	if p.err == nil {
		title, err := p.arm.title(p.tab)
		p.fail(err)
		keep(p, "title", title)
	}
}

func (p *play) lookAtTurns(k *known) {
	ask(p, probe.Tail, probe.TailArgs{})
	ask(p, probe.Tail, probe.TailArgs{Limit: 1})
	for _, id := range few(k.users) {
		ask(p, probe.Tail, probe.TailArgs{After: id, Limit: 3})
		ask(p, probe.Turn, probe.TurnArgs{MessageID: id})
	}
	ask(p, probe.Tail, probe.TailArgs{After: last(k.answers)})
	ask(p, probe.Tail, probe.TailArgs{After: last(k.turns)})
	ask(p, probe.Turn, probe.TurnArgs{MessageID: last(k.answers)})
	ask(p, probe.Turn, probe.TurnArgs{})
}

func (p *play) lookAtAnswers(k *known) {
	ids := append(few(k.answers), last(k.users), last(k.turns), unknown)
	if k.preamble {
		ids = append(ids, last(k.answers)+"-preamble")
	}
	if k.nested && len(k.answers) > 0 {
		ids = append(ids, k.answers[0]+"-a", k.answers[0]+"-b")
	}
	for _, id := range ids {
		ask(p, probe.Text, probe.MessageArgs{MessageID: id})
	}
	if len(k.answers) > 0 && !k.nested && !k.preamble {
		ids = []string{last(k.answers)}
	}
	for _, id := range ids {
		ask(p, probe.Copy, probe.MessageArgs{MessageID: id})
	}
}

func (p *play) lookAtLedger() {
	var all []entry
	p.site(func(_ time.Time, site *fakesite.Site) {
		for _, e := range site.Ledger().Entries() {
			all = append(all, entry{
				string(e.Kind), e.Conversation, e.MessageID, e.AnswerID, e.Text, string(e.Refusal),
				string(e.Ending), e.At, e.Ends,
			})
		}
	})
	keep(p, "ledger", all)
}

// farewell asks, in the last state, what changes the page.
func (p *play) farewell() {
	k := p.known()
	for p.tab = 0; p.tab < p.arm.tabs() && p.err == nil; p.tab++ {
		for _, a := range []probe.RecordArgs{
			{Conversation: unknown},
			{Conversation: last(k.chats), After: unknown},
			{Conversation: last(k.chats), After: fakesite.RootID},
			{Conversation: last(k.chats), After: last(k.chats) + "-system"},
			{Conversation: last(k.chats), After: last(k.answers)},
		} {
			ask(p, probe.Record, a)
		}
		ask(p, probe.Revoke, probe.None{})
		ask(p, probe.Focus, probe.None{})
		ask(p, probe.Composer, probe.None{})
		ask(p, probe.Empty, probe.None{})
		ask(p, probe.Composer, probe.None{})
		ask(p, probe.Unfence, probe.None{})
		ask(p, probe.Revoke, probe.None{})
	}
}
