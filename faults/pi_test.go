package faults_test

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
)

const testSID = "9f83a7c1d42e650b"

// records begins a journal; its laws are not at stake here.
func records() []session.Record {
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	return []session.Record{
		{Kind: session.RecNew, At: at, SID: testSID, Request: "r"},
		{Kind: session.RecTarget, At: at, TargetID: "tab-1"},
		{Kind: session.RecIntent, At: at, Message: wire.KindHello, Digest: "d"},
	}
}

// write appends a record as the journal does.
func (c *client) write(r session.Record, round int) error {
	c.i.Op(point.StoreAppend, round)
	return c.store.Append(r)
}

var _ = Describe("the death of pi", func() {
	It(
		"unwinds it in its call; from then on every port is dead, and the world is as it was",
		func() {
			l := start("kill-pi at send.submit@1#1/after with for=7s")
			var harm []string
			killed, crash := l.run(func(c *client) {
				s := c.attach()
				b, err := c.dialer.Dial(c.within())
				Expect(err).NotTo(HaveOccurred())
				for name, try := range map[string]func(){
					"call":    func() { _ = s.Call(c.within(), "x", nil, nil) },
					"drain":   func() { s.Drain(nil) },
					"lost":    func() { _ = s.Lost() },
					"close":   func() { _ = s.Close() },
					"pages":   func() { _, _ = b.Pages(c.within()) },
					"conn":    func() { _ = b.Close() },
					"gone":    func() { _ = b.Lost() },
					"dial":    func() { _, _ = c.dialer.Dial(c.within()) },
					"append":  func() { _ = c.store.Append(records()[0]) },
					"load":    func() { _, _, _ = c.store.Load() },
					"lock":    func() { _ = c.store.Close() },
					"rewrite": func() { _ = c.store.(session.Rewriter).Rewrite(records()) },
					"aside":   func() { _, _ = c.store.(session.Rewriter).SetAside() },
					"agent":   func() { _, _ = c.agent.Start(c.within(), agent.Task{}) },
					"now":     func() { c.clock.Now() },
					"op":      func() { c.i.Op(point.Connect, 0) },
					"note":    func() { c.i.Note(point.Note{}) },
				} {
					defer func() {
						try()
						harm = append(harm, name)
					}()
				}
				l.b.saw = nil
				_ = c.call(s, point.SendSubmit, 1, click)
				harm = append(harm, "went on")
			})
			Expect(crash).NotTo(HaveOccurred())
			Expect(harm).To(BeEmpty())
			Expect(killed.Fault.Params.For).To(Equal(7 * time.Second))
			Expect(l.b.saw).To(Equal([]string{click}), "carried out, then death")
			Expect(l.b.closed).To(Equal(2), "the kernel closes its sockets")
			Expect(l.memory.Len()).To(BeZero())
			Expect(l.agent.asked).To(BeEmpty())
			Expect(
				l.events,
			).To(Equal([]string{"armed kill-pi", "reached kill-pi", "applied kill-pi"}))

			l.quiet(func(c *client) {
				s := c.attach()
				Expect(c.call(s, point.SendSubmit, 1, click)).To(Succeed())
			})
			Expect(l.events[3]).To(Equal("healed kill-pi"), "it was started again")
		},
	)
	It("before a call leaves the call unmade, and late makes it when pi is gone", func() {
		for phase, want := range map[string][]string{"before": nil, "late": {"STRUCK", click}} {
			l := start("kill-pi at send.submit@1#1/" + phase)
			killed, _ := l.run(func(c *client) {
				s := c.attach()
				l.b.saw = nil
				_ = c.call(s, point.SendSubmit, 1, click)
			})
			Expect(killed).NotTo(BeNil())
			Expect(l.b.saw).To(Equal(want))
		}
	})
	It("keeps a panic of pi's own as it is", func() {
		l := start("kill-pi at send.submit@1#1/before")
		_, crash := l.run(func(*client) { panic("mine") })
		Expect(crash).To(MatchError(ContainSubstring("mine")))
	})
	It("does not let a swallowed sentinel bring pi back", func() {
		l := start("kill-pi at send.submit@1#1/before")
		killed, crash := l.run(func(c *client) {
			s := c.attach()
			defer func() { _ = recover() }()
			_ = c.call(s, point.SendSubmit, 1, click)
		})
		Expect(crash).NotTo(HaveOccurred())
		Expect(killed).NotTo(BeNil())
	})

	DescribeTable("at a durable write",
		func(text string, left int, torn bool) {
			l := start(text)
			killed, _ := l.run(func(c *client) {
				for _, r := range records() {
					Expect(c.write(r, 0)).To(Succeed())
				}
			})
			Expect(killed).NotTo(BeNil())
			got, t, err := l.memory.Load()
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(HaveLen(left))
			Expect(t).To(Equal(torn))
			Expect(l.i.Unreached()).To(BeEmpty())
		},
		Entry(nil, "kill-pi at store.append@0:intent#1/before", 2, false),
		Entry(nil, "tear-cache at store.append@0:intent#1/before", 2, true),
		Entry(nil, "tear-cache at store.append@0:intent#1/after", 2, true),
		Entry(nil, "kill-pi at store.append@0:intent#1/after", 3, false),
		Entry(nil, "kill-pi at store.append@0#2/before", 1, false),
		Entry(nil, "stale-cache at store.append@0:intent#1/after with back=2", 1, false),
	)

	DescribeTable("with a cache that",
		func(kind faults.Kind, want error) {
			l := start(string(kind) + " at store.append@0:intent#1/after")
			_, _ = l.run(func(c *client) {
				for _, r := range records() {
					Expect(c.write(r, 0)).To(Succeed())
				}
			})
			_, _, err := l.memory.Load()
			Expect(err).To(MatchError(want))
			Expect(l.events).To(ContainElement("applied " + string(kind)))
		},
		Entry("is lost", faults.LoseCache, session.ErrNoSession),
		Entry("is corrupt", faults.CorruptCache, session.ErrCorrupt),
		Entry("is newer", faults.NewerCache, session.ErrNewer),
	)

	It("finds the journal of another session", func() {
		l := start("foreign-cache at store.append@0:intent#1/after")
		_, _ = l.run(func(c *client) {
			for _, r := range records() {
				Expect(c.write(r, 0)).To(Succeed())
			}
		})
		got, torn, err := l.memory.Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeFalse())
		Expect(got[0].SID).To(Equal(faults.OtherSID))
		Expect(got[1:]).To(Equal(records()[1:len(got)]))
	})

	It("leaves memory when the journal alone goes", func() {
		l := start("drop-cache at store.append@0:intent#1/before")
		l.quiet(func(c *client) {
			r := records()
			Expect(c.write(r[0], 0)).To(Succeed())
			Expect(c.write(r[1], 0)).To(Succeed())
			Expect(c.write(r[2], 0)).To(MatchError(session.ErrGone))
			Expect(c.store.(session.Rewriter).Rewrite(r)).To(Succeed())
		})
		Expect(l.memory.Len()).To(Equal(3))
	})
	It("names the capabilities with which pi starts again", func() {
		l := start("change-caps at store.append@0:intent#1/after with caps=file.read,test.repo")
		killed, _ := l.run(func(c *client) {
			for _, r := range records() {
				Expect(c.write(r, 0)).To(Succeed())
			}
		})
		Expect(killed.Fault.CapsOf()).To(Equal([]string{"file.read", "test.repo"}))
		Expect(faults.Fault{Kind: faults.KillPi}.CapsOf()).To(BeNil())
	})
	It("that finds no journal to spoil says so", func() {
		l := start("corrupt-cache at attach.connect@0#1/before")
		killed, _ := l.run(func(c *client) { c.attach() })
		Expect(killed).NotTo(BeNil())
		Expect(l.events[2]).To(Equal("missed corrupt-cache"))
	})
})

