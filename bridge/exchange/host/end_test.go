package host_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/host"
)

func claims(p **bench) {
	It("a released message is claimed under a larger token; the old hold is worth nothing", func() {
		b := *p
		b.claim()
		old := b.hold
		Expect(b.Release(worker, old)).To(Succeed())
		hold, err := b.Claim(second, b.m.MessageID, "i2")
		Expect(err).NotTo(HaveOccurred())
		Expect(hold.FencingToken).To(BeNumerically(">", old.FencingToken))
		b.refuses(host.NeedHolder, func() error { return b.DispatchStart(worker, old) })
		Expect(b.DispatchStart(second, hold)).To(Succeed())
	})
	It("a renewed claim outlives its first lease time, and an expired one is not renewed", func() {
		b := *p
		b.claim()
		b.time.at = b.time.at.Add(host.DefaultLease - time.Second)
		Expect(b.Renew(worker, b.hold)).To(Succeed())
		b.time.at = b.time.at.Add(host.DefaultLease - time.Second)
		Expect(b.DispatchStart(worker, b.hold)).To(Succeed())
		b.time.at = b.time.at.Add(time.Second)
		b.refuses(exchange.NeedUnexpired, func() error { return b.Renew(worker, b.hold) })
	})
	It("of workers that race for one claim exactly one gets it", func() {
		b := *p
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			who := []string{worker, second}[i%2]
			all.Go(func() { _, errs[i] = b.Claim(who, b.m.MessageID, fmt.Sprint("i", i)) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			Expect(host.Missing(err)).To(Equal(exchange.NeedShape), "%v", err)
		}
		Expect(won).To(Equal(1))
	})
}

func repeats(p **bench) {
	It("an equal letter gives the same message and a receipt; another one conflicts", func() {
		b := *p
		again, err := b.Send(asker, host.Letter{To: tab, Payload: []byte("hello"), Key: "k"})
		Expect(err).NotTo(HaveOccurred())
		Expect(again.Message).To(Equal(b.m))
		Expect(again.Suppressed.Kind).To(Equal(exchange.DuplicateSuppressed))
		Expect(b.List(asker)).To(HaveLen(1))
		before := b.dump()
		_, err = b.Send(asker, host.Letter{To: tab, Payload: []byte("other"), Key: "k"})
		_, conflict := errors.AsType[*exchange.ConflictError](err)
		Expect(conflict).To(BeTrue(), "%v", err)
		Expect(b.dump()).To(Equal(before))
	})
	It("[47] publishing sends no message and closes nothing", func() {
		b := *p
		b.until(len(steps))
		Expect(b.List(asker)).To(HaveLen(1))
		v, err := b.Get(asker, b.m.MessageID)
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Exchange.State).To(Equal(exchange.Open))
	})
	It("an equal result gives the same record; another one conflicts", func() {
		b := *p
		b.until(len(steps))
		was, err := b.Result(asker, b.m.MessageID)
		Expect(err).NotTo(HaveOccurred())
		Expect(b.Publish(worker, b.hold, "answer", nil)).To(Equal(was))
		before := b.dump()
		_, err = b.Publish(worker, b.hold, "another", nil)
		Expect(err).To(MatchError(exchange.ErrConflict))
		Expect(b.dump()).To(Equal(before))
	})
}

