package chromium_test

import (
	"time"

	"github.com/chromedp/cdproto/input"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/engine/chromium"
)

const (
	before = " at send.submit@1#1/before"
	after  = " at send.submit@1#1/after"
	late   = " at send.submit@1#1/late"
)

var _ = Describe("the striker", func() {
	BeforeEach(noLeak)

	DescribeTable(
		"strikes line and tab: a typed loss for the bridge, evidence from outside of it",
		func(fault string, want error, clicks int, evidence string) {
			r := under(fault, nil)
			Expect(r.submit()).To(MatchError(want))
			Expect(r.until(faults.Applied)).To(ContainSubstring(evidence))
			Expect(r.i.Unreached()).To(BeEmpty())
			if clicks > 0 {
				Eventually(r.site.clicks.Load, patience).Should(BeEquivalentTo(clicks))
			}
			Expect(r.site.clicks.Load()).To(BeEquivalentTo(clicks))
		},
		Entry(nil, "sever"+before, browser.ErrSocketLost, 0, "reset 1 socket"),
		Entry(nil, "sever"+after, browser.ErrSocketLost, 1, "reset 1 socket"),
		Entry(nil, "sever"+after+" with how=fin", browser.ErrSocketLost, 1, "ended 1 socket"),
		Entry(
			nil,
			"sever"+before+" with how=close code=1001",
			browser.ErrSocketLost,
			0,
			"code 1001",
		),
		Entry(nil, "half-open"+before, browser.ErrSilent, 0, "swallows the bytes of 1 socket"),
		Entry(nil, "half-open"+after, browser.ErrSilent, 1, "swallows"),
		Entry(nil, "corrupt"+after, browser.ErrSocketLost, 1, "no JSON"),
		Entry(nil, "drop"+before, browser.ErrSilent, 0, "swallowed"),
		Entry(nil, "drop"+after, browser.ErrSilent, 1, "thrown away"),
		Entry(nil, "detach"+before, browser.ErrSessionStale, 0, "not attached"),
		Entry(nil, "detach"+after, browser.ErrSessionStale, 1, "not attached"),
		Entry(nil, "close-tab"+before, browser.ErrTargetClosed, 0, "Target.targetDestroyed"),
		Entry(nil, "crash-tab"+before, browser.ErrTargetCrashed, 0, "Inspector.targetCrashed"),
		Entry(nil, "wedge-tab"+before, browser.ErrSilent, 0, "loop begins"),
		Entry(nil, "wedge-tab"+after, browser.ErrSilent, 1, "loop begins"),
		Entry(nil, "dialog"+after, browser.ErrSilent, 1, "javascriptDialogOpening"),
	)
	It("names the cause of each end of the socket", func() {
		for how, cause := range map[string]string{
			faults.HowReset: "connection reset", faults.HowFin: "EOF", faults.HowClose: "code 1011",
		} {
			r := under("sever at send.submit@9#1/before", nil)
			f := faults.Fault{Kind: faults.Sever, Params: faults.Params{How: how, Code: 1011}}
			_, err := r.striker.Strike(f, faults.Aim{Browser: r.b})
			Expect(err).NotTo(HaveOccurred())
			Eventually(r.b.Lost, patience).Should(MatchError(ContainSubstring(cause)), how)
		}
	})
	It("leaves the tab as it is when only the line goes", func() {
		for _, how := range []string{"rst", "fin", "close"} {
			r := under("sever"+before+" with how="+how, nil)
			_, err := r.ask("window.kept = 42")
			Expect(err).NotTo(HaveOccurred())
			Expect(r.submit()).NotTo(Succeed())
			Expect(r.again()).To(Succeed())
			Expect(r.ask("window.kept")).To(Equal("42"))
			Expect(r.until(faults.Healed)).NotTo(BeEmpty())
		}
	})
	It("closes and crashes a tab behind a click that was carried out", func() {
		for fault, want := range map[string]error{
			"close-tab" + after: browser.ErrTargetClosed, "crash-tab" + after: browser.ErrTargetCrashed,
		} {
			r := under(fault, nil)
			Expect(r.submit()).To(MatchError(want))
			Expect(r.b.Lost()).To(Succeed(), "one tab does not end the connection")
		}
	})
	It("makes a new document", func() {
		for fault, want := range map[string]string{
			"reload": "http://127.0.0.1", "navigate-away": "data:text/html",
		} {
			r := under(fault+before, nil)
			_, err := r.ask("window.kept = 42")
			Expect(err).NotTo(HaveOccurred())
			Expect(r.submit()).To(Succeed(), "the click meets the new document")
			Expect(r.until(faults.Applied)).To(ContainSubstring(want))
			Expect(r.ask("typeof window.kept")).To(Equal(`"undefined"`))

			r = under(fault+after, nil)
			Expect(
				r.submit(),
			).To(MatchError(ContainSubstring("Inspected target navigated or closed")))
		}
	})
	It("is another client that looks, or types", func() {
		r := under("second-client"+before, nil)
		Expect(r.submit()).To(Succeed())
		Expect(r.until(faults.Applied)).To(ContainSubstring("another client is attached"))
		r = under("second-client"+before+" with text=theirs", nil)
		Expect(r.submit()).To(Succeed())
		Expect(r.until(faults.Applied)).To(ContainSubstring("theirs"))
		Expect(r.ask("document.querySelector('#prompt-textarea').innerText")).
			To(ContainSubstring("theirs"))
	})
	It("opens another conversation in the same document", func() {
		r := under("switch-conversation"+after+" with text=/other", nil)
		_, err := r.ask("window.kept = 42")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.submit()).To(Succeed())
		Expect(r.until(faults.Applied)).To(ContainSubstring("/other in the same document"))
		Expect(r.ask("window.kept + location.pathname")).To(Equal(`"42/other"`))
	})
	It("says so when the page has no such conversation", func() {
		r := under("switch-conversation"+before+" with text=/none", nil)
		Expect(r.submit()).To(Succeed())
		Expect(r.until(faults.Missed)).To(ContainSubstring("no link to /none"))
		Expect(r.i.Unreached()).To(HaveLen(1))
	})
	It("holds a line back and lets it go", func() {
		r := under("stall"+before+" with for=700ms", nil)
		from := time.Now()
		Expect(r.submit()).To(Succeed())
		Expect(time.Since(from)).To(BeNumerically(">=", 600*time.Millisecond))
		Expect(r.until(faults.Healed)).To(ContainSubstring("let 1 socket(s) go on"))
		Expect(r.ask("6*7")).To(Equal("42"))
	})
	It("sends an answer twice, which harms nobody", func() {
		r := under("duplicate"+after, nil)
		Expect(r.submit()).To(Succeed())
		Expect(
			r.until(faults.Applied),
		).To(ContainSubstring("sent its last message again to 1 socket"))
		Expect(r.ask("6*7")).To(Equal("42"))
	})
	It("ends a loop when its time is over: what waited acts then", func() {
		r := under("wedge-tab"+before+" with for=3s", nil)
		Expect(r.submit()).To(MatchError(browser.ErrSilent))
		Expect(r.site.clicks.Load()).To(BeZero())
		Expect(r.until(faults.Healed)).NotTo(BeEmpty())
		Expect(r.ask("6*7")).To(Equal("42"))
		Eventually(r.site.clicks.Load, patience).Should(BeEquivalentTo(1))
	})
	It(
		"answers a dialog when its time is over: a click was dropped with a good answer, text waited",
		func() {
			r := under("dialog"+before+" with for=4s", nil)
			_, err := r.ask("document.querySelector('#prompt-textarea').focus()")
			Expect(err).NotTo(HaveOccurred())
			Expect(r.submit()).To(Succeed())
			Expect(r.until(faults.Applied)).To(ContainSubstring("javascriptDialogOpening"))
			_, err = r.ask("6*7")
			Expect(err).To(MatchError(browser.ErrSilent))
			Expect(r.s.Call(within(time.Second), input.CommandInsertText,
				input.InsertTextParams{Text: "waited"}, nil)).To(MatchError(browser.ErrSilent))
			Expect(r.until(faults.Healed)).NotTo(BeEmpty())
			Expect(r.ask("document.querySelector('#prompt-textarea').innerText")).
				To(ContainSubstring("waited"))
			Expect(r.site.clicks.Load()).To(BeZero())
		},
	)
	It("strikes a dial, and the next one passes", func() {
		for fault, want := range map[string]error{
			"sever":     browser.ErrSocketLost,
			"half-open": browser.ErrSilent,
		} {
			r := under(fault+" at attach.connect@5#1/before", nil)
			Expect(r.b.Close()).To(Succeed())
			r.i.Op(point.Connect, 5)
			_, err := r.i.Dialer(r.striker.Dialer()).Dial(within(callDeadline))
			Expect(err).To(MatchError(want))
			Expect(r.again()).To(Succeed())
		}
	})

	DescribeTable("lets a command act when its session is gone, once",
		func(fault string, want error) {
			r := under(fault, nil)
			from := time.Now()
			Expect(r.submit()).To(MatchError(want))
			Expect(time.Since(from)).To(BeNumerically("<", 2*time.Second), "long before its effect")
			Expect(r.site.clicks.Load()).To(BeZero())
			evidence := r.until(faults.Applied)
			Expect(evidence).To(ContainSubstring("loop begins"))
			Expect(evidence).To(ContainSubstring("the relay handed the command on"))
			if want == browser.ErrSessionStale {
				Expect(r.attach()).To(Succeed())
			} else {
				Expect(r.again()).To(Succeed())
			}
			Expect(r.ask("6*7")).To(Equal("42"), "a read of the page comes behind what is queued")
			Eventually(r.site.clicks.Load, patience).Should(BeEquivalentTo(1))
			Consistently(r.site.clicks.Load, "300ms").Should(BeEquivalentTo(1))
		},
		Entry(nil, "sever"+late, browser.ErrSocketLost),
		Entry(nil, "sever"+late+" with how=fin", browser.ErrSocketLost),
		Entry(nil, "detach"+late, browser.ErrSessionStale),
	)
	It("lets what a killed pi left behind act when it is gone", func() {
		r := under("kill-pi"+late, nil)
		killed := r.i.Survive(func() { _ = r.submit() })
		Expect(killed).NotTo(BeNil())
		Expect(r.site.clicks.Load()).To(BeZero())
		Eventually(r.site.clicks.Load, patience).Should(BeEquivalentTo(1))
	})
	It("kills pi: its sockets are closed, the tab lives", func() {
		r := under("kill-pi"+after, nil)
		killed := r.i.Survive(func() { _ = r.submit() })
		Expect(killed).NotTo(BeNil())
		Expect(r.until(faults.Applied)).To(ContainSubstring("1 connections were closed"))
		Expect(r.again()).To(Succeed())
		Expect(r.ask("6*7")).To(Equal("42"))
	})

	It("kills the run's own browser", func() {
		r := under("kill-browser"+before, ownBrowser())
		Expect(r.submit()).To(MatchError(browser.ErrSocketLost))
		Expect(r.until(faults.Applied)).To(MatchRegexp(`/proc shows process \d+ as "(|Z)"`))
		Expect(r.until(faults.Stays)).NotTo(BeEmpty())
		_, err := r.i.Dialer(r.striker.Dialer()).Dial(within(callDeadline))
		_, lost := browser.AsLoss(err)
		Expect(lost).To(BeTrue(), "%v", err)
	})
	It("starts it again with its profile at its port", func() {
		own := ownBrowser()
		r := under("relaunch"+after+" with for=100ms", own)
		endpoint, pid := own.Endpoint(), own.Pid()
		_, err := r.ask("localStorage.kept = 'profile'")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.submit()).To(MatchError(browser.ErrSocketLost))
		Expect(r.until(faults.Healed)).To(ContainSubstring("in place of"))
		Expect(own.Endpoint()).To(Equal(endpoint))
		Expect(own.Pid()).NotTo(Equal(pid))
		Expect(r.again()).To(MatchError(browser.ErrTargetClosed), "tabs are not restored")
		r.tab, err = r.b.Open(within(patience), r.site.URL)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.attach()).To(Succeed())
	})
	It("freezes it, and lets it go on with what it was sent", func() {
		r := under("freeze-browser"+before+" with for=3s", ownBrowser())
		Expect(r.submit()).To(MatchError(browser.ErrSilent))
		Expect(r.until(faults.Applied)).To(ContainSubstring("in state T"))
		Expect(r.site.clicks.Load()).To(BeZero())
		Expect(r.until(faults.Healed)).To(MatchRegexp("in state [RSD]"))
		Expect(r.ask("6*7")).To(Equal("42"), "the socket lives")
		Eventually(r.site.clicks.Load, patience).Should(BeEquivalentTo(1))
	})
	It("never kills a browser that is shared", func() {
		for _, kind := range []string{"kill-browser", "relaunch", "freeze-browser"} {
			r := under(kind+before, nil)
			Expect(r.submit()).To(Succeed())
			Expect(r.until(faults.Missed)).To(Equal(chromium.ErrNotOwn.Error()))
		}
	})
	It("connects anew after the browser was started again, to strike a second time", func() {
		own := ownBrowser()
		r := under("relaunch"+before+" with for=1ms", own)
		Expect(r.submit()).NotTo(Succeed())
		r.until(faults.Healed)
		r.dial()
		var err error
		r.tab, err = r.b.Open(within(patience), r.site.URL)
		Expect(err).NotTo(HaveOccurred())
		evidence, err := r.striker.Strike(
			faults.Fault{Kind: faults.CloseTab},
			faults.Aim{Target: r.tab},
		)
		Expect(evidence, err).To(ContainSubstring("targetDestroyed"))
	})
})
