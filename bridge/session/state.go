package session

import (
	"time"

	"bridgesim/bridge/wire"
)

// SendState is what is known about one message (seed 000, "Send-state").
type SendState string

// The three states. Unknown is treated as sent.
const (
	NotSent SendState = "not-sent" // mechanically confirmed not submitted: may be sent again
	Sent    SendState = "sent"     // mechanically confirmed submitted: only re-read and wait
	Unknown SendState = "unknown"  // cannot tell: never send again
)

// Message is one message of ours and what is known about it.
type Message struct {
	Kind      wire.Kind
	Round     int
	Send      SendState
	Digest    string
	Baseline  string
	MessageID string
	Token     string
	Document  string
	CK        wire.Checkpoint
	Next      int
	// Answered tells that its turn is finished and what came of it is journaled.
	Answered bool
}

// RoundState is one round's way from ROUND to checkpoint.
type RoundState struct {
	Round     int
	Message   Message // the ROUND itself
	Repairs   int     // REPAIRs intended in this round
	PlanKey   string
	Decision  wire.Decision
	Plan      string
	Codes     []wire.Code // of the last invalid reply; nil once a plan is valid
	Validated bool
	Executing bool
	Settled   bool
	Receipt   string
	Closed    bool
	Why       string    // why it was closed without a checkpoint
	Began     time.Time // first intent of the ROUND
	Ended     time.Time // settled or closed; zero while it runs
}

// State is the fold of a journal: all that a bridge knows about its session.
type State struct {
	SID          string
	Request      string
	Objective    string
	QID          string
	Capabilities []string
	Denials      []string
	Offered      Version // what the last HELLO or RESYNC offered
	Acked        Version // what the other side acknowledged; zero before the first ack
	Features     []string

	TargetID     string
	OwnTarget    bool
	Conversation string

	Phase Phase
	// Before is the progress phase beneath an interruption or a resumable end; the phase to return
	// to. It is empty while Phase itself is a progress phase.
	Before Phase
	// Over is the recovery phase (resume, resync, …) that a disconnect or a stop struck, or empty.
	Over       Phase
	Round      int // the current round; 0 until the first ROUND is intended
	Rounds     []RoundState
	Last       Message // the last message intended, of any kind
	Hello      Message
	Checkpoint wire.Checkpoint
	Terminal   wire.Checkpoint
	Closed     bool // status = closed
	Outcome    string
	Reason     string
	Row        int       // of the decision table that ended the session, 0 for none
	Began      time.Time // of the first record

	// Recovery budgets of the running episode (readings 21); a new checkpoint resets them.
	Attempts     int
	Resumes      int
	Resyncs      int
	EpisodeStart time.Time
	// Resumed is the last RESUME that may have gone out: one per (CK, NEXT).
	Resumed struct {
		CK   wire.Checkpoint
		Next int
	}
	// ResumeAcked is the last RESUME that was acknowledged; it is not repeated.
	ResumeAcked struct {
		CK   wire.Checkpoint
		Next int
	}
}

// Version is the three versions of an offer or an acknowledgement.
type Version struct {
	HV, CV        int
	Contract, Cap string
}

// Current returns the running round, or nil before the first.
func (s *State) Current() *RoundState {
	if len(s.Rounds) == 0 {
		return nil
	}
	return &s.Rounds[len(s.Rounds)-1]
}

// Pending tells whether a message is out whose fate is not settled: no other may go (readings 6).
func (s *State) Pending() bool { return s.Last.Kind != "" && s.Last.Send == Unknown }
