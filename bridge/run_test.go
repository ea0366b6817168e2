package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge"
	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
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

	It("takes what the specification says where nothing is said", func() {
		cfg := complete()
		_, err := bridge.Run(context.Background(), cfg)
		Expect(err).NotTo(HaveOccurred())
		first := records(cfg.Store)[0]
		Expect(first.Objective).To(Equal(wire.DefaultObjective))
		Expect(first.Capabilities).To(Equal(wire.DefaultCapabilities()))
		Expect(first.Denials).To(Equal(wire.DefaultDenials()))
	})

	It("keeps an empty list of denials: pi may do everything then", func() {
		cfg := complete()
		cfg.Denials = []string{}
		_, err := bridge.Run(context.Background(), cfg)
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

var _ = Describe("A session that exists already", func() {
	begun := func() bridge.Config {
		cfg := complete()
		report, err := bridge.Run(context.Background(), cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Outcome).To(Equal(bridge.Lost))
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

	DescribeTable("goes on under its own id",
		func(request string) {
			cfg := begun()
			cfg.Request, cfg.Entropy = request, clock.Seeded(2)
			sid := records(cfg.Store)[0].SID
			report, err := bridge.Run(context.Background(), cfg)
			Expect(err).NotTo(HaveOccurred())
			Expect(report.SID).To(Equal(sid))
		},
		Entry("with the same request", complete().Request),
		Entry("without one", ""),
	)

	It("that cannot be read ends the run before it begins", func() {
		cfg := begun()
		cfg.Store.(*session.Memory).Corrupt()
		_, err := bridge.Run(context.Background(), cfg)
		Expect(err).To(MatchError(session.ErrCorrupt))
	})
})

var _ = Describe("The end of a run", func() {
	live, over := context.Background(), canceled()

	DescribeTable("has a name and a row by the type of the failure, never by its text",
		func(ctx context.Context, err error, want bridge.Outcome, row int) {
			for _, e := range []error{err, fmt.Errorf("round 3: %w", err), errors.Join(errors.New("x"), err)} {
				outcome, r := bridge.OutcomeOf(ctx, e)
				Expect(outcome).To(Equal(want))
				Expect(r).To(Equal(row))
			}
		},
		Entry("the caller left", over, &browser.Loss{Kind: browser.Silent}, bridge.Interrupted, 0),
		Entry("a blocker", live, page.ErrBlocked, bridge.BlockerShown, 12),
		Entry("a loss", live, &browser.Loss{Kind: browser.SocketLost}, bridge.Lost, 3),
		Entry("the answer's time is over", live, page.ErrStillRunning, bridge.Boundary, 14),
		Entry("not settled", live, &bridge.Unsettled{Round: 1, Status: agent.Started}, bridge.Manual, 11),
		Entry("not captured", live, &page.CaptureError{}, bridge.Manual, 1),
		Entry("not proven", live, page.ErrUnproven, bridge.Manual, 2),
		Entry("not read back", live, page.ErrReadBack, bridge.Manual, 2),
		Entry("another conversation", live, page.ErrConversationChanged, bridge.Manual, 2),
		Entry("a failed answer", live, page.ErrAnswerFailed, bridge.Manual, 2),
		Entry("a page that is not ready", live, page.ErrNotReady, bridge.Manual, 2),
		Entry("an unknown page", live, page.ErrPageUnknown, bridge.Manual, 2),
		Entry("another document", live, page.ErrDocument, bridge.Manual, 2),
		Entry("an unknown state", live, &bridge.Unlisted{Phase: "x"}, bridge.Thrown, 15),
		Entry("a text like a blocker's", live, errors.New(page.ErrBlocked.Error()), bridge.Thrown, 15),
		Entry("a full disk", live, session.ErrGone, bridge.Thrown, 15),
	)

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

	It("is reported with the loss that led to it, and the session stays open", func() {
		cfg := complete()
		report, err := bridge.Run(live, cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Err).To(MatchError(browser.ErrBrowserGone))
		Expect(report.Reason).To(Equal(report.Err.Error()))
		Expect(report.Round).To(BeZero())
		state, err := session.Fold(records(cfg.Store))
		Expect(err).NotTo(HaveOccurred())
		Expect(state.Outcome).To(BeEmpty())
	})

	It("is interrupted when the caller leaves", func() {
		report, err := bridge.Run(over, complete())
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Outcome).To(Equal(bridge.Interrupted))
	})
})

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

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
