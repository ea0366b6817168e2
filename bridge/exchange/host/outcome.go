package host

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// Look is one observation of the runtime. Proof names the look; each is spent once.
type Look struct {
	Proof   string
	Outcome exchange.Outcome
	At      exchange.Instant
}

// Observe reports what the runtime showed, and moves the message where the table lets it.
func (h *Host) Observe(token string, hold Hold, l Look) error {
	return h.change("observe", token, func(a *act) error {
		action, to := exchange.RuntimeProgress, exchange.Accepted
		switch {
		case l.Outcome == exchange.SawRunning:
			to = exchange.Running
		case slices.Contains(exchange.SettlementGrade, l.Outcome):
			action, to = exchange.SettlementReport, exchange.Settled
		}
		f, err := a.held(hold, action)
		if err != nil {
			return err
		}
		f.Evidence = &exchange.RuntimeEvidence{
			ExchangeID: f.Message.ExchangeID, MessageID: f.Message.MessageID,
			AttemptID: f.Attempt.AttemptID, Endpoint: f.Message.To, Outcome: l.Outcome,
			ObservedAt: l.At,
		}
		if err := a.spend(f, l.Proof, ofRuntime); err != nil {
			return err
		}
		if _, err := a.move(&f, to); err != nil {
			return err
		}
		return a.witness(*f.Evidence)
	})
}

func (a *act) witness(e exchange.RuntimeEvidence) error {
	id := exchange.Key{Namespace: e.AttemptID, Key: string(e.Outcome)}.Text()
	if err := add(a.tx, store.Evidence, id, e.AttemptID, e); err != nil {
		return err
	}
	return a.note(e.ExchangeID, exchange.Event{
		Kind: exchange.RuntimeObserved, SubjectID: e.AttemptID, Outcome: string(e.Outcome),
	})
}

// Publish stores the result of a settled attempt and makes it available, both or neither. What
// the runtime did is read from the stored evidence. The same body again is answered with the
// record that is there and a receipt; another one is exchange.ErrConflict.
func (h *Host) Publish(
	token string, hold Hold, body string, application jsontext.Value,
) (r exchange.Result, err error) {
	err = h.change("publish", token, func(a *act) error {
		f, err := a.held(hold, exchange.Publication)
		if err != nil {
			return err
		}
		if err := a.settlement(&f); err != nil {
			return err
		}
		was, err := a.result(f.Message.MessageID)
		if err != nil {
			return err
		}
		r, err = a.publish(&f, was, exchange.Result{Body: body, ApplicationEvidence: application})
		return err
	})
	return r, err
}

// settlement loads the evidence that the execution ended.
func (a *act) settlement(f *exchange.Facts) error {
	seen, err := list[exchange.RuntimeEvidence](a.tx, store.Evidence, f.Attempt.AttemptID)
	if err != nil {
		return err
	}
	for _, e := range seen {
		if slices.Contains(exchange.SettlementGrade, e.Outcome) {
			f.Evidence = &e
			return nil
		}
	}
	return a.deny(NeedSettlement)
}

func (a *act) result(messageID string) (*exchange.Result, error) {
	all, err := list[exchange.Result](a.tx, store.Results, messageID)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func (a *act) publish(
	f *exchange.Facts, was *exchange.Result, r exchange.Result,
) (exchange.Result, error) {
	r.ResultID = a.ids.New(exchange.ResultID)
	if was != nil {
		r.ResultID = was.ResultID
	}
	r.ExchangeID, r.MessageID = f.Message.ExchangeID, f.Message.MessageID
	r.AttemptID, r.Source = f.Attempt.AttemptID, f.Message.To
	r.Transport, r.Runtime = f.Attempt.Transport, f.Evidence.Outcome
	r.ResultDigest, r.SettledAt = exchange.DigestBytes([]byte(r.Body)), f.Evidence.ObservedAt
	record, replayed, err := exchange.Publish(was, r, f.Authorization, f.Disposition)
	if err != nil {
		return exchange.Result{}, err
	}
	if replayed {
		_, err := a.suppressed(f.Message, f.Message.To)
		return record, err
	}
	f.Result = &record
	if _, err := a.move(f, exchange.ResultAvailable); err != nil {
		return exchange.Result{}, err
	}
	err = errors.Join(add(a.tx, store.Results, record.ResultID, record.MessageID, record),
		a.note(record.ExchangeID, exchange.Event{
			Kind: exchange.ResultPublished, SubjectID: record.ResultID, Digest: record.ResultDigest,
			Length: int64(len(record.Body)), Outcome: string(record.Runtime),
		}))
	return record, err
}
