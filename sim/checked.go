package sim

import (
	"context"
	"fmt"

	"bridgesim/sim/history"
)

// Checks are what a run is held to besides the oracles.
type Checks struct {
	// Once runs a deterministic engine once only; normally each run is made twice and compared.
	Once bool
}

// RunChecked learns how the script ends without its faults, plays it, judges it, and plays it again
// where the engine promises the same bytes. A seed that nobody verifies is a dead seed.
func RunChecked(ctx context.Context, e Engine, s *Script, c Checks) (*Result, error) {
	if err := s.learn(ctx); err != nil {
		return nil, err
	}
	res, err := Run(ctx, e, s)
	if err != nil || c.Once || e.Name() != Virtual().Name() {
		return res, err
	}
	again, err := Run(ctx, e, s)
	if err != nil {
		return res, fmt.Errorf("the second run of the same seed: %w", err)
	}
	return res, same(res.World.Log, again.World.Log)
}

// Learn plays the script without its faults, where that matters and is not known, as RunChecked
// does before it plays it with them.
func (s *Script) Learn(ctx context.Context) error { return s.learn(ctx) }

// learn plays the script without its faults, so that it is known what a run that must converge
// converges to.
func (s *Script) learn(ctx context.Context) error {
	if s.End != "" || len(s.Schedule) == 0 {
		return nil
	}
	quiet := *s
	quiet.Schedule = nil
	res, err := Run(ctx, Virtual(), &quiet)
	if err != nil {
		return fmt.Errorf("the run without faults: %w", err)
	}
	if res.Err != nil {
		return fmt.Errorf("the run without faults: %w", res.Err)
	}
	s.End, s.Plans = string(res.Report.Outcome), len(res.Executed)
	return nil
}

// DivergedError says that the same seed gave two histories.
type DivergedError struct {
	At     int // sequence number of the first event that differs
	First  history.Event
	Second history.Event
}

// Error shows both sides of the first difference.
func (d *DivergedError) Error() string {
	return fmt.Sprintf("the same seed gave two histories; they part at event %d:\n  first:  %s\n  "+
		"second: %s",
		d.At, d.First, d.Second)
}

func same(a, b *history.Log) error {
	if a.Sum() == b.Sum() {
		return nil
	}
	i, ea, eb, ok := history.FirstDifference(a, b)
	if !ok {
		return fmt.Errorf("the sums %s and %s differ and the events do not", a.Sum(), b.Sum())
	}
	return &DivergedError{At: i + 1, First: ea, Second: eb} // events are numbered from 1
}
