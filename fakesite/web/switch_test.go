package web_test

import (
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

// running opens a hydrated page, sends one message, and moves to the moment at which it is mounted.
func running(o fakesite.Options) (*stand, *tab) {
	GinkgoHelper()
	s := newStand(fakesite.Config{Timing: typical(), Script: saying(story), Options: o})
	t := s.openTab("/")
	t.pass(10 * time.Second)
	t.write(ask("go"))
	t.click(sendButton)
	s.received(1)
	t.pass(437 * time.Millisecond)
	return s, t
}

// planned is running with a ROUND, whose answer is a plan (some switches touch plans only).
func planned(o fakesite.Options) (*stand, *tab) {
	GinkgoHelper()
	s := newStand(fakesite.Config{Timing: typical(), Options: o})
	t := s.openTab("/c/" + s.said(ask("hello")))
	t.pass(10 * time.Second)
	t.write("# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58\n\n## 用户请求\nx")
	t.click(sendButton)
	s.received(2)
	t.pass(time.Second)
	return s, t
}

var _ = Describe("families of the document", func() {
	finished := func(o fakesite.Options) *tab {
		GinkgoHelper()
		_, t := running(o)
		t.pass(time.Minute)
		return t
	}
	It("article", func() {
		t := finished(fakesite.Options{Family: "article"})
		Expect(t.count("article[data-testid^=conversation-turn-][data-turn]")).To(Equal(2))
		Expect(t.has("section")).To(BeFalse())
	})
	It("li", func() {
		t := finished(fakesite.Options{Family: "li"})
		Expect(t.count("li[data-message-role][data-message-id]")).To(Equal(2))
		Expect(
			t.has("[data-message-author-role],[data-turn],[data-testid^=conversation-turn]"),
		).To(BeFalse())
		Expect(
			t.has("li[data-message-role=assistant] [data-testid=copy-turn-action-button]"),
		).To(BeTrue())
	})
	It("b", func() {
		t := finished(fakesite.Options{Family: "b"})
		Expect(t.count("[data-turn-key][data-conversation-role]")).To(Equal(2))
		Expect(t.has("[data-conversation-role=user] [data-user-message-bubble]")).To(BeTrue())
		Expect(
			t.has(
				"[data-conversation-role=assistant] [data-markdown-text-style=assistant-message] pre",
			),
		).To(BeTrue())
		Expect(
			t.has("[data-message-author-role],[data-turn],[data-testid^=conversation-turn]"),
		).To(BeFalse())
	})
	It("lexical", func() {
		t := finished(fakesite.Options{Editor: "lexical"})
		Expect(t.has("[contenteditable=true][data-lexical-editor=true]")).To(BeTrue())
		Expect(t.has(answerBar)).To(BeTrue())
	})
	It("cm code", func() {
		t := finished(fakesite.Options{CodeView: "cm"})
		Expect(
			t.count("#code-block-viewer.cm-editor .cm-scroller > pre.cm-content > code br"),
		).To(Equal(2))
		t.click(answerTurn + " button.code-copy")
		Expect(
			eval[string](t, "navigator.clipboard.readText()"),
		).To(HavePrefix("func main() {\n\t"))
	})
})

var _ = Describe("switches", func() {
	It("NoBar, NoStop", func() {
		_, t := running(fakesite.Options{NoBar: true, NoStop: true})
		Expect(t.has(stopButton)).To(BeFalse())
		t.pass(time.Minute)
		Expect(t.has("pre")).To(BeTrue())
		Expect(t.has(answerBar)).To(BeFalse())
	})
	It("EarlyBar flashes with the first piece", func() {
		_, t := running(fakesite.Options{EarlyBar: true})
		t.pass(3363 * time.Millisecond)
		Expect(len(t.text(answerTurn + " .markdown"))).To(BeNumerically("~", 18, 8))
		Expect(t.has(answerBar)).To(BeTrue())
		Expect(t.has(stopButton)).To(BeFalse())
		t.pass(200 * time.Millisecond)
		Expect(t.has(answerBar)).To(BeFalse())
		Expect(t.has(stopButton)).To(BeTrue())
	})
	It("StopFlicker takes the stop button away and back", func() {
		_, t := running(fakesite.Options{StopFlicker: true})
		t.pass(3363 * time.Millisecond)
		seen := map[bool]int{}
		for range 8 {
			seen[t.has(stopButton)]++
			t.pass(160 * time.Millisecond)
		}
		Expect(seen).To(HaveLen(2))
	})
	It("Transient and then the real address", func() {
		_, t := running(fakesite.Options{Transient: true})
		Expect(eval[string](t, "location.pathname")).To(HavePrefix("/c/WEB:"))
		t.pass(4 * time.Second)
		Expect(
			eval[string](t, "location.pathname"),
		).To(And(HavePrefix("/c/"), Not(ContainSubstring("WEB"))))
	})
	It("NoAddress until the end", func() {
		_, t := running(fakesite.Options{NoAddress: true})
		t.pass(4 * time.Second)
		Expect(eval[string](t, "location.pathname")).To(Equal("/"))
		t.pass(time.Minute)
		Expect(eval[string](t, "location.pathname")).To(HavePrefix("/c/"))
	})
	It("temporary chats keep their address", func() {
		s := newStand(fakesite.Config{Script: saying(plain)})
		t := s.openTab("/?temporary-chat=true")
		t.write(ask("x"))
		t.click(sendButton)
		s.received(1)
		t.sync()
		Expect(t.has(answerBar)).To(BeTrue())
		Expect(
			eval[string](t, "location.pathname + location.search"),
		).To(Equal("/?temporary-chat=true"))
		Expect(t.has("a.__menu-item")).To(BeFalse())
	})
	It("DraftRestored stands before what was typed; LateWipe takes it all", func() {
		s := newStand(fakesite.Config{Options: fakesite.Options{
			DraftRestored: "old draft", DraftAfter: time.Second, LateWipe: 2 * time.Second,
		}})
		t := s.openTab("/")
		t.write("typed")
		t.pass(time.Second)
		Expect(t.lines()).To(Equal([]string{"P:old drafttyped"}))
		t.pass(time.Second)
		Expect(t.lines()).To(Equal([]string{"P:"}))
		t.write("later")
		t.pass(time.Second)
		Expect(t.lines()).To(Equal([]string{"P:later"}), "each comes once")
	})
	It("NBSP in runs of spaces, plain spaces in what is sent", func() {
		s := newStand(fakesite.Config{Options: fakesite.Options{NBSP: true}})
		t := s.openTab("/")
		t.write("a   b")
		Expect(t.lines()).To(Equal([]string{"P:a \u00a0 b"}))
		t.click(sendButton)
		s.received(1)
		s.Do(
			func(_ time.Time, site *fakesite.Site) {
				Expect(site.Ledger().Received()[0].Text).To(Equal("a   b"))
			},
		)
	})
	It("SendNoop swallows the first clicks", func() {
		s := newStand(fakesite.Config{Options: fakesite.Options{SendNoop: 1}})
		t := s.openTab("/")
		t.write("x")
		t.click(sendButton)
		t.sync()
		Expect(t.lines()).To(Equal([]string{"P:x"}))
		t.click(sendButton)
		s.received(1)
	})
	It("Freeze accepts the send and shows nothing of it until a reload", func() {
		s := newStand(fakesite.Config{Options: fakesite.Options{Freeze: true}})
		t := s.openTab("/")
		t.write("x")
		t.click(sendButton)
		s.received(1)
		t.sync()
		Expect(t.lines()).To(Equal([]string{"P:x"}))
		Expect(t.has(userTurn)).To(BeFalse())
		t.click(sendButton)
		t.visit("/c/" + s.conversation())
		Expect(t.has(userTurn)).To(BeTrue())
		s.Do(
			func(_ time.Time, site *fakesite.Site) { Expect(site.Ledger().Received()).To(HaveLen(1)) },
		)
	})
	It("CopyBroken writes nothing, CopyStale what the answer before held", func() {
		s := newStand(fakesite.Config{Script: fakesite.Script{Handshake: []fakesite.Move{
			{Say: "```\nfirst\n```"}, {Say: "```\nsecond\n```"},
		}}, Options: fakesite.Options{CopyStale: true}})
		t := s.openTab("/c/" + s.said(ask("1"), ask("2")))
		t.click("[data-testid=conversation-turn-4] button.code-copy")
		Expect(eval[string](t, "navigator.clipboard.readText()")).To(Equal("first"))
		s.Do(
			func(_ time.Time, site *fakesite.Site) { *site.Options() = fakesite.Options{CopyBroken: true} },
		)
		t.sync()
		t.click("[data-testid=conversation-turn-4] button.code-copy")
		Expect(eval[string](t, "navigator.clipboard.readText()")).To(Equal("first"))
	})
	It("TwoResponses: the bar waits for the choice", func() {
		_, t := planned(fakesite.Options{TwoResponses: true})
		t.pass(time.Hour)
		Expect(t.count("[data-testid=paragen-prefer-response-button]")).To(Equal(2))
		Expect(
			t.text("[data-testid=paragen-feedback-title]"),
		).To(Equal("Which response do you prefer?"))
		Expect(t.count(answerBar)).To(Equal(1), "the answer before has its bar")
		t.click("[data-testid=paragen-prefer-response-button]")
		Eventually(func() int { t.sync(); return t.count(answerBar) }).Should(Equal(2))
		Expect(t.has("[data-paragen-root]")).To(BeFalse())
	})
	It("Continue", func() {
		_, t := planned(fakesite.Options{Continue: true})
		t.pass(time.Hour)
		Expect(t.text(answerTurn + " .btn-neutral")).To(Equal("Continue generating"))
	})
	It(
		"ToolApproval blocks until it is allowed; Deferral and AnswerNow stand during thinking",
		func() {
			_, t := planned(fakesite.Options{ToolApproval: true, Deferral: true, AnswerNow: true})
			t.pass(time.Hour)
			Expect(t.has("[data-testid=tool-approval-card]")).To(BeTrue())
			Expect(t.has(".deferral")).To(BeTrue())
			Expect(t.has("form button[type=submit]")).To(BeTrue())
			t.click("[data-testid=tool-approval-card] button")
			Eventually(
				func() bool { t.sync(); return t.has("[data-testid=tool-approval-card]") },
			).Should(BeFalse())
			t.pass(time.Hour)
			Expect(t.count(answerBar)).To(Equal(2))
			Expect(t.has(".deferral")).To(BeFalse())
		},
	)
	It("Preamble stands before the thinking and is no part of the answer", func() {
		_, t := running(fakesite.Options{Preamble: "Let me look first."})
		t.pass(time.Second)
		Expect(t.text("[data-message-id$=-preamble] .markdown")).To(Equal("Let me look first."))
		Expect(
			eval[bool](
				t,
				`Boolean(document.querySelector("[data-message-id$=-preamble]").compareDocumentPosition(
			document.querySelector("[data-streaming-response-status]")) & 4)`,
			),
		).To(BeTrue())
		t.pass(time.Minute)
		Expect(t.count(answerTurn + " [data-message-author-role=assistant]")).To(Equal(2))
	})
	It("Canvas, OtherStop, UserNotice, UserHTML, Nested", func() {
		s, t := running(
			fakesite.Options{
				Canvas:     true,
				OtherStop:  true,
				UserNotice: true,
				UserHTML:   true,
				Nested:     true,
			},
		)
		t.pass(time.Minute)
		Expect(t.text("aside.canvas pre")).To(ContainSubstring("func main()"))
		Expect(t.text(answerTurn + " .markdown")).NotTo(ContainSubstring("func main"))
		Expect(t.has("nav [aria-label='Stop the leak']")).To(BeTrue())
		Expect(t.has("button[aria-label^=Stop][data-testid=voice-stop-button]")).To(BeTrue())
		Expect(t.has(userTurn + " .notice")).To(BeTrue())
		Expect(t.has(userTurn + " .user-message-bubble-color h1")).To(BeTrue())
		t.write(ask("more"))
		t.click(sendButton)
		s.received(2)
		t.pass(time.Second)
		Expect(t.count("[data-testid=conversation-turn-2] [data-message-id]")).To(Equal(3))
	})
	It("MountSlow mounts one turn after another", func() {
		s := newStand(fakesite.Config{Options: fakesite.Options{MountSlow: true}})
		t := s.openTab("/c/" + s.said("a", "b"))
		for i := range 4 {
			Expect(t.count("section[data-turn]")).To(Equal(i))
			t.pass(250 * time.Millisecond)
		}
		Expect(t.count("section[data-turn]")).To(Equal(4))
	})
	It("errors of the answer: before, mid and after the text", func() {
		for _, f := range []fakesite.Faults{
			{FailBefore: fakesite.Nth{1}}, {FailMid: fakesite.Nth{1}}, {FailAfter: fakesite.Nth{1}},
		} {
			_, t := running(fakesite.Options{Faults: f})
			t.pass(time.Minute)
			Expect(t.has(answerTurn + " .text-token-text-error")).To(BeTrue())
			Expect(
				t.text(answerTurn + " [data-testid=regenerate-thread-error-button]"),
			).To(Equal("Retry"))
			Expect(t.has(answerBar)).To(BeFalse())
			Expect(
				strings.Contains(t.text(answerTurn+" .markdown"), "Done"),
			).To(Equal(f.FailAfter != nil))
		}
	})
	It("a dropped message is shown in its own document and nowhere else", func() {
		_, t := dropped()
		Expect(t.has(userTurn)).To(BeTrue())
		Expect(t.lines()).To(Equal([]string{"P:"}))
		t.visit("/")
		Expect(t.has(userTurn)).To(BeFalse())
	})
	It("an accepted 500 is not shown in its document until a reload", func() {
		s := newStand(
			fakesite.Config{
				Options: fakesite.Options{Faults: fakesite.Faults{Accepted500: fakesite.Nth{2}}},
			},
		)
		t := s.openTab("/c/" + s.said("a"))
		t.write("b")
		t.click(sendButton)
		s.received(2)
		t.sync()
		Expect(t.count(userTurn)).To(Equal(1))
		Expect(t.lines()).To(Equal([]string{"P:b"}))
		Expect(chromedp.Do(t.ctx, chromedp.Reload())).To(Succeed())
		t.sync()
		Expect(t.count(userTurn)).To(Equal(2))
	})
	It("an unknown conversation says so and leaves a composer", func() {
		s := newStand(fakesite.Config{})
		t := s.openTab("/c/none")
		Expect(t.text("[data-testid=toast-error]")).To(Equal("Unable to load conversation none"))
		Expect(t.has(editor)).To(BeTrue())
	})
	It("a sidebar link changes the conversation without a new document", func() {
		s := newStand(fakesite.Config{Script: saying(plain)})
		c := s.said(ask("first"))
		t := s.openTab("/")
		eval[chromedp.Void](t, "window.same = true")
		t.click("a.__menu-item")
		Eventually(func() bool { t.sync(); return t.has(userTurn) }).Should(BeTrue())
		Expect(eval[string](t, "location.pathname")).To(Equal("/c/" + c))
		eval[chromedp.Void](t, "history.back()")
		Eventually(func() bool { t.sync(); return t.has(userTurn) }).Should(BeFalse())
		Expect(eval[bool](t, "window.same === true")).To(BeTrue())
	})
})

func dropped() (*stand, *tab) {
	GinkgoHelper()
	s := newStand(
		fakesite.Config{
			Options: fakesite.Options{Faults: fakesite.Faults{Dropped: fakesite.Nth{1}}},
		},
	)
	t := s.openTab("/")
	t.write("lost")
	t.click(sendButton)
	Expect(s.Wait(soon(), func(_ time.Time, site *fakesite.Site) bool {
		return len(site.Ledger().Entries()) == 1
	})).To(Succeed())
	t.sync()
	return s, t
}

// conversation is the id of the newest conversation.
func (s *stand) conversation() (id string) {
	s.Do(func(_ time.Time, site *fakesite.Site) { id = site.Conversations()[0].ID })
	return id
}
