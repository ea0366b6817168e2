package bridge

import (
	"context"
	"errors"
	"strconv"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// Budgets bound one recovery episode (readings 21): no unbounded recovery. They are durable and
// reset only when a checkpoint advances. Zero fields take the default.
type Budgets struct {
	Attempts   int           // acts of recovery
	Elapsed    time.Duration // since the first of them
	BackoffMin time.Duration // before the second attempt; doubles, with seeded jitter
	BackoffMax time.Duration
}

// DefaultBudgets fits a browser that is restarted by hand within the hour.
func DefaultBudgets() Budgets {
	return Budgets{
		Attempts: 12, Elapsed: time.Hour, BackoffMin: time.Second, BackoffMax: 5 * time.Minute,
	}
}

// memory is what this process holds beyond the journal; it goes with the process.
type memory struct {
	held     bool             // sid, round and in-flight state are this process's own (readings 11)
	target   browser.TargetID // the tab last used
	document string           // and its document
	place    recovery.Place   // what the last look found
	opened   bool             // in a tab that was opened for it
	named    browser.TargetID // the tab that was opened for the conversation that a person named
	ready    bool             // the page at hand took text when it was attached to
	began    bool             // the session began in this process
	avoid    browser.TargetID // a tab in which somebody began a chat before we did
	same     recovery.Fact    // it shows our conversation, by the last look
	seen     string           // the document in which our last message was seen
	history  recovery.Fact    // a restarted pi has cross-checked the record
	conflict *recovery.Conflict
	sending  int             // round of the message on its way; 0 for those that belong to none
	plan     *wire.Plan      // of the last round, that only the record showed
	said     []recovery.Said // RESUMEs and RESYNCs that the record shows
	behind   int             // behind this round
	rebuilt  bool            // the journal was lost and rebuilt from the record (row 7)
	tries    int             // attempts since a step went well, for the back-off
}

// recover turns a failure into evidence, evidence into a verdict, and carries the verdict out;
// after each act it decides again. It returns when the relay can take its next step, or with the
// report of the end.
func (r *relay) recover(ctx context.Context, cause error) (Report, bool) {
	e := r.evidence(cause)
	for failed := false; ; {
		if ctx.Err() != nil {
			r.drop()
			return r.report(Interrupted, "interrupted; the session can go on", ctx.Err()), true
		}
		v := recovery.Decide(e)
		r.tell(v, e)
		if v.Act <= recovery.GiveUp {
			return r.giveUp(ctx, v, cause), true
		}
		err := r.pause(ctx, v, failed)
		if err == nil {
			err = r.act(ctx, v, &e)
		}
		switch {
		case err != nil:
			cause, failed = err, true
			e = r.evidence(cause)
		case v.Act != recovery.Look:
			r.mind.place = recovery.SameTab // from here on that is where it is
			return Report{}, false
		}
	}
}

// evidence is what is known at a failure, before anything is looked at. What this process does not
// remember, and what the page does not show any more, is unknown.
func (r *relay) evidence(cause error) recovery.Evidence {
	st := stall{failure: recovery.NoFailure, attached: recovery.Of(r.page != nil)}
	if cause != nil {
		st = classify(cause)
	}
	s := r.state()
	e := recovery.Evidence{
		Failure: st.failure, Place: st.place, Attached: st.attached, Blocker: st.blocker,
		Memory: recovery.Of(r.mind.held), Cache: r.cached(),
		Boundary: recovery.Of(r.overtime() != ""), Spent: recovery.Of(r.spent()),
		Changed: recovery.Of(s.Acked != session.Version{} && r.versionChanged()),
		Doubt:   st.doubt, Acked: recovery.Yes, Sure: recovery.Yes,
	}
	if r.mind.held {
		e.Conflict = recovery.No // row 10 judges only a history rebuilt without memory (readings 4)
	} else {
		e.History = r.mind.history // with memory nobody reads it again, and it may change
	}
	e.Acked, e.Spent = r.acked(&st), r.budget()
	if st.attached == recovery.Yes && r.mind.ready {
		e.Same, e.Place = r.same()
	}
	if u := (*Unsettled)(nil); errors.As(cause, &u) && u.Status == agent.NoAnswer && r.mind.held {
		e.Doubt = recovery.No // readings 14: row 11 needs lost memory, or an agent that has ended
	}
	executing := s.Inner() == session.PhaseExecuting || r.mind.plan != nil
	if e.Doubt == recovery.Unknown && (r.mind.held || !executing) {
		e.Doubt = recovery.No
	}
	r.lose(st)
	return e
}

// cached is whether the journal is whole. A process that remembers nothing knows it only when the
// record has been read: an old copy looks like any other.
func (r *relay) cached() recovery.Fact {
	switch {
	case r.mind.held:
		return recovery.Yes // a journal that was rebuilt is whole once the session is taken up
	case r.mind.rebuilt:
		return recovery.No
	case r.mind.history == recovery.Yes:
		return recovery.Yes
	}
	return recovery.Unknown
}

// acked is whether an acknowledgement is provable. While HELLO's turn lasts none is due; a process
// that did not see how it ended does not know.
func (r *relay) acked(st *stall) recovery.Fact {
	s := r.state()
	switch {
	case st.acked == recovery.No, r.resyncRefused():
		return recovery.No
	case s.Acked != session.Version{}, s.Interrupted() == session.PhaseVersionLost,
		s.Interrupted() == session.PhaseResync, s.Hello.Kind == "", s.Hello.Send == session.NotSent:
		return recovery.Yes
	case s.Hello.Answered:
		return recovery.No
	case r.mind.held:
		return recovery.Yes
	}
	return recovery.Unknown
}

// budget is whether the recovery budget is spent: attempts and time, or a RESYNC that was refused
// as well. How the last turn ended a restarted process knows only from the record.
func (r *relay) budget() recovery.Fact {
	s := r.state()
	switch {
	case r.spent() || r.resyncRefused():
		return recovery.Yes
	case r.mind.held || s.Last.Kind != wire.KindResync || s.Last.Answered:
		return recovery.No
	}
	return recovery.Unknown
}

// resyncRefused: the answer to RESYNC failed the gate, and the run ended before it could stop for
// it.
func (r *relay) resyncRefused() bool {
	s := r.state()
	return s.Interrupted() == session.PhaseResync && s.Last.Kind == wire.KindResync && s.Last.Answered
}

// lose writes down what was lost and forgets what it made void.
func (r *relay) lose(st stall) {
	if st.attached == recovery.No {
		r.mind.place = recovery.Somewhere
		r.keepAddress()
		r.drop()
	}
	if st.loss == "" || r.state().Phase == session.PhaseDisconnected || r.state().Phase.Ended() {
		return
	}
	// A journal that cannot be written shows at the next write that something depends on.
	_ = r.j.Write(session.Record{Kind: session.RecDisconnected, Loss: st.loss})
}

// keepAddress writes down the conversation that the page was seen to show, before the page is
// forgotten: nothing else may lead back to it.
func (r *relay) keepAddress() {
	if r.page != nil && r.state().Conversation == "" && !r.state().Phase.Ended() {
		_ = r.converse(r.page.Conversation()) // a journal that cannot be written shows at the next write
	}
}

// act carries a verdict out.
func (r *relay) act(ctx context.Context, v recovery.Verdict, e *recovery.Evidence) error {
	switch v.Act {
	case recovery.Look:
		return r.look(ctx, v, e)
	case recovery.Retry:
		return r.spend(ctx, v.Row)
	case recovery.Continue:
		return r.goOn(v)
	case recovery.Resume:
		return r.resume(ctx, v)
	case recovery.Resync:
		return r.renew(ctx)
	}
	return nil
}

// pause spends an attempt before an act that comes after a failed one, where nothing else would: a
// look at a page that is gone and a retry spend one of their own.
func (r *relay) pause(ctx context.Context, v recovery.Verdict, failed bool) error {
	if !failed || r.page == nil || v.Act == recovery.Retry || v.Act == recovery.Continue {
		return nil
	}
	return r.spend(ctx, rowOrFirst(v))
}

// goOn returns to the phase that the loss struck; the relay's next step does the rest. Where the
// history shows that the RESUME was acknowledged, nothing is uncertain any more.
func (r *relay) goOn(v recovery.Verdict) error {
	s := r.state()
	if s.Phase == session.PhaseUncertain && s.ResumeDone() {
		if err := r.lostRuntime(); err != nil {
			return err
		}
	}
	if s.Phase != session.PhaseDisconnected {
		return nil
	}
	return r.j.Write(session.Record{Kind: session.RecReconnected, Row: v.Row})
}

// spend takes one attempt from the budget, durably, and waits before all but the first: longer each
// time, with jitter from the seeded source.
func (r *relay) spend(ctx context.Context, row int) error {
	if err := r.j.Write(session.Record{Kind: session.RecBudget, Row: row}); err != nil {
		return err
	}
	r.mind.tries++
	if r.mind.tries == 1 {
		return nil
	}
	b := r.cfg.Budgets
	pause := b.BackoffMax
	if n := r.mind.tries - 2; n < 20 {
		pause = min(b.BackoffMin<<n, b.BackoffMax)
	}
	pause += time.Duration(float64(pause) / 4 * clock.Unit(r.cfg.Entropy))
	return r.cfg.Clock.Sleep(ctx, pause)
}

func (r *relay) spent() bool {
	s, b := r.state(), r.cfg.Budgets
	return s.Attempts >= b.Attempts ||
		!s.EpisodeStart.IsZero() && r.cfg.Clock.Now().Sub(s.EpisodeStart) >= b.Elapsed
}

// tell puts the verdict into the history, with the evidence that it rests on.
func (r *relay) tell(v recovery.Verdict, e recovery.Evidence) {
	text := v.Act.String() + "; " + e.String()
	for _, n := range v.Also {
		text += ", also row " + strconv.Itoa(n)
	}
	r.note(point.NoteVerdict, strconv.Itoa(v.Row), text)
	if h, ok := r.cfg.Tracer.(Hearer); ok {
		h.Verdict(v, e)
	}
}

// Hearer is a Tracer that hears the evidence of each verdict besides its note, which comes first.
type Hearer interface {
	Verdict(v recovery.Verdict, e recovery.Evidence)
}

// giveUp ends the run by its row, durably. While the agent is at work the settlement comes first
// (readings 6); a bug does not wait for anything, and in doubt whose plan it is (row 10) or whether
// it ran (row 11) nobody asks the agent to go on.
func (r *relay) giveUp(ctx context.Context, v recovery.Verdict, cause error) Report {
	o := outcomeOfRow(v)
	unsure := o == Thrown || v.Row == 10 || v.Row == 11
	if !unsure && r.state().Inner() == session.PhaseExecuting {
		if err := r.finish(ctx); err != nil {
			cause = errors.Join(cause, err)
		}
	}
	why := v.Reason
	if cause != nil {
		why += ": " + cause.Error()
	}
	if err := r.stop(o, v.Row, why); err != nil {
		rep := r.report(o, why, errors.Join(cause, err))
		rep.Row = v.Row
		return rep
	}
	rep, _ := r.ended()
	rep.Err = cause
	return rep
}

func outcomeOfRow(v recovery.Verdict) Outcome {
	switch {
	case v.Act == recovery.Throw:
		return Thrown
	case v.Row == 12:
		return BlockerShown
	case v.Row == 14:
		return Boundary
	}
	return Manual
}

// look finds out more, and changes nothing that anybody else could see: attach, read the guard, and
// in a process without memory cross-check the record and ask the agent.
func (r *relay) look(ctx context.Context, v recovery.Verdict, e *recovery.Evidence) error {
	if r.page != nil && !r.mind.ready {
		r.drop() // it never took text: what stands there now may be another page
	}
	if r.page == nil || !r.mind.held {
		if err := r.spend(ctx, rowOrFirst(v)); err != nil {
			return err
		}
	}
	find := r.attached
	if r.page != nil {
		find = r.recognise
	}
	if err := find(ctx); err != nil {
		return err
	}
	e.Attached = recovery.Yes
	g, err := r.guard(ctx)
	if err != nil {
		return err
	}
	e.Blocker, e.Boundary = recovery.No, recovery.Of(r.overtime() != "")
	if err := r.sighted(ctx, v, e, &g); err != nil || r.mind.held || e.Same != recovery.Yes {
		return err
	}
	if err := r.lookBack(ctx, e); err != nil {
		return err
	}
	return r.stays(ctx)
}

// rowOrFirst: a look before any row fits is spent on the row of a dropped line.
func rowOrFirst(v recovery.Verdict) int {
	if v.Row >= 1 && v.Row <= 7 {
		return v.Row
	}
	return 3
}
