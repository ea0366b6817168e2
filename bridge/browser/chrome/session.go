package chrome

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
)

// Session is one attached page.
type Session struct {
	conn   *conn
	id     target.SessionID
	target browser.TargetID
	events eventQueue

	// Under conn.mu.
	loss    *browser.Loss
	judging bool          // the browser detached it; what is gone is not known yet
	settled chan struct{} // closed when loss is final
}

var _ browser.Session = (*Session)(nil)

func newSession(c *conn, id target.SessionID, t browser.TargetID) *Session {
	return &Session{conn: c, id: id, target: t, settled: make(chan struct{})}
}

// Call sends one command; see browser.Session. Parameters are cdproto's structs by value or
// anything that marshals itself to JSON; result is a pointer, or nil when the reply does not
// matter.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.conn.command(ctx, s, method, params, result)
}

// ID is the session's id; it is void after any loss but a crash.
func (s *Session) ID() target.SessionID { return s.id }

// Lost is nil while the session lives. TargetCrashed is the one loss that can go again: Page.reload
// or Page.navigate in the same session mend the tab (F227).
func (s *Session) Lost() error {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.loss == nil {
		return nil
	}
	return s.loss
}

// Drain appends the events that arrived since the last call, in order of arrival. An event whose
// details are still being asked for holds back those behind it, two seconds at most.
func (s *Session) Drain(dst []browser.Event) []browser.Event { return s.events.drain(dst) }

// Dropped is the number of events that fell out of the ring of 10,000 before they were drained.
func (s *Session) Dropped() int { return s.events.dropped() }

// Close detaches and leaves the tab as it is. Calls in flight end at once.
func (s *Session) Close() error {
	c := s.conn
	c.mu.Lock()
	open := s.loss == nil || s.crashedLocked()
	s.endLocked(&browser.Loss{Kind: browser.SessionStale, Cause: errClosed})
	c.mu.Unlock()
	if !open {
		return nil
	}
	ctx, cancel := wall.WithTimeout(c.life, askLimit)
	defer cancel()
	err := c.command(ctx, nil, target.CommandDetachFromTarget,
		target.DetachFromTargetParams{SessionID: s.id}, nil)
	var known *cdproto.Error
	if _, lost := browser.AsLoss(err); lost || errors.As(err, &known) || c.life.Err() != nil {
		return nil // the session is gone with its connection, or was gone already
	}
	return err
}

func (s *Session) crashedLocked() bool {
	return s.loss != nil && s.loss.Kind == browser.TargetCrashed
}

// endLocked ends the session for good and with it every call in flight. The first end counts; only
// a crash, with which the session lives on, can be followed by another.
func (s *Session) endLocked(l *browser.Loss) {
	if s.loss != nil && !s.crashedLocked() {
		return
	}
	s.loss = l
	delete(s.conn.sessions, s.id)
	s.dropCallsLocked(l, func(string) bool { return true })
	close(s.settled)
}

func (s *Session) dropCallsLocked(l *browser.Loss, which func(method string) bool) {
	for id, p := range s.conn.pending {
		if p.sess == s && which(p.method) {
			delete(s.conn.pending, id)
			p.deliver(outcome{loss: l})
		}
	}
}

func (s *Session) end(l *browser.Loss) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	s.endLocked(l)
}

var errRenderProcessGone = errors.New("the browser reports Inspector.targetCrashed")

// crashed ends the calls that get no reply any more (F226) and keeps the session for mending.
func (s *Session) crashed() {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.loss != nil {
		return
	}
	s.loss = &browser.Loss{Kind: browser.TargetCrashed, Cause: errRenderProcessGone}
	s.dropCallsLocked(s.loss, func(method string) bool { return !mends[method] })
}

func (s *Session) mended() {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.crashedLocked() {
		s.loss = nil
	}
}

// stale takes a -32001. When the browser detached the session a moment ago, the verdict on that
// says more and is waited for.
func (s *Session) stale(ctx context.Context, method string, e *cdproto.Error) error {
	s.conn.mu.Lock()
	judging := s.judging
	if !judging {
		s.endLocked(&browser.Loss{Kind: browser.SessionStale, During: method, Cause: e})
	}
	s.conn.mu.Unlock()
	if judging {
		ctx, cancel := bounded(ctx, detachGrace+2*askLimit)
		defer cancel()
		select {
		case <-s.settled:
		case <-ctx.Done():
			return gaveUp(ctx, method)
		}
	}
	loss, _ := browser.AsLoss(s.Lost())
	return during(loss, method)
}
