package faults

import (
	"context"
	"errors"

	"bridgesim/bridge/browser"
)

// Dialer wraps the dialer of one process of pi: every command that goes through it, its browsers
// and their sessions passes the interposer.
func (i *Interposer) Dialer(d browser.Dialer) browser.Dialer {
	if i.idle() {
		return d
	}
	return &dialer{d, i, i.living()}
}

type dialer struct {
	browser.Dialer
	i    *Interposer
	proc *process
}

const methodDial = "dial"

func (d *dialer) Dial(ctx context.Context) (browser.Browser, error) {
	d.proc.enter()
	if !d.i.expects() {
		b, err := d.Dialer.Dial(ctx)
		return d.adopt(b, err)
	}
	var b browser.Browser
	o := &outside{
		ctx: ctx, method: methodDial,
		lost: func() error {
			if b == nil {
				return nil
			}
			return b.Lost()
		},
		ask: func(ctx context.Context) error { return listPages(ctx, b) },
	}
	o.do = func() (err error) {
		if b, err = d.Dialer.Dial(ctx); err == nil {
			o.aim = d.proc.connected(b)
		}
		return err
	}
	if err := d.i.meet(o); err != nil {
		d.abandon(b)
		return nil, err
	}
	return &conn{b, d.i, d.proc}, nil
}

// connected books a connection that was made.
func (p *process) connected(b browser.Browser) Aim {
	p.conns = append(p.conns, b)
	p.aim.Browser, p.aim.Session = b, nil
	return p.aim
}

// listPages is a harmless command to a browser.
func listPages(ctx context.Context, b browser.Browser) error {
	if b == nil {
		return nil
	}
	_, err := b.Pages(ctx)
	return err
}

func (d *dialer) adopt(b browser.Browser, err error) (browser.Browser, error) {
	if err != nil {
		return nil, err
	}
	d.proc.connected(b)
	return &conn{b, d.i, d.proc}, nil
}

// abandon ends a connection that the bridge never got to know.
func (d *dialer) abandon(b browser.Browser) {
	if b != nil {
		d.proc.drop(b)
		_ = b.Close() // nobody waits for it
	}
}

// drop forgets a connection that was closed.
func (p *process) drop(b browser.Browser) {
	for k, c := range p.conns {
		if c == b {
			p.conns = append(p.conns[:k], p.conns[k+1:]...)
			return
		}
	}
}

// conn is one browser behind the interposer.
type conn struct {
	browser.Browser
	i    *Interposer
	proc *process
}

// command takes a command to the browser itself through the schedule.
func (c *conn) command(
	ctx context.Context, method string, id *browser.TargetID, do func() error,
) error {
	c.proc.enter()
	if !c.i.expects() {
		return do()
	}
	if !c.i.aimed() {
		c.i.visit("")
		return do()
	}
	o := &outside{
		ctx: ctx, method: method, aim: c.proc.aim, lost: c.Browser.Lost,
		ask: func(ctx context.Context) error { return listPages(ctx, c.Browser) },
	}
	o.aim.Browser = c.Browser
	if id != nil && *id != "" {
		o.aim.Target = *id
	}
	o.do = func() error {
		err := do()
		if id != nil && *id != "" {
			o.aim.Target = *id
		}
		return err
	}
	return c.i.meet(o)
}

func (c *conn) Pages(ctx context.Context) (pages []browser.TargetInfo, err error) {
	err = c.command(ctx, "Target.getTargets", nil, func() (err error) {
		pages, err = c.Browser.Pages(ctx)
		return err
	})
	return pages, err
}

func (c *conn) Open(ctx context.Context, url string) (id browser.TargetID, err error) {
	err = c.command(ctx, "Target.createTarget", &id, func() (err error) {
		id, err = c.Browser.Open(ctx, url)
		return err
	})
	return id, err
}

func (c *conn) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	return c.attach(ctx, id, c.Browser.Attach)
}

// bareAttacher is a browser that can attach to a tab whose renderer does not answer.
type bareAttacher interface {
	AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error)
}

var errNoBare = errors.New("this browser cannot attach without setting the session up")

// AttachBare is the browser's own, if it has one.
func (c *conn) AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	b, ok := c.Browser.(bareAttacher)
	if !ok {
		return nil, errNoBare
	}
	return c.attach(ctx, id, b.AttachBare)
}

func (c *conn) attach(
	ctx context.Context, id browser.TargetID,
	how func(context.Context, browser.TargetID) (browser.Session, error),
) (browser.Session, error) {
	var s browser.Session
	err := c.command(ctx, "Target.attachToTarget", &id, func() (err error) {
		if s, err = how(ctx, id); err == nil {
			c.proc.aim = Aim{c.Browser, s, id}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &sessionPort{Session: s, conn: c, target: id}, nil
}

func (c *conn) CloseTarget(ctx context.Context, id browser.TargetID) error {
	return c.command(ctx, "Target.closeTarget", &id, func() error {
		return c.Browser.CloseTarget(ctx, id)
	})
}

// Alive is the browser's own question for a sign of life, if it has one. It is no operation.
func (c *conn) Alive(ctx context.Context) error {
	c.proc.enter()
	if b, ok := c.Browser.(interface{ Alive(context.Context) error }); ok {
		return b.Alive(ctx)
	}
	return listPages(ctx, c.Browser)
}

func (c *conn) Lost() error {
	c.proc.enter()
	return c.Browser.Lost()
}

func (c *conn) Close() error {
	c.proc.enter()
	c.proc.drop(c.Browser)
	return c.Browser.Close()
}
