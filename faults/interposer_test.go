package faults_test

import (
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// click is the method of the command that the tests strike.
const click = "Input.dispatchMouseEvent"

// lossOf is the kind of a loss; other errors name themselves.
func lossOf(err error) browser.LossKind {
	if l, ok := browser.AsLoss(err); ok {
		return l.Kind
	}
	if err == nil {
		return ""
	}
	return browser.LossKind(err.Error())
}

// strike plays one click with the fault at it and returns what the bridge got, how long it took,
// and what the browser saw of it.
func strike(l *lab) (took time.Duration, saw []string, err error) {
	GinkgoHelper()
	l.quiet(func(c *client) {
		s := c.attach()
		l.b.saw = nil
		from := c.clock.Now()
		err = c.call(s, point.SendSubmit, 1, click)
		took = c.clock.Now().Sub(from)
	})
	return took, l.b.saw, err
}

var _ = Describe("the interposer", func() {
	It("wraps nothing when nothing is scheduled", func() {
		l := start()
		l.quiet(func(c *client) {
			Expect(c.dialer).To(BeIdenticalTo(l.b))
			Expect(c.store).To(BeIdenticalTo(l.memory))
			Expect(c.agent).To(BeIdenticalTo(l.agent))
		})
		Expect(l.i.Unreached()).To(BeEmpty())
	})

	DescribeTable("before: the browser never saw the command, which meets the stricken thing",
		func(kind faults.Kind, want browser.LossKind) {
			l := start(string(kind) + " at send.submit@1#1/before")
			_, saw, err := strike(l)
			Expect(lossOf(err)).To(Equal(want))
			Expect(saw).To(Equal([]string{"STRUCK"}))
			Expect(l.events[:3]).To(Equal([]string{
				"armed " + string(kind), "reached " + string(kind), "applied " + string(kind),
			}))
			Expect(l.i.Unreached()).To(BeEmpty())
		},
		Entry(nil, faults.Sever, browser.SocketLost),
		Entry(nil, faults.HalfOpen, browser.Silent),
		Entry(nil, faults.Detach, browser.SessionStale),
		Entry(nil, faults.CloseTab, browser.TargetClosed),
		Entry(nil, faults.CrashTab, browser.TargetCrashed),
		Entry(nil, faults.WedgeTab, browser.Silent),
		Entry(nil, faults.Dialog, browser.Silent),
		Entry(nil, faults.KillBrowser, browser.SocketLost),
		Entry(nil, faults.Relaunch, browser.SocketLost),
		Entry(nil, faults.FreezeBrowser, browser.Silent),
	)

	DescribeTable("after: it happened, and its answer and events went with the thing",
		func(kind faults.Kind, want browser.LossKind, waits bool) {
			l := start(string(kind) + " at send.submit@1#1/after")
			var kept []browser.Event
			var err error
			var took time.Duration
			l.quiet(func(c *client) {
				s := c.attach()
				l.b.saw = nil
				l.b.events = []browser.Event{{Kind: browser.Navigated}}
				l.b.queued = []browser.Event{{Kind: browser.MessagePosted}}
				from := c.clock.Now()
				err = c.call(s, point.SendSubmit, 1, click)
				took = c.clock.Now().Sub(from)
				kept = s.Drain(nil)
			})
			Expect(lossOf(err)).To(Equal(want))
			l2, _ := browser.AsLoss(err)
			Expect(l2.During).To(Equal(click))
			Expect(l.b.saw).To(Equal([]string{click, "STRUCK"}))
			Expect(kept).To(Equal([]browser.Event{{Kind: browser.Navigated}}))
			if waits {
				Expect(took).To(Equal(deadline), "silence lasts until the deadline")
			} else {
				Expect(took).To(BeZero())
			}
		},
		Entry(nil, faults.Sever, browser.SocketLost, false),
		Entry(nil, faults.HalfOpen, browser.Silent, true),
		Entry(nil, faults.Corrupt, browser.SocketLost, false),
		Entry(nil, faults.Detach, browser.SessionStale, false),
		Entry(nil, faults.CloseTab, browser.TargetClosed, false),
		Entry(nil, faults.CrashTab, browser.TargetCrashed, false),
		Entry(nil, faults.WedgeTab, browser.Silent, true),
		Entry(nil, faults.Dialog, browser.Silent, true),
		Entry(nil, faults.KillBrowser, browser.SocketLost, false),
		Entry(nil, faults.Relaunch, browser.SocketLost, false),
		Entry(nil, faults.FreezeBrowser, browser.Silent, true),
	)

	DescribeTable("after: what lives on gives its answer",
		func(kind faults.Kind) {
			l := start(string(kind) + " at send.submit@1#1/after")
			took, saw, err := strike(l)
			Expect(err).NotTo(HaveOccurred())
			Expect(took).To(BeZero())
			Expect(saw).To(Equal([]string{click, "STRUCK"}))
		},
		Entry(nil, faults.SecondClient), Entry(nil, faults.Switched),
	)

	DescribeTable("after: a document that went ends what was in flight with the protocol's error",
		func(kind faults.Kind) {
			_, saw, err := strike(start(string(kind) + " at send.submit@1#1/after"))
			var e *cdproto.Error
			Expect(errors.As(err, &e)).To(BeTrue(), "%v", err)
			Expect(e.Code).To(BeEquivalentTo(-32000))
			Expect(saw).To(Equal([]string{click, "STRUCK"}))
		},
		Entry(nil, faults.Reload), Entry(nil, faults.Away),
	)

	It("late: the call is under way when its session goes, and acts after it", func() {
		l := start("sever at send.submit@1#1/late")
		_, saw, err := strike(l)
		Expect(lossOf(err)).To(Equal(browser.SocketLost))
		Expect(saw).To(Equal([]string{"STRUCK", click}))
		Expect(l.full[2].Evidence).To(Equal("left behind"))
	})

	It("asks a real line, whose losses take a moment, with another command", func() {
		l := start("corrupt at send.submit@1#1/after")
		l.b.remote = true
		shown := shows[faults.Corrupt]
		delete(shows, faults.Corrupt)
		defer func() { shows[faults.Corrupt] = shown }()
		l.quiet(func(c *client) {
			s := c.attach()
			from := c.clock.Now()
			Expect(lossOf(c.call(s, point.SendSubmit, 1, click))).To(Equal(browser.Silent))
			Expect(
				c.clock.Now().Sub(from),
			).To(Equal(deadline), "the line answered: one answer is missing")
			Expect(l.b.saw).To(ContainElement("Page.enable"))
		})
	})

	Describe("an address", func() {
		It("counts equal operations, rounds and steps, and strikes once", func() {
			l := start("sever at send.submit@2#2/before")
			l.quiet(func(c *client) {
				s := c.attach()
				l.b.saw = nil
				for _, r := range []int{1, 1, 2} {
					Expect(c.call(s, point.SendSubmit, r, click)).To(Succeed())
				}
				Expect(c.call(s, point.SendGuard, 2, click)).To(Succeed())
				Expect(c.call(s, point.SendSubmit, 2, click)).NotTo(Succeed())
				l.b.loss = ""
				Expect(c.call(s, point.SendSubmit, 2, click)).To(Succeed())
			})
			Expect(l.b.struck).To(HaveLen(1))
		})
		It("counts a poll by the state that it saw, not by how often it was made", func() {
			l := start("sever at wait.poll@1:streaming#2/after")
			l.b.states = []probe.AnswerState{
				probe.AnswerAbsent, probe.AnswerThinking, probe.AnswerStreaming, probe.AnswerThinking,
				probe.AnswerStreaming,
			}
			var errs []error
			l.quiet(func(c *client) {
				s := c.attach()
				for range 5 {
					_, err := c.poll(s, 1)
					errs = append(errs, err)
				}
			})
			Expect(errs[:4]).To(HaveEach(BeNil()))
			Expect(errs[4]).To(MatchError(browser.ErrSocketLost))
		})
		It("lets a poll that is to be struck before it be made twice", func() {
			l := start("sever at wait.poll@1:thinking#1/before")
			l.b.states = []probe.AnswerState{probe.AnswerAbsent, probe.AnswerThinking}
			l.quiet(func(c *client) {
				s := c.attach()
				l.b.saw = nil
				st, err := c.poll(s, 1)
				Expect(st, err).To(Equal(probe.AnswerAbsent))
				_, err = c.poll(s, 1)
				Expect(err).To(MatchError(browser.ErrSocketLost))
				Expect(l.b.saw).To(Equal([]string{"turn", "turn", "STRUCK"}))
			})
		})
		It("without a state counts every poll", func() {
			l := start("drop at wait.poll@1#2/before")
			l.b.states = []probe.AnswerState{probe.AnswerAbsent, probe.AnswerThinking}
			l.quiet(func(c *client) {
				s := c.attach()
				_, err := c.poll(s, 1)
				Expect(err).NotTo(HaveOccurred())
				_, err = c.poll(s, 1)
				Expect(err).To(MatchError(browser.ErrSilent))
			})
		})
		It("of a proof says whether a turn of the user was found", func() {
			l := start("sever at send.prove@1:found#1/after")
			l.quiet(func(c *client) {
				s := c.attach()
				prove := func() error {
					c.i.Op(point.SendProve, 1)
					_, err := probe.Do(c.within(), s, probe.Tail, probe.TailArgs{After: "b"})
					return err
				}
				Expect(prove()).To(Succeed())
				l.b.turns = []probe.MountedTurn{{Role: "assistant"}}
				Expect(prove()).To(Succeed())
				l.b.turns = append(l.b.turns, probe.MountedTurn{Role: "user"})
				Expect(prove()).To(MatchError(browser.ErrSocketLost))
			})
		})
		It("can be that of a dial, an attach, a detach or a command to the browser", func() {
			for _, text := range []string{
				"sever at attach.connect@0#1/before", "sever at attach.connect@0#1/after",
				"sever at attach.session@0#1/before", "drop at attach.session@0#1/after",
			} {
				l := start(text)
				l.quiet(func(c *client) {
					_, err := c.tryAttach()
					_, lost := browser.AsLoss(err)
					Expect(lost).To(BeTrue(), "%s: %v", text, err)
				})
				Expect(l.i.Unreached()).To(BeEmpty(), text)
			}
			l := start("close-tab at detach.close@3#1/before", "kill-pi at attach.pages@0#1/after")
			killed, _ := l.run(func(c *client) {
				s := c.attach()
				Expect(s.Close()).To(Succeed(), "not announced: no operation")
				Expect(l.b.struck).To(BeEmpty())
				c.i.Op(point.ClosePage, 3)
				Expect(s.Close()).To(Succeed())
				Expect(l.b.struck).To(HaveLen(1))
				l.b.loss = ""
				c.i.Op(point.Connect, 0)
				b, err := c.dialer.Dial(c.within())
				Expect(err).NotTo(HaveOccurred())
				c.i.Op(point.ListPages, 0)
				_, _ = b.Pages(c.within())
				Fail("pi is dead")
			})
			Expect(killed.Fault.Kind).To(Equal(faults.KillPi))
			Expect(l.b.saw[len(l.b.saw)-1]).To(Equal("pages"))
		})
		It("is told for every call when somebody wants to visit them", func() {
			l := start()
			var visits []string
			l.i = faults.New(nil, nil, nil, faults.Ports{Visit: func(a point.Address) {
				visits = append(visits, a.String())
			}})
			l.b.states = []probe.AnswerState{probe.AnswerAbsent, probe.AnswerThinking}
			l.quiet(func(c *client) {
				s := c.attach()
				for range 3 {
					_, _ = c.poll(s, 1)
				}
				_ = c.call(s, point.SendSubmit, 1, click)
				_ = c.call(s, point.SendSubmit, 1, click)
			})
			Expect(visits).To(Equal([]string{
				"attach.connect@0#1", "attach.session@0#1", "wait.poll@1:absent#1",
				"wait.poll@1:thinking#1", "wait.poll@1:thinking#2", "send.submit@1#1", "send.submit@1#2",
			}))
		})
	})

	Describe("the history of a fault", func() {
		It("is armed, reached, applied, healed, with evidence", func() {
			l := start("relaunch at send.submit@1#1/after with for=5s")
			l.quiet(func(c *client) {
				s := c.attach()
				_ = c.call(s, point.SendSubmit, 1, click)
				Expect(l.i.Open()).To(HaveLen(1))
				_ = c.clock.Sleep(c.within(), 6*time.Second)
			})
			Expect(l.events).To(Equal([]string{
				"armed relaunch", "reached relaunch", "applied relaunch", "healed relaunch",
			}))
			for _, e := range l.full {
				Expect(e.Evidence).NotTo(BeEmpty())
				Expect(e.Address.String()).To(Equal("send.submit@1#1/after"))
				Expect(e.Fault.Params.For).To(Equal(5 * time.Second))
			}
			Expect(l.full[2].Evidence).To(Equal("seen from outside"))
			Expect(l.i.Open()).To(BeEmpty())
		})
		It("of a permanent one says that it stays", func() {
			l := start("kill-browser at send.submit@1#1/before")
			strike(l)
			Expect(l.events[3]).To(Equal("stays kill-browser"))
			Expect(l.i.Open()).To(HaveLen(1))
		})
		It("of one that is never reached ends armed", func() {
			l := start("sever at send.submit@9#1/before")
			strike(l)
			Expect(l.i.Unreached()).To(HaveLen(1))
			Expect(l.events).To(Equal([]string{"armed sever"}))
		})
		It("of one that could not be done says why, and counts as unreached", func() {
			for _, phase := range []string{"before", "after", "late"} {
				l := start("sever at send.submit@1#1/" + phase)
				l.b.refuse = errors.New("no such tab")
				_, saw, err := strike(l)
				Expect(err).NotTo(HaveOccurred())
				Expect(saw).To(Equal([]string{click}), "the call goes on as if nothing were")
				Expect(l.events).To(Equal([]string{"armed sever", "reached sever", "missed sever"}))
				Expect(l.full[2].Evidence).To(Equal("no such tab"))
				Expect(l.i.Unreached()).To(HaveLen(1))
			}
		})
		It("of one that has no striker, site or cache says so", func() {
			for _, text := range []string{
				"sever at send.submit@1#1/before", "captcha at send.submit@1#1/before",
				"drop-cache at send.submit@1#1/before",
			} {
				f, err := faults.ParseFault(text)
				Expect(err).NotTo(HaveOccurred())
				l := start()
				l.i = faults.New(faults.Schedule{f}, nil, l.hear, faults.Ports{})
				strike(l)
				Expect(l.events[2]).To(HavePrefix("missed "))
			}
		})
		It("heals nothing when the run is over", func() {
			l := start("relaunch at send.submit@1#1/after with for=5s")
			l.quiet(func(c *client) {
				s := c.attach()
				_ = c.call(s, point.SendSubmit, 1, click)
				l.i.Close()
				_ = c.clock.Sleep(c.within(), 6*time.Second)
			})
			Expect(l.b.healed).To(BeEmpty())
		})
		It("strikes two faults of one schedule, each at its place", func() {
			l := start("sever at send.submit@1#1/before", "captcha at send.submit@1#1/after")
			_, saw, _ := strike(l)
			Expect(saw).To(Equal([]string{"STRUCK"}))
			Expect(l.i.Unreached()).To(BeEmpty())
			Expect(slices.Contains(l.events, "applied captcha")).To(BeTrue())
		})
	})

	It("aims at the tab, session and connection in use", func() {
		l := start("reload at send.submit@1#1/before")
		strike(l)
		Expect(l.b.aims).To(HaveLen(1))
		Expect(l.b.aims[0].Target).To(BeEquivalentTo("tab-1"))
		Expect(l.b.aims[0].Session).NotTo(BeNil())
		Expect(l.b.aims[0].Browser).NotTo(BeNil())
	})
})
