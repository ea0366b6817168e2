package chrome

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"bridgesim/bridge/browser"
)

// codeStale is the protocol's code for an unknown session id (F102).
const codeStale = -32001

// mends are the commands that a crashed tab still carries out; they bring it back (F227).
var mends = map[string]bool{page.CommandReload: true, page.CommandNavigate: true}

// pending is one call in flight.
type pending struct {
	method string
	sess   *Session // nil: a command to the browser
	// arrived runs on the reader before the next message is read.
	arrived func(*cdproto.Message)
	result  chan outcome
}

type outcome struct {
	msg  *cdproto.Message
	loss *browser.Loss
}

// deliver never blocks; the first outcome of a call is its outcome.
func (p *pending) deliver(o outcome) {
	select {
	case p.result <- o:
	default:
	}
}

// command makes one call on a session, or on the browser when s is nil.
func (c *conn) command(ctx context.Context, s *Session, method string, params, result any) error {
	msg, err := c.roundTrip(ctx, &pending{method: method, sess: s}, params)
	switch {
	case err != nil:
		return err
	case msg.Error != nil:
		return c.protocolError(ctx, s, method, msg.Error)
	case result == nil:
		return nil
	}
	if err := decode(msg.Result, result); err != nil {
		return fmt.Errorf("%s: the reply cannot be read: %w", method, err)
	}
	return nil
}

// roundTrip sends the command and waits for its reply, a loss or the end of ctx.
func (c *conn) roundTrip(ctx context.Context, p *pending, params any) (*cdproto.Message, error) {
	ctx, cancel := bounded(ctx, c.opt.callTimeout)
	defer cancel()
	if ctx.Err() != nil {
		return nil, gaveUp(ctx, p.method)
	}
	raw, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("%s: the parameters cannot be written: %w", p.method, err)
	}
	p.result = make(chan outcome, 1)
	msg, out, loss := c.register(p)
	if loss != nil {
		return nil, during(loss, p.method)
	}
	defer c.forget(msg.ID)
	msg.Params = raw
	select {
	case out <- frame{ctx, msg}:
	case o := <-p.result:
		return o.msg, during(o.loss, p.method)
	case <-ctx.Done():
		return nil, gaveUp(ctx, p.method)
	}
	return p.wait(ctx)
}

func (p *pending) wait(ctx context.Context) (*cdproto.Message, error) {
	select {
	case o := <-p.result:
		return o.msg, during(o.loss, p.method)
	case <-ctx.Done():
	}
	select { // a reply that is there already counts
	case o := <-p.result:
		return o.msg, during(o.loss, p.method)
	default:
		return nil, gaveUp(ctx, p.method)
	}
}

// register books the call. The channel is nil for a session whose end is being judged: nothing is
// sent on it any more, and the call gets the verdict.
func (c *conn) register(p *pending) (*cdproto.Message, chan<- frame, *browser.Loss) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loss != nil {
		return nil, nil, c.loss
	}
	out := c.out
	msg := &cdproto.Message{Method: cdproto.MethodType(p.method)}
	if s := p.sess; s != nil {
		if s.loss != nil && (!s.crashedLocked() || !mends[p.method]) {
			return nil, nil, s.loss
		}
		if s.judging {
			out = nil
		}
		msg.SessionID = s.id
	}
	c.lastID++
	msg.ID = c.lastID
	c.pending[msg.ID] = p
	return msg, out, nil
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

// reply matches by id alone; an unknown id is the reply of a call that gave up.
func (c *conn) reply(msg *cdproto.Message) {
	c.mu.Lock()
	p := c.pending[msg.ID]
	delete(c.pending, msg.ID)
	c.mu.Unlock()
	if p == nil {
		return
	}
	if p.arrived != nil {
		p.arrived(msg)
	}
	p.deliver(outcome{msg: msg})
}

// protocolError keeps the browser's error as a *cdproto.Error; a void session id is a loss.
func (c *conn) protocolError(
	ctx context.Context, s *Session, method string, e *cdproto.Error,
) error {
	if s != nil && e.Code == codeStale {
		return s.stale(ctx, method, e)
	}
	return fmt.Errorf("%s: %w", method, e)
}

// during is the loss as one call met it; nil stays nil.
func during(l *browser.Loss, method string) error {
	if l == nil {
		return nil
	}
	return &browser.Loss{Kind: l.Kind, During: method, Cause: l.Cause}
}

// gaveUp is the error of a call whose context ended: its own error when the caller cancelled, the
// loss Silent when a deadline passed.
func gaveUp(ctx context.Context, method string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &browser.Loss{Kind: browser.Silent, During: method, Cause: ctx.Err()}
	}
	return ctx.Err()
}

// encode writes parameters as cdproto does; types with their own MarshalJSON write themselves.
func encode(params any) ([]byte, error) {
	if params == nil {
		return nil, nil
	}
	return jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
}

func decode(raw []byte, into any) error {
	return jsonv2.Unmarshal(raw, into, chromedp.DefaultUnmarshalOptions)
}
