package chrome_test

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
)

const (
	neverEnds = "new Promise(() => {})"
	loops     = "for (;;) {}"
)

// evaluate starts an evaluate and returns the channel of its error.
func evaluate(ctx context.Context, s browser.Session, expression string) <-chan error {
	await := true
	ended := make(chan error, 1)
	go func() {
		_, err := browser.Call(ctx, s, runtime.Evaluate,
			runtime.EvaluateParams{Expression: expression, AwaitPromise: &await})
		ended <- err
	}()
	return ended
}

// answers proves that the session works and that all commands before it have reached the page.
func answers(s browser.Session) {
	GinkgoHelper()
	r, err := browser.Call(within(patience), s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: "6*7"})
	Expect(err).NotTo(HaveOccurred())
	Expect(string(r.Result.Value)).To(Equal("42"))
}

// beLoss matches an error that is a *browser.Loss of this kind.
func beLoss(kind browser.LossKind) OmegaMatcher {
	return WithTransform(func(err error) browser.LossKind {
		l, ok := browser.AsLoss(err)
		if !ok {
			return browser.LossKind("no loss: " + errText(err))
		}
		return l.Kind
	}, Equal(kind))
}

func errText(err error) string {
	if err == nil {
		return "nil"
	}
	return err.Error()
}

// raw sends one command over a connection of its own, as a foreign client does.
func raw(endpoint string, msg *cdproto.Message) {
	GinkgoHelper()
	b := connect(endpoint)
	tr, err := remote.DialContext(within(patience), b.Address())
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(tr.Close)
	Expect(tr.Write(context.Background(), msg)).To(Succeed())
}

// wire is one session through a relay with an evaluate in flight that never ends.
type wire struct {
	relay  *relay
	b      *chrome.Browser
	s      *chrome.Session
	flying <-chan error
}

func newWire(opts ...chrome.Option) wire {
	GinkgoHelper()
	r := newRelay(shared.Endpoint())
	id := tab(shared.Endpoint(), "about:blank")
	b := connect(r.endpoint(), opts...)
	s := attach(b, id)
	w := wire{relay: r, b: b, s: s, flying: evaluate(within(patience), s, neverEnds)}
	answers(s)
	return w
}

