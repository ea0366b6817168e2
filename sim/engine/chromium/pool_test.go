package chromium_test

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/sim/engine/chromium"
)

const patience = 20 * time.Second

func TestChromium(t *testing.T) {
	RegisterFailHandler(Fail)
	launchtest.Require(t)
	RunSpecs(t, "sim/engine/chromium")
}

// open opens a page through the lease's dialer and returns the pages that it sees.
func open(ctx context.Context, l *chromium.Lease) ([]browser.TargetInfo, error) {
	b, err := l.Dialer.Dial(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close() //nolint:errcheck // it always succeeds
	if _, err := b.Open(ctx, "about:blank"); err != nil {
		return nil, err
	}
	return b.Pages(ctx)
}

var _ = Describe("Pool", func() {
	var (
		temp string
		pool *chromium.Pool
		ctx  context.Context
	)
	BeforeEach(func() {
		before := goleak.IgnoreCurrent()
		DeferCleanup(func() { Expect(goleak.Find(before)).To(Succeed()) })
		var err error
		temp, err = os.MkdirTemp("", "ps-")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, temp)
		GinkgoT().Setenv("TMPDIR", temp)
		pool = chromium.NewPool(chromium.Options{})
		DeferCleanup(func() {
			Expect(pool.Close()).To(Succeed())
			Expect(pool.Close()).To(Succeed())
			left, err := os.ReadDir(temp)
			Expect(err).NotTo(HaveOccurred())
			Expect(left).To(BeEmpty())
		})
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), 3*patience)
		DeferCleanup(cancel)
	})
	acquire := func() *chromium.Lease {
		GinkgoHelper()
		l, err := pool.Acquire(ctx)
		Expect(err).NotTo(HaveOccurred())
		return l
	}

	It("starts no browser before it is asked", func() {
		Expect(os.ReadDir(temp)).To(BeEmpty())
	})
	It("gives concurrent scenarios contexts of their own in one browser", func() {
		leases := make([]*chromium.Lease, 6)
		var jobs errgroup.Group
		for i := range leases {
			jobs.Go(func() (err error) {
				if leases[i], err = pool.Acquire(ctx); err != nil {
					return err
				}
				pages, err := open(ctx, leases[i])
				if err == nil && len(pages) != 1 {
					err = fmt.Errorf("lease %d sees %d pages: %v", i, len(pages), pages)
				}
				return err
			})
		}
		Expect(jobs.Wait()).To(Succeed())
		Expect(os.ReadDir(temp)).To(HaveLen(1), "one browser")
		seen := map[string]bool{}
		for _, l := range leases {
			Expect(l.Endpoint).To(Equal(leases[0].Endpoint))
			Expect(l.Process).To(BeNil())
			Expect(seen).NotTo(HaveKey(l.ContextID))
			seen[l.ContextID] = true
		}
		Expect(leases[0].Close()).To(Succeed())
		Expect(leases[0].Close()).To(Succeed())
		_, err := open(ctx, leases[0])
		Expect(err).To(HaveOccurred(), "its context is gone")
		Expect(open(ctx, leases[1])).To(HaveLen(2))
	})
	It("disposes of a lease's tabs", func() {
		l := acquire()
		Expect(open(ctx, l)).To(HaveLen(1))
		all, err := chrome.NewDialer(l.Endpoint).Connect(ctx)
		Expect(err).NotTo(HaveOccurred())
		defer all.Close() //nolint:errcheck // it always succeeds
		pages := func() int {
			list, err := all.Pages(ctx)
			Expect(err).NotTo(HaveOccurred())
			return len(list)
		}
		before := pages()
		Expect(l.Close()).To(Succeed())
		Eventually(pages, patience).Should(Equal(before - 1))
	})
	It("gives a scenario that kills its browser one of its own", func() {
		mine, err := pool.AcquireOwn(ctx)
		Expect(err).NotTo(HaveOccurred())
		other := acquire()
		Expect(mine.Endpoint).NotTo(Equal(other.Endpoint))
		Expect(open(ctx, mine)).NotTo(BeEmpty())
		Expect(mine.Process.Kill()).To(Succeed())
		Eventually(mine.Process.Done(), patience).Should(BeClosed())
		_, err = mine.Dialer.Dial(ctx)
		Expect(err).To(MatchError(browser.ErrBrowserGone))
		Expect(mine.Close()).To(Succeed())
		Expect(open(ctx, other)).To(HaveLen(1))
	})
	It("starts the shared browser again when it was lost", func() {
		first := acquire()
		pid := sharedPid(temp)
		Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
		Eventually(func() error { _, err := first.Dialer.Dial(ctx); return err }, patience).
			Should(MatchError(browser.ErrBrowserGone))
		second := acquire()
		Expect(open(ctx, second)).To(HaveLen(1))
		Expect(first.Close()).To(Succeed())
	})
	It("leases nothing after Close and ends every lease with it", func() {
		own, err := pool.AcquireOwn(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(pool.Close()).To(Succeed())
		Expect(own.Process.Done()).To(BeClosed())
		_, err = pool.Acquire(ctx)
		Expect(err).To(MatchError(chromium.ErrPoolClosed))
		_, err = pool.AcquireOwn(ctx)
		Expect(err).To(MatchError(chromium.ErrPoolClosed))
	})
	It("starts nothing for a caller that has given up", func() {
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, err := pool.Acquire(gone)
		Expect(err).To(MatchError(context.Canceled))
		_, err = pool.AcquireOwn(gone)
		Expect(err).To(MatchError(context.Canceled))
		Expect(os.ReadDir(temp)).To(BeEmpty())
	})
})
