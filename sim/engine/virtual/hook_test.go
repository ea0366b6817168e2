package virtual_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/sim/engine/virtual"
	"bridgesim/sim/history"
)

// faulty is a hook for tests.
type faulty struct {
	before func(*virtual.Call) bool
	after  func(*virtual.Call)
}

func (f *faulty) Before(c *virtual.Call) bool { return f.before != nil && f.before(c) }
func (f *faulty) After(c *virtual.Call) {
	if f.after != nil {
		f.after(c)
	}
}

var _ = Describe("a hook", func() {
	submit := func(c *virtual.Call) bool { return c.Op == point.SendSubmit }

	It("sees every command with its operation, attach included", func() {
		var names []string
		play(worldOptions{}, func(w *world, c *client) {
			w.b.SetHook(&faulty{before: func(c *virtual.Call) bool {
				names = append(names, fmt.Sprintf("%s@%d %s", c.Op, c.Round, c.Name()))
				return false
			}})
			c.port.At(point.Connect, 0)
			c.attach(base + "/")
			c.port.At(point.GuardCheck, 3)
			ask(c, probe.Guard, probe.None{})
		})
		Expect(names).To(Equal([]string{
			"attach.connect@0 dial", "attach.connect@0 Target.createTarget",
			"attach.connect@0 Target.attachToTarget",
			"attach.connect@0 install", "attach.connect@0 hello", "guard.check@3 guard",
		}))
	})

	lost := &browser.Loss{Kind: browser.SocketLost}

	DescribeTable("strikes before, after and late: one error, three fates",
		func(before func(w *world, c *virtual.Call) bool, after func(*virtual.Call), now, later int) {
			play(worldOptions{}, func(w *world, c *client) {
				c.attach(base + "/")
				c.typed("text")
				c.mouse("mousePressed", 1008, 712)
				c.port.At(point.SendSubmit, 1)
				hook := &faulty{after: after}
				if before != nil {
					hook.before = func(c *virtual.Call) bool { return submit(c) && before(w, c) }
				}
				w.b.SetHook(hook)
				err := c.s.Call(background, input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{
					Type: "mouseReleased", X: 1008, Y: 712, Button: input.MouseButtonLeft, ClickCount: 1,
				}, nil)
				w.b.SetHook(nil)
				Expect(err).To(MatchError(browser.ErrSocketLost))
				Expect(w.site.Ledger().Received()).To(HaveLen(now))
				c.sleep(time.Minute)
				Expect(w.site.Ledger().Received()).To(HaveLen(later))
			})
		},
		Entry("before", func(w *world, c *virtual.Call) bool {
			w.b.SeverSockets()
			c.Err = lost
			return true
		}, nil, 0, 0),
		Entry("after", nil, func(c *virtual.Call) { c.Err = lost }, 1, 1),
		Entry("late", func(w *world, c *virtual.Call) bool {
			late, doc := *c, c.Document()
			w.loop.After(time.Second, func() { late.Apply(doc) })
			w.b.SeverSockets()
			c.Err = lost
			return true
		}, nil, 0, 1),
	)

	It("may kill the process inside its own call", func() {
		w := newWorld(worldOptions{})
		defer w.loop.Close()
		after := false
		Expect(w.run(func(c *client) {
			c.attach(base + "/")
			c.typed("text")
			c.port.At(point.SendSubmit, 1)
			w.b.SetHook(&faulty{before: func(c *virtual.Call) bool {
				if submit(c) {
					c.Proc().Kill()
				}
				return false
			}})
			defer func() {
				defer func() { after = recover() == nil }()
				_ = c.s.Close()
			}()
			c.click(1008, 712)
		})).To(Succeed())
		Expect(after).To(BeFalse(), "the ports of a killed process are dead to its defers")
		Expect(w.site.Ledger().Entries()).To(BeEmpty())
		Expect(w.b.Tabs()[0].Attached).To(BeFalse())
	})
})

var _ = Describe("a command", func() {
	It("that the model does not know is refused as Chromium does", func() {
		play(worldOptions{}, func(_ *world, c *client) {
			c.attach(base + "/")
			var e *cdproto.Error
			Expect(errors.As(c.s.Call(background, "Foo.bar", nil, nil), &e)).To(BeTrue())
			Expect(*e).To(Equal(cdproto.Error{Code: -32601, Message: "'Foo.bar' wasn't found"}))
			Expect(errors.As(c.s.Call(background, input.CommandInsertText, &input.InsertTextParams{}, nil),
				&e)).To(BeTrue())
			Expect(e.Code).To(BeEquivalentTo(-32602), "parameters come by value")
			Expect(c.s.Call(background, inspector.CommandEnable, cdp.Empty{}, nil)).To(Succeed())
		})
	})

	It("under a cancelled context ends with the context's own error", func() {
		play(worldOptions{}, func(_ *world, c *client) {
			c.attach(base + "/")
			ctx, cancel := c.c.WithTimeout(background, time.Second)
			cancel()
			_, err := probe.Do(ctx, c.s, probe.Guard, probe.None{})
			Expect(err).To(MatchError(context.Canceled))
		})
	})

	It("that shows a blocker or a new state is named in the log once", func() {
		play(worldOptions{timing: slow}, func(w *world, c *client) {
			c.attach(base + "/")
			c.ready()
			id := c.send("hello you")
			c.answer(id)
			w.site.Block("rate-limit")
			for range 3 {
				ask(c, probe.Guard, probe.None{})
			}
			var seen []string
			for _, e := range w.log.Events() {
				if e.Lane == history.CDP && e.Kind == "seen" {
					seen = append(seen, e.Text)
				}
			}
			Expect(seen).To(Equal([]string{
				"unmounted", "thinking", "streaming", "finished", "rate-limit",
			}))
		})
	})
})
