package bridge

import (
	"context"
	"errors"

	"bridgesim/bridge/page"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// continuity sends RESUME and waits for its acknowledgement. The RESUME of an earlier restart is
// another one when the checkpoint has moved on since.
func (r *relay) continuity(ctx context.Context) error {
	s := r.state()
	due := s.Last.CK != s.Checkpoint || s.Last.Next != s.Next()
	if due || s.Last.Kind != wire.KindResume || s.Last.Send == session.NotSent {
		if err := r.sayResume(ctx); err != nil {
			return err
		}
	}
	if !r.state().Unfinished() {
		return nil
	}
	return r.awaitResumed(ctx)
}

// afterResume waits for the acknowledgement of RESUME; a refused one is followed by RESYNC, once.
func (r *relay) afterResume(ctx context.Context) error {
	if r.state().Unfinished() {
		return r.awaitResumed(ctx)
	}
	return r.sayResync(ctx)
}

// sayResume says where pi stands; no static text is sent again.
func (r *relay) sayResume(ctx context.Context) error {
	s := r.state()
	ck, next := s.Checkpoint, s.Next()
	return r.send(ctx, r.offer.Resume(ck, next), session.Record{
		Kind: session.RecIntent, Message: wire.KindResume, CK: ck, Next: next,
	})
}

// awaitResumed gates the acknowledgement of RESUME: the same CK and NEXT, else RESYNC once.
func (r *relay) awaitResumed(ctx context.Context) error {
	last := r.state().Last
	reply, err := r.reply(ctx)
	if failed := (*page.AnswerError)(nil); errors.As(err, &failed) {
		return r.refusedResume([]wire.Code{wire.CodeRequired}, "its turn ended without a reply")
	}
	if err != nil {
		return err
	}
	ack, failed := wire.GateResume(r.offerOf(r.state().Acked), last.CK, last.Next, reply.Text)
	if len(failed) > 0 {
		return r.refusedResume(wire.FailureCodes(failed), reasons(failed))
	}
	return r.j.Write(session.Record{
		Kind: session.RecAck, Message: wire.KindResume, CK: last.CK, Next: last.Next,
		HV: ack.HV, CV: ack.CV, Contract: ack.Contract, Cap: ack.Cap,
	})
}

// refusedResume: the other side does not agree; static text is declared again, once per episode.
func (r *relay) refusedResume(codes []wire.Code, why string) error {
	err := r.j.Write(session.Record{
		Kind: session.RecRefused, Message: wire.KindResume, Codes: codes, Reason: why,
	})
	if err != nil {
		return err
	}
	if r.state().Resyncs > 0 {
		return r.stop(Manual, 13, "the answer to RESUME fails the gate after a RESYNC: "+why)
	}
	return nil
}
