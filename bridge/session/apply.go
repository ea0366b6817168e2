package session

import (
	"fmt"
	"slices"
	"time"

	"bridgesim/bridge/wire"
)

// Apply folds one record into the state and returns the edge that it took, or the zero Edge when it
// only added a fact. A record that breaks a law changes nothing; the error is a [LawError].
func (s *State) Apply(r Record) (Edge, error) {
	id, err := s.judge(&r)
	if err != nil {
		return Edge{}, err
	}
	s.take(&r, id)
	return edges[id], nil
}

// Fold is the state after records, which must begin with RecNew or RecSnapshot.
func Fold(records []Record) (State, error) {
	var s State
	for i := range records {
		id, err := s.judge(&records[i])
		if err != nil {
			return State{}, fmt.Errorf("record %d: %w", i+1, err)
		}
		s.take(&records[i], id)
	}
	return s, nil
}

// judge is law with its context in the error.
func (s *State) judge(r *Record) (edgeID, error) {
	id, err := s.law(r)
	if err != nil {
		return noEdge, &LawError{
			Law: err, Kind: r.Kind, Message: r.Message, Round: r.Round, Phase: s.Phase,
		}
	}
	return id, nil
}

// take does what a lawful record says. It cannot fail.
func (s *State) take(r *Record, id edgeID) {
	switch r.Kind {
	case RecNew:
		s.takeNew(r)
	case RecSnapshot:
		*s = r.Snapshot.clone()
	case RecTarget:
		s.TargetID, s.OwnTarget = r.TargetID, r.OwnTarget
	case RecConversation:
		s.Conversation = r.Conversation
	case RecIntent:
		s.takeIntent(r)
	case RecSent, RecNotSent:
		s.takeSendState(r)
	case RecAck:
		s.takeAck(r)
	case RecRefused:
		s.takeRefused(r, id)
	case RecDisconnected:
		s.interrupt(PhaseDisconnected)
		s.Outcome, s.Reason, s.Row = "", "", 0 // of the run that a person resumed
	case RecReconnected:
		if id != noEdge {
			s.goBack()
		}
	case RecUncertain:
		s.enter(PhaseUncertain)
		s.adopt(r)
	case RecVersionLost:
		if !s.unsent() { // before HELLO only the offer changes
			s.enter(PhaseVersionLost)
		}
		s.offer(r)
	case RecBudget:
		s.takeBudget(r.At)
	case RecStopped:
		s.takeStopped(r)
	default:
		s.takeRound(r)
	}
}

func (s *State) takeNew(r *Record) {
	s.Phase, s.Began = PhaseNew, r.At
	s.SID, s.Request, s.Objective, s.QID = r.SID, r.Request, r.Objective, r.QID
	s.offer(r)
}

// offer takes the versions and capabilities that a record offers, if it names any.
func (s *State) offer(r *Record) {
	if r.HV != 0 {
		s.Offered = versionOf(r)
	}
	if r.Capabilities != nil || r.Denials != nil {
		s.Capabilities, s.Denials = r.Capabilities, r.Denials
	}
}

