package recovery

import "strings"

// Fact is what is known about one question.
type Fact uint8

// The three values. The zero value is Unknown: a question that nobody asked has no answer.
const (
	Unknown Fact = iota
	Yes
	No
)

// String is "yes", "no" or "unknown".
func (f Fact) String() string { return [...]string{"unknown", "yes", "no"}[f] }

// Of turns a certain answer into a fact.
func Of(b bool) Fact {
	if b {
		return Yes
	}
	return No
}

// Failure is what stopped the relay. It is the stall kind of the specification's
// classifyStallError; Bug is its null.
type Failure uint8

// The failures.
const (
	NoFailure Failure = iota // nothing failed: a restarted pi takes up its session, or a ROUND is due
	Capture                  // E_CAPTURE, E_SOURCE_UNCERTAIN: a reply was not obtained whole
	Wait                     // the limit passed and no fresh, finished turn was seen
	Unproven                 // a message may or may not have gone out
	Dropped                  // the line to the page is gone, or the page was replaced under it
	Refusal                  // an acknowledgement of RESUME or RESYNC is invalid
	Bug                      // not a stall: a code bug, a parser bug, a broken invariant
	failureEnd
)

var failureNames = [failureEnd]string{
	"none", "capture", "wait", "unproven", "dropped", "refusal", "bug",
}

// String is the failure's name.
func (f Failure) String() string { return failureNames[f] }

// Place is where the conversation can be found now.
type Place uint8

// The places, by how much was replaced.
const (
	Somewhere  Place = iota // not known
	SameTab                 // the same document in the same tab
	Reloaded                // the same conversation in a new document
	Relaunched              // tab or browser are gone; the conversation has an address
	Nowhere                 // the conversation has no address, or the server does not know it
	placeEnd
)

var placeNames = [placeEnd]string{"unknown", "same-tab", "reloaded", "relaunched", "nowhere"}

// String is the place's name.
func (p Place) String() string { return placeNames[p] }

// Evidence is all that a verdict rests on.
type Evidence struct {
	Failure Failure
	Place   Place

	Attached Fact // a session on the page lives
	Same     Fact // the page shows our conversation
	Memory   Fact // this process holds sid, round and in-flight state (readings 11)
	Cache    Fact // the journal is there and trustworthy
	History  Fact // the record was read whole, and its FRAME chain is complete and ours

	Boundary Fact // checkBoundaries() says stop
	Blocker  Fact // the guard confirmed one
	Spent    Fact // the recovery budget is used up, or RESUME and RESYNC both failed
	Conflict Fact // sid clash, regression, jump, prev unmatched: two histories
	Doubt    Fact // a side-effecting PLAN may have run and nobody can tell (readings 14)
	Changed  Fact // HV, CV or CAP differ from what was acknowledged
	Acked    Fact // HELLO/ACK is provable by memory, journal or complete history (readings 13)
	Sure     Fact // identity and checkpoint are certain
}

// String lists the facts that are known, for the report.
func (e Evidence) String() string {
	var b strings.Builder
	b.WriteString("failure " + e.Failure.String() + ", place " + e.Place.String())
	for i, name := range factNames {
		if f := *e.fact(i); f != Unknown {
			b.WriteString(", " + name + " " + f.String())
		}
	}
	return b.String()
}

var factNames = [...]string{
	"attached", "same", "memory", "cache", "history", "boundary", "blocker", "spent", "conflict",
	"doubt", "changed", "acked", "sure",
}

// fact gives the i-th fact in the order of factNames; tests walk the evidence space with it.
func (e *Evidence) fact(i int) *Fact {
	return [...]*Fact{
		&e.Attached, &e.Same, &e.Memory, &e.Cache, &e.History, &e.Boundary, &e.Blocker, &e.Spent,
		&e.Conflict, &e.Doubt, &e.Changed, &e.Acked, &e.Sure,
	}[i]
}
