package session

import (
	"slices"

	"bridgesim/bridge/wire"
)

// law judges a record against the state and names the edge that it takes. It changes nothing.
func (s *State) law(r *Record) (edgeID, error) {
	if err := s.lawAccepts(r.Kind); err != nil {
		return noEdge, err
	}
	switch r.Kind {
	case RecNew, RecSnapshot:
		return noEdge, lawIdentity(r)
	case RecTarget, RecConversation:
		return noEdge, lawPlace(r)
	case RecBudget:
		return noEdge, nil
	case RecIntent:
		return s.lawIntent(r)
	case RecSent, RecNotSent:
		return noEdge, s.lawSendState(r)
	case RecAck:
		return s.lawAck(r)
	case RecRefused:
		return s.lawRefused(r)
	case RecValidated, RecInvalid:
		return s.lawReply(r)
	case RecExecuting:
		return s.lawExecuting(r)
	case RecUnclaimed:
		return noEdge, s.lawUnclaimed(r)
	case RecSettled:
		return s.lawSettled(r)
	case RecCheckpoint:
		return noEdge, s.lawCheckpoint(r)
	case RecTerminal:
		return s.lawTerminal(r)
	case RecRoundClosed:
		return noEdge, s.lawRoundClosed(r)
	case RecStopped:
		return s.lawStopped(r)
	case RecDisconnected:
		return edgeAnyDisconnected.from(s.Phase)
	case RecReconnected:
		return s.lawReconnected(r)
	case RecUncertain:
		return noEdge, s.lawUncertain(r)
	case RecVersionLost:
		return noEdge, nil // found in any live phase: "do not pretend the old ACK still holds"
	}
	return noEdge, ErrKind
}

// lawAccepts says whether a journal takes any more records, and which may be first.
func (s *State) lawAccepts(k RecordKind) error {
	first := k == RecNew || k == RecSnapshot
	switch {
	case s.SID == "" && !first:
		return ErrNotBegun
	case s.SID != "" && first:
		return ErrBegunTwice
	case s.Final():
		return ErrAfterTerminal
	case slices.Contains(parked, s.Phase) && k != RecDisconnected:
		return ErrParked
	}
	return nil
}

// lawIdentity is "Session identity": shapes of sid and qid, and versions to offer.
func lawIdentity(r *Record) error {
	sid, qid := r.SID, r.QID
	if r.Kind == RecSnapshot {
		if r.Snapshot == nil || !slices.Contains(Phases(), r.Snapshot.Phase) {
			return ErrIdentity
		}
		sid, qid = r.Snapshot.SID, r.Snapshot.QID
	}
	if !wire.IsSID(sid) || !wire.IsDigest8(qid) {
		return ErrIdentity
	}
	return nil
}

func lawPlace(r *Record) error {
	if r.Kind == RecTarget && r.TargetID == "" || r.Kind == RecConversation && r.Conversation == "" {
		return ErrIdentity
	}
	return nil
}

// lawSendState is readings 7 and 8: unknown → sent on proof, unknown → not-sent on mechanical
// proof. A second proof of `sent` may add the message id.
func (s *State) lawSendState(r *Record) error {
	m := &s.Last
	switch {
	case m.Kind == "" || r.Message != m.Kind, m.Round != 0 && r.Round != m.Round:
		return ErrWrongRound
	case r.Kind == RecSent && m.Send == NotSent, r.Kind == RecNotSent && m.Send != Unknown:
		return ErrSendBack
	case r.Kind == RecNotSent && r.Document != "" && m.Document != "" && r.Document != m.Document:
		return ErrProof
	}
	return nil
}

// lawAnswer says whether a reply can be to the last message: proven sent, and its first reply.
func (s *State) lawAnswer(k wire.Kind) error {
	switch {
	case s.Last.Kind != k:
		return ErrWrongRound
	case s.Last.Send != Sent || s.Last.Answered:
		return ErrUnproven
	}
	return nil
}

