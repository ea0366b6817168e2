package page_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
)

var _ = Describe("capture", func() {
	const plan = "```text\n# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n  keep\n```"
	const block = "# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n  keep"

	type sources struct {
		record probe.RecordState
		dom    probe.TextState
		copied probe.CopyState
	}
	capture := func(in sources) (page.Reply, *site, error) {
		GinkgoHelper()
		s := newSite()
		p := s.inChat()
		s.record, s.shown, s.copied = in.record, in.dom, in.copied
		s.ops = nil
		r, err := p.Capture(ctx, "m1", "a1", "abc")
		return r, s, err
	}
	dom := func(text string, bar bool) probe.TextState {
		return probe.TextState{Found: true, Text: text, Bar: bar}
	}
	copies := func(blocks ...string) probe.CopyState {
		return probe.CopyState{Found: true, Blocks: blocks}
	}
	whole, half := answered(plan, true), answered(plan[:20], false)
	none := probe.RecordState{Status: 404}

	DescribeTable("obtains",
		func(in sources, text string, agreed ...page.Source) {
			r, _, err := capture(in)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Text).To(Equal(text))
			Expect(r.Agreed).To(Equal(agreed))
			Expect(r.Source).To(Equal(agreed[0]))
			Expect(r.MessageID).To(Equal("a1"))
		},
		Entry("record and page", sources{whole, dom(plan, true), probe.CopyState{}}, plan,
			page.SourceRecord, page.SourceDOM),
		Entry("a page that shows no language, spaces as U+00A0",
			sources{
				whole, dom("```\n# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n\u00a0 keep\n```", true),
				probe.CopyState{},
			},
			plan, page.SourceRecord, page.SourceDOM),
		Entry("record and page without a bar", sources{whole, dom(plan, false), copies("stale")}, plan,
			page.SourceRecord, page.SourceDOM),
		Entry("record and copy against the page", sources{whole, dom("edited", true), copies(block)},
			plan,
			page.SourceRecord, page.SourceCopy),
		Entry("the record alone", sources{whole, probe.TextState{}, probe.CopyState{}}, plan,
			page.SourceRecord),
		Entry("the record with a page that is behind", sources{
			whole, dom(plan[:30], false),
			probe.CopyState{},
		},
			plan, page.SourceRecord),
		Entry("page and copy without a record", sources{none, dom(plan, true), copies(block)}, plan,
			page.SourceDOM, page.SourceCopy),
	)

	DescribeTable("refuses",
		func(in sources, code wire.Code) {
			_, _, err := capture(in)
			var bad *page.CaptureError
			Expect(errors.As(err, &bad)).To(BeTrue(), "%v", err)
			Expect(bad.Code).To(Equal(code))
		},
		Entry("nothing", sources{none, probe.TextState{}, probe.CopyState{}}, wire.CodeCapture),
		Entry("the page alone", sources{none, dom(plan, true), probe.CopyState{}}, wire.CodeCapture),
		Entry("copy alone", sources{none, probe.TextState{}, copies(block)}, wire.CodeCapture),
		Entry("an unfinished record, whatever the page shows",
			sources{half, dom(plan, true), copies(block)}, wire.CodeCapture),
		Entry("record against page", sources{whole, dom("edited", true), probe.CopyState{}},
			wire.CodeSourceUncertain),
		Entry("record against a stale copy", sources{whole, probe.TextState{}, copies("stale")},
			wire.CodeSourceUncertain),
		Entry("page against a stale copy", sources{none, dom(plan, true), copies("stale")},
			wire.CodeSourceUncertain),
		Entry("one changed word in a block",
			sources{whole, dom(plan[:30]+"KEEP"+plan[30:], true), probe.CopyState{}},
			wire.CodeSourceUncertain),
	)

	It("presses no copy button when record and page agree", func() {
		_, s, err := capture(sources{whole, dom(plan, true), copies("stale")})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ops).To(Equal([]string{"capture.record", "capture.dom"}))
	})

	It("compares prose by its letters, not by its marks", func() {
		r, _, err := capture(sources{
			answered("Here **you** go:\n* one\n3) two\n\n"+plan, true),
			dom("Here *you* go:\n\n- one\n2. two\n\n"+plan, true),
			probe.CopyState{},
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Agreed).To(HaveLen(2))
		_, _, err = capture(sources{
			answered("Do not run it.\n\n"+plan, true), dom("Do run it.\n\n"+plan, true), probe.CopyState{},
		})
		Expect(err).To(HaveOccurred())
	})

	It("needs no id of the answer when the record is read", func() {
		s := newSite()
		p := s.inChat()
		s.record, s.shown = whole, dom(plan, true)
		r, err := p.Capture(ctx, "m1", "", "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.MessageID).To(Equal("a1"))
	})

	It("does not ask a server about a transient conversation", func() {
		s := newSite()
		p := s.inChat()
		s.shown, s.copied = dom(plan, true), copies(block)
		r, err := p.Capture(ctx, "m1", "a1", "WEB:1")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Source).To(Equal(page.SourceDOM))
		Expect(s.asked).To(BeEmpty())
	})
})

