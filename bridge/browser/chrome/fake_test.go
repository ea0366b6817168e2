package chrome_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/page/probe"
)

// command is what the fake browser received.
type command struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
}

// fake is a browser whose misbehaviour no real one shows on demand. Its answer function returns the
// texts to send for a command; nil lets the default answer.
type fake struct {
	url    string
	answer func(command) []string

	mu       sync.Mutex
	received []command
}

func newFake(answer func(command) []string) *fake {
	f := &fake{answer: answer}
	srv := site(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/json/version" {
			fmt.Fprintf(w, `{"webSocketDebuggerUrl":"ws://%s/devtools/browser/x"}`, r.Host)
			return
		}
		c, _, _, err := ws.UpgradeHTTP(r, w)
		if err == nil {
			f.serve(c)
		}
	})
	f.url = srv.URL
	return f
}

func (f *fake) serve(c net.Conn) {
	defer c.Close() //nolint:errcheck // the client may be gone
	for {
		raw, err := wsutil.ReadClientText(c)
		if err != nil {
			return
		}
		var cmd command
		if json.Unmarshal(raw, &cmd) != nil {
			return
		}
		f.mu.Lock()
		f.received = append(f.received, cmd)
		f.mu.Unlock()
		for _, text := range f.reply(cmd) {
			if wsutil.WriteServerText(c, []byte(text)) != nil {
				return
			}
		}
	}
}

func (f *fake) reply(cmd command) []string {
	if out := f.answer(cmd); out != nil {
		return out
	}
	if cmd.Method == target.CommandAttachToTarget {
		return []string{fmt.Sprintf(`{"id":%d,"result":{"sessionId":"S"}}`, cmd.ID)}
	}
	return []string{fmt.Sprintf(`{"id":%d,"result":{}}`, cmd.ID)}
}

func (f *fake) methods() (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.received {
		names = append(names, c.Method)
	}
	return names
}

// on answers one method with texts, in which %d is the command's id.
func on(method string, texts ...string) func(command) []string {
	return func(c command) []string {
		if c.Method != method {
			return nil
		}
		out := []string{}
		for _, t := range texts {
			out = append(out, strings.ReplaceAll(t, "%d", fmt.Sprint(c.ID)))
		}
		return out
	}
}

const staleReply = `{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`