func (w wire) lost(cause func(error) bool) {
	GinkgoHelper()
	var err error
	Eventually(w.flying, "2s").Should(Receive(&err))
	Expect(err).To(beLoss(browser.SocketLost))
	Expect(cause(err)).To(BeTrue(), "cause of %v", err)
	l, _ := browser.AsLoss(err)
	Expect(l.During).To(Equal(runtime.CommandEvaluate))
	Expect(w.s.Lost()).To(beLoss(browser.SocketLost))
	Expect(w.b.Lost()).To(beLoss(browser.SocketLost))
	Expect(w.s.Call(context.Background(), page.CommandReload, nil, nil)).
		To(beLoss(browser.SocketLost))
	Expect(w.s.Close()).To(Succeed())
	Expect(w.b.Close()).To(Succeed())
	Expect(w.b.Close()).To(Succeed())
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

var _ = Describe("the end of the socket", func() {
	BeforeEach(noLeak)

	It("is socket-lost with the reset as cause", func() {
		w := newWire()
		w.relay.reset()
		w.lost(is(syscall.ECONNRESET))
	})
	It("is socket-lost with EOF as cause after a FIN", func() {
		w := newWire()
		w.relay.finish()
		w.lost(is(io.EOF))
	})
	It("is socket-lost with the close code as cause", func() {
		w := newWire()
		w.relay.send([]byte("\x88\x06\x03\xf3boom")) // close, 1011
		w.lost(func(err error) bool {
			return Expect(err).To(MatchError(ContainSubstring("code 1011: boom")))
		})
	})
	It("is socket-lost after half a frame", func() {
		w := newWire()
		w.relay.send([]byte("\x81\x7e\x01\x00{"))
		w.relay.finish()
		w.lost(is(io.ErrUnexpectedEOF))
	})
	It("is socket-lost after a message that is not the protocol's", func() {
		w := newWire()
		w.relay.send([]byte("\x81\x05{\"id\""))
		w.lost(func(err error) bool { return errors.Unwrap(err) != nil })
	})
	It("is silent at the deadline when bytes are held, and the browser is silent too", func() {
		w := newWire()
		w.relay.hold()
		start := time.Now()
		err := <-evaluate(within(300*time.Millisecond), w.s, "1")
		Expect(err).To(beLoss(browser.Silent))
		Expect(time.Since(start)).To(BeNumerically("<", 2*time.Second))
		Expect(w.b.Alive(within(300 * time.Millisecond))).To(beLoss(browser.Silent))
		Expect(w.s.Lost()).To(Succeed(), "silence proves nothing")
	})
	It("is seen by the heartbeat when bytes are held, without any traffic", func() {
		w := newWire(chrome.WithHeartbeat(50*time.Millisecond, time.Second))
		Consistently(w.b.Lost, "300ms").Should(Succeed())
		w.relay.hold()
		Eventually(w.b.Lost, "5s").Should(beLoss(browser.SocketLost))
		w.lost(func(err error) bool { return !errors.Is(err, net.ErrClosed) })
	})
	It("is socket-lost with our own Close as cause", func() {
		w := newWire()
		Expect(w.b.Close()).To(Succeed())
		w.lost(is(net.ErrClosed))
	})
})

var _ = Describe("the end of a tab", func() {
	var (
		b  *chrome.Browser
		id browser.TargetID
		s  *chrome.Session
	)
	BeforeEach(func() {
		noLeak()
		id = tab(shared.Endpoint(), "about:blank")
		b = connect(shared.Endpoint())
		s = attach(b, id)
	})
	lost := func(flying <-chan error, kind browser.LossKind) {
		GinkgoHelper()
		var err error
		Eventually(flying, "3s").Should(Receive(&err))
		Expect(err).To(beLoss(kind))
		Expect(s.Lost()).To(beLoss(kind))
		Expect(b.Lost()).To(Succeed(), "one tab must not end the others (D30)")
		Expect(b.Alive(within(patience))).To(Succeed())
	}

	It("is target-closed when another client closes it", func() {
		flying := evaluate(within(patience), s, neverEnds)
		answers(s)
		Expect(connect(shared.Endpoint()).CloseTarget(within(patience), id)).To(Succeed())
		lost(flying, browser.TargetClosed)
		Expect(s.Call(within(patience), page.CommandReload, nil, nil)).
			To(beLoss(browser.TargetClosed))
		_, err := b.Attach(within(patience), id)
		Expect(err).To(beLoss(browser.TargetClosed))
	})
	It("gives a call made during the judgement the verdict, not session-stale", func() {
		Expect(b.CloseTarget(within(patience), id)).To(Succeed())
		for s.Lost() == nil {
			if err := <-evaluate(within(patience), s, neverEnds); err != nil {
				Expect(err).To(beLoss(browser.TargetClosed))
			}
		}
	})
	It("is session-stale when only the session was detached", func() {
		flying := evaluate(within(patience), s, neverEnds)
		answers(s)
		Expect(b.Call(within(patience), target.CommandDetachFromTarget,
			target.DetachFromTargetParams{SessionID: s.ID()}, nil)).To(Succeed())
		lost(flying, browser.SessionStale)
		answers(attach(b, id))
	})
	It("is target-crashed, and Page.reload in the same session mends it", func() {
		flying := evaluate(within(patience), s, neverEnds)
		answers(s)
		Expect(s.Call(within(patience), page.CommandCrash, nil, nil)).
			To(beLoss(browser.TargetCrashed))
		lost(flying, browser.TargetCrashed)
		_, err := b.Attach(within(patience), id)
		Expect(err).To(beLoss(browser.TargetCrashed), "crashed before we came (F228)")
		Expect(<-evaluate(within(patience), s, "1")).To(beLoss(browser.TargetCrashed))
		Expect(s.Call(within(patience), page.CommandReload, page.ReloadParams{}, nil)).To(Succeed())
		Eventually(s.Lost, patience).Should(Succeed())
		answers(s)
	})
	It("is mended by AttachBare when Attach refuses a crashed tab", func() {
		Expect(s.Call(within(patience), page.CommandCrash, nil, nil)).
			To(beLoss(browser.TargetCrashed))
		Expect(s.Close()).To(Succeed())
		bare, err := b.AttachBare(within(patience), id)
		Expect(err).NotTo(HaveOccurred())
		Expect(bare.Call(within(patience), page.CommandReload, page.ReloadParams{}, nil)).To(Succeed())
		Expect(bare.Close()).To(Succeed())
		answers(attach(b, id))
	})
	It("is silent at the deadline in an endless loop, while the browser answers", func() {
		other := attach(b, id)
		Expect(<-evaluate(within(300*time.Millisecond), s, loops)).To(beLoss(browser.Silent))
		Expect(s.Lost()).To(Succeed())
		Expect(b.Alive(within(patience))).To(Succeed())
		Expect(other.Call(within(patience), runtime.CommandTerminateExecution, nil, nil)).To(Succeed())
		answers(s)
	})
	It("is target-wedged at an attach to a tab in an endless loop", func() {
		_ = evaluate(within(patience), s, loops)
		slow := connect(shared.Endpoint(), chrome.WithAttachTimeout(300*time.Millisecond))
		Eventually(func() error {
			fresh, err := slow.Attach(within(patience), id)
			if err == nil { // the loop has not begun yet
				_ = fresh.Close()
			}
			return err
		}, "5s").Should(beLoss(browser.TargetWedged))
		Expect(s.Call(within(patience), runtime.CommandTerminateExecution, nil, nil)).To(Succeed())
	})
	It("is target-wedged at an attach to a tab with an orphan dialog, which a reload mends", func() {
		Expect(<-evaluate(within(patience), s, "void setTimeout(() => alert('x'))")).To(Succeed())
		Eventually(kinds(s), patience).Should(ContainElement(browser.DialogOpened))
		Expect(b.Close()).To(Succeed())
		b = connect(shared.Endpoint(), chrome.WithAttachTimeout(300*time.Millisecond))
		start := time.Now()
		_, err := b.Attach(within(patience), id)
		Expect(err).To(beLoss(browser.TargetWedged))
		Expect(time.Since(start)).To(BeNumerically("<", 3*time.Second))
		bare, err := b.AttachBare(within(patience), id)
		Expect(err).NotTo(HaveOccurred())
		Expect(bare.Call(within(patience), page.CommandReload, page.ReloadParams{}, nil)).To(Succeed())
		Expect(bare.Close()).To(Succeed())
		answers(attach(b, id))
	})
	It("ends calls at once when the session is closed, and leaves the tab", func() {
		flying := evaluate(within(patience), s, neverEnds)
		answers(s)
		Expect(s.Close()).To(Succeed())
		Expect(s.Close()).To(Succeed())
		var err error
		Eventually(flying, "1s").Should(Receive(&err))
		Expect(err).To(beLoss(browser.SessionStale))
		Expect(errors.Is(err, net.ErrClosed)).To(BeTrue())
		answers(attach(b, id))
	})
	It("gives a cancelled caller its own error", func() {
		ctx, cancel := context.WithCancel(context.Background())
		flying := evaluate(ctx, s, neverEnds)
		answers(s)
		cancel()
		var err error
		Eventually(flying, "1s").Should(Receive(&err))
		Expect(err).To(BeIdenticalTo(context.Canceled))
		answers(s)
	})
	It("gives a call without a deadline the dialer's", func() {
		quick := attach(connect(shared.Endpoint(), chrome.WithCallTimeout(200*time.Millisecond)), id)
		Expect(<-evaluate(context.Background(), quick, neverEnds)).To(beLoss(browser.Silent))
	})
	It("keeps the browser's errors", func() {
		err := s.Call(within(patience), "Foo.bar", nil, nil)
		var e *cdproto.Error
		Expect(errors.As(err, &e)).To(BeTrue())
		Expect(e.Code).To(BeEquivalentTo(-32601))
		Expect(err).To(MatchError(HavePrefix("Foo.bar: ")))
	})
})

var _ = Describe("the end of the browser", func() {
	BeforeEach(noLeak)

	// strikes an own browser with an evaluate in flight.
	start := func(opts ...chrome.Option) (*launch.Process, *chrome.Browser, <-chan error) {
		GinkgoHelper()
		p := ownBrowser(launch.Options{})
		b := connect(p.Endpoint(), opts...)
		id, err := b.Open(within(patience), "about:blank")
		Expect(err).NotTo(HaveOccurred())
		s := attach(b, id)
		flying := evaluate(within(patience), s, neverEnds)
		answers(s)
		return p, b, flying
	}
	ended := func(flying <-chan error, b *chrome.Browser) {
		GinkgoHelper()
		var err error
		Eventually(flying, "3s").Should(Receive(&err))
		Expect(err).To(beLoss(browser.SocketLost))
		Expect(b.Lost()).To(beLoss(browser.SocketLost))
	}

	It("is socket-lost after SIGKILL, and a new dial finds the browser gone", func() {
		p, b, flying := start()
		Expect(syscall.Kill(p.Pid(), syscall.SIGKILL)).To(Succeed())
		ended(flying, b)
		Eventually(p.Done(), patience).Should(BeClosed())
		_, err := chrome.NewDialer(p.Endpoint()).Dial(within(patience))
		Expect(err).To(beLoss(browser.BrowserGone))
		Expect(errors.Is(err, syscall.ECONNREFUSED)).To(BeTrue())
	})
	It("is socket-lost, not target-closed, after Browser.close of another client (D93)", func() {
		p, b, flying := start()
		raw(p.Endpoint(), &cdproto.Message{ID: 1, Method: cdpbrowser.CommandClose})
		ended(flying, b)
	})
	It("is socket-lost after SIGTERM", func() {
		p, b, flying := start()
		Expect(syscall.Kill(p.Pid(), syscall.SIGTERM)).To(Succeed())
		ended(flying, b)
	})
	It("is seen by the heartbeat when the browser is frozen, and a dial is silent", func() {
		p, b, flying := start(chrome.WithHeartbeat(50*time.Millisecond, time.Second))
		Expect(p.Signal(syscall.SIGSTOP)).To(Succeed())
		ended(flying, b)
		_, err := chrome.NewDialer(p.Endpoint()).Dial(within(300 * time.Millisecond))
		Expect(err).To(beLoss(browser.Silent))
		Expect(p.Signal(syscall.SIGCONT)).To(Succeed())
		_, err = chrome.NewDialer(p.Endpoint()).Dial(within(patience))
		Expect(err).NotTo(HaveOccurred())
	})
	It("is over with a browser at the same port: the endpoint is resolved anew (F260)", func() {
		p, b, flying := start()
		old := b.Address()
		Expect(p.Kill()).To(Succeed())
		ended(flying, b)
		Eventually(p.Done(), patience).Should(BeClosed())
		next := ownBrowser(launch.Options{Port: port(p.Endpoint())})
		Expect(next.Endpoint()).To(Equal(p.Endpoint()))
		for _, endpoint := range []string{p.Endpoint(), old} {
			again := connect(endpoint)
			Expect(again.Address()).NotTo(Equal(old))
			Expect(again.Alive(within(patience))).To(Succeed())
		}
	})
	It("is refused to our own commands", func() {
		b := connect(shared.Endpoint())
		for _, method := range []string{cdpbrowser.CommandClose, cdpbrowser.CommandCrash} {
			Expect(b.Call(within(patience), method, cdp.Empty{}, nil)).NotTo(Succeed())
		}
		Expect(b.Alive(within(patience))).To(Succeed())
	})
})
