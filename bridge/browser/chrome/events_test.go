package chrome_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/page"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
)

// drained collects the events of a session over several polls.
func drained(s *chrome.Session) func() []browser.Event {
	var all []browser.Event
	return func() []browser.Event {
		all = s.Drain(all)
		return all
	}
}

func kinds(s *chrome.Session) func() []browser.EventKind {
	events := drained(s)
	return func() []browser.EventKind {
		var ks []browser.EventKind
		for _, e := range events() {
			ks = append(ks, e.Kind)
		}
		return ks
	}
}

// post is a script that sends message id to path of the page's site.
func post(path, id, padding string) string {
	return fmt.Sprintf(`fetch(%q, {method: "POST", body: JSON.stringify({
		action: "next", conversation_id: "conv-1", pad: %s,
		messages: [{id: %q, author: {role: "user"}, content: {parts: ["hi"]}}],
	})}).then(r => r.text()).then(() => 1, () => 2)`, path, padding, id)
}

var _ = Describe("events", func() {
	var (
		url string
		s   *chrome.Session
		b   *chrome.Browser
	)
	BeforeEach(func() {
		noLeak()
		srv := site(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server sees a client leave only after its body
			switch {
			case r.Method == http.MethodGet:
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<title>t</title>")
			case strings.HasPrefix(r.URL.Path, "/refuse/"):
				w.WriteHeader(http.StatusTooManyRequests)
			case strings.HasPrefix(r.URL.Path, "/wait/"):
				<-r.Context().Done()
			case strings.HasPrefix(r.URL.Path, "/open/"):
				fmt.Fprint(w, "data: half")
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			case strings.HasPrefix(r.URL.Path, "/hangup/"):
				panic(http.ErrAbortHandler)
			case strings.HasPrefix(r.URL.Path, "/cut/"):
				fmt.Fprint(w, "data: half")
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			}
		})
		url = srv.URL
		b = connect(shared.Endpoint())
		s = attach(b, tab(shared.Endpoint(), "about:blank"))
		_, err := browser.Call(within(patience), s, page.Navigate, page.NavigateParams{URL: url + "/"})
		Expect(err).NotTo(HaveOccurred())
		Eventually(drained(s), patience).Should(ContainElement(
			browser.Event{Kind: browser.Navigated, URL: url + "/"}))
		_ = s.Drain(nil)
	})
	run := func(script string) {
		GinkgoHelper()
		Expect(<-evaluate(within(patience), s, script)).To(Succeed())
	}
	posted := func(path, id string) OmegaMatcher {
		return SatisfyAll(HaveField("Kind", browser.MessagePosted), HaveField("MessageID", id),
			HaveField("ConversationID", "conv-1"), HaveField("URL", url+path),
			HaveField("RequestID", Not(BeEmpty())))
	}
	failed := func(id string, status int) OmegaMatcher {
		return SatisfyAll(HaveField("Kind", browser.MessageFailed), HaveField("MessageID", id),
			HaveField("ConversationID", "conv-1"), HaveField("Status", status))
	}

	It("report each conversation request with the client's message id, and no other", func() {
		run(post("/backend-api/f/conversation", "m1", `""`))
		run(post("/backend-api/f/conversation/prepare", "no", `""`))
		run(post("/backend-api/conversation/init", "no", `""`))
		run(`fetch("/backend-api/conversation").then(() => 1)`)
		run(post("/backend-api/conversation", "m2", `""`))
		events := drained(s)
		Eventually(events, patience).Should(HaveLen(2))
		Expect(events()).To(HaveExactElements(
			posted("/backend-api/f/conversation", "m1"), posted("/backend-api/conversation", "m2")))
	})
	It("ask for a body that is too long for its event and keep the order", func() {
		run(post("/backend-api/f/conversation", "long", `"x".repeat(3 << 20)`))
		run(post("/refuse/backend-api/f/conversation", "longer", `"x".repeat(3 << 20)`))
		run(post("/backend-api/f/conversation", "short", `""`))
		events := drained(s)
		Eventually(events, patience).Should(HaveLen(4))
		Expect(events()).To(HaveExactElements(
			posted("/backend-api/f/conversation", "long"),
			posted("/refuse/backend-api/f/conversation", "longer"),
			failed("longer", http.StatusTooManyRequests),
			posted("/backend-api/f/conversation", "short")))
	})
	DescribeTable("report a message that failed", func(path string, status int) {
		path += "/backend-api/f/conversation"
		run(post(path, "m1", `""`))
		events := drained(s)
		Eventually(events, patience).Should(HaveLen(2))
		Expect(events()).To(HaveExactElements(posted(path, "m1"), failed("m1", status)))
	},
		Entry("refused", "/refuse", http.StatusTooManyRequests),
		Entry("without an answer", "/hangup", 0),
		Entry("cut off in the middle of the answer", "/cut", http.StatusOK),
	)
	It("report a message that the page gave up, but not an answer that it stopped reading", func() {
		const gaveUp = `(() => { const stop = new AbortController();
			const ended = fetch("%s/backend-api/conversation", {method: "POST", signal: stop.signal,
				body: '{"messages":[{"id":"%s"}]}'})%s.then(() => stop.abort(), () => 1);
			%s; return ended })()`
		run(fmt.Sprintf(gaveUp, "/open", "open", "", ""))
		run(fmt.Sprintf(gaveUp, "/wait", "wait", "", "setTimeout(() => stop.abort())"))
		events := drained(s)
		Eventually(events, patience).Should(HaveLen(3))
		Expect(events()).To(HaveExactElements(
			HaveField("MessageID", "open"), HaveField("MessageID", "wait"),
			SatisfyAll(HaveField("Kind", browser.MessageFailed), HaveField("MessageID", "wait"),
				HaveField("Status", 0))))
	})
	It("report a body that is no message as a post without ids", func() {
		run(`fetch("/backend-api/conversation", {method: "POST", body: "not json"}).then(r => r.text())`)
		Eventually(drained(s), patience).Should(ConsistOf(SatisfyAll(
			HaveField("Kind", browser.MessagePosted), HaveField("MessageID", ""))))
	})
	It("report what a message says, without the files in it", func() {
		run(`fetch("/backend-api/conversation", {method: "POST", body: JSON.stringify({messages: [
			{id: "m1", author: {role: "user"}, content: {parts: [{file: 1}, "one", null, "two 二"]}},
		]})}).then(r => r.text())`)
		Eventually(drained(s), patience).Should(ConsistOf(SatisfyAll(
			HaveField("MessageID", "m1"), HaveField("Text", "one\ntwo 二"))))
	})
	It("report dialogs", func() {
		run("void setTimeout(() => alert('x'))")
		Eventually(kinds(s), patience).Should(ConsistOf(browser.DialogOpened))
		Expect(s.Call(within(patience), page.CommandHandleJavaScriptDialog,
			page.HandleJavaScriptDialogParams{Accept: true}, nil)).To(Succeed())
		answers(s)
	})
	It("report reloads and new documents, but no move within the document", func() {
		run(`history.pushState({}, "", "/c/abc")`)
		Expect(s.Call(within(patience), page.CommandReload, page.ReloadParams{}, nil)).To(Succeed())
		Eventually(drained(s), patience).Should(HaveExactElements(
			browser.Event{Kind: browser.Navigated, URL: url + "/c/abc"}))
	})
})

