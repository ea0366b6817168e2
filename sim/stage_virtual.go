package sim

import (
	"context"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/session"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/engine/virtual"
	"bridgesim/sim/event"
)

// virtualEngine is the model: no browser, no socket, no waiting.
type virtualEngine struct{}

// Virtual returns the embedded engine. It holds nothing and needs no Close.
func Virtual() Engine { return virtualEngine{} }

func (virtualEngine) Name() string { return "virtual" }

func (virtualEngine) Ready(context.Context) error { return nil }

func (virtualEngine) Close() error { return nil }

// heartbeat is how soon a client finds out by itself that its socket is half-open, on every engine.
const heartbeat = 15 * time.Second

// virtualURL is where the model's browser finds the site; it never leaves the process.
const virtualURL = "https://chatgpt.com"

// Stage sets the model up anew, in the memory of the runner's last stage.
func (virtualEngine) Stage(_ context.Context, w *World) (Stage, error) {
	s := &w.kept.model
	if s.loop == nil {
		s.loop, s.store, s.browser = event.New(), session.NewMemory(), &virtual.Browser{}
	} else {
		s.loop.Reset()
		s.store.Reset()
	}
	s.site = w.site
	s.browser.Reset(virtual.Config{
		Loop: s.loop, Site: w.site, Log: w.Log, SiteURL: virtualURL, Ledgerless: true,
		Entropy: w.Script.stream("browser", 0),
	})
	s.striker = virtual.NewStriker(s.browser, virtual.StrikerOptions{Heartbeat: heartbeat})
	return s, nil
}

// virtualStage is one run on the model.
type virtualStage struct {
	loop    *event.Loop
	site    *fakesite.Site
	store   *session.Memory
	browser *virtual.Browser
	striker faults.Striker
}

func (s *virtualStage) WorldClock() clock.Clock { return s.loop.Clock(nil) }

func (s *virtualStage) SiteURL() string { return virtualURL }

func (s *virtualStage) Site(f func(now time.Time, s *fakesite.Site)) { f(s.loop.Now(), s.site) }

func (s *virtualStage) Pace() int { return 1 }

func (s *virtualStage) Tuning() bridge.Tuning { return bridge.DefaultTuning() }

func (s *virtualStage) Store() (session.Store, error) { return s.store, nil }

// Play runs pi as a process of the loop. A panic of pi is an error of the run, never swallowed.
func (s *virtualStage) Play(_ context.Context, f func(context.Context, Process)) error {
	var pi *event.Proc
	pi = s.loop.Spawn("pi", func() {
		client := s.browser.Dialer(pi)
		f(context.Background(), Process{
			Clock: s.loop.Clock(pi), Browser: client, At: client.At, eye: modelEye{s.browser, client},
		})
	})
	if err := s.loop.Run(event.Until{Proc: pi, Bound: Bound}); err != nil {
		return err
	}
	if crash := pi.Crash(); crash != nil {
		return &PanicError{Value: crash.Value, Stack: crash.Stack}
	}
	return nil
}

func (s *virtualStage) Striker() faults.Striker { return s.striker }

func (s *virtualStage) Cache() faults.Cache { return faults.MemoryCache(s.store) }

func (s *virtualStage) After(d time.Duration, f func()) { s.loop.After(d, f) }

func (s *virtualStage) AfterReal(d time.Duration, f func()) { s.loop.After(d, f) }

func (s *virtualStage) Idle(_ context.Context, d time.Duration) error {
	over := false
	s.loop.After(d, func() { over = true })
	return s.loop.Run(event.Until{Done: func() bool { return over }})
}

// Close ends what still runs. The loop stays the runner's.
func (s *virtualStage) Close() error {
	s.loop.Reset()
	return nil
}
