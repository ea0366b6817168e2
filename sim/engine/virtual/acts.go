package virtual

import (
	"bridgesim/bridge/browser"
)

// What a person, the machine or another client does to the browser. Each act is an event of the
// world: it is logged, and the clients learn of it as they would of the real one.

// Tabs lists the tabs in the order in which they were opened.
func (b *Browser) Tabs() []browser.TargetInfo {
	out := make([]browser.TargetInfo, len(b.tabs))
	for i, t := range b.tabs {
		out[i] = t.info()
	}
	return out
}

// OpenTab opens a tab of the user's own.
func (b *Browser) OpenTab(url string) browser.TargetID {
	t := b.openTab(url)
	b.note("tab-opened", string(t.id), url)
	return t.id
}

// act logs an act on a tab and carries it out; it reports whether the tab is there.
func (b *Browser) act(kind string, id browser.TargetID, text string, f func(*tab)) bool {
	t := b.tab(id)
	if t == nil {
		return false
	}
	b.note(kind, string(id), text)
	f(t)
	return true
}

// CloseTab closes a tab: its sessions end with TargetClosed (F201).
func (b *Browser) CloseTab(id browser.TargetID) bool {
	return b.act("tab-closed", id, "", b.removeTab)
}

// CrashTab ends the renderer: tab and sessions live, renderer commands get TargetCrashed until a
// reload or navigation (F225, F227).
func (b *Browser) CrashTab(id browser.TargetID) bool {
	return b.act("tab-crashed", id, "", (*tab).crash)
}

// WedgeTab makes the renderer stop answering in one of the ways that need different cures.
func (b *Browser) WedgeTab(id browser.TargetID, h Hang) bool {
	return b.act("tab-wedged", id, string(h), func(t *tab) {
		t.hangNow(h)
		if h == HangDialog {
			t.emit(browser.Event{Kind: browser.DialogOpened, URL: t.doc.address()})
		}
	})
}

// FreeTab lets a wedged renderer answer again: the loop ends, a person closes the dialog, the site
// answers. Commands that waited take their effect then, in order.
func (b *Browser) FreeTab(id browser.TargetID) bool {
	return b.act("tab-freed", id, "", (*tab).free)
}

// ReloadTab is a person's reload: a new document, without the bridge's script and fence (F108).
func (b *Browser) ReloadTab(id browser.TargetID) bool {
	return b.act("tab-reloaded", id, "", func(t *tab) { t.reload() })
}

// NavigateTab is a person's navigation by the address bar: a new document.
func (b *Browser) NavigateTab(id browser.TargetID, url string) bool {
	return b.act("tab-navigated", id, url, func(t *tab) { t.navigate(url) })
}

// SwitchTab is a click on another conversation in the sidebar: the same document shows path from
// now on, and script, fence and composer stay.
func (b *Browser) SwitchTab(id browser.TargetID, path string) bool {
	return b.act("tab-switched", id, path, func(t *tab) {
		t.doc.settle()
		t.doc.conversation, t.doc.posted, t.doc.committed, t.doc.sends = "", false, false, nil
		t.doc.goTo(path)
	})
}

// TypeInTab is a person who types into the composer, focus or not.
func (b *Browser) TypeInTab(id browser.TargetID, text string) bool {
	return b.act("tab-typed", id, text, func(t *tab) {
		t.doc.focused = true
		t.doc.insert(text)
	})
}

// SendInTab is a person who clicks Send: the text is whatever the composer holds. The fence stops
// the bridge's own text (readings 8).
func (b *Browser) SendInTab(id browser.TargetID) bool {
	return b.act("tab-sent", id, "", func(t *tab) {
		t.doc.settle()
		if c := t.doc.control(); c == sendButton {
			t.doc.click(c)
		}
	})
}

// DetachTab is another client that detaches the sessions of a tab: the tab lives, they are stale.
func (b *Browser) DetachTab(id browser.TargetID) bool {
	return b.act("tab-detached", id, "", func(t *tab) {
		t.endSessions(&browser.Loss{Kind: browser.SessionStale, Cause: errDetached})
	})
}

// SeverSockets cuts every connection; browser, tabs and documents stay as they are (F101 to F104).
func (b *Browser) SeverSockets() {
	b.note("sockets-severed", "", "")
	b.dropConns()
}

func (b *Browser) dropConns() {
	for len(b.conns) > 0 {
		b.conns[len(b.conns)-1].drop()
	}
}

// Kill ends the browser process: connections end without a word, a dial is refused, all tabs are
// gone (F251).
func (b *Browser) Kill() {
	b.note("browser-killed", "", "")
	for i := range b.queue { // dials that wait in a stopped browser
		if c := &b.queue[i].call; c.Conn == nil && c.Client.awaits(c.ticket) {
			c.Client.answer(c.lost(&browser.Loss{Kind: browser.BrowserGone, Cause: errRefused}))
		}
	}
	b.up, b.frozen, b.queue = false, false, nil
	b.dropConns()
	for len(b.tabs) > 0 {
		b.removeTab(b.tabs[len(b.tabs)-1])
	}
}

// Relaunch starts the browser again at the same endpoint; tabs are not restored (F260).
func (b *Browser) Relaunch() {
	b.note("browser-relaunched", "", "")
	b.up = true
}

// Freeze stops the process (SIGSTOP): every command hangs, a dial as well (F257). Thaw lets it go
// on.
func (b *Browser) Freeze() {
	b.note("browser-frozen", "", "")
	b.frozen = true
}

// Thaw lets a frozen browser go on; it carries out what it was sent meanwhile (F257).
func (b *Browser) Thaw() {
	b.note("browser-thawed", "", "")
	queue := b.queue
	b.frozen, b.queue = false, nil
	b.release(queue)
}

// MuteSite makes the site stop answering navigations, or answer again; tabs that load it hang
// (F303).
func (b *Browser) MuteSite(on bool) {
	kind := "site-muted"
	if !on {
		kind = "site-unmuted"
	}
	b.note(kind, "", "")
	b.mute = on
}
