package web_test

import (
	"os"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

const plain = "Hello there"

const story = `Here is the plan.

## Steps

1. Read the *file*
2. Change ` + "`main.go`" + `

~~~~go
func main() {
	println("~~~ not a fence")
}
~~~~

- one
- two

**Done.**`

// ask is a message that the persona answers with what saying says.
func ask(text string) string { return "# HELLO pi-bridge/1\nS: 9f83a7c1d42e650b\n\n" + text }

func saying(text string) fakesite.Script {
	move := fakesite.Move{Say: text}
	return fakesite.Script{Handshake: []fakesite.Move{move, move, move, move, move, move}}
}

var _ = Describe("a send", func() {
	It("shows each moment when the clock reaches it, and stands still in between", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		t := s.openTab("/")
		Expect(t.has(editor)).To(BeFalse(), "nothing is rendered before hydration")
		t.pass(6200 * time.Millisecond)
		Expect(t.has(editor)).To(BeTrue())
		Expect(t.has(sendButton)).To(BeFalse())
		Expect(t.has("[data-testid=composer-speech-button]")).To(BeTrue())

		t.write(ask(plain))
		Expect(t.has(sendButton)).To(BeTrue())
		t.click(sendButton)
		s.received(1)
		t.sync()
		Expect(t.lines()).To(HaveLen(4), "the composer is full until the commit")
		Expect(t.has(userTurn)).To(BeFalse())

		t.pass(436 * time.Millisecond)
		Expect(t.has(userTurn)).To(BeFalse())
		t.pass(time.Millisecond)
		Expect(t.lines()).To(Equal([]string{"P:"}))
		Expect(
			t.text(userTurn + " .user-message-bubble-color .whitespace-pre-wrap"),
		).To(Equal(ask(plain)))
		Expect(t.count(answerTurn)).To(Equal(1), "the placeholder is mounted with the user turn")
		Expect(t.text(answerTurn + " .markdown")).To(BeEmpty())
		Expect(t.has(stopButton)).To(BeTrue())
		Expect(eval[string](t, "location.pathname")).To(Equal("/"))
		var id, conversation string
		s.Do(func(_ time.Time, site *fakesite.Site) {
			e := site.Ledger().Received()[0]
			id, conversation = e.MessageID, e.Conversation
			Expect(e.Text).To(Equal(ask(plain)))
		})
		Expect(
			t.has(userTurn+" [data-message-author-role=user][data-message-id='"+id+"']"),
		).To(BeTrue(),
			"request, DOM and record hold one id")

		t.pass(time.Second)
		Expect(
			t.text("[data-streaming-response-status=thinking] span.loading-shimmer"),
		).To(Equal("Thinking"))
		t.pass(3 * time.Second)
		Expect(eval[string](t, "location.pathname")).To(Equal("/c/" + conversation))
		Expect(t.text(answerTurn + " .markdown")).To(HavePrefix("Here is the plan."))
		Expect(t.has(answerBar)).To(BeFalse())
		Expect(t.text(answerTurn + " .status")).To(Equal("Thought for 3s"))

		var ends time.Time
		s.Do(func(_ time.Time, site *fakesite.Site) { ends = site.Ledger().Answers()[0].Ends })
		t.pass(ends.Sub(s.clock.Now()))
		Expect(t.has(stopButton)).To(BeFalse())
		Expect(t.has(answerBar)).To(BeFalse(), "the bar comes a little later")
		t.pass(300 * time.Millisecond)
		Expect(t.has(answerBar)).To(BeTrue())
		Expect(t.text(answerTurn + " h2")).To(Equal("Steps"))
		Expect(t.count(answerTurn + " ol li")).To(Equal(2))
		Expect(t.count(answerTurn + " ul li")).To(Equal(2))
		Expect(t.text(answerTurn + " ol code")).To(Equal("main.go"))
		Expect(eval[string](t, `document.querySelector("pre code.language-go").textContent`)).
			To(Equal("func main() {\n\tprintln(\"~~~ not a fence\")\n}"))
		Expect(t.text("pre")).NotTo(ContainSubstring("Copy"), "header words stay out of innerText")

		t.click("pre button[aria-label=Copy]")
		Expect(eval[string](t, "navigator.clipboard.readText()")).
			To(Equal("func main() {\n\tprintln(\"~~~ not a fence\")\n}"))
		t.click(answerBar)
		Expect(eval[string](t, "navigator.clipboard.readText()")).To(Equal(story))
		t.screenshot()
	})

	It("has no error in the console", func() {
		s := newStand(
			fakesite.Config{
				Script:  saying(plain),
				Options: fakesite.Options{ChallengeScript: true},
			},
		)
		t := s.openTab("/")
		var bad []string
		messages := chromedp.Console(t.ctx)
		t.visit("/")
		t.write("one")
		t.click(sendButton)
		s.received(1)
		t.sync()
		t.click(`a.__menu-item`)
		t.visit("/")
		eval[chromedp.Void](t, `console.info("the end")`)
		for m, err := range messages {
			Expect(err).NotTo(HaveOccurred())
			if m.Text == "the end" {
				break
			}
			bad = append(bad, m.String())
		}
		Expect(bad).To(BeEmpty())
	})

	It("keeps one conversation in two tabs in step", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		c := s.said(ask("first"))
		one, two := s.openTab("/c/"+c), s.openTab("/c/"+c)
		two.pass(7 * time.Second)
		one.sync()
		one.write(ask("second"))
		one.click(sendButton)
		s.received(2)
		two.pass(time.Second)
		one.sync()
		Expect(one.count(userTurn)).To(Equal(2))
		Expect(two.count(userTurn)).To(Equal(2))
		Expect(two.has(stopButton)).To(BeTrue())
		two.pass(time.Minute)
		Expect(two.count(answerBar)).To(Equal(2))
	})

	It("takes up a running answer after a reload", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		t := s.openTab("/")
		t.pass(7 * time.Second)
		t.write(ask("go"))
		t.click(sendButton)
		s.received(1)
		t.pass(4 * time.Second)
		path := eval[string](t, "location.pathname")
		Expect(path).To(HavePrefix("/c/"))
		Expect(chromedp.Do(t.ctx, chromedp.Reload())).To(Succeed())
		t.sync()
		Expect(t.has(userTurn)).To(BeFalse(), "a new document hydrates anew")
		t.pass(6200 * time.Millisecond)
		Expect(eval[string](t, "location.pathname")).To(Equal(path))
		Expect(t.text(userTurn + " .whitespace-pre-wrap")).To(Equal(ask("go")))
		t.pass(time.Minute)
		Expect(t.has(answerBar)).To(BeTrue())
	})

	It("stops where a person stops it", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		t := s.openTab("/")
		t.pass(7 * time.Second)
		t.write(ask("go"))
		t.click(sendButton)
		s.received(1)
		t.pass(4 * time.Second)
		part := t.text(answerTurn + " .markdown")
		t.click(stopButton)
		Expect(s.Wait(soon(), func(_ time.Time, site *fakesite.Site) bool {
			e := site.Ledger().Entries()
			return e[len(e)-1].Kind == fakesite.Halted
		})).To(Succeed())
		t.pass(time.Minute)
		Expect(t.text(answerTurn + " .markdown")).To(Equal(part))
		Expect(t.has(stopButton)).To(BeFalse())
	})
})

