package virtual_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// play runs one client over a world and fails on any error.
func play(o worldOptions, f func(w *world, c *client)) {
	GinkgoHelper()
	w := newWorld(o)
	defer w.loop.Close()
	Expect(w.run(func(c *client) {
		defer GinkgoRecover()
		f(w, c)
	})).To(Succeed())
}

var slow = fakesite.Typical()

var _ = Describe("a page", func() {
	It("hydrates in one commit after load and shell", func() {
		play(worldOptions{timing: slow}, func(_ *world, c *client) {
			c.attach(base + "/")
			g := ask(c, probe.Guard, probe.None{})
			Expect(g).To(Equal(probe.GuardState{}), "the bare shell shows nothing")
			Expect(ask(c, probe.Focus, probe.None{})).To(Equal(probe.Done{Reason: "no hydrated composer"}))
			c.insert("lost")
			c.sleep(9099 * ms)
			Expect(ask(c, probe.Guard, probe.None{}).Composer).To(BeFalse())
			c.sleep(ms)
			Expect(ask(c, probe.Guard, probe.None{})).To(Equal(probe.GuardState{
				LoggedIn: true,
				Composer: true,
			}))
			Expect(c.composer()).To(Equal(probe.ComposerState{Hydrated: true}), "no send button yet")
			Expect(ask(c, probe.Tail, probe.TailArgs{})).To(Equal(probe.TailState{
				Found: true, Turns: []probe.MountedTurn{},
			}))
		})
	})

	It("takes text with focus only, and shows Send when there is text", func() {
		play(worldOptions{site: fakesite.Options{NBSP: true}}, func(_ *world, c *client) {
			c.attach(base + "/")
			c.insert("nothing happens")
			Expect(c.composer().Text).To(BeEmpty())
			ask(c, probe.Focus, probe.None{})
			c.insert("a\r\nb  c")
			Expect(c.composer().Text).To(Equal("a\nb \u00a0c"))
			Expect(c.composer().Send && c.composer().Enabled && c.composer().Focused).To(BeTrue())
			c.enter(8)
			Expect(c.composer().Text).To(Equal("a\nb \u00a0c\n"), "Shift+Enter breaks the line")
			ask(c, probe.Empty, probe.None{})
			Expect(c.composer().Text).To(BeEmpty())
		})
	})

	It("names a document once, and a new document is a new name without script and fence", func() {
		play(worldOptions{}, func(w *world, c *client) {
			id := c.attach(base + "/c/unknown")
			Expect(c.hello("other")).To(Equal(probe.Document{
				Name: "doc-1", URL: base + "/c/unknown", Conversation: "unknown", Ready: true,
			}))
			ask(c, probe.Fence, probe.FenceArgs{Token: "t", Text: "x"})
			Expect(w.b.ReloadTab(id)).To(BeTrue())
			_, err := probe.Do(background, c.s, probe.Revoke, probe.None{})
			Expect(err).To(MatchError(probe.ErrNoProbe))
			Expect(c.s.Drain(nil)).To(Equal([]browser.Event{{
				Kind: browser.Navigated,
				URL:  base + "/c/unknown",
			}}))
			c.install()
			Expect(c.hello("doc-2").Name).To(Equal("doc-1"), "this name was free again")
			Expect(ask(c, probe.Revoke, probe.None{}).Present).To(BeFalse())
		})
	})

	It("follows a send: request at once, turn and placeholder at the commit, address later", func() {
		play(worldOptions{timing: slow, site: fakesite.Options{Transient: true}},
			func(w *world, c *client) {
				c.attach(base + "/")
				c.ready()
				id := c.send("hello you")
				Expect(id).NotTo(BeEmpty())
				Expect(w.site.Ledger().Received()).To(HaveLen(1))
				Expect(w.site.Ledger().Received()[0].MessageID).To(Equal(id))
				sent := c.c.Now()
				at := func(d time.Duration) probe.TurnState {
					c.sleep(sent.Add(d).Sub(c.c.Now()))
					return c.turn(id)
				}
				Expect(at(436 * ms).State).To(Equal(probe.AnswerUnmounted))
				Expect(c.composer().Text).To(Equal("hello you"), "the composer keeps the text until the commit")
				Expect(at(437 * ms).State).To(Equal(probe.AnswerPlaceholder))
				Expect(c.composer()).To(Equal(probe.ComposerState{Hydrated: true, Stop: true}))
				Expect(at(999 * ms).State).To(Equal(probe.AnswerPlaceholder))
				Expect(at(time.Second).State).To(Equal(probe.AnswerThinking))
				conv := w.site.Conversations()[0]
				Expect(c.turn(id).Conversation).To(Equal("WEB:" + conv.TransientID))
				t := at(3800 * ms)
				Expect(t.State).To(Equal(probe.AnswerStreaming))
				Expect(t.Conversation).To(Equal(conv.ID))
				Expect(t.Length).To(BeNumerically(">", 0))
				Expect(t.Stop).To(BeTrue())
				end := conv.Last().Course.Ends().Sub(sent)
				Expect(at(end - 1).Stop).To(BeTrue())
				Expect(at(end)).To(HaveField("State", probe.AnswerStreaming), "the bar is late")
				Expect(c.turn(id).Stop).To(BeFalse())
				t = at(end + 300*ms)
				Expect(t.State).To(Equal(probe.AnswerFinished))
				Expect(t.MessageID).To(Equal(conv.Last().ID))
				c.insert("x")
				Expect(c.composer().Text).To(Equal("x"), "the click took the focus and left the caret")
				c.typed("next")
				Expect(c.composer().Enabled).To(BeFalse(), "Send works again two seconds after the end")
				at(end + 2*time.Second)
				Expect(c.composer().Enabled).To(BeTrue())
			})
	})

	It("lists mounted turns in a window", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			var ids []string
			for _, text := range []string{"one\nsecond line \nthird", "two", "three", "four"} {
				ids = append(ids, c.send(text))
			}
			tail := ask(c, probe.Tail, probe.TailArgs{})
			Expect(tail.Turns).To(HaveLen(6))
			Expect(tail.Turns[0]).To(Equal(probe.MountedTurn{
				TurnID: ids[1], MessageID: ids[1], Role: "user", Head: "two",
			}))
			Expect(tail.Turns[1].TurnID).To(HavePrefix("request-"))
			Expect(ask(c, probe.Tail, probe.TailArgs{After: ids[0]}).Found).To(BeFalse())
			Expect(ask(c, probe.Tail, probe.TailArgs{After: ids[2], Limit: 2}).Turns).To(HaveLen(2))
			Expect(c.turn(ids[0]).State).To(Equal(probe.AnswerUnmounted))
			w.site.Options().Window = -1
			Expect(ask(c, probe.Tail, probe.TailArgs{}).Turns[0].Head).To(Equal("one\nsecond line"))
		})
	})

	It("shows the conversation of its address after a reload", func() {
		play(worldOptions{timing: slow}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.ready()
			id := c.send("hello you")
			c.answer(id)
			before := c.turn(id)
			w.b.ReloadTab(tab)
			c.install()
			Expect(c.turn(id)).To(Equal(probe.TurnState{
				State: probe.AnswerUnmounted, Conversation: before.Conversation,
			}))
			c.ready()
			Expect(c.turn(id)).To(Equal(before))
			Expect(c.composer().Text).To(BeEmpty())
		})
	})
})

