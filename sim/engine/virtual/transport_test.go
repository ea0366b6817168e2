package virtual_test

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/sim/engine/virtual"
	"bridgesim/sim/event"
)

// try asks for the document's name under a deadline of five seconds.
func (c *client) try() error {
	ctx, cancel := c.c.WithTimeout(background, 5*time.Second)
	defer cancel()
	_, err := probe.Do(ctx, c.s, probe.Hello, probe.HelloArgs{})
	return err
}

func (c *client) reattach(id browser.TargetID) error {
	ctx, cancel := c.c.WithTimeout(background, 5*time.Second)
	defer cancel()
	s, err := c.conn.Attach(ctx, id)
	if err == nil {
		c.s = s
	}
	return err
}

var _ = Describe("a loss", func() {
	type step func(w *world, c *client, tab browser.TargetID)

	DescribeTable("has its kind, at the call and when polled",
		func(strike step, kind error, lost bool) {
			play(worldOptions{}, func(w *world, c *client) {
				tab := c.attach(base + "/")
				Expect(c.s.Lost()).To(Succeed())
				strike(w, c, tab)
				err := c.try()
				Expect(err).To(MatchError(kind))
				l, ok := browser.AsLoss(err)
				Expect(ok).To(BeTrue())
				Expect(l.During).To(Equal(probe.MethodEvaluate))
				if lost {
					Expect(c.s.Lost()).To(MatchError(kind))
				} else {
					Expect(c.s.Lost()).To(Succeed())
				}
			})
		},
		Entry("tab closed", step(func(w *world, _ *client, tab browser.TargetID) { w.b.CloseTab(tab) }),
			browser.ErrTargetClosed, true),
		Entry("renderer crashed",
			step(func(w *world, _ *client, tab browser.TargetID) { w.b.CrashTab(tab) }),
			browser.ErrTargetCrashed, true),
		Entry("renderer loops", step(func(w *world, _ *client, tab browser.TargetID) {
			w.b.WedgeTab(tab, virtual.HangLoop)
		}), browser.ErrSilent, false),
		Entry("detached by another client",
			step(func(w *world, _ *client, tab browser.TargetID) { w.b.DetachTab(tab) }),
			browser.ErrSessionStale, true),
		Entry("attached anew", step(func(_ *world, c *client, tab browser.TargetID) {
			must(c.conn.Attach(background, tab))
		}), browser.ErrSessionStale, true),
		Entry("socket cut", step(func(w *world, _ *client, _ browser.TargetID) { w.b.SeverSockets() }),
			browser.ErrSocketLost, true),
		Entry("browser killed", step(func(w *world, _ *client, _ browser.TargetID) { w.b.Kill() }),
			browser.ErrSocketLost, true),
		Entry("browser stopped", step(func(w *world, _ *client, _ browser.TargetID) { w.b.Freeze() }),
			browser.ErrSilent, false),
		Entry("closed by ourselves", step(func(_ *world, c *client, _ browser.TargetID) {
			Expect(c.s.Close()).To(Succeed())
		}), browser.ErrSessionStale, true),
	)

	It("of a stale session carries the browser's own code", func() {
		play(worldOptions{}, func(_ *world, c *client) {
			tab := c.attach(base + "/")
			must(c.conn.Attach(background, tab))
			var e *cdproto.Error
			Expect(errors.As(c.try(), &e)).To(BeTrue())
			Expect(*e).To(Equal(cdproto.Error{Code: -32001, Message: "Session with given id not found."}))
		})
	})

	It("of the socket leaves tab, document, script and text as they are", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.typed("half a message")
			w.b.SeverSockets()
			Expect(c.conn.Lost()).To(MatchError(browser.ErrSocketLost))
			Expect(w.b.Tabs()[0].Attached).To(BeFalse())
			c.conn = must(c.port.Dial(background))
			Expect(c.reattach(tab)).To(Succeed())
			Expect(c.composer().Text).To(Equal("half a message"))
			Expect(c.hello("new").Name).To(Equal("doc-1"))
		})
	})

	It("of the browser: dial refused, then another browser without the tabs", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.Kill()
			_, err := c.port.Dial(background)
			Expect(err).To(MatchError(browser.ErrBrowserGone))
			w.b.Relaunch()
			c.conn = must(c.port.Dial(background))
			Expect(must(c.conn.Pages(background))).To(BeEmpty())
			Expect(c.reattach(tab)).To(MatchError(browser.ErrTargetClosed))
			Expect(c.conn.CloseTarget(background, tab)).To(MatchError(browser.ErrTargetClosed))
		})
	})

	It("by a deadline moves the clock there and no further", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.WedgeTab(tab, virtual.HangLoop)
			from := c.c.Now()
			Expect(c.try()).To(MatchError(browser.ErrSilent))
			Expect(c.c.Now().Sub(from)).To(Equal(5 * time.Second))
			Expect(c.reattach(tab)).To(MatchError(browser.ErrTargetWedged),
				"the browser answers, the tab does not")
		})
	})

	It("without a deadline is a hang, and a violation", func() {
		w := newWorld(worldOptions{})
		defer w.loop.Close()
		err := w.run(func(c *client) {
			tab := c.attach(base + "/")
			w.b.WedgeTab(tab, virtual.HangLoop)
			c.hello("x")
		})
		Expect(err).To(MatchError(event.ErrHang))
	})

	It("ends a call in flight at once when its session ends", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.WedgeTab(tab, virtual.HangLoop)
			for name, strike := range map[error]func(){
				browser.ErrTargetCrashed: func() { w.b.CrashTab(tab) },
				browser.ErrSocketLost:    w.b.SeverSockets,
			} {
				from := c.c.Now()
				w.loop.After(time.Second, strike)
				Expect(c.try()).To(MatchError(name))
				Expect(c.c.Now().Sub(from)).To(Equal(time.Second))
				c.conn = must(c.port.Dial(background))
				s := must(c.conn.(*virtual.Conn).AttachBare(background, tab))
				Expect(s.Call(background, cdppage.CommandNavigate, cdppage.NavigateParams{URL: "about:blank"},
					nil)).
					To(Succeed())
				Expect(c.reattach(tab)).To(Succeed())
				w.b.WedgeTab(tab, virtual.HangLoop)
			}
		})
	})
})

