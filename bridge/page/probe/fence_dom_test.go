package probe_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
)

const ours = "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58\n\n## 用户请求\nfix it"

// typed opens the app with text in the composer and the fence armed for ours.
func typed(text string) *tab {
	GinkgoHelper()
	t := open("/", "app")
	do(t, probe.Hello, probe.HelloArgs{Nonce: "doc"})
	put(t, text)
	f := do(t, probe.Fence, probe.FenceArgs{Token: "tok", Text: ours})
	Expect(f.Live && f.Present).To(BeTrue())
	return t
}

func put(t *tab, text string) {
	GinkgoHelper()
	run(t, fmt.Sprintf(`document.getElementById("prompt-textarea").replaceChildren(
		...%q.split("\n").map((line) => {
			const p = document.createElement("p");
			p.append(line || document.createElement("br"));
			return p;
		}))`, text))
}

func mouse(t *tab, x, y float64) {
	GinkgoHelper()
	for _, kind := range []input.DispatchMouseEventType{
		input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased,
	} {
		_, err := browser.Call(t.ctx, t.Session, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1,
		})
		Expect(err).NotTo(HaveOccurred())
	}
}

func click(t *tab) {
	GinkgoHelper()
	c := do(t, probe.Composer, none)
	Expect(c.X).NotTo(BeZero())
	mouse(t, c.X, c.Y)
}

func key(t *tab, modifiers int64) {
	GinkgoHelper()
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		_, err := browser.Call(t.ctx, t.Session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13,
			Modifiers: modifiers,
		})
		Expect(err).NotTo(HaveOccurred())
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

func seen(t *tab) []string {
	GinkgoHelper()
	return eval[[]string](t, "log")
}

