package virtual

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/sim/history"
)

// Hook stands between the clients and the browser and sees every command. It may kill the process
// (Client.Proc), strike the browser, hold a command back or bend its outcome.
//
//	Before: the browser has not seen the command. true = the hook settled it, Call.Err is its outcome
//	After:  it happened; what the hook writes into Call.Err and Call.Result is what the client gets
type Hook interface {
	Before(c *Call) bool
	After(c *Call)
}

// Call is one command under way. A Hook that keeps one beyond its method copies it: *c.
type Call struct {
	Ctx     context.Context
	Client  *Client
	Conn    *Conn    // nil for a dial
	Session *Session // nil for a command to the browser
	Op      point.Op
	Round   int
	Method  string
	Probe   string // name of the probe, "" for other commands
	Params  any    // by value, as the client gave them
	Result  any    // pointer, as the client gave it; nil when it does not matter
	Err     error  // outcome, once there is one
}

// Name is the probe's name, or the method.
func (c *Call) Name() string {
	if c.Probe != "" {
		return c.Probe
	}
	return c.Method
}

// Perform sends the command on to the browser now and returns what the client would get.
func (c *Call) Perform() error {
	b := c.Client.b
	if err := b.reach(c); err != nil {
		return err
	}
	if c.Session != nil {
		return c.Session.perform(c)
	}
	return b.perform(c)
}

// Apply lets the command take its effect in its tab whatever became of session and connection, as a
// command does that waits in a busy renderer: the late phase. Its outcome is lost. It does nothing
// when the tab, its renderer or the document is gone by then; doc is Document() of an earlier moment.
func (c *Call) Apply(doc Document) {
	if c.Session == nil {
		return
	}
	t := c.Session.tab
	if t.closed || t.crashed || t.doc != doc.d {
		return
	}
	late := *c
	late.Result = nil
	_ = t.dispatch(&late) // nobody is there to hear of an error
}

// Document is the document that the call's tab shows now, for Apply.
func (c *Call) Document() Document {
	if c.Session == nil {
		return Document{}
	}
	return Document{c.Session.tab.doc}
}

// Document names one document of the model.
type Document struct{ d *document }

// Hang lets the call wait for a reply that never comes: it returns at the deadline with the loss
// Silent. Without a deadline the process stands still, and the run ends with event.ErrHang.
func (c *Call) Hang() error {
	_ = c.Client.p.Hang(c.Ctx) // its error is the context's
	return gaveUp(c.Ctx, c.Method)
}

// gaveUp is the error of a call whose context ended: its own error when the caller cancelled, the
// loss Silent when a deadline passed.
func gaveUp(ctx context.Context, method string) error {
	if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &browser.Loss{Kind: browser.Silent, During: method, Cause: ctx.Err()}
}

// do takes one call through log, hook and browser.
func (c *Client) do(ctx context.Context, call Call) error {
	c.p.Enter()
	call.Ctx, call.Client, call.Op, call.Round = ctx, c, c.op, c.round
	if e, ok := call.Params.(probe.Evaluation); ok {
		call.Probe = e.ProbeName()
	}
	c.call = call
	err := c.call.run()
	c.call.Params, c.call.Result, c.call.Ctx = nil, nil, nil
	return err
}

func (c *Call) run() error {
	b := c.Client.b
	if c.Ctx.Err() != nil {
		return gaveUp(c.Ctx, c.Method)
	}
	c.note("call", "")
	h := b.cfg.Hook
	if h == nil || !h.Before(c) {
		c.Err = c.Perform()
		if h != nil {
			h.After(c)
		}
	}
	if c.Err != nil {
		c.note("failed", outcome(c.Err))
	}
	return c.Err
}

func (c *Call) note(kind, text string) {
	b := c.Client.b
	b.log.Append(history.Event{
		At: b.loop.Elapsed(), Lane: history.CDP, Kind: kind, Op: c.Op, Round: c.Round,
		Key: c.Name(), Text: text,
	})
}

// outcome names an error by its kind or code; its text may change.
func outcome(err error) string {
	var e *cdproto.Error
	if l, ok := browser.AsLoss(err); ok {
		return string(l.Kind)
	} else if errors.As(err, &e) {
		return fmt.Sprint(e.Code)
	}
	return "error"
}

// reach brings the command to the browser, or tells what is gone on the way.
func (b *Browser) reach(c *Call) error {
	lost := func(k browser.LossKind, cause error) error {
		return &browser.Loss{Kind: k, During: c.Method, Cause: cause}
	}
	switch {
	case c.Conn == nil && !b.up:
		return lost(browser.BrowserGone, errRefused)
	case c.Conn != nil && c.Conn.loss != nil:
		return lost(c.Conn.loss.Kind, c.Conn.loss.Cause)
	case b.frozen:
		return c.Hang()
	case c.Session == nil:
		return nil
	case c.Session.loss != nil:
		return lost(c.Session.loss.Kind, c.Session.loss.Cause)
	}
	return nil
}

// perform carries out a command to the browser itself.
func (b *Browser) perform(c *Call) error {
	switch c.Method {
	case methodDial:
		conn := &Conn{client: c.Client}
		b.conns = append(b.conns, conn)
		*c.Result.(**Conn) = conn
	case methodPages:
		pages := make([]browser.TargetInfo, len(b.tabs))
		for i, t := range b.tabs {
			pages[i] = t.info()
		}
		*c.Result.(*[]browser.TargetInfo) = pages
	case methodOpen:
		t := b.openTab(c.Params.(string))
		t.own = true
		*c.Result.(*browser.TargetID) = t.id
	case methodAttach:
		return b.attach(c)
	case methodClose:
		t := b.tab(c.Params.(browser.TargetID))
		if t == nil {
			return &browser.Loss{Kind: browser.TargetClosed, During: c.Method, Cause: errNoTarget}
		}
		b.removeTab(t)
	}
	return nil
}

func (b *Browser) attach(c *Call) error {
	p := c.Params.(attachParams)
	t := b.tab(p.id)
	switch {
	case t == nil:
		return &browser.Loss{Kind: browser.TargetClosed, During: c.Method, Cause: errNoTarget}
	case t.crashed && !p.bare:
		return &browser.Loss{Kind: browser.TargetCrashed, During: c.Method, Cause: errCrashed}
	case t.hang != NoHang && !p.bare: // set-up gets no reply, the browser does reply
		if err := c.Hang(); !errors.Is(err, browser.ErrSilent) {
			return err
		}
		return &browser.Loss{Kind: browser.TargetWedged, During: c.Method, Cause: c.Ctx.Err()}
	}
	for i := len(t.sessions) - 1; i >= 0; i-- {
		if s := t.sessions[i]; s.conn == c.Conn {
			s.end(&browser.Loss{Kind: browser.SessionStale, Cause: errStale})
		}
	}
	b.seq++
	s := &Session{conn: c.Conn, tab: t, born: b.seq}
	t.sessions = append(t.sessions, s)
	c.Conn.sessions = append(c.Conn.sessions, s)
	*c.Result.(**Session) = s
	return nil
}

// Proc is the process that made the call.
func (c *Call) Proc() interface{ Kill() } { return c.Client.p }
