package page

import (
	"context"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// View is whether a tab shows the conversation of a message whose conversation has no id of the
// server's yet.
type View uint8

// The views. Nothing follows from an empty page by itself: the site may not show the message yet,
// or a person may have opened a new chat, which has no address either.
const (
	ViewUnknown View = iota
	ViewOurs         // our message stands in the page or in its record, or nothing has left the fence
	ViewOther        // the record begins with another message, or nothing of ours is left here
)

// Shows tells whether the last look that could tell saw our last message in the page.
func (p *Page) Shows() bool { return p.shows }

// Seen names the document in which a look saw our last message, "" while none did. It outlives the
// page by Remember.
func (p *Page) Seen() string { return p.seen }

// Remember tells a new session on a tab in which document our last message was seen.
func (p *Page) Remember(document string) { p.seen = document }

// saw notes whether a look found our last message in the page.
func (p *Page) saw(yes bool) {
	if p.shows = yes; yes {
		p.seen = p.document.Name
	}
}

// gone: our message stood in this very document, and does not any more. A person opened another
// chat there, or the site lost it.
func (p *Page) gone() bool { return !p.shows && p.seen == p.document.Name && p.seen != "" }

// Recognise looks whether the tab shows the conversation of s while nothing names it: "before a
// conversation id exists the conversation is the document that holds our fence, or a record that
// contains S: <sid>" (readings 10). It is believed by message id and exact header only. messageID
// is empty while it is not known; then the fence is revoked, and if it was never passed the
// document stands for the conversation.
func (p *Page) Recognise(ctx context.Context, s *Submission, messageID string) (View, error) {
	t, err := p.Mounted(ctx, "")
	if err != nil {
		return ViewUnknown, err
	}
	mounted := shownIn(&t, s, messageID)
	p.saw(mounted)
	switch {
	case mounted:
		return ViewOurs, p.follow(t.Conversation, true)
	case Durable(t.Conversation):
		return p.ownRecord(ctx, s, messageID, t.Conversation)
	case p.document.Name != s.Document && len(t.Turns) == 0 && t.Conversation == "":
		return ViewOther, nil
	case p.pinned != "" && t.Conversation == p.pinned:
		return ViewOurs, nil // the page's own name for it
	case p.gone(), messageID != "", p.document.Name != s.Document:
		return ViewUnknown, nil
	}
	f, err := p.Revoke(ctx)
	if err != nil || f.Token != s.Token || f.Document != s.Document || f.Passed != 0 {
		return ViewUnknown, err
	}
	return ViewOurs, nil
}

// shownIn looks for our message among the mounted turns.
func shownIn(t *probe.TailState, s *Submission, messageID string) bool {
	for i := range t.Turns {
		turn := &t.Turns[i]
		if turn.Role == "user" &&
			(messageID != "" && turn.MessageID == messageID || headed(turn.Head, s.Text)) {
			return true
		}
	}
	return false
}

// ownRecord reads the conversation that the address names.
func (p *Page) ownRecord(
	ctx context.Context, s *Submission, messageID, conversation string,
) (View, error) {
	r, err := p.record(ctx, point.DiscoverRead, conversation, "")
	if err != nil {
		return ViewUnknown, err
	}
	view := owner(&r, messageID, s.Text)
	if view == ViewOurs {
		err = p.follow(conversation, true)
	}
	return view, err
}

// owner tells whose conversation a record is: by message id, or by the exact header of text. One
// that holds no message of a user may have lost ours.
func owner(r *probe.RecordState, messageID, text string) View {
	if r.Status != 200 || !r.LoggedIn {
		return ViewUnknown
	}
	others := false
	for i := range r.Messages {
		m := &r.Messages[i]
		switch {
		case m.Role != "user":
		case messageID != "" && m.ID == messageID, headed(m.Text, text):
			return ViewOurs
		default:
			others = true
		}
	}
	if r.Complete && others && messageID != "" {
		return ViewOther
	}
	return ViewUnknown
}