var _ = Describe("a state folder from outside", func() {
	var (
		dir   string
		cache faults.Cache
	)
	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		cache = faults.FolderCache(dir)
		s, err := session.OpenFolder(dir)
		Expect(err).NotTo(HaveOccurred())
		for _, r := range records() {
			Expect(s.Append(r)).To(Succeed())
		}
		Expect(s.Close()).To(Succeed())
	})
	load := func() ([]session.Record, bool, error) {
		s, err := session.OpenFolder(dir)
		Expect(err).NotTo(HaveOccurred())
		defer func() { Expect(s.Close()).To(Succeed()) }()
		return s.Load()
	}

	It("can be lost, spoilt, aged, torn and claimed by a newer program", func() {
		left, err := cache.Age(1)
		Expect(left, err).To(Equal(2))
		got, torn, err := load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeFalse())
		Expect(got).To(Equal(records()[:2]))

		Expect(cache.Tear()).To(Succeed())
		got, torn, err = load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeTrue())
		Expect(got).To(Equal(records()[:1]))

		Expect(cache.Corrupt()).To(Succeed())
		_, _, err = load()
		Expect(err).To(MatchError(session.ErrCorrupt))

		Expect(cache.Renew()).To(Succeed())
		_, _, err = load()
		Expect(err).To(MatchError(session.ErrNewer))

		Expect(cache.Lose()).To(Succeed())
		_, _, err = load()
		Expect(err).To(MatchError(session.ErrNoSession))
	})
	It("can be swapped for that of another session", func() {
		Expect(cache.Swap()).To(Succeed())
		got, torn, err := load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeFalse())
		Expect(got[0].SID).To(Equal(faults.OtherSID))
		Expect(got[1:]).To(Equal(records()[1:]))
	})
	It("that is not there cannot be struck", func() {
		Expect(os.Remove(filepath.Join(dir, "journal"))).To(Succeed())
		_, aged := cache.Age(1)
		for _, err := range []error{
			cache.Lose(), cache.Corrupt(), cache.Tear(), cache.Renew(),
			cache.Swap(), aged,
		} {
			Expect(err).To(MatchError("pi has no journal yet"))
		}
		m := session.NewMemory()
		Expect(errors.Is(faults.MemoryCache(m).Tear(), os.ErrNotExist)).To(BeFalse())
		Expect(faults.MemoryCache(m).Renew()).To(MatchError("pi has no journal yet"))
		_, _, err := m.Load()
		Expect(err).To(MatchError(session.ErrNoSession), "a fault that missed changed something")
	})
})