var _ = DescribeTable("what stands of an answer",
	func(o fakesite.Options, at time.Duration, want probe.TurnState) {
		play(worldOptions{timing: slow, site: o}, func(w *world, c *client) {
			c.attach(base + "/")
			c.ready()
			id := c.send("hello you")
			m := w.site.Conversations()[0].Last()
			want.MessageID, want.Conversation = m.ID, w.site.Conversations()[0].ID
			if at < 0 { // from the end
				at = m.Course.Ends().Sub(m.Course.Start()) - at
			}
			c.sleep(at)
			got := c.turn(id)
			Expect(got.Length > 0).To(Equal(want.Length > 0))
			got.Length, want.Length = 0, 0
			if c.turn(id).Conversation == "" {
				want.Conversation = ""
			}
			Expect(got).To(Equal(want))
		})
	},
	Entry("placeholder", fakesite.Options{}, 500*ms,
		probe.TurnState{State: probe.AnswerPlaceholder, Stop: true}),
	Entry("thinking", fakesite.Options{}, 2*time.Second, probe.TurnState{
		State: probe.AnswerThinking,
		Stop:  true,
	}),
	Entry("thinking, no stop ever", fakesite.Options{NoStop: true}, 2*time.Second,
		probe.TurnState{State: probe.AnswerThinking}),
	Entry("streaming", fakesite.Options{}, 3900*ms,
		probe.TurnState{State: probe.AnswerStreaming, Stop: true, Length: 1}),
	Entry("early bar: bar and no stop with the first piece", fakesite.Options{EarlyBar: true}, 3850*ms,
		probe.TurnState{State: probe.AnswerFinished, Bar: true, Length: 1}),
	Entry("ended, the bar is still to come", fakesite.Options{}, -100*ms,
		probe.TurnState{State: probe.AnswerStreaming, Length: 1}),
	Entry("finished", fakesite.Options{}, -400*ms,
		probe.TurnState{State: probe.AnswerFinished, Bar: true, Length: 1}),
	Entry("no bar ever", fakesite.Options{NoBar: true}, -time.Hour,
		probe.TurnState{State: probe.AnswerStreaming, Length: 1}),
	Entry("failed before any text",
		fakesite.Options{Faults: fakesite.Faults{FailBefore: fakesite.Nth{1}}},
		-time.Second, probe.TurnState{State: probe.AnswerError, Retry: true, Error: wrong}),
	Entry("failed after the text",
		fakesite.Options{Faults: fakesite.Faults{FailAfter: fakesite.Nth{1}}},
		-time.Second, probe.TurnState{State: probe.AnswerError, Retry: true, Error: wrong, Length: 1}),
	Entry("never", fakesite.Options{Faults: fakesite.Faults{Never: fakesite.Nth{1}}}, time.Hour,
		probe.TurnState{State: probe.AnswerThinking, Stop: true}),
	Entry("canvas", fakesite.Options{Canvas: true}, -time.Second,
		probe.TurnState{State: probe.AnswerFinished, Bar: true, Length: 1}),
)

