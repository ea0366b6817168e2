package sim

import (
	"context"
	"errors"
	"strconv"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/sim/history"
)

// dialer logs every command and event of a real browser, as the virtual one does by itself: the
// method or the probe's name, under the bridge's operation, before it takes effect, and what it
// failed with. The eye reads along.
func (t *trace) dialer(d browser.Dialer, e *wireEye) browser.Dialer {
	return &loggedDialer{d, &line{t, e}}
}

// line is what all ports of one process share.
type line struct {
	t   *trace
	eye *wireEye
}

// call takes one command through log and eye.
func (l *line) call(method string, do func() error) error {
	l.t.add(history.Event{Lane: history.CDP, Kind: "call", Key: method})
	l.eye.begun(method)
	err := do()
	l.eye.ended(err)
	if err != nil {
		l.t.add(history.Event{Lane: history.CDP, Kind: "failed", Key: method, Text: failing(err)})
	}
	return err
}

// failing names an error by its kind or code; its text may change.
func failing(err error) string {
	var e *cdproto.Error
	if l, ok := browser.AsLoss(err); ok {
		return string(l.Kind)
	} else if errors.As(err, &e) {
		return strconv.FormatInt(e.Code, 10)
	}
	return "error"
}

type loggedDialer struct {
	browser.Dialer
	line *line
}

func (d *loggedDialer) Dial(ctx context.Context) (b browser.Browser, err error) {
	err = d.line.call("dial", func() (err error) {
		b, err = d.Dialer.Dial(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &loggedBrowser{b, d.line}, nil
}

type loggedBrowser struct {
	browser.Browser
	line *line
}

func (b *loggedBrowser) Pages(ctx context.Context) (pages []browser.TargetInfo, err error) {
	err = b.line.call("Target.getTargets", func() (err error) {
		pages, err = b.Browser.Pages(ctx)
		return err
	})
	return pages, err
}

func (b *loggedBrowser) Open(ctx context.Context, url string) (id browser.TargetID, err error) {
	err = b.line.call("Target.createTarget", func() (err error) {
		id, err = b.Browser.Open(ctx, url)
		return err
	})
	return id, err
}

func (b *loggedBrowser) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	return b.attach(ctx, id, b.Browser.Attach)
}

// AttachBare attaches to a tab that does not answer, where the browser below can.
func (b *loggedBrowser) AttachBare(
	ctx context.Context, id browser.TargetID) (browser.Session, error,
) {
	bare, ok := b.Browser.(interface {
		AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error)
	})
	if !ok {
		return b.Attach(ctx, id)
	}
	return b.attach(ctx, id, bare.AttachBare)
}

func (b *loggedBrowser) attach(
	ctx context.Context, id browser.TargetID,
	how func(context.Context, browser.TargetID) (browser.Session, error),
) (s browser.Session, err error) {
	err = b.line.call("Target.attachToTarget", func() (err error) {
		s, err = how(ctx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	b.line.eye.attached(s, id)
	return &loggedSession{Session: s, line: b.line}, nil
}

func (b *loggedBrowser) CloseTarget(ctx context.Context, id browser.TargetID) error {
	return b.line.call("Target.closeTarget", func() error { return b.Browser.CloseTarget(ctx, id) })
}

type loggedSession struct {
	browser.Session
	line           *line
	blocker, state string // what the last answers showed, so that the log names each change once
}

// Unwrap gives the client's own browser to a striker, which acts past the log.
func (b *loggedBrowser) Unwrap() browser.Browser { return b.Browser }

// Unwrap gives its own session.
func (s *loggedSession) Unwrap() browser.Session { return s.Session }

// Call takes one command through log and eye, and reads the answer of a look.
func (s *loggedSession) Call(ctx context.Context, method string, params, result any) error {
	name := method
	if e, ok := params.(probe.Evaluation); ok {
		name = e.ProbeName()
	}
	err := s.line.call(name, func() error { return s.Session.Call(ctx, method, params, result) })
	if err == nil {
		s.line.eye.answered(s.line.t.operation(), result)
		s.saw(name, result)
	}
	return err
}

// saw logs what a look found: an oracle asks what the bridge knew.
func (s *loggedSession) saw(name string, result any) {
	switch r := result.(type) {
	case *probe.Reply[probe.GuardState]:
		if !r.Missing && r.Exception == "" {
			s.see(name, &s.blocker, string(r.Value.Blocker))
		}
	case *probe.Reply[probe.TurnState]:
		if !r.Missing && r.Exception == "" {
			s.see(name, &s.state, string(r.Value.State))
			s.see(name, &s.blocker, string(r.Value.Blocker))
		}
	}
}

func (s *loggedSession) see(name string, last *string, now string) {
	if *last != now {
		*last = now
		s.line.t.add(history.Event{Lane: history.CDP, Kind: "seen", Key: name, Text: now})
	}
}

func (s *loggedSession) Drain(dst []browser.Event) []browser.Event {
	n := len(dst)
	dst = s.Session.Drain(dst)
	for _, e := range dst[n:] {
		s.line.t.add(history.Event{
			Lane: history.CDP, Kind: "event", Key: string(e.Kind), Text: e.MessageID,
		})
	}
	return dst
}

func (s *loggedSession) Close() error {
	s.line.eye.closing(s.Session)
	return s.Session.Close()
}

// operation is the one that the bridge announced last.
func (t *trace) operation() point.Op {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.op
}
