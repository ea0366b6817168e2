package bridge

import (
	"context"

	"bridgesim/bridge/page"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// greeted looks for a HELLO that the journal does not know in the tab that the journal names: its
// intent may be among the lines that were lost. One that has no address yet is waited for.
func (r *relay) greeted(ctx context.Context) error {
	view, err := r.page.Recognise(ctx, &page.Submission{Text: r.offer.Hello()}, "")
	if err != nil || view != page.ViewOurs {
		return err
	}
	if !page.Durable(r.page.Conversation()) {
		return page.ErrUnproven
	}
	return r.converse(r.page.Conversation())
}

// unjournaled lists what stands in the record behind everything that the journal knows of. Where
// the ids say nothing, because the journal was rebuilt or its last message never went out, it
// goes by what was said: a RESUME counts once per (CK, NEXT), a RESYNC once per episode.
func (r *relay) unjournaled() []recovery.Said {
	said, last := r.mind.said, r.state().Last
	for i := len(said) - 1; i >= 0; i-- {
		if said[i].ID == last.MessageID {
			return said[i+1:]
		}
	}
	free := last.Kind == wire.KindResume || last.Kind == wire.KindResync
	if last.Round > r.mind.behind || free && last.Send != session.NotSent {
		return nil // the journal knows of a later message
	}
	for len(said) > 0 && r.journaled(&said[0].Message) {
		said = said[1:]
	}
	return said
}

func (r *relay) journaled(m *wire.Message) bool {
	s := r.state()
	if m.Kind == wire.KindResync {
		return s.Resyncs > 0
	}
	return s.Resumed.CK == m.CK && s.Resumed.Next == m.Next
}

// followSaid puts into the journal what went out and is not known there, and waits for each answer,
// as the process that sent it would have done. Nothing is sent again.
func (r *relay) followSaid(ctx context.Context) error {
	for _, m := range r.unjournaled() {
		follow := r.followResume
		if m.Message.Kind == wire.KindResync {
			follow = r.followResync
		}
		if err := follow(ctx, &m); err != nil || r.over() {
			return err
		}
	}
	return nil
}

// followResume leaves out a RESUME that is not the one that would be due now: it was answered, and
// its round has gone on since.
func (r *relay) followResume(ctx context.Context, m *recovery.Said) error {
	s := r.state()
	ck, next := m.Message.CK, m.Message.Next
	if s.Acked == (session.Version{}) || ck != s.Checkpoint || next != s.Next() {
		return nil
	}
	if !s.Phase.Recovering() { // it was a process after the one that was heard of last that said it
		if err := r.lostRuntime(); err != nil {
			return err
		}
	}
	err := r.wentOut(m, session.Record{
		Kind: session.RecIntent, Message: wire.KindResume, CK: ck, Next: next,
	})
	if err != nil {
		return err
	}
	return r.awaitResumed(ctx)
}

// followResync: unless it followed a refused RESUME, the round before it was cut off.
func (r *relay) followResync(ctx context.Context, m *recovery.Said) error {
	s, v := r.state(), versionIn(&m.Message)
	r.mind.held = true
	if s.Phase != session.PhaseResume || s.Last.Kind != wire.KindResume || !s.Last.Answered {
		if err := r.cutOpen(); err != nil {
			return err
		}
		err := r.j.Write(session.Record{
			Kind: session.RecVersionLost, Reason: "the record shows that it was declared again",
			HV: v.HV, CV: v.CV, Contract: v.Contract, Cap: v.Cap,
		})
		if err != nil {
			return err
		}
	}
	err := r.wentOut(m, session.Record{
		Kind: session.RecIntent, Message: wire.KindResync,
		HV: v.HV, CV: v.CV, Contract: v.Contract, Cap: v.Cap,
	})
	if err != nil {
		return err
	}
	return r.awaitAck(ctx)
}

// wentOut journals a message that the record shows, as if its own lines had been kept.
func (r *relay) wentOut(m *recovery.Said, intent session.Record) error {
	intent.Digest = m.Digest
	if err := r.j.Write(intent); err != nil {
		return err
	}
	return r.j.Write(session.Record{
		Kind: session.RecSent, Message: intent.Message, MessageID: m.ID,
	})
}

func versionIn(m *wire.Message) session.Version {
	return session.Version{HV: m.HV, CV: m.CV, Contract: m.Contract, Cap: m.Cap}
}
