package bridge

import (
	"context"
	"errors"
	"time"

	"bridgesim/bridge/page"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
)

// send brings one message of any kind to the other side, at most once.
//
//	prepare ──► intent (durable: unknown) ──► fence, guard, click ──► prove ──► sent (durable)
//
// Between intent and proof nobody can tell; what then happens is the decision table's matter, and
// never a second click.
func (r *relay) send(ctx context.Context, text string, intent session.Record) error {
	r.mind.sending = intent.Round
	defer func() { r.mind.sending = 0 }()
	if err := r.here(ctx); err != nil {
		return err
	}
	sub, err := r.page.Prepare(ctx, text)
	if err != nil {
		return r.taken(err)
	}
	intent.Digest, intent.Baseline = sub.Digest, sub.Baseline
	intent.Token, intent.Document = sub.Token, sub.Document
	if err := r.j.Write(intent); err != nil {
		return err
	}
	if err = r.page.Submit(ctx, sub); err == nil {
		err = r.prove(ctx, sub)
	}
	return r.withdraw(ctx, sub, err)
}

// withdraw is what becomes of a message that was never clicked, because a person opened another
// conversation in the tab or because the page wiped or changed the text: only this process knows
// that, and only this document can prove that it did not go out (readings 8). The failure stays a
// failure: the conversation has to be found again, or the page to be waited for.
func (r *relay) withdraw(ctx context.Context, sub *page.Submission, cause error) error {
	never := errors.Is(cause, page.ErrConversationChanged) || errors.Is(cause, page.ErrReadBack)
	if !never || !r.state().Pending() {
		return cause
	}
	unsent, _, err := r.page.NotSent(ctx, sub, r.state().Conversation)
	if err == nil && unsent {
		err = r.notSent()
	}
	switch {
	case err != nil:
		return err // the page is lost as well, or the journal
	case unsent && errors.Is(cause, page.ErrReadBack):
		return &page.NotReadyError{Why: "it did not keep the text that was typed"}
	}
	return cause
}

// taken gives up a tab in which somebody began a chat before anything of ours was sent from it: as
// long as that has no address, the tab looks like a new chat from outside.
func (r *relay) taken(err error) error {
	if r.mind.began && !r.nameless() && r.state().Conversation == "" &&
		errors.Is(err, page.ErrConversationChanged) {
		r.mind.avoid = r.page.Target()
	}
	return err
}

// here is attached for a step: from where it finds the page on, nothing is lost.
func (r *relay) here(ctx context.Context) error {
	err := r.attached(ctx)
	if err == nil {
		r.mind.place = recovery.SameTab
	}
	return err
}

// prove waits for the outgoing request's client message id or our own new user turn, and makes the
// proof durable. The click's answer proves nothing.
func (r *relay) prove(ctx context.Context, sub *page.Submission) error {
	proof, err := r.page.Prove(ctx, sub)
	if err != nil {
		return err
	}
	if err := r.sent(proof); err != nil || r.page.Document().Name == sub.Document {
		return err
	}
	return page.ErrDocument // it went out, and the page that could have shown its answer is gone
}

// converse records the server's conversation id as soon as it is known (B36, B37).
func (r *relay) converse(id string) error {
	if !page.Durable(id) || id == r.state().Conversation {
		return nil
	}
	return r.j.Write(session.Record{Kind: session.RecConversation, Conversation: id})
}

// reply waits for the end of the answer to our last message and takes it whole.
func (r *relay) reply(ctx context.Context) (page.Reply, error) {
	if err := r.here(ctx); err != nil {
		return page.Reply{}, err
	}
	last := r.state().Last
	ended, err := r.page.Wait(ctx, last.MessageID, r.answerLimit())
	if err != nil {
		return page.Reply{}, err
	}
	if err := r.converse(ended.Conversation); err != nil {
		return page.Reply{}, err
	}
	return r.page.Capture(ctx, last.MessageID, ended.MessageID, ended.Conversation)
}

// answerLimit is the time that the answer may still take: its own limit, cut by the boundaries.
func (r *relay) answerLimit() time.Duration {
	limit := r.cfg.Tuning.AnswerLimit
	if left, ok := r.timeLeft(); ok && left < limit {
		return max(left, 0)
	}
	return limit
}
