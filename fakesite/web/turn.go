package web

import (
	"math"
	"time"

	"bridgesim/fakesite"
)

// turn is one turn as a document shows it.
type turn struct {
	Key      string   `json:"key"` // data-turn-id
	N        int      `json:"n"`   // ordinal in the whole conversation, from 1
	Role     string   `json:"role"`
	ID       string   `json:"id"` // data-message-id
	Text     string   `json:"text"`
	State    string   `json:"state"`             // of an answer: see fakesite.AnswerState
	Model    string   `json:"model,omitempty"`   // slug, from the first byte of the answer on
	Thought  int      `json:"thought,omitempty"` // seconds, once text stands
	Preamble string   `json:"preamble,omitempty"`
	Bar      bool     `json:"bar,omitempty"`
	Error    string   `json:"error,omitempty"`
	More     bool     `json:"more,omitempty"` // "Continue generating"
	Now      bool     `json:"now,omitempty"`  // "Answer now"
	Other    string   `json:"other,omitempty"`
	Choose   bool     `json:"choose,omitempty"` // two responses stand and none was chosen
	Nested   []string `json:"nested,omitempty"` // further message ids of this turn
	HTML     bool     `json:"html,omitempty"`   // of a user turn
	Notice   bool     `json:"notice,omitempty"`
	Copy     string   `json:"copy,omitempty"`  // "", "broken" or "stale"
	Stale    string   `json:"stale,omitempty"` // what a stale copy button writes

	message *fakesite.Message
}

const (
	modelSlug = "gpt-5-5-thinking"
	// canvasRemark is what the turn says when the text stands in a side panel.
	canvasRemark = "I put the text into a document beside this chat."
	// slowMount is the time between two turns with Options.MountSlow.
	slowMount = 250 * time.Millisecond
)

// visible lists all turns of the conversation as far as d shows them, oldest first.
func (s *Server) visible(d *document, c *fakesite.Conversation, h *horizon) []turn {
	hidden := map[string]bool{}
	for _, p := range d.sends {
		if p.blind || !s.committed(p, h) {
			hidden[p.messageID] = true
		}
	}
	var out []turn
	if c != nil {
		for i, m := range c.Messages {
			if !hidden[m.ID] && (m.Role == fakesite.User || !hidden[m.Parent]) {
				out = append(out, s.turn(m, i == len(c.Messages)-1, h))
			}
		}
	}
	for _, p := range d.sends {
		if p.ghost && !hidden[p.messageID] {
			out = append(out, ghostTurns(p)...)
		}
	}
	s.finishTurns(out)
	return out
}

// ghostTurns are what a dropped message shows in its own document: user turn and empty answer.
func ghostTurns(p sent) []turn {
	return []turn{
		{Key: p.messageID, Role: string(fakesite.User), ID: p.messageID, Text: p.text},
		{
			Key: "request-" + p.messageID, Role: string(fakesite.Assistant), ID: p.messageID + "-answer",
			State: string(fakesite.Waiting),
		},
	}
}

// finishTurns fills what needs the neighbours.
func (s *Server) finishTurns(turns []turn) {
	o, before := s.site.Options(), ""
	for i := range turns {
		t := &turns[i]
		t.N = i + 1
		if t.Role != string(fakesite.Assistant) {
			continue
		}
		if o.CopyBroken {
			t.Copy = "broken"
		} else if o.CopyStale {
			t.Copy, t.Stale = "stale", before
		}
		if o.Nested && i < len(turns)-1 {
			t.Nested = []string{t.ID + "-a", t.ID + "-b"}
		}
		before = t.Text
	}
}

func (s *Server) turn(m *fakesite.Message, last bool, h *horizon) turn {
	t := turn{Key: m.TurnID, Role: string(m.Role), ID: m.ID, message: m}
	if m.Role == fakesite.User {
		o := s.site.Options()
		t.Text, t.HTML, t.Notice = m.Text, o.UserHTML, o.UserNotice
		return t
	}
	s.answer(&t, m, last, h)
	return t
}