// lawReply judges PLAN replies, valid or not.
func (s *State) lawReply(r *Record) (edgeID, error) {
	if err := s.lawOpenRound(r); err != nil {
		return noEdge, err
	}
	id, kind := edgeRoundPlan, wire.KindRound
	if s.Inner() == PhaseRepair {
		id, kind = edgeRepairPlan, wire.KindRepair
	}
	edge, err := id.from(s.Inner())
	if err != nil {
		return noEdge, err
	}
	if err := s.lawAnswer(kind); err != nil {
		return noEdge, err
	}
	if r.Kind == RecInvalid {
		return edge, lawCodes(r.Codes)
	}
	return edge, lawPlan(r)
}

// lawOpenRound: the record speaks of the current round, which is not closed.
func (s *State) lawOpenRound(r *Record) error {
	cur := s.Current()
	switch {
	case cur == nil || r.Round != cur.Round:
		return ErrWrongRound
	case cur.Closed:
		return ErrRoundClosed
	}
	return nil
}

// lawCodes: E_CAPTURE and E_SOURCE_UNCERTAIN mean that no reply was obtained, so there is no reply
// to call invalid.
func lawCodes(codes []wire.Code) error {
	if d := wire.Attribute(codes); d == "" || d == wire.DomainLocal {
		return ErrLocalFault
	}
	return nil
}

func lawPlan(r *Record) error {
	switch r.Decision {
	case wire.DecisionContinue, wire.DecisionDone, wire.DecisionBlocked, wire.DecisionNeedInfo:
	default:
		return ErrDecision
	}
	if !wire.IsDigest8(r.PlanKey) {
		return ErrIdentity
	}
	return nil
}

// lawExecuting: valid, of this round, not ended by its decision; and not while the other side has
// yet to acknowledge a RESUME or RESYNC (row 8: "do not execute a new PLAN first").
func (s *State) lawExecuting(r *Record) (edgeID, error) {
	if err := s.lawOpenRound(r); err != nil {
		return noEdge, err
	}
	cur, over := s.Current(), s.Interrupted()
	switch {
	case !cur.Validated:
		return noEdge, ErrExecuteInvalid
	case s.Decided() != "":
		return noEdge, ErrAfterDecision
	case r.PlanKey != cur.PlanKey:
		return noEdge, ErrWrongRound
	case over == PhaseResume || over == PhaseVersionLost || over == PhaseResync:
		return noEdge, ErrExecuteFirst
	}
	return edgePlanExecuting.from(s.Inner())
}

// lawUnclaimed: only a plan that was handed over comes back, as long as no receipt says that it
// ran. It is a fact and takes no edge: EXECUTING_N, "the agent has the plan", proves not to have
// begun.
func (s *State) lawUnclaimed(r *Record) error {
	if s.Inner() != PhaseExecuting {
		return ErrUnclaimed
	}
	return s.lawSamePlan(r)
}

// lawSettled: the receipt is that of the plan in execution. An agent may settle while the line is
// down, so an interruption does not matter.
func (s *State) lawSettled(r *Record) (edgeID, error) {
	edge, err := edgeExecutingSettled.from(s.Inner())
	if err != nil {
		return noEdge, err
	}
	return edge, s.lawSamePlan(r)
}

func (s *State) lawSamePlan(r *Record) error {
	if cur := s.Current(); cur == nil || r.Round != cur.Round || r.PlanKey != cur.PlanKey {
		return ErrWrongRound
	}
	return nil
}

// lawCheckpoint: "A checkpoint advances in exactly one place: after a plan has been validated,
// executed, and the agent has settled." `done` has no execution phase.
func (s *State) lawCheckpoint(r *Record) error {
	cur := s.Current()
	switch {
	case cur != nil && cur.Decision == wire.DecisionDone:
		return ErrDoneFolded
	case cur == nil || s.Inner() != PhaseSettled || cur.Round <= s.Checkpoint.Round:
		return ErrCheckpointUnsettled
	}
	return s.lawSamePlan(r)
}

// lawTerminal: "terminal = the plan whose DECISION was done".
func (s *State) lawTerminal(r *Record) (edgeID, error) {
	if s.Decided() != wire.DecisionDone {
		return noEdge, ErrTerminalNotDone
	}
	if err := s.lawSamePlan(r); err != nil {
		return noEdge, err
	}
	return edgePlanClosed.from(s.Inner())
}

