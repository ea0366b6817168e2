package session

import (
	"slices"

	"bridgesim/bridge/wire"
)

// Inner is the progress phase: Phase itself, or the one beneath an interruption.
func (s *State) Inner() Phase {
	if s.Before != "" {
		return s.Before
	}
	return s.Phase
}

// Interrupted is the recovery phase that counts: Phase itself, or the one that a loss struck.
func (s *State) Interrupted() Phase {
	switch {
	case s.Over != "":
		return s.Over
	case s.Phase.Recovering():
		return s.Phase
	}
	return ""
}

// Unfinished tells whether a message went out and its turn is not known to be finished; no other
// may go (readings 6).
func (s *State) Unfinished() bool {
	return s.Last.Kind != "" && s.Last.Send != NotSent && !s.Last.Answered
}

// LastRound is L of readings 15: the last ROUND intended, a proven not-sent one excluded; 0
// without.
func (s *State) LastRound() int {
	if cur := s.Current(); cur != nil && cur.Message.Send == NotSent {
		return cur.Round - 1
	}
	return s.Round
}

// Unrepaired tells whether a history that shows so many REPAIRs of a round shows more than is
// known: the round is open, and no valid plan of it was read.
func (s *State) Unrepaired(round, repairs int) bool {
	cur := s.Current()
	return cur != nil && cur.Round == round && cur.Message.Send == Sent && !cur.Validated &&
		!cur.Closed && repairs > cur.Repairs
}

// RoundOver tells whether no round is open: there is none yet, the last one is the checkpoint, was
// closed without one, or its ROUND is proven not sent.
func (s *State) RoundOver() bool {
	cur := s.Current()
	return cur == nil || cur.Closed || cur.Round <= s.Checkpoint.Round || cur.Message.Send == NotSent
}

// Next is NEXT of RESUME: the open round, else the one after L (readings 15).
func (s *State) Next() int {
	if s.RoundOver() {
		return s.LastRound() + 1
	}
	return s.Round
}

// ResumeDone tells whether the RESUME that would be due now was acknowledged already; it is not
// repeated after a further restart (readings 16).
func (s *State) ResumeDone() bool {
	return s.ResumeAcked.Next == s.Next() && s.ResumeAcked.CK == s.Checkpoint
}

// unsent tells whether HELLO never went out: there is no acknowledgement to resume or to lose.
func (s *State) unsent() bool {
	return s.Inner() == PhaseNew || s.Inner() == PhaseHelloSent && s.Hello.Send == NotSent
}

// Decided is the decision of the last round's valid PLAN when it ends the session, done or blocked;
// otherwise empty. After it nothing is executed and nothing is sent.
func (s *State) Decided() wire.Decision {
	cur := s.Current()
	if cur == nil || !cur.Validated || cur.Closed {
		return ""
	}
	if cur.Decision == wire.DecisionDone || cur.Decision == wire.DecisionBlocked {
		return cur.Decision
	}
	return ""
}

// Final tells whether the session itself is over, so that no resumption can go on with it.
func (s *State) Final() bool {
	return slices.Contains(finals, s.Phase) ||
		s.Phase == PhaseStopped && s.Outcome == OutcomeBlocked
}

// advance moves the progress phase, also beneath an interruption.
func (s *State) advance(to Phase) {
	if s.Before != "" {
		s.Before = to
	} else {
		s.Phase = to
	}
}

// interrupt puts a recovery phase or a resumable end above the progress.
func (s *State) interrupt(to Phase) {
	switch {
	case s.Before == "":
		s.Before, s.Over = s.Phase, ""
	case s.Phase != PhaseDisconnected && s.Phase.Recovering():
		s.Over = s.Phase
	}
	s.Phase = to
}

// enter replaces an interruption by the next step of its recovery.
func (s *State) enter(to Phase) {
	if s.Before == "" {
		s.Before = s.Phase
	}
	s.Phase, s.Over = to, ""
}

// goBack ends the innermost interruption.
func (s *State) goBack() {
	switch {
	case s.Over != "" && !s.lifted():
		s.Phase, s.Over = s.Over, ""
	default:
		s.Phase, s.Before, s.Over = s.Before, "", ""
	}
}

// lifted tells whether what the loss struck is no longer needed: an uncertain session whose RESUME
// is acknowledged already.
func (s *State) lifted() bool { return s.Over == PhaseUncertain && s.ResumeDone() }

// acked ends the RESUME or RESYNC phase, also beneath a disconnect.
func (s *State) acked() {
	if s.Phase == PhaseDisconnected {
		s.Over = ""
		return
	}
	s.Phase, s.Before = s.Before, ""
}

// end makes p the last phase of the session.
func (s *State) end(p Phase, outcome, reason string) {
	s.Phase, s.Before, s.Over = p, "", ""
	s.Outcome, s.Reason = outcome, reason
}
