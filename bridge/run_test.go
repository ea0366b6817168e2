package bridge_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge"
	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// nowhere is a browser that cannot be reached.
type nowhere struct{ dials int }

func (n *nowhere) Dial(context.Context) (browser.Browser, error) {
	n.dials++
	return nil, &browser.Loss{Kind: browser.BrowserGone}
}

// idle is an agent that nobody should ask.
type idle struct{ agent.Agent }

// complete is a configuration that lacks nothing.
func complete() bridge.Config {
	return bridge.Config{
		Request: "给 README 加一节", Site: "https://chatgpt.com", Browser: &nowhere{},
		Store: session.NewMemory(), Agent: idle{}, Clock: clock.Wall(), Entropy: clock.Seeded(1),
	}
}

var _ = Describe("The configuration", func() {
	DescribeTable("what is missing is named, and nothing begins",
		func(remove func(*bridge.Config), name string) {
			cfg := complete()
			store, dialer := session.NewMemory(), &nowhere{}
			cfg.Store, cfg.Browser = store, dialer
			remove(&cfg)
			report, err := bridge.Run(context.Background(), cfg)
			Expect(err).To(MatchError(bridge.ErrConfig))
			Expect(err).To(MatchError(ContainSubstring("it needs " + name)))
			Expect(report).To(BeZero())
			Expect(store.Len()).To(BeZero())
			Expect(dialer.dials).To(BeZero())
		},
		Entry(nil, func(c *bridge.Config) { c.Browser = nil }, "a browser"),
		Entry(nil, func(c *bridge.Config) { c.Store = nil }, "a store"),
		Entry(nil, func(c *bridge.Config) { c.Agent = nil }, "an agent"),
		Entry(nil, func(c *bridge.Config) { c.Clock = nil }, "a clock"),
		Entry(nil, func(c *bridge.Config) { c.Entropy = nil }, "an entropy source"),
		Entry(nil, func(c *bridge.Config) { c.Site = "" }, "the site's address"),
		Entry(nil, func(c *bridge.Config) { c.Request = "" }, "a request"),
	)

	It("promises no denial that pi cannot enforce", func() {
		cfg := complete()
		cfg.Denials = []string{"net", "file.read"}
		_, err := bridge.Run(canceled(), cfg)
		Expect(err).To(MatchError(bridge.ErrConfig))
		Expect(err).To(MatchError(And(
			ContainSubstring(`"file.read" cannot be denied`), ContainSubstring("shell.local"))))
		Expect(cfg.Store.(*session.Memory).Len()).To(BeZero())
	})

	It("takes what the specification says where nothing is said", func() {
		cfg := complete()
		_, err := bridge.Run(canceled(), cfg)
		Expect(err).NotTo(HaveOccurred())
		first := records(cfg.Store)[0]
		Expect(first.Objective).To(Equal(wire.DefaultObjective))
		Expect(first.Capabilities).To(Equal(wire.DefaultCapabilities()))
		Expect(first.Denials).To(Equal(wire.DefaultDenials()))
	})

	It("keeps an empty list of denials: pi may do everything then", func() {
		cfg := complete()
		cfg.Denials = []string{}
		_, err := bridge.Run(canceled(), cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(records(cfg.Store)[0].Denials).To(BeEmpty())
	})
})

func records(store session.Store) []session.Record {
	GinkgoHelper()
	all, _, err := store.Load()
	Expect(err).NotTo(HaveOccurred())
	return all
}

// canceled is the context of a caller that has left: the session begins, and nothing is done.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

var _ = Describe("A session that exists already", func() {
	begun := func() bridge.Config {
		cfg := complete()
		_, err := bridge.Run(canceled(), cfg)
		Expect(err).NotTo(HaveOccurred())
		return cfg
	}

	It("serves no other request, and writes nothing", func() {
		cfg := begun()
		before := records(cfg.Store)
		cfg.Request = "又一个请求"
		_, err := bridge.Run(context.Background(), cfg)
		Expect(err).To(MatchError(bridge.ErrOtherRequest))
		Expect(records(cfg.Store)).To(Equal(before))
	})

	It("that cannot be read ends the run before it begins", func() {
		cfg := begun()
		cfg.Store.(*session.Memory).Corrupt()
		_, err := bridge.Run(context.Background(), cfg)
		Expect(err).To(MatchError(session.ErrCorrupt))
	})
})

var _ = Describe("The end of a run", func() {
	DescribeTable("is final, or the session can go on by itself",
		func(o bridge.Outcome, name string, final bool) {
			Expect(string(o)).To(Equal(name))
			Expect(o.Ended()).To(Equal(final))
		},
		Entry(nil, bridge.Done, "done", true),
		Entry(nil, bridge.Blocked, "blocked", true),
		Entry(nil, bridge.ProtocolViolation, "protocol_violation", true),
		Entry(nil, bridge.HandshakeRefused, "handshake_refused", true),
		Entry(nil, bridge.Boundary, "boundary", true),
		Entry(nil, bridge.BlockerShown, "blocker", false),
		Entry(nil, bridge.Manual, "manual", true),
		Entry(nil, bridge.Thrown, "thrown", true),
		Entry(nil, bridge.Lost, "lost", false),
		Entry(nil, bridge.Interrupted, "interrupted", false),
		Entry("no outcome yet", bridge.Outcome(""), "", false),
	)

	It("is interrupted when the caller leaves", func() {
		report, err := bridge.Run(canceled(), complete())
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Outcome).To(Equal(bridge.Interrupted))
	})
})

var _ = DescribeTable("A report reads in a few lines",
	func(r bridge.Report, text string) { Expect(r.String()).To(Equal(text)) },
	Entry("with all it can hold", bridge.Report{
		Outcome: bridge.Boundary, SID: "9f83a7c1d42e650b", Conversation: "c1",
		Address: "https://chatgpt.com/c/c1", Round: 3, Row: 14,
		Checkpoint: wire.Checkpoint{Round: 2, Key: "a1b2c3d4"},
		Reason:     "the limit of 3 rounds is reached", Next: "sim bridge --resume",
	}, `outcome boundary after round 3, checkpoint 2:a1b2c3d4
  why: the limit of 3 rounds is reached
  conversation: https://chatgpt.com/c/c1
  next: sim bridge --resume`),
	Entry("before anything is known", bridge.Report{Outcome: bridge.Lost},
		"outcome lost after round 0, checkpoint 0:-"),
)

var _ = DescribeTable("An error of the relay names what a person needs",
	func(err error, text string) { Expect(err).To(MatchError(text)) },
	Entry(nil, &bridge.Unlisted{Phase: "limbo"}, "no step is known in phase limbo"),
	Entry(nil, &bridge.Unsettled{Round: 2, Status: agent.Started},
		"the agent did not settle round 2: started"),
)

var _ = It("An answer of a thinking model may take half an hour", func() {
	Expect(bridge.DefaultTuning().AnswerLimit).To(BeNumerically(">", 30*time.Minute))
})
