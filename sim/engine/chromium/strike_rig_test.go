package chromium_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/browser"
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
document.querySelector("a").onclick = (e) => {
  e.preventDefault(); history.pushState({}, "", "/other");
};
</script>`

// suite has the browser of all specs of this file that leave it alive. It starts before the first
// one, so that no spec takes its goroutines and folders for a leak.
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
	Eventually(
		func() (string, error) { return r.ask("document.title + document.readyState") },
		patience,
	).
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
