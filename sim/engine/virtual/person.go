package virtual

import (
	"bridgesim/bridge/browser"
	"bridgesim/fakesite"
)

// What a person does in a page that no bridge does.

// ScrollTab scrolls to the edge of what is mounted: -1 to earlier turns, 1 to later ones. Each time
// the window moves by two turns.
func (b *Browser) ScrollTab(id browser.TargetID, direction int) bool {
	return b.act("tab-scrolled", id, "", func(t *tab) {
		t.doc.back -= 2 * min(max(direction, -1), 1)
	})
}

// ChooseInTab chooses one of two responses, from 1; the choice holds for every document.
func (b *Browser) ChooseInTab(id browser.TargetID, messageID string, which int) bool {
	return b.act("tab-chose", id, messageID, func(*tab) {
		if b.choices == nil {
			b.choices = map[string]int{}
		}
		b.choices[messageID] = which
	})
}

// DismissInTab closes the dialog of a rate limit or a login. It stays closed in this document until
// the next refused send.
func (b *Browser) DismissInTab(id browser.TargetID) bool {
	return b.act("tab-dismissed", id, "", func(t *tab) {
		switch b.site.Blocked() {
		case fakesite.BlockRate:
			t.doc.rateClosed = t.doc.toasts + 1
		case fakesite.BlockLogin:
			t.doc.loginClosed = t.doc.toasts + 1
		}
	})
}

// window is the mounted part of all turns: a number of them, d.back before the end.
func (d *document) window(all []turn) []turn {
	size := d.b.site.Options().MountedTurns()
	if size < 0 || size > len(all) {
		size = len(all)
	}
	d.back = min(max(d.back, 0), len(all)-size)
	end := len(all) - d.back
	return all[end-size : end]
}
