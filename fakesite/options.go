package fakesite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Options are the switches of the site. The zero value is the default family. Fields marked "core"
// are acted on in this package; fields marked "page" describe the document and are the business of
// whoever renders one (fakesite/web and the virtual engine); the core never reads them. Options may
// be changed while the site runs (Site.Options); they hold from the next send or page load on.
type Options struct {
	// The document's family. Page.
	Family   string // "" or "section", "article", "li" (data-message-role), "b" (no turn ids)
	Editor   string // "" or "prosemirror", "lexical"
	CodeView string // "" or "classic" (pre > code), "cm" (cm-editor, <br> for line breaks)

	// Marks of the end. Page.
	NoBar       bool // the action bar never appears
	EarlyBar    bool // the bar flashes at thinking → answer, with the first piece shown
	StopFlicker bool // the stop button goes away between pieces
	NoStop      bool // no stop button is ever seen
	OtherStop   bool // a read-aloud button and a chat title begin with "Stop"
	AnswerNow   bool // a submit button "Answer now" stands in a form during thinking

	// The address. Core (Site.Address).
	Transient bool // /c/WEB:<client id> from the commit to Timing.Address
	NoAddress bool // /c/<id> only when the first answer has ended

	// Mounted turns. Page.
	Window     int  // 0 = 6 turns, negative = all
	MountSlow  bool // turns mount one by one after the composer
	UserHTML   bool // user turns are rendered: fences as HTML, white space collapsed
	UserNotice bool // a notice text stands in the user turn, beside its content node
	Nested     bool // old assistant turns hold several data-message-id nodes

	// The composer. Page.
	DraftRestored string        // a draft of the server that comes back after hydration
	DraftAfter    time.Duration // hydration → the draft is back
	LateWipe      time.Duration // hydration → whatever was typed is wiped, once; 0 = never
	FallbackFor   time.Duration // only the fallback text area exists, so long after readyState
	NBSP          bool          // runs of spaces come back with U+00A0
	SendNoop      int           // the first n clicks on Send do nothing
	Freeze        bool          // a send is accepted, then the page's script stops for good
	Title         string        // title of new chats; "" = "New chat". Core sets Conversation.Title

	// Copying and reading. Page; RecordStatus is the HTTP side.
	CopyBroken   bool // copy buttons write nothing
	CopyStale    bool // copy buttons write what the answer before held
	RecordStatus int  // status of every conversation read; 0 = 200
	RecordEmpty  bool // conversation reads give an empty mapping
	// RecordDiffers: in conversation reads a plan has other commands than on the page (RecordedText).
	RecordDiffers bool

	// The answer. Core.
	Preamble     string        // commentary that stands before and during the thinking
	PauseAt      int           // percent of the text after which the stream pauses
	PauseFor     time.Duration // how long; 0 = no pause
	TwoResponses bool          // plans come with an Alternative; the bar waits for a choice (page)
	Continue     bool          // plans stop at half: Message.Truncated, "Continue generating" (page)
	ToolApproval bool          // plans wait in Thinking until Site.Approve; a card is shown (page)
	Handoff      bool          // the first stream ends at once with a hand-off (page, HTTP)
	Canvas       bool          // the text stands in a side panel, the turn holds a remark (page)
	Deferral     bool          // while Thinking, a notice outside the turn (page)

	// Cloudflare. Page.
	ChallengeScript bool // a /challenge-platform/ script on a healthy page
	// RateDialog: the dialog "Too many requests" stands while BlockRate does (the default); with
	// NoRateDialog only the 429 tells. Page.
	NoRateDialog bool

	// MaxText is the longest message in bytes; longer is RefusedTooLong. 0 = 400,000. Core.
	MaxText int
	// Faults strike single messages. Core.
	Faults Faults
}

// DefaultWindow is the number of mounted turns when Options.Window is 0.
const DefaultWindow = 6

const defaultMaxText = 400_000

// MountedTurns is Window with its default applied; negative = all.
func (o *Options) MountedTurns() int {
	if o.Window == 0 {
		return DefaultWindow
	}
	return o.Window
}

func (o *Options) maxText() int {
	if o.MaxText == 0 {
		return defaultMaxText
	}
	return o.MaxText
}

// RecordedText is what a read of the record gives in place of an answer's text.
func (o *Options) RecordedText(text string) string {
	if !o.RecordDiffers {
		return text
	}
	return strings.Replace(text, "## COMMANDS\n- ", "## COMMANDS\n- sudo ", 1)
}

// Validate names the first switch whose value makes no sense.
func (o *Options) Validate() error {
	switch {
	case !slices.Contains([]string{"", "section", "article", "li", "b"}, o.Family):
		return fmt.Errorf("family %q is not known: use section, article, li or b", o.Family)
	case !slices.Contains([]string{"", "prosemirror", "lexical"}, o.Editor):
		return fmt.Errorf("editor %q is not known: use prosemirror or lexical", o.Editor)
	case !slices.Contains([]string{"", "classic", "cm"}, o.CodeView):
		return fmt.Errorf("code view %q is not known: use classic or cm", o.CodeView)
	case o.PauseAt < 0 || o.PauseAt > 100:
		return fmt.Errorf("pause at %d: it is a percentage of the text, 0 to 100", o.PauseAt)
	case o.PauseFor < 0 || o.FallbackFor < 0 || o.LateWipe < 0 || o.DraftAfter < 0:
		return errors.New("a duration is negative: use 0 to switch it off")
	case o.SendNoop < 0 || o.MaxText < 0:
		return errors.New("a count is negative: use 0 for the default")
	}
	for _, b := range o.Faults.Block {
		if !slices.Contains(Blockers(), b.Blocker) {
			return fmt.Errorf("blocker %q at message %d is not known: use one of %q",
				b.Blocker, b.Nth, Blockers())
		}
	}
	return nil
}

// Nth names sends by their ordinal, from 1, among all that would be taken: a send that a blocker, a
// limit or an unfinished turn refuses does not count, one that a fault of this list refuses does.
// In a quiet session HELLO is 1 and ROUND r is r+1.
type Nth []int

// Has reports whether n is named.
func (l Nth) Has(n int) bool {
	for _, v := range l {
		if v == n {
			return true
		}
	}
	return false
}

// Faults strike the n-th message. Several may name the same message.
type Faults struct {
	ServerError Nth // 500, and nothing was accepted
	Accepted500 Nth // accepted, recorded and answered, yet the reply is a 500
	Dropped     Nth // the HTTP reply is fine, but the message is in no record and gets no answer
	FailBefore  Nth // the answer fails before any text
	FailMid     Nth // after half of it
	FailAfter   Nth // after the whole text
	Never       Nth // the answer thinks for ever
	Refuse      []RefuseAt
	Block       []BlockAt
}

// RefuseAt refuses one message with a chosen refusal, without a blocker that stays.
type RefuseAt struct {
	Nth int
	Why Refusal
}

// BlockAt lets a blocker come with one message: before it (it is refused) or after (it is accepted
// and answered, and the blocker stands from the POST on).
type BlockAt struct {
	Nth     int
	Blocker Blocker
	After   bool
}
