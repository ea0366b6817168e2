package bridge

import (
	"context"
	"errors"

	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
)

// renew is RESYNC for rows 8 and 9. A round in flight is finished first and its plan is not
// executed: the round is closed, RESYNC declares the static text again, and the next ROUND is r+1
// (readings 13).
func (r *relay) renew(ctx context.Context) error {
	s := r.state()
	if s.Interrupted() == session.PhaseVersionLost {
		if err := r.followSaid(ctx); err != nil || r.over() {
			return err
		}
		r.mind.held = true
		return r.back()
	}
	if r.declaring() {
		return r.declareOn(ctx)
	}
	if s.Resyncs > 0 && s.Phase != session.PhaseResync {
		return r.stop(Manual, 13, "a RESYNC in this episode did not help")
	}
	if s.Pending() {
		if err := r.deliver(ctx); err != nil {
			return err
		}
	}
	if err := r.finishTurn(ctx); err != nil && !errors.Is(err, errNoAck) || r.over() {
		return err
	}
	if s.Phase == session.PhaseVersionLost {
		r.mind.held = true
		return nil
	}
	if s.Decided() != "" {
		return r.obey(ctx)
	}
	if err := r.caughtUp(ctx); err != nil {
		return err
	}
	before := s.Acked
	if err := r.followSaid(ctx); err != nil || r.over() || s.Acked != before {
		return err
	}
	if stopped, err := r.atBoundary(); stopped {
		return err
	}
	if err := r.cutOpen(); err != nil {
		return err
	}
	r.mind.held = true
	return r.versionLost()
}

// declaring: a RESYNC is on the way, of this process or of the one before it, and it says what this
// process is.
func (r *relay) declaring() bool {
	s := r.state()
	return s.Interrupted() == session.PhaseResync && s.Offered == offered(r.offer)
}

// declareOn finds out what became of it; what is left of it (its acknowledgement, or all of it when
// it is proven not sent) is the relay's next step.
func (r *relay) declareOn(ctx context.Context) error {
	r.mind.place = recovery.SameTab // the page stands; what fails from here on is another failure
	if r.state().Pending() {
		if err := r.deliver(ctx); err != nil {
			return err
		}
	}
	r.mind.held = true
	return r.back()
}

// cutOpen closes an open round: its plan will not be executed under the old contract.
func (r *relay) cutOpen() error {
	if s := r.state(); s.RoundOver() || s.Current().Message.Send != session.Sent {
		return nil
	}
	return r.j.Write(session.Record{
		Kind: session.RecRoundClosed, Round: r.state().Round, Receipt: renewedContract,
		Reason: "the contract or the capabilities are declared again",
	})
}

// renewedContract is what the next ROUND reports about it.
const renewedContract = "上一轮的方案未执行：能力或合同已变化，已重新声明。请按新的声明给出方案。"

func (r *relay) versionLost() error {
	o := r.offer
	return r.j.Write(session.Record{
		Kind: session.RecVersionLost, Reason: "what pi is differs from what was acknowledged",
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	})
}

// back returns to a RESYNC that was owed when the process before this one ended.
func (r *relay) back() error {
	if r.state().Phase != session.PhaseDisconnected {
		return nil
	}
	return r.j.Write(session.Record{Kind: session.RecReconnected, Row: 6})
}
