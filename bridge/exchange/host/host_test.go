package host_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/host"
	"bridgesim/bridge/exchange/store"
	"bridgesim/bridge/exchange/store/sqlite"
)

func TestHost(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "bridge/exchange/host")
}

// hand is a clock that a test moves.
type hand struct {
	clock.Clock
	at time.Time
}

func (c *hand) Now() time.Time { return c.at }

var (
	agent = exchange.EndpointRef{Adapter: "pi", EndpointID: "agent"}
	tab   = exchange.EndpointRef{Adapter: "chatgpt", EndpointID: "tab"}
)

const asker, worker, second, stranger = "asker", "worker", "second", "stranger"

// roll makes every principal's token its own name. Without is what nobody may do.
func roll(without exchange.Action) host.Roll {
	var may []exchange.Action
	for _, list := range [][]exchange.Action{
		exchange.ControlOperations, exchange.OwnerOperations, exchange.EndpointOperations,
	} {
		for _, a := range list {
			if a != without {
				may = append(may, a)
			}
		}
	}
	var entries []host.Entry
	for _, name := range []string{asker, worker, second, stranger} {
		as := tab
		if name == asker || name == stranger {
			as = agent
			as.EndpointID = name
		}
		entries = append(entries, host.Entry{
			TokenDigest: exchange.DigestBytes([]byte(name)),
			Principal:   host.Principal{ID: name, As: as, May: may},
		})
	}
	r, err := host.NewRoll(entries)
	Expect(err).NotTo(HaveOccurred())
	return r
}

// bench is a host on a store, and one message.
type bench struct {
	*host.Host
	s    store.Store
	time *hand
	m    exchange.Message
	hold host.Hold
}

func newBench(s store.Store) *bench {
	b := &bench{s: s, time: &hand{at: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}}
	b.may("")
	sent, err := b.Send(asker, host.Letter{To: tab, Payload: []byte("hello"), Key: "k"})
	Expect(err).NotTo(HaveOccurred())
	b.m = sent.Message
	return b
}

// may gives the bench a host whose principals lack one action.
func (b *bench) may(without exchange.Action) {
	var err error
	b.Host, err = host.New(host.Config{
		Store: b.s, Directory: roll(without), Clock: b.time, Entropy: clock.System(),
	})
	Expect(err).NotTo(HaveOccurred())
}

func (b *bench) claim() {
	var err error
	b.hold, err = b.Claim(worker, b.m.MessageID, "i1")
	Expect(err).NotTo(HaveOccurred())
}

func (b *bench) look(o exchange.Outcome) host.Look {
	return host.Look{Proof: "saw " + string(o), Outcome: o, At: exchange.InstantOf(b.time.at)}
}

// steps are the moves of a message's life after its claim, by name.
var steps = []struct {
	name  string
	needs exchange.Action
	do    func(*bench, host.Hold) error
	then  exchange.State
}{
	{"dispatch-start", exchange.DispatchStart, func(b *bench, h host.Hold) error {
		return b.DispatchStart(worker, h)
	}, exchange.Dispatching},
	{"deliver", exchange.DeliveryReport, func(b *bench, h host.Hold) error {
		return b.Deliver(worker, h, "ack", exchange.Delivered)
	}, exchange.Dispatching},
	{"accepted", exchange.RuntimeProgress, func(b *bench, h host.Hold) error {
		return b.Observe(worker, h, b.look(exchange.SawAccepted))
	}, exchange.Accepted},
	{"running", exchange.RuntimeProgress, func(b *bench, h host.Hold) error {
		return b.Observe(worker, h, b.look(exchange.SawRunning))
	}, exchange.Running},
	{"settled", exchange.SettlementReport, func(b *bench, h host.Hold) error {
		return b.Observe(worker, h, b.look(exchange.SawSettled))
	}, exchange.Settled},
	{"publish", exchange.Publication, func(b *bench, h host.Hold) error {
		_, err := b.Publish(worker, h, "answer", nil)
		return err
	}, exchange.ResultAvailable},
}

func (b *bench) until(n int) {
	b.claim()
	for _, s := range steps[:n] {
		Expect(s.do(b, b.hold)).To(Succeed(), s.name)
	}
}

func (b *bench) state() exchange.State {
	v, err := b.Get(asker, b.m.MessageID)
	Expect(err).NotTo(HaveOccurred())
	return v.Message.State
}

// dump is all that the store holds: its revision, which every commit moves, and the records of
// every kind for all owners that there are.
func (b *bench) dump() string {
	owners := []string{
		"", asker, worker, second, stranger, b.m.ExchangeID, b.m.MessageID, b.hold.AttemptID,
		exchange.Key{Namespace: tab.Adapter, Key: tab.EndpointID}.Text(),
	}
	out := ""
	Expect(b.s.View(func(tx store.Tx) error {
		out = fmt.Sprint(tx.Revision())
		for _, k := range store.Kinds {
			for _, owner := range owners {
				records, err := tx.List(k, owner)
				if err != nil {
					return err
				}
				out += fmt.Sprintf("\n%s %s %q", k, owner, records)
			}
		}
		return nil
	})).To(Succeed())
	return out
}

