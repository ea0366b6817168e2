package web_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
)

func TestWeb(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "fakesite/web")
}

// chromium is the one browser of the suite; nil before the first spec that needs one.
var (
	chromium     context.Context
	stopChromium = func() {}
	secure       *web.Server // the site at https://chatgpt.com inside that browser
	leaks        goleak.Option
)

var _ = BeforeSuite(func() { leaks = goleak.IgnoreCurrent() })

var _ = AfterSuite(func() {
	stopChromium()
	if secure != nil {
		Expect(secure.Close()).To(Succeed())
	}
	// net/http gives the client of a refused request half a second to take the answer.
	Eventually(func() error { return goleak.Find(leaks) }).
		WithTimeout(5 * time.Second).Should(Succeed())
})

func startChromium(path string) {
	dir, err := os.MkdirTemp("", "fakesite-web")
	Expect(err).NotTo(HaveOccurred())
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(dir),
		chromedp.WindowSize(1200, 900), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	for _, flag := range secure.ChromiumFlags() {
		name, value := splitFlag(flag)
		opts = append(opts, chromedp.Flag(name, value))
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(allocator)
	Expect(chromedp.Do(ctx)).To(Succeed())
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err = chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{
				Name: name,
			}, Setting: browser.PermissionSettingGranted,
		})
		Expect(err).NotTo(HaveOccurred())
	}
	chromium = ctx
	stopChromium = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		cancelAllocator()
		Expect(os.RemoveAll(dir)).To(Succeed())
	}
}

func splitFlag(flag string) (name, value string) {
	for i := range flag {
		if flag[i] == '=' {
			return flag[2:i], flag[i+1:]
		}
	}
	return flag[2:], ""
}

// manual is a clock that stands still until a test moves it.
type manual struct {
	mu    sync.Mutex
	now   time.Time
	moved chan struct{}
}

func newManual() *manual {
	return &manual{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), moved: make(chan struct{})}
}

func (m *manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	close(m.moved)
	m.moved = make(chan struct{})
}

func (m *manual) Sleep(ctx context.Context, d time.Duration) error {
	until := m.Now().Add(d)
	for {
		m.mu.Lock()
		moved, reached := m.moved, !m.now.Before(until)
		m.mu.Unlock()
		if reached {
			return ctx.Err()
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (m *manual) WithTimeout(
	ctx context.Context,
	d time.Duration,
) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

func instantSite(o fakesite.Options) *fakesite.Site {
	return fakesite.New(fakesite.Config{Timing: fakesite.Instant(), Options: o})
}

// typical has the measured timing without the wait for the load event.
func typical() fakesite.Timing {
	t := fakesite.Typical()
	t.Load = 0
	return t
}

// stand is a server on a clock that the test moves.
type stand struct {
	*web.Server
	clock *manual
}

func newStand(cfg fakesite.Config) *stand {
	GinkgoHelper()
	s := &stand{clock: newManual()}
	var err error
	s.Server, err = web.Start(web.Options{
		Site: fakesite.New(
			cfg,
		), Clock: s.clock, Log: func(line string) { GinkgoWriter.Println(line) },
	})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(s.Close)
	return s
}

// pass moves the clock and pushes.
func (s *stand) pass(d time.Duration) int64 {
	s.clock.Advance(d)
	return s.Tick()
}

// said puts whole exchanges into a conversation, without any page.
func (s *stand) said(texts ...string) (conversation string) {
	GinkgoHelper()
	for i, text := range texts {
		s.Do(func(now time.Time, site *fakesite.Site) {
			c, m, why := site.Submit(now, fakesite.Post{
				ConversationID: conversation, MessageID: fmt.Sprintf("user-%d", i+1), Text: text,
			})
			Expect(why).To(Equal(fakesite.Taken))
			conversation = c.ID
			Expect(m).NotTo(BeNil())
		})
		s.pass(time.Hour)
	}
	return conversation
}

// received waits until the site has taken n messages.
func (s *stand) received(n int) {
	GinkgoHelper()
	Expect(s.Wait(soon(), func(_ time.Time, site *fakesite.Site) bool {
		return len(site.Ledger().Received()) >= n
	})).To(Succeed())
}

func soon() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	DeferCleanup(cancel)
	return ctx
}

// tab is one page of the browser.
type tab struct {
	ctx  context.Context
	site *stand
}

func needChromium() {
	GinkgoHelper()
	path := launchtest.Require(GinkgoTB())
	if chromium != nil {
		return
	}
	var err error
	secure, err = web.Start(web.Options{Site: instantSite(fakesite.Options{}), TLS: true})
	Expect(err).NotTo(HaveOccurred())
	startChromium(path)
}

// openTab opens a new tab at a path of the site and waits until it shows this moment.
func (s *stand) openTab(path string) *tab {
	GinkgoHelper()
	needChromium()
	ctx, cancel := chromedp.NewContext(chromium)
	DeferCleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	t := &tab{ctx: ctx, site: s}
	Expect(chromedp.Do(ctx)).To(Succeed())
	_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true})
	Expect(err).NotTo(HaveOccurred())
	t.visit(path)
	return t
}

