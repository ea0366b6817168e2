package session

import (
	"errors"
	"fmt"

	"bridgesim/bridge/wire"
)

// The laws. Each text is the sentence that the law enforces, and its comment names the place.
var (
	// ErrNoEdge: the machine has the edges of [Edges] and no other.
	ErrNoEdge = errors.New("this transition is not in the table")
	// ErrKind: a record of a kind that this program does not know.
	ErrKind = errors.New("a journal holds only the kinds of record that it defines")
	// ErrNotBegun: a journal begins with RecNew (or RecSnapshot).
	ErrNotBegun = errors.New("the first record of a journal names its session")
	// ErrBegunTwice is readings 1.
	ErrBegunTwice = errors.New("one sid serves one request")
	// ErrIdentity is "Session identity" of the specification.
	ErrIdentity = errors.New("sid is 16 hex chars, qid and planKey are 8 hex chars, places have names")
	// ErrAfterTerminal is readings 15 and "done is terminal".
	ErrAfterTerminal = errors.New("nothing is recorded after the session's end")
	// ErrParked: a run that ended is resumed by stating first that continuity was lost.
	ErrParked = errors.New("a stopped run goes on only through `disconnected`, after a person " +
		"resumed it")

	// ErrPending is readings 6.
	ErrPending = errors.New("no message of any kind goes out while an earlier one is unknown")
	// ErrUnfinished is readings 6.
	ErrUnfinished = errors.New(
		"no message of any kind goes out while the turn of an earlier one is unfinished")
	// ErrDigest is readings 7.
	ErrDigest = errors.New("unknown is written with a baseline and the text's digest")
	// ErrHelloTwice is "HELLO — sent once per conversation".
	ErrHelloTwice = errors.New("HELLO is sent once per conversation")
	// ErrNoAck is "Establish gate".
	ErrNoAck = errors.New("a half-established session sends no task")
	// ErrGate is "Establish gate".
	ErrGate = errors.New("HV, CV, contract and capability hash of an ack equal the offered ones")
	// ErrRoundTwice is readings 15.
	ErrRoundTwice = errors.New("no ROUND (sid, r) is ever sent twice")
	// ErrRoundNotAdvancing is readings 17.
	ErrRoundNotAdvancing = errors.New("r rises by 1")
	// ErrRoundOpen: law 6 and readings 15; the next ROUND needs the fate of this one.
	ErrRoundOpen = errors.New("no ROUND goes out while the one before is open")
	// ErrRoundClosed is readings 15.
	ErrRoundClosed = errors.New("a closed round takes no plan, no repair and no execution")
	// ErrWrongRound: a record about a round that is not the running one.
	ErrWrongRound = errors.New("a record speaks of the current round, plan and message only")
	// ErrCheckpointFirst: the `p=` of the next FRAME is the checkpoint.
	ErrCheckpointFirst = errors.New("a plan in execution settles and is checkpointed before pi sends")
	// ErrRepairBound is MAX_REPAIRS.
	ErrRepairBound = errors.New("REPAIR is bounded by MAX_REPAIRS (2); then protocol_violation")
	// ErrRepairDomain is "Error codes and fault attribution".
	ErrRepairDomain = errors.New("only a fault of the remote domain justifies a REPAIR")
	// ErrLocalFault is the same section: a reply that was not obtained is not an invalid one.
	ErrLocalFault = errors.New("an invalid reply has error codes, and none of the local domain")
	// ErrViolationEarly is readings 4.
	ErrViolationEarly = errors.New("protocol_violation comes after MAX_REPAIRS repairs, not before")
	// ErrResumeCheckpoint is "RESUME": CK is the last confirmed checkpoint.
	ErrResumeCheckpoint = errors.New("recovery resumes at the last confirmed checkpoint")
	// ErrReplay is "Checkpoints".
	ErrReplay = errors.New("replayFromRound is never earlier than checkpoint + 1")
	// ErrResumeNext is readings 15.
	ErrResumeNext = errors.New("NEXT is the open round, else the one after the last ROUND")
	// ErrResumeTwice is readings 16 and 21.
	ErrResumeTwice = errors.New("a RESUME with the same CK and NEXT is not repeated")
	// ErrResumeAck is readings 3.
	ErrResumeAck = errors.New("a RESUME is acknowledged with the same CK and NEXT")
	// ErrResyncBound is readings 21.
	ErrResyncBound = errors.New("one RESYNC per recovery episode")

	// ErrSendBack is readings 8.
	ErrSendBack = errors.New(
		"not-sent follows only unknown and is never taken back; sent is never taken back")
	// ErrProof is readings 8.
	ErrProof = errors.New("a new document proves nothing: not-sent needs the fence's own document")
	// ErrUnproven is readings 7.
	ErrUnproven = errors.New("a reply counts for a message that is proven sent, and once")

	// ErrDecision is "Decisions".
	ErrDecision = errors.New("DECISION is continue, done, blocked or need_info")
	// ErrExecuteInvalid is "REPAIR": nothing is executed.
	ErrExecuteInvalid = errors.New("only a validated plan is executed")
	// ErrExecuteFirst is row 8.
	ErrExecuteFirst = errors.New("before continuity is acknowledged no new PLAN is executed")
	// ErrUnclaimed is readings 14: "never" is the agent's answer about a plan that it was given.
	ErrUnclaimed = errors.New("only a plan that was handed over can prove never to have begun")
	// ErrAfterDecision is readings 15.
	ErrAfterDecision = errors.New("after a done or blocked PLAN nothing is executed and nothing is " +
		"sent")
	// ErrCheckpointUnsettled is "Checkpoints".
	ErrCheckpointUnsettled = errors.New(
		"a checkpoint advances only after a plan has been validated, executed, and the agent has settled")
	// ErrDoneFolded is "Checkpoints".
	ErrDoneFolded = errors.New("done is recorded as terminal and is not folded into checkpoint")
	// ErrTerminalNotDone is "Checkpoints".
	ErrTerminalNotDone = errors.New("terminal is the plan whose DECISION was done")
	// ErrCheckpointBack is readings 17.
	ErrCheckpointBack = errors.New("p never goes back, and the checkpoint is no later than the last " +
		"round")
	// ErrNotBlocked: the stop of a PLAN that did not say so.
	ErrNotBlocked = errors.New("blocked is the outcome of a PLAN whose DECISION was blocked")
	// ErrStopUnsettled is readings 6.
	ErrStopUnsettled = errors.New("a stop during execution journals the settlement first")
	// ErrOutcome: a stop with an outcome that the machine has no end for.
	ErrOutcome = errors.New(
		"a run stops with blocked, boundary, blocker, protocol_violation, manual or thrown")
	// ErrRow: a reconnect under a row that is none.
	ErrRow = errors.New("a reconnect names its row of the decision table, 1 to 7")
)