// answer fills an assistant turn: a function of the message, the clock and the options.
func (s *Server) answer(t *turn, m *fakesite.Message, last bool, h *horizon) {
	p, o := m.At(h.now), s.site.Options()
	h.add(p.Next)
	t.State, t.Text = string(p.State), m.Text[:p.Shown]
	if o.Canvas && t.Text != "" {
		t.Text = canvasRemark
	}
	if p.State == fakesite.Waiting {
		return
	}
	t.Model, t.Preamble = modelSlug, m.Preamble
	if p.Shown > 0 {
		t.Thought = int(math.Round(m.Course.TextFrom().Sub(m.Course.Begins()).Seconds()))
	}
	t.Now = o.AnswerNow && p.State == fakesite.Thinking
	if p.State == fakesite.Failed {
		t.Error = somethingWrong
	}
	s.answerEnd(t, m, p, h)
}

// answerEnd fills the marks of the end.
func (s *Server) answerEnd(t *turn, m *fakesite.Message, p fakesite.Progress, h *horizon) {
	o := s.site.Options()
	if !p.State.Ended() {
		t.Bar = o.EarlyBar && !o.NoBar && firstPiece(m, p)
		return
	}
	if p.State == fakesite.Failed {
		return
	}
	if m.Alternative != "" && p.State == fakesite.Complete {
		t.Choose = s.choices[m.ID] == 0
		t.Other = m.Alternative
		if s.choices[m.ID] == 2 {
			t.Text, t.Other = t.Other, t.Text
		}
	}
	t.More = m.Truncated && p.State == fakesite.Complete
	t.Bar = due(m.Course.Ends(), s.site.Timing().Bar, h) && !o.NoBar && !t.Choose
}

// firstPiece reports whether exactly the first piece of text stands.
func firstPiece(m *fakesite.Message, p fakesite.Progress) bool {
	return p.State == fakesite.Streaming &&
		p.Shown == m.Course.At(m.Text, m.Course.TextFrom()).Shown
}

// lookAtRun fills what depends on the newest answer: stop button, send button, notices, panel.
func (s *Server) lookAtRun(v *view, turns []turn, h *horizon) {
	if len(turns) == 0 || turns[len(turns)-1].message == nil {
		return
	}
	t := turns[len(turns)-1]
	m, o := t.message, s.site.Options()
	if m.Role == fakesite.User {
		return
	}
	p := m.At(h.now)
	v.Send.Disabled = v.Send.Disabled || t.Choose || !p.State.Ended() ||
		!due(m.Course.Ends(), s.site.Timing().Reenable, h)
	if o.Canvas && p.Shown > 0 {
		v.Canvas = m.Text[:p.Shown]
	}
	if p.State.Ended() {
		return
	}
	v.Stream = m.Parent
	v.Stop = !o.NoStop && !flickers(o, m, p)
	v.Deferral = o.Deferral && p.State == fakesite.Thinking
	v.Approval = o.ToolApproval && m.Course.AwaitsApproval()
}

// flickers reports whether the stop button is away for the moment: with StopFlicker at every piece
// that ends on an odd byte, with EarlyBar while the bar flashes.
func flickers(o *fakesite.Options, m *fakesite.Message, p fakesite.Progress) bool {
	return o.StopFlicker && p.State == fakesite.Streaming && p.Shown%2 == 1 ||
		o.EarlyBar && firstPiece(m, p)
}

// mount cuts the turns to the mounted window; the others leave shells.
func (s *Server) mount(
	d *document,
	turns []turn,
	h *horizon,
) (mounted []turn, before, after []string) {
	size := s.site.Options().MountedTurns()
	if size < 0 || size > len(turns) {
		size = len(turns)
	}
	d.back = min(max(d.back, 0), len(turns)-size)
	end := len(turns) - d.back
	before, after = keys(turns[:end-size]), keys(turns[end:])
	mounted = turns[end-size : end]
	if s.site.Options().MountSlow {
		mounted = s.mountSlow(d, mounted, h)
	}
	return mounted, before, after
}

// mountSlow lets the turns of the window come one by one, the oldest first.
func (s *Server) mountSlow(d *document, turns []turn, h *horizon) []turn {
	for i := range turns {
		if !due(s.hydrated(d), time.Duration(i+1)*slowMount, h) {
			return turns[:i]
		}
	}
	return turns
}

func keys(turns []turn) []string {
	var out []string
	for _, t := range turns {
		out = append(out, t.Key)
	}
	return out
}
