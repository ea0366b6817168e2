package page_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
)

var _ = Describe("submit", func() {
	prepared := func() (*site, *page.Page, *page.Submission) {
		GinkgoHelper()
		s := newSite()
		p := s.inChat()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.ops = nil
		return s, p, sub
	}

	It("looks at the guard last and clicks once", func() {
		s, p, sub := prepared()
		Expect(p.Submit(ctx, sub)).To(Succeed())
		Expect(s.ops).To(Equal([]string{
			"send.fence", "send.readback", "send.guard",
			"send.submit", "mousePressed 10,20", "send.submit", "mouseReleased 10,20",
		}))
		Expect(s.fence.Passed).To(Equal(1))
	})

	It("waits for a disabled button and does not click through a cover", func() {
		s, p, sub := prepared()
		s.composer.Enabled = false
		start := s.clock.now
		s.before = func(string) { s.composer.Enabled = s.clock.now.Sub(start) > 7*time.Second }
		Expect(p.Submit(ctx, sub)).To(Succeed())

		s, p, sub = prepared()
		s.composer.X, s.composer.Y = 0, 0
		Expect(p.Submit(ctx, sub)).To(MatchError(ContainSubstring("over the send button")))
		Expect(s.count("send.submit")).To(BeZero())
	})

	DescribeTable("does not click",
		func(change func(*site), want error) {
			s, p, sub := prepared()
			change(s)
			Expect(p.Submit(ctx, sub)).To(MatchError(want))
			Expect(s.count("send.submit")).To(BeZero())
			Expect(s.fence.Passed).To(BeZero())
		},
		Entry("with a blocker", func(s *site) { s.guard.Blocker = probe.BlockCaptcha }, page.ErrBlocked),
		Entry("another text", func(s *site) { s.text = "draft" + s.text }, page.ErrReadBack),
		Entry("in another document", func(s *site) { s.replace() }, page.ErrDocument),
		Entry("in another conversation", func(s *site) { s.guard.Conversation = "b" },
			page.ErrConversationChanged),
		Entry("while an answer runs", func(s *site) { s.guard.Stop = true }, page.ErrNotReady),
	)

	It("arms again when the server's id takes the place of a transient one", func() {
		s, p := newSite(), (*page.Page)(nil)
		s.guard.Conversation = "WEB:1"
		s.turns = []probe.MountedTurn{{TurnID: "t-0", MessageID: "m0", Role: "user", Head: "hi"}}
		p = s.attach()
		p.Pin("WEB:1", "m0")
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.ops = nil
		s.before = func(op string) {
			if op == "send.guard" {
				s.guard.Conversation = "abc"
			}
		}
		Expect(p.Submit(ctx, sub)).To(Succeed())
		Expect(s.count("send.fence")).To(Equal(2))
		Expect(s.fence.Bound).To(Equal("abc"))
		Expect(s.fence.Passed).To(Equal(1))
	})

	It("passes the loss of the click's answer through and clicks no second time", func() {
		s, p, sub := prepared()
		s.fail["Input.dispatchMouseEvent"] = socket
		Expect(isSocketLoss(p.Submit(ctx, sub))).To(BeTrue())
		Expect(s.count("send.submit")).To(Equal(1))
	})
})

