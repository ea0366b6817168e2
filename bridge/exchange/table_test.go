package exchange_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "bridgesim/bridge/exchange"
)

const worker = "worker"

// everything are all grants that a principal can have for the sample message.
func everything() Authorization {
	a := Authorization{PrincipalID: worker}
	full := Scope{ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, OwnerID: worker}
	for _, action := range slices.Concat(ControlOperations, OwnerOperations, EndpointOperations) {
		a.Grants = append(a.Grants, granted(action, full))
	}
	return a
}

func granted(a Action, s Scope) Grant {
	g := Grant{Action: a, PrincipalID: worker, Scope: Scope{ExchangeID: s.ExchangeID}}
	switch {
	case a == List:
		g.Scope = Scope{}
	case slices.Contains(OwnerOperations, a):
		g.Scope.OwnerID = s.OwnerID
	case a == Cancel:
		g.Scope.MessageID = s.MessageID
	case slices.Contains(EndpointOperations, a):
		g.Scope.MessageID, g.Scope.Endpoint = s.MessageID, s.Endpoint
		if a != Claim {
			g.Scope.AttemptID = s.AttemptID
		}
	}
	return g
}

// enough are facts with which a rule allows its move, and not one more.
func enough(r Rule) Facts {
	f := Facts{
		Exchange: Exchange{ExchangeID: ho, State: Open, CreatedAt: past}, Message: someMessage(),
		Authorization: Authorization{PrincipalID: worker}, Now: now,
	}
	f.Message.State = r.From
	for _, g := range everything().Grants {
		if slices.Contains(r.Grants, g.Action) || len(r.AnyGrant) > 0 && g.Action == r.AnyGrant[0] {
			f.Authorization.Grants = append(f.Authorization.Grants, g)
		}
	}
	if r.Attempt == AttemptRequired {
		a := someAttempt()
		a.Dispatch, a.Transport = r.Dispatch, r.Transports[0]
		f.Attempt = &a
	}
	if r.Lease == LeaseClaim || r.Lease == LeaseCurrent {
		l := someLease()
		f.CurrentLease = &l
	}
	if len(r.Outcomes) > 0 {
		e := someEvidence(r.Outcomes[0])
		f.Evidence = &e
	}
	if r.Reconciliation != "" {
		rec := someReconciliation(r.Reconciliation)
		f.Reconciliation = &rec
	}
	if r.Result {
		res := someResult()
		f.Result = &res
	}
	return f
}

func refused(f Facts, to State) Fact {
	r, err := Check(f, to)
	if err == nil {
		return Fact(fmt.Sprintf("allowed by rule %d", r.Number))
	}
	e, ok := errors.AsType[*Refusal](err)
	Expect(ok).To(BeTrue(), "%v", err)
	return e.Fact
}

func rule(n int) Rule {
	return Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.Number == n })]
}

