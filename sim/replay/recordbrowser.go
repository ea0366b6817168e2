package replay

import (
	"context"
	"strconv"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
)

type recDialer struct {
	inner browser.Dialer
	r     *Recorder
}

// dialed is the answer of a dial.
type dialed struct {
	Number int  `json:"number"`
	Bare   bool `json:"bare,omitempty"` // it can attach to a tab that does not answer
}

// bareAttacher is what a browser may be able to do besides.
type bareAttacher interface {
	AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error)
}

func (d *recDialer) Dial(ctx context.Context) (browser.Browser, error) {
	d.r.ask("dial", nil)
	b, err := d.inner.Dial(ctx)
	if err != nil {
		d.r.answer("dial", nil, err)
		return nil, err
	}
	d.r.conns++
	bare, can := b.(bareAttacher)
	d.r.answer("dial", dialed{d.r.conns, can}, nil)
	out := &recBrowser{b, d.r, "b" + strconv.Itoa(d.r.conns)}
	if can {
		return &recBareBrowser{out, bare}, nil
	}
	return out, nil
}

type recBrowser struct {
	inner browser.Browser
	r     *Recorder
	name  string
}

func (b *recBrowser) Pages(ctx context.Context) ([]browser.TargetInfo, error) {
	b.r.ask(b.name+".pages", nil)
	pages, err := b.inner.Pages(ctx)
	b.r.answer(b.name+".pages", pages, err)
	return pages, err
}

func (b *recBrowser) Open(ctx context.Context, url string) (browser.TargetID, error) {
	b.r.ask(b.name+".open", url)
	id, err := b.inner.Open(ctx, url)
	b.r.answer(b.name+".open", id, err)
	return id, err
}

func (b *recBrowser) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	return b.attach(ctx, ".attach", id, b.inner.Attach)
}

func (b *recBrowser) attach(
	ctx context.Context, what string, id browser.TargetID,
	how func(context.Context, browser.TargetID) (browser.Session, error),
) (browser.Session, error) {
	b.r.ask(b.name+what, id)
	s, err := how(ctx, id)
	if err != nil {
		b.r.answer(b.name+what, nil, err)
		return nil, err
	}
	b.r.sessions++
	b.r.answer(b.name+what, b.r.sessions, nil)
	return &recSession{s, b.r, "s" + strconv.Itoa(b.r.sessions)}, nil
}

func (b *recBrowser) CloseTarget(ctx context.Context, id browser.TargetID) error {
	b.r.ask(b.name+".close-target", id)
	err := b.inner.CloseTarget(ctx, id)
	b.r.answer(b.name+".close-target", nil, err)
	return err
}

func (b *recBrowser) Lost() error {
	err := b.inner.Lost()
	b.r.lost(b.name, err)
	return err
}

func (b *recBrowser) Close() error {
	b.r.ask(b.name+".close", nil)
	err := b.inner.Close()
	b.r.answer(b.name+".close", nil, err)
	return err
}

func (r *Recorder) lost(name string, err error) {
	if err == nil {
		r.event(kindLost, name, nil)
		return
	}
	r.event(kindLost, name, failureOf(err))
}

type recBareBrowser struct {
	*recBrowser
	bare bareAttacher
}

func (b *recBareBrowser) AttachBare(
	ctx context.Context, id browser.TargetID) (browser.Session, error,
) {
	return b.attach(ctx, ".attach-bare", id, b.bare.AttachBare)
}

type recSession struct {
	inner browser.Session
	r     *Recorder
	name  string
}

// called names a command: the probe's name where it is one.
func called(session, method string, params any) string {
	if e, ok := params.(probe.Evaluation); ok {
		method = e.ProbeName()
	}
	return session + ".call " + method
}

func (s *recSession) Call(ctx context.Context, method string, params, to any) error {
	key := called(s.name, method, params)
	s.r.ask(key, question(params))
	err := s.inner.Call(ctx, method, params, to)
	s.r.answer(key, result(to), err)
	return err
}

func (s *recSession) Lost() error {
	err := s.inner.Lost()
	s.r.lost(s.name, err)
	return err
}

func (s *recSession) Drain(dst []browser.Event) []browser.Event {
	n := len(dst)
	dst = s.inner.Drain(dst)
	if len(dst) == n {
		s.r.event(kindDrained, s.name, nil)
		return dst
	}
	s.r.event(kindDrained, s.name, dst[n:])
	return dst
}

func (s *recSession) Close() error {
	s.r.ask(s.name+".close", nil)
	err := s.inner.Close()
	s.r.answer(s.name+".close", nil, err)
	return err
}
