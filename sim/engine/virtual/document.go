package virtual

import (
	"strings"
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// document is one loaded page. It holds what was done to it; what it shows is computed.
//
//	opened ──Load──► readyState complete ──Hydrate──► composer and turns, in one commit
//	                 (the bare shell)
type document struct {
	b     *Browser
	tab   *tab
	ready time.Time // composer and turns appear
	alive bool      // they did
	site  bool      // a page of the site; else url is blank or foreign
	url   string    // of a page that is not the site's
	path  string    // of a page of the site: path and query of the address
	guest bool      // it was loaded while nobody was logged in

	conversation string // server id of what it shows; "" for a new chat that was not sent yet
	sends        []sent // those whose commit is still to come, ghosts, and sends answered by an error
	posted       bool   // something was sent here
	committed    bool   // and mounted
	arrived      bool   // the address is the server's own
	toasts       int
	back         int // turns that the mounted window lies behind the end
	rateClosed   int // toasts + 1 when a person closed the dialog
	loginClosed  int
	frozenAt     time.Time // Options.Freeze struck: it shows this moment for good
	frozenTitle  string
	frozenBlock  fakesite.Blocker
	markup       markup
	built        int // how often the app was built anew, with another composer

	text    string  // of the composer
	focused bool    // the editor has the focus
	held    control // the button that has it instead: it was pressed
	caret   bool    // the caret is in the editor; a pressed button takes the focus, not the caret
	behind  int     // bytes of text behind the caret
	pressed control
	clicks  int // on Send, that Options.SendNoop swallows
	drafted bool
	wiped   bool

	script bool // the bridge's probe is in the document
	name   string
	fence  *fence
}

// markup is what the page is built of; a change of it builds the composer anew.
type markup struct {
	family, editor, code string
	nbsp                 bool
}

// sent is one POST of a document.
type sent struct {
	messageID string
	text      string
	at        time.Time
	ghost     bool // dropped by the site: shown here and nowhere else
	blind     bool // answered by an error: not shown here although the record may have it
	cleared   bool // its commit emptied the composer
}

// goTo makes d show what path names.
func (d *document) goTo(path string) {
	d.path, d.arrived = path, false
	if id := conversationIn(path); id != "" {
		if c := d.b.site.Find(id); c != nil {
			d.conversation = c.ID
		}
	}
}

// now is the moment that the document shows.
func (d *document) now() time.Time {
	if !d.frozenAt.IsZero() {
		return d.frozenAt
	}
	return d.b.now()
}

// chat is the conversation shown, nil in a new chat and when the server does not know it.
func (d *document) chat() *fakesite.Conversation {
	if d.conversation == "" {
		return nil
	}
	return d.b.site.Find(d.conversation)
}

// hydratedAt is when composer and turns appear; it is fixed with the load.
func (b *Browser) hydratedAt(opened time.Time) time.Time {
	t := b.site.Timing()
	return opened.Add(t.Load + max(t.Hydrate, b.site.Options().FallbackFor))
}

func (d *document) hydrated() bool {
	if !d.alive {
		d.alive = d.site && !d.b.now().Before(d.ready)
	}
	return d.alive && !d.challenged()
}

// challenged: the challenge stands in place of the whole page.
func (d *document) challenged() bool {
	return d.site && d.blocked() == fakesite.BlockCaptcha
}

// blocked is what the document has heard of.
func (d *document) blocked() fakesite.Blocker {
	if !d.frozenAt.IsZero() {
		return d.frozenBlock
	}
	return d.b.site.Blocked()
}

func (d *document) temporary() bool { return strings.HasSuffix(d.path, "?temporary-chat=true") }

// address is the address bar. The site changes it by itself after a send.
func (d *document) address() string {
	if !d.site {
		return d.url
	}
	d.settle()
	return d.b.cfg.SiteURL + d.path
}

func (d *document) title() string {
	switch {
	case d.challenged():
		return "Just a moment..."
	case !d.site:
		return ""
	case !d.frozenAt.IsZero():
		return d.frozenTitle
	}
	if c := d.chat(); c != nil && d.hydrated() {
		return c.Title
	}
	return "ChatGPT"
}

// conversationIn is the id in an address: /c/<id>, also behind a gizmo; transient ids are kept.
func conversationIn(path string) string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	path = strings.TrimSuffix(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 2 || path[i-2:i] != "/c" {
		return ""
	}
	return strings.Replace(path[i+1:], "WEB%3A", "WEB:", 1)
}

// conversationID is the id in the address.
func (d *document) conversationID() string {
	if !d.site {
		return ""
	}
	return conversationIn(d.path)
}

func (d *document) hello(a probe.HelloArgs) probe.Document {
	if d.name == "" {
		d.name = a.Nonce
	}
	return probe.Document{
		Name: d.name, URL: d.address(), Conversation: d.conversationID(), Ready: true,
	}
}

// settle does what the page did by itself since somebody last looked: commits empty the composer, a
// draft comes back, a late hydration wipes, the address moves on.
func (d *document) settle() {
	if !d.hydrated() {
		if d.alive {
			d.text = "" // the challenge took the place of the whole page
			d.built++
			d.unfocus()
		}
		return
	}
	now := d.now()
	d.rebuilt()
	if len(d.sends) > 0 {
		d.commit(now)
	}
	o := d.b.site.Options()
	if o.DraftRestored != "" && !d.drafted || o.LateWipe > 0 && !d.wiped {
		d.surprise(now, o)
	}
	if d.conversation != "" && !d.arrived && (d.committed || !d.posted) {
		d.follow(now)
	}
}

// follow moves the address to where the site wants it now.
func (d *document) follow(now time.Time) {
	c := d.chat()
	if c == nil {
		return
	}
	if path, _ := d.b.site.Address(c, now); path != "/" {
		d.path = path
		d.arrived = strings.HasSuffix(path, c.ID)
	}
}

// commit shows the sends whose moment has come.
func (d *document) commit(now time.Time) {
	wait := d.b.site.Timing().Commit
	keep := d.sends[:0]
	for _, s := range d.sends {
		if !s.blind && !s.cleared && !now.Before(s.at.Add(wait)) {
			s.cleared, d.committed = true, true
			d.set("")
		}
		if s.blind || s.ghost || !s.cleared {
			keep = append(keep, s)
		}
	}
	d.sends = keep
}

// surprise does what the page itself does to the composer after hydration, in order of time.
func (d *document) surprise(now time.Time, o *fakesite.Options) {
	from := d.ready
	draft := func() {
		if o.DraftRestored != "" && !d.drafted && !now.Before(from.Add(o.DraftAfter)) {
			d.drafted = true
			d.set(o.DraftRestored + d.text)
		}
	}
	if o.DraftAfter <= o.LateWipe {
		draft()
	}
	if o.LateWipe > 0 && !d.wiped && !now.Before(from.Add(o.LateWipe)) {
		d.wiped = true
		d.set("")
	}
	draft()
}

// sending: a send of this document is under way, its commit is still to come.
func (d *document) sending() bool {
	for i := range d.sends {
		if s := &d.sends[i]; !s.blind && !s.cleared {
			return true
		}
	}
	return false
}