var _ = Describe("prove", func() {
	submitted := func(posts func(*site)) (*site, *page.Page, *page.Submission) {
		GinkgoHelper()
		s := newSite()
		p := s.inChat()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		if posts != nil {
			s.posts = func() { posts(s) }
		}
		Expect(p.Submit(ctx, sub)).To(Succeed())
		return s, p, sub
	}

	It("takes the message id of the page's own request", func() {
		_, p, sub := submitted(nil)
		proof, err := p.Prove(ctx, sub)
		Expect(err).NotTo(HaveOccurred())
		Expect(proof).To(Equal(page.Proof{
			MessageID: "m1", TurnID: "t-m1", Conversation: "abc", By: page.ByRequest,
		}))
	})

	It("takes a new turn with our exact header", func() {
		_, p, sub := submitted(func(s *site) { s.mount("m7") })
		proof, err := p.Prove(ctx, sub)
		Expect(err).NotTo(HaveOccurred())
		Expect(proof.MessageID).To(Equal("m7"))
		Expect(proof.By).To(Equal(page.ByTurn))
	})

	It("takes its own request, whatever a person posts before and after it", func() {
		post := func(id, text string) browser.Event {
			return browser.Event{
				Kind: browser.MessagePosted, MessageID: id, RequestID: "r" + id, Text: text,
			}
		}
		_, p, sub := submitted(func(s *site) {
			spaced := strings.ReplaceAll(roundTx, " p=-", "\u00a0p=-") + "\n" // as an editor gives it back
			s.events = []browser.Event{
				post("m7", "is it done?"), post("m8", spaced), post("m9", "well?"),
				{Kind: browser.MessageFailed, RequestID: "rm9", Status: 409},
			}
		})
		proof, err := p.Prove(ctx, sub)
		Expect(err).NotTo(HaveOccurred())
		Expect(proof.MessageID).To(Equal("m8"))
	})

	It("does not wait for a proof in another conversation", func() {
		s, p, sub := submitted(func(s *site) { s.guard.Conversation = "b" })
		start := s.clock.now
		_, err := p.Prove(ctx, sub)
		Expect(err).To(MatchError(page.ErrConversationChanged))
		Expect(s.clock.now).To(Equal(start))
	})

	It("keeps the request's proof when the look after it is lost", func() {
		s, p, sub := submitted(nil)
		s.fail["tail"] = socket
		proof, err := p.Prove(ctx, sub)
		Expect(err).NotTo(HaveOccurred())
		Expect(proof.MessageID).To(Equal("m1"))
	})

	DescribeTable("proves nothing by",
		func(posts func(*site)) {
			s, p, sub := submitted(posts)
			start := s.clock.now
			_, err := p.Prove(ctx, sub)
			Expect(err).To(MatchError(page.ErrUnproven))
			Expect(s.clock.now.Sub(start)).To(BeNumerically(">=", 60*time.Second))
		},
		Entry("an emptied composer", func(s *site) { s.text = "" }),
		Entry("a similar text", func(s *site) {
			s.text = strings.Replace(s.text, "r=1", "r=10", 1)
			s.mount("m7")
		}),
		Entry("a request that was refused (readings 9)", func(s *site) {
			s.events = []browser.Event{
				{Kind: browser.MessagePosted, MessageID: "m1", RequestID: "r1", Text: roundTx},
				{Kind: browser.MessageFailed, RequestID: "r1", Status: 500},
			}
		}),
		Entry("a request whose message id is unknown", func(s *site) {
			s.events = []browser.Event{{Kind: browser.MessagePosted, Text: roundTx}}
		}),
		Entry("a request of a person's", func(s *site) {
			s.events = []browser.Event{{
				Kind: browser.MessagePosted, MessageID: "m8", RequestID: "r8", Text: "is it done?",
			}}
		}),
		Entry("a request that could not be read", func(s *site) {
			s.events = []browser.Event{{Kind: browser.MessagePosted, MessageID: "m8", RequestID: "r8"}}
		}),
		Entry("our header when the baseline is not mounted", func(s *site) {
			s.mount("m7")
			s.tailLost = true
		}),
		Entry("our header in an old turn", func(s *site) {
			s.turns = append([]probe.MountedTurn{
				{TurnID: "t-", MessageID: "m", Role: "user", Head: roundTx[:60]},
			}, s.turns...)
		}),
	)

	It("ignores what was posted before the text was typed", func() {
		s := newSite()
		p := s.inChat()
		s.events = []browser.Event{{Kind: browser.MessagePosted, MessageID: "old", Text: roundTx}}
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		_, err = p.Prove(ctx, sub)
		Expect(err).To(MatchError(page.ErrUnproven))
	})

	It("follows a new chat to its id", func() {
		s := newSite()
		p := s.attach()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.posts = func() { s.mount("m1"); s.guard.Conversation = "WEB:5" }
		Expect(p.Submit(ctx, sub)).To(Succeed())
		_, err = p.Prove(ctx, sub)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Conversation()).To(Equal("WEB:5"))
	})
})

// journaled is a submission as the journal gives it back: perhaps there was a click.
func journaled(s *page.Submission) *page.Submission {
	return &page.Submission{
		Text: s.Text, Digest: s.Digest, Baseline: s.Baseline, Token: s.Token, Document: s.Document,
	}
}