var _ = Describe("a browser that misbehaves", func() {
	BeforeEach(noLeak)
	session := func(f *fake, opts ...chrome.Option) (*chrome.Browser, *chrome.Session) {
		GinkgoHelper()
		b := connect(f.url, opts...)
		return b, attach(b, "T")
	}

	It("gives session-stale for -32001 without a session id (F102, F145)", func() {
		b, s := session(newFake(on(runtime.CommandEvaluate, staleReply)))
		err := <-evaluate(within(patience), s, "1")
		Expect(err).To(beLoss(browser.SessionStale))
		var e *cdproto.Error
		Expect(errors.As(err, &e)).To(BeTrue())
		Expect(e.Code).To(BeEquivalentTo(-32001))
		Expect(s.Lost()).To(beLoss(browser.SessionStale))
		Expect(b.Lost()).To(Succeed())
	})
	It("gets the verdict on the detach for a -32001 that follows it", func() {
		f := newFake(func(c command) []string {
			switch c.Method {
			case target.CommandGetTargets:
				return []string{fmt.Sprintf(`{"id":%d,"result":{"targetInfos":[]}}`, c.ID)}
			case runtime.CommandEvaluate:
				return []string{
					`{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`,
					strings.ReplaceAll(staleReply, "%d", fmt.Sprint(c.ID)),
				}
			}
			return nil
		})
		_, s := session(f)
		Expect(<-evaluate(within(patience), s, "1")).To(beLoss(browser.TargetClosed))
		Expect(s.Lost()).To(beLoss(browser.TargetClosed))
	})
	It("is sent nothing on a session that it has detached", func() {
		f := newFake(on("Detach.me", `{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`,
			`{"id":%d,"result":{}}`))
		_, s := session(f)
		Expect(s.Call(within(patience), "Detach.me", nil, nil)).To(Succeed())
		Expect(<-evaluate(within(patience), s, "1")).To(beLoss(browser.TargetClosed))
		Expect(f.methods()).NotTo(ContainElement(runtime.CommandEvaluate))
	})
	It("cannot confuse replies: unknown ids, repeats, noise and strangers are ignored", func() {
		_, s := session(newFake(on(runtime.CommandEvaluate,
			`{}`, `{"id":4711,"result":{}}`, `{"method":"No.such","params":{"a":[1]}}`,
			`{"method":"Inspector.targetCrashed","params":{},"sessionId":"other"}`,
			`{"method":"Target.detachedFromTarget","params":{"sessionId":"other"}}`,
			`{"method":"Target.detachedFromTarget","params":{"sessionId":7}}`,
			`{"method":"Network.requestWillBeSent","params":{"request":7},"sessionId":"S"}`,
			`{"id":%d,"result":{"result":{"type":"number","value":42}},"extra":1}`,
			`{"id":%d,"result":{"result":{"type":"number","value":43}}}`)))
		answers(s)
		answers(s)
		Expect(s.Drain(nil)).To(BeEmpty())
	})
	It("makes a reply that cannot be read an error that names the method, and no loss", func() {
		_, s := session(newFake(on(runtime.CommandEvaluate, `{"id":%d,"result":{"result":7}}`)))
		err := <-evaluate(within(patience), s, "1")
		Expect(err).To(MatchError(HavePrefix("Runtime.evaluate: the reply cannot be read")))
		_, lost := browser.AsLoss(err)
		Expect(lost).To(BeFalse())
		Expect(s.Lost()).To(Succeed())
	})
	It("makes an attach reply without a session id an error", func() {
		f := newFake(on(target.CommandAttachToTarget, `{"id":%d,"result":{}}`))
		_, err := connect(f.url).Attach(within(patience), "T")
		Expect(err).To(MatchError(ContainSubstring("names no session")))
	})
	It("is silent, not wedged, when it answers nothing during an attach", func() {
		f := newFake(func(c command) []string {
			if c.Method == target.CommandAttachToTarget {
				return nil
			}
			return []string{}
		})
		_, err := connect(f.url, chrome.WithAttachTimeout(50e6)).Attach(within(patience), "T")
		Expect(err).To(beLoss(browser.Silent))
	})
	It("never sees a command whose caller has given up", func() {
		f := newFake(on("none"))
		_, s := session(f)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		Expect(<-evaluate(ctx, s, "1")).To(BeIdenticalTo(context.Canceled))
		Expect(f.methods()).NotTo(ContainElement(runtime.CommandEvaluate))
	})
	It("sees a short attach, and no command that closes a tab or the browser (D34)", func() {
		f := newFake(on("none"))
		b, s := session(f)
		Expect(s.Close()).To(Succeed())
		Expect(b.Close()).To(Succeed())
		Expect(f.methods()).To(Equal([]string{
			target.CommandAttachToTarget, "Inspector.enable", "Network.enable", "Page.enable",
			"Emulation.setFocusEmulationEnabled", target.CommandDetachFromTarget,
		}))
	})
	It("gets parameters of every form: none, cdproto's, and types that marshal themselves", func() {
		f := newFake(on("none"))
		_, s := session(f)
		for _, params := range []any{
			nil,
			cdp.Empty{},
			runtime.EvaluateParams{Expression: "x"},
			probe.Eval[struct{}]{Name: "state"},
		} {
			var none cdp.Empty
			Expect(s.Call(within(patience), "X.y", params, &none)).To(Succeed())
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		got := f.received[len(f.received)-4:]
		Expect(got[0].Params).To(BeEmpty())
		Expect(got[1].Params).To(BeEmpty(), "cdproto leaves empty parameters out")
		Expect(string(got[2].Params)).To(MatchJSON(`{"expression":"x"}`))
		Expect(string(got[3].Params)).To(ContainSubstring("__bridge.state({})"))
		Expect(got[3].SessionID).To(Equal("S"))
	})
	It("refuses parameters that cannot be written, without a loss", func() {
		_, s := session(newFake(on("none")))
		err := s.Call(within(patience), "X.y", func() {}, nil)
		Expect(err).To(MatchError(HavePrefix("X.y: the parameters cannot be written")))
		Expect(s.Lost()).To(Succeed())
	})
	It("keeps a connection whose heartbeat waits behind other frames", func() {
		f := newFake(on(cdpbrowser.CommandGetVersion, `{"method":"No.such","params":{}}`))
		b := connect(f.url, chrome.WithHeartbeat(5e6, 30e6))
		Eventually(func() int { return len(f.methods()) }, patience).Should(BeNumerically(">=", 3))
		Expect(b.Lost()).To(Succeed())
	})
})
