package session

import "bridgesim/bridge/wire"

// lawIntent judges whether a message may go out from now on. This is where a duplicate send dies:
// everything that a bridge wants to submit passes here, durably, before its first act.
func (s *State) lawIntent(r *Record) (edgeID, error) {
	if r.Digest == "" {
		return noEdge, ErrDigest
	}
	if err := s.lawQuiet(); err != nil {
		return noEdge, err
	}
	switch r.Message {
	case wire.KindHello:
		return s.lawHello()
	case wire.KindRound:
		return s.lawRound(r)
	case wire.KindRepair:
		return s.lawRepair(r)
	case wire.KindResume:
		return s.lawResume(r)
	case wire.KindResync:
		return s.lawResync()
	}
	return noEdge, ErrWrongRound
}

// lawQuiet is readings 6 for every kind of message, and readings 15 after a done or blocked PLAN.
func (s *State) lawQuiet() error {
	switch {
	case s.Pending():
		return ErrPending
	case s.Unfinished():
		return ErrUnfinished
	case s.Decided() != "":
		return ErrAfterDecision
	}
	if cur := s.Current(); cur != nil && cur.Executing && s.Checkpoint.Round < cur.Round {
		return ErrCheckpointFirst
	}
	return nil
}

func (s *State) lawHello() (edgeID, error) {
	switch {
	case s.Hello.Kind == "":
		return edgeNewHello.from(s.Phase)
	case s.Hello.Send != NotSent:
		return noEdge, ErrHelloTwice
	}
	return again(s.Phase, PhaseHelloSent)
}

// again is a message that is proven not sent and may be sent again: the phase stays.
func again(at, want Phase) (edgeID, error) {
	if at != want {
		return noEdge, ErrNoEdge
	}
	return noEdge, nil
}

func (s *State) lawRound(r *Record) (edgeID, error) {
	last := s.LastRound()
	switch {
	case s.Acked == Version{}:
		return noEdge, ErrNoAck
	case r.Round <= last:
		return noEdge, ErrRoundTwice
	case r.Round != last+1:
		return noEdge, ErrRoundNotAdvancing
	case !s.RoundOver():
		return noEdge, ErrRoundOpen
	case s.Phase == PhaseEstablished:
		return edgeEstablishedRound, nil
	case last < s.Round:
		return again(s.Phase, PhaseRound)
	}
	return edgeSettledRound.from(s.Phase)
}

func (s *State) lawRepair(r *Record) (edgeID, error) {
	if err := s.lawOpenRound(r); err != nil {
		return noEdge, err
	}
	cur := s.Current()
	switch {
	case cur.Repairs >= wire.MaxRepairs:
		return noEdge, ErrRepairBound
	case s.Phase == PhaseRepair: // lawQuiet passed, so that REPAIR is proven not sent
		return noEdge, nil
	case wire.Attribute(cur.Codes) != wire.DomainRemote:
		return noEdge, ErrRepairDomain
	}
	return edgePlanRepair.from(s.Phase)
}

// lawResume: once per (CK, NEXT), at the last confirmed checkpoint, in a session whose ack is
// known. While a RESYNC is owed or out, RESUME cannot stand in for it.
func (s *State) lawResume(r *Record) (edgeID, error) {
	switch {
	case s.Acked == Version{}:
		return noEdge, ErrNoAck
	case r.CK != s.Checkpoint:
		return noEdge, ErrResumeCheckpoint
	case r.Next <= s.Checkpoint.Round:
		return noEdge, ErrReplay
	case r.Next != s.Next():
		return noEdge, ErrResumeNext
	case s.Resumed.Next == r.Next && s.Resumed.CK == r.CK:
		return noEdge, ErrResumeTwice
	}
	switch over := s.Interrupted(); {
	case over == PhaseVersionLost || over == PhaseResync:
		return noEdge, ErrNoEdge
	case s.Phase == PhaseUncertain:
		return edgeUncertainResume, nil
	case s.Phase == PhaseResume && s.Last.Send == NotSent:
		return noEdge, nil
	}
	return edgeDisconnectedResume.from(s.Phase)
}

// lawResync: owed by a lost version, by a RESUME that was answered wrongly, or by a REPAIR that was
// answered without any header ("RESYNC instead of the second REPAIR, and the round is closed").
func (s *State) lawResync() (edgeID, error) {
	if s.Resyncs > 0 {
		return noEdge, ErrResyncBound
	}
	switch s.Phase {
	case PhaseVersionLost:
		return edgeVersionLostResync, nil
	case PhaseResync: // Resyncs was given back, so that RESYNC is proven not sent
		return noEdge, nil
	case PhaseResume:
		return s.lawRefusedResume()
	}
	cur := s.Current()
	if cur == nil || cur.Repairs == 0 {
		return noEdge, ErrNoEdge
	}
	if !cur.Closed {
		return noEdge, ErrRoundOpen
	}
	return edgeRepairResync.from(s.Phase)
}

func (s *State) lawRefusedResume() (edgeID, error) {
	if s.Last.Kind != wire.KindResume || !s.Last.Answered {
		return noEdge, ErrNoEdge
	}
	return edgeResumeResync, nil
}

// lawAck: an ack answers the message that is out. HELLO's may be read before the line is declared
// whole again (readings 10), RESUME's and RESYNC's likewise.
func (s *State) lawAck(r *Record) (edgeID, error) {
	if err := s.lawAnswer(r.Message); err != nil {
		return noEdge, err
	}
	switch r.Message {
	case wire.KindHello:
		return gated(s, r, edgeHelloEstablished, s.Inner())
	case wire.KindResync:
		return gated(s, r, edgeResyncEstablished, s.Interrupted())
	case wire.KindResume:
		if r.CK != s.Last.CK || r.Next != s.Last.Next {
			return noEdge, ErrResumeAck
		}
		return edgeResumeRound.from(s.Interrupted())
	}
	return noEdge, ErrWrongRound
}

// gated is the establish gate as far as versions go; wire.Gate judges the whole text.
func gated(s *State, r *Record, id edgeID, at Phase) (edgeID, error) {
	if versionOf(r) != s.Offered {
		return noEdge, ErrGate
	}
	return id.from(at)
}

// lawRefused: HELLO's failed gate ends the session, except in the version domain, where it is a
// fact and RecVersionLost follows, and in the local one: its turn ended without an ACK (row 8). A
// refused RESUME or RESYNC is a fact: what follows is decided.
func (s *State) lawRefused(r *Record) (edgeID, error) {
	if err := s.lawAnswer(r.Message); err != nil {
		return noEdge, err
	}
	switch {
	case r.Message == wire.KindResume || r.Message == wire.KindResync:
		return noEdge, nil
	case r.Message != wire.KindHello:
		return noEdge, ErrWrongRound
	}
	switch wire.Attribute(r.Codes) {
	case wire.DomainVersion, wire.DomainLocal:
		return noEdge, nil
	}
	return edgeHelloRefused.from(s.Inner())
}

func versionOf(r *Record) Version {
	return Version{HV: r.HV, CV: r.CV, Contract: r.Contract, Cap: r.Cap}
}
