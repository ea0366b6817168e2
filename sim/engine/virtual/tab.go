package virtual

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
)

// Hang is why a renderer does not answer while the browser does.
type Hang string

// The hangs differ in what frees the tab (F233, F244, F303).
const (
	NoHang Hang = ""
	// a script without end: terminate from an old session, or leave the site
	HangLoop       Hang = "loop"
	HangDialog     Hang = "dialog"     // a native dialog that nobody owns: reload or navigate
	HangNavigation Hang = "navigation" // the site does not answer: stopLoading
)

// tab is one page target.
type tab struct {
	b        *Browser
	id       browser.TargetID
	doc      *document
	own      bool // a client opened it
	closed   bool
	crashed  bool
	hang     Hang
	hungAt   uint64     // Browser.seq at the start of the hang
	queue    []queued   // commands that wait behind the hang
	sessions []*Session // alive
}

// load makes a new document of the tab; scripts that were put into the old one are gone with it.
func (t *tab) load(url string) *document {
	d := &document{b: t.b, tab: t, ready: t.b.hydratedAt(t.b.now()), url: url}
	if path, ok := t.b.sitePath(url); ok {
		d.site = true
		d.guest = !t.b.site.Account().LoggedIn
		d.goTo(path)
	}
	return d
}

// sitePath is the path and query of an address of the site.
func (b *Browser) sitePath(url string) (string, bool) {
	rest, ok := strings.CutPrefix(url, b.cfg.SiteURL)
	switch {
	case !ok || b.cfg.SiteURL == "":
		return "", false
	case rest == "":
		return "/", true
	}
	return rest, strings.IndexByte("/?#", rest[0]) >= 0
}

// show puts a new document into the tab and tells the sessions. Commands that waited for the old
// one end with an error.
func (t *tab) show(d *document) {
	t.doc, t.crashed, t.hang = d, false, NoHang
	t.emit(browser.Event{Kind: browser.Navigated, URL: d.address()})
	for _, q := range t.queue {
		if q.call.Client.awaits(q.call.ticket) {
			q.call.Client.answer(fmt.Errorf("%s: %w", q.call.Method, errNavigated))
		}
	}
	t.queue = nil
}

var (
	errBadURL    = &cdproto.Error{Code: -32000, Message: "Cannot navigate to invalid URL"}
	errNavigated = &cdproto.Error{Code: -32000, Message: "Inspected target navigated or closed"}
	errNoAnswer  = &cdproto.Error{} // never seen: the call hangs
)

// free lets the renderer answer again: first what waited.
func (t *tab) free() {
	queue := t.queue
	t.hang, t.queue = NoHang, nil
	t.b.release(queue)
}

// crash ends the renderer and with it every command that waits there.
func (t *tab) crash() {
	t.crashed, t.hang, t.queue = true, NoHang, nil
	for _, s := range t.sessions {
		if w := s.conn.client.waiting; w != nil && w.Session == s {
			w.Client.answer(w.lost(&browser.Loss{Kind: browser.TargetCrashed, Cause: errCrashed}))
		}
	}
}

// navigate loads url. errNoAnswer means that the command gets no reply.
func (t *tab) navigate(url string) *cdproto.Error {
	if !strings.Contains(url, ":") {
		return errBadURL
	}
	_, toSite := t.b.sitePath(url)
	if t.hang == HangLoop && toSite && t.doc.site {
		return nil // it replies, and the page never comes: the same process still loops (F233)
	}
	if toSite && t.b.mute {
		t.hangNow(HangNavigation)
		return errNoAnswer
	}
	t.show(t.load(url))
	return nil
}

func (t *tab) reload() *cdproto.Error {
	if t.hang == HangLoop {
		return nil // as above
	}
	return t.navigate(t.doc.address())
}

func (t *tab) hangNow(h Hang) {
	t.b.seq++
	t.hang, t.hungAt = h, t.b.seq
}

func (t *tab) emit(e browser.Event) {
	for _, s := range t.sessions {
		if s.conn.alive() {
			s.events = append(s.events, e)
		}
	}
}

func (t *tab) endSessions(l *browser.Loss) {
	for len(t.sessions) > 0 {
		t.sessions[len(t.sessions)-1].end(l)
	}
}

// attached tells whether a living client is attached; the kernel closes the sockets of a dead one.
func (t *tab) attached() bool {
	for _, s := range t.sessions {
		if s.conn.alive() {
			return true
		}
	}
	return false
}

func (t *tab) info() browser.TargetInfo {
	return browser.TargetInfo{
		ID: t.id, URL: t.doc.address(), Title: t.doc.title(), Attached: t.attached(),
	}
}
