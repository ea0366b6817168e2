package host

import (
	"errors"

	"github.com/go-json-experiment/json"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// creation looks up what an idempotency key stands for.
func (a *act) creation(key string) (*exchange.Creation, error) {
	text, err := a.tx.Read(store.Creations, key)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &exchange.Creation{}
	return c, json.Unmarshal(text, c, json.RejectUnknownMembers(true))
}

// stand makes a key stand for a message.
func (a *act) stand(key exchange.Key, digest, messageID string) error {
	text, err := exchange.Canonical(exchange.Creation{Digest: digest, MessageID: messageID})
	if err != nil {
		return err
	}
	return a.tx.Add(store.Creations, key.Text(), a.who.ID, text)
}

// suppress answers an equal create with the message that is there. It is a create all the same: an
// exchange that takes none refuses it.
func (a *act) suppress(was exchange.Creation) (Sent, error) {
	m, err := read[exchange.Message](a.tx, store.Messages, was.MessageID)
	if err != nil {
		return Sent{}, err
	}
	if _, err := a.active(m.ExchangeID); err != nil {
		return Sent{}, err
	}
	r, err := a.suppressed(m, m.From)
	return Sent{Message: m, Suppressed: &r}, err
}

// suppressed writes the receipt and the event of a duplicate.
func (a *act) suppressed(
	m exchange.Message, at exchange.EndpointRef,
) (exchange.Receipt, error) {
	r, err := a.receipt(m, at, exchange.DuplicateSuppressed)
	if err != nil {
		return r, err
	}
	return r, a.note(m.ExchangeID, exchange.Event{
		Kind: exchange.DuplicateSeen, SubjectID: r.ReceiptID,
	})
}
