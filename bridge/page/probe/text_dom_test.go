package probe_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page/probe"
)

var _ = Describe("text", func() {
	It("rebuilds markdown and leaves out what stands around the code", func() {
		s := textOf(open("/c/abc", "classic"), "a-1")
		Expect(s.Found && s.Bar).To(BeTrue())
		Expect(s.Text).To(Equal("Intro with `code`, **bold** and a\nsecond line.\n\n" +
			"1. one\n2. two\n   - deep\n\n## Heading\n\n" +
			"```text\n# HS pi-bridge/1\nTYPE: ack\n\n  indented\n```\n\n" +
			"Something went wrong. Verify you are human. Too many requests."))
	})

	It("keeps the lines of the newer code viewer", func() {
		Expect(textOf(open("/", "editor"), "a-1").Text).To(Equal(
			"```\nif x:\n    y = 1\n\nz\n```\n\nbetween\n\n```go\na\n\nb\n```"))
	})

	It("reads nested messages one by one and never a message of the user", func() {
		t := open("/c/abc", "classic")
		Expect(textOf(t, "a-1-preamble").Text).To(Equal("Let me look."))
		Expect(textOf(t, "u-1").Found).To(BeFalse())
		Expect(textOf(t, "gone").Found).To(BeFalse())
	})

	It("never reads the second of two responses", func() {
		t := open("/", "list")
		run(t, `document.querySelector("[data-message-id=a-1]").insertAdjacentHTML("beforeend",
			'<div data-paragen-root="true"><div class="markdown"><p>the other one</p></div></div>')`)
		Expect(textOf(t, "a-1").Text).To(Equal("answer\n\n- item"))
	})

	It("fences code that holds fences, and tables, quotes and breaks", func() {
		t := open("/c/abc", "classic")
		run(t, `document.querySelector("[data-message-id=a-1] .markdown").innerHTML =
			"<blockquote><p>q</p></blockquote><pre><code>a\n`+"```"+`\nb</code></pre>"+
			"<table><tr><th>h</th></tr><tr><td>c</td></tr></table><hr><ol start=3><li>x</li></ol>"`)
		Expect(textOf(t, "a-1").Text).To(Equal("> q\n\n````\na\n```\nb\n````\n\n" +
			"| h |\n| --- |\n| c |\n\n---\n\n3. x"))
	})
})

var _ = Describe("copy", func() {
	It("takes what the buttons write and restores the clipboard", func() {
		t := open("/c/abc", "classic")
		c := do(t, probe.Copy, probe.MessageArgs{MessageID: "a-1"})
		Expect(c).To(Equal(probe.CopyState{
			Found: true, Blocks: []string{"# HS pi-bridge/1\nTYPE: ack\n\n  indented"},
		}))
		Expect(eval[bool](t, `!Object.hasOwn(navigator.clipboard, "writeText") &&
			navigator.clipboard.writeText === Clipboard.prototype.writeText`)).To(BeTrue())
	})

	It("counts a button that writes nothing and reads clipboard items", func() {
		c := do(open("/", "editor"), probe.Copy, probe.MessageArgs{MessageID: "a-1"})
		Expect(c.Blocks).To(Equal([]string{"if x:\n    y = 1\n\nz"}))
		Expect(c.Failed).To(Equal(1))
	})

	It("throws when the clipboard cannot be restored", func() {
		t := open("/c/abc", "classic")
		run(t, `document.querySelector("pre button").onclick = () =>
			{ Clipboard.prototype.writeText = async () => {} }`)
		_, err := probe.Do(t.ctx, t.Session, probe.Copy, probe.MessageArgs{MessageID: "a-1"})
		Expect(err).To(MatchError(probe.ErrThrew))
	})

	It("presses no button but Copy", func() {
		t := open("/c/abc", "classic")
		run(t, `window.edited = 0; [...document.querySelectorAll("pre button")].
			filter((b) => b.textContent === "Edit").forEach((b) => b.onclick = () => edited++)`)
		do(t, probe.Copy, probe.MessageArgs{MessageID: "a-1"})
		Expect(eval[int](t, "edited")).To(BeZero())
	})

	It("finds no block in a user's message", func() {
		c := do(open("/c/abc", "classic"), probe.Copy, probe.MessageArgs{MessageID: "u-1"})
		Expect(c.Found).To(BeFalse())
	})
})
