package chromium

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/faults"
)

// StrikerOptions say what a Striker may strike.
type StrikerOptions struct {
	// Endpoint is the DevTools of the browser, for a shared one; ContextID the run's context in it.
	Endpoint, ContextID string
	// Own is the run's own browser, in place of Endpoint: only such a one is killed or frozen.
	Own *Own
	// Dial is for the bridge's Dialer.
	Dial []chrome.Option
}

// Striker does to a real browser what faults ask for.
//
//	bridge ══► Dialer ══► Relay ══════════► browser ◄── signals ── Own
//	                        ▲ Reset, Hold …    ▲
//	                        └──── Striker ─────┘ control connection: close, crash, loop, reload …;
//	                                             its events are the evidence
type Striker struct {
	opts  StrikerOptions
	relay *Relay
	life  context.Context
	end   context.CancelFunc
	jobs  sync.WaitGroup // loops that run in a page, calls that are left behind

	mu       sync.Mutex
	control  *chrome.Browser
	watch    *watch
	sessions []*grip
}

// grip is the control connection's session on a tab. One from before a loop can end it (F233).
type grip struct {
	*chrome.Session
	tab browser.TargetID
}

var _ faults.Striker = (*Striker)(nil)

// actLimit bounds every single act of a striker.
const actLimit = 15 * time.Second

// Errors of a striker.
var (
	ErrNotOwn = errors.New("only the run's own browser is killed or frozen; this one is shared")
	errNoTab  = errors.New("there is no tab of the bridge to strike")
	errNoLate = errors.New("this fault cannot leave a command behind")
	errNoAct  = errors.New("the striker has no such act")
)

