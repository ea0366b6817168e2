package chrome_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
)

func port(endpoint string) int {
	GinkgoHelper()
	u, err := url.Parse(endpoint)
	Expect(err).NotTo(HaveOccurred())
	n, err := strconv.Atoi(u.Port())
	Expect(err).NotTo(HaveOccurred())
	return n
}

// listener answers each connection with answer, then keeps it open or closes it.
func listener(answer string, keep bool) string {
	GinkgoHelper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			defer c.Close() //nolint:errcheck // the other side may be gone
			_, _ = c.Read(make([]byte, 4096))
			_, _ = c.Write([]byte(answer))
			if !keep {
				_ = c.Close()
			}
		}
	}()
	DeferCleanup(func() { Expect(ln.Close()).To(Succeed()); <-ended })
	return "http://" + ln.Addr().String()
}

func site(h http.HandlerFunc) *httptest.Server {
	srv := httptest.NewServer(h)
	DeferCleanup(srv.Close)
	return srv
}

var _ = Describe("a dial", func() {
	BeforeEach(noLeak)
	dial := func(endpoint string, limit time.Duration) error {
		_, err := chrome.NewDialer(endpoint).Dial(within(limit))
		return err
	}

	It("finds the browser by each form of its endpoint", func() {
		host := shared.Endpoint()[len("http://"):]
		by := connect(shared.Endpoint())
		for _, e := range []string{host, "ws://" + host, "ws://" + host + "/", by.Address()} {
			Expect(connect(e).Alive(within(patience))).To(Succeed(), e)
		}
	})
	It("refuses a host that is not loopback, and endpoints of another form", func() {
		for _, e := range []string{
			"http://192.0.2.1:9222", "example.org:9222", "ws://example.org:1/devtools/browser/x",
			"http://127.0.0.1", "ftp://127.0.0.1:1", "", "http://u:p@127.0.0.1:1", "%zz",
		} {
			err := dial(e, patience)
			Expect(err).To(HaveOccurred(), e)
			_, lost := browser.AsLoss(err)
			Expect(lost).To(BeFalse(), e)
		}
	})
	It("is browser-gone when nothing listens", func() {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		Expect(ln.Close()).To(Succeed())
		Expect(dial(ln.Addr().String(), patience)).To(beLoss(browser.BrowserGone))
		Expect(dial("ws://"+ln.Addr().String()+"/devtools/browser/x", patience)).
			To(beLoss(browser.BrowserGone))
	})
	It("is browser-gone when what listens is no browser", func() {
		for _, body := range []string{"", "null", "[]", `{"webSocketDebuggerUrl":""}`} {
			srv := site(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
			Expect(dial(srv.URL, patience)).To(beLoss(browser.BrowserGone), body)
		}
		srv := site(http.NotFound)
		Expect(dial(srv.URL, patience)).To(beLoss(browser.BrowserGone))
		srv = site(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, shared.Endpoint()+"/json/version", http.StatusFound)
		})
		Expect(dial(srv.URL, patience)).To(beLoss(browser.BrowserGone), "no redirect is followed")
	})
	It("stays with the host that it was given, whatever the answer names", func() {
		srv := site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/json/version" {
				fmt.Fprintf(w, `{"webSocketDebuggerUrl":%q}`, connect(shared.Endpoint()).Address())
				return
			}
			http.Error(w, "busy", http.StatusServiceUnavailable)
		})
		err := dial(srv.URL, patience)
		Expect(err).To(beLoss(browser.BrowserGone))
		Expect(err).To(MatchError(ContainSubstring("503")))
	})
	It("is silent when the connection is accepted and nothing comes", func() {
		start := time.Now()
		Expect(dial(listener("", true), 300*time.Millisecond)).To(beLoss(browser.Silent))
		Expect(time.Since(start)).To(BeNumerically("<", 2*time.Second))
	})
	It("is socket-lost when the other side hangs up", func() {
		Expect(dial(listener("", false), patience)).To(beLoss(browser.SocketLost))
	})
	It("gives a cancelled caller its own error", func() {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err := chrome.NewDialer(listener("", true)).Dial(ctx)
		Expect(err).To(BeIdenticalTo(context.Canceled))
	})
})
