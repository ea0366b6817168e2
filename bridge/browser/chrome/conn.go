package chrome

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"

	"bridgesim/bridge/browser"
)

// conn is one websocket with its goroutines. Its lock guards the calls in flight, the sessions and
// their losses, so a reply, an event and a loss are seen in the order of the wire.
type conn struct {
	tr  *remote.Conn
	opt options
	out chan frame
	// life ends with the connection.
	life context.Context
	end  context.CancelFunc
	seen atomic.Int64 // frames received, for the heartbeat
	wg   sync.WaitGroup

	mu       sync.Mutex
	lastID   int64
	pending  map[int64]*pending
	sessions map[target.SessionID]*Session
	loss     *browser.Loss
}

// frame is a command on its way to the wire; ctx is its caller's.
type frame struct {
	ctx context.Context
	msg *cdproto.Message
}

func newConn(tr *remote.Conn, opt options) *conn {
	c := &conn{
		tr: tr, opt: opt, out: make(chan frame),
		pending: map[int64]*pending{}, sessions: map[target.SessionID]*Session{},
	}
	c.life, c.end = context.WithCancel(context.Background())
	c.wg.Go(c.read)
	c.wg.Go(c.write)
	if opt.beatEvery > 0 {
		c.wg.Go(c.beat)
	}
	return c
}

// read hands every message on until the transport ends.
func (c *conn) read() {
	for {
		msg := new(cdproto.Message)
		if err := c.tr.Read(c.life, msg); err != nil {
			// A message that cannot be read ends the connection too: nobody can tell whose reply it
			// was, and a call must not wait for what will not come.
			c.fail(&browser.Loss{Kind: browser.SocketLost, Cause: err})
			return
		}
		c.seen.Add(1)
		c.opt.log('<', msg)
		c.dispatch(msg)
	}
}

func (c *conn) dispatch(msg *cdproto.Message) {
	switch {
	case msg.Method == "":
		c.reply(msg)
	case msg.SessionID != "":
		if s := c.session(msg.SessionID); s != nil {
			s.handle(msg)
		}
	case msg.Method == cdproto.EventTargetDetachedFromTarget:
		var ev target.EventDetachedFromTarget
		if decode(msg.Params, &ev) == nil {
			c.detached(ev.SessionID)
		}
	}
}

// write is the only writer. It skips a command whose caller is gone: past its deadline it must not
// act any more.
func (c *conn) write() {
	for {
		select {
		case <-c.life.Done():
			return
		case f := <-c.out:
			if f.ctx.Err() != nil {
				continue
			}
			c.opt.log('>', f.msg)
			if err := c.tr.Write(c.life, f.msg); err != nil {
				c.writeFailed(err)
				return
			}
		}
	}
}

// writeFailed waits a moment for the reader, whose error says more: a close code, a reset.
func (c *conn) writeFailed(err error) {
	ctx, cancel := wall.WithTimeout(c.life, detachGrace)
	defer cancel()
	<-ctx.Done()
	c.fail(&browser.Loss{Kind: browser.SocketLost, Cause: err})
}

var errHalfOpen = errors.New("the socket is open but the browser does not answer the heartbeat")

// beat finds a half-open socket without any traffic of the user. A frame that arrives in the
// meantime proves the socket, also when the answer waits behind a large message.
func (c *conn) beat() {
	for wall.Sleep(c.life, c.opt.beatEvery) == nil {
		seen := c.seen.Load()
		ctx, cancel := wall.WithTimeout(c.life, c.opt.beatLimit)
		err := c.command(ctx, nil, cdpbrowser.CommandGetVersion, cdp.Empty{}, nil)
		cancel()
		if errors.Is(err, browser.ErrSilent) && c.seen.Load() == seen {
			c.fail(&browser.Loss{Kind: browser.SocketLost, Cause: errHalfOpen})
			return
		}
	}
}

// fail ends the connection once: every session is lost and every call in flight ends now.
func (c *conn) fail(l *browser.Loss) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loss != nil {
		return
	}
	c.loss = l
	for _, s := range c.sessions {
		s.endLocked(l)
	}
	for id, p := range c.pending {
		delete(c.pending, id)
		p.deliver(outcome{loss: l})
	}
	c.end()
	// The transport says goodbye to a peer that may be silent, up to two seconds: only close waits.
	c.wg.Go(func() { _ = c.tr.Close() })
}

// errClosed is the cause of a loss that our own Close made.
var errClosed = fmt.Errorf("closed by the bridge: %w", net.ErrClosed)

func (c *conn) close() {
	c.fail(&browser.Loss{Kind: browser.SocketLost, Cause: errClosed})
	c.wg.Wait()
}

func (c *conn) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loss == nil {
		return nil
	}
	return c.loss
}

func (c *conn) session(id target.SessionID) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[id]
}
