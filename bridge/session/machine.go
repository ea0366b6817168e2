package session

import (
	"slices"

	"bridgesim/bridge/wire"
)

// Phase is a state of the specification's recovery state machine.
type Phase string

// Progress: how far the session has got, with an intact line to the other side.
const (
	PhaseNew         Phase = "new"          // NEW: identity exists, nothing was sent
	PhaseHelloSent   Phase = "hello-sent"   // HELLO_SENT
	PhaseEstablished Phase = "established"  // ESTABLISHED: acknowledged, no round is open
	PhaseRound       Phase = "round"        // ROUND_N: its reply is awaited
	PhasePlan        Phase = "plan"         // PLAN_N: a valid PLAN was read
	PhaseInvalid     Phase = "plan-invalid" // PLAN_N_INVALID: a reply with error codes was read
	PhaseRepair      Phase = "repair"       // REPAIR_N: the repaired reply is awaited
	PhaseExecuting   Phase = "executing"    // EXECUTING_N: the agent has the plan
	PhaseSettled     Phase = "settled"      // SETTLED_N: the agent has settled
)

// Recovery: the session is interrupted; State.Before keeps the progress that it returns to.
const (
	PhaseDisconnected Phase = "disconnected" // DISCONNECTED
	PhaseResume       Phase = "resume"       // RESUME is out, its acknowledgement is awaited
	PhaseUncertain    Phase = "uncertain"    // STATE_UNCERTAIN: only the last checkpoint counts
	PhaseVersionLost  Phase = "version-lost" // VERSION/CONTRACT_LOST: the old ack no longer holds
	PhaseResync       Phase = "resync"       // RESYNC is out, its acknowledgement is awaited
)

// Ends. Closed, refused, violation and a stop with [OutcomeBlocked] are final. The others end a
// run, not the session: "after a person helped, --resume goes on", which begins with
// `disconnected`.
const (
	PhaseClosed    Phase = "closed"    // done was recorded as terminal
	PhaseStopped   Phase = "stopped"   // blocked, boundary or blocker
	PhaseRefused   Phase = "refused"   // the establish gate failed
	PhaseViolation Phase = "violation" // MAX_REPAIRS repairs did not help
	PhaseManual    Phase = "manual"    // given up to a person
	PhaseThrown    Phase = "thrown"    // a software bug is no network fault
)

// The outcomes of a run, as RecStopped carries them. RecTerminal and RecRefused imply theirs.
const (
	OutcomeDone      = "done"               // RecTerminal
	OutcomeRefused   = "handshake_refused"  // RecRefused of HELLO
	OutcomeBlocked   = "blocked"            // a PLAN says blocked
	OutcomeBoundary  = "boundary"           // row 14
	OutcomeBlocker   = "blocker"            // row 12
	OutcomeViolation = "protocol_violation" // after MAX_REPAIRS
	OutcomeManual    = "manual"             // rows 10, 11, 13 and evidence that fits no row
	OutcomeThrown    = "thrown"             // row 15
)

// Edge is one named transition. It is the table's row, not a single pair of phases: a reply may be
// valid or not ("round→plan"), and a reconnect returns to whatever phase the loss struck
// ("disconnected→round", ROUND_CURRENT in the specification).
type Edge struct {
	Name    string       // ASCII and stable: scenarios carry it as @edge-NAME
	From    []Phase      // the phases that it leaves
	To      []Phase      // the phases that it may lead to
	On      []RecordKind // the record that takes it
	Message wire.Kind    // which message, where On is an intent, an ack or a refusal
}

// edgeID is the row of an edge in the table; the zero value means that no edge is taken.
type edgeID uint8

const (
	noEdge edgeID = iota
	edgeNewHello
	edgeHelloEstablished
	edgeHelloRefused
	edgeEstablishedRound
	edgeRoundPlan
	edgePlanExecuting
	edgeExecutingSettled
	edgeSettledRound
	edgePlanClosed
	edgePlanStopped
	edgePlanRepair
	edgeRepairPlan
	edgeRepairViolation
	edgeRepairResync
	edgeAnyDisconnected
	edgeDisconnectedRound
	edgeDisconnectedResume
	edgeResumeRound
	edgeResumeResync
	edgeResyncEstablished
	edgeUncertainResume
	edgeVersionLostResync
	edgeAnyManual
	edgeAnyStopped
	edgeAnyThrown
	edgeCount
)