func (t *tab) visit(path string) {
	GinkgoHelper()
	Expect(chromedp.Do(t.ctx, chromedp.Navigate(t.site.URL()+path))).To(Succeed())
	t.sync()
}

const untilRoot = `new Promise((done) => {
  const root = document.documentElement;
  const look = () => (%s) && (watch.disconnect(), done(true));
  const watch = new MutationObserver(look);
  watch.observe(root, { attributes: true });
  look();
})`

// until waits for a condition on the attributes of the root element, named root.
func (t *tab) until(condition string) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.ctx, 20*time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
		fmt.Sprintf(untilRoot, condition), chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred())
}

// sync pushes and waits until the tab shows that push.
func (t *tab) sync() {
	GinkgoHelper()
	t.until(fmt.Sprintf("Number(root.dataset.fakeVersion ?? -1) >= %d", t.site.Tick()))
}

// pass moves the site's clock and waits until the tab shows the new moment.
func (t *tab) pass(d time.Duration) {
	GinkgoHelper()
	t.site.clock.Advance(d)
	t.sync()
}

func eval[T any](t *tab, expression string) T {
	GinkgoHelper()
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred(), expression)
	return v
}

func (t *tab) has(selector string) bool {
	GinkgoHelper()
	return eval[bool](t, fmt.Sprintf("document.querySelector(%q) !== null", selector))
}

func (t *tab) count(selector string) int {
	GinkgoHelper()
	return eval[int](t, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

func (t *tab) text(selector string) string {
	GinkgoHelper()
	return eval[string](t, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

func (t *tab) insert(text string) {
	GinkgoHelper()
	_, err := chromedp.Call(t.ctx, input.InsertText, input.InsertTextParams{Text: text})
	Expect(err).NotTo(HaveOccurred())
}

func (t *tab) click(selector string) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.ctx, 10*time.Second)
	defer cancel()
	Expect(chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector)))).To(Succeed(), selector)
}

const (
	editor     = "#prompt-textarea"
	sendButton = "button[data-testid=send-button]"
	stopButton = "button[data-testid=stop-button]"
	userTurn   = "section[data-turn=user]"
	answerTurn = "section[data-turn=assistant]"
	answerBar  = answerTurn + " [data-testid=copy-turn-action-button]"
)

// write focuses the composer and types.
func (t *tab) write(text string) {
	GinkgoHelper()
	t.click(editor)
	t.insert(text)
}

// lines are the paragraphs of the composer.
func (t *tab) lines() []string {
	GinkgoHelper()
	return eval[[]string](
		t,
		`[...document.querySelector("#prompt-textarea").children].map(
			(p) => p.nodeName + ":" + p.textContent)`,
	)
}