// What a store can be unable to do. Each says what a person can do about it.
var (
	// ErrStore wraps every failed durable write; the act behind that write must not begin.
	ErrStore = errors.New("the journal could not be written")
	// ErrNoSession: there is no journal.
	ErrNoSession = errors.New("no session in this state folder")
	// ErrCorrupt: the journal cannot be trusted. It counts as lost (readings 18).
	ErrCorrupt = errors.New(
		"the journal is damaged and counts as lost; recovery goes by the conversation's history")
	// ErrNewer: the journal was written by a newer program. It is left alone.
	ErrNewer = errors.New("the journal has a newer format; use the program that wrote it")
	// ErrForeign: not a journal, or the journal of another session.
	ErrForeign = errors.New("the journal is not that of this session; use another state folder")
	// ErrTooLarge: over the limit of a journal or of one record.
	ErrTooLarge = errors.New("over the limit of a journal (64 MiB, one record 8 MiB)")
	// ErrLocked: another process works with the folder.
	ErrLocked = errors.New("the state folder is in use; wait for that process, or stop it")
	// ErrGone: the journal was removed or changed from outside while the session was running.
	ErrGone = errors.New("the journal was removed or changed from outside")
	// ErrText: text that JSON would alter, so that it would not come back word for word.
	ErrText = errors.New("text in a journal is valid UTF-8")
)

// LawError says which record broke which law, and where the session stood. The law is what
// errors.Is finds.
type LawError struct {
	Law     error
	Kind    RecordKind
	Message wire.Kind
	Round   int
	Phase   Phase
}

// Error names the record, the phase and the sentence.
func (e *LawError) Error() string {
	what := string(e.Kind)
	if e.Message != "" {
		what += " of " + string(e.Message)
	}
	phase := e.Phase
	if phase == "" {
		phase = "an empty journal"
	}
	return fmt.Sprintf("session: %s (round %d) in %s: %v", what, e.Round, phase, e.Law)
}

// Unwrap gives the law.
func (e *LawError) Unwrap() error { return e.Law }
