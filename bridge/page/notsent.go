package page

import (
	"context"
	"errors"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Revoke kills the fence's token and reads fence and composer in the same synchronous call. It is
// allowed at any time, also while a blocker stands.
func (p *Page) Revoke(ctx context.Context) (probe.FenceState, error) {
	return ask(ctx, p, point.SendRevoke, probe.Revoke, probe.None{})
}

// Unfence removes the fence at the end: a person may use the tab again.
func (p *Page) Unfence(ctx context.Context) error {
	d, err := ask(ctx, p, point.SendRevoke, probe.Unfence, probe.None{})
	return undone(d, err)
}

// Why says what kept a message from being proven not sent; empty when it was proven.
type Why string

// The reasons. Each leaves the message unknown, which is treated as sent.
const (
	Proven         Why = ""
	WhyNoFence     Why = "the document holds no fence with this token"
	WhyNewDocument Why = "the document is not the one that the message was typed into"
	WhyPassed      Why = "the fence let a submit of the text through"
	WhyComposer    Why = "the composer does not hold the whole text any more"
	WhyAddress     Why = "a conversation id appeared in the address"
	WhyTurn        Why = "a new turn of the user is mounted"
	WhyRecord      Why = "no authenticated record was read"
	WhyIncomplete  Why = "the record is not complete"
	WhyNoBaseline  Why = "the record does not contain the last message before it"
	WhyLater       Why = "the record has a later message of the user"
)

// NotSent tries to prove that a message was not submitted and cannot be any more: "fence revoked
// unused in the same document + composer still holds our whole text + an authenticated record read
// that contains the baseline turn and not ours" (readings 8). For a first message, whose
// conversation is not known, it is enough that no id appeared (readings 10), or that one appeared
// before the click was made at all.
//
// It holds also in a tab that shows another conversation by now: document, fence and composer are
// the same, and the record is read by the conversation's id.
//
// The page is read first and the record after it: a click that was queued in the renderer comes
// before the first read of a new session, not before a read of the server.
func (p *Page) NotSent(ctx context.Context, s *Submission, conversation string) (bool, Why, error) {
	f, err := p.Revoke(ctx)
	switch {
	case errors.Is(err, ErrDocument):
		return false, WhyNewDocument, nil
	case err != nil:
		return false, "", err
	}
	if why := fenced(s, &f); why != Proven {
		return false, why, nil
	}
	if conversation == "" {
		return p.notStarted(ctx, s)
	}
	r, err := p.record(ctx, point.DiscoverRead, conversation, "")
	if err != nil {
		return false, "", err
	}
	why := absent(s, &r)
	return why == Proven, why, nil
}

// fenced judges the page's half of the proof.
func fenced(s *Submission, f *probe.FenceState) Why {
	switch {
	case f.Document != s.Document:
		return WhyNewDocument
	case !f.Present || f.Token != s.Token:
		return WhyNoFence
	case f.Passed != 0:
		return WhyPassed
	case !f.Holds && !s.unpressed: // without a click of ours a wiped composer hides nothing
		return WhyComposer
	}
	return Proven
}

// notStarted is round 0: neither address nor turns show that a conversation began.
func (p *Page) notStarted(ctx context.Context, s *Submission) (bool, Why, error) {
	args := probe.TailArgs{After: s.Baseline, Limit: tailLimit}
	t, err := ask(ctx, p, point.DiscoverTurns, probe.Tail, args)
	switch {
	case err != nil:
		return false, "", err
	case p.document.Name != s.Document:
		return false, WhyNewDocument, nil
	case s.Baseline != "":
		return false, WhyRecord, nil
	case s.unpressed: // nobody clicked, so what a person opened there meanwhile is not ours
	case t.Conversation != "":
		return false, WhyAddress, nil
	case len(t.Turns) > 0:
		return false, WhyTurn, nil
	}
	return true, Proven, nil
}

// absent judges the record's half. A masked, missing or empty record proves nothing, and any later
// message of the user may be ours.
func absent(s *Submission, r *probe.RecordState) Why {
	switch {
	case r.Status != 200 || !r.LoggedIn:
		return WhyRecord
	case !r.Complete:
		return WhyIncomplete
	}
	base := -1
	for i := range r.Messages {
		if r.Messages[i].ID == s.Baseline {
			base = i
		}
	}
	if base < 0 {
		return WhyNoBaseline
	}
	for _, m := range r.Messages[base+1:] {
		if m.Role == "user" {
			return WhyLater
		}
	}
	return Proven
}

// record reads the conversation from the server.
func (p *Page) record(
	ctx context.Context, op point.Op, conversation, after string,
) (probe.RecordState, error) {
	args := probe.RecordArgs{Conversation: conversation, After: after}
	return ask(ctx, p, op, probe.Record, args)
}
