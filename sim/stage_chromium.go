package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/session"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/faults"
	"bridgesim/sim/engine/chromium"
)

// DefaultScale is how much faster site, agent, back-off and budgets run on a real browser: a
// thirty-minute answer takes thirty seconds. Deadlines of single calls are never scaled.
const DefaultScale = 60

// ChromiumOptions say how the real engine runs.
type ChromiumOptions struct {
	Scale  float64 // 0 = DefaultScale
	Headed bool    // show the browser
}

// chromiumEngine drives one real browser with a fresh browser context for each run.
type chromiumEngine struct {
	opts ChromiumOptions
	pool *chromium.Pool
}

// Chromium returns the engine that drives a real browser. The browser starts with the first stage.
func Chromium(o ChromiumOptions) Engine {
	if o.Scale <= 0 {
		o.Scale = DefaultScale
	}
	return &chromiumEngine{opts: o, pool: chromium.NewPool(chromium.Options{
		Launch: launch.Options{Headed: o.Headed},
	})}
}

func (e *chromiumEngine) Name() string { return "chromium" }

func (e *chromiumEngine) Close() error { return e.pool.Close() }

// Ready starts the browser, so that a missing one is one clear error and not one for each scenario.
func (e *chromiumEngine) Ready(ctx context.Context) error {
	lease, err := e.pool.Acquire(ctx)
	if err != nil {
		return missingBrowser(err)
	}
	return lease.Close()
}

// Stage serves the site on loopback and gives the run a browser context of its own, or a browser of
// its own when the schedule kills or freezes one.
func (e *chromiumEngine) Stage(ctx context.Context, w *World) (Stage, error) {
	s := &chromiumStage{scale: e.opts.Scale, clock: clock.Scaled(e.opts.Scale)}
	err := s.lend(ctx, e, w.Script.Schedule)
	if err == nil {
		s.server, err = web.Start(web.Options{Site: w.site, Clock: s.clock, Scale: e.opts.Scale})
	}
	if err == nil {
		s.tabs = newTabList(s.server.URL(), s.endpoint, s.contextID())
		s.dir, err = os.MkdirTemp("", "bridgesim-pi-")
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// lend gives the stage its browser and, when there is a schedule, what strikes it.
func (s *chromiumStage) lend(ctx context.Context, e *chromiumEngine, plan faults.Schedule) error {
	o := chromium.StrikerOptions{
		Dial: []chrome.Option{chrome.WithHeartbeat(time.Second, 2*time.Second)},
	}
	var err error
	if needsOwn(plan) {
		if s.own, err = chromium.LaunchOwn(ctx, launch.Options{Headed: e.opts.Headed}); err != nil {
			return missingBrowser(err)
		}
		o.Own = s.own
	} else {
		if s.lease, err = e.pool.Acquire(ctx); err != nil {
			return missingBrowser(err)
		}
		o.Endpoint, o.ContextID = s.lease.Endpoint, s.lease.ContextID
	}
	if len(plan) == 0 {
		s.dialer = s.lease.Dialer
		return nil
	}
	if s.striker, err = chromium.NewStriker(ctx, o); err != nil {
		return err
	}
	s.dialer = s.striker.Dialer()
	return nil
}

// endpoint is where the browser listens now.
func (s *chromiumStage) endpoint() string {
	if s.own != nil {
		return s.own.Endpoint()
	}
	return s.lease.Endpoint
}

// contextID is the run's own context of a shared browser, "" in one of its own.
func (s *chromiumStage) contextID() string {
	if s.own != nil {
		return ""
	}
	return s.lease.ContextID
}

// needsOwn: a shared browser is never killed or frozen.
func needsOwn(plan faults.Schedule) bool {
	for _, f := range plan {
		switch f.Kind {
		case faults.KillBrowser, faults.Relaunch, faults.FreezeBrowser:
			return true
		}
	}
	return false
}

// missingBrowser tells a machine without a working browser from a run that was interrupted.
func missingBrowser(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &MissingError{
		What: fmt.Sprintf("no Chromium could be started: %v", err),
		Mend: `"make setup" installs one`,
		Err:  err,
	}
}

// chromiumStage is one run on a real browser.
type chromiumStage struct {
	scale   float64
	lease   *chromium.Lease // of the shared browser
	own     *chromium.Own   // instead of it
	dialer  browser.Dialer  // of the bridge
	striker *chromium.Striker
	server  *web.Server
	clock   clock.Clock
	tabs    *tabList
	dir     string // pi's state folder
	timers  []*time.Timer
}

func (s *chromiumStage) WorldClock() clock.Clock { return s.clock }

func (s *chromiumStage) SiteURL() string { return s.server.URL() }

func (s *chromiumStage) Site(f func(now time.Time, s *fakesite.Site)) { s.server.Do(f) }

func (s *chromiumStage) Striker() faults.Striker {
	if s.striker == nil {
		return nil // without a schedule nothing strikes
	}
	return s.striker
}

func (s *chromiumStage) Cache() faults.Cache { return faults.FolderCache(s.dir) }

func (s *chromiumStage) After(d time.Duration, f func()) {
	s.timers = append(s.timers, time.AfterFunc(time.Duration(float64(d)/s.scale), f))
}

func (s *chromiumStage) AfterReal(d time.Duration, f func()) {
	s.timers = append(s.timers, time.AfterFunc(d, f))
}

func (s *chromiumStage) Idle(ctx context.Context, d time.Duration) error {
	return s.clock.Sleep(ctx, d)
}

// browserTime is how long a real browser may take for what it does by itself: load a page, enable a
// button, mount a turn. The clock runs faster here, the browser does not.
const browserTime = 15 * time.Second

func (s *chromiumStage) Pace() int { return int(s.scale) }

func (s *chromiumStage) Tuning() bridge.Tuning {
	t := bridge.DefaultTuning()
	real := time.Duration(s.scale * float64(browserTime))
	t.Page.ReadyLimit = max(t.Page.ReadyLimit, real)
	t.Page.SendLimit = max(t.Page.SendLimit, real)
	t.Page.ProveLimit = max(t.Page.ProveLimit, real)
	return t
}

func (s *chromiumStage) Store() (session.Store, error) { return session.OpenFolder(s.dir) }

func (s *chromiumStage) Play(ctx context.Context, f func(context.Context, Process)) error {
	var crash *PanicError
	func() {
		defer func() {
			if r := recover(); r != nil {
				crash = &PanicError{Value: r, Stack: debug.Stack()}
			}
		}()
		f(ctx, Process{Clock: s.clock, Browser: s.dialer, tabs: s.tabs})
	}()
	if crash != nil {
		return crash
	}
	return ctx.Err()
}

// Close gives the context back before it ends the site, so that no page sees its server go.
func (s *chromiumStage) Close() error {
	for _, t := range s.timers {
		t.Stop()
	}
	var errs []error
	if s.tabs != nil {
		s.tabs.close()
	}
	if s.striker != nil {
		errs = append(errs, s.striker.Close())
	}
	if s.lease != nil {
		errs = append(errs, s.lease.Close())
	}
	if s.own != nil {
		errs = append(errs, s.own.Close())
	}
	if s.server != nil {
		errs = append(errs, s.server.Close())
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
	}
	return errors.Join(errs...)
}
