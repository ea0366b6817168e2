package faults

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// sessionPort is one attached page behind the interposer.
type sessionPort struct {
	browser.Session
	conn   *conn
	target browser.TargetID
	kept   []browser.Event // that came before a call under way, or were bent
}

func (s *sessionPort) Call(ctx context.Context, method string, params, result any) error {
	i := s.conn.i
	s.conn.proc.enter()
	if !i.expects() {
		return s.Session.Call(ctx, method, params, result)
	}
	s.kept = s.Session.Drain(s.kept)
	if !i.aimed() {
		return s.pass(ctx, method, params, result)
	}
	return i.meet(&outside{
		ctx: ctx, method: nameOf(method, params),
		aim:   Aim{s.conn.Browser, s.Session, s.target},
		do:    func() error { return s.Session.Call(ctx, method, params, result) },
		state: stateOf(i.op, result),
		lost:  s.Session.Lost,
		ask: func(ctx context.Context) error {
			return s.Session.Call(ctx, page.CommandEnable, cdp.Empty{}, nil)
		},
		events: s.bend,
	})
}

// pass is meet for a call that no fault of the schedule is aimed at: it is only told.
func (s *sessionPort) pass(ctx context.Context, method string, params, result any) error {
	i := s.conn.i
	polled := polls(i.op, result)
	if !polled {
		i.visit("")
	}
	err := s.Session.Call(ctx, method, params, result)
	if polled && err == nil {
		i.visit(saw(result))
	}
	return err
}

// nameOf is the probe's name, or the method.
func nameOf(method string, params any) string {
	if e, ok := params.(probe.Evaluation); ok {
		return e.ProbeName()
	}
	return method
}

// stateOf says how to read what a poll saw; nil for what is no poll.
func stateOf(op point.Op, result any) func() string {
	if !polls(op, result) {
		return nil
	}
	return func() string { return saw(result) }
}

// polls tells whether a call with this result is a poll.
func polls(op point.Op, result any) bool {
	switch result.(type) {
	case *probe.Reply[probe.TurnState]:
		return op == point.WaitPoll
	case *probe.Reply[probe.TailState]:
		return op == point.SendProve
	}
	return false
}

// saw is what a poll saw.
func saw(result any) string {
	switch r := result.(type) {
	case *probe.Reply[probe.TurnState]:
		return string(r.Value.State)
	case *probe.Reply[probe.TailState]:
		return found(r)
	}
	return ""
}

// found tells whether a turn of the user stands behind the baseline; "" when the document could not
// say.
func found(r *probe.Reply[probe.TailState]) string {
	if r.Missing || r.Exception != "" {
		return ""
	}
	for k := range r.Value.Turns {
		if r.Value.Turns[k].Role == "user" {
			return TurnFound
		}
	}
	return TurnMissing
}

// bend changes the events that came with the answer of the call under way.
func (s *sessionPort) bend(how bend) {
	n := len(s.kept)
	s.kept = s.Session.Drain(s.kept)
	came := s.kept[n:]
	switch how {
	case drop:
		s.kept = s.kept[:n]
	case twice:
		s.kept = append(s.kept, came...)
	case turned:
		slices.Reverse(came)
	}
}

func (s *sessionPort) Lost() error {
	s.conn.proc.enter()
	return s.Session.Lost()
}

func (s *sessionPort) Drain(dst []browser.Event) []browser.Event {
	s.conn.proc.enter()
	dst = append(dst, s.kept...)
	s.kept = s.kept[:0]
	return s.Session.Drain(dst)
}

// Close is an operation only where the bridge announced it.
func (s *sessionPort) Close() error {
	i := s.conn.i
	s.conn.proc.enter()
	if !i.told || i.op != point.ClosePage || !i.expects() {
		return s.Session.Close()
	}
	return i.meet(&outside{
		ctx: context.Background(), method: "Target.detachFromTarget",
		aim: Aim{s.conn.Browser, s.Session, s.target},
		do:  s.Session.Close, limit: closeLimit,
	})
}
