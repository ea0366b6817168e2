package exchange

import "github.com/go-json-experiment/json/jsontext"

// Exchange is a conversation between endpoints, the owner of its messages.
type Exchange struct {
	ExchangeID string  `json:"exchangeId"`
	State      Life    `json:"state"`
	CreatedAt  Instant `json:"createdAt"`
	ClosedAt   Instant `json:"closedAt,omitzero"`
}

// EndpointRef routes: a durable endpoint, or one incarnation of it. It holds no secret.
type EndpointRef struct {
	Adapter    string `json:"adapter"`
	EndpointID string `json:"endpointId"`
	InstanceID string `json:"instanceId,omitzero"`
}

// Message is one thing that was asked, in either direction. Its payload is kept elsewhere.
type Message struct {
	MessageID      string      `json:"messageId"`
	ExchangeID     string      `json:"exchangeId"`
	From           EndpointRef `json:"from"`
	To             EndpointRef `json:"to"`
	State          State       `json:"state"`
	PayloadDigest  string      `json:"payloadDigest"`
	PayloadLength  int64       `json:"payloadLength"`
	CreatedAt      Instant     `json:"createdAt"`
	IdempotencyKey string      `json:"idempotencyKey,omitzero"`
}

// Lease is one claim. The fencing token grows with every claim of a message.
type Lease struct {
	ConsumerID   string  `json:"consumerId"`
	InstanceID   string  `json:"instanceId"`
	FencingToken int64   `json:"fencingToken"`
	ExpiresAt    Instant `json:"expiresAt"`
}

// SameClaim tells whether two leases are one claim, whatever their expiry.
func (l Lease) SameClaim(o Lease) bool {
	return l.FencingToken == o.FencingToken && l.ConsumerID == o.ConsumerID &&
		l.InstanceID == o.InstanceID
}

// DeliveryAttempt is one try to hand a message over, with the lease under which it was made.
type DeliveryAttempt struct {
	AttemptID string      `json:"attemptId"`
	MessageID string      `json:"messageId"`
	Endpoint  EndpointRef `json:"endpoint"`
	Lease     Lease       `json:"lease"`
	Dispatch  Dispatch    `json:"dispatch"`
	Transport Transport   `json:"transport"`
	CreatedAt Instant     `json:"createdAt"`
}

// RuntimeEvidence is an observation of the runtime itself, never derived from the transport.
type RuntimeEvidence struct {
	ExchangeID string      `json:"exchangeId"`
	MessageID  string      `json:"messageId"`
	AttemptID  string      `json:"attemptId"`
	Endpoint   EndpointRef `json:"endpoint"`
	Outcome    Outcome     `json:"outcome"`
	ObservedAt Instant     `json:"observedAt"`
}

// Reconciliation is what somebody found out about an attempt whose fate was not known: it did
// arrive (delivered), or it provably did not (failed). Nothing else leaves DELIVERY_UNKNOWN.
type Reconciliation struct {
	ExchangeID string      `json:"exchangeId"`
	MessageID  string      `json:"messageId"`
	AttemptID  string      `json:"attemptId"`
	Endpoint   EndpointRef `json:"endpoint"`
	Found      Transport   `json:"found"`
	ObservedAt Instant     `json:"observedAt"`
}

// Result is what came of one attempt. It is immutable; reading it completes nothing.
type Result struct {
	ResultID     string      `json:"resultId"`
	ExchangeID   string      `json:"exchangeId"`
	MessageID    string      `json:"messageId"`
	AttemptID    string      `json:"attemptId"`
	Source       EndpointRef `json:"source"`
	Transport    Transport   `json:"transport"`
	Runtime      Outcome     `json:"runtime"`
	Body         string      `json:"body"`
	ResultDigest string      `json:"resultDigest"`
	SettledAt    Instant     `json:"settledAt"`
	// ApplicationEvidence is kept verbatim and never interpreted.
	ApplicationEvidence jsontext.Value `json:"applicationEvidence,omitzero"`
}

// Receipt records that something was read, acknowledged, or answered with what was there already.
type Receipt struct {
	ReceiptID  string      `json:"receiptId"`
	ExchangeID string      `json:"exchangeId"`
	MessageID  string      `json:"messageId"`
	Endpoint   EndpointRef `json:"endpoint"`
	Kind       ReceiptKind `json:"kind"`
	CreatedAt  Instant     `json:"createdAt"`
}

// Consumer is somebody who claims.
type Consumer struct {
	ConsumerID string  `json:"consumerId"`
	Label      string  `json:"label,omitzero"`
	CreatedAt  Instant `json:"createdAt"`
	LastSeenAt Instant `json:"lastSeenAt,omitzero"`
}

// Event is one line of the diary. It has no place for a body: ids, digest, length, outcome.
type Event struct {
	EventID    string    `json:"eventId"`
	ExchangeID string    `json:"exchangeId"`
	Sequence   int64     `json:"sequence"`
	Kind       EventKind `json:"kind"`
	SubjectID  string    `json:"subjectId"`
	CreatedAt  Instant   `json:"createdAt"`
	Digest     string    `json:"digest,omitzero"`
	Length     int64     `json:"length,omitzero"`
	Outcome    string    `json:"outcome,omitzero"`
}

// AbandonedUnresolved is the only status of a disposition.
const AbandonedUnresolved = "ABANDONED_UNRESOLVED"

// ExchangeDisposition ends the protocol's activity without resolving what happened. It translates
// into no state, no result and no success.
type ExchangeDisposition struct {
	Status         string        `json:"status"`
	ExchangeID     string        `json:"exchangeId"`
	OwnerID        string        `json:"ownerId"`
	RecordedAt     Instant       `json:"recordedAt"`
	Reason         string        `json:"reason"`
	Reconciliation Investigation `json:"reconciliation"`
	Unresolved     []Unresolved  `json:"unresolved"`
}

// Investigation is what the owner did to find out. ResolvedAt is the time of this note, not of any
// side effect.
type Investigation struct {
	Note       string  `json:"note"`
	ResolvedAt Instant `json:"resolvedAt"`
}

// Unresolved is one message of an abandoned exchange, as it was.
type Unresolved struct {
	MessageID             string          `json:"messageId"`
	OriginalState         State           `json:"originalState"`
	Transport             Transport       `json:"transport"`
	UnresolvedSideEffects bool            `json:"unresolvedSideEffects"`
	Attempt               DeliveryAttempt `json:"attempt"`
}
