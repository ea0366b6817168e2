package event

import (
	"context"
	"fmt"
	"time"

	"bridgesim/bridge/clock"
)

// procClock is the virtual clock as one process sees it; with a nil process, as the world sees it.
type procClock struct {
	loop *Loop
	p    *Proc
}

// Clock returns the clock of process p. With nil it is the world's own: it tells the time, and
// Sleep panics, because an event never sleeps.
func (l *Loop) Clock(p *Proc) clock.Clock {
	if p == nil {
		return &l.clock
	}
	return &p.clock
}

func (c *procClock) Now() time.Time {
	if c.p != nil {
		c.p.Enter()
	}
	return c.loop.Now()
}

func (c *procClock) Sleep(ctx context.Context, d time.Duration) error {
	if c.p == nil {
		panic("event: an event never sleeps; schedule another one with After")
	}
	c.p.Enter()
	c.loop.check(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	wake := c.loop.now + max(0, int64(d))
	if end, ok := ctx.Deadline(); ok {
		wake = min(wake, int64(end.Sub(c.loop.epoch)))
	}
	c.p.sleepUntil(ctx, wake)
	return ctx.Err()
}

// sleepUntil lets the world run until wake. When nothing is due before, it only moves the time.
func (p *Proc) sleepUntil(ctx context.Context, wake int64) {
	l := p.loop
	quiet := len(l.queue) == 0 || l.queue[0].at > wake
	if quiet && wake <= l.bound && l.running == p {
		l.advance(wake)
		return
	}
	p.wake = l.schedule(wake, entry{p: p})
	p.park(ctx)
}

func (c *procClock) WithTimeout(
	ctx context.Context, d time.Duration,
) (context.Context, context.CancelFunc) {
	if c.p != nil {
		c.p.Enter()
	}
	c.loop.check(ctx)
	v := c.loop.contexts.take()
	v.loop, v.parent, v.deadline, v.err = c.loop, ctx, c.loop.Now().Add(d), nil
	if end, ok := ctx.Deadline(); ok && end.Before(v.deadline) {
		v.deadline = end
	}
	return v, v.stop
}

// contexts are those of one run. None is used twice in it, since who made one may look at it for as
// long as it likes; the next run, behind Reset, takes them all again.
type contexts struct {
	all  []*virtualContext
	used int
}

func (c *contexts) take() *virtualContext {
	if c.used == len(c.all) {
		block := make([]virtualContext, contextBlock)
		for i := range block {
			v := &block[i]
			v.stop = v.cancel
			c.all = append(c.all, v)
		}
	}
	c.used++
	return c.all[c.used-1]
}

// contextBlock is how many contexts are made at once.
const contextBlock = 32

// virtualContext computes its state from the virtual clock; nothing ever waits for it.
type virtualContext struct {
	loop     *Loop
	parent   context.Context
	deadline time.Time
	err      error
	stop     context.CancelFunc // cancel, made once
}

type contextKey struct{}

func (c *virtualContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Done panics: a channel would need a second goroutine to close it, and who waits on it would wait
// for the machine and not for the run.
func (c *virtualContext) Done() <-chan struct{} {
	panic("event: the virtual engine never waits on a channel; poll Err, or Sleep with the context")
}

func (c *virtualContext) Err() error {
	if c.err == nil {
		c.err = c.parent.Err()
	}
	if c.err == nil && !c.loop.Now().Before(c.deadline) {
		c.err = context.DeadlineExceeded
	}
	return c.err
}

func (c *virtualContext) Value(key any) any {
	if _, ok := key.(contextKey); ok {
		return c
	}
	return c.parent.Value(key)
}

func (c *virtualContext) cancel() {
	if c.Err() == nil {
		c.err = context.Canceled
		c.loop.wakeCancelled()
	}
}

// wakeCancelled resumes processes that sleep under a context that has just been cancelled.
func (l *Loop) wakeCancelled() {
	for _, p := range l.procs {
		if p.state == parked && p.ctx.Err() == context.Canceled {
			p.wake = l.schedule(l.now, entry{p: p})
		}
	}
}

// check panics when ctx has a deadline that is not one of the virtual clock.
func (l *Loop) check(ctx context.Context) {
	if v, ok := ctx.(*virtualContext); ok && v.loop == l {
		return
	}
	end, ok := ctx.Deadline()
	if !ok {
		return
	}
	v, _ := ctx.Value(contextKey{}).(*virtualContext)
	if v == nil || v.loop != l || !v.deadline.Equal(end) {
		panic(fmt.Sprintf("event: the context has a wall-clock deadline (%v); "+
			"on the virtual engine deadlines come from clock.WithTimeout", end))
	}
}