var (
	progress = []Phase{
		PhaseNew, PhaseHelloSent, PhaseEstablished, PhaseRound, PhasePlan, PhaseInvalid, PhaseRepair,
		PhaseExecuting, PhaseSettled,
	}
	recovery = []Phase{
		PhaseDisconnected, PhaseResume, PhaseUncertain, PhaseVersionLost, PhaseResync,
	}
	parked  = []Phase{PhaseStopped, PhaseManual, PhaseThrown}
	finals  = []Phase{PhaseClosed, PhaseRefused, PhaseViolation}
	live    = slices.Concat(progress, recovery)
	replies = []RecordKind{RecValidated, RecInvalid}
)

// edges is the table. "any" stands for every phase in which a run is alive; a loss also leaves the
// ends that a person can resume from. An edge between two progress phases may be taken beneath an
// interruption (an agent settles while the socket is gone): then State.Before moves along it.
var edges = [edgeCount]Edge{
	edgeNewHello: {
		Name: "new-to-hello-sent", From: one(PhaseNew), To: one(PhaseHelloSent),
		On: on(RecIntent), Message: wire.KindHello,
	},
	edgeHelloEstablished: {
		Name: "hello-sent-to-established", From: one(PhaseHelloSent), To: one(PhaseEstablished),
		On: on(RecAck), Message: wire.KindHello,
	},
	edgeHelloRefused: {
		Name: "hello-sent-to-refused", From: one(PhaseHelloSent), To: one(PhaseRefused),
		On: on(RecRefused), Message: wire.KindHello,
	},
	edgeEstablishedRound: {
		Name: "established-to-round", From: one(PhaseEstablished), To: one(PhaseRound),
		On: on(RecIntent), Message: wire.KindRound,
	},
	edgeRoundPlan: {
		Name: "round-to-plan", From: one(PhaseRound), To: []Phase{PhasePlan, PhaseInvalid}, On: replies,
	},
	edgePlanExecuting: {
		Name: "plan-to-executing", From: one(PhasePlan), To: one(PhaseExecuting), On: on(RecExecuting),
	},
	edgeExecutingSettled: {
		Name: "executing-to-settled", From: one(PhaseExecuting), To: one(PhaseSettled),
		On: on(RecSettled),
	},
	// A round that was closed without a checkpoint is over like a settled one (readings 15).
	edgeSettledRound: {
		Name: "settled-to-round",
		From: []Phase{PhaseSettled, PhaseRound, PhasePlan, PhaseInvalid, PhaseRepair},
		To:   one(PhaseRound), On: on(RecIntent), Message: wire.KindRound,
	},
	edgePlanClosed: {
		Name: "plan-to-closed", From: one(PhasePlan), To: one(PhaseClosed), On: on(RecTerminal),
	},
	edgePlanStopped: {
		Name: "plan-to-stopped", From: one(PhasePlan), To: one(PhaseStopped), On: on(RecStopped),
	},
	edgePlanRepair: {
		Name: "plan-to-repair", From: one(PhaseInvalid), To: one(PhaseRepair),
		On: on(RecIntent), Message: wire.KindRepair,
	},
	edgeRepairPlan: {
		Name: "repair-to-plan", From: one(PhaseRepair), To: []Phase{PhasePlan, PhaseInvalid}, On: replies,
	},
	// The answer to a REPAIR was read, so the phase is plan-invalid again; the repair is what failed.
	edgeRepairViolation: {
		Name: "repair-to-violation", From: one(PhaseInvalid), To: one(PhaseViolation), On: on(RecStopped),
	},
	edgeRepairResync: {
		Name: "repair-to-resync", From: one(PhaseInvalid), To: one(PhaseResync),
		On: on(RecIntent), Message: wire.KindResync,
	},
	edgeAnyDisconnected: {
		Name: "any-to-disconnected", From: slices.Concat(live, parked), To: one(PhaseDisconnected),
		On: on(RecDisconnected),
	},
	edgeDisconnectedRound: {
		Name: "disconnected-to-round", From: one(PhaseDisconnected),
		To: slices.Concat(progress, recovery[1:]), On: on(RecReconnected),
	},
	edgeDisconnectedResume: {
		Name: "disconnected-to-resume", From: one(PhaseDisconnected), To: one(PhaseResume),
		On: on(RecIntent), Message: wire.KindResume,
	},
	edgeResumeRound: {
		Name: "resume-to-round", From: one(PhaseResume),
		To: []Phase{
			PhaseEstablished, PhaseRound, PhasePlan, PhaseInvalid, PhaseRepair, PhaseSettled,
		},
		On: on(RecAck), Message: wire.KindResume,
	},
	edgeResumeResync: {
		Name: "resume-to-resync", From: one(PhaseResume), To: one(PhaseResync),
		On: on(RecIntent), Message: wire.KindResync,
	},
	// "After a RESYNC ack comes ROUND NEXT, or first the PLAN that is already there" (readings 3).
	edgeResyncEstablished: {
		Name: "resync-to-established", From: one(PhaseResync),
		To: []Phase{PhaseEstablished, PhasePlan, PhaseInvalid, PhaseRepair},
		On: on(RecAck), Message: wire.KindResync,
	},
	edgeUncertainResume: {
		Name: "uncertain-to-checkpoint-to-resume", From: one(PhaseUncertain), To: one(PhaseResume),
		On: on(RecIntent), Message: wire.KindResume,
	},
	edgeVersionLostResync: {
		Name: "version-lost-to-resync", From: one(PhaseVersionLost), To: one(PhaseResync),
		On: on(RecIntent), Message: wire.KindResync,
	},
	edgeAnyManual: {
		Name: "any-to-manual", From: live, To: one(PhaseManual), On: on(RecStopped),
	},
	// "A stop during execution waits for the agent and journals the settlement first" (readings 6).
	edgeAnyStopped: {
		Name: "any-to-stopped", From: except(live, PhaseExecuting), To: one(PhaseStopped),
		On: on(RecStopped),
	},
	edgeAnyThrown: {
		Name: "any-to-thrown", From: live, To: one(PhaseThrown), On: on(RecStopped),
	},
}

