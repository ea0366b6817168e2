package virtual

// Focus and caret of a page. They part when a button is pressed: it takes the focus, the caret
// stays in the editor, and text that is inserted then comes there.

func (d *document) focusEditor() {
	d.focused, d.held, d.caret, d.behind = true, noControl, true, 0
}

func (d *document) unfocus() {
	d.focused, d.held, d.caret, d.behind = false, noControl, false, 0
}

// press is the press of a mouse button.
func (d *document) press(hit control) {
	d.pressed, d.held = hit, noControl
	switch hit {
	case voice, sendButton, stopButton:
		d.focused, d.held = false, hit
	case sendDisabled:
		d.focused = false
	default:
		d.unfocus()
	}
}

// put inserts text at the caret.
func (d *document) put(text string) {
	at := len(d.text) - d.behind
	d.text = d.text[:at] + text + d.text[at:]
}

// set is the page's own doing: the caret is at the start then.
func (d *document) set(text string) { d.text, d.behind = text, len(text) }

// rebuilt: the page was built anew for another family of the document; the text stays.
func (d *document) rebuilt() {
	o := d.b.site.Options()
	m := markup{o.Family, o.Editor, o.CodeView, o.NBSP}
	if d.markup == m {
		return
	}
	if d.markup != (markup{}) || d.text != "" {
		d.unfocus()
	}
	d.markup = m
	d.built++
}
