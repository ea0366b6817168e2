// Package point names the places of a run: the operations of a bridge, the phases of a fault, and
// the address that both together give. A schedule, a history and an oracle use these names, so a
// fault that was found on one engine strikes at the same place on another.
//
//	address = operation @ round # step / phase      send.submit@2#1/after
//
// A poll counts by the state that it saw, not by how often it was made: "wait.poll@2:streaming#1"
// is the first poll of round 2 that saw a streaming answer, however fast the clock runs.
package point

import (
	"strconv"
	"strings"
)

// Op is the name of a bridge operation; each stands before exactly one kind of outside call.
type Op string

// The operations of a bridge, in the order in which a quiet session meets them.
const (
	Connect       Op = "attach.connect"  // dial the browser
	ListPages     Op = "attach.pages"    // list the page targets
	OpenPage      Op = "attach.open"     // open an own tab
	Attach        Op = "attach.session"  // attach to one target
	Install       Op = "attach.install"  // put the probe into the document
	Ready         Op = "attach.ready"    // poll until the page takes text
	Mend          Op = "attach.mend"     // bring a crashed or hanging tab back
	DiscoverTurns Op = "discover.turns"  // read the mounted turns
	DiscoverRead  Op = "discover.record" // read the conversation record
	SendBaseline  Op = "send.baseline"   // last turn before the send
	SendFocus     Op = "send.focus"
	SendEmpty     Op = "send.empty"
	SendInsert    Op = "send.insert"
	SendReadBack  Op = "send.readback"
	SendFence     Op = "send.fence"  // arm the one-shot token
	SendGuard     Op = "send.guard"  // the last call before the submit
	SendSubmit    Op = "send.submit" // the click
	SendProve     Op = "send.prove"  // poll for the message id or the new turn
	SendRevoke    Op = "send.revoke" // revoke the token, read composer and counter
	WaitPoll      Op = "wait.poll"   // state of the answer to our turn
	WaitRecord    Op = "wait.record" // positive proof of the end
	CaptureText   Op = "capture.dom"
	CaptureCopy   Op = "capture.copy"
	CaptureRead   Op = "capture.record"
	GuardCheck    Op = "guard.check"
	ClosePage     Op = "detach.close"
	StoreAppend   Op = "store.append" // one durable write; its step names the record
	AgentStart    Op = "agent.start"
	AgentPoll     Op = "agent.poll"
	AgentLookup   Op = "agent.lookup"
)

// Phase says when a fault strikes relative to the operation's outside call.
type Phase string

// The three phases look the same to a bridge and need opposite treatment.
const (
	Before Phase = "before" // the other side never saw it
	After  Phase = "after"  // it happened, the answer was lost
	Late   Phase = "late"   // it happens after the session is gone
)

// Address is one place in a run.
type Address struct {
	Op    Op
	Round int
	// State is what a poll saw, or the record that a durable write holds; empty otherwise.
	State string
	// Step counts equal (Op, Round, State) from 1.
	Step  int
	Phase Phase
}

// String gives the form that schedules use, for example "wait.poll@2:streaming#1/after".
func (a Address) String() string {
	var b strings.Builder
	b.WriteString(string(a.Op))
	b.WriteByte('@')
	b.WriteString(strconv.Itoa(a.Round))
	if a.State != "" {
		b.WriteByte(':')
		b.WriteString(a.State)
	}
	b.WriteByte('#')
	b.WriteString(strconv.Itoa(a.Step))
	if a.Phase != "" {
		b.WriteByte('/')
		b.WriteString(string(a.Phase))
	}
	return b.String()
}

// NoteKind is the kind of a Note.
type NoteKind string

// What a bridge tells about itself. Oracles never take its word for what the world did; they
// compare.
const (
	NoteEdge    NoteKind = "edge"    // a transition of the state machine; Key names it
	NoteIntend  NoteKind = "intend"  // a message is about to go out; Key is its kind
	NoteSend    NoteKind = "send"    // the send-state of a message changed; Key is the state
	NoteCapture NoteKind = "capture" // a reply was obtained or not; Key is the source or the code
	// a plan was judged; Key is its planKey, Text its decision or codes
	NotePlan    NoteKind = "plan"
	NoteVerdict NoteKind = "verdict" // a failure was decided; Key is the row, Text the reason
	NoteOutcome NoteKind = "outcome" // the run ended; Key is the outcome
	NoteInfo    NoteKind = "info"    // progress for a person
)

// Note is one line of a bridge's own account.
type Note struct {
	Kind  NoteKind
	Round int
	Key   string
	Text  string
}

// Tracer hears what a bridge does. Op comes before the outside call that it names.
type Tracer interface {
	Op(op Op, round int)
	Note(n Note)
}

// Silent is a Tracer that drops everything.
type Silent struct{}

// Op does nothing.
func (Silent) Op(Op, int) {}

// Note does nothing.
func (Silent) Note(Note) {}
