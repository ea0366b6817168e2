package web

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// push is one message to a page. Parts that did not change since the last push are left out.
type push struct {
	Version int64         `json:"version"`
	Page    *view         `json:"page,omitempty"`
	Order   []string      `json:"order,omitempty"` // keys of the mounted turns, when they changed
	Empty   bool          `json:"empty,omitempty"` // no turn is mounted
	Turns   []turn        `json:"turns,omitempty"` // turns that are new or changed
	Grown   []turnGrowing `json:"grown,omitempty"` // turns whose text was only appended to
}

type turnGrowing struct {
	Key  string `json:"key"`
	Text string `json:"text"` // what was added
}

// act is one message of a page: what a person did in it that the server must know.
type act struct {
	Go      *string `json:"go"`      // the address it changed to by itself
	Scroll  int     `json:"scroll"`  // -1: earlier turns wanted, 1: later ones
	Choose  string  `json:"choose"`  // message of which a response was chosen …
	Which   int     `json:"which"`   // … and which, from 1
	Approve bool    `json:"approve"` // a tool may run
}

// events is the socket of one document: pushes go down it, acts come up.
//
// It is a WebSocket and not an EventSource, because a browser has only six HTTP connections per
// host without TLS: three tabs that follow one answer would take them all, and every further fetch
// in any tab would wait.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	id, path := r.URL.Query().Get("document"), r.URL.Query().Get("path")
	if id == "" || len(id) > maxID || len(path) > maxAct || !strings.HasPrefix(path, "/") {
		reply(w, http.StatusBadRequest, detail("invalid_request", "Want document and path."))
		return
	}
	conn, _, _, err := ws.UpgradeHTTP(r, w)
	if err != nil {
		s.log("events: " + err.Error())
		return
	}
	d := s.attach(id, path)
	ctx, cancel := context.WithCancel(s.ctx)
	defer s.detach(d)
	defer cancel()
	// A reader that stands still must not hold a write for ever when the server closes.
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	s.work.Go(func() {
		defer cancel()
		s.readActs(ctx, conn, d)
	})
	s.writePushes(ctx, conn, d)
}

// attach finds the document of a socket; one that was forgotten is taken up as it is.
func (s *Server) attach(id, path string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[id]
	if d == nil {
		d = s.open(id, path)
		d.opened = time.Time{} // it was hydrated long ago
	}
	d.sockets++
	s.refresh(s.clock.Now())
	return d
}

func (s *Server) detach(d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.sockets--
}

func (s *Server) readActs(ctx context.Context, conn net.Conn, d *document) {
	reader := wsutil.NewServerSideReader(conn)
	reader.MaxFrameSize = maxAct
	for ctx.Err() == nil {
		header, err := reader.NextFrame()
		if err != nil || header.OpCode == ws.OpClose {
			return
		}
		if header.OpCode.IsControl() {
			if err := reader.Discard(); err != nil {
				return
			}
			continue
		}
		var a act
		if err := json.NewDecoder(reader).Decode(&a); err != nil {
			s.log("events: an act that is no JSON: " + err.Error())
			return
		}
		if err := reader.Discard(); err != nil {
			return
		}
		s.act(d, a)
	}
}

// act does what a person did in the page.
func (s *Server) act(d *document, a act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	switch {
	case a.Go != nil && len(*a.Go) <= maxAct:
		d.moves++
		s.goTo(d, *a.Go)
	case a.Scroll != 0:
		d.back -= 2 * min(max(a.Scroll, -1), 1)
	case a.Choose != "" && (a.Which == 1 || a.Which == 2) && len(a.Choose) <= maxID:
		s.choices[a.Choose] = a.Which
	case a.Approve:
		s.site.Approve(now, d.conversation)
	}
	s.refresh(now)
}

// writePushes sends what changed at each version.
func (s *Server) writePushes(ctx context.Context, conn net.Conn, d *document) {
	var before pushed
	for {
		s.mu.Lock()
		p, changed := before.next(s.version, d.view), s.changed
		body, err := json.Marshal(p)
		s.mu.Unlock()
		if err != nil { // a shape of ours cannot be encoded: a bug
			panic(err)
		}
		if err := wsutil.WriteServerText(conn, body); err != nil {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// pushed is what one socket has told its page.
type pushed struct {
	page  view
	any   bool
	order []string
	turns map[string]turn
}

// next is the push that brings the page from what it was told to v.
func (b *pushed) next(version int64, v *view) push {
	p := push{Version: version}
	if v == nil {
		return p
	}
	page := *v
	page.turns = nil
	if !b.any || !reflect.DeepEqual(page, b.page) {
		p.Page = &page
	}
	order := keys(v.turns)
	if !b.any || !reflect.DeepEqual(order, b.order) {
		p.Order, p.Empty = order, len(order) == 0
	}
	turns := make(map[string]turn, len(v.turns))
	for _, t := range v.turns {
		t.message = nil
		turns[t.Key] = t
		b.compare(&p, t)
	}
	b.page, b.any, b.order, b.turns = page, true, order, turns
	return p
}

func (b *pushed) compare(p *push, t turn) {
	old, known := b.turns[t.Key]
	if known && reflect.DeepEqual(old, t) {
		return
	}
	added, grown := strings.CutPrefix(t.Text, old.Text)
	old.Text = t.Text
	if known && grown && reflect.DeepEqual(old, t) {
		p.Grown = append(p.Grown, turnGrowing{Key: t.Key, Text: added})
		return
	}
	p.Turns = append(p.Turns, t)
}