var _ = Describe("mending a tab", func() {
	reload := func(s browser.Session) error {
		return s.Call(background, cdppage.CommandReload, cdppage.ReloadParams{}, nil)
	}
	navigate := func(s browser.Session, url string) error {
		_, err := browser.Call(background, s, cdppage.Navigate, cdppage.NavigateParams{URL: url})
		return err
	}
	bare := func(c *client, tab browser.TargetID) browser.Session {
		return must(c.conn.(*virtual.Conn).AttachBare(background, tab))
	}

	It("brings a crashed renderer back in the same session", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.CrashTab(tab)
			Expect(c.try()).To(MatchError(browser.ErrTargetCrashed))
			Expect(c.reattach(tab)).To(MatchError(browser.ErrTargetCrashed))
			Expect(reload(c.s)).To(Succeed())
			Expect(c.s.Lost()).To(Succeed())
			Expect(c.try()).To(MatchError(probe.ErrNoProbe))
		})
	})

	It("frees a looping tab by another site only; a reload that succeeds proves nothing", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.WedgeTab(tab, virtual.HangLoop)
			Expect(reload(c.s)).To(Succeed())
			Expect(navigate(c.s, base+"/")).To(Succeed())
			Expect(c.try()).To(MatchError(browser.ErrSilent))
			Expect(navigate(c.s, "about:blank")).To(Succeed())
			Expect(navigate(c.s, base+"/")).To(Succeed())
			Expect(c.try()).To(MatchError(probe.ErrNoProbe))
		})
	})

	It("terminates a loop from a session of before, never from a later one", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			old := c.s
			terminate := func(s browser.Session) error {
				ctx, cancel := c.c.WithTimeout(background, time.Second)
				defer cancel()
				return s.Call(ctx, runtime.CommandTerminateExecution, cdp.Empty{}, nil)
			}
			w.b.WedgeTab(tab, virtual.HangLoop)
			Expect(terminate(old)).To(Succeed())
			Expect(c.try()).To(Succeed())
			w.b.WedgeTab(tab, virtual.HangLoop)
			Expect(terminate(bare(c, tab))).To(MatchError(browser.ErrSilent))
		})
	})

	It("reloads an orphan dialog away, and stops a navigation that hangs", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			w.b.WedgeTab(tab, virtual.HangDialog)
			Expect(c.s.Drain(nil)).To(ContainElement(HaveField("Kind", browser.DialogOpened)))
			Expect(c.try()).To(MatchError(browser.ErrSilent))
			Expect(reload(c.s)).To(Succeed())
			c.install()
			w.b.MuteSite(true)
			ctx, cancel := c.c.WithTimeout(background, time.Second)
			defer cancel()
			Expect(c.s.Call(ctx, cdppage.CommandReload, cdppage.ReloadParams{},
				nil)).To(MatchError(browser.ErrSilent))
			Expect(c.try()).To(MatchError(browser.ErrSilent))
			Expect(c.s.Call(background, cdppage.CommandStopLoading, cdp.Empty{}, nil)).To(Succeed())
			Expect(c.try()).To(Succeed(), "the old page answers again")
		})
	})

	It("refuses a malformed address and answers a navigation with the frame", func() {
		play(worldOptions{}, func(_ *world, c *client) {
			tab := c.attach(base + "/")
			r, err := browser.Call(background, c.s, cdppage.Navigate,
				cdppage.NavigateParams{URL: "no address"})
			var e *cdproto.Error
			Expect(errors.As(err, &e)).To(BeTrue())
			Expect(e.Code).To(BeEquivalentTo(-32000))
			Expect(r.FrameID).To(BeEmpty())
			r = must(browser.Call(background, c.s, cdppage.Navigate,
				cdppage.NavigateParams{URL: base + "/"}))
			Expect(string(r.FrameID)).To(Equal(string(tab)))
		})
	})
})