var _ = Describe("fence", func() {
	submits := []struct {
		name string
		act  func(*tab)
	}{
		{"click", click},
		{"scripted click", func(t *tab) {
			run(t,
				`document.querySelector("[data-testid=send-button]").click()`)
		}},
		{"Enter", func(t *tab) { do(t, probe.Focus, none); key(t, 0) }},
		{"Ctrl+Enter", func(t *tab) { do(t, probe.Focus, none); key(t, 2) }},
		{"form submit", func(t *tab) { run(t, `f.requestSubmit()`) }},
		{"click on submit", func(t *tab) { run(t, `document.getElementById("now").click()`) }},
	}
	for _, way := range submits {
		name, submit := way.name, way.act
		It("lets exactly one "+name+" through, with the live token", func() {
			t := typed(ours)
			submit(t)
			submit(t)
			submit(t)
			Expect(seen(t)).To(HaveLen(1))
			f := do(t, probe.Revoke, none)
			Expect(f.Passed).To(Equal(1))
			Expect(f.Live).To(BeFalse())
			Expect(f.Stopped).To(BeNumerically(">=", 2))
			Expect(f.Holds).To(BeTrue())
			Expect(f.Token).To(Equal("tok"))
			Expect(f.Document).To(Equal("doc"))
		})

		It("swallows a "+name+" after the token was revoked", func() {
			t := typed(ours)
			do(t, probe.Revoke, none)
			submit(t)
			Expect(seen(t)).To(BeEmpty())
			f := do(t, probe.Revoke, none)
			Expect(f.Passed).To(BeZero())
			Expect(f.Stopped).To(BeNumerically(">=", 1))
		})

		It("swallows a "+name+" in another conversation, and lets it pass back in ours", func() {
			t := typed(ours)
			run(t, `history.pushState(null, "", "/c/other")`)
			submit(t)
			Expect(seen(t)).To(BeEmpty())
			f := do(t, probe.Fence, probe.FenceArgs{Token: "other", Text: ours})
			Expect(f.Live).To(BeFalse())
			Expect([]string{f.Bound, f.Conversation}).To(Equal([]string{"", "other"}))
			run(t, `history.pushState(null, "", "/")`)
			Expect(do(t, probe.Fence, probe.FenceArgs{Token: "tok", Text: ours}).Live).To(BeTrue())
			submit(t)
			Expect(seen(t)).To(HaveLen(1))
		})

		It("swallows a "+name+" while a blocker stands, and keeps the token", func() {
			t := typed(ours)
			run(t, `dialogs.innerHTML = '<div role="dialog"><h2>Too many requests</h2></div>'`)
			submit(t)
			Expect(seen(t)).To(BeEmpty())
			f := do(t, probe.Fence, probe.FenceArgs{Token: "next", Text: ours})
			Expect(f.Live).To(BeTrue())
			run(t, `dialogs.innerHTML = ""`)
			submit(t)
			Expect(seen(t)).To(HaveLen(1))
		})

		It("does not touch a "+name+" of another text", func() {
			t := typed("a person's own words")
			submit(t)
			submit(t)
			Expect(len(seen(t))).To(BeNumerically(">=", 2))
			f := do(t, probe.Revoke, none)
			Expect(f.Passed + f.Stopped).To(BeZero())
			Expect(f.Holds).To(BeFalse())
			Expect(f.Composer).To(Equal("a person's own words"))
		})
	}

	It("stops a click that was queued in a busy renderer when the token is revoked", func() {
		t := typed(ours)
		c := do(t, probe.Composer, none)
		run(t, `setTimeout(() => {
			const tell = new XMLHttpRequest(); tell.open("GET", "/busy", false); tell.send();
			const end = performance.now() + 500;
			while (performance.now() < end); __bridge.revoke({}); }, 0)`)
		// Not before it is busy, or the click overtakes the timer and rightly passes.
		Eventually(theStage.busy).WithTimeout(20 * time.Second).Should(Receive())
		mouse(t, c.X, c.Y) // arrives while the renderer is busy, is dispatched after the revocation
		Expect(seen(t)).To(BeEmpty())
		f := do(t, probe.Revoke, none)
		Expect(f.Stopped).To(Equal(1))
		Expect(f.Passed).To(BeZero())
	})

	It("revokes and reads in one call: a click before it has passed, one after it has not", func() {
		t := typed(ours)
		run(t, `window.read = null; setTimeout(() => {
			document.querySelector("[data-testid=send-button]").click();
			read = __bridge.revoke({});
			document.querySelector("[data-testid=send-button]").click(); }, 0)`)
		Eventually(func() bool { return eval[bool](t, "read !== null") }).Should(BeTrue())
		Expect(eval[int](t, "read.passed")).To(Equal(1))
		Expect(eval[bool](t, "read.live")).To(BeFalse())
		Expect(seen(t)).To(HaveLen(1))
	})

	for _, mode := range []string{"pointerdown", "mousedown", "pointerup", "mouseup"} {
		It("cannot be passed by an app that acts on "+mode, func() {
			t := typed(ours)
			run(t, `mode = "`+mode+`"`)
			click(t)
			Expect(seen(t)).To(BeEmpty())
			do(t, probe.Revoke, none)
			click(t)
			Expect(seen(t)).To(BeEmpty())
		})
	}

	for _, mode := range []string{"keyup", "beforeinput"} {
		It("cannot be passed by an app that acts on "+mode, func() {
			t := typed(ours)
			do(t, probe.Revoke, none)
			run(t, `mode = "`+mode+`"`)
			do(t, probe.Focus, none)
			key(t, 0)
			run(t, `document.execCommand("insertParagraph")`)
			Expect(seen(t)).To(BeEmpty())
		})
	}

	It("lets the submit event of a passed click through, once", func() {
		t := typed(ours)
		run(t, `mode = "request"`)
		click(t)
		Expect(seen(t)).To(Equal([]string{"submit:# ROUND pi-b"}))
		click(t)
		run(t, `f.requestSubmit()`)
		Expect(seen(t)).To(HaveLen(1))
		Expect(do(t, probe.Revoke, none).Passed).To(Equal(1))
	})

	It("never submits ours inside another text", func() {
		t := typed("a restored draft " + ours)
		click(t)
		Expect(seen(t)).To(BeEmpty())
		f := do(t, probe.Revoke, none)
		Expect(f.Passed).To(BeZero())
		Expect(f.Stopped).To(Equal(1))
		Expect(f.Holds).To(BeFalse())
	})

	It("compares in the canonical form of the wire", func() {
		t := typed(ours)
		noise := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b", " ", "\n", "\n\n\n", "\r\n", "\r", "\u00a0", "\ufeff", "\u202f", "\u3000", "\u0085",
			"\t", "你",
			"\u200b", "\v",
		}), 0, 8)
		rapid.Check(GinkgoTB(), func(r *rapid.T) {
			held := strings.Join(noise.Draw(r, "held"), "")
			other := strings.Join(noise.Draw(r, "other"), "")
			if rapid.Bool().Draw(r, "near") {
				other = " " + strings.ReplaceAll(held, "\n", " \n") + "\n"
			}
			run(t, fmt.Sprintf(`document.querySelector("#prompt-textarea").innerHTML = "<p></p>";
				document.querySelector("#prompt-textarea p").textContent = JSON.parse(%q)`, quoted(held)))
			f := do(t, probe.Fence, probe.FenceArgs{Token: "x", Text: other})
			if f.Holds != wire.SameText(f.Composer, other) {
				r.Fatalf("composer %q, text %q: the page says %v", f.Composer, other, f.Holds)
			}
		})
	})

	It("leaves clicks, keys and line breaks elsewhere alone", func() {
		t := typed(ours)
		do(t, probe.Revoke, none)
		run(t, `document.getElementById("elsewhere").click(); document.getElementById("other").focus()`)
		key(t, 0)
		Expect(seen(t)).To(Equal([]string{"elsewhere", "other:Enter"}))
		do(t, probe.Focus, none)
		key(t, 8)
		Expect(do(t, probe.Composer, none).Text).NotTo(Equal(ours), "Shift+Enter is a line break")
		Expect(do(t, probe.Revoke, none).Stopped).To(BeZero())
	})

	It("is gone after unfence", func() {
		t := typed(ours)
		Expect(do(t, probe.Unfence, none).OK).To(BeTrue())
		click(t)
		click(t)
		Expect(seen(t)).To(HaveLen(2))
		f := do(t, probe.Revoke, none)
		Expect(f).To(Equal(probe.FenceState{Document: "doc", Composer: ours}))
	})

	It("counts anew for a new token", func() {
		t := typed(ours)
		click(t)
		f := do(t, probe.Fence, probe.FenceArgs{Token: "two", Text: ours})
		Expect(f.Passed).To(BeZero())
		Expect(f.Token).To(Equal("two"))
		click(t)
		Expect(seen(t)).To(HaveLen(2))
	})
})
