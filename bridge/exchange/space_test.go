package exchange_test

import (
	"errors"
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "bridgesim/bridge/exchange"
)

var (
	dispatches = []Dispatch{NotAttempted, Started}
	transports = []Transport{Unreported, Delivered, Ambiguous, NoEffect}
)

// expected is the specification's table once more, in words of its own: which dispatch, transport
// and outcome each row takes. "-" is none.
var expected = map[[2]State][]string{
	{Created, Queued}:              {"- - -"},
	{Queued, Claimed}:              {"not_attempted pending -"},
	{Claimed, Queued}:              {"not_attempted pending -"},
	{Claimed, Cancelled}:           {"not_attempted pending -"},
	{Claimed, CancelRequested}:     anyAttempt,
	{Claimed, Dispatching}:         {"started pending -"},
	{Claimed, DeliveryUnknown}:     {"started pending -", "started ambiguous -"},
	{Dispatching, Accepted}:        {"started delivered accepted"},
	{Dispatching, DeliveryUnknown}: {"started pending -", "started ambiguous -"},
	{Dispatching, Failed}:          {"started failed -"},
	{Dispatching, CancelRequested}: anyAttempt,
	{Accepted, Running}:            {"started delivered running"},
	{Accepted, CancelRequested}:    anyAttempt,
	{Running, Settled}:             settles,
	{Running, CancelRequested}:     anyAttempt,
	{Settled, ResultAvailable}:     settles,
	{CancelRequested, Cancelled}:   {"not_attempted pending -", "started delivered cancelled"},
	{CancelRequested, Settled}:     settles,
	{CancelRequested, Failed}:      {"started failed -"},
	{CancelRequested, DeliveryUnknown}: {
		"started pending -", "started ambiguous -",
	},
	{DeliveryUnknown, Accepted}: {"started delivered accepted"},
	{DeliveryUnknown, Failed}:   {"started failed -"},
	{Queued, Cancelled}:         {"- - -", "not_attempted pending -"},
}

var (
	anyAttempt = []string{
		"- - -", "not_attempted pending -", "started pending -", "started delivered -",
		"started ambiguous -", "started failed -",
	}
	settles = []string{
		"started delivered settled", "started delivered runtime_error", "started delivered cancelled",
		"started delivered interrupted",
	}
)

// combination is one of all ways in which facts can lie.
type combination struct {
	attempt  string
	outcome  string
	granted  bool
	lease    string // "none", "current", "expired", "newer"
	found    string
	result   bool
	disposed bool
}

func combinations(yield func(combination) bool) {
	attempts := []string{"- -"}
	for _, d := range dispatches {
		for _, t := range transports {
			attempts = append(attempts, fmt.Sprintf("%s %s", d, t))
		}
	}
	outcomes := []string{"-"}
	for _, o := range Outcomes {
		outcomes = append(outcomes, string(o))
	}
	for _, a := range attempts {
		for _, o := range outcomes {
			for _, l := range []string{"none", "current", "expired", "newer"} {
				for _, r := range []string{"-", "delivered", "failed"} {
					for bits := range 8 {
						if !yield(combination{
							a, o, bits&1 != 0, l, r, bits&2 != 0, bits&4 != 0,
						}) {
							return
						}
					}
				}
			}
		}
	}
}

func (c combination) facts() Facts {
	f := Facts{
		Exchange: Exchange{ExchangeID: ho, State: Open, CreatedAt: past}, Message: someMessage(),
		Authorization: Authorization{PrincipalID: worker}, Now: now,
	}
	if c.granted {
		f.Authorization = allGrants
	}
	if c.attempt != "- -" {
		a := someAttempt()
		fmt.Sscan(c.attempt, &a.Dispatch, &a.Transport)
		if c.lease == "expired" {
			a.Lease.ExpiresAt = past
		}
		f.Attempt = &a
	}
	if c.lease != "none" {
		l := someLease()
		if c.lease == "expired" {
			l.ExpiresAt = past
		}
		if c.lease == "newer" {
			l.FencingToken++
		}
		f.CurrentLease = &l
	}
	if c.outcome != "-" {
		e := someEvidence(Outcome(c.outcome))
		f.Evidence = &e
	}
	if c.found != "-" {
		r := someReconciliation(Transport(c.found))
		f.Reconciliation = &r
	}
	if c.result {
		r := someResult()
		if c.outcome != "-" {
			r.Runtime = Outcome(c.outcome)
		}
		f.Result = &r
	}
	if c.disposed {
		d := someDisposition()
		f.Disposition = &d
	}
	return f
}

var allGrants = everything()

// allows is the specification's answer to a combination, written without the table under test.
func (c combination) allows(from, to State) bool {
	if c.disposed || !c.granted ||
		!slices.Contains(expected[[2]State{from, to}], c.attempt+" "+c.outcome) {
		return false
	}
	found := map[[2]State]string{
		{DeliveryUnknown, Accepted}: "delivered", {DeliveryUnknown, Failed}: "failed",
	}[[2]State{from, to}]
	if found == "" {
		found = "-"
	}
	return c.found == found && (to != ResultAvailable || c.result) && c.leased(from, to)
}

func (c combination) leased(from, to State) bool {
	switch {
	case from == Created, to == CancelRequested, from == Queued && to == Cancelled,
		to == DeliveryUnknown, from == DeliveryUnknown:
		return true
	case to == Cancelled && c.attempt == "not_attempted pending":
		return c.lease == "current" || c.lease == "expired"
	}
	return c.lease == "current"
}

var _ = Describe("the space", func() {
	It("every pair under every combination of facts is answered as the specification does", func() {
		asked, allowed := 0, map[int]bool{}
		for c := range combinations {
			f := c.facts()
			for _, from := range States {
				f.Message.State = from
				for _, to := range States {
					asked++
					r, err := Check(f, to)
					if (err == nil) != c.allows(from, to) {
						Fail(fmt.Sprintf("%s → %s, %+v: %v", from, to, c, err))
					}
					if _, ok := errors.AsType[*Refusal](err); err != nil && !ok {
						Fail(fmt.Sprintf("not a named refusal: %v", err))
					}
					if err == nil {
						allowed[r.Number] = true
					}
				}
			}
		}
		Expect(asked).To(Equal(12 * 12 * 9 * 7 * 4 * 3 * 8))
		Expect(allowed).To(HaveLen(len(Rules)))
	})
})
