package virtual

import (
	"strings"
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// turn is one turn as a document shows it: a message of the record, or half of a ghost, the
// exchange that a dropped message leaves in its own document.
type turn struct {
	m     *fakesite.Message
	ghost *sent
	role  fakesite.Role
}

func (t *turn) id() string {
	switch {
	case t.m != nil:
		return t.m.ID
	case t.role == fakesite.User:
		return t.ghost.messageID
	}
	return t.ghost.messageID + "-answer"
}

// key is the turn's own id in the document; the family "li" has none.
func (t *turn) key(family string) string {
	switch {
	case family == "li":
		return ""
	case t.m != nil:
		return t.m.TurnID
	case t.role == fakesite.User:
		return t.ghost.messageID
	}
	return "request-" + t.ghost.messageID
}

// slowMount is the time between two turns with Options.MountSlow.
const slowMount = 250 * time.Millisecond

// visible lists all turns as far as this document shows them, oldest first, whether mounted or not.
// The slice is valid until the next call.
func (d *document) visible() []turn {
	out := d.b.scratch[:0]
	if !d.hydrated() {
		return out
	}
	if c := d.chat(); c != nil && (!d.guest || !d.blocked().LoggedOut()) {
		waits := d.waits()
		for _, m := range c.Messages {
			if !waits || !d.hides(m) {
				out = append(out, turn{m: m, role: m.Role})
			}
		}
	}
	for i := range d.sends {
		if s := &d.sends[i]; s.ghost && s.cleared {
			out = append(out, turn{ghost: s, role: fakesite.User}, turn{ghost: s, role: fakesite.Assistant})
		}
	}
	d.b.scratch = out
	return out
}

// newest is the message of the newest turn of visible, found from the end; nil when there is none,
// or when it is a ghost's.
func (d *document) newest() *fakesite.Message {
	c := d.chat()
	if !d.hydrated() || c == nil || d.guest && d.blocked().LoggedOut() {
		return nil
	}
	waits := false
	for i := range d.sends {
		s := &d.sends[i]
		if s.ghost && s.cleared {
			return nil
		}
		waits = waits || !s.cleared
	}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if m := c.Messages[i]; !waits || !d.hides(m) {
			return m
		}
	}
	return nil
}

// waits: a send of this document does not stand in it yet.
func (d *document) waits() bool {
	for i := len(d.sends) - 1; i >= 0; i-- {
		if !d.sends[i].cleared {
			return true
		}
	}
	return false
}

// hides: the message belongs to a send that this document does not show, or not yet.
func (d *document) hides(m *fakesite.Message) bool {
	for i := range d.sends {
		s := &d.sends[i]
		if !s.cleared && (s.messageID == m.ID || m.Role == fakesite.Assistant &&
			s.messageID == m.Parent) {
			return true
		}
	}
	return false
}

// mounted cuts the turns to the window that is in the document.
func (d *document) mounted() []turn {
	all := d.window(d.visible())
	if !d.b.site.Options().MountSlow {
		return all
	}
	since := d.now().Sub(d.ready)
	return all[:max(0, min(len(all), int(since/slowMount)))]
}

// Messages that stand in a turn beside the answer, by what their ids end in.
const (
	preamble     = "-preamble"
	nestedCall   = "-a"
	nestedResult = "-b"
)

// find is the index of the mounted turn with this message or turn id, -1 without one, and which
// other message of the turn it is; "" for the turn's own.
func (d *document) find(turns []turn, id string) (i int, part string) {
	if id == "" {
		return -1, ""
	}
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].id() == id {
			return i, ""
		}
	}
	o := d.b.site.Options()
	for i := range turns {
		if turns[i].key(o.Family) == id {
			return i, ""
		}
	}
	if o.Family == "li" || o.Family == "b" { // only turns have ids there
		return -1, ""
	}
	for i := range turns {
		if part := d.partOf(&turns[i], id, o); part != "" {
			return i, part
		}
	}
	return -1, ""
}

