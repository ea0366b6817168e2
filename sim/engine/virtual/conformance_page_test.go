package virtual_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"bridgesim/bridge/browser"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/sim/engine/chromium"
	"bridgesim/sim/event"
)

// handClock is moved by hand.
type handClock struct {
	mu    sync.Mutex
	now   time.Time
	moved chan struct{}
}

func (c *handClock) look() (time.Time, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.moved
}

func (c *handClock) Now() time.Time { now, _ := c.look(); return now }

func (c *handClock) Sleep(ctx context.Context, d time.Duration) error {
	for until := c.Now().Add(d); ; {
		now, moved := c.look()
		if !now.Before(until) {
			return ctx.Err()
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *handClock) WithTimeout(
	ctx context.Context, d time.Duration) (context.Context, context.CancelFunc,
) {
	return context.WithTimeout(ctx, d)
}

func (c *handClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	close(c.moved)
	c.moved = make(chan struct{})
}

// patience is how long the real browser may take for one thing.
const patience = 30 * time.Second

// realPage is a tab of a real browser on a served site.
type realPage struct {
	t      *testing.T
	s      browser.Session
	clock  *handClock
	server *web.Server
	model  *stagehand // played before: it says which clicks send
	calls  int        // of posted
	sends  int        // those that went out
}

func (c *conformance) onChromium(t *testing.T, pool *chromium.Pool, model *stagehand) *stagehand {
	ctx, cancel := context.WithTimeout(background, patience)
	t.Cleanup(cancel)
	hand := &handClock{now: event.Epoch, moved: make(chan struct{})}
	server := demand(web.Start(web.Options{Site: c.siteOf(), Clock: hand}))(t)
	t.Cleanup(func() { _ = server.Close() })
	lease := demand(pool.Acquire(ctx))(t)
	t.Cleanup(func() { _ = lease.Close() })
	b := demand(lease.Dialer.Dial(ctx))(t)
	tab := demand(b.Open(ctx, server.URL()+"/"))(t)
	p := &realPage{t: t, clock: hand, server: server, model: model, s: demand(b.Attach(ctx, tab))(t)}
	h := &stagehand{
		s: p.s, base: server.URL(), advance: p.advance, posted: p.posted, reload: p.reload,
		site: func(f func(*fakesite.Site)) { server.Do(func(_ time.Time, s *fakesite.Site) { f(s) }) },
	}
	p.advance(0)
	c.play(h)
	return h
}

func demand[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// advance moves the clock and waits until the page shows that moment.
func (p *realPage) advance(d time.Duration) {
	p.clock.move(d)
	p.shows(fmt.Sprintf("Number(document.documentElement.dataset.fakeVersion) >= %d", p.server.Tick()))
}

// shows waits in the page until an expression holds. A new document asks again.
func (p *realPage) shows(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(background, patience)
	defer cancel()
	await := runtime.EvaluateParams{
		Expression: "new Promise((done) => { const look = () => { if (location.protocol === 'http:' && " +
			"(" +
			expression + ")) done(true); else setTimeout(look, 5); }; look(); })",
		AwaitPromise: yes(), ReturnByValue: yes(),
	}
	for {
		r, err := browser.Call(ctx, p.s, runtime.Evaluate, await)
		switch {
		case err == nil && r.ExceptionDetails == nil:
			return
		case ctx.Err() != nil || errors.Is(err, browser.ErrSilent):
			p.t.Fatalf("the page never showed %q: %v", expression, err)
		}
	}
}

func yes() *bool { b := true; return &b }

func (p *realPage) reload() {
	p.shows("(globalThis.__old = true)")
	if err := p.s.Call(background, "Page.reload", struct{}{}, nil); err != nil {
		p.t.Fatal(err)
	}
	p.shows("!globalThis.__old")
	p.advance(0)
}

// posted waits for the send that the model made as well, and until the site has it.
func (p *realPage) posted() string {
	sent := p.model.ids[p.calls] != ""
	if p.calls++; !sent {
		return ""
	}
	ctx, cancel := context.WithTimeout(background, patience)
	defer cancel()
	var entry *fakesite.Entry
	err := p.server.Wait(ctx, func(_ time.Time, s *fakesite.Site) bool {
		n := 0
		for _, e := range s.Ledger().Entries() {
			if e.Kind != fakesite.Answered && e.Kind != fakesite.Halted {
				if n++; n > p.sends {
					entry = e
				}
			}
		}
		return entry != nil
	})
	if err != nil {
		p.t.Fatalf("the page did not send what the model sent: %v", err)
	}
	p.sends++
	return entry.MessageID
}
