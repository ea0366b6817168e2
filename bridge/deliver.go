package bridge

import (
	"context"

	"bridgesim/bridge/page"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// deliver settles what became of the last message, without ever sending: proof that it did not go
// out and cannot any more, proof that it did, or neither. The page is read first, with the token
// revoked in the same call, and the record after it (readings 8).
func (r *relay) deliver(ctx context.Context) error {
	if err := r.attached(ctx); err != nil {
		return err
	}
	s := r.state()
	sub := r.submission()
	unsent, _, err := r.page.NotSent(ctx, sub, s.Conversation)
	if err != nil {
		return err
	}
	if unsent {
		return r.notSent()
	}
	proof, found, err := r.page.Found(ctx, sub, s.Conversation)
	switch {
	case err != nil:
		return err
	case !found:
		return r.unproven(ctx)
	}
	return r.sent(proof)
}

// unproven: nothing shows what became of the last message, in a page that still is its own.
func (r *relay) unproven(ctx context.Context) error {
	if err := r.stays(ctx); err != nil {
		return err
	}
	return page.ErrUnproven
}

// notSent makes the proof durable that the last message did not go out and cannot any more.
func (r *relay) notSent() error {
	last := r.state().Last
	return r.j.Write(session.Record{
		Kind: session.RecNotSent, Message: last.Kind, Round: last.Round, Document: last.Document,
	})
}

// submission rebuilds from the journal what was submitted last.
func (r *relay) submission() *page.Submission {
	last := r.state().Last
	return &page.Submission{
		Text: r.textOf(last), Digest: last.Digest, Baseline: last.Baseline,
		Token: last.Token, Document: last.Document,
	}
}

// sent makes a proof durable.
func (r *relay) sent(proof page.Proof) error {
	if err := r.converse(proof.Conversation); err != nil {
		return err
	}
	last := r.state().Last
	return r.j.Write(session.Record{
		Kind: session.RecSent, Message: last.Kind, Round: last.Round, MessageID: proof.MessageID,
	})
}

// textOf is the text of a message that may have gone out. Its first lines, by which it is found,
// hold the identity only, so they are right also when pi's capabilities have changed since.
func (r *relay) textOf(m session.Message) string {
	switch m.Kind {
	case wire.KindHello:
		return r.offer.Hello()
	case wire.KindResync:
		return r.offer.Resync()
	case wire.KindResume:
		return r.offer.Resume(m.CK, m.Next)
	case wire.KindRepair:
		return wire.RepairRound(r.frame(m.Round), r.state().Current().Codes)
	}
	return wire.NextRound(r.frame(m.Round), "")
}

// again sends a message that is proven not sent, the same one: it is the only case in which
// anything goes out twice, and it goes out once.
func (r *relay) again(ctx context.Context) error {
	switch s := r.state(); {
	case s.Phase == session.PhaseRound:
		return r.nextRound(ctx)
	case s.Phase == session.PhaseRepair:
		return r.sayRepair(ctx)
	}
	switch r.state().Last.Kind {
	case wire.KindHello:
		return r.sayHello(ctx)
	case wire.KindResync:
		return r.sayResync(ctx)
	}
	return r.sayResume(ctx)
}

// unsent tells whether the phase waits for an answer to a message that is proven not sent: the last
// one, or a ROUND or REPAIR before a RESUME or RESYNC that has been acknowledged meanwhile. Those
// go out only when the turn of what was sent before them is over.
func (r *relay) unsent() bool {
	s := r.state()
	last := s.Last
	switch s.Phase {
	case session.PhaseRound, session.PhaseRepair:
		return !s.Current().Closed && (last.Send == session.NotSent ||
			last.Kind == wire.KindResume || last.Kind == wire.KindResync)
	case session.PhaseHelloSent, session.PhaseResync, session.PhaseResume:
		return last.Send == session.NotSent
	}
	return false
}