var _ = Describe("pages", func() {
	BeforeEach(noLeak)

	It("are listed without the browser's own targets, with url and title", func() {
		srv := site(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>here</title>")
		})
		id := tab(shared.Endpoint(), srv.URL+"/x")
		b := connect(shared.Endpoint())
		Eventually(func() ([]browser.TargetInfo, error) { return b.Pages(within(patience)) }, patience).
			Should(ContainElement(browser.TargetInfo{ID: id, URL: srv.URL + "/x", Title: "here"}))
		pages, err := b.Pages(within(patience))
		Expect(err).NotTo(HaveOccurred())
		for _, p := range pages {
			Expect(p.URL).NotTo(HavePrefix("chrome://omnibox"))
		}
	})
	It("have the focus, also behind another tab (F503)", func() {
		b := connect(shared.Endpoint())
		s := attach(b, tab(shared.Endpoint(), "about:blank"))
		_ = tab(shared.Endpoint(), "about:blank")
		Expect(<-evaluate(within(patience), s,
			"document.hasFocus() && document.visibilityState === 'visible' ? 1 : Promise.reject()")).
			To(Succeed())
		var r struct {
			Result struct{ Value bool }
		}
		Expect(s.Call(within(patience), "Runtime.evaluate",
			map[string]any{"expression": "document.hasFocus()"}, &r)).To(Succeed())
	})
})
