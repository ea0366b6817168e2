package bridge

import (
	"context"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// relay is one run of a session: what is durable lives in the journal, what is not lives here and
// may be lost with the process.
type relay struct {
	cfg   Config
	j     *session.Journal
	offer wire.Offer
	b     browser.Browser
	page  *page.Page
	mind  memory
}

// Run relays one request from its first HELLO to a named end. It fails only when the run cannot
// begin; everything that happens afterwards is in the report.
func Run(ctx context.Context, cfg Config) (Report, error) {
	r, err := open(cfg)
	if err != nil {
		return Report{}, err
	}
	defer r.detach(ctx)
	return r.relay(ctx), nil
}

// relay takes one step after the other until the session has ended. What to do next is never a
// matter of where the code stands, only of what the journal says: so a run that was killed goes on
// at the same place.
func (r *relay) relay(ctx context.Context) Report {
	for {
		if end, ok := r.ended(); ok {
			return end
		}
		err := r.step(ctx)
		if err == nil {
			r.mind.tries = 0
			continue
		}
		if end, ok := r.recover(ctx, err); ok {
			return end
		}
	}
}

// step does the one thing that the session's phase asks for. A message whose fate is not known
// comes before everything: no other may go out while it is (readings 6).
func (r *relay) step(ctx context.Context) error {
	switch {
	case r.state().Pending():
		return r.deliver(ctx)
	case r.unsent():
		return r.again(ctx)
	}
	switch r.state().Phase {
	case session.PhaseNew:
		return r.sayHello(ctx)
	case session.PhaseHelloSent, session.PhaseResync:
		return r.awaitAck(ctx)
	case session.PhaseVersionLost:
		return r.sayResync(ctx)
	case session.PhaseUncertain:
		return r.sayResume(ctx)
	case session.PhaseResume:
		return r.afterResume(ctx)
	case session.PhaseEstablished, session.PhaseSettled:
		return r.nextRound(ctx)
	case session.PhaseRound, session.PhaseRepair:
		return r.awaitPlan(ctx)
	case session.PhaseInvalid:
		return r.sayRepair(ctx)
	case session.PhasePlan:
		return r.obey(ctx)
	case session.PhaseExecuting:
		return r.execute(ctx)
	default:
		return &Unlisted{Phase: r.state().Phase}
	}
}

func (r *relay) state() *session.State { return r.j.State() }

func (r *relay) note(kind point.NoteKind, key, text string) {
	r.cfg.Tracer.Note(point.Note{Kind: kind, Round: r.state().Round, Key: key, Text: text})
}
