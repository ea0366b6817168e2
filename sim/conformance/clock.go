package conformance

import (
	"context"
	"sync"
	"time"

	"bridgesim/bridge/clock"
)

// manual is a clock that stands still until it is moved. It is safe for concurrent use.
type manual struct {
	mu    sync.Mutex
	now   time.Time
	moved chan struct{} // closed and replaced at each move
}

var _ clock.Clock = (*manual)(nil)

func newManual(now time.Time) *manual { return &manual{now: now, moved: make(chan struct{})} }

func (m *manual) Now() time.Time {
	now, _ := m.look()
	return now
}

func (m *manual) look() (time.Time, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now, m.moved
}

// Advance moves the clock and wakes who slept until then.
func (m *manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	close(m.moved)
	m.moved = make(chan struct{})
}

// Sleep returns when the clock was moved by d, or with the context's error.
func (m *manual) Sleep(ctx context.Context, d time.Duration) error {
	until := m.Now().Add(d)
	for {
		now, moved := m.look()
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

// WithTimeout is real, as a browser is.
func (m *manual) WithTimeout(ctx context.Context, d time.Duration) (context.Context,
	context.CancelFunc,
) {
	return context.WithTimeout(ctx, d)
}
