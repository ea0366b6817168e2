package chromium

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/clock"
)

// disposeLimit bounds the disposal of a browser context.
const disposeLimit = 5 * time.Second

// ErrPoolClosed is the error of an Acquire after Close.
var ErrPoolClosed = errors.New("the browser pool is closed")

// Options of a Pool.
type Options struct {
	// Launch is for every browser of the pool. A fixed Port or ProfileDir suits only pools that
	// never hold two browsers at a time.
	Launch launch.Options
	// Dial is for every Dialer of a Lease.
	Dial []chrome.Option
}

// Pool gives each scenario a fresh browser context in one shared browser. It is safe for concurrent
// use. The shared browser starts at the first Acquire, and again when it was lost.
type Pool struct {
	opt  Options
	life context.Context
	end  context.CancelFunc
	// turn serializes starts; a channel, so that waiting ends with the caller's context.
	turn chan struct{}

	mu     sync.Mutex
	shared *shared
	leases map[*Lease]struct{}
	closed bool
}

// shared is the browser of the suite and the pool's own connection to it.
type shared struct {
	proc    *launch.Process
	control *chrome.Browser
}

// Lease is one scenario's browser.
type Lease struct {
	// Dialer connects to it, bound to the lease's browser context.
	Dialer browser.Dialer
	// Endpoint is the address of its DevTools, for a proxy or a foreign client.
	Endpoint string
	// ContextID is the browser context; empty for an own process, which needs none.
	ContextID string
	// Process is the browser of AcquireOwn, and nil for a shared one, which nobody may kill.
	Process *launch.Process

	pool    *Pool
	control *chrome.Browser
	once    sync.Once
	err     error
}

// NewPool returns a pool; no browser starts yet.
func NewPool(opt Options) *Pool {
	p := &Pool{opt: opt, turn: make(chan struct{}, 1), leases: map[*Lease]struct{}{}}
	p.life, p.end = context.WithCancel(context.Background())
	return p
}

// Acquire leases a fresh browser context of the shared browser. ctx bounds the wait, not the lease.
// Further options are for this lease's Dialer alone, a frame log for instance.
func (p *Pool) Acquire(ctx context.Context, opts ...chrome.Option) (*Lease, error) {
	s, err := p.browser(ctx)
	if err != nil {
		return nil, err
	}
	var r target.CreateBrowserContextResult
	if err := s.control.Call(ctx, target.CommandCreateBrowserContext,
		target.CreateBrowserContextParams{}, &r); err != nil {
		return nil, fmt.Errorf("a fresh browser context: %w", err)
	}
	id := string(r.BrowserContextID)
	all := append(slices.Concat(p.opt.Dial, opts), chrome.WithBrowserContext(id))
	return p.lease(&Lease{
		Dialer: chrome.NewDialer(s.proc.Endpoint(), all...), Endpoint: s.proc.Endpoint(),
		ContextID: id, pool: p, control: s.control,
	})
}

// AcquireOwn leases a browser process with its own profile. The scenario may kill or freeze it.
func (p *Pool) AcquireOwn(ctx context.Context, opts ...chrome.Option) (*Lease, error) {
	proc, err := p.launch(ctx)
	if err != nil {
		return nil, err
	}
	return p.lease(&Lease{
		Dialer:   chrome.NewDialer(proc.Endpoint(), slices.Concat(p.opt.Dial, opts)...),
		Endpoint: proc.Endpoint(), Process: proc, pool: p,
	})
}

// browser returns the shared browser, starting it when there is none that answers.
func (p *Pool) browser(ctx context.Context) (*shared, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	s := p.shared
	p.mu.Unlock()
	if s != nil && s.control.Lost() == nil {
		return s, nil
	}
	s, err := p.replace(ctx, s)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.Join(ErrPoolClosed, s.close())
	}
	p.shared = s
	return s, nil
}

func (p *Pool) replace(ctx context.Context, old *shared) (*shared, error) {
	if old != nil {
		if err := old.close(); err != nil {
			return nil, err
		}
	}
	proc, err := p.launch(ctx)
	if err != nil {
		return nil, err
	}
	control, err := chrome.NewDialer(proc.Endpoint()).Connect(ctx)
	if err != nil {
		return nil, errors.Join(err, proc.Close())
	}
	return &shared{proc: proc, control: control}, nil
}

// launch starts a browser that lives with the pool; ctx bounds only the start.
func (p *Pool) launch(ctx context.Context) (*launch.Process, error) {
	life, cancel := context.WithCancel(p.life)
	stop := context.AfterFunc(ctx, cancel)
	proc, err := launch.Launch(life, p.opt.Launch)
	if err != nil {
		cancel()
	}
	switch {
	case p.life.Err() != nil:
		return nil, errors.Join(ErrPoolClosed, closeProcess(proc))
	case !stop():
		return nil, errors.Join(ctx.Err(), closeProcess(proc))
	}
	return proc, err
}

func closeProcess(proc *launch.Process) error {
	if proc == nil {
		return nil
	}
	return proc.Close()
}

func (p *Pool) lease(l *Lease) (*Lease, error) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.leases[l] = struct{}{}
	}
	p.mu.Unlock()
	if closed {
		return nil, errors.Join(ErrPoolClosed, l.Close())
	}
	return l, nil
}

// Close disposes of the lease's browser context with its tabs, or ends its own browser. A second
// Close does nothing.
func (l *Lease) Close() error {
	l.once.Do(func() {
		l.pool.mu.Lock()
		delete(l.pool.leases, l)
		l.pool.mu.Unlock()
		if l.Process != nil {
			l.err = l.Process.Close()
			return
		}
		l.err = l.dispose()
	})
	return l.err
}

func (l *Lease) dispose() error {
	ctx, cancel := clock.Wall().WithTimeout(context.Background(), disposeLimit)
	defer cancel()
	err := l.control.Call(ctx, target.CommandDisposeBrowserContext,
		target.DisposeBrowserContextParams{BrowserContextID: cdp.BrowserContextID(l.ContextID)}, nil)
	if l.control.Lost() != nil {
		return nil // the context is gone with its browser
	}
	return err
}

// Close closes every lease and the shared browser. A second Close does nothing.
func (p *Pool) Close() error {
	p.mu.Lock()
	leases, s := p.leases, p.shared
	p.leases, p.shared, p.closed = map[*Lease]struct{}{}, nil, true
	p.mu.Unlock()
	var errs []error
	for l := range leases {
		errs = append(errs, l.Close())
	}
	if s != nil {
		errs = append(errs, s.close())
	}
	p.end()
	return errors.Join(errs...)
}

func (s *shared) close() error {
	return errors.Join(s.control.Close(), s.proc.Close())
}
