package page

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
)

// Sentinels for errors.Is. The structs below match the one that they belong to.
var (
	// ErrBlocked: a captcha, logout, rate limit, cap or account block stands; a person must act.
	ErrBlocked = errors.New("a blocker stands in the page")
	// ErrNotReady: the page does not take text (yet).
	ErrNotReady = errors.New("the page is not ready for a message")
	// ErrReadBack: the composer does not hold what was put in; nothing was submitted.
	ErrReadBack = errors.New("the composer does not hold the message word for word")
	// ErrDocument: the document was replaced between two steps of a send; its fence is gone.
	ErrDocument = errors.New("the document was replaced during the send")
	// ErrUnproven: it could not be proven that the message went out. It may have.
	ErrUnproven = errors.New("no proof that the message was sent")
	// ErrConversationChanged: the tab shows another conversation than the session's.
	ErrConversationChanged = errors.New("the tab shows another conversation")
	// ErrUnseen: nothing says whether the tab still shows the conversation of our message.
	ErrUnseen = errors.New("the page does not show what was sent, and no id names its conversation")
	// ErrAnswerFailed: the site ended the answer with an error or cut it off.
	ErrAnswerFailed = errors.New("the site did not finish the answer")
	// ErrStillRunning: the limit passed before the answer was proven finished.
	ErrStillRunning = errors.New("the answer is not finished")
	// ErrPageUnknown: the page shows a conversation whose turns are not recognised.
	ErrPageUnknown = errors.New("the page model is not recognised")
)

// BlockedError names the blocker.
type BlockedError struct {
	Blocker probe.Blocker
	Detail  string // the structure that showed it
}

// Error says what stands there and what to do.
func (e *BlockedError) Error() string {
	msg := ErrBlocked.Error() + ": " + string(e.Blocker)
	if e.Detail != "" {
		msg += " (" + e.Detail + ")"
	}
	return msg + "; clear it in the browser, then resume"
}

// Is matches ErrBlocked.
func (e *BlockedError) Is(target error) bool { return target == ErrBlocked }

// NotReadyError says what is missing.
type NotReadyError struct{ Why string }

// Error adds what is missing.
func (e *NotReadyError) Error() string { return ErrNotReady.Error() + ": " + e.Why }

// Is matches ErrNotReady.
func (e *NotReadyError) Is(target error) bool { return target == ErrNotReady }

// ConversationError names both conversations.
type ConversationError struct{ Want, Seen string }

// Error names them.
func (e *ConversationError) Error() string {
	return ErrConversationChanged.Error() + ": want " + strconv.Quote(e.Want) + ", see " +
		strconv.Quote(e.Seen) + "; nothing is typed there"
}

// Is matches ErrConversationChanged.
func (e *ConversationError) Is(target error) bool { return target == ErrConversationChanged }

// AnswerError is the end of a turn without a whole answer.
type AnswerError struct {
	Shown     string // the page's own words, shortened; for a person
	Truncated bool   // the answer hit the output limit: "Continue generating" stands there
	Retry     bool   // a Retry control stands there; it is never pressed
}

// Error says how the turn ended.
func (e *AnswerError) Error() string {
	switch {
	case e.Truncated:
		return ErrAnswerFailed.Error() + ": it was cut off at the output limit"
	case e.Shown != "":
		return ErrAnswerFailed.Error() + ": the page says " + strconv.Quote(e.Shown)
	}
	return ErrAnswerFailed.Error()
}

// Is matches ErrAnswerFailed.
func (e *AnswerError) Is(target error) bool { return target == ErrAnswerFailed }

// RunningError is the state of an answer at the limit.
type RunningError struct {
	State  probe.AnswerState
	Length int
	Record Reading // what the record said last
}

// Error names the state.
func (e *RunningError) Error() string {
	return fmt.Sprintf("%v within the limit: the page shows it %s (%d characters), the record %s",
		ErrStillRunning, e.State, e.Length, e.Record)
}

// Is matches ErrStillRunning.
func (e *RunningError) Is(target error) bool { return target == ErrStillRunning }

// CaptureError says that a reply was not obtained. Its code is local: our own capture failed, the
// other side is not to blame, and no REPAIR follows.
type CaptureError struct {
	Code    wire.Code // wire.CodeCapture or wire.CodeSourceUncertain
	Sources []SourceState
}

// Error lists the sources that were read.
func (e *CaptureError) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code) + ": " + e.Code.Meaning())
	for _, s := range e.Sources {
		b.WriteString("; " + string(s.Source) + ": " + s.Why)
	}
	return b.String()
}
