package probe_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page/probe"
)

var none = probe.None{}

func turnOf(t *tab, id string) probe.TurnState {
	GinkgoHelper()
	return do(t, probe.Turn, probe.TurnArgs{MessageID: id})
}

func tailAfter(t *tab, id string, limit int) probe.TailState {
	GinkgoHelper()
	return do(t, probe.Tail, probe.TailArgs{After: id, Limit: limit})
}

func textOf(t *tab, id string) probe.TextState {
	GinkgoHelper()
	return do(t, probe.Text, probe.MessageArgs{MessageID: id})
}

var _ = Describe("hello", func() {
	It("names a document once and survives a second installation", func() {
		t := open("/c/abc", "classic")
		d := do(t, probe.Hello, probe.HelloArgs{Nonce: "one"})
		Expect(d.Name).To(Equal("one"))
		Expect(d.Conversation).To(Equal("abc"))
		Expect(d.Ready).To(BeTrue())
		Expect(probe.DoInstall(t.ctx, t.Session)).To(Succeed())
		Expect(do(t, probe.Hello, probe.HelloArgs{Nonce: "two"}).Name).To(Equal("one"))
	})

	It("keeps name and fence under a newer version of the script", func() {
		t := open("/", "app")
		do(t, probe.Hello, probe.HelloArgs{Nonce: "one"})
		do(t, probe.Fence, probe.FenceArgs{Token: "t", Text: "x"})
		run(t, `Object.defineProperty(globalThis, "__bridge",
			{value: {version: "older", state: __bridge.state}, configurable: true})`)
		Expect(probe.DoInstall(t.ctx, t.Session)).To(Succeed())
		f := do(t, probe.Revoke, none)
		Expect(f.Document).To(Equal("one"))
		Expect(f.Token).To(Equal("t"))
		Expect(f.Present).To(BeTrue())
	})

	It("is missing in a document without the script", func() {
		t := open("/", "app")
		run(t, `delete globalThis.__bridge`)
		_, err := probe.Do(t.ctx, t.Session, probe.Guard, none)
		Expect(err).To(MatchError(probe.ErrNoProbe))
	})

	It("keeps transient ids and reads project addresses", func() {
		t := open("/c/WEB%3A12-34", "app")
		Expect(do(t, probe.Hello, probe.HelloArgs{}).Conversation).To(Equal("WEB:12-34"))
		run(t, `history.pushState({}, "", "/g/g-p-00-name/c/de-ad?x=1")`)
		Expect(do(t, probe.Hello, probe.HelloArgs{}).Conversation).To(Equal("de-ad"))
	})
})

