package page

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

// Submission is a message that stands in the composer, behind a fence, ready to be submitted once.
// Its fields but Text go into the journal with the intent; after a restart it is rebuilt from
// there.
type Submission struct {
	Text     string
	Digest   string // of Text, see Digest
	Baseline string // id of the last message before it; "" in a new chat
	Token    string // the fence's one-shot token
	Document string // the document that holds composer and fence

	unpressed bool // no click was made for it yet; only the page that prepared it knows
}

// Digest is the digest of a text as a Submission carries it: SHA-256, hex, of the form in which two
// readings of one text are equal (wire.SameText). An editor may give back other spaces than were
// typed.
func Digest(text string) string {
	sum := wire.Sum(wire.Plain(text))
	var digits [2 * len(sum)]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:])
}

// tailLimit is how many turns a baseline looks at; the site mounts five or six.
const tailLimit = 12

// Prepare does all of a send that can be undone: it puts up a fence that lets nothing of this text
// through, types the text, reads it back whole and takes the baseline. Nothing was submitted when
// it fails, and until Submit arms the fence nobody's click or Enter can submit it either.
//
// Errors: *BlockedError, *NotReadyError, *ConversationError, ErrReadBack, ErrPageUnknown,
// ErrDocument, *browser.Loss.
func (p *Page) Prepare(ctx context.Context, text string) (*Submission, error) {
	if err := p.clear(ctx, point.GuardCheck); err != nil {
		return nil, err
	}
	p.events = p.session.Drain(p.events[:0]) // whatever was posted before is not ours
	s := &Submission{
		Text: text, Digest: Digest(text), Token: clock.Hex(p.cfg.Entropy, 16),
		Document: p.document.Name, unpressed: true,
	}
	if _, err := p.fence(ctx, s, true); err != nil {
		return nil, err
	}
	if err := p.write(ctx, text); err != nil {
		return nil, err
	}
	var err error
	if s.Baseline, err = p.baseline(ctx); err != nil {
		return nil, err
	}
	if p.document.Name != s.Document {
		return nil, ErrDocument
	}
	return s, p.still(ctx)
}

// still demands that the tab shows our conversation after all that was typed: a person may have
// opened another one meanwhile, and nothing is intended there.
func (p *Page) still(ctx context.Context) error {
	if p.shown == p.pinned {
		return nil
	}
	return p.clear(ctx, point.GuardCheck)
}

// write puts the text in. A first read-back that differs (a restored draft, a late wipe, a
// rewritten insert) is answered by clearing and inserting once more, a second one by refusing.
func (p *Page) write(ctx context.Context, text string) error {
	for try := 0; ; try++ {
		held, err := p.enter(ctx, text)
		switch {
		case err != nil:
			return err
		case wire.SameText(held, text):
			return nil
		case try > 0:
			return errors.Join(unlike(text, held), p.empty(ctx), p.Unfence(ctx))
		}
	}
}

func unlike(text, held string) error {
	return fmt.Errorf("%w: %d characters were typed and %d stand there; nothing was sent", ErrReadBack,
		utf8.RuneCountInString(text), utf8.RuneCountInString(held))
}

// enter focuses, empties, inserts and reads back.
func (p *Page) enter(ctx context.Context, text string) (held string, err error) {
	if err := p.focus(ctx); err != nil {
		return "", err
	}
	if err := p.empty(ctx); err != nil {
		return "", err
	}
	if err := p.insert(ctx, text); err != nil {
		return "", err
	}
	c, err := ask(ctx, p, point.SendReadBack, probe.Composer, probe.None{})
	return c.Text, err
}

func (p *Page) focus(ctx context.Context) error {
	d, err := ask(ctx, p, point.SendFocus, probe.Focus, probe.None{})
	return undone(d, err)
}

// empty asks twice: some editors apply a deletion only after the call that made it.
func (p *Page) empty(ctx context.Context) error {
	d, err := ask(ctx, p, point.SendEmpty, probe.Empty, probe.None{})
	if err == nil && !d.OK {
		d, err = ask(ctx, p, point.SendEmpty, probe.Empty, probe.None{})
	}
	return undone(d, err)
}

func undone(d probe.Done, err error) error {
	if err == nil && !d.OK {
		return &NotReadyError{Why: d.Reason}
	}
	return err
}

