package virtual

import (
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

const (
	somethingWrong = "Something went wrong. If this issue persists please contact us through " +
		"our help center at help.openai.com."
	canvasRemark = "I put the text into a document beside this chat."
)

// look is what a document shows of one answer.
type look struct {
	state  fakesite.AnswerState
	text   string // markdown as the site wrote it, as far as it stands
	bar    bool
	failed bool
	more   bool // "Continue generating" stands there
}

// lookAt computes an answer's looks; t is an assistant's turn.
func (d *document) lookAt(t *turn) look {
	if t.m == nil {
		return look{state: fakesite.Waiting}
	}
	m, o, now := t.m, d.b.site.Options(), d.now()
	p := m.At(now)
	l := look{state: p.State, text: m.Text[:p.Shown]}
	if o.Canvas && l.text != "" {
		l.text = canvasRemark
	}
	switch {
	case p.State == fakesite.Failed:
		l.failed = true
	case !p.State.Ended():
		l.bar = o.EarlyBar && !o.NoBar && firstPiece(m, p)
	default:
		l.more = m.Truncated && p.State == fakesite.Complete
		shown := !now.Before(m.Course.Ends().Add(d.b.site.Timing().Bar))
		choosing := d.choosing(m, p.State)
		l.bar = shown && !o.NoBar && !choosing
		if m.Alternative != "" && p.State == fakesite.Complete && d.b.choices[m.ID] == 2 {
			l.text = m.Alternative
		}
	}
	return l
}

func (d *document) turnState(a probe.TurnArgs) probe.TurnState {
	what, _ := d.blocker()
	s := probe.TurnState{
		State: probe.AnswerUnmounted, Stop: d.stopShown(), Conversation: d.conversationID(),
		Blocker: what,
	}
	turns := d.mounted()
	i, _ := d.find(turns, a.MessageID)
	if i < 0 || turns[i].role != fakesite.User {
		return s
	}
	s.State = probe.AnswerAbsent
	// The answer is the last assistant's turn before the next one of the user.
	last := i
	for last+1 < len(turns) && turns[last+1].role == fakesite.Assistant {
		last++
	}
	if last > i {
		d.describe(&s, &turns[last])
	}
	return s
}

// describe fills in what stands of the answer, and sorts it into a state as turns.js does.
func (d *document) describe(s *probe.TurnState, t *turn) {
	l := d.lookAt(t)
	s.MessageID, s.Bar, s.Truncated = t.id(), l.bar, l.more
	if l.text != "" {
		s.Length = d.b.shown.of(l.text, d.cm()).count
	}
	if l.failed {
		s.Error, s.Retry = somethingWrong, true
	}
	switch {
	case l.failed && !s.Stop:
		s.State = probe.AnswerError
	case s.Length == 0 && l.state == fakesite.Thinking:
		s.State = probe.AnswerThinking
	case s.Length == 0:
		s.State = probe.AnswerPlaceholder
	case l.state == fakesite.Thinking || s.Stop || !l.bar:
		s.State = probe.AnswerStreaming
	default:
		s.State = probe.AnswerFinished
	}
}

// cm: code stands in the newer viewer.
func (d *document) cm() bool { return d.b.site.Options().CodeView == "cm" }

// foundAnswer is a mounted answer, or another message in the turn of one.
type foundAnswer struct {
	turn *turn
	look look
	text string // of that message
}

// answerOf finds a mounted answer by a message or turn id.
func (d *document) answerOf(id string) (foundAnswer, bool) {
	turns := d.mounted()
	i, part := d.find(turns, id)
	if i < 0 || turns[i].role == fakesite.User {
		return foundAnswer{}, false
	}
	f := foundAnswer{turn: &turns[i], look: d.lookAt(&turns[i])}
	switch part {
	case preamble:
		f.text = f.turn.m.Preamble
	case nestedCall:
		f.text = "Calling a tool."
	case nestedResult:
		f.text = "Tool result received."
	default:
		f.text = f.look.text
	}
	return f, true
}

func (d *document) textState(a probe.MessageArgs) probe.TextState {
	f, ok := d.answerOf(a.MessageID)
	if !ok {
		return probe.TextState{}
	}
	return probe.TextState{Found: true, Text: d.b.shown.of(f.text, d.cm()).text, Bar: f.look.bar}
}

// copy presses the copy button of each code block.
func (d *document) copy(a probe.MessageArgs) probe.CopyState {
	f, ok := d.answerOf(a.MessageID)
	s := probe.CopyState{Found: ok, Blocks: []string{}}
	if !ok {
		return s
	}
	o := d.b.site.Options()
	codes := d.codes(f.text, s.Blocks)
	if o.CopyBroken {
		s.Failed = len(codes)
		return s
	}
	if o.CopyStale {
		stale := d.staleCode(f.turn.m)
		for k := range codes {
			codes[k] = stale
		}
	}
	s.Blocks = codes
	return s
}

// codes appends the text of each code block of an answer.
func (d *document) codes(text string, dst []string) []string {
	return codesOf(d.b.shown.of(text, d.cm()).blocks, dst)
}

// staleCode is what a stale button writes: the first code of the answer before, or all of it.
func (d *document) staleCode(m *fakesite.Message) string {
	all := d.visible()
	before := -1
	for i := range all {
		if all[i].m == m {
			break
		}
		if all[i].role == fakesite.Assistant {
			before = i
		}
	}
	if before < 0 {
		return ""
	}
	text := d.lookAt(&all[before]).text
	if codes := d.codes(text, nil); len(codes) > 0 {
		return codes[0]
	}
	return text
}
