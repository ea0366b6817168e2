// Package clock holds the two ports through which time and chance enter the project.
//
// Nothing in bridge, fakesite, faults or sim reads the wall clock or a global random source: it
// asks a Clock or an Entropy that its maker handed in. That is what lets one session run in thirty
// virtual minutes within a millisecond, and the same seed give the same bytes every time.
//
//	code ──Now, Sleep──────────► Clock ◄── Wall, Scaled (real)   sim/event (virtual)
//	     ──WithTimeout, Elapsed─►
//	     ──Read──────────────────► Entropy ◄── System (real)     Seeded (repeatable)
package clock

import (
	"context"
	"time"
)

// Clock is the only source of time. Budgets, back-off and the wait for an answer are measured with
// Now and spent with Sleep; the deadline of a single browser call is set with WithTimeout.
type Clock interface {
	// Now is the current time. It never goes back.
	Now() time.Time
	// Sleep returns after d, or earlier with the context's error.
	Sleep(ctx context.Context, d time.Duration) error
	// WithTimeout bounds one call. It is never scaled: a browser is as fast in a test as elsewhere.
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// wall is the machine's clock, run factor times as fast.
type wall struct {
	start  time.Time
	factor float64
}

// Wall returns the clock of the machine.
func Wall() Clock { return Scaled(1) }

// Scaled returns a clock on which factor seconds pass in one real second. Deadlines of single calls
// (WithTimeout) stay real. A factor of zero or less counts as 1.
func Scaled(factor float64) Clock {
	if factor <= 0 {
		factor = 1
	}
	return &wall{start: time.Now(), factor: factor}
}

func (w *wall) Now() time.Time {
	return w.start.Add(time.Duration(float64(time.Since(w.start)) * w.factor))
}

func (w *wall) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(time.Duration(float64(d) / w.factor))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *wall) WithTimeout(
	ctx context.Context, d time.Duration) (context.Context, context.CancelFunc,
) {
	return context.WithTimeout(ctx, d)
}
