// Package agent is the port to the local coding agent that executes plans.
//
// The agent, not the bridge, knows whether a plan ran. It claims (sid, round, planKey) by one
// atomic durable create before its first effect; a second claim starts nothing (readings 14).
//
//	bridge ──Start──► claim ──► effects ──► receipt
//	       ──Poll───► running … settled
//	       ──Lookup─► never | running | started | settled | no answer   (after a restart)
package agent

import "context"

// Status is what the agent knows about one plan.
type Status string

// The answers to "did it run?".
const (
	Never    Status = "never"     // no claim exists: it never ran
	Running  Status = "running"   // claimed and at work
	Started  Status = "started"   // claimed, the process is gone, no receipt: effects unknown
	Settled  Status = "settled"   // finished, with a receipt; a failure in it is still settled
	NoAnswer Status = "no-answer" // the agent cannot be asked
)

// Task is one plan to execute.
type Task struct {
	SID     string
	Round   int
	PlanKey string // the agent checks Plan against it before it claims
	Plan    string // the PLAN block, word for word as the conversation record holds it
}

// State is the agent's word about one Task.
type State struct {
	Status  Status
	Receipt string // the text for the next ROUND, when Settled
}

// Agent executes plans, each at most once.
type Agent interface {
	// Start claims the task and begins; if the claim exists already, nothing is started and the
	// first claim's state comes back. An error means that the claim's fate is not known.
	Start(ctx context.Context, t Task) (State, error)
	// Poll asks how a started task is doing.
	Poll(ctx context.Context, t Task) (State, error)
	// Lookup asks the durable ledger, also about tasks that another process started.
	Lookup(ctx context.Context, t Task) (State, error)
}
