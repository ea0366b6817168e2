package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// unknown is an id that no site gives.
const unknown = "00000000-0000-4000-8000-00000000dead"

// titleOf is the one question that is for no probe: the title of the tab.
const titleOf = "title"

// question is one call of a probe that waits for its turn.
type question struct {
	name, label string
	args        any
	// ask puts it to a session; read takes its answer out of the JSON that the probe's script gave.
	ask  func(ctx context.Context, s browser.Session) (any, error)
	read func(body []byte) (any, error)
}

func questionOf[A, R any](q probe.Probe[A, R], args A) question {
	return question{
		name: q.Name, args: args, label: fmt.Sprintf("%s%+v", q.Name, args),
		ask: func(ctx context.Context, s browser.Session) (any, error) {
			return probe.Do(ctx, s, q,
				args)
		},
		read: func(body []byte) (any, error) {
			var v R
			err := json.Unmarshal(body, &v)
			return v, err
		},
	}
}

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
	keep(p, fmt.Sprintf("%s%+v", q.Name, args), any(v))
	return v
}

// askAll puts many questions to the current tab, in order.
func (p *play) askAll(list []question) {
	if p.err != nil {
		return
	}
	answers, err := p.arm.answers(p.tab, list)
	if err != nil {
		p.fail(err)
		return
	}
	for i := range list {
		keep(p, list[i].label, answers[i])
	}
}

// keep notes what was found.
func keep(p *play, question string, v any) {
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
	list := questions(&k)
	for p.tab = 0; p.tab < p.arm.tabs() && p.err == nil; p.tab++ {
		p.askAll(list)
	}
	p.tab = current
	p.lookAtLedger()
}

// questions are all that make sense about what is known.
func questions(k *known) []question {
	list := []question{
		{label: titleOf},
		questionOf(probe.Hello, probe.HelloArgs{Nonce: "document"}),
		questionOf(probe.Guard, probe.None{}),
		questionOf(probe.Composer, probe.None{}),
	}
	list = append(list, aboutTurns(k)...)
	list = append(list, aboutAnswers(k)...)
	return append(list, questionOf(probe.Record, probe.RecordArgs{Conversation: last(k.chats)}))
}

func aboutTurns(k *known) []question {
	list := []question{
		questionOf(probe.Tail, probe.TailArgs{}),
		questionOf(probe.Tail, probe.TailArgs{Limit: 1}),
		questionOf(probe.Tail, probe.TailArgs{After: last(k.answers)}),
		questionOf(probe.Tail, probe.TailArgs{After: last(k.turns)}),
		questionOf(probe.Turn, probe.TurnArgs{MessageID: last(k.answers)}),
		questionOf(probe.Turn, probe.TurnArgs{}),
	}
	for _, id := range few(k.users) {
		list = append(list, questionOf(probe.Tail, probe.TailArgs{After: id, Limit: 3}),
			questionOf(probe.Turn, probe.TurnArgs{MessageID: id}))
	}
	return list
}

func aboutAnswers(k *known) []question {
	var list []question
	ids := append(few(k.answers), last(k.users), last(k.turns), unknown)
	if k.preamble {
		ids = append(ids, last(k.answers)+"-preamble")
	}
	if k.nested && len(k.answers) > 0 {
		ids = append(ids, k.answers[0]+"-a", k.answers[0]+"-b")
	}
	for _, id := range ids {
		list = append(list, questionOf(probe.Text, probe.MessageArgs{MessageID: id}))
	}
	if len(k.answers) > 0 && !k.nested && !k.preamble {
		ids = []string{last(k.answers)}
	}
	for _, id := range ids {
		list = append(list, questionOf(probe.Copy, probe.MessageArgs{MessageID: id}))
	}
	return list
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
		p.askAll([]question{
			questionOf(probe.Record, probe.RecordArgs{Conversation: unknown}),
			questionOf(probe.Record, probe.RecordArgs{Conversation: last(k.chats), After: unknown}),
			questionOf(probe.Record, probe.RecordArgs{Conversation: last(k.chats), After: last(k.users)}),
			questionOf(probe.Record, probe.RecordArgs{
				Conversation: last(k.chats),
				After:        fakesite.RootID,
			}),
			questionOf(probe.Record, probe.RecordArgs{
				Conversation: last(k.chats),
				After:        last(k.chats) + "-system",
			}),
			questionOf(probe.Record, probe.RecordArgs{
				Conversation: last(k.chats),
				After:        last(k.answers),
			}),
			questionOf(probe.Revoke, probe.None{}),
			questionOf(probe.Focus, probe.None{}),
			questionOf(probe.Composer, probe.None{}),
			questionOf(probe.Empty, probe.None{}),
			questionOf(probe.Composer, probe.None{}),
			questionOf(probe.Unfence, probe.None{}),
			questionOf(probe.Revoke, probe.None{}),
		})
	}
}
