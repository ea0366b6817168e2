package bridge

import (
	"fmt"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

// Unlisted is a state that no step knows: an invariant is broken, automation stops (row 15).
type Unlisted struct{ Phase session.Phase }

func (u *Unlisted) Error() string { return "no step is known in phase " + string(u.Phase) }

// Unsettled says that the agent did not settle.
type Unsettled struct {
	Round  int
	Status agent.Status
}

func (u *Unsettled) Error() string {
	return fmt.Sprintf("the agent did not settle round %d: %s", u.Round, u.Status)
}

// boundary names the boundary that forbids a further ROUND, or "".
func (r *relay) boundary() string {
	l, s := r.cfg.Limits, r.state()
	if l.Rounds > 0 && s.LastRound() >= l.Rounds {
		return fmt.Sprintf("the limit of %d rounds is reached", l.Rounds)
	}
	return r.overtime()
}

// atBoundary stops a recovery that has nothing left to do but the next ROUND, where a boundary
// forbids that one: RESUME and RESYNC would only prepare it.
func (r *relay) atBoundary() (stopped bool, err error) {
	why := r.boundary()
	if why == "" || !r.state().RoundOver() {
		return false, nil
	}
	return true, r.stop(Boundary, 14, why)
}

// overtime names the time limit that is over, or "". It also stops what is in flight.
func (r *relay) overtime() string {
	l, s := r.cfg.Limits, r.state()
	if l.Wall > 0 && r.cfg.Clock.Now().Sub(s.Began) >= l.Wall {
		return fmt.Sprintf("the limit of %s for the whole run is reached", l.Wall)
	}
	if c := s.Current(); c != nil && l.PerRound > 0 && r.roundTime(c) >= l.PerRound {
		return fmt.Sprintf("round %d took longer than its limit of %s", c.Round, l.PerRound)
	}
	return ""
}

// roundTime is how long the round took, from its intent to its settlement or to now.
func (r *relay) roundTime(c *session.RoundState) time.Duration {
	end := c.Ended
	if end.IsZero() {
		end = r.cfg.Clock.Now()
	}
	return end.Sub(c.Began)
}

// timeLeft is the time until the nearest time boundary.
func (r *relay) timeLeft() (left time.Duration, limited bool) {
	l, s, now := r.cfg.Limits, r.state(), r.cfg.Clock.Now()
	if l.Wall > 0 {
		left, limited = l.Wall-now.Sub(s.Began), true
	}
	if c := s.Current(); c != nil && l.PerRound > 0 {
		if d := l.PerRound - now.Sub(c.Began); !limited || d < left {
			left, limited = d, true
		}
	}
	return left, limited
}

// stop ends the session with a named outcome, durably.
func (r *relay) stop(o Outcome, row int, why string) error {
	return r.j.Write(session.Record{
		Kind: session.RecStopped, Outcome: string(o), Row: row, Round: r.state().Round, Reason: why,
	})
}

// ended reports a session that the journal says is over.
func (r *relay) ended() (Report, bool) {
	s := r.state()
	if s.Outcome == "" {
		return Report{}, false
	}
	return r.report(Outcome(s.Outcome), s.Reason, nil), true
}

func (r *relay) report(o Outcome, why string, err error) Report {
	s := r.state()
	r.note(point.NoteOutcome, string(o), why)
	rep := Report{
		Outcome: o, SID: s.SID, Conversation: s.Conversation, Round: s.Round,
		Checkpoint: s.Checkpoint, Terminal: s.Terminal, Reason: why, Row: s.Row, Err: err,
	}
	if s.Conversation != "" {
		rep.Address = page.Address(r.cfg.Site, s.Conversation)
	}
	return rep
}
