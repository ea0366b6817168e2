package faults

import (
	"bridgesim/bridge/point"
)

// Stage is how far a fault is.
type Stage string

// The stages of a fault, in their order.
const (
	Armed   Stage = "armed"   // it waits for its address
	Reached Stage = "reached" // the bridge came there
	Applied Stage = "applied" // it took effect; the evidence says how that is known
	Healed  Stage = "healed"  // it is over: what it struck can be used again
	Stays   Stage = "stays"   // it is permanent and never heals
	// its address was reached, and it could not be done; the evidence says why
	Missed Stage = "missed"
)

// Event is one step of a fault.
type Event struct {
	Fault    Fault // with the defaults of its kind in place
	Stage    Stage
	Address  point.Address
	Evidence string
}

// armed is one fault of the schedule in work.
type armed struct {
	fault Fault // with defaults
	info  *Info
	seen  int // how often op, round and state of its address came
	stage Stage
}

// say moves a fault on and tells the log. The lock is not held.
func (i *Interposer) say(f *armed, s Stage, at point.Address, evidence string) {
	i.mu.Lock()
	f.stage = s
	i.mu.Unlock()
	if i.log != nil {
		i.log(Event{Fault: f.fault, Stage: s, Address: at, Evidence: evidence})
	}
}

func (i *Interposer) stageOf(f *armed) Stage {
	i.mu.Lock()
	defer i.mu.Unlock()
	return f.stage
}

// Unreached lists the faults that never took effect: their address was not reached, or the fault
// could not be done there. A scenario with one of them has shown nothing, and fails.
func (i *Interposer) Unreached() []Fault { return i.in(Armed, Reached, Missed) }

// Open lists the faults that have struck and are not over; permanent ones are never over.
func (i *Interposer) Open() []Fault { return i.in(Applied, Stays) }

func (i *Interposer) in(stages ...Stage) []Fault {
	var out []Fault
	for k := range i.faults {
		f := &i.faults[k]
		s := i.stageOf(f)
		for _, want := range stages {
			if s == want {
				out = append(out, f.fault)
			}
		}
	}
	return out
}
