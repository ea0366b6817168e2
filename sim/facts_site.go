package sim

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/truth"
)

// scene is the other side at one moment: its ledger, which nobody can change, and its record, which
// faults can.
type scene struct {
	now  time.Time
	site *fakesite.Site

	got  []received // messages of ours that the site took, in order
	chat *fakesite.Conversation
}

// received is one message of ours in the site's ledger, with the answer to it.
type received struct {
	wire.Message
	id     string
	at     time.Time
	answer *fakesite.Entry
	ended  fakesite.AnswerState // "" while it is being written
}

// sceneOf reads the ledger.
func sceneOf(now time.Time, s *fakesite.Site) scene {
	sc := scene{now: now, site: s}
	taken := s.Ledger().Received()
	sc.got = make([]received, 0, len(taken))
	for _, e := range taken {
		m, err := wire.ParseMessage(e.Text)
		if err != nil {
			continue
		}
		r := received{Message: m, id: e.MessageID, at: e.At, answer: s.Ledger().Answer(e.MessageID)}
		r.ended = sc.ending(&r)
		sc.got = append(sc.got, r)
		sc.chat = s.Find(e.Conversation)
	}
	return sc
}

// id is that of the conversation, "" before the site took a message of ours.
func (sc *scene) id() string {
	if sc.chat == nil {
		return ""
	}
	return sc.chat.ID
}

// ending is how an answer has ended by now, "" while it has not.
func (sc *scene) ending(r *received) fakesite.AnswerState {
	if r.answer == nil {
		return ""
	}
	for _, e := range sc.site.Ledger().Entries() {
		if e.Kind == fakesite.Halted && e.AnswerID == r.answer.AnswerID {
			return fakesite.Stopped
		}
	}
	if r.answer.Ends.IsZero() || r.answer.Ends.After(sc.now) {
		return ""
	}
	return r.answer.Ending
}

// edited logs every answer that the record holds in other words than the history says so far.
func (x *witness) edited() {
	x.w.stage.Site(func(_ time.Time, s *fakesite.Site) {
		for _, e := range s.Ledger().Answers() {
			c := s.Find(e.Conversation)
			if c == nil {
				continue
			}
			m := c.Message(e.AnswerID)
			if m == nil || m.Text == x.stands(s, e) {
				continue
			}
			if x.texts == nil {
				x.texts = map[string]string{}
			}
			x.texts[e.AnswerID] = m.Text
			x.w.trace.edited(e.MessageID, m.Text)
		}
	})
}

// stands is an answer as the history knows it: edited, stopped, or as it was written.
func (x *witness) stands(s *fakesite.Site, answer *fakesite.Entry) string {
	if text, ok := x.texts[answer.AnswerID]; ok {
		return text
	}
	for _, e := range s.Ledger().Entries() {
		if e.Kind == fakesite.Halted && e.AnswerID == answer.AnswerID {
			return e.Text
		}
	}
	return answer.Text
}

// whole: the answer came to its end.
func (r *received) whole() bool { return r.ended == fakesite.Complete }

// last is the last message of ours that the site took, nil without.
func (sc *scene) last() *received {
	if len(sc.got) == 0 {
		return nil
	}
	return &sc.got[len(sc.got)-1]
}

// recorded: the record still holds the last message that the site took.
func (sc *scene) recorded() bool {
	r := sc.last()
	return r != nil && sc.chat != nil && sc.chat.Message(r.id) != nil
}

// turn is how far the turn of a message is. shown says that pi has read of its end and not yet
// taken its answer: then a message that is taken out of the record is a finished one that nobody
// can read.
func (sc *scene) turn(out outgoing, shown bool) truth.Turn {
	r := sc.last()
	switch {
	case out.kind == "" && r == nil:
		return truth.NoMessage
	case r == nil, out.kind != "" && !r.is(out):
		return truth.NotTaken
	case !sc.recorded() && !(shown && r.whole()):
		return truth.NotTaken // it was taken, and the record does not hold it any more
	case r.ended == "":
		return truth.Running
	case !r.whole():
		return truth.EndedWithout
	}
	if m := sc.chat.AnswerTo(r.id); m != nil && m.Truncated {
		return truth.EndedWithout
	}
	return truth.Finished
}

// is tells whether the site took this very message.
func (r *received) is(out outgoing) bool {
	if r.Kind != out.kind || r.at.Before(out.at) {
		return false
	}
	switch r.Kind {
	case wire.KindRound, wire.KindRepair:
		return r.Frame.Round == out.round
	case wire.KindResume:
		return r.CK == out.ck && r.Next == out.next
	}
	return true
}

// valid holds the answer to HELLO, RESYNC or RESUME against the gate.
func (r *received) valid() bool {
	if !r.whole() {
		return false
	}
	var failed []wire.Failure
	if r.Kind == wire.KindResume {
		_, failed = wire.GateResume(offerOf(r.Message), r.CK, r.Next, r.answer.Text)
	} else {
		_, failed = wire.Gate(offerOf(r.Message), r.answer.Text)
	}
	return len(failed) == 0
}

// greeting is the last HELLO or RESYNC, nil without.
func (sc *scene) greeting() *received {
	for i := len(sc.got) - 1; i >= 0; i-- {
		if k := sc.got[i].Kind; k == wire.KindHello || k == wire.KindResync {
			return &sc.got[i]
		}
	}
	return nil
}