var _ = Describe("late effects", func() {
	click := func(c *client, s browser.Session) {
		for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
			ctx, cancel := c.c.WithTimeout(background, time.Second)
			err := s.Call(ctx, input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: 1008, Y: 712, Button: input.MouseButtonLeft, ClickCount: 1,
			}, nil)
			cancel()
			Expect(err).To(MatchError(browser.ErrSilent))
		}
	}

	It("a click in a busy renderer fires when it is free, also after its session is gone", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.typed("text")
			w.b.WedgeTab(tab, virtual.HangLoop)
			click(c, c.s)
			w.b.SeverSockets()
			Expect(w.site.Ledger().Entries()).To(BeEmpty())
			w.b.FreeTab(tab)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
		})
	})

	It("a page read of the next session comes behind it", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.typed("text")
			ask(c, probe.Fence, probe.FenceArgs{Token: "t", Text: "text"})
			w.b.WedgeTab(tab, virtual.HangLoop)
			click(c, c.s)
			w.loop.After(time.Second, func() { w.b.FreeTab(tab) })
			f := ask(c, probe.Revoke, probe.None{})
			Expect(f.Passed).To(Equal(1), "the answer waited behind the click")
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
		})
	})

	It("a new document, a crash or a closed tab swallows it", func() {
		for name, strike := range map[string]func(*virtual.Browser, browser.TargetID){
			"reload": func(b *virtual.Browser, t browser.TargetID) {
				b.NavigateTab(t, "about:blank")
				b.NavigateTab(t, base+"/")
			},
			"crash": func(b *virtual.Browser, t browser.TargetID) { b.CrashTab(t) },
			"close": func(b *virtual.Browser, t browser.TargetID) { b.CloseTab(t) },
		} {
			play(worldOptions{}, func(w *world, c *client) {
				tab := c.attach(base + "/")
				c.typed("text")
				w.b.WedgeTab(tab, virtual.HangLoop)
				click(c, c.s)
				strike(w.b, tab)
				w.b.FreeTab(tab)
				Expect(w.site.Ledger().Entries()).To(BeEmpty(), name)
			})
		}
	})

	It("a stopped browser carries out what it was sent when it goes on", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed("text")
			w.b.Freeze()
			click(c, c.s)
			w.loop.After(time.Second, w.b.Thaw)
			conn := must(c.port.Dial(background))
			Expect(conn.Lost()).To(Succeed(), "the dial is answered after SIGCONT")
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
		})
	})
})
