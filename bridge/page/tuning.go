package page

import (
	"context"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
)

// Config is what a page needs from outside.
type Config struct {
	Clock   clock.Clock
	Entropy clock.Entropy
	Tracer  point.Tracer // nil: point.Silent
	Site    string       // base address, for example "https://chatgpt.com"
	// Round tells the round that operations are reported for; nil: always 0.
	Round  func() int
	Tuning Tuning // the zero value stands for DefaultTuning
}

// Tuning is the page's sense of time.
type Tuning struct {
	CallDeadline time.Duration // of one browser call; above the limits inside the page (8 s)
	MendDeadline time.Duration // of one call to a tab that may be dead
	ReadyLimit   time.Duration // until the composer is there
	ClearLimit   time.Duration // in which a challenge may go away by itself while the page loads
	PollMin      time.Duration // between two looks after a change
	PollMax      time.Duration // after many looks without one
	SendLimit    time.Duration // until the send button takes a click
	ProveLimit   time.Duration // until a send is proven
	StablePolls  int           // equal looks in a row that count as steady
	QuietLimit   time.Duration // unchanged text without stop and bar: then the record is asked
	RecordEvery  time.Duration // between two questions to the record while nothing changes
	ChunkRunes   int           // of one insert; larger ones were seen to lose text
}

// DefaultTuning returns the values for the real site.
func DefaultTuning() Tuning {
	return Tuning{
		CallDeadline: 10 * time.Second,
		MendDeadline: 3 * time.Second,
		ReadyLimit:   60 * time.Second,
		ClearLimit:   12 * time.Second,
		PollMin:      250 * time.Millisecond,
		PollMax:      5 * time.Second,
		SendLimit:    20 * time.Second,
		ProveLimit:   60 * time.Second,
		StablePolls:  2,
		QuietLimit:   10 * time.Second,
		RecordEvery:  30 * time.Second,
		ChunkRunes:   16000,
	}
}

func (c Config) withDefaults() Config {
	if c.Tracer == nil {
		c.Tracer = point.Silent{}
	}
	if c.Tuning == (Tuning{}) {
		c.Tuning = DefaultTuning()
	}
	return c
}

func (c *Config) op(op point.Op) {
	round := 0
	if c.Round != nil {
		round = c.Round()
	}
	c.Tracer.Op(op, round)
}

// pace spends the time between looks: longer and longer while nothing changes, within a limit.
type pace struct {
	clock    clock.Clock
	min, max time.Duration
	next     time.Duration
	end      time.Time
}

func (p *Page) pace(limit time.Duration) pace {
	c := p.cfg.Clock
	t := &p.cfg.Tuning
	return pace{clock: c, min: t.PollMin, max: t.PollMax, next: t.PollMin, end: c.Now().Add(limit)}
}

func (w *pace) reset() { w.next = w.min }

// over reports that the limit has passed.
func (w *pace) over() bool { return !w.clock.Now().Before(w.end) }

// wait sleeps until the next look, at most to the end of the limit.
func (w *pace) wait(ctx context.Context) error {
	d := min(w.next, w.end.Sub(w.clock.Now()))
	w.next = min(w.max, 2*w.next)
	return w.clock.Sleep(ctx, d)
}
