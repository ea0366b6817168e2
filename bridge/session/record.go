package session

import (
	"time"

	"bridgesim/bridge/wire"
)

// RecordKind says what one durable line of the journal states.
type RecordKind string

// The kinds of record. Every one of them is durable before the act that it announces begins, and is
// never taken back; a later record may only add to it.
const (
	RecNew          RecordKind = "new"          // the session exists: identity, request, offer
	RecTarget       RecordKind = "target"       // the tab in use, and whether we opened it
	RecConversation RecordKind = "conversation" // the server's conversation id became known
	RecIntent       RecordKind = "intent"       // a message may go out from now on: send-state unknown
	RecSent         RecordKind = "sent"         // proof that it went out
	RecNotSent      RecordKind = "not-sent"     // mechanical proof that it did not and cannot any more
	RecAck          RecordKind = "ack"          // HELLO, RESYNC or RESUME was acknowledged validly
	RecRefused      RecordKind = "refused"      // an acknowledgement failed the gate
	RecValidated    RecordKind = "validated"    // a PLAN passed every check; carries its decision
	RecInvalid      RecordKind = "invalid"      // a PLAN reply was obtained and has error codes
	RecExecuting    RecordKind = "executing"    // the plan is about to be handed to the agent
	RecUnclaimed    RecordKind = "unclaimed"    // the agent's ledger says that it never began
	RecSettled      RecordKind = "settled"      // the agent settled; carries the receipt
	RecCheckpoint   RecordKind = "checkpoint"   // the settled plan became the checkpoint
	RecTerminal     RecordKind = "terminal"     // a done plan was recorded; the session is closed
	RecRoundClosed  RecordKind = "round-closed" // the round ended without a checkpoint (readings 15)
	RecStopped      RecordKind = "stopped"      // the run ended: blocked, boundary, blocker, manual, …
	RecDisconnected RecordKind = "disconnected" // a loss; carries its kind
	RecReconnected  RecordKind = "reconnected"  // the transport is back, carries the row taken
	RecUncertain    RecordKind = "uncertain"    // state uncertain; may carry what history proves
	RecVersionLost  RecordKind = "version-lost" // HV, CV or CAP differ from the acknowledged ones
	RecBudget       RecordKind = "budget"       // one recovery attempt was spent
	RecSnapshot     RecordKind = "snapshot"     // the session as memory held it; the cache was lost
)

// Record is one durable line. Fields that a kind does not use stay zero.
type Record struct {
	Kind RecordKind `json:"kind"`
	At   time.Time  `json:"at"`

	// identity (new); capabilities and denials also where versions are offered anew
	SID          string   `json:"sid,omitempty"`
	Request      string   `json:"request,omitempty"`
	Objective    string   `json:"objective,omitempty"`
	QID          string   `json:"qid,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"`
	Denials      []string `json:"denials,omitempty"`

	// what was offered (new, version-lost, intent of HELLO and RESYNC) or acknowledged (ack,
	// uncertain)
	HV       int      `json:"hv,omitempty"`
	CV       int      `json:"cv,omitempty"`
	Contract string   `json:"contract,omitempty"`
	Cap      string   `json:"cap,omitempty"`
	Features []string `json:"features,omitempty"`

	// place (target, conversation)
	TargetID     string `json:"targetId,omitempty"`
	OwnTarget    bool   `json:"ownTarget,omitempty"`
	Conversation string `json:"conversation,omitempty"`

	// message (intent, sent, not-sent)
	Message   wire.Kind `json:"message,omitempty"`
	Digest    string    `json:"digest,omitempty"`    // sha256 hex of the text
	Baseline  string    `json:"baseline,omitempty"`  // turn id of the last turn before the send
	MessageID string    `json:"messageId,omitempty"` // the client message id, once proven
	Token     string    `json:"token,omitempty"`     // the fence's one-shot token
	Document  string    `json:"document,omitempty"`  // the document that holds the fence

	// round (all from intent on)
	Round    int             `json:"round,omitempty"`
	PlanKey  string          `json:"planKey,omitempty"`
	Decision wire.Decision   `json:"decision,omitempty"`
	Plan     string          `json:"plan,omitempty"`    // block text, word for word (validated)
	Codes    []wire.Code     `json:"codes,omitempty"`   // (invalid, refused)
	Lost     bool            `json:"lost,omitempty"`    // (invalid) context lost: the round is closed
	Receipt  string          `json:"receipt,omitempty"` // (settled, round-closed: what pi reports)
	CK       wire.Checkpoint `json:"ck,omitzero"`       // (ack and intent of RESUME, uncertain)
	Next     int             `json:"next,omitempty"`    // (ack and intent of RESUME, uncertain)
	Repairs  int             `json:"repairs,omitempty"` // (uncertain) REPAIRs that history shows

	// end and trouble
	Outcome string `json:"outcome,omitempty"` // (stopped, refused)
	Reason  string `json:"reason,omitempty"`  // for a person; no code decides by it
	Loss    string `json:"loss,omitempty"`    // (disconnected) kind of the loss
	Row     int    `json:"row,omitempty"`     // (reconnected, budget) row of the decision table

	Snapshot *State `json:"snapshot,omitempty"` // (snapshot) the whole session
}

// Store keeps the journal of one session. Append returns only when the record is durable.
type Store interface {
	// Load reads the journal. ErrNoSession when there is none; ErrCorrupt, ErrNewer, ErrForeign
	// (all with file and place) when it cannot be trusted. A torn last line is dropped and reported
	// by torn: the act behind that write never began (readings 18).
	Load() (records []Record, torn bool, err error)
	// Append adds one record durably.
	Append(r Record) error
	// Close releases the lock on the state folder.
	Close() error
}
