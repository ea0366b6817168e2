package exchange

import "fmt"

// Fact is what a move needs, and what a refusal says is missing.
type Fact string

// The facts, in the order in which they are asked for.
const (
	NeedShape          Fact = "a rule for this pair of states"
	NeedActive         Fact = "an exchange without disposition"
	NeedOpen           Fact = "an open exchange"
	NeedGrant          Fact = "grant"
	NeedNow            Fact = "a readable time of now"
	NeedMessage        Fact = "a message of this exchange"
	NeedNoAttempt      Fact = "no delivery attempt"
	NeedAttempt        Fact = "a delivery attempt"
	NeedOwnAttempt     Fact = "an attempt of this message to its endpoint"
	NeedConsistent     Fact = "an attempt whose marker and transport agree"
	NeedRecordedLease  Fact = "the attempt's recorded lease"
	NeedCurrentLease   Fact = "the latest claim"
	NeedSameClaim      Fact = "an attempt under the latest claim"
	NeedUnexpired      Fact = "a lease that has not expired"
	NeedNewToken       Fact = "a fencing token larger than every earlier one"
	NeedDispatch       Fact = "another dispatch marker"
	NeedTransport      Fact = "another transport fact"
	NeedNoEvidence     Fact = "no runtime evidence"
	NeedEvidence       Fact = "runtime evidence"
	NeedOwnEvidence    Fact = "runtime evidence of this attempt"
	NeedOutcome        Fact = "runtime evidence with another outcome"
	NeedNoFinding      Fact = "no reconciliation"
	NeedReconciliation Fact = "explicit reconciliation evidence of this attempt"
	NeedResult         Fact = "the published result of this attempt"
)

// Refusal says that a move was not made, and for want of which fact. It quotes no content.
type Refusal struct {
	From, To State
	Rule     int // 0 when there is none for the pair
	Fact     Fact
	Action   Action // the missing grant, for NeedGrant
}

func (r *Refusal) Error() string {
	fact := string(r.Fact)
	if r.Fact == NeedGrant {
		fact = fmt.Sprintf("grant %s", r.Action)
	}
	if r.Rule == 0 {
		return fmt.Sprintf("exchange: %s → %s refused: needs %s", r.From, r.To, fact)
	}
	return fmt.Sprintf("exchange: %s → %s refused by rule %d: needs %s", r.From, r.To, r.Rule, fact)
}
