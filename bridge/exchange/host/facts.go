package host

import (
	"encoding/json"
	"errors"
	"slices"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// facts loads how a message stands, within the transaction that will commit what follows from it.
// Evidence is added by the act that needs some.
func (a *act) facts(messageID string, action exchange.Action) (f exchange.Facts, err error) {
	f.Now = a.now
	if f.Message, err = read[exchange.Message](a.tx, store.Messages, messageID); err != nil {
		if errors.Is(err, store.ErrNone) {
			err = a.ungranted(action)
		}
		return f, err
	}
	f.Exchange, err = read[exchange.Exchange](a.tx, store.Exchanges, f.Message.ExchangeID)
	if err != nil {
		return f, err
	}
	f.Disposition, err = maybe[exchange.ExchangeDisposition](
		a.tx, store.Dispositions, f.Message.ExchangeID)
	if err != nil {
		return f, err
	}
	if f.CurrentLease, err = maybe[exchange.Lease](a.tx, store.Claims, messageID); err != nil {
		return f, err
	}
	attempts, err := list[exchange.DeliveryAttempt](a.tx, store.Attempts, messageID)
	if err != nil {
		return f, err
	}
	if len(attempts) > 0 { // a later claim made the earlier ones history
		f.Attempt = &attempts[len(attempts)-1]
	}
	f.Authorization, err = a.grants(f)
	return f, err
}

// grants makes the grants that a principal has on a message: those that are stored for its
// exchange, and those that follow from being its sender or its recipient.
func (a *act) grants(f exchange.Facts) (exchange.Authorization, error) {
	m := f.Message
	who, err := a.owned(m.ExchangeID)
	if err != nil {
		return who, err
	}
	scope := exchange.Scope{ExchangeID: m.ExchangeID, MessageID: m.MessageID}
	if m.From == a.who.As && who.Permits(exchange.Send, scope) {
		who.Grants = a.give(who.Grants, exchange.Cancel, scope)
	}
	if !a.serves(m.To) {
		return who, nil
	}
	scope.Endpoint = m.To
	who.Grants = a.give(who.Grants, exchange.Claim, scope)
	if f.Attempt == nil {
		return who, nil
	}
	scope.AttemptID = f.Attempt.AttemptID
	for _, action := range exchange.EndpointOperations {
		if action != exchange.Claim {
			who.Grants = a.give(who.Grants, action, scope)
		}
	}
	return who, nil
}

func (a *act) give(
	to []exchange.Grant, action exchange.Action, on exchange.Scope,
) []exchange.Grant {
	if !slices.Contains(a.who.May, action) {
		return to
	}
	return append(to, exchange.Grant{Action: action, PrincipalID: a.who.ID, Scope: on})
}

// serves tells whether the caller is the recipient: the same endpoint, and where the message names
// an incarnation, that one.
func (a *act) serves(to exchange.EndpointRef) bool {
	as := a.who.As
	as.InstanceID = to.InstanceID
	return as == to && (to.InstanceID == "" || to.InstanceID == a.instance)
}

// owned loads the grants that the opener of an exchange was given.
func (a *act) owned(exchangeID string) (exchange.Authorization, error) {
	who := exchange.Authorization{PrincipalID: a.who.ID}
	text, err := a.tx.Read(store.Grants, ownership(a.who.ID, exchangeID))
	if errors.Is(err, store.ErrNone) {
		return who, nil
	}
	var texts []json.RawMessage
	if err = errors.Join(err, json.Unmarshal(text, &texts)); err != nil {
		return who, err
	}
	for _, text := range texts {
		g, err := exchange.Decode[exchange.Grant](text)
		if err != nil {
			return who, err
		}
		if slices.Contains(a.who.May, g.Action) {
			who.Grants = append(who.Grants, g)
		}
	}
	return who, nil
}

func ownership(principal, exchangeID string) string {
	return exchange.Key{Namespace: principal, Key: exchangeID}.Text()
}

// own stores what the opener of an exchange is granted on it.
func (a *act) own(exchangeID string) error {
	var grants []json.RawMessage
	for _, action := range []exchange.Action{
		exchange.Send, exchange.Get, exchange.ReadResult, exchange.CloseExchange,
		exchange.ArchiveExchange,
	} {
		on := exchange.Scope{ExchangeID: exchangeID}
		if slices.Contains(exchange.OwnerOperations, action) {
			on.OwnerID = a.who.ID
		}
		text, err := exchange.Encode(
			exchange.Grant{Action: action, PrincipalID: a.who.ID, Scope: on})
		if err != nil {
			return err
		}
		grants = append(grants, text)
	}
	text, err := json.Marshal(grants)
	if err != nil {
		return err
	}
	return a.tx.Add(store.Grants, ownership(a.who.ID, exchangeID), a.who.ID, text)
}

// permitted asks for one grant of an exchange.
func (a *act) permitted(exchangeID string, action exchange.Action) (exchange.Authorization, error) {
	who, err := a.owned(exchangeID)
	if err == nil && !who.Permits(action, exchange.Scope{ExchangeID: exchangeID}) {
		err = a.ungranted(action)
	}
	return who, err
}
