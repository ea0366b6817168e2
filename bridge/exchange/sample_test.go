package exchange_test

import (
	"time"

	"bridgesim/bridge/clock"
	. "bridgesim/bridge/exchange"
)

// standing is a clock that a test holds in its hand.
type standing struct {
	clock.Clock
	at time.Time
}

func (s standing) Now() time.Time { return s.at }

var (
	noon  = time.Date(2026, 11, 30, 12, 0, 0, 123_000_000, time.UTC)
	now   = InstantOf(noon)
	later = InstantOf(noon.Add(time.Minute))
	past  = InstantOf(noon.Add(-time.Minute))

	ids = Ids{Clock: standing{at: noon}, Entropy: clock.Seeded(7)}
	ho  = ids.New(ExchangeID)
	msg = ids.New(MessageID)
	att = ids.New(AttemptID)
	hr  = ids.New(ResultID)
	far = EndpointRef{Adapter: "chatgpt", EndpointID: "tab", InstanceID: "i1"}
	us  = EndpointRef{Adapter: "pi", EndpointID: "agent"}
)

func someLease() Lease {
	return Lease{ConsumerID: "c", InstanceID: "i", FencingToken: 3, ExpiresAt: later}
}

func someAttempt() DeliveryAttempt {
	return DeliveryAttempt{
		AttemptID: att, MessageID: msg, Endpoint: far, Lease: someLease(),
		Dispatch: NotAttempted, Transport: Unreported, CreatedAt: past,
	}
}

func someMessage() Message {
	return Message{
		MessageID: msg, ExchangeID: ho, From: us, To: far, State: Queued,
		PayloadDigest: DigestBytes([]byte("hello")), PayloadLength: 5, CreatedAt: past,
	}
}

func someEvidence(o Outcome) RuntimeEvidence {
	return RuntimeEvidence{
		ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, Outcome: o, ObservedAt: now,
	}
}

func someReconciliation(found Transport) Reconciliation {
	return Reconciliation{
		ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, Found: found, ObservedAt: now,
	}
}

func someResult() Result {
	return Result{
		ResultID: hr, ExchangeID: ho, MessageID: msg, AttemptID: att, Source: far,
		Transport: Delivered, Runtime: SawSettled, Body: "done",
		ResultDigest: DigestBytes([]byte("done")), SettledAt: now,
	}
}

func someDisposition() ExchangeDisposition {
	a := someAttempt()
	a.Dispatch, a.Transport = Started, Ambiguous
	return ExchangeDisposition{
		Status: AbandonedUnresolved, ExchangeID: ho, OwnerID: "owner", RecordedAt: now,
		Reason: "gone", Reconciliation: Investigation{Note: "looked", ResolvedAt: now},
		Unresolved: []Unresolved{{
			MessageID: msg, OriginalState: DeliveryUnknown, Transport: Ambiguous,
			UnresolvedSideEffects: true, Attempt: a,
		}},
	}
}

func someEvent() Event {
	return Event{
		EventID: ids.New(EventID), ExchangeID: ho, Sequence: 1, Kind: MessageMoved, SubjectID: msg,
		CreatedAt: now, Digest: DigestBytes(nil), Length: 5, Outcome: string(Queued),
	}
}
