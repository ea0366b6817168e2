package oracle

import (
	"strings"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// Kinds of events that have no constant elsewhere.
const (
	kindScript  = "script"
	kindStart   = "start"
	kindKilled  = "killed"
	kindCrashed = "panic"
	kindBlocker = "blocker"
	kindEnd     = "end"
	kindPlan    = "plan"
	kindEdited  = "edited"
	kindLate    = "late-effect"
)

// struck is one fault with its way through the run: the events of its stages, 0 where one is
// missing.
type struck struct {
	text    string // in the form of schedules
	kind    faults.Kind
	armed   int
	reached int
	missed  int // its address was reached and it could not be done there
	applied int
	over    int           // it healed, or it stays for good
	at      time.Duration // when it struck
	last    time.Duration // when it struck or healed: from here on the world is as it stays
}

// takesCache: the fault takes records out of the journal, or all of it.
func (f *struck) takesCache() bool {
	switch f.kind {
	case faults.LoseCache, faults.CorruptCache, faults.StaleCache, faults.DropMemory:
		return true
	}
	return false
}

// indexer fills a Case, event by event.
type indexer struct {
	*Case
	reader  *Reader // for bodies without a reading; made when the first one comes
	request string
	sending *history.Event // the last send
	looked  int            // seq of the last look at an answer's text
	asked   string         // the last call that was no press
	editing bool           // the last event of the site was an edit
	late    int            // seq of the last click that took effect when its session was gone
}

// read gives the reader.
func (in *indexer) read() *Reader {
	if in.reader == nil {
		in.guessed = in.request == ""
		in.reader = NewReader(in.request, in.script.denied())
	}
	return in.reader
}

func (in *indexer) take(e *history.Event) {
	switch e.Lane {
	case history.CDP:
		in.cdp(e)
	case history.Store:
		if e.Kind == "append" && e.Key != "" {
			in.records = append(in.records, record{e.Seq, e.Key, e.Round, e.Text, e.Digest})
		}
	case history.Bridge:
		in.bridge(e)
	case history.Site:
		in.site(e)
	case history.Agent:
		in.agent(e)
	case history.Fault:
		in.fault(e)
	case history.Verdict:
		in.truth(e)
	case history.World:
		in.world(e)
	}
}

func markOf(e *history.Event) mark { return mark{e.Seq, e.At, e.Key, e.Text} }

func (in *indexer) world(e *history.Event) {
	switch e.Kind {
	case kindScript:
		in.script.read(e)
		in.request = e.Body
	case kindStart:
		in.starts = append(in.starts, markOf(e))
	case kindKilled, kindCrashed:
		m := markOf(e)
		m.key = e.Kind
		in.ends = append(in.ends, m)
	case kindBlocker:
		in.blockers = append(in.blockers, markOf(e))
	case kindEnd:
		in.end = markOf(e)
	case kindLate:
		in.late = e.Seq
	case "tab-typed", "tab-sent", "second-client":
		in.person = true
	}
}

func (in *indexer) agent(e *history.Event) {
	t := task{e.Seq, e.At, e.Round, e.Key, e.Digest}
	switch e.Kind {
	case "claim":
		in.claims = append(in.claims, t)
	case "settled":
		in.settled = append(in.settled, t)
	}
}

// deeds of commands and probes. Reading, revoking, navigating and closing are none.
func (in *indexer) cdp(e *history.Event) {
	a := act{seq: e.Seq, op: e.Op, key: e.Key, text: e.Text}
	switch e.Kind {
	case "call":
		a.deed = deedOf(e.Key)
		if a.deed == press {
			a.text = in.asked
		} else {
			in.asked = e.Key
		}
		if looks(e.Key) {
			in.looked = e.Seq
		}
	case "seen":
		a.deed = sight(e.Text)
	case "clicked":
		a.deed, a.text = control, e.Key
	}
	if a.deed != noDeed {
		in.acts = append(in.acts, a)
	}
}

func (in *indexer) bridge(e *history.Event) {
	switch point.NoteKind(e.Kind) {
	case point.NoteOutcome:
		in.ends = append(in.ends, markOf(e))
	case point.NoteVerdict:
		in.verdicts = append(in.verdicts, verdict{
			seq: e.Seq, at: e.At, row: rowOf(e.Key), look: strings.HasPrefix(e.Text, "look"), expected: -1,
		})
	}
}

// rowOf reads a row; "-" and "" stand for none.
func rowOf(key string) int {
	switch {
	case key == "-" || key == "":
		return 0
	case key != "0" && number(key) == 0:
		return -1
	}
	return number(key)
}

func (in *indexer) truth(e *history.Event) {
	if len(in.verdicts) == 0 {
		return
	}
	v := &in.verdicts[len(in.verdicts)-1]
	switch e.Kind {
	case "expected":
		v.expected, v.why, v.seqWorld = rowOf(e.Key), e.Text, e.Seq
	case "false":
		v.lies = append(v.lies, markOf(e))
	}
}

func (in *indexer) fault(e *history.Event) {
	f := in.under(e.Key)
	switch faults.Stage(e.Kind) {
	case faults.Armed:
		f.armed = e.Seq
	case faults.Reached:
		f.reached = e.Seq
	case faults.Missed:
		f.missed = e.Seq
	case faults.Applied:
		f.applied, f.at, f.last = e.Seq, e.At, e.At
		// On a real browser nobody else tells that a person was at work.
		in.person = in.person || f.kind == faults.SecondClient && strings.Contains(f.text, "text=")
	case faults.Healed:
		f.over, f.last = e.Seq, e.At
	case faults.Stays:
		f.over = e.Seq
	}
}

// under is the fault that an event belongs to.
func (in *indexer) under(text string) *struck {
	for i := range in.faults {
		if in.faults[i].text == text {
			return &in.faults[i]
		}
	}
	kind, _, _ := strings.Cut(text, " ")
	in.faults = append(in.faults, struck{text: text, kind: faults.Kind(kind)})
	return &in.faults[len(in.faults)-1]
}

func (in *indexer) site(e *history.Event) {
	edited := in.editing
	in.editing = false
	switch fakesite.EntryKind(e.Kind) {
	case fakesite.Received:
		in.sent(e, received)
	case fakesite.Refused:
		in.sent(e, refused)
	case fakesite.Dropped:
		in.sent(e, dropped)
	case fakesite.Answered:
		in.answered(e)
	case fakesite.Halted:
		if a := in.answerTo(e.Key); a != nil {
			a.ends, a.ended, a.ending = e.At, true, string(fakesite.Stopped)
			if a.plan >= 0 {
				in.plans[a.plan].stopped = true
			}
		}
	case kindEdited:
		in.edited(e)
	case kindPlan:
		in.planned(e, edited)
	}
}

func (in *indexer) sent(e *history.Event, f fate) {
	s := send{seq: e.Seq, at: e.At, id: e.Key, fate: f, answer: -1, looked: in.looked}
	s.late = in.late != 0 && in.late == e.Seq-1
	s.conversation, s.known = s.readSend(e.Text)
	if !s.known && e.Body != "" {
		s.words, s.known = in.read().send(e.Key, e.Body), true
	}
	s.text = plainDigest(e)
	in.sending = e
	in.sends = append(in.sends, s)
}

func (in *indexer) answerTo(id string) *answer {
	for i := len(in.answers) - 1; i >= 0; i-- {
		if in.sends[in.answers[i].send].id == id {
			return &in.answers[i]
		}
	}
	return nil
}

func (in *indexer) answered(e *history.Event) {
	if a := in.answerTo(e.Key); a != nil { // an approval settled its end
		a.ending, a.ends, a.ended, a.known, _ = readEnd(e.Text)
		return
	}
	i := len(in.sends) - 1
	for i >= 0 && (in.sends[i].id != e.Key || in.sends[i].fate != received) {
		i--
	}
	if i < 0 {
		return
	}
	a := answer{seq: e.Seq, send: i, plan: -1}
	var rest string
	a.ending, a.ends, a.ended, a.known, rest = readEnd(e.Text)
	a.read(rest)
	in.sends[i].answer = len(in.answers)
	in.answers = append(in.answers, a)
	if a.what == unread && e.Body != "" {
		in.reread(e)
	}
}

// reread reads an answer from its body and from that of its message.
func (in *indexer) reread(e *history.Event) {
	i := len(in.answers) - 1
	if in.read().message(e.Key) == nil {
		if in.sending.Key != e.Key || in.sending.Body == "" {
			return
		}
		in.reader.send(e.Key, in.sending.Body)
	}
	got := in.reader.answer(e.Key, e.Body)
	in.answers[i].replyWords = got.words
	in.replanned(e, &got, false)
}

// replanned takes the plan of an answer that was read from its body.
func (in *indexer) replanned(e *history.Event, got *reply, edited bool) {
	if got.words.what == validPlan {
		p := got.event(e.At)
		p.Seq, p.Digest = e.Seq, history.DigestOf(p.Body)
		in.planned(&p, edited)
	}
}

// edited takes the text that the record holds from now on.
func (in *indexer) edited(e *history.Event) {
	a := in.answerTo(e.Key)
	if a == nil {
		return
	}
	d := edit{seq: e.Seq, answer: in.sends[a.send].answer, plan: -1}
	d.read(e.Text)
	again := d.what == unread && e.Body != "" && in.read().message(e.Key) != nil
	var got reply
	if again {
		got = in.reader.answer(e.Key, e.Body)
		d.replyWords = got.words
	}
	in.edits, in.editing = append(in.edits, d), true
	if again {
		in.replanned(e, &got, true)
	}
}

func (in *indexer) planned(e *history.Event, edited bool) {
	p := plan{seq: e.Seq, key: e.Key, round: e.Round, digest: e.Digest, answer: -1}
	decision, text, _ := strings.Cut(e.Text, " ")
	p.decision = wire.Decision(decision)
	for word := ""; text != ""; {
		word, text, _ = strings.Cut(text, " ")
		switch name, value, _ := strings.Cut(word, "="); name {
		case "effects":
			p.effects = true
		case "needs":
			p.needs = value
		}
	}
	switch n, k := len(in.answers)-1, len(in.edits)-1; {
	case edited && k >= 0 && in.edits[k].plan < 0 && in.edits[k].what == validPlan:
		in.edits[k].plan, p.answer = len(in.plans), in.edits[k].answer
	case edited || n < 0:
	case in.answers[n].plan < 0 && in.answers[n].what == validPlan:
		in.answers[n].plan, p.answer = len(in.plans), n
		p.stopped = in.answers[n].ending == string(fakesite.Failed)
	}
	in.plans = append(in.plans, p)
}

// finished tells whether an answer had come to an end at a moment.
func (a *answer) finished(at time.Duration) bool { return a.ended && a.ends <= at }
