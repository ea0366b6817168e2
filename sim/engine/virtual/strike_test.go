package virtual_test

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/engine/virtual"
)

// struck is a client behind an interposer, with a typed message.
type struck struct {
	w      *world
	c      *client
	i      *faults.Interposer
	clock  clock.Clock
	dialer browser.Dialer
	conn   browser.Browser
	s      browser.Session
	tab    browser.TargetID
	events []faults.Event
}

// under plays f with a schedule; the client has a tab with "text" in its composer.
func under(o virtual.StrikerOptions, text string, f func(x *struck)) (killed *faults.Killed) {
	GinkgoHelper()
	fault, err := faults.ParseFault(text)
	Expect(err).NotTo(HaveOccurred())
	play(worldOptions{}, func(w *world, c *client) {
		x := &struck{w: w, c: c}
		after := func(d time.Duration, f func()) { w.loop.After(d, f) }
		x.i = faults.New(faults.Schedule{fault}, virtual.NewStriker(w.b, o), x.hear,
			faults.Ports{After: after, AfterReal: after})
		killed = x.i.Survive(func() {
			x.clock, x.dialer = x.i.Clock(w.loop.Clock(c.p)), x.i.Dialer(c.port)
			x.open()
			f(x)
		})
		Expect(x.i.Unreached()).To(BeEmpty())
	})
	return killed
}

func (x *struck) hear(e faults.Event) { x.events = append(x.events, e) }

func (x *struck) open() {
	x.i.Op(point.Connect, 0)
	x.conn = must(x.dialer.Dial(background))
	x.i.Op(point.OpenPage, 0)
	x.tab = must(x.conn.Open(background, base+"/"))
	Expect(x.attach()).To(Succeed())
	x.c.s, x.c.conn = x.s, x.conn
	x.c.install()
	x.c.typed("text")
	x.c.mouse("mousePressed", 1008, 712)
}

func (x *struck) attach() error {
	x.i.Op(point.Attach, 0)
	ctx, cancel := x.clock.WithTimeout(background, 10*time.Second)
	defer cancel()
	s, err := x.conn.Attach(ctx, x.tab)
	if err == nil {
		x.s, x.c.s = s, s
	}
	return err
}

// again dials and attaches anew.
func (x *struck) again() error {
	ctx, cancel := x.clock.WithTimeout(background, 10*time.Second)
	defer cancel()
	x.i.Op(point.Connect, 0)
	b, err := x.dialer.Dial(ctx)
	if err != nil {
		return err
	}
	x.conn = b
	return x.attach()
}

// submit releases the mouse under the operation that the schedules of this file name.
func (x *struck) submit() (took time.Duration, err error) {
	ctx, cancel := x.clock.WithTimeout(background, 10*time.Second)
	defer cancel()
	from := x.clock.Now()
	x.i.Op(point.SendSubmit, 1)
	_, err = browser.Call(ctx, x.s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: "mouseReleased", X: 1008, Y: 712, Button: input.MouseButtonLeft, ClickCount: 1,
	})
	return x.clock.Now().Sub(from), err
}

func (x *struck) received() int { return len(x.w.site.Ledger().Received()) }

// alive asks the page under a deadline.
func (x *struck) alive() error {
	x.i.Op(point.GuardCheck, 1)
	ctx, cancel := x.clock.WithTimeout(background, 10*time.Second)
	defer cancel()
	_, err := probe.Do(ctx, x.s, probe.Guard, probe.None{})
	return err
}

const (
	before = " at send.submit@1#1/before"
	after  = " at send.submit@1#1/after"
	late   = " at send.submit@1#1/late"
)