// takeRound does what a record says about the running round's way to its checkpoint.
func (s *State) takeRound(r *Record) {
	cur := s.Current()
	switch r.Kind {
	case RecValidated:
		cur.Validated, cur.Codes = true, nil
		cur.PlanKey, cur.Decision, cur.Plan = r.PlanKey, r.Decision, r.Plan
		s.answered(PhasePlan)
	case RecInvalid:
		cur.Codes = r.Codes
		s.answered(PhaseInvalid)
		if r.Lost {
			cur.Closed, cur.Why, cur.Receipt, cur.Ended = true, r.Reason, r.Receipt, r.At
		}
	case RecExecuting:
		cur.Executing = true
		s.advance(PhaseExecuting)
	case RecUnclaimed:
		cur.Executing = false
		s.advance(PhasePlan)
	case RecSettled:
		cur.Settled, cur.Receipt, cur.Ended = true, r.Receipt, r.At
		s.advance(PhaseSettled)
	case RecCheckpoint:
		s.Checkpoint = wire.Checkpoint{Round: cur.Round, Key: cur.PlanKey}
		s.Attempts, s.Resumes, s.Resyncs, s.EpisodeStart = 0, 0, 0, time.Time{}
	case RecTerminal:
		s.Terminal = wire.Checkpoint{Round: cur.Round, Key: cur.PlanKey}
		s.Closed = true
		s.end(PhaseClosed, OutcomeDone, r.Reason)
	case RecRoundClosed:
		cur.Closed, cur.Why, cur.Receipt, cur.Ended = true, r.Reason, r.Receipt, r.At
		if s.Last.Kind == wire.KindRound || s.Last.Kind == wire.KindRepair {
			s.Last.Answered = true
		}
	}
}

// answered notes that the last message's turn is finished, and moves the progress.
func (s *State) answered(to Phase) {
	s.Last.Answered = true
	s.advance(to)
}

func (s *State) takeIntent(r *Record) {
	round := r.Round
	if r.Message != wire.KindRound && r.Message != wire.KindRepair {
		round = 0 // the message belongs to no round
	}
	s.Last = Message{
		Kind: r.Message, Round: round, Send: Unknown, Digest: r.Digest, Baseline: r.Baseline,
		Token: r.Token, Document: r.Document, CK: r.CK, Next: r.Next,
	}
	switch r.Message {
	case wire.KindHello:
		s.offer(r)
		s.Hello, s.Phase = s.Last, PhaseHelloSent
	case wire.KindRound:
		s.openRound(r)
		s.Current().Message, s.Phase = s.Last, PhaseRound
	case wire.KindRepair:
		s.Current().Repairs++
		s.Phase = PhaseRepair
	case wire.KindResume:
		s.Resumes++
		s.Resumed.CK, s.Resumed.Next = r.CK, r.Next
		s.enter(PhaseResume)
	case wire.KindResync:
		s.Resyncs++
		s.offer(r)
		s.enter(PhaseResync)
	}
}

// openRound makes r's round the current one; one that is proven not sent is begun again in place.
func (s *State) openRound(r *Record) {
	if cur := s.Current(); cur != nil && cur.Round == r.Round {
		*cur = RoundState{Round: r.Round, Began: cur.Began}
		return
	}
	if s.Rounds == nil {
		s.Rounds = make([]RoundState, 0, 4)
	}
	s.Rounds = append(s.Rounds, RoundState{Round: r.Round, Began: r.At})
	s.Round = r.Round
}

func (s *State) takeSendState(r *Record) {
	m := &s.Last
	if r.MessageID != "" {
		m.MessageID = r.MessageID
	}
	m.Send = Sent
	if r.Kind == RecNotSent {
		m.Send = NotSent
		s.unspend(m)
	}
	switch m.Kind {
	case wire.KindHello:
		s.Hello = *m
	case wire.KindRound:
		s.Current().Message = *m
	}
}

// unspend gives back what an intent counted, because nothing went out.
func (s *State) unspend(m *Message) {
	switch m.Kind {
	case wire.KindRepair:
		s.Current().Repairs--
	case wire.KindResume:
		s.Resumes--
		s.Resumed.CK, s.Resumed.Next = wire.Checkpoint{}, 0
	case wire.KindResync:
		s.Resyncs--
	}
}

func (s *State) takeAck(r *Record) {
	s.Last.Answered = true
	switch r.Message {
	case wire.KindHello:
		s.Hello.Answered = true
		s.Acked, s.Features = versionOf(r), r.Features
		s.advance(PhaseEstablished)
	case wire.KindResume:
		s.ResumeAcked.CK, s.ResumeAcked.Next = r.CK, r.Next
		s.acked()
	case wire.KindResync:
		s.Acked, s.Features = versionOf(r), r.Features
		if s.Resumed.Next == s.Next() && s.Resumed.CK == s.Checkpoint {
			s.ResumeAcked = s.Resumed // "no second RESUME" after a RESYNC ack (readings 3)
		}
		if s.RoundOver() {
			s.Before = PhaseEstablished
		}
		s.acked()
	}
}

