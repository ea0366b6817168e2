package exchange

import "slices"

func (c *check) exchange(e Exchange) {
	c.id(ExchangeID, "exchangeId", e.ExchangeID)
	oneOf(c, "state", e.State, Open, Closed)
	c.at("createdAt", e.CreatedAt)
	c.maybe("closedAt", e.ClosedAt)
	c.that((e.ClosedAt != "") == (e.State == Closed), "closedAt")
}

func (c *check) endpoint(at string, r EndpointRef) {
	c.name(at+"adapter", r.Adapter)
	c.name(at+"endpointId", r.EndpointID)
	c.that(len(r.InstanceID) <= maxName, at+"instanceId")
}

func (c *check) message(m Message) {
	c.id(MessageID, "messageId", m.MessageID)
	c.id(ExchangeID, "exchangeId", m.ExchangeID)
	c.endpoint("from.", m.From)
	c.endpoint("to.", m.To)
	oneOf(c, "state", m.State, States...)
	c.digest("payloadDigest", m.PayloadDigest)
	c.that(m.PayloadLength >= 0, "payloadLength")
	c.at("createdAt", m.CreatedAt)
	c.that(len(m.IdempotencyKey) <= maxName, "idempotencyKey")
}

func (c *check) lease(at string, l Lease) {
	c.name(at+"consumerId", l.ConsumerID)
	c.name(at+"instanceId", l.InstanceID)
	c.that(l.FencingToken >= 1, at+"fencingToken")
	c.at(at+"expiresAt", l.ExpiresAt)
}

func (c *check) attempt(at string, a DeliveryAttempt) {
	c.id(AttemptID, at+"attemptId", a.AttemptID)
	c.id(MessageID, at+"messageId", a.MessageID)
	c.endpoint(at+"endpoint.", a.Endpoint)
	c.lease(at+"lease.", a.Lease)
	oneOf(c, at+"dispatch", a.Dispatch, NotAttempted, Started)
	oneOf(c, at+"transport", a.Transport, Unreported, Delivered, Ambiguous, NoEffect)
	c.at(at+"createdAt", a.CreatedAt)
}

func (c *check) evidence(e RuntimeEvidence) {
	c.id(ExchangeID, "exchangeId", e.ExchangeID)
	c.id(MessageID, "messageId", e.MessageID)
	c.id(AttemptID, "attemptId", e.AttemptID)
	c.endpoint("endpoint.", e.Endpoint)
	oneOf(c, "outcome", e.Outcome, Outcomes...)
	c.at("observedAt", e.ObservedAt)
}

func (c *check) reconciliation(r Reconciliation) {
	c.id(ExchangeID, "exchangeId", r.ExchangeID)
	c.id(MessageID, "messageId", r.MessageID)
	c.id(AttemptID, "attemptId", r.AttemptID)
	c.endpoint("endpoint.", r.Endpoint)
	oneOf(c, "found", r.Found, Delivered, NoEffect)
	c.at("observedAt", r.ObservedAt)
}

func (c *check) result(r Result) {
	c.id(ResultID, "resultId", r.ResultID)
	c.id(ExchangeID, "exchangeId", r.ExchangeID)
	c.id(MessageID, "messageId", r.MessageID)
	c.id(AttemptID, "attemptId", r.AttemptID)
	c.endpoint("source.", r.Source)
	oneOf(c, "transport", r.Transport, Delivered, Ambiguous, NoEffect)
	oneOf(c, "runtime", r.Runtime, Outcomes...)
	c.that(r.ResultDigest == DigestBytes([]byte(r.Body)), "resultDigest")
	c.at("settledAt", r.SettledAt)
	if r.ApplicationEvidence != nil {
		c.that(scan(r.ApplicationEvidence) == "", "applicationEvidence")
	}
}

func (c *check) receipt(r Receipt) {
	c.id(ReceiptID, "receiptId", r.ReceiptID)
	c.id(ExchangeID, "exchangeId", r.ExchangeID)
	c.id(MessageID, "messageId", r.MessageID)
	c.endpoint("endpoint.", r.Endpoint)
	oneOf(c, "kind", r.Kind, ReadReceipt, DeliveryAck, DuplicateSuppressed)
	c.at("createdAt", r.CreatedAt)
}

func (c *check) consumer(v Consumer) {
	c.name("consumerId", v.ConsumerID)
	c.that(len(v.Label) <= maxName, "label")
	c.at("createdAt", v.CreatedAt)
	c.maybe("lastSeenAt", v.LastSeenAt)
}

func (c *check) event(e Event) {
	c.id(EventID, "eventId", e.EventID)
	c.id(ExchangeID, "exchangeId", e.ExchangeID)
	c.that(e.Sequence >= 1, "sequence")
	oneOf(c, "kind", e.Kind, ExchangeOpened, ExchangeClosed, ExchangeArchived, MessageCreated,
		MessageMoved, AttemptChanged, RuntimeObserved, ResultPublished, DuplicateSeen, LateObservation)
	c.subject(e.SubjectID)
	c.at("createdAt", e.CreatedAt)
	if e.Digest != "" {
		c.digest("digest", e.Digest)
	}
	c.that(e.Length >= 0, "length")
	c.that(e.Outcome == "" || typedOutcome(e.Outcome), "outcome")
}

// subject is an id of some entity: free text would be a way for a body to get in.
func (c *check) subject(id string) {
	c.that(slices.ContainsFunc(Prefixes, func(p Prefix) bool {
		_, err := ParseID(p, id)
		return err == nil
	}), "subjectId")
}

func typedOutcome(s string) bool {
	return slices.Contains(States, State(s)) || slices.Contains(Outcomes, Outcome(s)) ||
		s == string(Unreported) || s == string(Delivered) || s == string(Ambiguous) ||
		s == string(NoEffect) || s == string(Started) || s == AbandonedUnresolved
}

func (c *check) disposition(d ExchangeDisposition) {
	oneOf(c, "status", d.Status, AbandonedUnresolved)
	c.id(ExchangeID, "exchangeId", d.ExchangeID)
	c.name("ownerId", d.OwnerID)
	c.at("recordedAt", d.RecordedAt)
	c.name("reason", d.Reason)
	c.that(len(d.Reconciliation.Note) <= maxName, "reconciliation.note")
	c.at("reconciliation.resolvedAt", d.Reconciliation.ResolvedAt)
	c.that(len(d.Unresolved) > 0, "unresolved")
	for _, u := range d.Unresolved {
		c.id(MessageID, "unresolved.messageId", u.MessageID)
		oneOf(c, "unresolved.originalState", u.OriginalState, DeliveryUnknown)
		oneOf(c, "unresolved.transport", u.Transport, Ambiguous)
		c.that(u.UnresolvedSideEffects, "unresolved.unresolvedSideEffects")
		c.attempt("unresolved.attempt.", u.Attempt)
		c.that(u.Attempt.MessageID == u.MessageID && u.Attempt.Dispatch == Started &&
			u.Attempt.Transport == Ambiguous, "unresolved.attempt")
	}
}
