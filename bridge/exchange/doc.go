// Package exchange says what may be believed of a message between two endpoints: whether it was
// asked for, delivered, run, and what came back. It never guesses. A message moves along an edge of
// one table (Rules), and an edge needs its facts: a grant, a lease, what is known of the delivery
// attempt, evidence from the runtime. What lacks one is refused by a Refusal that names it.
//
//	CREATED → QUEUED → CLAIMED → DISPATCHING → ACCEPTED → RUNNING → SETTLED → RESULT_AVAILABLE
//	                     └──────────┴─ DELIVERY_UNKNOWN: may have happened; never tried again
//
// Everything here is pure: snapshots in, a rule or a refusal out. The host loads the snapshots and
// commits what was allowed; nobody else's word for a grant, a lease or a result is taken.
package exchange