// refuses runs what must be refused, for want of a fact, and must change nothing.
func (b *bench) refuses(fact exchange.Fact, do func() error) {
	GinkgoHelper()
	before := b.dump()
	err := do()
	Expect(err).To(HaveOccurred())
	Expect(host.Missing(err)).To(Equal(fact), "%v", err)
	Expect(b.dump()).To(Equal(before))
}

var _ = contract("memory", func() store.Store { return store.NewMemory() })

var _ = contract("sqlite", func() store.Store {
	s, err := sqlite.Open(filepath.Join(GinkgoT().TempDir(), "x.db"))
	Expect(err).NotTo(HaveOccurred())
	return s
})

func contract(name string, open func() store.Store) bool {
	return Describe("the host on "+name, func() {
		var b *bench
		BeforeEach(func() {
			s := open()
			DeferCleanup(s.Close)
			b = newBench(s)
		})
		life(&b)
		removed(&b)
		claims(&b)
		repeats(&b)
		ends(&b)
	})
}

func life(p **bench) {
	It("[2][14] takes a message through its life, under the ids that it was given", func() {
		b := *p
		b.claim()
		for _, s := range steps {
			Expect(s.do(b, b.hold)).To(Succeed(), s.name)
			Expect(b.state()).To(Equal(s.then), s.name)
			v, err := b.Get(asker, b.m.MessageID)
			Expect(err).NotTo(HaveOccurred())
			Expect(v.Message.MessageID).To(Equal(b.m.MessageID))
			Expect(v.Attempt.AttemptID).To(Equal(b.hold.AttemptID))
		}
		Expect(b.Inbox(worker)).To(BeEmpty())
	})
	It("[7][46] reads without writing", func() {
		b := *p
		b.until(len(steps))
		before := b.dump()
		_, err := b.Get(asker, b.m.MessageID)
		Expect(err).NotTo(HaveOccurred())
		Expect(b.List(asker)).To(HaveLen(1))
		r, err := b.Result(asker, b.m.MessageID)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Body).To(Equal("answer"))
		Expect(b.dump()).To(Equal(before))
	})
	It("[78] keeps bodies out of the events", func() {
		b := *p
		b.until(len(steps))
		Expect(b.s.View(func(tx store.Tx) error {
			events, err := tx.List(store.Events, b.m.ExchangeID)
			Expect(len(events)).To(BeNumerically(">", len(steps)))
			Expect(fmt.Sprintf("%s", events)).NotTo(Or(
				ContainSubstring("hello"), ContainSubstring("answer")))
			return err
		})).To(Succeed())
	})
}

func removed(p **bench) {
	for i, s := range steps {
		Context("without one thing, "+s.name, func() {
			var b *bench
			BeforeEach(func() { b = *p; b.until(i) })
			It("is refused without its grant", func() {
				b.may(s.needs)
				b.refuses(exchange.NeedGrant, func() error { return s.do(b, b.hold) })
			})
			It("is refused to a hold with another token, attempt or incarnation", func() {
				for _, change := range []func(*host.Hold){
					func(h *host.Hold) { h.FencingToken-- }, func(h *host.Hold) { h.FencingToken++ },
					func(h *host.Hold) { h.AttemptID = b.m.MessageID },
					func(h *host.Hold) { h.InstanceID = "i2" },
				} {
					h := b.hold
					change(&h)
					b.refuses(host.NeedHolder, func() error { return s.do(b, h) })
				}
			})
			It("is refused when the lease has expired", func() {
				b.time.at = b.time.at.Add(host.DefaultLease)
				b.refuses(exchange.NeedUnexpired, func() error { return s.do(b, b.hold) })
			})
		})
	}
	It("is refused to whoever is not known, and tells a stranger nothing", func() {
		b := *p
		b.refuses(host.NeedPrincipal, func() error {
			_, err := b.Get("nobody", b.m.MessageID)
			return err
		})
		b.refuses(exchange.NeedGrant, func() error {
			_, err := b.Get(stranger, b.m.MessageID)
			return err
		})
		b.refuses(exchange.NeedGrant, func() error {
			_, err := b.Get(asker, "msg_none")
			return err
		})
		b.refuses(exchange.NeedGrant, func() error {
			_, err := b.Claim(stranger, b.m.MessageID, "i")
			return err
		})
	})
	It("one look is never evidence of two things", func() {
		b := *p
		b.until(2)
		l := b.look(exchange.SawAccepted)
		l.Proof = "ack"
		b.refuses(host.NeedFreshProof, func() error { return b.Observe(worker, b.hold, l) })
		l.Proof = ""
		b.refuses(host.NeedProof, func() error { return b.Observe(worker, b.hold, l) })
	})
}
