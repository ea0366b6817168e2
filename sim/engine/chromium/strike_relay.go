package chromium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/gobwas/ws"
)

// Relay stands between a client and a browser's DevTools port, on loopback, and strikes the line
// itself. It reads websocket frames only to find the places between two of them.
//
//	client ══► Relay ══► DevTools port
//	             └ Reset, Finish, CloseFrame, Garbage, Hold, Stall, Repeat, MeetNext
//
// A strike meets the websockets that are open at the time; a connection made later is not touched.
type Relay struct {
	ln       net.Listener
	upstream string
	wg       sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond // a pair ended, a frame passed, a line was let go
	pairs   map[*pair]struct{}
	next    meeting
	passed  int // commands to a page that were handed to the browser
	closed  bool
}

// meeting is what the next connection meets.
type meeting uint8

const (
	meetNothing meeting = iota
	meetReset           // it is reset at once
	meetSilence         // it is accepted, and nothing comes
)

// StartRelay listens on a free port of loopback and relays to a DevTools endpoint on loopback.
func StartRelay(endpoint string) (*Relay, error) {
	host := strings.TrimPrefix(endpoint, "http://")
	name, _, err := net.SplitHostPort(host)
	if ip := net.ParseIP(name); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("relay to %q: want http://127.0.0.1:PORT", endpoint)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("relay: %w", err)
	}
	r := &Relay{ln: ln, upstream: host, pairs: map[*pair]struct{}{}}
	r.changed = sync.NewCond(&r.mu)
	r.wg.Go(r.accept)
	return r, nil
}

// Endpoint is what the client dials: "http://127.0.0.1:PORT".
func (r *Relay) Endpoint() string { return "http://" + r.ln.Addr().String() }

// Close ends every connection and waits for the relay's goroutines.
func (r *Relay) Close() error {
	r.mu.Lock()
	r.closed = true
	for p := range r.pairs {
		p.polite = false
		p.cut()
	}
	r.changed.Broadcast()
	r.mu.Unlock()
	err := r.ln.Close()
	r.wg.Wait()
	return err
}

func (r *Relay) accept() {
	for {
		c, err := r.ln.Accept()
		if err != nil {
			return
		}
		client := c.(*net.TCPConn)
		switch r.meet() {
		case meetReset:
			_ = client.SetLinger(0)
			_ = client.Close()
		case meetSilence:
			r.wg.Go(func() { r.swallow(client) })
		default:
			r.wg.Go(func() { r.connect(client) })
		}
	}
}

func (r *Relay) meet() meeting {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.next
	r.next = meetNothing
	return m
}

// MeetNext lets the next connection be reset (silence = false) or meet silence.
func (r *Relay) MeetNext(silence bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = meetReset
	if silence {
		r.next = meetSilence
	}
}

// swallow is a connection to which nobody answers.
func (r *Relay) swallow(client *net.TCPConn) {
	p := &pair{relay: r, client: client, held: true}
	if !r.add(p) {
		return
	}
	_, _ = io.Copy(io.Discard, client)
	r.end(p)
}

func (r *Relay) connect(client *net.TCPConn) {
	up, err := net.Dial("tcp", r.upstream)
	if err != nil {
		// Nobody listens: the client finds it as it would without the relay, but for the refusal.
		_ = client.SetLinger(0)
		_ = client.Close()
		return
	}
	p := &pair{relay: r, client: client, browser: up.(*net.TCPConn)}
	if !r.add(p) {
		return
	}
	var done sync.WaitGroup
	done.Go(func() {
		defer r.leave(p)
		p.fromClient()
	})
	done.Go(func() {
		defer r.end(p)
		p.fromBrowser()
	})
	done.Wait()
}

func (r *Relay) add(p *pair) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		p.cut()
		return false
	}
	r.pairs[p] = struct{}{}
	return true
}

// leave is the end of the client's side, and with it of the browser's.
func (r *Relay) leave(p *pair) {
	r.mu.Lock()
	p.polite = false
	r.mu.Unlock()
	r.end(p)
}

// end takes both sides down with the first that ends.
func (r *Relay) end(p *pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.cut()
	delete(r.pairs, p)
	r.changed.Broadcast()
}

// cut closes both sides; the relay's lock is held. A client that was told the end in order is left
// to close its side: a reset would overtake what it was told.
func (p *pair) cut() {
	p.ended = true
	if !p.polite {
		_ = p.client.Close()
	}
	if p.browser != nil {
		_ = p.browser.Close()
	}
}

