package exchange

// State is where a message is.
type State string

// The states. Three are finished. DeliveryUnknown is neither finished nor retryable.
const (
	Created         State = "CREATED"
	Queued          State = "QUEUED"
	Claimed         State = "CLAIMED"
	Dispatching     State = "DISPATCHING"
	Accepted        State = "ACCEPTED"
	Running         State = "RUNNING"
	Settled         State = "SETTLED"
	ResultAvailable State = "RESULT_AVAILABLE"
	DeliveryUnknown State = "DELIVERY_UNKNOWN"
	CancelRequested State = "CANCEL_REQUESTED"
	Cancelled       State = "CANCELLED"
	Failed          State = "FAILED"
)

// States lists them all.
var States = []State{
	Created, Queued, Claimed, Dispatching, Accepted, Running, Settled, ResultAvailable,
	DeliveryUnknown, CancelRequested, Cancelled, Failed,
}

// Finished tells whether nothing will ever happen to the message again.
func (s State) Finished() bool {
	return s == ResultAvailable || s == Cancelled || s == Failed
}

// Life is whether an exchange takes messages.
type Life string

// The two lives of an exchange.
const (
	Open   Life = "OPEN"
	Closed Life = "CLOSED"
)

// Dispatch is the durable marker that stands before an adapter is called.
type Dispatch string

// The marker, which only ever goes forward.
const (
	NotAttempted Dispatch = "not_attempted"
	Started      Dispatch = "started"
)

// Transport is what is known of the delivery of one attempt.
type Transport string

// What may be known. Unreported (pending) has no place in a result.
const (
	Unreported Transport = "pending"
	Delivered  Transport = "delivered"
	Ambiguous  Transport = "ambiguous"
	NoEffect   Transport = "failed" // the adapter proved that nothing happened
)

// Outcome is what the runtime itself showed, never what a transport let expect.
type Outcome string

// The ladder of the runtime.
const (
	SawAccepted    Outcome = "accepted"
	SawRunning     Outcome = "running"
	SawSettled     Outcome = "settled"
	SawError       Outcome = "runtime_error"
	SawCancelled   Outcome = "cancelled"
	SawInterrupted Outcome = "interrupted"
)

// Outcomes lists the ladder; SettlementGrade is the part of it that ends an execution.
var (
	Outcomes = []Outcome{
		SawAccepted, SawRunning, SawSettled, SawError, SawCancelled, SawInterrupted,
	}
	SettlementGrade = Outcomes[2:]
)

// ReceiptKind is what a receipt records.
type ReceiptKind string

// The kinds of receipt. DuplicateSuppressed says that an equal request was answered with the record
// that was there.
const (
	ReadReceipt         ReceiptKind = "read"
	DeliveryAck         ReceiptKind = "delivery_ack"
	DuplicateSuppressed ReceiptKind = "duplicate_suppressed"
)

// EventKind is what an event records; the set is closed.
type EventKind string

// The kinds of event.
const (
	ExchangeOpened   EventKind = "exchange_opened"
	ExchangeClosed   EventKind = "exchange_closed"
	ExchangeArchived EventKind = "exchange_archived"
	MessageCreated   EventKind = "message_created"
	MessageMoved     EventKind = "message_moved"
	AttemptChanged   EventKind = "attempt_changed"
	RuntimeObserved  EventKind = "runtime_observed"
	ResultPublished  EventKind = "result_published"
	DuplicateSeen    EventKind = "duplicate_suppressed"
	LateObservation  EventKind = "late_observation"
)