func ends(p **bench) {
	It("cancels what is queued, asks where it was claimed, and a worker confirms", func() {
		b := *p
		b.claim()
		m, err := b.Cancel(asker, b.m.MessageID, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(m.State).To(Equal(exchange.CancelRequested))
		Expect(b.ConfirmCancel(worker, b.hold)).To(Succeed())
		Expect(b.state()).To(Equal(exchange.Cancelled))
		sent, err := b.Send(asker, host.Letter{To: tab, Payload: []byte("more")})
		Expect(err).NotTo(HaveOccurred())
		m, err = b.Cancel(asker, sent.Message.MessageID, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(m.State).To(Equal(exchange.Cancelled))
	})
	It("quarantines a started message, and only after its lease", func() {
		b := *p
		b.until(1)
		quarantine := func() error { return b.Quarantine(second, b.m.MessageID, "i2") }
		b.refuses(host.NeedExpired, quarantine)
		b.time.at = b.time.at.Add(host.DefaultLease)
		Expect(quarantine()).To(Succeed())
		Expect(b.state()).To(Equal(exchange.DeliveryUnknown))
		b.refuses(exchange.NeedShape, func() error {
			_, err := b.Claim(second, b.m.MessageID, "i2")
			return err
		})
	})
	It("[64][65][67] after a disposition nothing is written, and a view shows both", func() {
		b := *p
		b.until(1)
		Expect(b.Deliver(worker, b.hold, "timeout", exchange.Ambiguous)).To(Succeed())
		found := exchange.Investigation{Note: "looked", ResolvedAt: exchange.InstantOf(b.time.at)}
		d, err := b.Archive(asker, b.m.ExchangeID, "gone", found)
		Expect(err).NotTo(HaveOccurred())
		before := b.dump()
		inactive := func(do func() error) {
			GinkgoHelper()
			Expect(do()).To(MatchError(exchange.ErrInactive))
			Expect(b.dump()).To(Equal(before))
		}
		inactive(func() error {
			_, err := b.Send(asker, host.Letter{ExchangeID: b.m.ExchangeID, To: tab})
			return err
		})
		inactive(func() error { // an equal letter is a create all the same
			_, err := b.Send(asker, host.Letter{To: tab, Payload: []byte("hello"), Key: "k"})
			return err
		})
		for _, do := range []func() error{
			func() error { return b.Renew(worker, b.hold) },
			func() error { return b.Deliver(worker, b.hold, "2", exchange.Delivered) },
			func() error { return b.Observe(worker, b.hold, b.look(exchange.SawAccepted)) },
		} {
			b.refuses(exchange.NeedActive, do)
		}
		// What no rule leads to from DELIVERY_UNKNOWN is refused for that already.
		for _, do := range []func() error{
			func() error { return b.Release(worker, b.hold) },
			func() error { _, err := b.Claim(worker, b.m.MessageID, "i"); return err },
			func() error { _, err := b.Cancel(asker, b.m.MessageID, 0); return err },
		} {
			b.refuses(exchange.NeedShape, do)
		}
		_, err = b.Archive(asker, b.m.ExchangeID, "else", found)
		Expect(err).To(MatchError(exchange.ErrReplaced))
		Expect(b.dump()).To(Equal(before))
		v, err := b.Get(asker, b.m.MessageID)
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Message.State).To(Equal(exchange.DeliveryUnknown))
		Expect(*v.Disposition).To(Equal(d))
		Expect(b.Archive(asker, b.m.ExchangeID, "gone", found)).To(Equal(d))
	})
}

var _ = It("[32] no operation of the host takes a grant, a lease or a result", func() {
	methods := reflect.TypeFor[*host.Host]()
	Expect(methods.NumMethod()).To(BeNumerically(">=", 15))
	for m := range methods.Methods() {
		for in := range m.Type.Ins() {
			for _, proof := range []reflect.Type{
				reflect.TypeFor[exchange.Grant](), reflect.TypeFor[exchange.Authorization](),
				reflect.TypeFor[exchange.Lease](), reflect.TypeFor[exchange.DeliveryAttempt](),
				reflect.TypeFor[exchange.Result](), reflect.TypeFor[exchange.Facts](),
			} {
				Expect(in).NotTo(Equal(proof), m.Name)
				Expect(in).NotTo(Equal(reflect.PointerTo(proof)), m.Name)
				if in.Kind() == reflect.Struct {
					for f := range in.Fields() {
						Expect(f.Type).NotTo(Equal(proof), "%s: %s", m.Name, f.Name)
					}
				}
			}
		}
	}
})
