package faults

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
)

// bendAnswer does what happens to one answer alone.
func (i *Interposer) bendAnswer(f *armed, o *outside, err error) error {
	switch f.fault.Kind {
	case DropCall:
		o.bent(drop)
		i.applied(f, "the answer was thrown away: "+o.method)
		return i.silence(o)
	case Delay:
		i.applied(f, "the answer is held back: "+o.method)
		if late := i.wait(o, f.fault.Params.For); late != nil {
			return late
		}
	case CDPError:
		i.applied(f, "the answer was replaced by an error: "+o.method)
		return protocolError(f, o)
	case Repeat:
		o.bent(twice)
		i.repeat(f, o)
	case Reorder:
		o.bent(turned)
		i.applied(f, "the events came before the answer, turned round")
	default:
		i.miss(f, errPhase)
	}
	return err
}

func (o *outside) bent(b bend) {
	if o.events != nil {
		o.events(b)
	}
}

// repeat also lets a real line send its last frame again.
func (i *Interposer) repeat(f *armed, o *outside) {
	if i.striker == nil || !i.striker.Remote() {
		i.applied(f, "the answer's events are handed out twice")
		return
	}
	i.strike(f, o)
}

// forever is longer than any call waits.
const forever = 10_000 * time.Hour

// callLimit is the deadline of a call that has none, as the real client gives it one.
const callLimit = 15 * time.Second

// closeLimit is the deadline of a detach, which takes no context: a client bounds it itself.
const closeLimit = time.Second

// silence waits for the answer that never comes. On the virtual engine a call that should have a
// deadline and has none stands still then, which is a violation of the caller.
func (i *Interposer) silence(o *outside) error {
	c := i.proc.clock
	if c == nil {
		return &browser.Loss{
			Kind:   browser.Silent,
			During: o.method,
			Cause:  context.DeadlineExceeded,
		}
	}
	ctx, limit := o.ctx, o.limit
	if limit == 0 && i.striker != nil && i.striker.Remote() {
		limit = callLimit
	}
	if _, has := ctx.Deadline(); !has && limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = c.WithTimeout(ctx, limit)
		defer cancel()
	}
	_ = c.Sleep(ctx, forever) // its error is the context's
	if o.lost != nil {
		if l, ok := browser.AsLoss(o.lost()); ok {
			return during(l, o.method)
		}
	}
	return gaveUp(ctx, o.method)
}

// wait holds a call for d of its own clock, which is never scaled. It returns the error of a call
// whose deadline came first.
func (i *Interposer) wait(o *outside, d time.Duration) error {
	c := i.proc.clock
	if c == nil {
		return nil
	}
	ctx, cancel := c.WithTimeout(o.ctx, d)
	defer cancel()
	_ = c.Sleep(ctx, forever) // it ends with the context
	if o.ctx.Err() != nil {
		return gaveUp(o.ctx, o.method)
	}
	return nil
}

// loss is the typed loss of a call whose answer went with the thing that was struck: what the thing
// itself shows. On a real line another command meets it, because its news takes a moment; where the
// thing goes on answering, only this answer is missing.
func (i *Interposer) loss(o *outside) error {
	if l, ok := browser.AsLoss(o.lost()); ok {
		return during(l, o.method)
	}
	if i.striker.Remote() && o.ask != nil {
		if l, ok := browser.AsLoss(o.ask(o.ctx)); ok {
			return during(l, o.method)
		}
	}
	return i.silence(o)
}

func during(l *browser.Loss, method string) error {
	return &browser.Loss{Kind: l.Kind, During: method, Cause: l.Cause}
}

func gaveUp(ctx context.Context, method string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return &browser.Loss{Kind: browser.Silent, During: method, Cause: context.DeadlineExceeded}
}

func protocolError(f *armed, o *outside) error {
	p := f.fault.Params
	return named(o.method, &cdproto.Error{Code: int64(p.Code), Message: p.Text})
}

// navigated is the end of a command whose document went while it was in flight.
func navigated(o *outside) error {
	return named(o.method, &cdproto.Error{
		Code: codeServer, Message: "Inspected target navigated or closed",
	})
}
