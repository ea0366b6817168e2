package sim

import (
	"context"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/sim/history"
)

// dialer logs every command and event of a real browser, as the virtual one does by itself: the
// method or the probe's name, under the bridge's operation, before and after.
func (t *trace) dialer(d browser.Dialer) browser.Dialer { return &loggedDialer{d, t} }

type loggedDialer struct {
	browser.Dialer
	t *trace
}

func (d *loggedDialer) Dial(ctx context.Context) (browser.Browser, error) {
	b, err := d.Dialer.Dial(ctx)
	d.t.called("dial", err)
	if err != nil {
		return nil, err
	}
	return &loggedBrowser{b, d.t}, nil
}

type loggedBrowser struct {
	browser.Browser
	t *trace
}

func (b *loggedBrowser) Pages(ctx context.Context) ([]browser.TargetInfo, error) {
	pages, err := b.Browser.Pages(ctx)
	b.t.called("Target.getTargets", err)
	return pages, err
}

func (b *loggedBrowser) Open(ctx context.Context, url string) (browser.TargetID, error) {
	id, err := b.Browser.Open(ctx, url)
	b.t.called("Target.createTarget", err)
	return id, err
}

func (b *loggedBrowser) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	s, err := b.Browser.Attach(ctx, id)
	b.t.called("Target.attachToTarget", err)
	if err != nil {
		return nil, err
	}
	return &loggedSession{s, b.t}, nil
}

// AttachBare attaches to a tab that does not answer, where the browser below can.
func (b *loggedBrowser) AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	bare, ok := b.Browser.(interface {
		AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error)
	})
	if !ok {
		return b.Attach(ctx, id)
	}
	s, err := bare.AttachBare(ctx, id)
	b.t.called("Target.attachToTarget", err)
	if err != nil {
		return nil, err
	}
	return &loggedSession{s, b.t}, nil
}

func (b *loggedBrowser) CloseTarget(ctx context.Context, id browser.TargetID) error {
	err := b.Browser.CloseTarget(ctx, id)
	b.t.called("Target.closeTarget", err)
	return err
}

type loggedSession struct {
	browser.Session
	t *trace
}

func (s *loggedSession) Call(ctx context.Context, method string, params, result any) error {
	err := s.Session.Call(ctx, method, params, result)
	if e, ok := params.(probe.Evaluation); ok {
		method = e.ProbeName()
	}
	s.t.called(method, err)
	return err
}

func (s *loggedSession) Drain(dst []browser.Event) []browser.Event {
	n := len(dst)
	dst = s.Session.Drain(dst)
	for _, e := range dst[n:] {
		s.t.add(history.Event{Lane: history.CDP, Kind: "event", Key: string(e.Kind), Text: e.MessageID})
	}
	return dst
}

// called logs one command with what came of it.
func (t *trace) called(method string, err error) {
	e := history.Event{Lane: history.CDP, Kind: "call", Key: method}
	if err != nil {
		e.Text = err.Error()
		if loss, ok := browser.AsLoss(err); ok {
			e.Text = string(loss.Kind)
		}
	}
	t.add(e)
}
