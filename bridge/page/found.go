package page

import (
	"context"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Found looks once whether a message went out after all: in the document, else in the record. Like
// Prove it believes ids and our exact header, never similar text. Not finding it proves nothing.
func (p *Page) Found(ctx context.Context, s *Submission, conversation string) (Proof, bool, error) {
	args := probe.TailArgs{After: s.Baseline, Limit: tailLimit}
	t, err := ask(ctx, p, point.DiscoverTurns, probe.Tail, args)
	if err != nil {
		return Proof{}, false, err
	}
	p.events = p.session.Drain(p.events[:0])
	posted := request{digest: s.Digest}
	posted.note(p.events)
	if proof, ok := proven(s, &t, posted.message); ok {
		p.mine = proof.MessageID
		p.saw(proof.TurnID != "")
		if proof.TurnID == "" {
			return proof, true, nil
		}
		return proof, true, p.follow(t.Conversation, true)
	}
	if !Durable(conversation) {
		return Proof{}, false, nil
	}
	return p.recorded(ctx, s, conversation)
}

// recorded looks for the message behind the baseline in the record.
func (p *Page) recorded(
	ctx context.Context, s *Submission, conversation string,
) (Proof, bool, error) {
	r, err := p.record(ctx, point.DiscoverRead, conversation, s.Baseline)
	if err != nil || r.Status != 200 || !r.LoggedIn || !r.Found {
		return Proof{}, false, err
	}
	for _, m := range r.Messages {
		if m.Role == "user" && headed(m.Text, s.Text) {
			p.mine = m.ID
			return Proof{MessageID: m.ID, Conversation: conversation, By: ByRecord}, true, nil
		}
	}
	return Proof{}, false, nil
}
