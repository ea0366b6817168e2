package host

import (
	"errors"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// Hold is a claim in the hand of whoever made it. It proves nothing by itself: it must be the
// latest claim of the message, and the caller's own.
type Hold struct {
	MessageID    string
	AttemptID    string
	InstanceID   string
	FencingToken int64
}

// move makes one move that the table allows, with its event, and forgets finished work.
func (a *act) move(f *exchange.Facts, to exchange.State) (exchange.Rule, error) {
	rule, err := exchange.Check(*f, to)
	if err != nil {
		return rule, err
	}
	f.Message.State = to
	if err := replace(a.tx, store.Messages, f.Message.MessageID, f.Message); err != nil {
		return rule, err
	}
	if to.Finished() {
		if err := a.tx.Remove(store.Work, f.Message.MessageID); err != nil {
			return rule, err
		}
	}
	return rule, a.note(f.Message.ExchangeID, exchange.Event{
		Kind: exchange.MessageMoved, SubjectID: f.Message.MessageID, Outcome: string(to),
	})
}

// held loads the facts for the holder of a claim.
func (a *act) held(h Hold, action exchange.Action) (exchange.Facts, error) {
	a.instance = h.InstanceID
	f, err := a.facts(h.MessageID, action)
	if err == nil && !a.mine(f, h) {
		err = a.deny(NeedHolder)
	}
	return f, err
}

// mine tells whether a hold is the latest claim of the message, and the caller's.
func (a *act) mine(f exchange.Facts, h Hold) bool {
	return f.Attempt != nil && f.Attempt.AttemptID == h.AttemptID && f.CurrentLease != nil &&
		f.CurrentLease.SameClaim(exchange.Lease{
			ConsumerID: a.who.ID, InstanceID: h.InstanceID, FencingToken: h.FencingToken,
		})
}

// running tells whether the latest claim has not expired. One that cannot be read has not: whoever
// wants it expired must be able to show that.
func (a *act) running(f exchange.Facts) bool {
	if f.CurrentLease == nil {
		return false
	}
	end, err := f.CurrentLease.ExpiresAt.Time()
	now, errNow := a.now.Time()
	return err != nil || errNow != nil || end.After(now)
}

// live asks for what every change of a live attempt needs that is no move of its message: the same
// as the table's rules ask, with the claim's holder.
func (a *act) live(h Hold, action exchange.Action) (exchange.Facts, error) {
	f, err := a.held(h, action)
	switch {
	case err != nil:
		return f, err
	case f.Disposition != nil:
		return f, a.deny(exchange.NeedActive)
	case f.Exchange.State != exchange.Open:
		return f, a.deny(exchange.NeedOpen)
	case !f.Authorization.Permits(action, scope(f)):
		return f, a.ungranted(action)
	case !f.Attempt.Lease.SameClaim(*f.CurrentLease):
		return f, a.deny(exchange.NeedSameClaim)
	case !a.running(f):
		return f, a.deny(exchange.NeedUnexpired)
	}
	return f, nil
}

func scope(f exchange.Facts) exchange.Scope {
	return exchange.Scope{
		ExchangeID: f.Message.ExchangeID, MessageID: f.Message.MessageID,
		AttemptID: f.Attempt.AttemptID, Endpoint: f.Message.To,
	}
}

// alter writes a changed attempt, with its event.
func (a *act) alter(f *exchange.Facts, change func(*exchange.DeliveryAttempt)) error {
	changed := *f.Attempt
	change(&changed)
	f.Attempt = &changed
	if err := replace(a.tx, store.Attempts, changed.AttemptID, changed); err != nil {
		return err
	}
	outcome := string(changed.Transport)
	if changed.Transport == exchange.Unreported {
		outcome = string(changed.Dispatch)
	}
	if outcome == string(exchange.NotAttempted) {
		outcome = string(exchange.Unreported)
	}
	return a.note(f.Message.ExchangeID, exchange.Event{
		Kind: exchange.AttemptChanged, SubjectID: changed.AttemptID, Outcome: outcome,
	})
}

// A look at the other side is evidence of one thing only.
const (
	ofTransport = "transport"
	ofRuntime   = "runtime"
	ofFinding   = "reconciliation"
)

// spend uses up one look, by the name that the endpoint gave it.
func (a *act) spend(f exchange.Facts, proof, as string) error {
	if proof == "" || len(proof) > 256 {
		return a.deny(NeedProof)
	}
	id := exchange.Key{Namespace: f.Attempt.AttemptID, Key: proof}.Text()
	if id == "" {
		return a.deny(NeedProof)
	}
	err := a.tx.Add(store.Proofs, id, f.Attempt.AttemptID, []byte(as))
	if errors.Is(err, store.ErrExists) {
		return a.deny(NeedFreshProof)
	}
	return err
}