func (s *State) takeRefused(r *Record, id edgeID) {
	s.Last.Answered = true
	if r.Message == wire.KindHello {
		s.Hello.Answered = true
	}
	if id == edgeHelloRefused {
		s.end(PhaseRefused, OutcomeRefused, r.Reason)
	}
}

func (s *State) takeBudget(at time.Time) {
	s.Attempts++
	if s.EpisodeStart.IsZero() {
		s.EpisodeStart = at
	}
}

func (s *State) takeStopped(r *Record) {
	s.Row = r.Row
	switch r.Outcome {
	case OutcomeBlocked:
		s.end(PhaseStopped, r.Outcome, r.Reason)
		return
	case OutcomeViolation:
		s.end(PhaseViolation, r.Outcome, r.Reason)
		return
	case OutcomeManual:
		s.interrupt(PhaseManual)
	case OutcomeThrown:
		s.interrupt(PhaseThrown)
	default:
		s.interrupt(PhaseStopped)
	}
	s.Outcome, s.Reason = r.Outcome, r.Reason
}

// adopt takes over what a conversation's history proves and the journal does not know (rows 6 and
// 7): the last ROUND, the checkpoint that its `p=` confirms, the acknowledged versions, and a
// RESUME that was acknowledged (Next). Nothing of it spends or resets a budget.
func (s *State) adopt(r *Record) {
	if r.Message == "" {
		return
	}
	if r.HV != 0 {
		s.Acked, s.Features = versionOf(r), r.Features
	}
	s.Checkpoint = r.CK
	if r.Next > 0 {
		s.Resumed.CK, s.Resumed.Next = r.CK, r.Next
		s.ResumeAcked = s.Resumed
	}
	if s.Before == PhaseNew || s.Before == PhaseHelloSent {
		s.adoptHello(r)
	}
	switch {
	case r.Round > s.LastRound(): // also one that was wrongly held for not sent
		s.adoptRound(r)
	case r.Message == wire.KindRepair && s.Unrepaired(r.Round, r.Repairs):
		s.Current().Repairs = r.Repairs
		s.Last = Message{Kind: wire.KindRepair, Round: r.Round, Send: Sent, MessageID: r.MessageID}
		s.Before = PhaseRepair
	}
}

func (s *State) adoptHello(r *Record) {
	acked := r.HV != 0
	s.Hello.Kind, s.Hello.Send = wire.KindHello, Sent
	if r.Message == wire.KindHello && r.MessageID != "" {
		s.Hello.MessageID = r.MessageID
	}
	s.Hello.Answered = s.Hello.Answered || acked
	s.Last, s.Before = s.Hello, PhaseHelloSent
	if acked {
		s.Before = PhaseEstablished
	}
}

func (s *State) adoptRound(r *Record) {
	s.openRound(r)
	cur := s.Current()
	cur.Repairs = r.Repairs
	cur.Message = Message{
		Kind: wire.KindRound, Round: r.Round, Send: Sent, MessageID: r.MessageID, Digest: r.Digest,
	}
	s.Last, s.Before = cur.Message, PhaseRound
	if r.Message == wire.KindRepair {
		s.Last.Kind, s.Before = wire.KindRepair, PhaseRepair
	}
	if r.Round == r.CK.Round { // the history itself says that this round has settled
		cur.PlanKey, cur.Settled = r.CK.Key, true
		s.Last.Answered, s.Before = true, PhaseSettled
	}
}

// clone shares nothing that a later Apply changes in place.
func (s *State) clone() State {
	c := *s
	c.Rounds = slices.Clone(s.Rounds)
	return c
}
