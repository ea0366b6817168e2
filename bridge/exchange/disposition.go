package exchange

import (
	"errors"
	"reflect"
	"slices"
)

// Why an exchange cannot be ended, or is ended already.
var (
	ErrInactive     = errors.New("exchange: abandoned with its side effects unresolved")
	ErrClosed       = errors.New("exchange: closed")
	ErrUnfinished   = errors.New("exchange: a message is not finished")
	ErrNotOwner     = errors.New("exchange: needs the owner's grant")
	ErrNoUnresolved = errors.New("exchange: no message is unresolved")
	ErrInFlight     = errors.New("exchange: a message is in flight")
	ErrAttempts     = errors.New("exchange: an unresolved message needs exactly one ambiguous attempt")
	ErrReplaced     = errors.New("exchange: its disposition is immutable")
)

// AssertExchangeActive is what every mutation asks first. Reads do not ask.
func AssertExchangeActive(d *ExchangeDisposition) error {
	if d != nil {
		return ErrInactive
	}
	return nil
}

// Whole is an exchange with everything that decides its end, loaded by the host at once.
type Whole struct {
	Exchange    Exchange
	Messages    []Message
	Active      []DeliveryAttempt // the active attempts of all messages
	Disposition *ExchangeDisposition
}

// Close ends an exchange whose messages are all finished. DELIVERY_UNKNOWN is not.
func Close(w Whole, who Authorization, at Instant) (Exchange, error) {
	done := w.Exchange
	done.State, done.ClosedAt = Closed, at
	unfinished := func(m Message) bool { return !m.State.Finished() }
	switch {
	case !who.Permits(CloseExchange, Scope{ExchangeID: w.Exchange.ExchangeID}):
		return Exchange{}, ErrNotOwner
	case w.Disposition != nil:
		return Exchange{}, ErrInactive
	case w.Exchange.State != Open:
		return Exchange{}, ErrClosed
	case slices.ContainsFunc(w.Messages, unfinished):
		return Exchange{}, ErrUnfinished
	}
	return done, Validate(done)
}

// ArchiveUnresolved records that an owner gives up on messages whose fate is not known. It changes
// no message, no attempt and no outcome. The same request again gives the record that is there.
func ArchiveUnresolved(
	w Whole, who Authorization, reason string, found Investigation, at Instant,
) (ExchangeDisposition, error) {
	d := ExchangeDisposition{
		Status: AbandonedUnresolved, ExchangeID: w.Exchange.ExchangeID, OwnerID: who.PrincipalID,
		RecordedAt: at, Reason: reason, Reconciliation: found,
	}
	if !who.Permits(ArchiveExchange, Scope{ExchangeID: w.Exchange.ExchangeID}) {
		return ExchangeDisposition{}, ErrNotOwner
	}
	if w.Exchange.State != Open {
		return ExchangeDisposition{}, ErrClosed
	}
	var err error
	if d.Unresolved, err = unresolved(w); err != nil {
		return ExchangeDisposition{}, err
	}
	if w.Disposition != nil {
		return replay(*w.Disposition, d)
	}
	return d, Validate(d)
}

func replay(was, again ExchangeDisposition) (ExchangeDisposition, error) {
	again.RecordedAt = was.RecordedAt
	if !reflect.DeepEqual(was, again) {
		return ExchangeDisposition{}, ErrReplaced
	}
	was.Unresolved = slices.Clone(was.Unresolved)
	return was, nil
}

func unresolved(w Whole) (out []Unresolved, err error) {
	for _, m := range w.Messages {
		switch {
		case m.State.Finished():
			continue
		case m.State != DeliveryUnknown:
			return nil, ErrInFlight
		}
		attempt, err := ambiguous(m, w.Active)
		if err != nil {
			return nil, err
		}
		out = append(out, Unresolved{
			MessageID: m.MessageID, OriginalState: m.State, Transport: Ambiguous,
			UnresolvedSideEffects: true, Attempt: attempt,
		})
	}
	if len(out) == 0 {
		return nil, ErrNoUnresolved
	}
	return out, nil
}

func ambiguous(m Message, active []DeliveryAttempt) (found DeliveryAttempt, err error) {
	n := 0
	for _, a := range active {
		if a.MessageID == m.MessageID {
			found, n = a, n+1
		}
	}
	if n != 1 || found.Endpoint != m.To || found.Dispatch != Started || found.Transport != Ambiguous {
		return DeliveryAttempt{}, ErrAttempts
	}
	return found, nil
}
