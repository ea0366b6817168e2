package host

import (
	"fmt"

	"bridgesim/bridge/exchange"
)

// The facts that the host asks for beyond those of the table.
const (
	NeedPrincipal   exchange.Fact = "the token of a known principal"
	NeedUnchanged   exchange.Fact = "an exchange that did not change since it was looked at"
	NeedHolder      exchange.Fact = "the claim's holder, with its fencing token"
	NeedExpired     exchange.Fact = "a claim that has expired"
	NeedProof       exchange.Fact = "the name of the look that shows it"
	NeedFreshProof  exchange.Fact = "a look that was not spent as other evidence"
	NeedDispatching exchange.Fact = "a message that is being dispatched"
	NeedDelivered   exchange.Fact = "an attempt that is known to be delivered"
	NeedInstance    exchange.Fact = "the name of the endpoint's incarnation"
	NeedAbandoned   exchange.Fact = "an exchange with a disposition"
	NeedSettlement  exchange.Fact = "stored evidence that the execution ended"
)

// Denial says that something other than a move was not done, and for want of which fact. A
// principal without grant is told the same about what exists and what does not.
type Denial struct {
	Operation string
	Fact      exchange.Fact
	Action    exchange.Action // the missing grant, for exchange.NeedGrant
}

func (d *Denial) Error() string {
	fact := string(d.Fact)
	if d.Fact == exchange.NeedGrant {
		fact = fmt.Sprintf("grant %s", d.Action)
	}
	return fmt.Sprintf("exchange: %s refused: needs %s", d.Operation, fact)
}

// Missing gives the fact that an error of the host or of the table says is missing, or "".
func Missing(err error) exchange.Fact {
	switch e := err.(type) {
	case *Denial:
		return e.Fact
	case *exchange.Refusal:
		return e.Fact
	case interface{ Unwrap() error }:
		return Missing(e.Unwrap())
	}
	return ""
}
