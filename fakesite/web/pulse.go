package web

import (
	"context"
	"time"
)

// refresh computes what every open page shows now, and wakes all who push it. Call it locked, after
// any change of site, documents or time.
func (s *Server) refresh(now time.Time) {
	h := horizon{now: now}
	for _, d := range s.documents {
		if d.sockets > 0 {
			d.view = s.look(d, &h)
		}
	}
	for st := range s.streams {
		h.add(st.next(now))
	}
	for _, c := range s.site.Conversations() { // for Wait, when no page looks
		if m := c.Last(); m != nil {
			h.add(m.At(now).Next)
		}
	}
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
	if !h.first.Equal(s.horizon) && s.wake != nil {
		s.wake()
	}
	s.horizon = h.first
}

// pulse is the one goroutine that follows the clock: it sleeps until the next visible change and
// refreshes then. Any refresh that moves that moment wakes it.
func (s *Server) pulse() {
	for s.ctx.Err() == nil {
		ctx, cancel := context.WithCancel(s.ctx)
		s.mu.Lock()
		s.wake = cancel
		wait, any := s.pause()
		s.mu.Unlock()
		if s.rest(ctx, wait, any) {
			s.Tick()
		}
		cancel()
	}
}

// pause is how long nothing visible changes; false: for ever.
func (s *Server) pause() (time.Duration, bool) {
	if s.horizon.IsZero() {
		return 0, false
	}
	return max(s.horizon.Sub(s.clock.Now()), s.gap), true
}

// rest reports whether the moment came; false: somebody woke the pulse.
func (s *Server) rest(ctx context.Context, wait time.Duration, any bool) bool {
	if !any {
		<-ctx.Done()
		return false
	}
	return s.clock.Sleep(ctx, wait) == nil
}

// horizon collects the earliest moment behind now.
type horizon struct{ now, first time.Time }

func (h *horizon) add(t time.Time) {
	if t.After(h.now) && (h.first.IsZero() || t.Before(h.first)) {
		h.first = t
	}
}
