package page

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

// Submit arms the fence and presses the send button once, by a trusted mouse click. The guard probe
// is the last call before it. A nil error proves nothing: Prove does. After any error of Submit the
// message may have gone out or may still go out, unless NotSent proves otherwise.
func (p *Page) Submit(ctx context.Context, s *Submission) error {
	x, y, err := p.armed(ctx, s)
	if err != nil {
		return err
	}
	// From here on the last message is this one.
	p.shows, p.seen, s.unpressed = false, "", false
	if err := p.press(ctx, input.DispatchMouseEventTypeMousePressed, x, y, 1); err != nil {
		return err
	}
	return p.press(ctx, input.DispatchMouseEventTypeMouseReleased, x, y, 0)
}

// armed arms the fence, aims, and looks at the guard last. An id of the server's that took the
// place of a transient one meanwhile has left the token behind, so it is armed again.
func (p *Page) armed(ctx context.Context, s *Submission) (x, y float64, err error) {
	for bound := "-"; bound != p.pinned; {
		if err := p.arm(ctx, s); err != nil {
			return 0, 0, err
		}
		bound = p.pinned
		p.events = p.session.Drain(p.events[:0]) // a request before this moment cannot be ours
		if x, y, err = p.aim(ctx, s); err != nil {
			return 0, 0, err
		}
		if err := p.clear(ctx, point.SendGuard); err != nil {
			return 0, 0, err
		}
		if p.document.Name != s.Document {
			return 0, 0, ErrDocument
		}
	}
	return x, y, nil
}

// aim waits until the send button takes a click and the composer still holds the text.
func (p *Page) aim(ctx context.Context, s *Submission) (x, y float64, err error) {
	w := p.pace(p.cfg.Tuning.SendLimit)
	for {
		c, err := ask(ctx, p, point.SendReadBack, probe.Composer, probe.None{})
		switch {
		case err != nil:
			return 0, 0, err
		case p.document.Name != s.Document:
			return 0, 0, ErrDocument
		case !wire.SameText(c.Text, s.Text):
			return 0, 0, unlike(s.Text, c.Text)
		case c.Enabled && (c.X != 0 || c.Y != 0):
			return c.X, c.Y, nil
		case w.over():
			return 0, 0, &NotReadyError{Why: idle(&c)}
		}
		if err := w.wait(ctx); err != nil {
			return 0, 0, err
		}
	}
}

func idle(c *probe.ComposerState) string {
	switch {
	case c.Stop:
		return "an answer is still being written"
	case !c.Send:
		return "there is no send button"
	case !c.Enabled:
		return "the send button is disabled"
	}
	return "something lies over the send button"
}

func (p *Page) press(
	ctx context.Context, kind input.DispatchMouseEventType, x, y float64, buttons int64,
) error {
	p.cfg.op(point.SendSubmit)
	call, cancel := p.cfg.Clock.WithTimeout(ctx, p.cfg.Tuning.CallDeadline)
	defer cancel()
	_, err := browser.Call(call, p.session, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1,
	})
	return err
}

// Evidence says what proved something.
type Evidence string

// The kinds of evidence.
const (
	ByRequest Evidence = "request" // the page's own request carried the message id
	ByTurn    Evidence = "turn"    // our header stands in a user turn that is new
	ByRecord  Evidence = "record"  // the server's record says so
	ByBar     Evidence = "bar"     // the action bar stood on a still answer; the record was unreadable
)

// Proof is mechanical proof that a message went out.
type Proof struct {
	MessageID    string // the client's id; of the turn when messages have none
	TurnID       string // "" when the turn was not seen
	Conversation string // of the turn, by the address; "" or transient at first, "" without a turn
	By           Evidence
}

// Prove polls until the message is proven sent: the id of an outgoing request that holds our text,
// or a user turn that is new since the baseline and begins with our exact header. What a person
// posts in the same tab at the same moment is not ours. The answer of the click and
// similar text prove nothing. ErrUnproven at the limit; a *ConversationError when the tab shows
// another conversation than the known one, where no proof can come any more.
func (p *Page) Prove(ctx context.Context, s *Submission) (Proof, error) {
	w := p.pace(p.cfg.Tuning.ProveLimit)
	args := probe.TailArgs{After: s.Baseline, Limit: tailLimit}
	posted := request{digest: s.Digest}
	for {
		t, err := ask(ctx, p, point.SendProve, probe.Tail, args)
		p.events = p.session.Drain(p.events[:0])
		posted.note(p.events)
		if proof, ok := proven(s, &t, posted.message); ok {
			p.mine = proof.MessageID
			p.saw(proof.TurnID != "")
			if proof.TurnID == "" {
				return proof, nil // a failed look takes nothing away from the request
			}
			return proof, p.follow(t.Conversation, true)
		}
		switch {
		case err != nil:
			return Proof{}, err
		case Durable(p.pinned) && t.Conversation != p.pinned:
			return Proof{}, &ConversationError{Want: p.pinned, Seen: t.Conversation}
		case w.over():
			return Proof{}, ErrUnproven
		}
		if err := w.wait(ctx); err != nil {
			return Proof{}, err
		}
	}
}

// request is the last send of our text that the page made since the fence was armed.
type request struct{ digest, message, id string }

// note forgets a send that failed: a refused or broken request is ambiguous (readings 9).
func (r *request) note(events []browser.Event) {
	for i := range events {
		e := &events[i]
		switch {
		case e.Kind == browser.MessagePosted && e.MessageID != "" && Digest(e.Text) == r.digest:
			r.message, r.id = e.MessageID, e.RequestID
		case e.Kind == browser.MessageFailed && e.RequestID == r.id:
			r.message, r.id = "", ""
		}
	}
}

// proven looks for the proof in what one poll saw.
func proven(s *Submission, t *probe.TailState, posted string) (Proof, bool) {
	if posted != "" {
		proof := Proof{MessageID: posted, By: ByRequest}
		for i := range t.Turns {
			if t.Turns[i].MessageID == posted {
				proof.TurnID, proof.Conversation = t.Turns[i].TurnID, t.Conversation
			}
		}
		return proof, true
	}
	if !t.Found {
		return Proof{}, false
	}
	for i := range t.Turns {
		turn := &t.Turns[i]
		if turn.Role == "user" && headed(turn.Head, s.Text) {
			id := turn.MessageID
			if id == "" {
				id = turn.TurnID
			}
			return Proof{id, turn.TurnID, t.Conversation, ByTurn}, id != ""
		}
	}
	return Proof{}, false
}

// headed reports whether head, as the page shows it, begins with the first two lines of text. White
// space is not compared: the page collapses it. A text without a header of ours has none to show.
func headed(head, text string) bool {
	if _, ours := wire.HeaderOf(text); !ours {
		return false
	}
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	second, _, _ := strings.Cut(rest, "\n")
	seen := words{head}
	for want := (words{first + " " + second}); ; {
		word, more := want.next()
		if !more {
			return true
		}
		if got, ok := seen.next(); !ok || got != word {
			return false
		}
	}
}

// words walks the words of a text.
type words struct{ rest string }

func (w *words) next() (string, bool) {
	w.rest = strings.TrimLeft(w.rest, " \t\r\n\u00a0")
	if w.rest == "" {
		return "", false
	}
	end := strings.IndexAny(w.rest, " \t\r\n\u00a0")
	if end < 0 {
		end = len(w.rest)
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	return word, true
}