const wrong = "Something went wrong. If this issue persists please contact us through our help " +
	"center at help.openai.com."

var _ = DescribeTable("blockers",
	func(b fakesite.Blocker, want probe.GuardState) {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed("our text")
			w.site.Block(b)
			Expect(ask(c, probe.Guard, probe.None{})).To(Equal(want))
			ask(c, probe.Fence, probe.FenceArgs{Token: "t", Text: "our text"})
			c.click(1008, 712)
			c.enter(0)
			Expect(w.site.Ledger().Entries()).To(HaveLen(map[bool]int{
				true:  0,
				false: 2,
			}[want.Blocker != ""]),
				"the fence lets nothing of ours out while a blocker stands")
		})
	},
	Entry("captcha", fakesite.BlockCaptcha, probe.GuardState{
		Blocker: probe.BlockCaptcha,
		Detail:  "#challenge-form",
	}),
	Entry("logged out", fakesite.BlockLogin, probe.GuardState{
		Blocker: probe.BlockLogin, Detail: "[data-testid='login-button']", Composer: true,
	}),
	Entry("expired", fakesite.BlockExpired, probe.GuardState{
		Blocker: probe.BlockLogin, Detail: "#modal-expired-session", Composer: true, LoggedIn: true,
	}),
	Entry("rate limit", fakesite.BlockRate, probe.GuardState{
		Blocker: probe.BlockRateLimit, Detail: "[role=dialog]", Composer: true, LoggedIn: true,
	}),
	Entry("account", fakesite.BlockAccount, probe.GuardState{
		Blocker: probe.BlockAccount, Detail: "[role=dialog]", Composer: true, LoggedIn: true,
	}),
	Entry("usage cap", fakesite.BlockCap, probe.GuardState{
		Blocker: probe.BlockUsageCap, Detail: "#prompt-textarea[contenteditable='false']", LoggedIn: true,
	}),
	Entry("a downgrade banner is none", fakesite.BlockDowngrade,
		probe.GuardState{Composer: true, LoggedIn: true}),
)

