package sim

import (
	"context"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/fakesite"
	"bridgesim/faults"
)

// Engine builds stages: the part of a world that differs between a model and a real browser.
type Engine interface {
	Name() string
	// Ready checks that the machine has what the engine needs; a *MissingError says what is missing.
	Ready(ctx context.Context) error
	// Stage puts the site of w on a stage; the world's Log, Site and Script exist already.
	Stage(ctx context.Context, w *World) (Stage, error)
	// Close frees what stages share, for example a browser process.
	Close() error
}

// Stage is where one run plays.
type Stage interface {
	// WorldClock is the time of site and agent.
	WorldClock() clock.Clock
	// SiteURL is the base address under which the stage's browser finds the site.
	SiteURL() string
	// Site calls f with the site, alone.
	Site(f func(now time.Time, s *fakesite.Site))
	// Pace is how many seconds pass on the world's clock in one of the clock of single calls.
	Pace() int
	// Tuning are the times of a bridge on this stage.
	Tuning() bridge.Tuning
	// Store opens the state folder of pi; it outlives the process.
	Store() (session.Store, error)
	// Striker does faults to the thing itself; Cache reaches pi's state folder from outside.
	Striker() faults.Striker
	Cache() faults.Cache
	// After calls f when d has passed in the world; AfterReal on the clock of single calls.
	After(d time.Duration, f func())
	AfterReal(d time.Duration, f func())
	// Idle lets the world go on for d without pi.
	Idle(ctx context.Context, d time.Duration) error
	// Play runs one process of pi to its end: f gets what is given to a process.
	Play(ctx context.Context, f func(ctx context.Context, p Process)) error
	// Close takes the stage down; nothing of it stays behind.
	Close() error
}

// Process is what one process of pi is given by the stage.
type Process struct {
	Clock   clock.Clock
	Browser browser.Dialer
	// At hears the operation to which the next calls belong. A stage that has one logs the calls by
	// itself, under that operation; with nil the world does it.
	At func(op point.Op, round int)
	// eye looks at what the process is connected to; nil: the world reads along by itself, and asks
	// tabs, if there are any.
	eye  eye
	tabs *tabList
}