// insert types the text in chunks, with the caret put to the end before each further one.
func (p *Page) insert(ctx context.Context, text string) error {
	for first := true; text != ""; first = false {
		if !first {
			if err := p.focus(ctx); err != nil {
				return err
			}
		}
		n := chunk(text, p.cfg.Tuning.ChunkRunes)
		if err := p.insertText(ctx, text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

func (p *Page) insertText(ctx context.Context, text string) error {
	p.cfg.op(point.SendInsert)
	call, cancel := p.cfg.Clock.WithTimeout(ctx, p.cfg.Tuning.CallDeadline)
	defer cancel()
	_, err := browser.Call(call, p.session, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// chunk returns the length in bytes of the first piece of text: all of it, or at most limit
// characters, cut behind the last line break in them, else behind the last space, else between two
// characters.
func chunk(text string, limit int) int {
	if limit <= 0 || len(text) <= limit {
		return len(text)
	}
	end, runes := 0, 0
	for end < len(text) && runes < limit {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
		runes++
	}
	if end == len(text) {
		return end
	}
	for _, space := range [...]string{"\n", " "} {
		if i := strings.LastIndex(text[:end], space); i > 0 {
			return i + 1
		}
	}
	return end
}

// baseline is the id of the last message, once the mounted turns hold still: a window that is still
// filling up would make old turns look new. Turns of another conversation are none of ours.
func (p *Page) baseline(ctx context.Context) (string, error) {
	w := p.pace(p.cfg.Tuning.ReadyLimit)
	var before probe.TailState
	for equal := 0; ; {
		t, err := ask(ctx, p, point.SendBaseline, probe.Tail, probe.TailArgs{Limit: tailLimit})
		switch {
		case err != nil:
		case t.Conversation != p.pinned:
			err = p.another(ctx, t.Conversation)
		case p.pinned == "" && p.mine == "" && len(t.Turns) > 0: // somebody's, without an address yet
			err = &ConversationError{Want: p.pinned, Seen: t.Turns[0].TurnID}
		}
		if err != nil {
			return "", err
		}
		equal++
		if equal > 1 && !sameTurns(before.Turns, t.Turns) {
			equal = 1
			w.reset()
		}
		empty := len(t.Turns) == 0 && t.Conversation != ""
		switch {
		case equal >= p.cfg.Tuning.StablePolls && !empty:
			p.shown = t.Conversation
			return lastID(t.Turns), nil
		case w.over() && empty:
			return "", fmt.Errorf("%w: no turn is found in conversation %q; reload the page, and if "+
				"that does not help adapt probe/profile.json", ErrPageUnknown, t.Conversation)
		case w.over():
			return "", &NotReadyError{Why: "its turns do not hold still"}
		}
		before = t
		if err := w.wait(ctx); err != nil {
			return "", err
		}
	}
}

func sameTurns(a, b []probe.MountedTurn) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].TurnID != b[i].TurnID || a[i].MessageID != b[i].MessageID {
			return false
		}
	}
	return true
}

// lastID prefers message ids, which the record knows as well; a turn without one has its turn id.
func lastID(turns []probe.MountedTurn) string {
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].MessageID != "" {
			return turns[i].MessageID
		}
	}
	if n := len(turns); n > 0 {
		return turns[n-1].TurnID
	}
	return ""
}

// fence puts up the fence for exactly this text in exactly this document and conversation, dead or
// armed. An address that came since the last look may still be ours.
func (p *Page) fence(ctx context.Context, s *Submission, dead bool) (probe.FenceState, error) {
	f, err := p.putFence(ctx, s, dead)
	if err == nil && f.Conversation != p.pinned {
		if err = p.another(ctx, f.Conversation); err == nil {
			f, err = p.putFence(ctx, s, dead)
		}
	}
	switch {
	case err != nil:
		return f, err
	case f.Conversation != p.pinned:
		return f, &ConversationError{Want: p.pinned, Seen: f.Conversation}
	case !f.Present || f.Live == dead:
		return f, &NotReadyError{Why: "the fence could not be put up"}
	}
	return f, nil
}

func (p *Page) putFence(ctx context.Context, s *Submission, dead bool) (probe.FenceState, error) {
	args := probe.FenceArgs{Token: s.Token, Text: s.Text, Conversation: p.pinned, Dead: dead}
	f, err := ask(ctx, p, point.SendFence, probe.Fence, args)
	if err == nil && (f.Document != s.Document || p.document.Name != s.Document) {
		err = ErrDocument
	}
	return f, err
}

// arm makes the token live, if the composer still holds our whole text.
func (p *Page) arm(ctx context.Context, s *Submission) error {
	f, err := p.fence(ctx, s, false)
	if err == nil && !f.Holds {
		return unlike(s.Text, f.Composer)
	}
	return err
}