var _ = Describe("not sent", func() {
	recorded := func(ids ...string) probe.RecordState {
		r := probe.RecordState{Status: 200, LoggedIn: true, Found: true, Complete: true}
		for _, id := range ids {
			role := "user"
			if id[0] == 'a' {
				role = "assistant"
			}
			r.Messages = append(r.Messages, probe.RecordedMessage{ID: id, Role: role})
		}
		return r
	}

	judge := func(change func(*site), conversation string) (bool, page.Why, *site) {
		GinkgoHelper()
		s := newSite()
		p := s.inChat()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.record = recorded("m0", "a0")
		s.ops = nil
		change(s)
		ok, why, err := p.NotSent(ctx, journaled(sub), conversation)
		Expect(err).NotTo(HaveOccurred())
		return ok, why, s
	}

	It("is proven by the fence first and the record after it", func() {
		ok, why, s := judge(func(*site) {}, "abc")
		Expect(ok).To(BeTrue())
		Expect(why).To(Equal(page.Proven))
		Expect(s.ops).To(Equal([]string{"send.revoke", "discover.record"}))
		Expect(s.fence.Live).To(BeFalse())
	})

	It("is proven also in a tab that shows another conversation by now", func() {
		ok, _, s := judge(func(s *site) { s.guard.Conversation = "b" }, "abc")
		Expect(ok).To(BeTrue())
		Expect(s.asked).To(Equal([]probe.RecordArgs{{Conversation: "abc"}}))
	})

	DescribeTable("is not proven",
		func(change func(*site), want page.Why) {
			ok, why, _ := judge(change, "abc")
			Expect(ok).To(BeFalse())
			Expect(why).To(Equal(want))
		},
		Entry("in a new document", func(s *site) { s.replace() }, page.WhyNewDocument),
		Entry("without a fence", func(s *site) { s.fence = probe.FenceState{} }, page.WhyNoFence),
		Entry("under another token", func(s *site) { s.fence.Token = "x" }, page.WhyNoFence),
		Entry("after a submit passed", func(s *site) { s.fence.Passed = 1 }, page.WhyPassed),
		Entry("with an empty composer", func(s *site) { s.text = "" }, page.WhyComposer),
		Entry("with half the text", func(s *site) { s.text = s.text[:40] }, page.WhyComposer),
		Entry("by a masked record", func(s *site) { s.record.Status = 404 }, page.WhyRecord),
		Entry("by a record that was read logged out", func(s *site) { s.record.LoggedIn = false },
			page.WhyRecord),
		Entry("by an empty record", func(s *site) {
			s.record.Messages, s.record.Complete = nil, false
		}, page.WhyIncomplete),
		Entry("by a record with a gap", func(s *site) { s.record.Complete = false }, page.WhyIncomplete),
		Entry("without the baseline", func(s *site) { s.record = recorded("m0") }, page.WhyNoBaseline),
		Entry("with a later message", func(s *site) { s.record = recorded("m0", "a0", "m1") },
			page.WhyLater),
	)

	It("does not miss the text that the page wiped before anybody clicked", func() {
		s := newSite()
		p := s.inChat()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.record, s.text = recorded("m0", "a0"), ""
		Expect(p.Submit(ctx, sub)).To(MatchError(page.ErrReadBack))
		ok, _, err := p.NotSent(ctx, sub, "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue())
		s.fence.Passed = 1
		_, why, err := p.NotSent(ctx, sub, "abc")
		Expect(err).NotTo(HaveOccurred())
		Expect(why).To(Equal(page.WhyPassed))
	})

	It("needs no record before a conversation exists (readings 10)", func() {
		s := newSite()
		p := s.attach()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		ok, _, err := p.NotSent(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue())
		s.guard.Conversation = "b" // a person opened it, nobody clicked
		ok, _, err = p.NotSent(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue())
		sub = journaled(sub)
		s.guard.Conversation = "WEB:1"
		ok, why, err := p.NotSent(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeFalse())
		Expect(why).To(Equal(page.WhyAddress))
		s.guard.Conversation = ""
		s.turns = []probe.MountedTurn{{TurnID: "t", Role: "user"}}
		_, why, err = p.NotSent(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(why).To(Equal(page.WhyTurn))
	})

	It("never takes the word of a missing conversation id in a later round", func() {
		_, why, _ := judge(func(*site) {}, "")
		Expect(why).To(Equal(page.WhyRecord))
	})

	It("gives up the fence at the end", func() {
		s := newSite()
		p := s.inChat()
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Unfence(ctx)).To(Succeed())
		Expect(s.fence.Present).To(BeFalse())
	})
})
