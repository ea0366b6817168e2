package bridge

import (
	"fmt"
	"strings"

	"bridgesim/bridge/wire"
)

// Outcome is the named end of a run.
type Outcome string

// Every run ends in exactly one of these.
const (
	Done              Outcome = "done"               // the other side said so; the session is closed
	Blocked           Outcome = "blocked"            // the plan depends on something outside pi
	ProtocolViolation Outcome = "protocol_violation" // MAX_REPAIRS spent
	HandshakeRefused  Outcome = "handshake_refused"  // the first ACK failed the gate
	Boundary          Outcome = "boundary"           // rounds, wall time or time per round (row 14)
	BlockerShown      Outcome = "blocker"            // captcha, logout, rate limit, account (row 12)
	Manual            Outcome = "manual"             // a person must decide (rows 10, 11, 13)
	Thrown            Outcome = "thrown"             // a bug: automation stops loudly (row 15)
	Lost              Outcome = "lost"               // the connection ended; the session can go on
	Interrupted       Outcome = "interrupted"        // the caller's context ended
)

// Ended tells whether a session with this outcome can never go on by itself.
func (o Outcome) Ended() bool {
	switch o {
	case Lost, Interrupted, BlockerShown:
		return false
	}
	return o != ""
}

// Report is what a run leaves for a person.
type Report struct {
	Outcome      Outcome
	SID          string
	Conversation string // the server's id, "" when it never became known
	Address      string // of the conversation
	Round        int
	Checkpoint   wire.Checkpoint
	Terminal     wire.Checkpoint
	Reason       string // why, in one sentence
	Row          int    // the row of the decision table that ended it, 0 for none
	Next         string // the exact next command or act, when a person must act
	Err          error  // the failure behind the outcome, nil for a quiet end
}

// String is the report in a few lines.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "outcome %s after round %d, checkpoint %s", r.Outcome, r.Round, r.Checkpoint)
	if r.Reason != "" {
		fmt.Fprintf(&b, "\n  why: %s", r.Reason)
	}
	if r.Address != "" {
		fmt.Fprintf(&b, "\n  conversation: %s", r.Address)
	}
	if r.Next != "" {
		fmt.Fprintf(&b, "\n  next: %s", r.Next)
	}
	return b.String()
}