// lawRoundClosed: a round that was refused, dropped, cut off by row 9 or ended without a reply.
// What is in execution settles instead, and a done or blocked PLAN ends the session instead.
func (s *State) lawRoundClosed(r *Record) error {
	if err := s.lawOpenRound(r); err != nil {
		return err
	}
	cur := s.Current()
	switch {
	case s.Decided() != "":
		return ErrAfterDecision
	case cur.Executing:
		return ErrCheckpointFirst
	case s.Last.Send == Unknown:
		return ErrPending
	case cur.Message.Send != Sent:
		return ErrUnproven
	}
	return nil
}

// lawStopped finds the end that belongs to an outcome.
func (s *State) lawStopped(r *Record) (edgeID, error) {
	switch r.Outcome {
	case OutcomeBlocked:
		if s.Decided() != wire.DecisionBlocked {
			return noEdge, ErrNotBlocked
		}
		return edgePlanStopped.from(s.Inner())
	case OutcomeViolation:
		cur := s.Current()
		if cur == nil || cur.Repairs < wire.MaxRepairs {
			return noEdge, ErrViolationEarly
		}
		return edgeRepairViolation.from(s.Inner())
	case OutcomeBoundary, OutcomeBlocker:
		if s.Inner() == PhaseExecuting {
			return noEdge, ErrStopUnsettled
		}
		return edgeAnyStopped.from(s.Phase)
	case OutcomeManual:
		return edgeAnyManual.from(s.Phase)
	case OutcomeThrown:
		return edgeAnyThrown.from(s.Phase)
	}
	return noEdge, ErrOutcome
}

// lawReconnected: rows 1 to 5 return to where the loss struck. Rows 6 and 7 owe a RESUME; under
// them the record is a fact only, unless that RESUME is out or acknowledged already, or there is
// nothing to resume because no HELLO went out.
func (s *State) lawReconnected(r *Record) (edgeID, error) {
	if r.Row < 1 || r.Row > 7 {
		return noEdge, ErrRow
	}
	edge, err := edgeDisconnectedRound.from(s.Phase)
	if err == nil && !s.returns(r) {
		return noEdge, nil
	}
	return edge, err
}

func (s *State) returns(r *Record) bool {
	return r.Row <= 5 || s.Over != "" || s.unsent() || s.ResumeDone()
}

// lawUncertain: found anywhere but where a RESYNC is owed or out. What it adopts from a history
// never contradicts the journal: rounds and checkpoint do not go back (readings 15, 17, 18).
func (s *State) lawUncertain(r *Record) error {
	switch over := s.Interrupted(); {
	case over == PhaseVersionLost || over == PhaseResync:
		return ErrNoEdge
	case over == PhaseResume && s.Unfinished():
		return ErrUnfinished // its ack is awaited, it is not given up
	}
	switch r.Message {
	case "":
		return nil
	case wire.KindHello:
		if r.Round != 0 || s.Round != 0 {
			return ErrRoundNotAdvancing
		}
	case wire.KindRound, wire.KindRepair:
		if r.Round < 1 || r.Round < s.LastRound() {
			return ErrRoundNotAdvancing
		}
	default:
		return ErrWrongRound
	}
	return s.lawAdopted(r)
}

func (s *State) lawAdopted(r *Record) error {
	ck := s.Checkpoint
	switch {
	case s.Decided() != "" && r.Round > s.LastRound():
		return ErrAfterDecision // a ROUND after a done PLAN: nobody can tell which is right (row 10)
	case r.CK.Round > r.Round, r.CK.Round < ck.Round, r.CK.Round == ck.Round && r.CK != ck:
		return ErrCheckpointBack
	case r.CK.Round > 0 && !wire.IsDigest8(r.CK.Key):
		return ErrIdentity
	case r.Repairs < 0 || r.Repairs > wire.MaxRepairs:
		return ErrRepairBound
	case s.Last.Kind != "" && r.Round == s.LastRound() && r.CK != ck:
		return ErrCheckpointUnsettled // only the agent's receipt makes the running round a checkpoint
	}
	return nil
}
