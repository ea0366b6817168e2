package probe_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"github.com/chromedp/cdproto/runtime"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/bridge/page/probe"
)

func TestProbe(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "probe")
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(
		"github.com/onsi/ginkgo/v2/internal/interrupt_handler."+
			"(*InterruptHandler).registerForInterrupts.func2"))
}

// stage is one Chromium and one server with the fixtures, for all specs.
type stage struct {
	process *launch.Process
	browser browser.Browser
	server  *httptest.Server
	busy    chan struct{} // hears of a page that asks for /busy

	mu      sync.Mutex
	session func() (int, string)
	record  func(bearer, id string) (int, string)
}

var theStage *stage

// needBrowser starts the stage at the first spec that needs one. A missing browser fails under CI
// and is a loud skip elsewhere.
func needBrowser() *stage {
	GinkgoHelper()
	if theStage != nil {
		return theStage
	}
	launchtest.Require(GinkgoTB())
	s := &stage{busy: make(chan struct{}, 1)}
	ctx := context.Background()
	var err error
	s.process, err = launch.Launch(ctx, launch.Options{})
	Expect(err).NotTo(HaveOccurred())
	s.browser, err = chrome.NewDialer(s.process.Endpoint()).Dial(ctx)
	Expect(err).NotTo(HaveOccurred())
	s.server = httptest.NewServer(s.routes())
	theStage = s
	return s
}

var _ = AfterSuite(func() {
	if s := theStage; s != nil {
		s.server.Close()
		Expect(s.browser.Close()).To(Succeed())
		Expect(s.process.Close()).To(Succeed())
	}
})

func (s *stage) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/auth/session", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		status, body := s.session()
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	})
	mux.HandleFunc("GET /backend-api/conversation/{id}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		status, body := s.record(bearer, r.PathValue("id"))
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	})
	mux.HandleFunc("GET /busy", func(http.ResponseWriter, *http.Request) { s.busy <- struct{}{} })
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Query().Get("page"))
		http.ServeFile(w, r, filepath.Join("testdata", name+".html"))
	})
	return mux
}

// tab is an attached page with the probe in its document.
type tab struct {
	browser.Session
	ctx context.Context
}

// open shows a fixture at a path and installs the probe once the document is parsed.
func open(path, fixture string) *tab {
	GinkgoHelper()
	s := needBrowser()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	DeferCleanup(cancel)
	id, err := s.browser.Open(ctx, s.server.URL+path+"?page="+fixture)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Expect(s.browser.CloseTarget(context.Background(), id)).To(Succeed()) })
	session, err := s.browser.Attach(ctx, id)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(session.Close)
	t := &tab{session, ctx}
	Eventually(func() string { return eval[string](t, "location.pathname + document.readyState") }).
		WithTimeout(10 * time.Second).Should(Equal(path + "complete"))
	Expect(probe.DoInstall(ctx, session)).To(Succeed())
	return t
}

// eval runs a script of the test itself in the page.
func eval[T any](t *tab, script string) T {
	GinkgoHelper()
	yes, r := true, probe.Reply[T]{}
	err := t.Call(t.ctx, probe.MethodEvaluate, runtime.EvaluateParams{
		Expression: script, ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes,
	}, &r)
	Expect(err).NotTo(HaveOccurred())
	Expect(r.Exception).To(BeEmpty())
	return r.Value
}

// run is eval for its effect.
func run(t *tab, script string) {
	GinkgoHelper()
	eval[any](t, script+";undefined")
}

func do[A, R any](t *tab, p probe.Probe[A, R], args A) R {
	GinkgoHelper()
	r, err := probe.Do(t.ctx, t.Session, p, args)
	Expect(err).NotTo(HaveOccurred())
	return r
}