// noticed counts a command to a page that was handed on; those to the browser itself name no
// session.
func (r *Relay) noticed(head []byte) {
	if !bytes.Contains(head, []byte(`"sessionId"`)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passed++
	r.changed.Broadcast()
}

// Passed is the number of commands to a page that were handed to the browser.
func (r *Relay) Passed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.passed
}

// AwaitPassed waits until more than n such commands were handed to the browser.
func (r *Relay) AwaitPassed(ctx context.Context, n int) error {
	return r.await(ctx, func() bool { return r.passed > n })
}

// await waits for a change that f, called under the lock, finds.
func (r *Relay) await(ctx context.Context, f func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !f() && ctx.Err() == nil && !r.closed {
		r.changed.Wait()
	}
	if !f() {
		return errors.Join(ctx.Err(), errors.New("the relay did not see it"))
	}
	return nil
}

// sockets are the websockets that are open and that the browser still hears.
func (r *Relay) sockets() []*pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*pair
	for p := range r.pairs {
		if p.socket && !p.ended {
			out = append(out, p)
		}
	}
	return out
}

// ErrNoSocket says that no client is connected through the relay.
var ErrNoSocket = errors.New("no websocket is open through the relay")

// each strikes every open websocket and says how many there were.
func (r *Relay) each(how string, f func(p *pair) error) (string, error) {
	open := r.sockets()
	if len(open) == 0 {
		return "", ErrNoSocket
	}
	for _, p := range open {
		if err := f(p); err != nil {
			return "", fmt.Errorf("%s: %w", how, err)
		}
	}
	return fmt.Sprintf("the relay %s %d socket(s), the client's side is %s",
		how, len(open), open[0].client.RemoteAddr()), nil
}

// Reset sends RST to the client and ends the browser's side.
func (r *Relay) Reset() (string, error) {
	return r.each("reset", func(p *pair) error {
		if err := p.client.SetLinger(0); err != nil {
			return err
		}
		r.end(p)
		return nil
	})
}

// Finish sends FIN to the client, without a close frame, and ends the browser's side.
func (r *Relay) Finish() (string, error) {
	return r.each("ended", func(p *pair) error { return r.bow(p, nil) })
}

// bow ends the stream to the client in order, with last words, and the browser's side at once; what
// the client still says is swallowed.
func (r *Relay) bow(p *pair, last func() error) error {
	p.toClient.Lock()
	defer p.toClient.Unlock()
	r.mu.Lock()
	p.polite, p.held = true, true
	r.mu.Unlock()
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	err := p.client.CloseWrite()
	_ = p.browser.Close()              // the browser sees its client go
	if errors.Is(err, net.ErrClosed) { // the client took the last words and closed first
		return nil
	}
	return err
}

// CloseFrame sends a close frame with a code between two frames, and ends both sides.
func (r *Relay) CloseFrame(code int) (string, error) {
	body := ws.NewCloseFrameBody(ws.StatusCode(code), "")
	return r.each(fmt.Sprintf("sent a close frame with code %d to", code), func(p *pair) error {
		return r.bow(p, func() error { return ws.WriteFrame(p.client, ws.NewCloseFrame(body)) })
	})
}

// Garbage sends a text message that is no JSON between two frames.
func (r *Relay) Garbage() (string, error) {
	return r.each("sent a message that is no JSON to", func(p *pair) error {
		p.toClient.Lock()
		defer p.toClient.Unlock()
		return ws.WriteFrame(p.client, ws.NewTextFrame([]byte(`{"id"`)))
	})
}

// Repeat sends the last message from the browser once more.
func (r *Relay) Repeat() (string, error) {
	return r.each("sent its last message again to", func(p *pair) error {
		p.toClient.Lock()
		defer p.toClient.Unlock()
		if p.last == nil {
			return errors.New("the last message was too long to be kept, or there was none")
		}
		_, err := p.client.Write(p.last)
		return err
	})
}

// Hold makes the open websockets half-open: from now on bytes are swallowed in both directions.
func (r *Relay) Hold() (string, error) {
	return r.each("swallows the bytes of", func(p *pair) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		p.held = true
		return nil
	})
}

// Stall holds the bytes of the open websockets back, in both directions, until Release.
func (r *Relay) Stall() (string, error) {
	return r.each("holds back the bytes of", func(p *pair) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		p.stall = true
		return nil
	})
}

// Release lets go what Stall held back.
func (r *Relay) Release() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for p := range r.pairs {
		if p.stall {
			p.stall = false
			n++
		}
	}
	r.changed.Broadcast()
	return fmt.Sprintf("the relay let %d socket(s) go on", n)
}