// partOf tells which other message of an answer's turn the id names, if that one stands there.
func (d *document) partOf(t *turn, id string, o *fakesite.Options) string {
	part, ours := strings.CutPrefix(id, t.id())
	if !ours || t.m == nil || t.role == fakesite.User {
		return ""
	}
	switch part {
	case preamble:
		if t.m.Preamble != "" && t.m.At(d.now()).State != fakesite.Waiting {
			return part
		}
	case nestedCall, nestedResult:
		all := d.b.scratch // of the look that is under way: all that is visible
		if o.Nested && all[len(all)-1].id() != t.id() {
			return part
		}
	}
	return ""
}

// headChars is the most that a probe gives of a user turn.
const headChars = 200

func (d *document) tail(a probe.TailArgs) probe.TailState {
	family := d.b.site.Options().Family
	turns := d.mounted()
	s := probe.TailState{Found: true, Conversation: d.conversationID()}
	if a.After != "" {
		i, _ := d.find(turns, a.After)
		s.Found = i >= 0
		turns = turns[i+1:]
		if !s.Found {
			turns = nil
		}
	}
	if a.Limit > 0 && len(turns) > a.Limit {
		turns = turns[len(turns)-a.Limit:]
	}
	s.Turns = make([]probe.MountedTurn, len(turns))
	for i := range turns {
		t := &turns[i]
		s.Turns[i] = probe.MountedTurn{
			TurnID: t.key(family), MessageID: t.id(), Role: string(t.role), Head: d.headOf(t),
		}
	}
	return s
}

// headOf is the first two lines of a user turn.
func (d *document) headOf(t *turn) string {
	switch {
	case t.role != fakesite.User:
		return ""
	case t.ghost != nil:
		return firstLines(t.ghost.text)
	case d.b.site.Options().UserHTML:
		return firstLines(strings.Join(rendered(t.m.Text, nil), "\n"))
	}
	return firstLines(t.m.Text)
}

func firstLines(text string) string {
	i := strings.IndexByte(text, '\n')
	if i < 0 {
		return shorten(strings.TrimRightFunc(text, isSpace), headChars)
	}
	end := len(text)
	if j := strings.IndexByte(text[i+1:], '\n'); j >= 0 {
		end = i + 1 + j
	}
	first := strings.TrimRightFunc(text[:i], isSpace)
	second := strings.TrimRightFunc(text[i+1:end], isSpace)
	if len(first) == i { // nothing to take out between the lines: no copy
		return shorten(text[:i+1+len(second)], headChars)
	}
	return shorten(first+"\n"+second, headChars)
}

// shorten cuts to n characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// running tells whether the stop button stands and whether send is disabled, by the newest answer.
func (d *document) running() (stop, disabled bool) {
	s := d.b.site
	disabled = d.blocked() == fakesite.BlockCap
	m := d.newest()
	if m == nil || m.Role == fakesite.User {
		return false, disabled
	}
	now, o := d.now(), s.Options()
	p := m.At(now)
	if p.State.Ended() {
		ready := m.Course.Ends().Add(s.Timing().Reenable)
		return false, disabled || d.choosing(m, p.State) || now.Before(ready)
	}
	return !o.NoStop && !flickers(o, m, p), true
}

// flickers: with StopFlicker the stop button is away at every piece that ends on an odd byte, with
// EarlyBar while the bar flashes.
func flickers(o *fakesite.Options, m *fakesite.Message, p fakesite.Progress) bool {
	return o.StopFlicker && p.State == fakesite.Streaming && p.Shown%2 == 1 ||
		o.EarlyBar && firstPiece(m, p)
}

// firstPiece reports whether exactly the first piece of text stands.
func firstPiece(m *fakesite.Message, p fakesite.Progress) bool {
	return p.State == fakesite.Streaming &&
		p.Shown == m.Course.At(m.Text, m.Course.TextFrom()).Shown
}

// choosing: two responses stand, and a person has to choose.
func (d *document) choosing(m *fakesite.Message, s fakesite.AnswerState) bool {
	return m.Alternative != "" && s == fakesite.Complete && d.b.choices[m.ID] == 0
}
