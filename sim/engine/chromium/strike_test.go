package chromium_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/engine/chromium"
)

// testPage counts clicks at the server, which no client can write by itself.
const testPage = `<!doctype html><title>test</title>
<button style="position:fixed;left:0;top:0;width:200px;height:100px">send</button>
<form><div id="prompt-textarea" contenteditable="true" style="margin-top:200px">.</div></form>
<a href="/other">other</a>
<script>
document.querySelector("button").onclick = () => fetch("/click", {method: "POST"});
document.querySelector("a").onclick = (e) => { e.preventDefault(); history.pushState({}, "", "/other"); };
</script>`

// suite has the browser of all specs of this file that leave it alive. It starts before the first one,
// so that no spec takes its goroutines and folders for a leak.
var suite = chromium.NewPool(chromium.Options{})

var _ = BeforeSuite(func() {
	l, err := suite.Acquire(context.Background())
	Expect(err).NotTo(HaveOccurred())
	Expect(l.Close()).To(Succeed())
})

var _ = AfterSuite(func() { Expect(suite.Close()).To(Succeed()) })

// site is the page's server and its ledger.
type site struct {
	*httptest.Server
	clicks atomic.Int64
}

func newSite() *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.clicks.Add(1)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, testPage)
	}))
	return s
}

// rig is a client behind interposer, striker and relay, attached to a live page.
type rig struct {
	site    *site
	striker *chromium.Striker
	i       *faults.Interposer
	b       browser.Browser
	s       browser.Session
	tab     browser.TargetID
	events  chan faults.Event
	seen    []faults.Event
	clock   clock.Clock
}

const callDeadline = 2 * time.Second

func within(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	DeferCleanup(cancel)
	return ctx
}

// under makes a rig with a fault; a shared browser unless own is given.
func under(fault string, own *chromium.Own) *rig {
	GinkgoHelper()
	f, err := faults.ParseFault(fault)
	Expect(err).NotTo(HaveOccurred())
	r := &rig{site: newSite(), events: make(chan faults.Event, 16)}
	DeferCleanup(r.site.Close)
	o := chromium.StrikerOptions{Own: own}
	if own == nil {
		l, err := suite.Acquire(within(3 * patience))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(l.Close)
		o.Endpoint, o.ContextID = l.Endpoint, l.ContextID
	}
	r.striker, err = chromium.NewStriker(within(patience), o)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(r.striker.Close()).To(Succeed()) })
	timer := func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	r.i = faults.New(faults.Schedule{f}, r.striker, func(e faults.Event) { r.events <- e },
		faults.Ports{After: timer, AfterReal: timer})
	DeferCleanup(r.i.Close)
	r.open()
	return r
}

func (r *rig) open() {
	GinkgoHelper()
	r.dial()
	r.i.Op(point.OpenPage, 0)
	var err error
	r.tab, err = r.b.Open(within(patience), r.site.URL)
	Expect(err).NotTo(HaveOccurred())
	Expect(r.attach()).To(Succeed())
	Eventually(func() (string, error) { return r.ask("document.title + document.readyState") }, patience).
		Should(Equal(`"testcomplete"`), "not about:blank, in which every tab begins")
	r.painted()
	Expect(r.mouse(point.SendGuard, input.DispatchMouseEventTypeMousePressed)).To(Succeed())
}

// painted waits for two frames: Chromium drops input into a page that it has not painted yet.
func (r *rig) painted() {
	GinkgoHelper()
	await := true
	r.i.Op(point.GuardCheck, 0)
	_, err := browser.Call(within(patience), r.s, runtime.Evaluate, runtime.EvaluateParams{
		Expression:   "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))",
		AwaitPromise: &await,
	})
	Expect(err).NotTo(HaveOccurred())
}

// dial makes the ports of a process of pi, a new one after a death, and connects.
func (r *rig) dial() {
	GinkgoHelper()
	d := r.i.Dialer(r.striker.Dialer())
	r.clock = r.i.Clock(clock.Wall())
	r.i.Op(point.Connect, 0)
	b, err := d.Dial(within(patience))
	Expect(err).NotTo(HaveOccurred())
	r.b = b
	DeferCleanup(func() {
		defer func() { _ = recover() }() // of a pi that was killed, whose ports are dead
		_ = b.Close()
	})
}

func (r *rig) attach() error {
	r.i.Op(point.Attach, 0)
	s, err := r.b.Attach(within(patience), r.tab)
	if err == nil {
		r.s = s
	}
	return err
}

// again is a new connection after a loss.
func (r *rig) again() error {
	GinkgoHelper()
	r.dial()
	return r.attach()
}

