package exchange

import (
	"slices"
	"time"
)

// Facts are the snapshots that the host loaded in the transaction that will commit the move. None
// of them is ever taken from a caller's hand.
type Facts struct {
	Exchange       Exchange
	Message        Message
	Attempt        *DeliveryAttempt // with the lease that it recorded
	CurrentLease   *Lease           // the latest claim of the message
	LastToken      int64            // the largest token given out for the message before
	Evidence       *RuntimeEvidence
	Reconciliation *Reconciliation
	Result         *Result
	Authorization  Authorization
	Disposition    *ExchangeDisposition
	Now            Instant
}

// Check decides one move of a message: the rule that allows it, or a Refusal.
func Check(f Facts, to State) (Rule, error) {
	rule, ok := pick(f, to)
	g := guard{Facts: f, rule: rule}
	if !ok {
		return Rule{}, &Refusal{From: f.Message.State, To: to, Fact: NeedShape}
	}
	for _, ask := range []func(){
		g.exchange, g.grants, g.correlation, g.lease, g.transport, g.evidence, g.finding, g.result,
	} {
		if ask(); g.missing != nil {
			return Rule{}, g.missing
		}
	}
	return rule, nil
}

// pick finds the rule for a pair. Where two share one, the dispatch marker tells which is meant.
func pick(f Facts, to State) (rule Rule, ok bool) {
	for _, r := range Rules {
		if r.From != f.Message.State || r.To != to {
			continue
		}
		if !ok || f.Attempt != nil && f.Attempt.Dispatch == r.Dispatch {
			rule, ok = r, true
		}
	}
	return rule, ok
}

// guard asks for one fact after the other and keeps the first that is missing.
type guard struct {
	Facts
	rule    Rule
	missing *Refusal
}

func (g *guard) need(ok bool, fact Fact) bool {
	if !ok && g.missing == nil {
		g.missing = &Refusal{From: g.rule.From, To: g.rule.To, Rule: g.rule.Number, Fact: fact}
	}
	return ok && g.missing == nil
}

func (g *guard) exchange() {
	g.need(AssertExchangeActive(g.Disposition) == nil, NeedActive)
	g.need(Validate(g.Exchange) == nil && g.Exchange.State == Open, NeedOpen)
}

// scope is what the message is about; the attempt's part is empty where there is none.
func (g *guard) scope() Scope {
	s := Scope{
		ExchangeID: g.Message.ExchangeID, MessageID: g.Message.MessageID, Endpoint: g.Message.To,
	}
	if g.Attempt != nil {
		s.AttemptID = g.Attempt.AttemptID
	}
	return s
}

func (g *guard) grants() {
	// Without its attempt a grant for one cannot be looked for at all.
	g.need(g.Attempt != nil || g.rule.Attempt != AttemptRequired, NeedAttempt)
	for _, a := range g.rule.Grants {
		if !g.need(g.Authorization.Permits(a, g.scope()), NeedGrant) {
			g.missing.Action = a
			return
		}
	}
	any := slices.ContainsFunc(g.rule.AnyGrant, func(a Action) bool {
		return g.Authorization.Permits(a, g.scope())
	})
	if len(g.rule.AnyGrant) > 0 && !g.need(any, NeedGrant) {
		g.missing.Action = g.rule.AnyGrant[0]
	}
}

func (g *guard) correlation() {
	g.need(Validate(g.Message) == nil && g.Message.ExchangeID == g.Exchange.ExchangeID, NeedMessage)
	if g.Attempt == nil {
		return
	}
	if !g.need(g.rule.Attempt != AttemptNone, NeedNoAttempt) {
		return
	}
	g.need(g.Attempt.MessageID == g.Message.MessageID && g.Attempt.Endpoint == g.Message.To,
		NeedOwnAttempt)
	g.need(g.Attempt.Dispatch == Started || g.Attempt.Transport == Unreported, NeedConsistent)
}

func (g *guard) lease() {
	if g.rule.Lease == LeaseNone {
		return
	}
	if !g.need(Validate(*g.Attempt) == nil, NeedRecordedLease) || g.rule.Lease == LeaseRecorded {
		return
	}
	if !g.need(g.CurrentLease != nil && Validate(*g.CurrentLease) == nil, NeedCurrentLease) ||
		!g.need(g.Attempt.Lease.SameClaim(*g.CurrentLease), NeedSameClaim) {
		return
	}
	if g.rule.Lease == LeaseCurrent {
		g.unexpired()
	}
	g.need(!g.rule.NewClaim || g.CurrentLease.FencingToken > g.LastToken, NeedNewToken)
}

// unexpired asks both copies of the lease: neither may have run out.
func (g *guard) unexpired() {
	now, err := g.Now.Time()
	g.need(err == nil, NeedNow)
	for _, l := range []*Lease{&g.Attempt.Lease, g.CurrentLease} {
		end, err := l.ExpiresAt.Time()
		g.need(err == nil && end.After(now), NeedUnexpired)
	}
}

func (g *guard) transport() {
	if g.Attempt == nil {
		return
	}
	g.need(g.rule.Dispatch == "" || g.Attempt.Dispatch == g.rule.Dispatch, NeedDispatch)
	g.need(len(g.rule.Transports) == 0 || slices.Contains(g.rule.Transports, g.Attempt.Transport),
		NeedTransport)
}

func (g *guard) evidence() {
	if len(g.rule.Outcomes) == 0 {
		g.need(g.Evidence == nil, NeedNoEvidence)
		return
	}
	if !g.need(g.Evidence != nil, NeedEvidence) {
		return
	}
	e := g.Evidence
	g.need(Validate(*e) == nil && g.about(e.ExchangeID, e.MessageID, e.AttemptID, e.Endpoint) &&
		g.notAhead(e.ObservedAt), NeedOwnEvidence)
	g.need(slices.Contains(g.rule.Outcomes, e.Outcome), NeedOutcome)
}

func (g *guard) about(exchange, message, attempt string, at EndpointRef) bool {
	return exchange == g.Message.ExchangeID && message == g.Message.MessageID &&
		attempt == g.Attempt.AttemptID && at == g.Message.To
}

// notAhead refuses what was seen more than a minute from now (clocks differ), or at no known time.
func (g *guard) notAhead(seen Instant) bool {
	at, err := seen.Time()
	now, errNow := g.Now.Time()
	return err == nil && errNow == nil && at.Before(now.Add(time.Minute))
}

func (g *guard) finding() {
	r := g.Reconciliation
	if g.rule.Reconciliation == "" {
		g.need(r == nil, NeedNoFinding)
		return
	}
	g.need(r != nil && Validate(*r) == nil && r.Found == g.rule.Reconciliation &&
		g.about(r.ExchangeID, r.MessageID, r.AttemptID, r.Endpoint) && g.notAhead(r.ObservedAt),
		NeedReconciliation)
}

func (g *guard) result() {
	if !g.rule.Result {
		return
	}
	r := g.Result
	g.need(r != nil && Validate(*r) == nil && r.Runtime == g.Evidence.Outcome &&
		r.Transport == g.Attempt.Transport &&
		g.about(r.ExchangeID, r.MessageID, r.AttemptID, r.Source), NeedResult)
}