// plan is the last valid plan of the last round, nil while there is none.
func (sc *scene) plan() *wire.Plan {
	round := 0
	for i := len(sc.got) - 1; i >= 0; i-- {
		r := &sc.got[i]
		if r.Kind != wire.KindRound && r.Kind != wire.KindRepair {
			continue
		}
		if round == 0 {
			round = r.Frame.Round
		}
		if r.Frame.Round != round {
			return nil
		}
		if r.whole() {
			if p, wrong := wire.CheckPlan(r.answer.Text, r.Frame); len(wrong) == 0 {
				return &p
			}
		}
	}
	return nil
}

// readable: a reader of the record gets it now.
func (sc *scene) readable() bool {
	o := sc.site.Options()
	switch sc.site.Blocked() {
	case fakesite.BlockCaptcha, fakesite.BlockRate:
		return false
	}
	return sc.site.Account().LoggedIn && !o.RecordEmpty &&
		(o.RecordStatus == 0 || o.RecordStatus == http.StatusOK)
}

// unread: neither the record nor two agreeing sources of the page give the last answer whole, or a
// page that has it whole contradicts the record. record says that pi could read it: it knows the
// conversation's id, and its last reading was no failure.
func (sc *scene) unread(record bool) bool {
	r := sc.last()
	if r == nil {
		return false
	}
	o := sc.site.Options()
	page := !o.NoBar && !o.Canvas && sc.site.Blocked() != fakesite.BlockCaptcha &&
		!sc.now.Before(r.answer.Ends.Add(sc.site.Timing().Bar))
	one := len(wire.Blocks(r.answer.Text)) == 1
	if record && sc.readable() {
		speaks := page || !o.CopyBroken && one
		return speaks && o.RecordedText(r.answer.Text) != r.answer.Text
	}
	return !page || o.CopyBroken || o.CopyStale || !one
}

// chain is a conversation's record, followed link by link (readings 17).
type chain struct {
	sid    string
	hello  bool
	acked  bool // the last HELLO or RESYNC, validly
	round  int
	ck     int
	frame  wire.Frame
	plans  []planAt
	broken string // why it is no single history; "" = it is one
}

type planAt struct {
	round int
	key   string
}

// chain follows the record as it is now.
func (sc *scene) chain() chain {
	var k chain
	if sc.chat == nil {
		return k
	}
	for _, m := range sc.chat.Messages {
		if m.Role != fakesite.User {
			continue
		}
		msg, err := wire.ParseMessage(m.Text)
		switch {
		case errors.Is(err, wire.ErrNotOurs):
			continue
		case err != nil:
			k.broken = "a message of ours cannot be read"
		default:
			reply := ""
			if a := sc.chat.AnswerTo(m.ID); a != nil && a.At(sc.now).State == fakesite.Complete {
				reply = a.Text
			}
			k.link(&msg, reply)
		}
		if k.broken != "" {
			return k
		}
	}
	return k
}

func (k *chain) link(m *wire.Message, reply string) {
	if k.sid == "" {
		k.sid = m.SID
	}
	if m.SID != k.sid {
		k.broken = "another sid"
		return
	}
	switch m.Kind {
	case wire.KindHello, wire.KindResync:
		if m.Kind == wire.KindHello && (k.hello || k.round > 0) {
			k.broken = "a second HELLO"
		}
		k.hello = k.hello || m.Kind == wire.KindHello
		_, failed := wire.Gate(offerOf(*m), reply)
		k.acked = len(failed) == 0
	case wire.KindRound:
		k.next(m.Frame, reply)
	case wire.KindRepair:
		if m.Frame != k.frame {
			k.broken = "a REPAIR of another FRAME"
		}
		k.wrote(m.Frame, reply)
	case wire.KindResume:
		if m.CK.Round > k.round {
			k.broken = "a RESUME at a round that was not sent"
		}
		k.ck = max(k.ck, m.CK.Round)
	}
}

func (k *chain) next(f wire.Frame, reply string) {
	middle := k.round == 0 && !k.hello // it begins in the middle
	ck, known := 0, f.Prev == wire.NoPlan
	for _, p := range k.plans {
		if p.key == f.Prev {
			ck, known = p.round, true
		}
	}
	if middle && !known {
		ck, known = f.Round-1, true
	}
	switch {
	case f.Round <= k.round:
		k.broken = fmt.Sprintf("round %d after round %d", f.Round, k.round)
	case f.Round != k.round+1 && !middle:
		k.broken = fmt.Sprintf("a jump from round %d to %d", k.round, f.Round)
	case !known || ck < k.ck:
		k.broken = fmt.Sprintf("p=%s of round %d", f.Prev, f.Round)
	}
	k.round, k.ck, k.frame = f.Round, ck, f
	k.wrote(f, reply)
}

func (k *chain) wrote(f wire.Frame, reply string) {
	p, wrong := wire.CheckPlan(reply, f)
	if len(wrong) > 0 {
		return
	}
	if n := len(k.plans); n > 0 && k.plans[n-1].round == f.Round {
		k.plans = k.plans[:n-1]
	}
	k.plans = append(k.plans, planAt{f.Round, p.Key})
}