var _ = Describe("the fence", func() {
	const ours = "# ROUND 1 pi-bridge/1\nFRAME: s=0123456789abcdef r=1 p=- q=01234567"

	It("lets our text pass once, against the live token", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed(ours)
			f := ask(c, probe.Fence, probe.FenceArgs{Token: "one", Text: ours})
			Expect(f).To(Equal(probe.FenceState{
				Present: true, Document: "doc-1", Token: "one", Live: true, Composer: ours, Holds: true,
			}))
			c.click(1008, 712)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
			c.typed(ours)
			c.click(1008, 712)
			ask(c, probe.Focus, probe.None{})
			c.enter(0)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
			f = ask(c, probe.Revoke, probe.None{})
			Expect([]int{f.Passed, f.Stopped}).To(Equal([]int{1, 2}))
		})
	})

	It("stops a click that comes after Revoke, and reads all in one look", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed(ours + " \n\n")
			ask(c, probe.Fence, probe.FenceArgs{Token: "one", Text: ours})
			f := ask(c, probe.Revoke, probe.None{})
			Expect(f.Live).To(BeFalse())
			Expect(f.Holds).To(BeTrue(), "in canonical form")
			c.click(1008, 712)
			Expect(w.site.Ledger().Entries()).To(BeEmpty())
			ask(c, probe.Unfence, probe.None{})
			c.click(1008, 712)
			Expect(w.site.Ledger().Received()).To(HaveLen(1), "without a fence a person may send it")
		})
	})

	It("lets nothing pass in a conversation that a person opened, and all of it back in ours", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.send("a question")
			ours := ask(c, probe.Guard, probe.None{}).Conversation
			c.typed("# ROUND pi-bridge/1\nFRAME: s=0123456789abcdef r=1 p=- q=01234567")
			text := c.composer().Text
			ask(c, probe.Fence, probe.FenceArgs{Token: "one", Text: text, Conversation: ours})
			w.b.SwitchTab(tab, "/")
			c.click(1008, 712)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
			w.b.SwitchTab(tab, "/c/"+ours)
			c.click(1008, 712)
			Expect(w.site.Ledger().Received()).To(HaveLen(2))
		})
	})

	It("is not armed for what the tab does not show, and holds for one composer", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed(ours)
			f := ask(c, probe.Fence, probe.FenceArgs{Token: "one", Text: ours, Conversation: "other"})
			Expect(f.Live).To(BeFalse())
			Expect([]string{f.Bound, f.Conversation}).To(Equal([]string{"other", ""}))
			Expect(ask(c, probe.Fence, probe.FenceArgs{Token: "two", Text: ours}).Live).To(BeTrue())
			w.site.Options().Editor = "lexical"
			c.click(1008, 712)
			Expect(w.site.Ledger().Received()).To(BeEmpty())
		})
	})

	It("stops a text that contains ours, and leaves a person's text alone", func() {
		play(worldOptions{}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			ask(c, probe.Fence, probe.FenceArgs{Token: "one", Text: ours})
			c.typed("draft " + ours)
			c.click(1008, 712)
			Expect(w.site.Ledger().Entries()).To(BeEmpty())
			ask(c, probe.Empty, probe.None{})
			w.b.TypeInTab(tab, "a person's question")
			w.b.SendInTab(tab)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
			f := ask(c, probe.Revoke, probe.None{})
			Expect([]int{f.Passed, f.Stopped}).To(Equal([]int{0, 1}))
		})
	})
})
