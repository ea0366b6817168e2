package fakesite

import (
	"strconv"
	"strings"
)

// persona is the model behind one conversation. It knows what was said in that conversation and
// nothing else: no ledger, no session of a bridge, no other chat. Whatever it believes can be built
// anew from the messages (reread), so a record that was edited changes its mind like a person's.
type persona struct {
	known                      bool // a HELLO was read
	sid, hv, cv, cap, qid, req string
	round                      int // the last round that it answered
	agreed                     int // NEXT of the last RESUME, 0 = none
	settled                    int // plans[:settled] are behind the last p or CK that it was told
	plans                      []plan
	frame                      frame // of the round that it answered last

	handshakes, resumes, tries int // answers given: to HELLO and RESYNC, to RESUME, in this round
}

// plan is one PLAN that the persona wrote.
type plan struct {
	round int
	reply *Message
	valid bool // it was not written with a fault on purpose
	key   string
	keyed bool
}

// choice is what the persona answers with.
type choice struct {
	part  Part   // "" = prose
	prose string // then
	move  Move
	final bool // the default decision is done
	frame frame
	ack   reading // the values that an acknowledgement holds
	req   string  // the features that it holds
}

// Prose that a model writes when a message is no work for it.
const (
	proseChat     = "你好！请告诉我你想完成什么，我会尽力帮忙。"
	proseContract = "我在这段对话里没有看到这个会话的约定，无法按它作答。请先把完整的握手内容（含 CONTRACT）发给我。"
	proseNoRound  = "这一会话还没有任何一轮方案，没有可以更正的内容。请先发送一轮任务。"
	proseForgot   = "好的，我来看看这个问题。总体思路是先梳理现状，再逐步修改并验证；需要我展开哪一部分？"
	proseRefuse   = "抱歉，我无法确认要从哪一轮继续，请说明现在的情况。"
)

func say(prose string) choice { return choice{prose: prose} }

// decide reads one message, takes over what it says, and chooses the answer:
//
//	no header             prose
//	HELLO, RESYNC         HS with the offered values
//	ROUND                 PLAN with that FRAME; where s, r, p or q cannot be right, with the FRAME
//	                      that the persona holds for right, field by field
//	REPAIR                the same round again, with the FRAME that it had
//	RESUME                HS with CK and NEXT as offered; with its own where they cannot be right
//	another or no session prose that asks for the contract
func (p *persona) decide(s *Script, r reading) choice {
	switch r.kind {
	case "":
		return say(proseChat)
	case kindHello, kindResync:
		return p.greet(s, r)
	case kindResume:
		return p.resume(s, r)
	}
	if !p.known || r.frame.s != p.sid {
		return say(proseContract)
	}
	if r.kind == kindRound {
		p.enter(r.frame)
	} else if p.round == 0 {
		return say(proseNoRound)
	}
	move, final := s.move(p.frame.r, p.tries)
	p.tries++
	c := choice{part: PartPlan, move: move, final: final, frame: p.frame}
	if move.Deviate == PlanAck {
		c.ack, c.req = p.identity(), p.req
	}
	return c
}

// greet takes over a declaration. The same sid keeps the rounds (RESYNC: "same conversation, same
// checkpoint"); another one begins a new session.
func (p *persona) greet(s *Script, r reading) choice {
	if r.sid == "" {
		return say(proseContract)
	}
	if r.sid != p.sid {
		*p = persona{handshakes: p.handshakes, resumes: p.resumes}
	}
	p.known, p.sid, p.hv, p.cv, p.cap = true, r.sid, r.hv, r.cv, r.cap
	p.qid, p.req = r.qid, r.req
	move := pick(s.Handshake, p.handshakes)
	p.handshakes++
	return choice{part: PartAck, move: move, ack: p.identity(), req: p.req, frame: p.expected()}
}

func (p *persona) identity() reading {
	return reading{sid: p.sid, hv: p.hv, cv: p.cv, cap: p.cap}
}

func (p *persona) resume(s *Script, r reading) choice {
	if !p.known || r.sid != p.sid {
		return say(proseContract)
	}
	move := pick(s.Resume, p.resumes)
	p.resumes++
	c := choice{part: PartResume, move: move, ack: p.identity(), frame: p.expected()}
	next, plausible := p.plausible(r)
	if !plausible {
		c.ack.ck, c.ack.next = p.checkpoint(), strconv.Itoa(p.expected().r)
		p.agreed = p.expected().r
		return c
	}
	c.ack.ck, c.ack.next = r.ck, r.next
	p.agreed = next
	return c
}

