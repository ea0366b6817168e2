package virtual

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

// Methods of the calls that the port makes by itself.
const (
	methodDial   = "dial"
	methodPages  = "Target.getTargets"
	methodOpen   = "Target.createTarget"
	methodAttach = "Target.attachToTarget"
	methodClose  = "Target.closeTarget"
)

var (
	errRefused  = errors.New("connect: connection refused")
	errDetached = errors.New("the browser reports Target.detachedFromTarget")
	errCrashed  = errors.New("the browser reports Inspector.targetCrashed")
	errClosed   = errors.New("closed by this side")
	errStale    = &cdproto.Error{Code: -32001, Message: "Session with given id not found."}
	errNoTarget = &cdproto.Error{Code: -32602, Message: "No target with given id found"}
)

// Client is one process that speaks to the browser. It is the process's browser.Dialer.
type Client struct {
	b     *Browser
	p     *event.Proc
	op    point.Op
	round int
	call  Call // the one under way: a process makes one call at a time

	waiting  *Call     // the call that hangs
	answered *answered // its outcome, if it came before the deadline

	session *Session // attached last
	sight   Sight    // what calls and answers told; see Client.Sight
	before  Sight    // the same before the last call
}

var _ browser.Dialer = (*Client)(nil)

// Dialer returns the port of one client process. When the process dies, so do its connections.
func (b *Browser) Dialer(p *event.Proc) *Client { return &Client{b: b, p: p} }

// At tells which operation the next calls belong to; a Tracer passes it on.
func (c *Client) At(op point.Op, round int) { c.op, c.round = op, round }

// Dial connects. A browser that is not there is the loss BrowserGone.
func (c *Client) Dial(ctx context.Context) (browser.Browser, error) {
	var conn *Conn
	err := c.do(ctx, Call{Method: methodDial, Result: &conn})
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// Conn is one connection. It implements browser.Browser.
type Conn struct {
	client   *Client
	loss     *browser.Loss
	sessions []*Session
	deaf     bool // half-open: nothing comes and nothing goes
}

var _ browser.Browser = (*Conn)(nil)

// Pages lists the tabs in the order in which they were opened.
func (c *Conn) Pages(ctx context.Context) ([]browser.TargetInfo, error) {
	var pages []browser.TargetInfo
	err := c.client.do(ctx, Call{Conn: c, Method: methodPages, Result: &pages})
	return pages, err
}

// Open makes a tab and navigates it to url.
func (c *Conn) Open(ctx context.Context, url string) (browser.TargetID, error) {
	var id browser.TargetID
	err := c.client.do(ctx, Call{Conn: c, Method: methodOpen, Params: url, Result: &id})
	return id, err
}

// Attach makes a new session; earlier ones of this connection on the same tab become stale. A tab
// that is gone, crashed or hanging is the loss that says so.
func (c *Conn) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	return c.attach(ctx, id, false)
}

// AttachBare attaches to a tab that Attach refuses because it crashed or hangs, to mend it with
// Page.reload, Page.navigate or Page.stopLoading.
func (c *Conn) AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	return c.attach(ctx, id, true)
}

func (c *Conn) attach(
	ctx context.Context, id browser.TargetID, bare bool) (browser.Session, error,
) {
	var s *Session
	err := c.client.do(ctx, Call{
		Conn: c, Method: methodAttach, Params: attachParams{id, bare}, Result: &s,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type attachParams struct {
	id   browser.TargetID
	bare bool
}

// CloseTarget closes a tab; one that is not there is the loss TargetClosed.
func (c *Conn) CloseTarget(ctx context.Context, id browser.TargetID) error {
	return c.client.do(ctx, Call{Conn: c, Method: methodClose, Params: id})
}

// Lost is nil while the connection lives.
func (c *Conn) Lost() error {
	c.client.p.Enter()
	if c.loss == nil {
		return nil
	}
	return c.loss
}

// Close ends the connection and leaves every tab open.
func (c *Conn) Close() error {
	c.client.p.Enter()
	c.end(&browser.Loss{Kind: browser.SocketLost, Cause: errClosed})
	return nil
}

// alive tells whether the browser still sees the client.
func (c *Conn) alive() bool { return c.loss == nil && !c.client.p.Killed() && !c.client.p.Ended() }

func (c *Conn) end(l *browser.Loss) {
	if c.loss != nil {
		return
	}
	c.loss = l
	if w := c.client.waiting; w != nil && w.Conn == c {
		c.client.answer(w.lost(l))
	}
	for len(c.sessions) > 0 {
		c.sessions[len(c.sessions)-1].end(l)
	}
	b := c.client.b
	if i := slices.Index(b.conns, c); i >= 0 {
		b.conns = slices.Delete(b.conns, i, i+1)
	}
}

// drop is the end of a connection that the other side brought about.
func (c *Conn) drop() { c.end(&browser.Loss{Kind: browser.SocketLost, Cause: io.EOF}) }

// Session is one attached page. It implements browser.Session.
type Session struct {
	conn   *Conn
	tab    *tab
	loss   *browser.Loss
	born   uint64 // Browser.seq at the attach
	events []browser.Event
	seen   seen
}

// seen is what the last polls saw, so that the log names each state once.
type seen struct {
	blocker, state string
}

var _ browser.Session = (*Session)(nil)

// Call sends one command; see browser.Session.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.conn.client.do(ctx, Call{
		Conn: s.conn, Session: s, Method: method, Params: params, Result: result,
	})
}

// Lost is nil while the session lives. A crash is the one loss that can go again (F227).
func (s *Session) Lost() error {
	s.conn.client.p.Enter()
	switch {
	case s.loss != nil:
		return s.loss
	case s.tab.crashed:
		return &browser.Loss{Kind: browser.TargetCrashed, Cause: errCrashed}
	}
	return nil
}

// Drain appends the events that arrived since the last call.
func (s *Session) Drain(dst []browser.Event) []browser.Event {
	c := s.conn.client
	c.p.Enter()
	for i := range s.events {
		e := &s.events[i]
		c.b.log.Append(history.Event{
			At: c.b.loop.Elapsed(), Lane: history.CDP, Kind: "event", Op: c.op, Round: c.round,
			Key: string(e.Kind), Text: e.MessageID,
		})
	}
	dst = append(dst, s.events...)
	s.events = s.events[:0]
	return dst
}

// Close detaches and leaves the tab as it is.
func (s *Session) Close() error {
	c := s.conn.client
	c.p.Enter()
	c.sight.Lost = c.sight.Lost || s.dead()
	s.end(&browser.Loss{Kind: browser.SessionStale, Cause: errClosed})
	return nil
}

func (s *Session) end(l *browser.Loss) {
	if s.loss != nil {
		return
	}
	s.loss = l
	if w := s.conn.client.waiting; w != nil && w.Session == s && s.conn.loss == nil {
		s.conn.client.answer(w.lost(l))
	}
	if i := slices.Index(s.tab.sessions, s); i >= 0 {
		s.tab.sessions = slices.Delete(s.tab.sessions, i, i+1)
	}
	if i := slices.Index(s.conn.sessions, s); i >= 0 {
		s.conn.sessions = slices.Delete(s.conn.sessions, i, i+1)
	}
}