var _ = Describe("the striker", func() {
	DescribeTable("the send triple: one loss for the bridge, three fates of the message",
		func(phase string, now, later int) {
			under(virtual.StrikerOptions{}, "sever"+phase, func(x *struck) {
				took, err := x.submit()
				Expect(err).To(MatchError(browser.ErrSocketLost))
				Expect(took).To(BeZero())
				Expect(x.received()).To(Equal(now))
				Expect(x.s.Lost()).To(MatchError(browser.ErrSocketLost))
				Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
				Expect(x.received()).To(Equal(later))
				Expect(
					x.s.Drain(nil),
				).NotTo(ContainElement(HaveField("Kind", browser.MessagePosted)))
				Expect(x.again()).To(Succeed(), "browser, tab and document live")
				Expect(x.alive()).To(Succeed())
			})
		},
		Entry(nil, before, 0, 0),
		Entry(nil, after, 1, 1),
		Entry(nil, late, 0, 1),
	)
	It("lets a late effect come before the first look of the next session", func() {
		for _, text := range []string{"sever" + late, "detach" + late} {
			under(virtual.StrikerOptions{}, text, func(x *struck) {
				_, err := x.submit()
				_, lost := browser.AsLoss(err)
				Expect(lost).To(BeTrue())
				Expect(x.received()).To(BeZero())
				Expect(x.again()).To(Succeed())
				Expect(x.received()).To(Equal(1), text)
				Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
				Expect(x.received()).To(Equal(1), "once")
			})
		}
	})
	It("lets it go with its document", func() {
		under(virtual.StrikerOptions{}, "sever"+late, func(x *struck) {
			_, _ = x.submit()
			x.w.b.ReloadTab(x.tab)
			Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
			Expect(x.received()).To(BeZero())
		})
	})
	It("lets what a killed pi left behind act when it is gone", func() {
		var w *world
		killed := under(virtual.StrikerOptions{}, "kill-pi"+late, func(x *struck) {
			w = x.w
			w.loop.After(virtual.LateAfter/2, func() { Expect(x.received()).To(BeZero()) })
			_, _ = x.submit()
		})
		Expect(killed).NotTo(BeNil())
		Expect(w.b.Tabs()[0].Attached).To(BeFalse())
	})

	DescribeTable("strikes before: the page never saw the click",
		func(kind faults.Kind, want error, waits bool) {
			under(virtual.StrikerOptions{}, string(kind)+before, func(x *struck) {
				took, err := x.submit()
				Expect(err).To(MatchError(want))
				Expect(took == 10*time.Second).To(Equal(waits), "%s", took)
				Expect(x.received()).To(BeZero())
				Expect(x.events[2].Stage).To(Equal(faults.Applied))
				Expect(x.events[2].Evidence).NotTo(BeEmpty())
			})
		},
		Entry(nil, faults.Sever, browser.ErrSocketLost, false),
		Entry(nil, faults.HalfOpen, browser.ErrSilent, true),
		Entry(nil, faults.Detach, browser.ErrSessionStale, false),
		Entry(nil, faults.CloseTab, browser.ErrTargetClosed, false),
		Entry(nil, faults.CrashTab, browser.ErrTargetCrashed, false),
		Entry(nil, faults.WedgeTab, browser.ErrSilent, true),
		Entry(nil, faults.KillBrowser, browser.ErrSocketLost, false),
		Entry(nil, faults.Relaunch, browser.ErrSocketLost, false),
		Entry(nil, faults.FreezeBrowser, browser.ErrSilent, true),
	)
	It("drops a click behind a dialog with a good answer, while the page is silent", func() {
		under(virtual.StrikerOptions{}, "dialog"+before+" with for=30s", func(x *struck) {
			_, err := x.submit()
			Expect(err).NotTo(HaveOccurred())
			Expect(x.alive()).To(MatchError(browser.ErrSilent))
			Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
			Expect(x.alive()).To(Succeed())
			Expect(x.received()).To(BeZero(), "it is gone for good")
		})
	})
	DescribeTable("strikes after: the message is there, the answer is not",
		func(kind faults.Kind, want error, waits bool) {
			under(virtual.StrikerOptions{}, string(kind)+after, func(x *struck) {
				took, err := x.submit()
				Expect(err).To(MatchError(want))
				Expect(took == 10*time.Second).To(Equal(waits), "%s", took)
				Expect(x.received()).To(Equal(1))
			})
		},
		Entry(nil, faults.Sever, browser.ErrSocketLost, false),
		Entry(nil, faults.HalfOpen, browser.ErrSilent, true),
		Entry(nil, faults.Corrupt, browser.ErrSocketLost, false),
		Entry(nil, faults.DropCall, browser.ErrSilent, true),
		Entry(nil, faults.Detach, browser.ErrSessionStale, false),
		Entry(nil, faults.CloseTab, browser.ErrTargetClosed, false),
		Entry(nil, faults.CrashTab, browser.ErrTargetCrashed, false),
		Entry(nil, faults.WedgeTab, browser.ErrSilent, true),
		Entry(nil, faults.Dialog, browser.ErrSilent, true),
		Entry(nil, faults.KillBrowser, browser.ErrSocketLost, false),
		Entry(nil, faults.Relaunch, browser.ErrSocketLost, false),
		Entry(nil, faults.FreezeBrowser, browser.ErrSilent, true),
	)
	It("leaves a half-open connection deaf and dumb, and its heartbeat finds it", func() {
		under(
			virtual.StrikerOptions{Heartbeat: 20 * time.Second},
			"half-open"+before,
			func(x *struck) {
				_, _ = x.submit()
				Expect(x.s.Lost()).To(Succeed(), "silence proves nothing")
				x.w.b.ReloadTab(x.tab)
				Expect(x.s.Drain(nil)).To(BeEmpty())
				Expect(x.clock.Sleep(background, 15*time.Second)).To(Succeed())
				Expect(x.s.Lost()).To(MatchError(browser.ErrSocketLost))
				Expect(x.again()).To(Succeed())
			},
		)
	})
	It("holds a stalled line back: what waits passes, or acts when its caller is gone", func() {
		under(virtual.StrikerOptions{}, "stall"+before+" with for=4s", func(x *struck) {
			took, err := x.submit()
			Expect(err).NotTo(HaveOccurred())
			Expect(took).To(Equal(4 * time.Second))
			Expect(x.received()).To(Equal(1))
			Expect(x.alive()).To(Succeed())
		})
		under(virtual.StrikerOptions{}, "stall"+before+" with for=15s", func(x *struck) {
			took, err := x.submit()
			Expect(err).To(MatchError(browser.ErrSilent))
			Expect(took).To(Equal(10 * time.Second))
			Expect(x.received()).To(BeZero())
			Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
			Expect(x.received()).To(Equal(1), "it was written before its caller gave up")
		})
	})
	It("changes what the tab shows", func() {
		for text, want := range map[string]string{
			"reload" + before:                              base + "/",
			"navigate-away" + before:                       "data:text/html,another%20site",
			"switch-conversation" + after + " with text=/": base + "/",
		} {
			under(virtual.StrikerOptions{}, text, func(x *struck) {
				_, _ = x.submit()
				Expect(x.w.b.Tabs()[0].URL).To(Equal(want), text)
			})
		}
	})
	It("loses script and fence with a document, and not with another conversation in it", func() {
		under(virtual.StrikerOptions{}, "reload"+before, func(x *struck) {
			_, _ = x.submit()
			Expect(x.alive()).To(MatchError(probe.ErrNoProbe))
		})
		under(virtual.StrikerOptions{}, "switch-conversation"+after, func(x *struck) {
			_, err := x.submit()
			Expect(err).NotTo(HaveOccurred())
			Expect(x.alive()).To(Succeed())
		})
	})
	It("lets another client type", func() {
		under(
			virtual.StrikerOptions{},
			"second-client"+before+" with text=theirs",
			func(x *struck) {
				_, _ = x.submit()
				Expect(x.received()).To(Equal(1))
				Expect(
					x.w.site.Ledger().Received()[0].Text,
				).To(ContainSubstring("theirs"), "there was no fence")
			},
		)
	})
	DescribeTable("undoes what lasts, when its time is over",
		func(kind faults.Kind, posted int) {
			under(virtual.StrikerOptions{}, string(kind)+before+" with for=12s", func(x *struck) {
				_, _ = x.submit()
				Expect(x.received()).To(BeZero())
				Expect(x.i.Open()).To(HaveLen(1))
				Expect(x.clock.Sleep(background, time.Minute)).To(Succeed())
				Expect(x.i.Open()).To(BeEmpty())
				Expect(
					x.received(),
				).To(Equal(posted), "what waited acts then, but for clicks behind a dialog")
				if kind == faults.Relaunch {
					Expect(
						x.again(),
					).To(MatchError(browser.ErrTargetClosed), "tabs are not restored")
				} else {
					Expect(x.again()).To(Succeed())
				}
			})
		},
		Entry(nil, faults.Relaunch, 0), Entry(nil, faults.FreezeBrowser, 1),
		Entry(nil, faults.WedgeTab, 1), Entry(nil, faults.Dialog, 0),
	)
	It("strikes a dial", func() {
		dial := func(text string) (err error) {
			under(virtual.StrikerOptions{}, text, func(x *struck) {
				Expect(x.conn.Close()).To(Succeed())
				ctx, cancel := x.clock.WithTimeout(background, 10*time.Second)
				defer cancel()
				x.i.Op(point.Connect, 5)
				_, err = x.dialer.Dial(ctx)
				if err != nil {
					x.i.Op(point.Connect, 5)
					_, again := x.dialer.Dial(context.Background())
					if text != "kill-browser at attach.connect@5#1/before" {
						Expect(again).NotTo(HaveOccurred())
					}
				}
			})
			return err
		}
		Expect(dial("sever at attach.connect@5#1/before")).To(MatchError(browser.ErrSocketLost))
		Expect(dial("sever at attach.connect@5#1/after")).To(MatchError(browser.ErrSocketLost))
		Expect(dial("half-open at attach.connect@5#1/before")).To(MatchError(browser.ErrSilent))
		Expect(dial("drop at attach.connect@5#1/after")).To(MatchError(browser.ErrSilent))
		Expect(
			dial("kill-browser at attach.connect@5#1/before"),
		).To(MatchError(browser.ErrBrowserGone))
	})
	It("says when there is nothing to strike", func() {
		play(worldOptions{}, func(w *world, _ *client) {
			s := virtual.NewStriker(w.b, virtual.StrikerOptions{})
			for _, k := range []faults.Kind{
				faults.CloseTab, faults.CrashTab, faults.Reload, faults.Stall, faults.Corrupt,
			} {
				_, err := s.Strike(faults.Fault{Kind: k}, faults.Aim{Target: "no such tab"})
				Expect(err).To(HaveOccurred(), "%s", k)
			}
			_, _, err := s.Late(faults.Fault{Kind: faults.Sever}, faults.Aim{}, nil)
			Expect(err).To(HaveOccurred())
			_, err = s.Heal(faults.Fault{Kind: faults.Sever})
			Expect(err).To(HaveOccurred())
			Expect(s.Remote()).To(BeFalse())
		})
	})
})
