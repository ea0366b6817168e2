package web

import (
	"strings"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
)

// maxDocuments is how many loaded pages are remembered; the oldest without a socket go first.
const maxDocuments = 128

// document is one loaded page of a browser, from its GET on.
type document struct {
	id      string
	opened  time.Time
	guest   bool   // it was loaded while nobody was logged in
	path    string // the address it shows, query included
	moves   int    // navigations that the page made by itself
	sockets int    // event streams that are open now

	conversation string // id; "" for a new chat that was not sent yet
	missing      string // the id in the address that the server does not know
	sends        []sent
	toast        string
	toasts       int
	frozen       bool // Options.Freeze struck
	back         int  // turns that the mounted window lies behind the end

	view *view // what it shows; computed by refresh
}

// sent is one POST of a document that was taken, or looked so.
type sent struct {
	client    string // the id that the page made
	messageID string // the id in the record: the same, unless the record had it already
	text      string
	at        time.Time
	ghost     bool // dropped: shown here and nowhere else
	blind     bool // the reply was an error: not shown here although the record has it
}

// open registers a page that is being loaded.
func (s *Server) open(id, path string) *document {
	if id == "" {
		id = clock.UUID(clock.System())
	}
	d := &document{id: id, opened: s.clock.Now(), guest: !s.site.Account().LoggedIn}
	s.goTo(d, path)
	s.documents[id] = d
	s.order = append(s.order, id)
	s.forget()
	return d
}

// goTo makes d show the conversation that path names.
func (s *Server) goTo(d *document, path string) {
	d.path, d.conversation, d.missing, d.back, d.toast = path, "", "", 0, ""
	id, ok := strings.CutPrefix(path, "/c/")
	if !ok {
		return
	}
	if c := s.site.Find(id); c != nil {
		d.conversation = c.ID
	} else {
		d.missing = id
	}
}

func (s *Server) forget() {
	for i := 0; len(s.order) > maxDocuments && i < len(s.order); {
		if d := s.documents[s.order[i]]; d.sockets > 0 {
			i++
			continue
		}
		delete(s.documents, s.order[i])
		s.order = append(s.order[:i:i], s.order[i+1:]...)
	}
}

// hydrated is the moment at which composer and turns appear.
func (s *Server) hydrated(d *document) time.Time {
	t := s.site.Timing()
	return d.opened.Add(t.Load + max(t.Hydrate, s.site.Options().FallbackFor))
}

// show is the conversation of d, nil in a new chat.
func (s *Server) show(d *document) *fakesite.Conversation {
	if d.conversation == "" {
		return nil
	}
	return s.site.Find(d.conversation)
}

func (d *document) complain(text string) {
	d.toast = text
	d.toasts++
}

// temporary reports whether d is a page of temporary chats.
func (d *document) temporary() bool { return strings.HasSuffix(d.path, "?temporary-chat=true") }
