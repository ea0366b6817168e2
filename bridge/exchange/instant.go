package exchange

import (
	"errors"
	"time"
)

// Instant is a moment in the one form that entities carry: UTC, ISO 8601, three digits of a second.
// It stays text so that a snapshot with a broken moment can be looked at, and refused.
type Instant string

const instantForm = "2006-01-02T15:04:05.000Z"

// ErrInstant is a moment that cannot be read, or none. Whoever needs it must refuse.
var ErrInstant = errors.New("not a moment: want UTC like 2026-01-02T15:04:05.000Z")

// InstantOf writes a moment down.
func InstantOf(t time.Time) Instant { return Instant(t.UTC().Format(instantForm)) }

// Time reads the moment. Another spelling of the same moment is refused.
func (i Instant) Time() (time.Time, error) {
	t, err := time.Parse(instantForm, string(i))
	if err != nil || InstantOf(t) != i {
		return time.Time{}, ErrInstant
	}
	return t, nil
}