// NewStriker starts a relay and connects to the browser.
func NewStriker(ctx context.Context, o StrikerOptions) (*Striker, error) {
	if o.Own != nil {
		o.Endpoint = o.Own.Endpoint()
	}
	r, err := StartRelay(o.Endpoint)
	if err != nil {
		return nil, err
	}
	s := &Striker{opts: o, relay: r}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	if _, _, err := s.connected(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Dialer is the bridge's way to the browser, through the relay.
func (s *Striker) Dialer() browser.Dialer {
	opts := s.opts.Dial
	if s.opts.ContextID != "" {
		opts = append(opts[:len(opts):len(opts)], chrome.WithBrowserContext(s.opts.ContextID))
	}
	return chrome.NewDialer(s.relay.Endpoint(), opts...)
}

// Relay is the line between bridge and browser.
func (s *Striker) Relay() *Relay { return s.relay }

// Close ends relay and control connection; loops that it started in pages end with their tabs.
func (s *Striker) Close() error {
	s.end()
	var errs []error
	s.mu.Lock()
	control := s.control
	s.mu.Unlock()
	if control != nil {
		errs = append(errs, control.Close())
	}
	errs = append(errs, s.relay.Close())
	s.jobs.Wait()
	return errors.Join(errs...)
}

// Remote is true: a loss takes a moment from the thing to the client.
func (s *Striker) Remote() bool { return true }

// connected returns the control connection, made anew when the browser was started again.
func (s *Striker) connected(ctx context.Context) (*chrome.Browser, *watch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.control != nil && s.control.Lost() == nil {
		return s.control, s.watch, nil
	}
	if s.control != nil {
		_ = s.control.Close() // it is lost
	}
	s.control, s.sessions, s.watch = nil, nil, newWatch()
	b, err := chrome.NewDialer(s.opts.Endpoint, chrome.WithFrameLog(s.watch.hear)).Connect(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("the striker's control connection: %w", err)
	}
	err = b.Call(
		ctx,
		target.CommandSetDiscoverTargets,
		target.SetDiscoverTargetsParams{Discover: true},
		nil,
	)
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	s.control = b
	return b, s.watch, nil
}

// bounded is the context of one act.
func (s *Striker) bounded() (context.Context, context.CancelFunc) {
	return wall.WithTimeout(s.life, actLimit)
}

// Strike carries out a fault; see faults.Striker.
func (s *Striker) Strike(f faults.Fault, at faults.Aim) (string, error) {
	ctx, cancel := s.bounded()
	defer cancel()
	switch f.Kind {
	case faults.Sever, faults.HalfOpen, faults.Stall, faults.Corrupt, faults.Repeat:
		return s.strikeLine(f, at)
	case faults.KillBrowser, faults.Relaunch, faults.FreezeBrowser:
		return s.strikeProcess(f)
	case faults.Detach:
		return s.detach(ctx, at)
	case faults.CloseTab:
		return s.closeTab(ctx, at.Target)
	}
	if at.Target == "" {
		return "", errNoTab
	}
	g, w, err := s.grip(ctx, at.Target)
	if err != nil {
		return "", err
	}
	return s.strikeTab(ctx, f, g, w)
}

// strikeLine strikes the sockets of the bridge, or the next dial when it has none.
func (s *Striker) strikeLine(f faults.Fault, at faults.Aim) (string, error) {
	if at.Browser == nil || at.Browser.Lost() != nil {
		if f.Kind != faults.Sever && f.Kind != faults.HalfOpen {
			return "", ErrNoSocket
		}
		s.relay.MeetNext(f.Kind == faults.HalfOpen)
		return "the next connection through the relay meets it", nil
	}
	switch f.Kind {
	case faults.HalfOpen:
		return s.relay.Hold()
	case faults.Stall:
		return s.relay.Stall()
	case faults.Corrupt:
		return s.relay.Garbage()
	case faults.Repeat:
		return s.relay.Repeat()
	}
	return s.sever(f)
}

func (s *Striker) sever(f faults.Fault) (string, error) {
	switch f.Params.How {
	case faults.HowFin:
		return s.relay.Finish()
	case faults.HowClose:
		return s.relay.CloseFrame(f.Params.Code)
	}
	return s.relay.Reset()
}

// strikeProcess strikes the run's own browser.
func (s *Striker) strikeProcess(f faults.Fault) (string, error) {
	if s.opts.Own == nil {
		return "", ErrNotOwn
	}
	if f.Kind == faults.FreezeBrowser {
		return s.opts.Own.Freeze()
	}
	return s.opts.Own.Kill()
}

// Heal undoes a fault whose time is over.
func (s *Striker) Heal(f faults.Fault) (string, error) {
	if s.life.Err() != nil {
		return "", fmt.Errorf("the striker is closed: %w", s.life.Err())
	}
	switch f.Kind {
	case faults.Stall:
		return s.relay.Release(), nil
	case faults.Relaunch:
		return s.opts.Own.Relaunch(s.life)
	case faults.FreezeBrowser:
		return s.opts.Own.Thaw()
	case faults.WedgeTab:
		return s.loopsOver()
	case faults.Dialog:
		return s.answerDialogs()
	}
	return "", fmt.Errorf("%s: %w", f.Kind, errNoAct)
}

// under and beneath are the client's own browser and session, below whatever logs them.
func under(b browser.Browser) browser.Browser {
	if w, ok := b.(interface{ Unwrap() browser.Browser }); ok {
		return under(w.Unwrap())
	}
	return b
}

func beneath(s browser.Session) browser.Session {
	if w, ok := s.(interface{ Unwrap() browser.Session }); ok {
		return beneath(w.Unwrap())
	}
	return s
}

// detach ends the bridge's own session from the browser's side: Chromium lets only the connection
// that owns a session detach it, so the command goes there, past the bridge.
func (s *Striker) detach(ctx context.Context, at faults.Aim) (string, error) {
	b, ok := under(at.Browser).(*chrome.Browser)
	own, attached := beneath(at.Session).(*chrome.Session)
	if !ok || !attached {
		return "", errNoTab
	}
	_, w, err := s.connected(ctx)
	if err != nil {
		return "", err
	}
	mark := w.mark()
	err = b.Call(ctx, target.CommandDetachFromTarget,
		target.DetachFromTargetParams{SessionID: own.ID()}, nil)
	if err != nil {
		return "", err
	}
	if s.holds(at.Target) { // our own session keeps it attached
		return fmt.Sprintf("session %s was detached, tab %s lives", own.ID(), at.Target), nil
	}
	e, err := await(ctx, w, mark, cdproto.EventTargetTargetInfoChanged,
		func(e *target.EventTargetInfoChanged) bool {
			return e.TargetInfo != nil && string(e.TargetInfo.TargetID) == string(at.Target) &&
				!e.TargetInfo.Attached
		})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the browser reports tab %s as not attached", e.TargetInfo.TargetID), nil
}

func (s *Striker) closeTab(ctx context.Context, id browser.TargetID) (string, error) {
	if id == "" {
		return "", errNoTab
	}
	b, w, err := s.connected(ctx)
	if err != nil {
		return "", err
	}
	mark := w.mark()
	if err := b.CloseTarget(ctx, id); err != nil {
		return "", err
	}
	e, err := await(ctx, w, mark, cdproto.EventTargetTargetDestroyed,
		func(e *target.EventTargetDestroyed) bool { return string(e.TargetID) == string(id) })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the browser reports Target.targetDestroyed for %s", e.TargetID), nil
}