// removals take one fact away; each says what must be missed.
var removals = []struct {
	name   string
	needs  func(Rule) bool
	remove func(*Facts)
	misses Fact
}{
	{"disposition", always, func(f *Facts) { d := someDisposition(); f.Disposition = &d }, NeedActive},
	{"open", always, func(f *Facts) { f.Exchange.State, f.Exchange.ClosedAt = Closed, now }, NeedOpen},
	{"all grants", always, func(f *Facts) { f.Authorization.Grants = nil }, NeedGrant},
	{
		"the first grant", always,
		func(f *Facts) { f.Authorization.Grants = f.Authorization.Grants[1:] }, NeedGrant,
	},
	{"the last grant", always, func(f *Facts) {
		f.Authorization.Grants = f.Authorization.Grants[:len(f.Authorization.Grants)-1]
	}, NeedGrant},
	{"principal", always, func(f *Facts) { f.Authorization.PrincipalID = "other" }, NeedGrant},
	{"attempt", attempted, func(f *Facts) { f.Attempt = nil }, NeedAttempt},
	{
		"attempt's message", attempted,
		func(f *Facts) { f.Attempt.MessageID = ids.New(MessageID) }, NeedOwnAttempt,
	},
	{
		"attempt's incarnation", attempted,
		func(f *Facts) { f.Attempt.Endpoint.InstanceID = "i2" }, NeedOwnAttempt,
	},
	{"recorded lease", attempted, func(f *Facts) { f.Attempt.Lease = Lease{} }, NeedRecordedLease},
	{"current lease", claimed, func(f *Facts) { f.CurrentLease = nil }, NeedCurrentLease},
	{"token", claimed, func(f *Facts) { f.CurrentLease.FencingToken++ }, NeedSameClaim},
	{"consumer", claimed, func(f *Facts) { f.CurrentLease.ConsumerID = "x" }, NeedSameClaim},
	{"instance", claimed, func(f *Facts) { f.CurrentLease.InstanceID = "x" }, NeedSameClaim},
	{"expiry", fenced, func(f *Facts) { f.CurrentLease.ExpiresAt = now }, NeedUnexpired},
	{"recorded expiry", fenced, func(f *Facts) { f.Attempt.Lease.ExpiresAt = past }, NeedUnexpired},
	{"now", fenced, func(f *Facts) { f.Now = "" }, NeedNow},
	{
		"unreadable expiry", fenced,
		func(f *Facts) { f.CurrentLease.ExpiresAt = "soon" }, NeedCurrentLease,
	},
	{
		"new token", func(r Rule) bool { return r.NewClaim },
		func(f *Facts) { f.LastToken = f.CurrentLease.FencingToken }, NeedNewToken,
	},
	{"evidence", observed, func(f *Facts) { f.Evidence = nil }, NeedEvidence},
	{
		"evidence's exchange", observed,
		func(f *Facts) { f.Evidence.ExchangeID = ids.New(ExchangeID) }, NeedOwnEvidence,
	},
	{
		"evidence's message", observed,
		func(f *Facts) { f.Evidence.MessageID = ids.New(MessageID) }, NeedOwnEvidence,
	},
	{
		"evidence's attempt", observed,
		func(f *Facts) { f.Evidence.AttemptID = ids.New(AttemptID) }, NeedOwnEvidence,
	},
	{
		"evidence's incarnation", observed,
		func(f *Facts) { f.Evidence.Endpoint.InstanceID = "i2" }, NeedOwnEvidence,
	},
	{"evidence's time", observed, func(f *Facts) { f.Evidence.ObservedAt = "" }, NeedOwnEvidence},
	{
		"no evidence", func(r Rule) bool { return !observed(r) },
		func(f *Facts) { e := someEvidence(SawAccepted); f.Evidence = &e }, NeedNoEvidence,
	},
	{"reconciliation", reconciled, func(f *Facts) { f.Reconciliation = nil }, NeedReconciliation},
	{
		"reconciliation's attempt", reconciled,
		func(f *Facts) { f.Reconciliation.AttemptID = ids.New(AttemptID) }, NeedReconciliation,
	},
	{
		"reconciliation's time", reconciled,
		func(f *Facts) { f.Reconciliation.ObservedAt = "now" }, NeedReconciliation,
	},
	{"no reconciliation", func(r Rule) bool { return !reconciled(r) }, func(f *Facts) {
		rec := someReconciliation(Delivered)
		f.Reconciliation = &rec
	}, NeedNoFinding},
	{"result", published, func(f *Facts) { f.Result = nil }, NeedResult},
	{
		"result's attempt", published,
		func(f *Facts) { f.Result.AttemptID = ids.New(AttemptID) }, NeedResult,
	},
	{"result's digest", published, func(f *Facts) { f.Result.Body = "forged" }, NeedResult},
	{"result's outcome", published, func(f *Facts) { f.Result.Runtime = SawError }, NeedResult},
	{"result's source", published, func(f *Facts) { f.Result.Source.InstanceID = "i2" }, NeedResult},
}

func always(Rule) bool       { return true }
func attempted(r Rule) bool  { return r.Attempt == AttemptRequired }
func claimed(r Rule) bool    { return r.Lease == LeaseClaim || r.Lease == LeaseCurrent }
func fenced(r Rule) bool     { return r.Lease == LeaseCurrent }
func observed(r Rule) bool   { return len(r.Outcomes) > 0 }
func reconciled(r Rule) bool { return r.Reconciliation != "" }
func published(r Rule) bool  { return r.Result }

var _ = Describe("the table", func() {
	It("has no row 13, and its facts suffice row by row", func() {
		for i, r := range Rules {
			number := i + 1
			if number >= 13 {
				number++
			}
			Expect(r.Number).To(Equal(number))
			Expect(refused(enough(r), r.To)).To(Equal(Fact(fmt.Sprintf("allowed by rule %d", number))))
		}
		Expect(Rules).To(HaveLen(24))
	})
	It("[9][10][11] without one of its facts no rule allows anything, and the fact is named", func() {
		for _, r := range Rules {
			for _, x := range removals {
				if !x.needs(r) {
					continue
				}
				f := enough(r)
				x.remove(&f)
				Expect(CanTransition(r.From, r.To)).To(BeTrue())
				Expect(refused(f, r.To)).To(Equal(x.misses), "rule %d without %s", r.Number, x.name)
			}
		}
	})
	It("every action and every field of a scope decides", func() {
		full := Scope{ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, OwnerID: worker}
		for _, g := range everything().Grants {
			Expect(Validate(g)).To(Succeed())
			for _, h := range everything().Grants {
				a := Authorization{PrincipalID: worker, Grants: []Grant{g}}
				Expect(a.Permits(h.Action, full)).To(Equal(g.Action == h.Action))
			}
		}
		Expect(reflect.TypeFor[Scope]().NumField()).To(Equal(5))
	})
})
