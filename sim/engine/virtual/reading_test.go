package virtual_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

var _ = Describe("reading an answer", func() {
	read := func(say string, o fakesite.Options, f func(w *world, c *client, args probe.MessageArgs)) {
		GinkgoHelper()
		script := fakesite.Script{Handshake: []fakesite.Move{{Say: say}}}
		play(worldOptions{site: o, script: script}, func(w *world, c *client) {
			c.attach(base + "/")
			c.send(offer().Hello())
			f(w, c, probe.MessageArgs{MessageID: w.site.Conversations()[0].Last().ID})
		})
	}

	DescribeTable("text is what a reader rebuilds from the rendered DOM",
		func(markdown, want string) {
			read(markdown, fakesite.Options{}, func(_ *world, c *client, args probe.MessageArgs) {
				Expect(ask(c, probe.Text, args)).To(Equal(probe.TextState{Found: true, Text: want, Bar: true}))
			})
		},
		Entry("a code block with a language", "```sh\nnpm test\n```", "```sh\nnpm test\n```"),
		Entry("one without", "```\na\n\nb\n```", "```\na\n\nb\n```"),
		Entry("tildes", "~~~\na ``` b\n~~~", "````\na ``` b\n````"),
		Entry("an unclosed block", "```\na\nb", "```\na\nb\n```"),
		Entry("an indented block", "  ```\n  a\n    b\n  ```", "```\na\n  b\n```"),
		Entry("paragraphs", "one\n two  \nthree\n\n\nfour", "one\n two\nthree\n\nfour"),
		Entry("spaces collapse", "a  \t b", "a b"),
		Entry("headings", "## Title ##\ntext", "## Title\n\ntext"),
		Entry("seven marks are text", "####### x", "####### x"),
		Entry("a rule", "a\n\n* * *\n\nb", "a\n\n---\n\nb"),
		Entry("a list", "* a\n* b\n  c\n\n  d", "- a\n- b\n  c\n  d"),
		Entry("numbers", "3) a\n4) b\n   - c", "3. a\n4. b\n   - c"),
		Entry("a quote", "> a\n>\n> b", "> a\n>\n> b"),
		Entry("strong and emphasis", "**a *b* c** *d*", "**a *b* c** *d*"),
		Entry("escapes lose their mark", `\*a\* \# b`, "*a* # b"),
		Entry("stars alone", "2 * 3 ** 4", "2 * 3 ** 4"),
		Entry("code spans", "`a``b` `` c`d `` `` ` ``", "``` a``b ``` `` c`d `` `` ` ``"),
		Entry("links", "[x](https://a.example/b) [https://c.example](https://c.example) [y](z)",
			"[x](https://a.example/b) https://c.example [y](z)"),
	)

	It("shows no language in the newer code view", func() {
		cm := fakesite.Options{CodeView: "cm"}
		read("```sh\nnpm test\n```", cm, func(_ *world, c *client, a probe.MessageArgs) {
			Expect(ask(c, probe.Text, a).Text).To(Equal("```\nnpm test\n```"))
		})
	})

	It("copies each block, or what the site makes of it", func() {
		const two = "text\n\n```sh\none\n```\n- item\n  ```\n  two\n  ```"
		read(two, fakesite.Options{}, func(w *world, c *client, a probe.MessageArgs) {
			Expect(ask(c, probe.Copy, a)).To(Equal(
				probe.CopyState{Found: true, Blocks: []string{"one", "two"}}))
			w.site.Options().CopyBroken = true
			Expect(ask(c, probe.Copy, a)).To(Equal(
				probe.CopyState{Found: true, Blocks: []string{}, Failed: 2}))
			w.site.Options().CopyBroken, w.site.Options().CopyStale = false, true
			Expect(ask(c, probe.Copy, a).Blocks).To(Equal([]string{"", ""}))
			c.send("again")
			next := probe.MessageArgs{MessageID: w.site.Conversations()[0].Last().ID}
			for _, b := range ask(c, probe.Copy, next).Blocks {
				Expect(b).To(Equal("one"))
			}
			Expect(ask(c, probe.Copy, probe.MessageArgs{MessageID: "unknown"})).
				To(Equal(probe.CopyState{Blocks: []string{}}))
		})
	})

	It("reads the record as the server has it", func() {
		o := fakesite.Options{Preamble: "let me see"}
		read("answer", o, func(w *world, c *client, a probe.MessageArgs) {
			conv := w.site.Conversations()[0]
			hello := conv.Messages[0].ID
			want := probe.RecordState{
				Status: 200, LoggedIn: true, Found: true, Complete: true,
				Messages: []probe.RecordedMessage{
					{ID: hello, Role: "user", Text: offer().Hello(), Finished: true},
					{ID: a.MessageID + "-preamble", Parent: hello, Role: "assistant", Text: "let me see"},
					{
						ID: a.MessageID, Parent: a.MessageID + "-preamble", Role: "assistant", Text: "answer",
						Finished: true, Final: true,
					},
				},
			}
			record := func(after string) probe.RecordState {
				return ask(c, probe.Record, probe.RecordArgs{Conversation: conv.ID, After: after})
			}
			Expect(record("")).To(Equal(want))
			want.Messages = want.Messages[1:]
			Expect(record(hello)).To(Equal(want))
			Expect(record("foreign")).To(Equal(probe.RecordState{
				Status: 200, LoggedIn: true, Complete: true, Messages: []probe.RecordedMessage{},
			}))
			for _, t := range []struct {
				change func()
				want   probe.RecordState
			}{
				{
					func() { w.site.Options().RecordStatus = 503 },
					probe.RecordState{Status: 503, LoggedIn: true},
				},
				{
					func() { w.site.Options().RecordEmpty = true },
					probe.RecordState{Status: 200, LoggedIn: true, Found: true},
				},
				{func() { w.site.Block(fakesite.BlockLogin) }, probe.RecordState{Status: 404}},
				{
					func() { w.site.Block(fakesite.BlockCaptcha) },
					probe.RecordState{Status: 403, LoggedIn: true},
				},
				{func() { w.site.Block(fakesite.BlockRate) }, probe.RecordState{Status: 429, LoggedIn: true}},
				{func() { w.site.Delete(conv.ID) }, probe.RecordState{Status: 404, LoggedIn: true}},
			} {
				*w.site.Options() = o
				w.site.Block(fakesite.Unblocked)
				t.change()
				t.want.Messages = []probe.RecordedMessage{}
				Expect(record("")).To(Equal(t.want))
			}
		})
	})

	It("sees unfinished text in record and page", func() {
		play(worldOptions{timing: slow}, func(w *world, c *client) {
			c.attach(base + "/")
			c.ready()
			id := c.send(offer().Hello())
			conv := w.site.Conversations()[0]
			c.sleep(4 * time.Second)
			r := ask(c, probe.Record, probe.RecordArgs{Conversation: conv.ID, After: id})
			Expect(r.Messages).To(HaveLen(1))
			Expect(r.Messages[0].Finished).To(BeFalse())
			Expect(strings.HasPrefix(conv.Last().Text, r.Messages[0].Text)).To(BeTrue())
			Expect(len(r.Messages[0].Text)).To(And(
				BeNumerically(">", 0), BeNumerically("<", len(conv.Last().Text))))
		})
	})
})