func (r *rig) ask(expression string) (string, error) {
	r.i.Op(point.GuardCheck, 0)
	v, err := browser.Call(within(callDeadline), r.s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: expression})
	if err != nil || v.Result == nil {
		return "", err
	}
	return string(v.Result.Value), nil
}

func (r *rig) mouse(op point.Op, kind input.DispatchMouseEventType) error {
	r.i.Op(op, 1)
	_, err := browser.Call(within(callDeadline), r.s, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{
			Type: kind, X: 50, Y: 50, Button: input.MouseButtonLeft, ClickCount: 1,
		})
	return err
}

// submit is the call that the schedules strike.
func (r *rig) submit() error {
	return r.mouse(point.SendSubmit, input.DispatchMouseEventTypeMouseReleased)
}

// until waits for a stage of the fault and returns its evidence.
func (r *rig) until(s faults.Stage) string {
	GinkgoHelper()
	for {
		var e faults.Event
		Eventually(r.events, patience).Should(Receive(&e), "stage %s, after %v", s, r.seen)
		r.seen = append(r.seen, e)
		if e.Stage == s {
			return e.Evidence
		}
	}
}

func noLeak() {
	before := goleak.IgnoreCurrent()
	DeferCleanup(func() { Expect(goleak.Find(before)).To(Succeed()) })
	temp, err := os.MkdirTemp("", "sk-")
	Expect(err).NotTo(HaveOccurred())
	GinkgoT().Setenv("TMPDIR", temp)
	DeferCleanup(func() {
		left, err := os.ReadDir(temp)
		Expect(err).NotTo(HaveOccurred())
		Expect(left).To(BeEmpty(), "nothing of a browser is left behind")
		Expect(os.RemoveAll(temp)).To(Succeed())
	})
}

// ownBrowser is a browser that may be killed.
func ownBrowser() *chromium.Own {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background())
	own, err := chromium.LaunchOwn(ctx, launch.Options{})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		Expect(own.Close()).To(Succeed())
		cancel()
	})
	return own
}

const (
	before = " at send.submit@1#1/before"
	after  = " at send.submit@1#1/after"
	late   = " at send.submit@1#1/late"
)

var _ = Describe("the striker", func() {
	BeforeEach(noLeak)

	DescribeTable("strikes line and tab: a typed loss for the bridge, evidence from outside of it",
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
		Entry(nil, "sever"+before+" with how=close code=1001", browser.ErrSocketLost, 0, "code 1001"),
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
			Expect(r.submit()).To(MatchError(ContainSubstring("Inspected target navigated or closed")))
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
		Expect(r.until(faults.Applied)).To(ContainSubstring("sent its last message again to 1 socket"))
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
	It("answers a dialog when its time is over: a click was dropped with a good answer, text waited", func() {
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
	})
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
		evidence, err := r.striker.Strike(faults.Fault{Kind: faults.CloseTab}, faults.Aim{Target: r.tab})
		Expect(evidence, err).To(ContainSubstring("targetDestroyed"))
	})
})

var _ = Describe("the relay", func() {
	BeforeEach(noLeak)

	It("relays only to loopback", func() {
		for _, endpoint := range []string{"http://192.0.2.1:9222", "http://example.com:80", "nowhere", ""} {
			_, err := chromium.StartRelay(endpoint)
			Expect(err).To(HaveOccurred(), endpoint)
		}
	})
	It("says when there is no socket to strike", func() {
		r, err := chromium.StartRelay("http://127.0.0.1:1")
		Expect(err).NotTo(HaveOccurred())
		defer func() { Expect(r.Close()).To(Succeed()) }()
		for name, strike := range map[string]func() (string, error){
			"reset": r.Reset, "finish": r.Finish, "hold": r.Hold, "stall": r.Stall, "repeat": r.Repeat,
			"garbage": r.Garbage, "close": func() (string, error) { return r.CloseFrame(1000) },
		} {
			_, err := strike()
			Expect(err).To(MatchError(chromium.ErrNoSocket), name)
		}
		_, err = chrome.NewDialer(r.Endpoint()).Dial(within(callDeadline))
		_, lost := browser.AsLoss(err)
		Expect(lost).To(BeTrue())
	})
	It("passes messages of any size whole", func() {
		r := under("sever at send.submit@9#1/before", nil)
		for _, n := range []int{1, 125, 126, 65_535, 65_536, 3 << 20} {
			Expect(r.ask(fmt.Sprintf("%q.length", strings.Repeat("x", n)))).To(Equal(fmt.Sprint(n)))
			got, err := r.ask(fmt.Sprintf(`"x".repeat(%d)`, n))
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(HaveLen(n + 2))
		}
	})
})
