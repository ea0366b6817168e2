package virtual

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/sim/event"
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

	ticket uint64 // of a call that waits behind a hang
}

// Name is the probe's name, or the method.
func (c *Call) Name() string {
	if c.Probe != "" {
		return c.Probe
	}
	return c.Method
}

// Why a call gets no answer; never seen by a client.
var (
	errFrozen = errors.New("the browser process is stopped")
	errBusy   = errors.New("the renderer does not answer")
	errMute   = errors.New("the reply does not come")
	errWedged = errors.New("the set-up of a session gets no reply")
)

// Perform sends the command on to the browser now and returns what the client would get. A command
// that meets a hang waits there and takes its effect when the hang ends, whether or not its client
// still waits (measured: engine notes, "late effects are real").
func (c *Call) Perform() error {
	b := c.Client.b
	err := c.attempt()
	switch err {
	case errFrozen:
		b.queue = append(b.queue, c.enqueued())
		return c.Hang()
	case errBusy:
		t := c.Session.tab
		t.queue = append(t.queue, c.enqueued())
		return c.Hang()
	case errMute:
		return c.Hang()
	case errWedged: // the set-up gets no reply, the browser does reply
		if err := c.Hang(); !errors.Is(err, browser.ErrSilent) {
			return err
		}
		return c.lost(&browser.Loss{Kind: browser.TargetWedged, Cause: c.Ctx.Err()})
	}
	return err
}

// attempt carries the command out, or says why it gets no answer.
func (c *Call) attempt() error {
	b := c.Client.b
	if err := b.reach(c); err != nil {
		return err
	}
	if c.Session != nil {
		return c.Session.perform(c)
	}
	return b.perform(c)
}

// lost is a loss as this call meets it.
func (c *Call) lost(l *browser.Loss) error {
	return &browser.Loss{Kind: l.Kind, During: c.Method, Cause: l.Cause}
}

// queued is a command that waits behind a hang, and the document that it was meant for.
type queued struct {
	call Call
	doc  *document
}

func (c *Call) enqueued() queued {
	b := c.Client.b
	b.seq++
	c.ticket = b.seq
	return queued{*c, c.Document().d}
}

// release carries out what waited behind a hang, in order. Who still waits gets the answer.
func (b *Browser) release(queue []queued) {
	for i := range queue {
		q := &queue[i]
		waits := q.call.Client.awaits(q.call.ticket)
		if !waits {
			q.call.Result = nil
		}
		err := q.attempt()
		switch {
		case err == errBusy:
			t := q.call.Session.tab
			t.queue = append(t.queue, *q)
		case waits && err != errMute && err != errWedged:
			q.call.Client.answer(err)
		}
	}
}

// attempt is Call.attempt for a command whose client may be gone: the effect counts.
func (q *queued) attempt() error {
	c := &q.call
	if c.Client.awaits(c.ticket) || c.Session == nil {
		return c.attempt()
	}
	c.Apply(Document{q.doc})
	return nil
}

// Apply lets the command take its effect in its tab whatever became of session and connection, as a
// command does that waits in a busy renderer: the late phase. Its outcome is lost. It does nothing
// when the tab, its renderer or the document is gone by then; doc is Document() of an earlier
// moment.
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
	_ = late.Session.perform(&late) // nobody is there to hear of an error
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
// Silent, or earlier when session or connection end. Without a deadline the process stands still,
// and the run ends with event.ErrHang.
func (c *Call) Hang() error {
	cl := c.Client
	cl.waiting, cl.answered = c, nil
	_ = cl.p.Hang(c.Ctx) // its error is the context's
	cl.waiting = nil
	if a := cl.answered; a != nil {
		return a.err
	}
	return gaveUp(c.Ctx, c.Method)
}

// answered is the outcome of a call that was waited for.
type answered struct{ err error }

// awaits: the client waits for the call with this ticket.
func (c *Client) awaits(ticket uint64) bool {
	return c.waiting != nil && c.waiting.ticket == ticket && !c.p.Ended()
}

// answer ends the wait of the client.
func (c *Client) answer(err error) {
	c.answered = &answered{err}
	c.p.Wake()
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
	c.call, c.before = call, c.sight
	err := c.call.run()
	c.ended(err)
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
	switch {
	case c.Conn == nil && !b.up:
		return c.lost(&browser.Loss{Kind: browser.BrowserGone, Cause: errRefused})
	case c.Conn != nil && c.Conn.loss != nil:
		return c.lost(c.Conn.loss)
	case b.frozen:
		return errFrozen
	case c.Session != nil && c.Session.loss != nil:
		return c.lost(c.Session.loss)
	}
	return nil
}

// perform carries out a command to the browser itself.
func (b *Browser) perform(c *Call) error {
	switch c.Method {
	case methodDial:
		conn := &Conn{client: c.Client}
		b.conns = append(b.conns, conn)
		set(c, conn)
	case methodPages:
		pages := make([]browser.TargetInfo, len(b.tabs))
		for i, t := range b.tabs {
			pages[i] = t.info()
		}
		set(c, pages)
	case methodOpen:
		t := b.openTab(c.Params.(string))
		t.own = true
		set(c, t.id)
	case methodAttach:
		return b.attach(c)
	case methodClose:
		t := b.tab(c.Params.(browser.TargetID))
		if t == nil {
			return c.lost(&browser.Loss{Kind: browser.TargetClosed, Cause: errNoTarget})
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
		return c.lost(&browser.Loss{Kind: browser.TargetClosed, Cause: errNoTarget})
	case t.crashed && !p.bare:
		return c.lost(&browser.Loss{Kind: browser.TargetCrashed, Cause: errCrashed})
	case t.hang != NoHang && !p.bare:
		return errWedged
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
	c.Client.session = s
	c.Client.sight.Sessions++
	set(c, s)
	return nil
}

// Proc is the process that made the call; killed in a Hook, it goes down inside its own call.
func (c *Call) Proc() *event.Proc { return c.Client.p }

// set fills the result of one of the port's own calls, unless nobody waits for it any more.
func set[T any](c *Call, v T) {
	if r, ok := c.Result.(*T); ok {
		*r = v
	}
}
