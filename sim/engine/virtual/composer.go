package virtual

import (
	"math"
	"strings"
	"unicode"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// Where the send button's centre is, in CSS pixels; stop and voice stand in the same place.
const (
	buttonX, buttonY = 1008.0, 712.0
	buttonHalf       = 18.0
)

const noComposer = "no hydrated composer"

// editable: the editor is there and takes text. A usage cap makes it refuse (facts 12).
func (d *document) editable() bool {
	return d.hydrated() && d.blocked() != fakesite.BlockCap
}

// control is the one button of the composer.
type control uint8

const (
	noControl control = iota
	voice             // the composer is empty
	sendButton
	sendDisabled
	stopButton
)

func (d *document) control() control {
	if !d.hydrated() {
		return noControl
	}
	stop, disabled := d.running()
	switch {
	case stop:
		return stopButton
	case blank(d.text):
		return voice
	case disabled:
		return sendDisabled
	}
	return sendButton
}

func blank(s string) bool { return strings.TrimFunc(s, isSpace) == "" }

// isSpace is JavaScript's white space.
func isSpace(r rune) bool { return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r) }

func (d *document) composer(probe.None) probe.ComposerState {
	if !d.editable() {
		return probe.ComposerState{}
	}
	c := d.control()
	s := probe.ComposerState{
		Hydrated: true, Focused: d.focused, Text: d.composerText(), Stop: c == stopButton,
		Send: c == sendButton || c == sendDisabled, Enabled: c == sendButton,
	}
	if s.Send {
		s.X, s.Y = buttonX, buttonY
	}
	return s
}

// composerText is the text as the editor shows it; what is sent has plain spaces (Options.NBSP).
func (d *document) composerText() string {
	if !d.editable() {
		return ""
	}
	if d.b.site.Options().NBSP {
		return strings.ReplaceAll(d.text, "  ", " \u00a0")
	}
	return d.text
}

func (d *document) focus(probe.None) probe.Done {
	if !d.editable() {
		return probe.Done{Reason: noComposer}
	}
	d.focusEditor()
	return probe.Done{OK: true}
}

func (d *document) empty(probe.None) probe.Done {
	if !d.editable() {
		return probe.Done{Reason: noComposer}
	}
	if !blank(d.text) {
		d.text = ""
		d.focusEditor()
	}
	return probe.Done{OK: true}
}

// insert is Input.insertText: the text comes where the caret is, and takes the focus there. Without
// a caret in the editor it does nothing and says nothing (F505). The editor shows plain spaces
// only.
func (d *document) insert(text string) {
	d.settle()
	if !d.editable() || !d.caret || text == "" {
		return
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	d.focused, d.held = true, noControl
	d.put(strings.ReplaceAll(text, "\u00a0", " "))
}

// mouse is Input.dispatchMouseEvent. A click is a release over the control that the press hit; it
// returns what was clicked.
func (d *document) mouse(p *input.DispatchMouseEventParams) control {
	if p.Button != input.MouseButtonLeft {
		return noControl
	}
	d.settle()
	hit := noControl
	if math.Abs(p.X-buttonX) <= buttonHalf && math.Abs(p.Y-buttonY) <= buttonHalf {
		hit = d.control()
	}
	switch p.Type {
	case input.DispatchMouseEventTypeMousePressed:
		d.press(hit)
	case input.DispatchMouseEventTypeMouseReleased:
		pressed := d.pressed
		d.pressed = noControl
		if hit != noControl && hit == pressed && p.ClickCount > 0 {
			d.click(hit)
			return hit
		}
	}
	return noControl
}

// click presses what stands there at this moment: after the commit that is stop.
func (d *document) click(what control) {
	switch what {
	case stopButton:
		if d.frozenAt.IsZero() {
			d.b.site.Stop(d.b.now(), d.conversation)
			d.b.logLedger()
		}
	case sendButton:
		if !d.passes() {
			return
		}
		d.clicks++
		if d.clicks > d.b.site.Options().SendNoop {
			d.submit()
		}
	}
}

const shift = 8 // DispatchKeyEventParams.Modifiers

// key is Input.dispatchKeyEvent; only Enter means something here. With Shift it is a line break.
func (d *document) key(p *input.DispatchKeyEventParams) {
	down := p.Type == input.DispatchKeyEventTypeKeyDown ||
		p.Type == input.DispatchKeyEventTypeRawKeyDown
	if !down || p.Key != "Enter" {
		return
	}
	d.settle()
	if d.held != noControl && d.held == d.control() {
		d.click(d.held) // Enter on a button is a click
		return
	}
	if !d.editable() || !d.focused {
		return
	}
	switch {
	case p.Modifiers&shift == 0:
		if d.passes() && d.control() == sendButton {
			d.submit()
		}
	case p.Text != "":
		d.put("\n")
	}
}
