package exchange

import "slices"

// Action is one thing that a grant permits. The set is closed.
type Action string

// The control operations belong to whoever asks, the endpoint operations to whoever delivers. No
// action is in both lists; one principal may hold grants of both.
const (
	Send       Action = "exchange_send"
	Get        Action = "exchange_get"
	List       Action = "exchange_list"
	Cancel     Action = "exchange_cancel"
	ReadResult Action = "exchange_result"

	CloseExchange   Action = "exchange_close"
	ArchiveExchange Action = "exchange_archive"

	Claim            Action = "claim"
	DispatchStart    Action = "dispatch-start"
	DeliveryReport   Action = "delivery-report"
	RuntimeProgress  Action = "runtime-progress"
	SettlementReport Action = "settlement-report"
	Publication      Action = "publication"
	LeaseRelease     Action = "lease-release"
	Reconcile        Action = "reconciliation"
	CancelConfirm    Action = "cancellation-confirm"
)

// ControlOperations, OwnerOperations and EndpointOperations are the three catalogues.
var (
	ControlOperations  = []Action{Send, Get, List, Cancel, ReadResult}
	OwnerOperations    = []Action{CloseExchange, ArchiveExchange}
	EndpointOperations = []Action{
		Claim, DispatchStart, DeliveryReport, RuntimeProgress, SettlementReport, Publication,
		LeaseRelease, Reconcile, CancelConfirm,
	}
)

// Scope says what a grant is for. Which fields an action needs, and that it has no others, is
// checked; every field must be equal, the incarnation of an endpoint included.
type Scope struct {
	ExchangeID string      `json:"exchangeId,omitzero"`
	MessageID  string      `json:"messageId,omitzero"`
	AttemptID  string      `json:"attemptId,omitzero"`
	Endpoint   EndpointRef `json:"endpoint,omitzero"`
	OwnerID    string      `json:"ownerId,omitzero"`
}

// Grant permits one action to one principal within one scope.
type Grant struct {
	Action      Action `json:"action"`
	PrincipalID string `json:"principalId"`
	Scope       Scope  `json:"scope"`
}

// Authorization is who asks, and the grants that the host loaded for them. It is no credential.
type Authorization struct {
	PrincipalID string
	Grants      []Grant
}

// Permits tells whether a grant covers exactly this action on exactly this.
func (a Authorization) Permits(action Action, on Scope) bool {
	scope := on.narrow(action, a.PrincipalID)
	want := Grant{Action: action, PrincipalID: a.PrincipalID, Scope: scope}
	return a.PrincipalID != "" && slices.Contains(a.Grants, want) && Validate(want) == nil
}

// narrow keeps the fields of a scope that the action has.
func (s Scope) narrow(a Action, principal string) Scope {
	switch {
	case a == List:
		return Scope{}
	case slices.Contains(OwnerOperations, a):
		return Scope{ExchangeID: s.ExchangeID, OwnerID: principal}
	case a == Cancel:
		return Scope{ExchangeID: s.ExchangeID, MessageID: s.MessageID}
	case a == Claim:
		return Scope{ExchangeID: s.ExchangeID, MessageID: s.MessageID, Endpoint: s.Endpoint}
	case slices.Contains(EndpointOperations, a):
		return Scope{
			ExchangeID: s.ExchangeID, MessageID: s.MessageID, AttemptID: s.AttemptID,
			Endpoint: s.Endpoint,
		}
	}
	return Scope{ExchangeID: s.ExchangeID}
}

func (c *check) grant(g Grant) {
	known := slices.Concat(ControlOperations, OwnerOperations, EndpointOperations)
	oneOf(c, "action", g.Action, known...)
	c.name("principalId", g.PrincipalID)
	c.that(g.Scope == g.Scope.narrow(g.Action, g.Scope.OwnerID), "scope")
	if g.Action == List {
		return
	}
	c.id(ExchangeID, "scope.exchangeId", g.Scope.ExchangeID)
	endpoint := slices.Contains(EndpointOperations, g.Action)
	if endpoint || g.Action == Cancel {
		c.id(MessageID, "scope.messageId", g.Scope.MessageID)
	}
	if endpoint {
		c.endpoint("scope.endpoint.", g.Scope.Endpoint)
	}
	if endpoint && g.Action != Claim {
		c.id(AttemptID, "scope.attemptId", g.Scope.AttemptID)
	}
	if slices.Contains(OwnerOperations, g.Action) {
		c.name("scope.ownerId", g.Scope.OwnerID)
	}
}