func except(all []Phase, p Phase) []Phase {
	return slices.DeleteFunc(slices.Clone(all), func(q Phase) bool { return p == q })
}

func one(p Phase) []Phase             { return []Phase{p} }
func on(k ...RecordKind) []RecordKind { return k }

// Edges returns the whole table, in the order of the specification. There is no other transition.
//
// Three phases are not reached by an edge, because no act leads there: they are what pi finds. A
// journal begins in `new`; RecUncertain and RecVersionLost state that a live session is in
// `uncertain` or `version-lost`, and the edge that leaves these phases is the named one.
// RecUnclaimed goes no way either: it states that `executing` never came to be, and the phase is
// `plan` still.
func Edges() []Edge {
	table := make([]Edge, 0, edgeCount-1)
	for _, e := range edges[noEdge+1:] {
		e.From, e.To, e.On = slices.Clone(e.From), slices.Clone(e.To), slices.Clone(e.On)
		table = append(table, e)
	}
	return table
}

// Phases returns every phase: progress, recovery, ends.
func Phases() []Phase { return slices.Concat(live, parked, finals) }

// Ended tells whether p ends a run. Some ends can be resumed from, see [State.Final].
func (p Phase) Ended() bool { return slices.Contains(parked, p) || slices.Contains(finals, p) }

// Recovering tells whether p is an interruption above a progress phase.
func (p Phase) Recovering() bool { return slices.Contains(recovery, p) }

// from returns the edge if the table lets it leave p.
func (id edgeID) from(p Phase) (edgeID, error) {
	if slices.Contains(edges[id].From, p) {
		return id, nil
	}
	return noEdge, ErrNoEdge
}
