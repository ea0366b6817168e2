package bridge

import (
	"context"
	"errors"
	"slices"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/page"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// Resume takes up a session after its process is gone, from the journal, the agent's ledger and the
// conversation's record (rows 6 and 7). A journal without a session is taken for a lost cache: then
// the conversation that holds our HELLO is looked for; where there is none, nothing was ever sent
// and the session begins.
func Resume(ctx context.Context, cfg Config) (Report, error) {
	r, err := recall(cfg)
	if err != nil {
		return Report{}, err
	}
	defer r.detach(ctx)
	if r.state().Final() {
		rep, _ := r.ended()
		return rep, nil
	}
	if r.state().SID == "" {
		if rep, ended, err := r.rediscover(ctx); err != nil || ended {
			return rep, err
		}
	} else if err := r.lostRuntime(); err != nil {
		return Report{}, err
	}
	if !r.mind.held {
		if rep, ended := r.recover(ctx, nil); ended {
			return rep, nil
		}
	}
	return r.relay(ctx), nil
}

// lostRuntime writes down that the process before this one is gone.
func (r *relay) lostRuntime() error {
	if r.state().Phase == session.PhaseDisconnected {
		return nil
	}
	return r.j.Write(session.Record{Kind: session.RecDisconnected, Loss: "pi-restarted"})
}

// lookBack cross-checks journal, record and agent, because this process remembers nothing.
func (r *relay) lookBack(ctx context.Context, e *recovery.Evidence) error {
	s := r.state()
	if err := r.locate(ctx); err != nil {
		return err
	}
	if s.Conversation == "" {
		// No conversation id was ever seen: there is no history that could contradict the journal, and
		// no turn that could have ended.
		e.History, e.Conflict, e.Cache = recovery.Yes, recovery.No, recovery.Yes
		r.noTurnEnded(e)
	} else if err := r.crossCheck(ctx, e); err != nil {
		return err
	}
	switch p := r.mind.plan; {
	case s.Inner() == session.PhaseExecuting:
		return r.askAgent(ctx, e)
	case p != nil:
		return r.askAbout(ctx, p, e)
	}
	e.Doubt = recovery.No
	return nil
}

// locate finds the conversation of a HELLO that went out before its id was written down. A page
// that does not show this HELLO proves nothing about the journal.
func (r *relay) locate(ctx context.Context) error {
	s := r.state()
	switch {
	case s.Conversation != "":
		return nil
	case s.Last.Kind == "":
		return r.greeted(ctx)
	case s.Last.Kind != wire.KindHello:
		return nil
	case s.Last.Send == session.Unknown:
		return r.deliver(ctx)
	case s.Last.Send == session.NotSent:
		return nil
	}
	proof, found, err := r.page.Found(ctx, r.submission(), "")
	switch {
	case err != nil:
		return err
	case !found:
		return page.ErrUnproven
	}
	return r.converse(proof.Conversation)
}

// crossCheck holds the journal against the record. A longer valid chain extends the journal (it is
// stale); turns that the journal has and a complete record lacks are a conflict (readings 18).
func (r *relay) crossCheck(ctx context.Context, e *recovery.Evidence) error {
	s := r.state()
	turns, rec, err := r.page.Chain(ctx, s.Conversation)
	switch {
	case err != nil:
		return err
	case rec.Status == 404 && rec.LoggedIn:
		return errNowhere
	case rec.Status != 200 || !rec.LoggedIn || !rec.Complete:
		e.History = recovery.Unknown
		return nil
	}
	past, err := recovery.Read(links(turns))
	if err == nil {
		err = r.compare(&past)
	}
	var conflict *recovery.Conflict
	switch {
	case errors.As(err, &conflict):
		e.Conflict, r.mind.conflict = recovery.Yes, conflict
		return nil
	case err != nil:
		return err
	}
	if err := r.extend(&past); err != nil {
		return err
	}
	e.History, e.Conflict = recovery.Yes, recovery.No
	r.mind.history = recovery.Yes
	e.Cache = r.cached()
	r.noTurnEnded(e)
	if past.Answered && !past.Acked {
		r.unacked(past.Offered.Kind, e)
	}
	return nil
}

// unacked: the last declaration that the record shows has no valid acknowledgement there. What the
// journal holds of it counts more: a record can be edited (readings 11 and 13).
func (r *relay) unacked(kind wire.Kind, e *recovery.Evidence) {
	resync := func(m recovery.Said) bool { return m.Message.Kind == wire.KindResync }
	switch out := r.state().Interrupted() == session.PhaseResync; {
	case kind == wire.KindResync:
		if out || slices.ContainsFunc(r.unjournaled(), resync) {
			e.Spent = recovery.Yes
		}
	case r.state().Acked == session.Version{} && !r.owed():
		e.Acked = recovery.No
	}
}

// extend takes over what the record has beyond the journal. Only a round makes the journal stale: a
// HELLO or a REPAIR that it does not know was the last thing that the process before this one did.
func (r *relay) extend(past *recovery.Past) error {
	s := r.state()
	r.mind.said, r.mind.behind = past.Said, past.Round
	longer := past.Round > s.LastRound() || past.CK.Round > s.Checkpoint.Round
	r.mind.rebuilt = r.mind.rebuilt || longer
	repaired := past.Last == wire.KindRepair && s.Unrepaired(past.Round, past.Repairs)
	if longer || repaired || past.HasHello && s.Hello.Kind == "" {
		return r.adopt(past)
	}
	return nil
}

// noTurnEnded fills in what only the end of a turn could have changed.
func (r *relay) noTurnEnded(e *recovery.Evidence) {
	if e.Acked == recovery.Unknown {
		e.Acked = recovery.Yes
	}
	if e.Spent == recovery.Unknown {
		e.Spent = recovery.No
	}
}

// compare finds what the journal knows for certain and the record contradicts.
func (r *relay) compare(p *recovery.Past) error {
	s := r.state()
	last := s.Last
	switch {
	case p.SID == "" && last.Send == session.Sent:
		return &recovery.Conflict{Why: "the record holds no message of ours"}
	case p.SID != "" && p.SID != s.SID:
		return &recovery.Conflict{Why: "the record is that of session " + p.SID}
	case p.SID != "" && !p.HasHello && s.Hello.Send == session.Sent:
		return &recovery.Conflict{Why: "the record lacks the HELLO that was proven sent"}
	case p.QID != "" && p.QID != s.QID:
		return &recovery.Conflict{Why: "the record is that of request " + p.QID}
	}
	sentRound := s.LastRound()
	if c := s.Current(); c != nil && c.Message.Send == session.Unknown {
		sentRound--
	}
	ck := s.Checkpoint
	switch {
	case p.Round < sentRound:
		return &recovery.Conflict{Why: "the record lacks rounds that were proven sent"}
	case p.CK.Round == ck.Round && p.CK != ck:
		return &recovery.Conflict{Why: "the record confirms another plan than the checkpoint"}
	case p.Round == s.LastRound() && p.CK.Round > ck.Round:
		return &recovery.Conflict{Why: "the record confirms a plan that the journal has not settled"}
	}
	return nil
}

// askAbout answers it about a plan that only the record shows: whether the journal that is gone
// said that it was handed over, nobody knows.
func (r *relay) askAbout(ctx context.Context, p *wire.Plan, e *recovery.Evidence) error {
	st, err := r.askLookup(ctx, agent.Task{
		SID: r.state().SID, Round: p.Frame.Round, PlanKey: p.Key, Plan: p.Block,
	})
	if err == nil {
		gone := st.Status == agent.Started || st.Status == agent.NoAnswer
		e.Doubt = recovery.Of(gone && p.Effects())
	}
	return err
}

// adopt takes over what the record proves and the journal does not know.
func (r *relay) adopt(p *recovery.Past) error { return r.j.Write(r.proven(p)) }

// proven is what a history proves, for the journal. A plan that it holds is remembered.
func (r *relay) proven(p *recovery.Past) session.Record {
	rec := session.Record{
		Kind: session.RecUncertain, Message: p.Last, Round: p.Round, CK: p.CK,
		MessageID: p.LastID, Repairs: p.Repairs,
		Reason: "the record proves more than the journal",
	}
	if p.ResumeFor > 0 && p.ResumeCK == p.CK {
		rec.Next = p.ResumeFor
	}
	if p.Plan != nil && p.Round > p.CK.Round {
		r.mind.plan = p.Plan
	}
	if p.Acked {
		o := p.Offered
		rec.HV, rec.CV, rec.Contract, rec.Cap, rec.Features = o.HV, o.CV, o.Contract, o.Cap, p.Features
	}
	return rec
}

// askAgent answers "did it run?" about the plan that the journal says was handed over.
func (r *relay) askAgent(ctx context.Context, e *recovery.Evidence) error {
	st, err := r.lookup(ctx)
	if err != nil {
		return err
	}
	e.Doubt = recovery.Of(st.Status == agent.Started || st.Status == agent.NoAnswer)
	return nil
}

// resume goes on at the last confirmed checkpoint (readings 15 and 16): wait for L's turn and judge
// it, finish what was decided or executed, then RESUME once, and only then go on.
func (r *relay) resume(ctx context.Context, v recovery.Verdict) error {
	s := r.state()
	r.mind.place = recovery.SameTab // the page stands; what fails from here on is another failure
	if s.Pending() {
		if err := r.deliver(ctx); err != nil {
			return err
		}
	}
	if unsent := s.Last.Send == session.NotSent; unsent && s.Inner() == session.PhaseHelloSent ||
		s.Inner() == session.PhaseNew {
		r.mind.held = true
		return r.goOn(v) // nothing went out: the handshake begins, or is said again with the same sid
	}
	if err := r.finishTurn(ctx); err != nil || r.over() {
		return err
	}
	if s.Decided() != "" {
		return r.obey(ctx)
	}
	if err := r.caughtUp(ctx); err != nil {
		return err
	}
	if stopped, err := r.atBoundary(); stopped {
		return err
	}
	if err := r.followSaid(ctx); err != nil || r.over() {
		return err
	}
	if r.mind.held {
		return r.goOn(v) // a RESYNC was followed: ROUND comes next, or the plan that is there
	}
	if owed, err := r.owesResync(v); owed || err != nil {
		r.mind.held = err == nil
		return err
	}
	if !s.ResumeDone() {
		if err := r.continuity(ctx); err != nil || r.over() {
			return err
		}
	}
	r.mind.held = true
	return r.goOn(v)
}

// owesResync goes on with a RESYNC that the process before this one owed: the handshake has no
// acknowledgement, the versions differ, or the other side lost the context. While one is owed,
// RESUME cannot stand in for it.
func (r *relay) owesResync(v recovery.Verdict) (bool, error) {
	s := r.state()
	c := s.Current()
	switch over := s.Interrupted(); {
	case over == session.PhaseVersionLost:
		return true, r.goOn(v)
	case over == session.PhaseResync && s.Last.Send == session.NotSent:
		return true, r.goOn(v)
	case over == session.PhaseResync:
		return true, r.stop(Manual, 13, "RESYNC was not acknowledged")
	case s.Acked == session.Version{}, c != nil && c.Closed && s.Inner() == session.PhaseInvalid:
		return true, r.versionLost()
	}
	return false, nil
}

// owed: the journal says that a RESYNC is due, or on its way.
func (r *relay) owed() bool {
	over := r.state().Interrupted()
	return over == session.PhaseVersionLost || over == session.PhaseResync
}

func (r *relay) over() bool { return r.state().Outcome != "" }

// finishTurn waits for the answer to the last message and judges it, whatever kind it is of.
func (r *relay) finishTurn(ctx context.Context) error {
	s := r.state()
	if !s.Unfinished() {
		return nil
	}
	switch s.Last.Kind {
	case wire.KindHello, wire.KindResync:
		return r.awaitAck(ctx)
	case wire.KindResume:
		return r.awaitResumed(ctx)
	}
	return r.awaitPlan(ctx)
}

func links(turns []page.Turn) []recovery.Link {
	out := make([]recovery.Link, len(turns))
	for i, t := range turns {
		out[i] = recovery.Link{
			Message: t.Message, MessageID: t.ID, Digest: page.Digest(t.Text), Reply: t.Reply,
			Finished: t.Finished, Bad: t.Err != nil,
		}
	}
	return out
}
