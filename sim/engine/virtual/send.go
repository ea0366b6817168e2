package virtual

import (
	"strconv"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
)

const sendPath = "/backend-api/f/conversation"

// statusOf is the HTTP status of each refusal (facts 10.6).
func statusOf(r fakesite.Refusal) int {
	switch r {
	case fakesite.RefusedLogin:
		return 401
	case fakesite.RefusedCaptcha, fakesite.RefusedUnusual:
		return 403
	case fakesite.RefusedNotFound:
		return 404
	case fakesite.RefusedBusy:
		return 409
	case fakesite.RefusedTooLong:
		return 413
	case fakesite.RefusedRate, fakesite.RefusedCap:
		return 429
	}
	return 500
}

// submit is what the app does when it is asked to send: the POST, with the client's own message id.
// The composer keeps its text until the commit.
func (d *document) submit() {
	if d.sending() || !d.frozenAt.IsZero() {
		return
	}
	b, now := d.b, d.b.now()
	p := fakesite.Post{
		ConversationID: d.conversation, MessageID: clock.UUID(b.cfg.Entropy), ParentID: fakesite.RootID,
		Text: d.text, Temporary: d.temporary(),
	}
	if c := d.chat(); c == nil {
		p.ConversationID, p.TransientID = "", clock.UUID(b.cfg.Entropy)
	} else if last := c.Last(); last != nil {
		p.ParentID = last.ID
	}
	b.seq++
	e := browser.Event{
		Kind: browser.MessagePosted, URL: b.cfg.SiteURL + sendPath, MessageID: p.MessageID,
		ConversationID: p.ConversationID, RequestID: strconv.FormatUint(b.seq, 10), Text: p.Text,
	}
	d.tab.emit(e)
	c, answer, why := b.site.Submit(now, p)
	b.logLedger()
	d.note(&p, c, answer, why)
	if why != fakesite.Taken {
		e.Kind, e.Status, e.Text = browser.MessageFailed, statusOf(why), ""
		d.tab.emit(e)
	}
}

// note writes down what the document has to show of a send.
func (d *document) note(
	p *fakesite.Post, c *fakesite.Conversation, answer *fakesite.Message, why fakesite.Refusal,
) {
	now := d.b.now()
	s := sent{messageID: p.MessageID, text: p.Text, at: now, blind: why != fakesite.Taken}
	if answer != nil {
		s.messageID = answer.Parent
	}
	s.ghost = answer == nil && !s.blind
	if s.blind {
		d.toasts++
		if answer == nil {
			return
		}
	}
	d.posted = true
	if !s.blind {
		d.back = 0
	}
	title := d.title()
	if c != nil && !s.blind {
		d.conversation = c.ID
	}
	if !s.blind && d.b.site.Options().Freeze {
		d.frozenTitle, d.frozenBlock = title, d.b.site.Blocked()
		d.frozenAt, s.blind = now, true
	}
	d.sends = append(d.sends, s)
}