var _ = Describe("guard", func() {
	blocker := func(path, fixture, script string) probe.GuardState {
		GinkgoHelper()
		t := open(path, fixture)
		run(t, script)
		return do(t, probe.Guard, none)
	}

	It("takes a healthy page with every misleading word for healthy", func() {
		g := blocker("/c/abc", "classic", "")
		Expect(g).To(Equal(probe.GuardState{LoggedIn: true, Composer: true, Conversation: "abc"}))
	})

	DescribeTable("finds a blocker by its structure",
		func(path, fixture, script string, want probe.Blocker) {
			Expect(blocker(path, fixture, script).Blocker).To(Equal(want))
		},
		Entry("challenge form", "/", "captcha", "", probe.BlockCaptcha),
		Entry("challenge by title and script", "/", "captcha-script", "", probe.BlockCaptcha),
		Entry("guest with a composer", "/", "guest", "", probe.BlockLogin),
		Entry("login page", "/auth/login", "app", "", probe.BlockLogin),
		Entry("expired session over a logged-in page", "/c/a", "classic",
			`document.body.insertAdjacentHTML("beforeend", '<div id="modal-expired-session">x</div>')`,
			probe.BlockLogin),
		Entry("rate limit dialog", "/c/a", "classic",
			`document.body.insertAdjacentHTML("beforeend",
			'<div role="dialog"><h2>Too many requests</h2><p>wait</p><button>Got it</button></div>')`,
			probe.BlockRateLimit),
		Entry("account dialog", "/c/a", "classic",
			`document.body.insertAdjacentHTML("beforeend",
			'<div role="dialog" aria-label="We noticed suspicious activity">secure</div>')`,
			probe.BlockAccount),
		Entry("composer that refuses, with a notice", "/c/a", "classic",
			`document.getElementById("prompt-textarea").setAttribute("contenteditable", "false");
			document.querySelector("form").insertAdjacentHTML("beforeend",
			'<div role="status">limit</div>')`,
			probe.BlockUsageCap),
	)

	DescribeTable("is not fooled",
		func(script string) {
			Expect(blocker("/c/a", "classic", script).Blocker).To(BeEmpty())
		},
		Entry("downgrade banner", `document.querySelector("form").insertAdjacentHTML("beforebegin",
			'<div role="status">You have hit the Free plan limit. Responses will use another model.' +
			'</div>')`),
		Entry("dialog about a chat with such a title", `document.body.insertAdjacentHTML("beforeend",
			'<div role="dialog"><h2>Delete chat?</h2>Too many requests</div>')`),
		Entry("hidden modal", `document.body.insertAdjacentHTML("beforeend",
			'<div id="modal-expired-session" hidden>x</div>')`),
		Entry("alert inside a turn", `document.getElementById("answer").innerHTML =
			'<div role="alert">suspicious activity</div>'`),
		Entry("challenge frame beside the app", `document.body.insertAdjacentHTML("beforeend",
			'<iframe src="about:blank#challenges.cloudflare.com"></iframe>')`),
	)

	It("sees the stop button in the composer's form only", func() {
		t := open("/c/abc", "classic")
		Expect(do(t, probe.Guard, none).Stop).To(BeFalse())
		run(t, `document.getElementById("slot").innerHTML =
			'<button data-testid="stop-button">s</button>'`)
		Expect(do(t, probe.Guard, none).Stop).To(BeTrue())
	})
})

var _ = Describe("composer", func() {
	It("reads lines of paragraphs and breaks", func() {
		c := do(open("/", "editor"), probe.Composer, none)
		Expect(c.Hydrated).To(BeTrue())
		Expect(c.Text).To(Equal("one\n\ntwo\nthree"))
	})

	It("knows the other editor", func() {
		c := do(open("/", "list"), probe.Composer, none)
		Expect(c.Text).To(Equal("typed"))
	})

	It("takes no fallback text area for a composer", func() {
		t := open("/", "classic")
		run(t, `document.getElementById("prompt-textarea").remove();
			document.querySelector("textarea").style.display = "block"`)
		Expect(do(t, probe.Composer, none).Hydrated).To(BeFalse())
		Expect(do(t, probe.Guard, none).Composer).To(BeFalse())
	})

	It("gives the button's centre only where nothing lies over it", func() {
		t := open("/", "app")
		c := do(t, probe.Composer, none)
		Expect(c.Send && c.Enabled).To(BeTrue())
		Expect(c.X).To(BeNumerically(">", 0))
		run(t, `document.body.insertAdjacentHTML("beforeend",
			'<div id="veil" style="position:fixed;inset:0;background:red"></div>')`)
		Expect(do(t, probe.Composer, none).X).To(BeZero())
		run(t, `veil.remove();
			document.querySelector("#composer-submit-button").setAttribute("aria-disabled", "true")`)
		Expect(do(t, probe.Composer, none).Enabled).To(BeFalse())
	})

	It("puts the caret to the end and empties by the editor's input path", func() {
		t := open("/", "editor")
		run(t, `window.inputs = 0; document.getElementById("prompt-textarea").
			addEventListener("input", (e) => { if (e.isTrusted) inputs++ })`)
		Expect(do(t, probe.Focus, none).OK).To(BeTrue())
		Expect(do(t, probe.Composer, none).Focused).To(BeTrue())
		run(t, `document.execCommand("insertText", false, "!")`)
		Expect(do(t, probe.Composer, none).Text).To(Equal("one\n\ntwo\nthree!"))
		Expect(do(t, probe.Empty, none).OK).To(BeTrue())
		Expect(do(t, probe.Composer, none).Text).To(BeEmpty())
		Expect(eval[int](t, "inputs")).To(BeNumerically(">=", 2))
		Expect(do(t, probe.Empty, none).OK).To(BeTrue())
	})

	It("says why it cannot", func() {
		t := open("/", "captcha")
		Expect(do(t, probe.Focus, none)).To(Equal(probe.Done{Reason: "no hydrated composer"}))
		Expect(do(t, probe.Empty, none).OK).To(BeFalse())
	})
})

