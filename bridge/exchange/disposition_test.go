package exchange_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "bridgesim/bridge/exchange"
)

var _ = Describe("the end of an exchange", func() {
	owner := everything()
	found := Investigation{Note: "looked", ResolvedAt: past}
	whole := func(states ...State) (w Whole) {
		w.Exchange = Exchange{ExchangeID: ho, State: Open, CreatedAt: past}
		for _, s := range states {
			m := someMessage()
			m.MessageID, m.State = ids.New(MessageID), s
			w.Messages = append(w.Messages, m)
			if s == DeliveryUnknown {
				a := someAttempt()
				a.MessageID, a.Dispatch, a.Transport = m.MessageID, Started, Ambiguous
				w.Active = append(w.Active, a)
			}
		}
		return w
	}
	archive := func(w Whole) error {
		_, err := ArchiveUnresolved(w, owner, "gone", found, now)
		return err
	}
	It("[55][56] closes when every message is finished, and not before", func() {
		for _, s := range States {
			e, err := Close(whole(Failed, s), owner, now)
			if s.Finished() {
				Expect(err).NotTo(HaveOccurred())
				Expect(e.State).To(Equal(Closed))
			} else {
				Expect(err).To(MatchError(ErrUnfinished), string(s))
			}
		}
	})
	It("[57] is the owner's", func() {
		_, err := ArchiveUnresolved(whole(DeliveryUnknown),
			Authorization{PrincipalID: "other", Grants: owner.Grants}, "gone", found, now)
		Expect(err).To(MatchError(ErrNotOwner))
		lent := granted(ArchiveExchange, Scope{ExchangeID: ho, OwnerID: "owner"})
		_, err = ArchiveUnresolved(whole(DeliveryUnknown),
			Authorization{PrincipalID: worker, Grants: []Grant{lent}}, "gone", found, now)
		Expect(err).To(MatchError(ErrNotOwner))
		_, err = Close(whole(), Authorization{PrincipalID: worker}, now)
		Expect(err).To(MatchError(ErrNotOwner))
	})
	It("[58][60][61] archives unresolved ones among finished ones, and nothing in flight", func() {
		Expect(archive(whole(Failed, Cancelled))).To(MatchError(ErrNoUnresolved))
		Expect(archive(whole())).To(MatchError(ErrNoUnresolved))
		for _, s := range States {
			switch {
			case s.Finished(), s == DeliveryUnknown:
				Expect(archive(whole(DeliveryUnknown, s))).To(Succeed())
			default:
				Expect(archive(whole(DeliveryUnknown, s))).To(MatchError(ErrInFlight), string(s))
			}
		}
	})
	It("[59] asks exactly one started, ambiguous attempt of each unresolved message", func() {
		none, two, pending := whole(DeliveryUnknown), whole(DeliveryUnknown), whole(DeliveryUnknown)
		none.Active = nil
		two.Active = append(two.Active, two.Active[0])
		pending.Active[0].Transport = Unreported
		for _, w := range []Whole{none, two, pending} {
			Expect(archive(w)).To(MatchError(ErrAttempts))
		}
	})
	It("[62][63][68] changes no snapshot, replays itself, and is never replaced", func() {
		w := whole(DeliveryUnknown, Failed)
		d, err := ArchiveUnresolved(w, owner, "gone", found, now)
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Exchange.State).To(Equal(Open))
		Expect(w.Messages[0].State).To(Equal(DeliveryUnknown))
		Expect(d.Unresolved).To(HaveLen(1))
		Expect(d.Unresolved[0].Attempt).To(Equal(w.Active[0]))
		Expect(d.Reconciliation.ResolvedAt).To(Equal(past))
		w.Disposition = &d
		again, err := ArchiveUnresolved(w, owner, "gone", found, later)
		Expect(err).NotTo(HaveOccurred())
		Expect(again).To(Equal(d))
		_, err = ArchiveUnresolved(w, owner, "another reason", found, later)
		Expect(err).To(MatchError(ErrReplaced))
		_, err = Close(w, owner, now)
		Expect(err).To(MatchError(ErrInactive))
	})
	It("[69] after it neither rule of reconciliation applies", func() {
		d := someDisposition()
		for _, n := range []int{23, 24} {
			f := enough(rule(n))
			f.Disposition = &d
			Expect(refused(f, rule(n).To)).To(Equal(NeedActive))
		}
		Expect(AssertExchangeActive(&d)).To(MatchError(ErrInactive))
		Expect(AssertExchangeActive(nil)).To(Succeed())
	})
})
