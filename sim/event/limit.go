package event

import (
	"errors"
	"fmt"
	"time"
)

// The ways in which a run ends without having come to its end. Every run is bounded: in virtual
// time, in steps, and in steps that do not move the time.
var (
	// ErrBound: the bound of virtual time was reached.
	ErrBound = errors.New("the run reached its bound of virtual time")
	// ErrSteps: too many steps, in all or without any progress of time.
	ErrSteps = errors.New("the run spent its steps")
	// ErrHang: the process that the run waits for hangs in a call that has no deadline.
	ErrHang = errors.New("a process hangs in a call without a deadline")
	// ErrStuck: nothing is due any more and the run is not done.
	ErrStuck = errors.New("nothing is due any more and the run is not done")
)

// LimitError is the end of a run at one of its limits.
type LimitError struct {
	Kind error         // ErrBound, ErrSteps, ErrHang or ErrStuck
	At   time.Duration // virtual time since the epoch
	Proc string        // the process concerned; "" when none is
	What string        // the limit, with its unit
}

// Error names the limit, the moment and the process, and what to look at.
func (e *LimitError) Error() string {
	msg := fmt.Sprintf("%v at %v (%s)", e.Kind, e.At, e.What)
	if e.Proc != "" {
		msg += fmt.Sprintf("; process %q", e.Proc)
	}
	return msg
}

// Unwrap gives the kind.
func (e *LimitError) Unwrap() error { return e.Kind }