var _ = Describe("discover", func() {
	tab := func(id, url string, attached bool) browser.TargetInfo {
		return browser.TargetInfo{ID: browser.TargetID(id), URL: url, Title: "abc", Attached: attached}
	}

	It("finds a tab by the id in its address only", func() {
		s := newSite()
		s.pages = []browser.TargetInfo{
			tab("1", "https://evil.example/c/abc", false),
			tab("2", "https://chatgpt.com/c/abcd", false),
			tab("3", "https://chatgpt.com/?x=/c/abc", false),
			tab("4", "https://chatgpt.com/g/g-p-1/c/abc?model=x", true),
			tab("5", "https://chatgpt.com/c/abc#top", false),
		}
		found, ok, err := page.Discover(ctx, s, s.config(), "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue())
		Expect(found.ID).To(Equal(browser.TargetID("5")), "nobody is attached to it")
		s.pages = s.pages[:4]
		found, _, _ = page.Discover(ctx, s, s.config(), "abc")
		Expect(found.ID).To(Equal(browser.TargetID("4")))
		_, ok, _ = page.Discover(ctx, s, s.config(), "WEB:1")
		Expect(ok).To(BeFalse())
		_, ok, _ = page.Discover(ctx, s, s.config(), "")
		Expect(ok).To(BeFalse())
	})

	It("opens a conversation at its address", func() {
		s := newSite()
		for _, id := range []string{"abc", ""} {
			_, err := page.OpenConversation(ctx, s, s.config(), id)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(s.opened).To(Equal([]string{"https://chatgpt.com/c/abc", "https://chatgpt.com/"}))
		_, err := page.OpenConversation(ctx, s, s.config(), "WEB:1")
		Expect(err).To(HaveOccurred())
		Expect(page.ConversationOf("https://chatgpt.com",
			"https://chatgpt.com/c/WEB%3A1/")).To(Equal("WEB:1"))
	})

	It("reads our messages and their replies from the record", func() {
		s := newSite()
		p := s.inChat()
		hello := wire.NewOffer(sid, "示例请求", "", wire.DefaultCapabilities(), wire.DefaultDenials()).Hello()
		s.record = probe.RecordState{Status: 200, LoggedIn: true, Complete: true}
		s.record.Messages = []probe.RecordedMessage{
			{ID: "p1", Role: "user", Text: "a person's words"},
			{ID: "p2", Role: "assistant", Text: "an answer", Final: true, Finished: true},
			{ID: "m0", Role: "user", Text: hello},
			{ID: "c0", Role: "assistant", Text: "thinking aloud"},
			{ID: "a0", Role: "assistant", Text: "ack", Final: true, Finished: true},
			{ID: "m1", Role: "user", Text: roundTx},
			{ID: "a1", Role: "assistant", Text: "half", Final: true},
			{ID: "m2", Role: "user", Text: "# ROUND pi-bridge/1\ntorn"},
		}
		turns, r, err := p.Chain(ctx, "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Complete).To(BeTrue())
		Expect(turns).To(HaveLen(3))
		Expect(turns[0].Message.Kind).To(Equal(wire.KindHello))
		Expect(turns[0].Message.SID).To(Equal(sid))
		Expect(turns[0].Reply).To(Equal("ack"))
		Expect(turns[0].Finished).To(BeTrue())
		Expect(turns[1].Message.Frame.Round).To(Equal(1))
		Expect(turns[1].ReplyID).To(Equal("a1"))
		Expect(turns[1].Finished).To(BeFalse())
		Expect(turns[2].Err).To(HaveOccurred())
		Expect(turns[2].ID).To(Equal("m2"))
	})

	It("gives the record's state when there is nothing to read", func() {
		s := newSite()
		p := s.inChat()
		s.record = probe.RecordState{Status: 404, LoggedIn: true}
		turns, r, err := p.Chain(ctx, "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(turns).To(BeEmpty())
		Expect(r.Status).To(Equal(404))
	})
})