// plausible reports whether CK and NEXT of a RESUME can be right: CK is 0:- or the last plan of a
// round, not before an earlier p or CK; NEXT is CK+1 or a later round, at most one behind the next
// (its ROUND may have been lost).
func (p *persona) plausible(r reading) (next int, ok bool) {
	word, key, _ := strings.Cut(r.ck, ":")
	round, err := strconv.Atoi(word)
	if err != nil {
		return 0, false
	}
	i := -1
	if round != 0 || key != "-" {
		if i = p.find(key, round+1); i < 0 || p.plans[i].round != round {
			return 0, false
		}
	}
	next, err = strconv.Atoi(r.next)
	if err != nil || i+1 < p.settled || next <= round || next > max(p.round+1, p.agreed)+1 {
		return 0, false
	}
	p.settled = i + 1
	return next, true
}

// checkpoint is the CK that the persona holds for right: the last p or CK that it was told.
func (p *persona) checkpoint() string {
	if p.settled == 0 {
		return "0:-"
	}
	last := &p.plans[p.settled-1]
	return strconv.Itoa(last.round) + ":" + last.name()
}

// expected is the FRAME that the persona holds for the next one.
func (p *persona) expected() frame {
	f := frame{s: p.sid, r: max(p.round+1, p.agreed), p: "-", q: p.qid}
	for i := len(p.plans) - 1; i >= 0; i-- {
		if key := p.plans[i].name(); key != "" && p.plans[i].valid {
			f.p = key
			break
		}
	}
	return f
}

// enter begins the round of a ROUND's FRAME, each value checked. r is the next round or the one
// agreed in a RESUME; p is "-" while no plan is settled, or a plan that can be the last settled
// one.
func (p *persona) enter(f frame) {
	rightRound := f.r > p.round && (f.r == p.round+1 || f.r == p.agreed)
	i, rightPrev := p.prev(f)
	if !rightRound || !rightPrev || f.q != p.qid {
		own := p.expected()
		if !rightRound {
			f.r = own.r
		}
		if !rightPrev {
			f.p = own.p
		}
		f.q = own.q
	}
	if rightPrev {
		p.settled = i + 1
	}
	p.frame, p.round, p.agreed, p.tries = f, f.r, 0, 0
}

// prev is the plan that p names; -1 for "-".
func (p *persona) prev(f frame) (int, bool) {
	if f.p == "-" {
		return -1, p.settled == 0
	}
	i := p.find(f.p, p.round+1)
	return i, i >= 0 && i+1 >= p.settled
}

// find is the newest plan with this key before a round; of a repaired round only the last valid
// plan counts. -1 when there is none.
func (p *persona) find(key string, before int) int {
	if key == "" {
		return -1
	}
	round := 0
	for i := len(p.plans) - 1; i >= 0; i-- {
		w := &p.plans[i]
		if !w.valid || w.round >= before || w.round == round || w.name() == "" {
			continue
		}
		round = w.round
		if w.name() == key {
			return i
		}
	}
	return -1
}

// name is the plan's key, made when it is first asked for.
func (w *plan) name() string {
	if !w.keyed {
		w.key, w.keyed = planKey(w.reply.Text), true
	}
	return w.key
}

// wrote remembers an answer.
func (p *persona) wrote(c *choice, reply *Message) {
	if c.part != PartPlan {
		return
	}
	if p.plans == nil {
		p.plans = make([]plan, 0, 4)
	}
	p.plans = append(p.plans, plan{
		round: c.frame.r, reply: reply, valid: c.move.Deviate.harmless(),
	})
}

// reread builds everything that the persona believes from the messages as they are now.
func (p *persona) reread(s *Script, messages []*Message) {
	*p = persona{}
	for i, m := range messages {
		if m.Role != User {
			continue
		}
		c := p.decide(s, readMessage(m.Text))
		if i+1 < len(messages) && messages[i+1].Role == Assistant {
			p.wrote(&c, messages[i+1])
		}
	}
}
