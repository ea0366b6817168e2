package faults

import (
	"context"
	"time"

	"bridgesim/bridge/clock"
)

// clockOf is a port of a process; see Clock.
type clockOf struct {
	clock.Clock
	proc *process
}

// Clock wraps the clock of one process of pi. The interposer holds calls back with it.
func (i *Interposer) Clock(c clock.Clock) clock.Clock {
	if i.idle() {
		return c
	}
	p := i.living()
	p.clock = c
	return &clockOf{c, p}
}

func (c *clockOf) Now() time.Time {
	c.proc.enter()
	return c.Clock.Now()
}

func (c *clockOf) Sleep(ctx context.Context, d time.Duration) error {
	c.proc.enter()
	return c.Clock.Sleep(ctx, d)
}

func (c *clockOf) WithTimeout(
	ctx context.Context, d time.Duration,
) (context.Context, context.CancelFunc) {
	c.proc.enter()
	return c.Clock.WithTimeout(ctx, d)
}