var _ = Describe("tail", func() {
	It("lists turns, not message nodes, with the head of our text", func() {
		t := open("/c/abc", "classic")
		all := tailAfter(t, "", 0)
		Expect(all.Found).To(BeTrue())
		Expect(all.Conversation).To(Equal("abc"))
		Expect(all.Turns).To(Equal([]probe.MountedTurn{
			{
				TurnID: "t-1", MessageID: "u-1", Role: "user",
				Head: "# HELLO pi-bridge/1\nS: 9f83a7c1d42e650b",
			},
			{TurnID: "t-2", MessageID: "a-1", Role: "assistant"},
			{
				TurnID: "t-3", MessageID: "u-2", Role: "user",
				Head: "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58",
			},
			{TurnID: "t-4", Role: "assistant"},
		}))
		Expect(tailAfter(t, "a-1", 0).Turns).To(Equal(all.Turns[2:]))
		Expect(tailAfter(t, "t-2", 0).Turns).To(Equal(all.Turns[2:]))
		Expect(tailAfter(t, "a-1-preamble", 0).Turns).To(Equal(all.Turns[2:]))
		Expect(tailAfter(t, "", 1).Turns).To(Equal(all.Turns[3:]))
	})

	It("does not find a turn that is not mounted, and no turns in an unknown page", func() {
		gone := tailAfter(open("/c/abc", "classic"), "gone", 5)
		Expect(gone.Found).To(BeFalse())
		Expect(gone.Turns).To(BeEmpty())
		Expect(tailAfter(open("/c/abc", "app"), "", 5).Turns).To(BeEmpty())
	})

	It("reads the list family", func() {
		Expect(tailAfter(open("/", "list"), "", 0).Turns).To(Equal([]probe.MountedTurn{
			{TurnID: "t-1", MessageID: "u-1", Role: "user", Head: "first\nsecond"},
			{TurnID: "t-2", MessageID: "a-1", Role: "assistant"},
			{TurnID: "t-3", MessageID: "u-2", Role: "user", Head: "again"},
		}))
	})

	It("reads the keyed family", func() {
		Expect(tailAfter(open("/", "keyed"), "", 0).Turns).To(Equal([]probe.MountedTurn{
			{TurnID: "k-1", MessageID: "u-1", Role: "user", Head: "# ROUND pi-bridge/1\nFRAME: x"},
			{TurnID: "k-2", MessageID: "a-1", Role: "assistant"},
		}))
	})
})

