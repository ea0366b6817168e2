package bridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
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

// boundary names the boundary that is reached, or "".
func (r *relay) boundary() string {
	l, s := r.cfg.Limits, r.state()
	if l.Rounds > 0 && s.Round >= l.Rounds {
		return fmt.Sprintf("the limit of %d rounds is reached", l.Rounds)
	}
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

// fail turns a failure into the end of the run: what can be continued is left open in the journal,
// what cannot is stopped there.
func (r *relay) fail(ctx context.Context, err error) (Report, bool) {
	o, row := outcomeOf(ctx, err)
	if o == Boundary || o == BlockerShown || o == Manual || o == Thrown {
		if werr := r.stop(o, row, err.Error()); werr == nil {
			rep, _ := r.ended()
			rep.Err = err
			return rep, true
		}
	}
	r.drop()
	return r.report(o, err.Error(), err), true
}

// outcomeOf names the end that a failure leads to, by its type, never by its text.
func outcomeOf(ctx context.Context, err error) (Outcome, int) {
	var capture *page.CaptureError
	var unsettled *Unsettled
	switch loss, lost := browser.AsLoss(err); {
	case ctx.Err() != nil:
		return Interrupted, 0
	case errors.Is(err, page.ErrBlocked):
		return BlockerShown, 12
	case lost && loss != nil:
		return Lost, 3
	case errors.Is(err, page.ErrStillRunning):
		return Boundary, 14
	case errors.As(err, &unsettled):
		return Manual, 11
	case errors.As(err, &capture):
		return Manual, 1
	case errors.Is(err, page.ErrUnproven), errors.Is(err, page.ErrReadBack),
		errors.Is(err, page.ErrConversationChanged), errors.Is(err, page.ErrAnswerFailed),
		errors.Is(err, page.ErrNotReady), errors.Is(err, page.ErrPageUnknown),
		errors.Is(err, page.ErrDocument):
		return Manual, 2
	}
	return Thrown, 15
}

// open takes up the journal, or begins one.
func open(cfg Config) (*relay, error) {
	if err := cfg.fill(); err != nil {
		return nil, err
	}
	j, err := session.Open(cfg.Store, cfg.Clock, cfg.Tracer)
	if err != nil {
		return nil, err
	}
	r := &relay{cfg: cfg, j: j}
	if err := r.begin(); err != nil {
		return nil, err
	}
	s := r.state()
	r.offer = wire.NewOffer(s.SID, s.Request, s.Objective, cfg.Capabilities, cfg.Denials)
	return r, nil
}

// ErrOtherRequest is the refusal to resume with another request.
var ErrOtherRequest = errors.New("one sid serves one request: this session was begun with another")

// begin writes the identity of a new session, or checks that of an old one.
func (r *relay) begin() error {
	s := r.state()
	if s.SID != "" {
		if r.cfg.Request != "" && r.cfg.Request != s.Request {
			return ErrOtherRequest
		}
		return nil
	}
	if r.cfg.Request == "" {
		return errors.Join(ErrConfig, errors.New("it needs a request"))
	}
	sid := clock.Hex(r.cfg.Entropy, 8)
	o := wire.NewOffer(sid, r.cfg.Request, r.cfg.Objective, r.cfg.Capabilities, r.cfg.Denials)
	return r.j.Write(session.Record{
		Kind: session.RecNew, SID: sid, Request: r.cfg.Request, Objective: r.cfg.Objective,
		QID: o.QID, Capabilities: r.cfg.Capabilities, Denials: r.cfg.Denials,
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	})
}
