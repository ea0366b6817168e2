package exchange

import "slices"

// LeaseNeed is which lease a rule asks for.
type LeaseNeed string

// The leases, from nothing to a claim that holds now.
const (
	LeaseNone     LeaseNeed = "none"
	LeaseRecorded LeaseNeed = "recorded" // the attempt's own, expired or not
	// LeaseClaim is recorded, and still the latest claim, expired or not. Confirming that an attempt
	// which never started is cancelled needs no more: otherwise a message whose worker died before
	// the start could reach no end at all. Giving it back to the queue needs LeaseCurrent.
	LeaseClaim   LeaseNeed = "latest claim"
	LeaseCurrent LeaseNeed = "current"
)

// AttemptNeed is whether a rule asks for an attempt.
type AttemptNeed string

// A rule has no attempt, takes whatever is there, or must have one.
const (
	AttemptNone     AttemptNeed = "none"
	AttemptAny      AttemptNeed = "any"
	AttemptRequired AttemptNeed = "required"
)

// Rule is one legal edge with everything that it needs. What a rule does not ask for must not be
// presented: evidence for a move that needs none is a sign that two facts were mixed up.
type Rule struct {
	Number         int // its row in the specification's table
	From, To       State
	Grants         []Action // all of them
	AnyGrant       []Action // one of them, when not empty
	Lease          LeaseNeed
	Attempt        AttemptNeed
	Dispatch       Dispatch // of a presented attempt; empty means any
	Transports     []Transport
	Outcomes       []Outcome // empty: there must be no runtime evidence
	Reconciliation Transport // what reconciliation must have found; empty: there must be none
	Result         bool      // a published result must be loaded
	NewClaim       bool      // the token must be larger than every earlier one
}

var quarantine = []Action{DeliveryReport, Reconcile}

// Rules is the whole table. Number 13 is missing: ACCEPTED → SETTLED passes RUNNING.
var Rules = []Rule{
	{
		Number: 1, From: Created, To: Queued, Grants: []Action{Send}, Lease: LeaseNone,
		Attempt: AttemptNone,
	},
	{
		Number: 2, From: Queued, To: Claimed, Grants: []Action{Claim}, Lease: LeaseCurrent,
		Attempt: AttemptRequired, Dispatch: NotAttempted, Transports: []Transport{Unreported},
		NewClaim: true,
	},
	{
		Number: 3, From: Claimed, To: Queued, Grants: []Action{LeaseRelease}, Lease: LeaseCurrent,
		Attempt: AttemptRequired, Dispatch: NotAttempted, Transports: []Transport{Unreported},
	},
	{
		Number: 4, From: Claimed, To: Cancelled, Grants: []Action{CancelConfirm}, Lease: LeaseClaim,
		Attempt: AttemptRequired, Dispatch: NotAttempted, Transports: []Transport{Unreported},
	},
	{
		Number: 5, From: Claimed, To: CancelRequested, Grants: []Action{Cancel}, Lease: LeaseNone,
		Attempt: AttemptAny,
	},
	{
		Number: 6, From: Claimed, To: Dispatching, Grants: []Action{DispatchStart},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Unreported},
	},
	{
		Number: 7, From: Claimed, To: DeliveryUnknown, AnyGrant: quarantine, Lease: LeaseRecorded,
		Attempt: AttemptRequired, Dispatch: Started, Transports: []Transport{Unreported, Ambiguous},
	},
	{
		Number: 8, From: Dispatching, To: Accepted, Grants: []Action{DeliveryReport, RuntimeProgress},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: []Outcome{SawAccepted},
	},
	{
		Number: 9, From: Dispatching, To: DeliveryUnknown, AnyGrant: quarantine, Lease: LeaseRecorded,
		Attempt: AttemptRequired, Dispatch: Started, Transports: []Transport{Unreported, Ambiguous},
	},
	{
		Number: 10, From: Dispatching, To: Failed, Grants: []Action{DeliveryReport},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{NoEffect},
	},
	{
		Number: 11, From: Dispatching, To: CancelRequested, Grants: []Action{Cancel},
		Lease: LeaseNone, Attempt: AttemptAny,
	},
	{
		Number: 12, From: Accepted, To: Running, Grants: []Action{RuntimeProgress},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: []Outcome{SawRunning},
	},
	{
		Number: 14, From: Accepted, To: CancelRequested, Grants: []Action{Cancel}, Lease: LeaseNone,
		Attempt: AttemptAny,
	},
	{
		Number: 15, From: Running, To: Settled, Grants: []Action{SettlementReport},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: SettlementGrade,
	},
	{
		Number: 16, From: Running, To: CancelRequested, Grants: []Action{Cancel}, Lease: LeaseNone,
		Attempt: AttemptAny,
	},
	{
		Number: 17, From: Settled, To: ResultAvailable, Grants: []Action{Publication},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: SettlementGrade, Result: true,
	},
	{
		Number: 18, From: CancelRequested, To: Cancelled, Grants: []Action{CancelConfirm},
		Lease: LeaseClaim, Attempt: AttemptRequired, Dispatch: NotAttempted,
		Transports: []Transport{Unreported},
	},
	{
		Number: 19, From: CancelRequested, To: Cancelled,
		Grants: []Action{CancelConfirm, SettlementReport}, Lease: LeaseCurrent,
		Attempt: AttemptRequired, Dispatch: Started, Transports: []Transport{Delivered},
		Outcomes: []Outcome{SawCancelled},
	},
	{
		Number: 20, From: CancelRequested, To: Settled, Grants: []Action{SettlementReport},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: SettlementGrade,
	},
	{
		Number: 21, From: CancelRequested, To: Failed, Grants: []Action{DeliveryReport},
		Lease: LeaseCurrent, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{NoEffect},
	},
	{
		Number: 22, From: CancelRequested, To: DeliveryUnknown, AnyGrant: quarantine,
		Lease: LeaseRecorded, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Unreported, Ambiguous},
	},
	{
		Number: 23, From: DeliveryUnknown, To: Accepted, Grants: []Action{Reconcile, RuntimeProgress},
		Lease: LeaseRecorded, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{Delivered}, Outcomes: []Outcome{SawAccepted},
		Reconciliation: Delivered,
	},
	{
		Number: 24, From: DeliveryUnknown, To: Failed, Grants: []Action{Reconcile},
		Lease: LeaseRecorded, Attempt: AttemptRequired, Dispatch: Started,
		Transports: []Transport{NoEffect}, Reconciliation: NoEffect,
	},
	{
		Number: 25, From: Queued, To: Cancelled, Grants: []Action{Cancel}, Lease: LeaseNone,
		Attempt: AttemptAny, Dispatch: NotAttempted, Transports: []Transport{Unreported},
	},
}

// CanTransition answers for the shape alone. It permits nothing: Check does.
func CanTransition(from, to State) bool {
	return slices.ContainsFunc(Rules, func(r Rule) bool { return r.From == from && r.To == to })
}
