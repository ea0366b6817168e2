package host

import (
	"errors"
	"strconv"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// read loads an entity and checks it: what is not valid is no fact, wherever it came from.
func read[E exchange.Entity](tx store.Tx, kind store.Kind, id string) (E, error) {
	text, err := tx.Read(kind, id)
	if err != nil {
		var none E
		return none, err
	}
	return exchange.Decode[E](text)
}

// maybe is read for what need not be there.
func maybe[E exchange.Entity](tx store.Tx, kind store.Kind, id string) (*E, error) {
	e, err := read[E](tx, kind, id)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	return &e, err
}

func list[E exchange.Entity](tx store.Tx, kind store.Kind, owner string) (out []E, err error) {
	texts, err := tx.List(kind, owner)
	for _, text := range texts {
		e, err := exchange.Decode[E](text)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, err
}

func add[E exchange.Entity](tx store.Tx, kind store.Kind, id, owner string, e E) error {
	text, err := exchange.Encode(e)
	if err != nil {
		return err
	}
	return tx.Add(kind, id, owner, text)
}

func replace[E exchange.Entity](tx store.Tx, kind store.Kind, id string, e E) error {
	text, err := exchange.Encode(e)
	if err != nil {
		return err
	}
	return tx.Replace(kind, id, text)
}

// diary is how far the events of the exchange are that an act is about.
type diary struct {
	exchange string
	last     int64
	fresh    bool // the exchange was opened by this act
	written  bool
}

// turn opens the diary of an exchange. An act writes in one diary only.
func (a *act) turn(exchangeID string) error {
	if a.diary.exchange == exchangeID {
		return nil
	}
	text, err := a.tx.Read(store.Sequences, exchangeID)
	fresh := errors.Is(err, store.ErrNone)
	if err != nil && !fresh {
		return err
	}
	last := int64(0)
	if !fresh {
		if last, err = strconv.ParseInt(string(text), 10, 64); err != nil {
			return err
		}
	}
	a.diary = diary{exchange: exchangeID, last: last, fresh: fresh}
	return nil
}

// note appends one event: ids, digest, length, outcome. There is no way to give it a body.
func (a *act) note(exchangeID string, e exchange.Event) error {
	if err := a.turn(exchangeID); err != nil {
		return err
	}
	a.diary.last++
	a.diary.written = true
	e.EventID, e.ExchangeID = a.ids.New(exchange.EventID), exchangeID
	e.Sequence, e.CreatedAt = a.diary.last, a.now
	return add(a.tx, store.Events, e.EventID, exchangeID, e)
}

// flush writes down how far the diary is.
func (a *act) flush() error {
	d := a.diary
	text := strconv.AppendInt(nil, d.last, 10)
	switch {
	case !d.written:
		return nil
	case d.fresh:
		return a.tx.Add(store.Sequences, d.exchange, "", text)
	}
	return a.tx.Replace(store.Sequences, d.exchange, text)
}

// receipt records that something was acknowledged or suppressed.
func (a *act) receipt(
	m exchange.Message, at exchange.EndpointRef, kind exchange.ReceiptKind,
) (exchange.Receipt, error) {
	r := exchange.Receipt{
		ReceiptID: a.ids.New(exchange.ReceiptID), ExchangeID: m.ExchangeID, MessageID: m.MessageID,
		Endpoint: at, Kind: kind, CreatedAt: a.now,
	}
	return r, add(a.tx, store.Receipts, r.ReceiptID, m.MessageID, r)
}
