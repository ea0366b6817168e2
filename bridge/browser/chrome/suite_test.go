package chrome_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
)

// patience bounds everything that a test waits for on a busy machine; no test waits for it in vain.
const patience = 20 * time.Second

// shared is the browser of all specs that leave it as they found it.
var (
	shared  *launch.Process
	tempDir string
)

func TestChrome(t *testing.T) {
	RegisterFailHandler(Fail)
	launchtest.Require(t)
	RunSpecs(t, "bridge/browser/chrome")
}

var _ = BeforeSuite(func() {
	var err error
	tempDir, err = os.MkdirTemp("", "bs-")
	Expect(err).NotTo(HaveOccurred())
	Expect(os.Setenv("TMPDIR", tempDir)).To(Succeed())
	shared, err = launch.Launch(context.Background(), launch.Options{})
	Expect(err).NotTo(HaveOccurred())
})

var _ = AfterSuite(func() {
	if shared != nil {
		Expect(shared.Close()).To(Succeed())
	}
	left, err := os.ReadDir(tempDir)
	Expect(err).NotTo(HaveOccurred())
	Expect(left).To(BeEmpty(), "temporary folders of browsers")
	Expect(processesUsing(tempDir)).To(BeEmpty(), "browser processes")
	Expect(os.RemoveAll(tempDir)).To(Succeed())
})

// processesUsing lists the processes whose command line names dir.
func processesUsing(dir string) []string {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var found []string
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(line), dir) {
			found = append(found, f+": "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// noLeak checks, as the last cleanup of the current spec, that it left no goroutine.
func noLeak() {
	before := goleak.IgnoreCurrent()
	DeferCleanup(func() { Expect(goleak.Find(before)).To(Succeed()) })
}

// frameLog is the spec's protocol log; its path is printed when the spec fails.
func frameLog() chrome.Option {
	f, err := os.CreateTemp("/tmp", "chrome-frames-*.log")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		Expect(f.Close()).To(Succeed())
		if CurrentSpecReport().Failed() {
			AddReportEntry("protocol log", f.Name())
			return
		}
		Expect(os.Remove(f.Name())).To(Succeed())
	})
	return chrome.WithFrameLog(chrome.LogTo(f))
}

func within(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	DeferCleanup(cancel)
	return ctx
}

// connect dials endpoint for the length of the spec.
func connect(endpoint string, opts ...chrome.Option) *chrome.Browser {
	GinkgoHelper()
	b, err := chrome.NewDialer(endpoint, append(opts, frameLog())...).Connect(within(patience))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(b.Close)
	return b
}

// tab opens a page for the length of the spec, through a connection of its own.
func tab(endpoint, url string) browser.TargetID {
	GinkgoHelper()
	b := connect(endpoint)
	id, err := b.Open(within(patience), url)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { // it may be gone, or its browser
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := b.CloseTarget(ctx, id); err != nil {
			Expect(err).To(Or(beLoss(browser.TargetClosed), beLoss(browser.SocketLost)))
		}
	})
	return id
}

func attach(b *chrome.Browser, id browser.TargetID) *chrome.Session {
	GinkgoHelper()
	s, err := b.Attach(within(patience), id)
	Expect(err).NotTo(HaveOccurred())
	return s.(*chrome.Session)
}

// ownBrowser starts a process that the spec may kill.
func ownBrowser(o launch.Options) *launch.Process {
	GinkgoHelper()
	p, err := launch.Launch(context.Background(), o)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(p.Close)
	return p
}
