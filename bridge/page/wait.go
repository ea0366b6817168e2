package page

import (
	"context"
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Ended is positive proof that the turn of our message is over and its answer whole.
type Ended struct {
	MessageID    string // of the answer; "" when the document names none
	Conversation string
	By           Evidence // ByRecord, or ByBar when the record could not be read
}

// Reading is what the record said about one answer.
type Reading string

// The readings.
const (
	Unasked    Reading = "was not asked"
	Finished   Reading = "has it finished"
	Unfinished Reading = "has it unfinished"
	CutOff     Reading = "has it cut off"
	Missing    Reading = "does not have the message"
	Unreadable Reading = "could not be read"
)

// Wait polls until the answer to our message is proven finished. The document only says when to
// ask: the record decides, because the action bar flashes early, comes late or never comes, stop
// flickers, and silence means nothing. A record that cannot be read leaves the bar on a still
// answer.
//
// Errors: *BlockedError, *ConversationError, *AnswerError, *RunningError at the limit,
// *browser.Loss. The site's Retry and Continue controls are reported, never pressed.
func (p *Page) Wait(ctx context.Context, messageID string, limit time.Duration) (Ended, error) {
	w := watch{page: p, id: messageID, pace: p.pace(limit), record: Unasked}
	for {
		st, err := ask(ctx, p, point.WaitPoll, probe.Turn, probe.TurnArgs{MessageID: messageID})
		if err != nil {
			return Ended{}, err
		}
		w.see(&st)
		ended, done, err := w.judge(ctx)
		if done || err != nil {
			return ended, err
		}
		if w.pace.over() {
			return Ended{}, &RunningError{State: st.State, Length: st.Length, Record: w.record}
		}
		if err := w.pace.wait(ctx); err != nil {
			return Ended{}, err
		}
	}
}

// watch is the wait for one answer.
type watch struct {
	page *Page
	id   string
	pace pace

	state  probe.TurnState
	same   int       // equal looks in a row
	since  time.Time // of the first of them
	now    time.Time
	asked  time.Time // zero: the record was not asked since the last change
	record Reading
}

// see takes in one look. A change makes the next looks come quickly again.
func (w *watch) see(st *probe.TurnState) {
	w.now = w.page.cfg.Clock.Now()
	if w.same == 0 || *st != w.state {
		w.state, w.same, w.since, w.asked = *st, 0, w.now, time.Time{}
		w.pace.reset()
	}
	w.same++
}

func (w *watch) judge(ctx context.Context) (Ended, bool, error) {
	st := &w.state
	if st.Blocker != probe.NoBlocker {
		return Ended{}, false, &BlockedError{Blocker: st.Blocker, Detail: "seen while waiting"}
	}
	if err := w.follow(ctx); err != nil {
		return Ended{}, false, err
	}
	if !w.due() {
		return Ended{}, false, nil
	}
	answer, err := w.ask(ctx)
	switch {
	case err != nil:
		return Ended{}, false, err
	case w.record == Finished:
		return Ended{answer, w.page.pinned, ByRecord}, true, nil
	case w.failed():
		return Ended{}, false, &AnswerError{st.Error, st.Truncated, st.Retry}
	case w.record == Unreadable && st.State == probe.AnswerFinished && w.quiet():
		return Ended{st.MessageID, w.page.pinned, ByBar}, true, nil
	}
	return Ended{}, false, nil
}

// follow checks the conversation on each read. While the server's id is not known, an address that
// does not show our turn decides nothing, but is not waited for without end: a person may have
// opened another chat, which has no address either. A durable one is ours if the server has our
// message there.
func (w *watch) follow(ctx context.Context) error {
	p, seen := w.page, w.state.Conversation
	mounted := w.state.State != probe.AnswerUnmounted
	p.saw(mounted)
	switch {
	case Durable(p.pinned) || mounted:
		return p.follow(seen, mounted)
	case !Durable(seen) && w.unseen():
		return ErrUnseen
	case !Durable(seen) || w.same < p.cfg.Tuning.StablePolls || !w.rested(p.cfg.Tuning.RecordEvery):
		return nil
	}
	w.asked = w.now
	r, err := p.record(ctx, point.WaitRecord, seen, "")
	if err != nil {
		return err
	}
	if view := owner(&r, w.id, ""); view != ViewUnknown {
		return p.follow(seen, view == ViewOurs)
	}
	return nil
}

// unseen: a turn that stood in the page is gone, or one that was sent does not come.
func (w *watch) unseen() bool {
	if w.state.Conversation != "" && w.state.Conversation == w.page.pinned {
		return false // the page's own name for the conversation tells
	}
	return w.page.gone() && w.quiet() || w.now.Sub(w.since) >= w.page.cfg.Tuning.ReadyLimit
}

// due says whether the record is to be asked now.
func (w *watch) due() bool {
	t := &w.page.cfg.Tuning
	steady := w.same >= t.StablePolls
	switch w.state.State {
	case probe.AnswerFinished:
		return steady
	case probe.AnswerError:
		return steady
	case probe.AnswerUnmounted:
		return steady && w.rested(t.RecordEvery)
	}
	quiet := w.quiet() && !w.state.Stop && w.state.Length > 0
	if quiet || w.now.Sub(w.since) >= t.RecordEvery {
		return w.rested(t.RecordEvery)
	}
	return false
}

// rested: the record was not asked since the last change, or long enough ago.
func (w *watch) rested(d time.Duration) bool { return w.asked.IsZero() || w.now.Sub(w.asked) >= d }

func (w *watch) quiet() bool { return w.now.Sub(w.since) >= w.page.cfg.Tuning.QuietLimit }

// failed: the page shows an error or a cut answer, and the record has no whole one; or the record
// says that somebody stopped it, which a page shows like an end.
func (w *watch) failed() bool {
	switch w.record {
	case CutOff:
		return !w.state.Stop
	case Unreadable:
		return w.state.State == probe.AnswerError && w.quiet()
	}
	return w.state.State == probe.AnswerError || (w.state.Truncated && !w.state.Stop)
}

// ask reads the record and returns the id of the finished answer.
func (w *watch) ask(ctx context.Context) (string, error) {
	w.asked = w.now
	w.record = Unreadable
	if !Durable(w.page.pinned) {
		return "", nil
	}
	r, err := w.page.record(ctx, point.WaitRecord, w.page.pinned, w.id)
	if err != nil {
		return "", err
	}
	m, reading := answerIn(&r)
	w.record = reading
	return m.ID, nil
}

// answerIn finds the answer in a record read after our message: the last final message before the
// next one of the user.
func answerIn(r *probe.RecordState) (probe.RecordedMessage, Reading) {
	switch {
	case r.Status != 200 || !r.LoggedIn:
		return probe.RecordedMessage{}, Unreadable
	case !r.Found:
		return probe.RecordedMessage{}, Missing
	}
	return finalBefore(r.Messages)
}

// finalBefore returns the last final message that comes before the next one of the user.
func finalBefore(messages []probe.RecordedMessage) (probe.RecordedMessage, Reading) {
	last := -1
	for i := range messages {
		if messages[i].Role == "user" {
			break
		}
		if messages[i].Final {
			last = i
		}
	}
	switch {
	case last < 0:
		return probe.RecordedMessage{}, Unfinished
	case messages[last].Cut:
		return messages[last], CutOff
	case !messages[last].Finished:
		return messages[last], Unfinished
	}
	return messages[last], Finished
}
