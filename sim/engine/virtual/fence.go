package virtual

import (
	"strings"
	"unicode/utf16"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
)

// fence is the bridge's gate in front of the page, as fence.js builds it: while the composer holds
// the bridge's text, one act that can submit it passes, and only against the live token, in the
// conversation and the composer that it was armed in.
type fence struct {
	token   string
	text    string // as it was given
	bound   string // the conversation that it is for
	editor  int    // see document.editorNo
	live    bool
	passed  int
	stopped int
}

// partMin: a shorter text of ours may stand in a person's text by chance.
const partMin = 40

// holding tells how much of the fenced text the composer holds.
type holding uint8

const (
	holdsNothing holding = iota
	holdsPart
	holdsWhole
)

func (f *fence) held(text string) holding {
	if wire.SameText(f.text, text) {
		return holdsWhole
	}
	ours, now := wire.Plain(f.text), wire.Plain(text)
	if units(ours) < partMin {
		return holdsNothing
	}
	if strings.Contains(now, ours) || strings.Contains(now, head(ours)) {
		return holdsPart
	}
	return holdsNothing
}

// units is the length of a text in JavaScript.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// head is the first two lines that are not blank.
func head(text string) string {
	first, rest := line(text)
	second, _ := line(rest)
	if second == "" {
		return first
	}
	return first + "\n" + second
}

// line cuts the first line that is not empty.
func line(text string) (string, string) {
	for text != "" {
		var l string
		l, text, _ = strings.Cut(text, "\n")
		if l != "" {
			return l, text
		}
	}
	return "", ""
}

// passes judges an act that can submit. It lets everything pass that is none of the bridge's.
func (d *document) passes() bool {
	f := d.fence
	if f == nil {
		return true
	}
	holds := f.held(d.composerText())
	if holds == holdsNothing {
		return true
	}
	if !f.live || holds != holdsWhole || d.moved(f) {
		f.stopped++
		return false
	}
	if what, _ := d.blocker(); what != probe.NoBlocker {
		f.stopped++
		return false
	}
	f.live = false
	f.passed++
	return true
}

// moved: the tab shows another conversation than that of the token, or another composer.
func (d *document) moved(f *fence) bool {
	return d.conversationID() != f.bound || d.editorNo() != f.editor
}

// editorNo tells one composer from another that was built in its place; 0 is none.
func (d *document) editorNo() int {
	if !d.editable() {
		return 0
	}
	return 1 + d.built
}

func (d *document) arm(a probe.FenceArgs) probe.FenceState {
	f := &fence{token: a.Token, text: a.Text, bound: a.Conversation, editor: d.editorNo()}
	f.live = !a.Dead && !d.moved(f)
	d.fence = f
	return d.fenceState()
}

func (d *document) revoke(probe.None) probe.FenceState {
	if d.fence != nil {
		d.fence.live = false
	}
	return d.fenceState()
}

func (d *document) unfence(probe.None) probe.Done {
	d.fence = nil
	return probe.Done{OK: true}
}

func (d *document) fenceState() probe.FenceState {
	s := probe.FenceState{
		Document: d.name, Composer: d.composerText(), Conversation: d.conversationID(),
	}
	if f := d.fence; f != nil {
		s.Present, s.Token, s.Live, s.Passed, s.Stopped = true, f.token, f.live, f.passed, f.stopped
		s.Bound = f.bound
		s.Holds = f.held(s.Composer) == holdsWhole
	}
	return s
}