var _ = Describe("the duty about pi", func() {
	It("that died is row 6, wherever it died", func() {
		duties(
			faults.Complete,
			"kill-pi at send.submit@0#2/before",
			"kill-pi at send.submit@1#2/late",
			"kill-pi at agent.start@1#1/after",
			"kill-pi at store.append@1:executing#1/after",
			"tear-cache at store.append@1:settled#1/before",
			"change-caps at wait.poll@1#1/before",
			"drop-cache at wait.poll@1#1/before",
		)
	})
	It("without its journal needs an addressed conversation", func() {
		duties(
			faults.Complete,
			"lose-cache at wait.poll@1#1/before",
			"corrupt-cache at agent.poll@2#1/after",
			"stale-cache at store.append@1:sent#1/after",
		)
		duties(
			faults.Either,
			"lose-cache at wait.poll@0#1/before",
			"stale-cache at send.submit@0#1/before",
			"lose-cache at detach.close@3#1/after",
		)
	})
	It("with the journal of another session is to stop where the record can tell", func() {
		duties(
			faults.Stop,
			"foreign-cache at wait.poll@1#1/before",
			"foreign-cache at store.append@2:settled#1/after",
		)
		duties(
			faults.Either,
			"foreign-cache at wait.poll@0#1/before",
			"foreign-cache at store.append@3:terminal#1/after",
			"foreign-cache at detach.close@3#1/after",
		)
	})
	It("with a newer journal is to stop", func() {
		duties(
			faults.Stop,
			"newer-cache at wait.poll@1#1/before",
			"newer-cache at attach.connect@0#1/before",
		)
	})
})