var _ = Describe("the composer", func() {
	var s *stand
	var t *tab
	BeforeEach(func() {
		s = newStand(fakesite.Config{Script: saying(plain)})
		t = s.openTab("/")
	})

	It("holds one paragraph per line, from a trusted insert", func() {
		t.write("one\n\n  two  three\nfour")
		Expect(t.lines()).To(Equal([]string{"P:one", "P:", "P:  two  three", "P:four"}))
		t.insert("!")
		Expect(t.lines()[3]).To(Equal("P:four!"), "the caret stays behind the text")
		t.click(sendButton)
		s.received(1)
		s.Do(func(_ time.Time, site *fakesite.Site) {
			Expect(site.Ledger().Received()[0].Text).To(Equal("one\n\n  two  three\nfour!"))
		})
	})

	It("holds one paragraph per line, from execCommand", func() {
		t.click(editor)
		eval[bool](t, `document.execCommand("insertText", false, "a\nb\n\nc")`)
		Expect(t.lines()).To(Equal([]string{"P:a", "P:b", "P:", "P:c"}))
		Expect(t.has(sendButton)).To(BeTrue())
	})

	It("does not know of text that came without an input event", func() {
		eval[chromedp.Void](
			t,
			`document.querySelector("#prompt-textarea").innerHTML = "<p>x</p><p>y</p>"`,
		)
		Expect(t.has(sendButton)).To(BeFalse())
		eval[bool](t, `document.querySelector("#prompt-textarea").dispatchEvent(
			new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }))`)
		Expect(t.has(sendButton)).To(BeTrue())
		Expect(t.lines()).To(Equal([]string{"P:x", "P:y"}))
	})

	It("takes a paste as text", func() {
		t.click(editor)
		eval[bool](t, `(() => { const d = new DataTransfer(); d.setData("text/plain", "p\nq");
			return document.activeElement.dispatchEvent(new ClipboardEvent("paste",
				{ clipboardData: d, bubbles: true, cancelable: true })); })()`)
		Expect(t.lines()).To(Equal([]string{"P:p", "P:q"}))
	})

	It("submits on Enter and breaks the line on Shift+Enter", func() {
		t.write("up")
		Expect(
			chromedp.Do(
				t.ctx,
				chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierShift)),
			),
		).To(Succeed())
		t.insert("down")
		Expect(t.lines()).To(Equal([]string{"P:up", "P:down"}))
		Expect(chromedp.Do(t.ctx, chromedp.KeyEvent(kb.Enter))).To(Succeed())
		s.received(1)
		t.sync()
		Expect(t.lines()).To(Equal([]string{"P:"}))
		s.Do(func(_ time.Time, site *fakesite.Site) {
			Expect(site.Ledger().Received()[0].Text).To(Equal("up\ndown"))
		})
	})

	It("empties through the editor's own path", func() {
		t.write("a\nb\nc")
		eval[bool](
			t,
			`(getSelection().selectAllChildren(document.querySelector("#prompt-textarea")),
			document.execCommand("delete"))`,
		)
		Expect(t.lines()).To(Equal([]string{"P:"}))
		Expect(t.has(sendButton)).To(BeFalse())
		t.insert("again")
		Expect(t.lines()).To(Equal([]string{"P:again"}))
	})

	It("takes a very long text whole", func() {
		long := ""
		for range 1500 {
			long += "the quick brown fox jumps over the lazy dog, again and again and again\n"
		}
		t.write(long + "end")
		Expect(
			eval[int](t, `document.querySelector("#prompt-textarea").children.length`),
		).To(Equal(1501))
		t.click(sendButton)
		s.received(1)
		s.Do(func(_ time.Time, site *fakesite.Site) {
			Expect(site.Ledger().Received()[0].Text).To(Equal(long + "end"))
		})
	})

	It("before hydration is a plain form that sends nothing", func() {
		s := newStand(
			fakesite.Config{
				Timing:  typical(),
				Options: fakesite.Options{FallbackFor: 8 * time.Second},
			},
		)
		t := s.openTab("/")
		Expect(t.has("textarea.wcDTda_fallbackTextarea[name=prompt-textarea]")).To(BeTrue())
		Expect(t.has(editor)).To(BeFalse())
		t.click("textarea")
		t.insert("lost")
		Expect(chromedp.Do(t.ctx, chromedp.Submit(chromedp.CSS("textarea")))).To(Succeed())
		Eventually(
			func() string { return eval[string](t, "location.search") },
		).Should(Equal("?prompt-textarea=lost"))
		t.pass(8 * time.Second)
		Expect(t.has("textarea")).To(BeFalse())
		Expect(t.lines()).To(Equal([]string{"P:"}))
		s.Do(
			func(_ time.Time, site *fakesite.Site) { Expect(site.Ledger().Entries()).To(BeEmpty()) },
		)
	})
})

var _ = Describe("the site at its own name", func() {
	It("stands at https://chatgpt.com inside the browser, and nothing else can be reached", func() {
		needChromium()
		ctx, cancel := chromedp.NewContext(chromium)
		DeferCleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
		Expect(
			chromedp.Do(
				ctx,
				chromedp.Navigate(secure.URL()+"/"),
				chromedp.WaitReady(chromedp.CSS(editor)),
			),
		).To(Succeed())
		got, err := chromedp.Run(
			ctx,
			chromedp.Evaluate[[]any]("[location.href, isSecureContext, !!navigator.clipboard]"),
		)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]any{"https://chatgpt.com/", true, true}))
		err = chromedp.Do(ctx, chromedp.Navigate("https://example.com/"))
		Expect(err).To(MatchError(ContainSubstring("ERR_NAME_NOT_RESOLVED")))
	})
})

// screenshot writes a picture where FAKESITE_SCREENSHOT says, for a person to look at.
func (t *tab) screenshot() {
	GinkgoHelper()
	path := os.Getenv("FAKESITE_SCREENSHOT")
	if path == "" {
		return
	}
	picture, err := chromedp.Run(t.ctx, chromedp.CaptureScreenshot())
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(path, picture, 0o600)).To(Succeed())
}
