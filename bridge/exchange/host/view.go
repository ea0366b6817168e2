package host

import (
	"errors"
	"slices"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// View is how a message stands: the facts of its execution and what was disposed of its exchange,
// side by side. Neither is translated into the other.
type View struct {
	Exchange    exchange.Exchange
	Message     exchange.Message
	Attempt     *exchange.DeliveryAttempt
	Disposition *exchange.ExchangeDisposition
	Revision    int64 // the number of the exchange's last event
}

// Get shows a message to whoever may read its exchange. It changes nothing.
func (h *Host) Get(token, messageID string) (v View, err error) {
	err = h.look("get", token, func(a *act) error {
		f, err := a.readable(messageID, exchange.Get)
		if err != nil {
			return err
		}
		if err := a.turn(f.Message.ExchangeID); err != nil {
			return err
		}
		v = View{f.Exchange, f.Message, f.Attempt, f.Disposition, a.diary.last}
		return nil
	})
	return v, err
}

func (a *act) readable(messageID string, action exchange.Action) (exchange.Facts, error) {
	f, err := a.facts(messageID, action)
	on := exchange.Scope{ExchangeID: f.Message.ExchangeID}
	if err == nil && !f.Authorization.Permits(action, on) {
		err = a.ungranted(action)
	}
	return f, err
}

// Result gives the published result of a message, or store.ErrNone. Reading completes nothing.
func (h *Host) Result(token, messageID string) (r exchange.Result, err error) {
	err = h.look("result", token, func(a *act) error {
		if _, err := a.readable(messageID, exchange.ReadResult); err != nil {
			return err
		}
		found, err := a.result(messageID)
		switch {
		case err != nil:
			return err
		case found == nil:
			return store.ErrNone
		}
		r = found.Snapshot()
		return nil
	})
	return r, err
}

// List gives the messages of the exchanges that the caller opened, oldest first.
func (h *Host) List(token string) (out []exchange.Message, err error) {
	err = h.look("list", token, func(a *act) error {
		if !slices.Contains(a.who.May, exchange.List) {
			return a.ungranted(exchange.List)
		}
		own, err := list[exchange.Exchange](a.tx, store.Exchanges, a.who.ID)
		for _, e := range own {
			messages, failed := list[exchange.Message](a.tx, store.Messages, e.ExchangeID)
			out, err = append(out, messages...), errors.Join(err, failed)
		}
		return err
	})
	return out, err
}

// Archive records that the owner gives up on messages whose fate is not known.
func (h *Host) Archive(
	token, exchangeID, reason string, found exchange.Investigation,
) (d exchange.ExchangeDisposition, err error) {
	err = h.change("archive", token, func(a *act) error {
		who, err := a.permitted(exchangeID, exchange.ArchiveExchange)
		if err != nil {
			return err
		}
		w, err := a.whole(exchangeID)
		if err != nil {
			return err
		}
		d, err = exchange.ArchiveUnresolved(w, who, reason, found, a.now)
		if err != nil || w.Disposition != nil {
			return err
		}
		if err := add(a.tx, store.Dispositions, exchangeID, exchangeID, d); err != nil {
			return err
		}
		return a.note(exchangeID, exchange.Event{
			Kind: exchange.ExchangeArchived, SubjectID: exchangeID, Outcome: d.Status,
		})
	})
	return d, err
}

func (a *act) whole(id string) (w exchange.Whole, err error) {
	if w.Exchange, w.Disposition, err = a.exchange(id); err != nil {
		return w, err
	}
	if w.Messages, err = list[exchange.Message](a.tx, store.Messages, id); err != nil {
		return w, err
	}
	for _, m := range w.Messages {
		attempts, err := list[exchange.DeliveryAttempt](a.tx, store.Attempts, m.MessageID)
		if err != nil {
			return w, err
		}
		if len(attempts) > 0 {
			w.Active = append(w.Active, attempts[len(attempts)-1])
		}
	}
	return w, nil
}