var _ = Describe("turn", func() {
	answer := func(html string) string {
		return "document.getElementById('answer').innerHTML = `" + html + "`"
	}
	const message = `<div data-message-author-role="assistant" data-message-id="a-2">`
	const bar = `<button data-testid="copy-turn-action-button"></button>`

	It("sees the finished answer of an old turn and ignores quoted errors", func() {
		s := turnOf(open("/c/abc", "classic"), "u-1")
		Expect(s.State).To(Equal(probe.AnswerFinished))
		Expect(s.MessageID).To(Equal("a-1"))
		Expect(s.Bar).To(BeTrue())
		Expect(s.Error).To(BeEmpty())
		Expect(s.Conversation).To(Equal("abc"))
		Expect(s.Blocker).To(BeEmpty())
	})

	DescribeTable("sorts what our turn shows, whatever bars stand on old turns",
		func(html string, want probe.AnswerState) {
			t := open("/c/abc", "classic")
			run(t, answer(html))
			s := turnOf(t, "u-2")
			Expect(s.State).To(Equal(want), "%+v", s)
		},
		Entry("an empty turn", "", probe.AnswerPlaceholder),
		Entry("a placeholder node", message+`</div>`, probe.AnswerPlaceholder),
		Entry("a shimmer", `<span class="loading-shimmer">Thinking</span>`, probe.AnswerThinking),
		Entry("a tool row", `<div data-testid="cot-v5-tool-icon-pile">Calling tool</div>`,
			probe.AnswerThinking),
		Entry("preamble inside the streaming status", `<div data-streaming-response-status="thinking">`+
			message+`<div class="markdown"><p>Let me see.</p></div></div></div>`, probe.AnswerThinking),
		Entry("text without a bar", message+`<div class="markdown"><p>Hi</p></div></div>`,
			probe.AnswerStreaming),
		Entry("text, bar and a shimmer (early bar)", message+`<div class="markdown"><p>Hi</p></div></div>
			<span class="loading-shimmer"></span>`+bar, probe.AnswerStreaming),
		Entry("text and bar", message+`<div class="markdown"><p>Hi</p></div></div>`+bar,
			probe.AnswerFinished),
		Entry("an old thinking class that stays", message+
			`<div class="markdown"><p>Hi</p></div></div><div class="result-thinking"></div>`+bar,
			probe.AnswerFinished),
		Entry("a bar and no text", bar, probe.AnswerPlaceholder),
		Entry("an error before any text",
			`<div class="text-token-text-error">Something went wrong.</div>`,
			probe.AnswerError),
		Entry("an error after text", message+`<div class="markdown"><p>Hi</p></div>
			<div class="text-token-text-error">Network error</div></div>`, probe.AnswerError),
		Entry("an answer that quotes an error", message+`<div class="markdown"><p>Network error</p>
			<pre><code class="hljs-text-error">x</code></pre></div></div>`+bar, probe.AnswerFinished),
	)

	It("takes the message behind the streaming status for the answer", func() {
		t := open("/c/abc", "classic")
		run(t, answer(`<div data-streaming-response-status="done"><div data-message-id="p"
			data-message-author-role="assistant"><div class="markdown"><p>Preamble</p></div></div></div>`+
			message+`<div class="markdown"><p>The answer</p></div></div>`+bar))
		s := turnOf(t, "u-2")
		Expect(s.State).To(Equal(probe.AnswerFinished))
		Expect(s.MessageID).To(Equal("a-2"))
		Expect(s.Length).To(Equal(len("The answer")))
	})

	It("holds the turn open while the composer shows stop", func() {
		t := open("/c/abc", "classic")
		run(t, answer(message+`<div class="markdown"><p>Hi</p></div></div>`+bar)+`;
			document.getElementById("slot").innerHTML = '<button data-testid="stop-button">s</button>'`)
		s := turnOf(t, "u-2")
		Expect(s.State).To(Equal(probe.AnswerStreaming))
		Expect(s.Stop).To(BeTrue())
	})

	It("reports Retry and Continue generating without pressing them", func() {
		t := open("/c/abc", "classic")
		run(t, `window.pressed = 0; document.addEventListener("click", () => pressed++, true);`+
			answer(message+`<div class="markdown"><p>Hi</p></div></div>
			<button data-testid="regenerate-thread-error-button">Retry</button>
			<button>Continue generating</button>`+bar))
		s := turnOf(t, "u-2")
		Expect(s.Retry).To(BeTrue())
		Expect(s.Truncated).To(BeTrue())
		Expect(eval[int](t, "pressed")).To(BeZero())
		Expect(turnOf(t, "u-1").Truncated).To(BeFalse())
	})

	It("says absent and unmounted", func() {
		t := open("/c/abc", "list")
		Expect(turnOf(t, "u-2").State).To(Equal(probe.AnswerAbsent))
		Expect(turnOf(t, "gone").State).To(Equal(probe.AnswerUnmounted))
		Expect(turnOf(t, "a-1").State).To(Equal(probe.AnswerUnmounted), "no message of the user")
	})

	It("reads the list and the keyed family", func() {
		Expect(turnOf(open("/", "list"), "u-1").State).To(Equal(probe.AnswerFinished))
		s := turnOf(open("/", "keyed"), "u-1")
		Expect(s.State).To(Equal(probe.AnswerFinished))
		Expect(s.MessageID).To(Equal("a-1"))
	})

	It("counts characters, not code units", func() {
		t := open("/c/abc", "classic")
		run(t, answer(message+`<div class="markdown"><p>你好😀</p></div></div>`))
		Expect(turnOf(t, "u-2").Length).To(Equal(3))
	})
})
