package host

import (
	"slices"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// Letter is what a principal wants to have delivered.
type Letter struct {
	// ExchangeID is the exchange to send in; "" opens a new one.
	ExchangeID string
	To         exchange.EndpointRef
	Payload    []byte
	// Key makes the call repeatable: an equal one gives the message that is there. "" is no key.
	Key string
}

// request is what a key stands for. The payload takes part by its digest.
type request struct {
	ExchangeID    string               `json:"exchangeId"`
	From          exchange.EndpointRef `json:"from"`
	To            exchange.EndpointRef `json:"to"`
	PayloadDigest string               `json:"payloadDigest"`
	PayloadLength int64                `json:"payloadLength"`
}

// Sent is the message that a letter became.
type Sent struct {
	Message exchange.Message
	// Suppressed is the receipt that an equal letter was there already; nil for a new one.
	Suppressed *exchange.Receipt
}

// Open opens an exchange, which its opener owns.
func (h *Host) Open(token string) (e exchange.Exchange, err error) {
	err = h.change("open", token, func(a *act) error {
		if !slices.Contains(a.who.May, exchange.Send) {
			return a.ungranted(exchange.Send)
		}
		e, err = a.open()
		return err
	})
	return e, err
}

func (a *act) open() (exchange.Exchange, error) {
	e := exchange.Exchange{
		ExchangeID: a.ids.New(exchange.ExchangeID), State: exchange.Open, CreatedAt: a.now,
	}
	if err := add(a.tx, store.Exchanges, e.ExchangeID, a.who.ID, e); err != nil {
		return e, err
	}
	if err := a.own(e.ExchangeID); err != nil {
		return e, err
	}
	return e, a.note(e.ExchangeID, exchange.Event{
		Kind: exchange.ExchangeOpened, SubjectID: e.ExchangeID,
	})
}

// Send creates a message and queues it. An equal letter under the same key gives the same message,
// and a receipt duplicate_suppressed; another one under it is an exchange.ConflictError.
func (h *Host) Send(token string, l Letter) (sent Sent, err error) {
	if len(l.Payload) > exchange.MaxBytes {
		return sent, &exchange.DigestInputError{Fault: exchange.Oversized}
	}
	err = h.change("send", token, func(a *act) error {
		if !slices.Contains(a.who.May, exchange.Send) {
			return a.ungranted(exchange.Send)
		}
		key := exchange.Key{Namespace: a.who.ID, Key: l.Key}
		digest, was, err := exchange.Repeat(a.request(l), key, a.creation)
		switch {
		case err != nil:
			return err
		case was != nil:
			sent, err = a.suppress(*was)
			return err
		}
		sent.Message, err = a.create(l, key, digest)
		return err
	})
	if err != nil {
		return Sent{}, err
	}
	return sent, nil
}

func (a *act) request(l Letter) request {
	return request{
		ExchangeID: l.ExchangeID, From: a.who.As, To: l.To,
		PayloadDigest: exchange.DigestBytes(l.Payload), PayloadLength: int64(len(l.Payload)),
	}
}

// create writes the message, its payload, its place in the queue and its key, and queues it.
func (a *act) create(l Letter, key exchange.Key, digest string) (m exchange.Message, err error) {
	var e exchange.Exchange
	if l.ExchangeID == "" {
		e, err = a.open()
	} else {
		e, err = a.active(l.ExchangeID)
	}
	if err != nil {
		return m, err
	}
	r := a.request(l)
	m = exchange.Message{
		MessageID: a.ids.New(exchange.MessageID), ExchangeID: e.ExchangeID, From: r.From, To: r.To,
		State: exchange.Created, PayloadDigest: r.PayloadDigest, PayloadLength: r.PayloadLength,
		CreatedAt: a.now, IdempotencyKey: l.Key,
	}
	if err := a.write(m, l.Payload); err != nil {
		return m, err
	}
	if l.Key != "" {
		if err := a.stand(key, digest, m.MessageID); err != nil {
			return m, err
		}
	}
	f, err := a.facts(m.MessageID, exchange.Send)
	if err == nil {
		_, err = a.move(&f, exchange.Queued)
	}
	return f.Message, err
}

func (a *act) write(m exchange.Message, payload []byte) error {
	if err := add(a.tx, store.Messages, m.MessageID, m.ExchangeID, m); err != nil {
		return err
	}
	if err := a.tx.Add(store.Payloads, m.MessageID, m.ExchangeID, payload); err != nil {
		return err
	}
	place := inbox(m.To)
	if err := a.tx.Add(store.Work, m.MessageID, place, []byte(m.MessageID)); err != nil {
		return err
	}
	return a.note(m.ExchangeID, exchange.Event{
		Kind: exchange.MessageCreated, SubjectID: m.MessageID, Digest: m.PayloadDigest,
		Length: m.PayloadLength, Outcome: string(exchange.Created),
	})
}

// inbox is where the unfinished messages of an endpoint stand, whatever its incarnation.
func inbox(to exchange.EndpointRef) string {
	return exchange.Key{Namespace: to.Adapter, Key: to.EndpointID}.Text()
}

// active loads an exchange that may be sent in.
func (a *act) active(exchangeID string) (e exchange.Exchange, err error) {
	if _, err := a.permitted(exchangeID, exchange.Send); err != nil {
		return e, err
	}
	e, d, err := a.exchange(exchangeID)
	switch {
	case err != nil:
		return e, err
	case d != nil:
		return e, exchange.ErrInactive
	case e.State != exchange.Open:
		return e, exchange.ErrClosed
	}
	return e, nil
}

// exchange loads an exchange with what was disposed of it, always both.
func (a *act) exchange(id string) (exchange.Exchange, *exchange.ExchangeDisposition, error) {
	e, err := read[exchange.Exchange](a.tx, store.Exchanges, id)
	if err != nil {
		return e, nil, err
	}
	d, err := maybe[exchange.ExchangeDisposition](a.tx, store.Dispositions, id)
	return e, d, err
}

// Cancel asks for a cancellation: a queued message is cancelled, one that was claimed is not, but
// goes to CANCEL_REQUESTED. Seen is the revision of the exchange that the caller looked at; 0 is
// any.
func (h *Host) Cancel(token, messageID string, seen int64) (m exchange.Message, err error) {
	err = h.change("cancel", token, func(a *act) error {
		f, err := a.facts(messageID, exchange.Cancel)
		if err != nil {
			return err
		}
		if err := a.unchanged(f.Message.ExchangeID, seen); err != nil {
			return err
		}
		to := exchange.CancelRequested
		if f.Message.State == exchange.Queued {
			to = exchange.Cancelled
		}
		_, err = a.move(&f, to)
		m = f.Message
		return err
	})
	if err != nil {
		return exchange.Message{}, err
	}
	return m, nil
}

// unchanged compares the revision of an exchange, which is the number of its last event, with the
// one that the caller decided by.
func (a *act) unchanged(exchangeID string, seen int64) error {
	if err := a.turn(exchangeID); err != nil {
		return err
	}
	if seen != 0 && seen != a.diary.last {
		return a.deny(NeedUnchanged)
	}
	return nil
}
