package page_test

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
)

var _ = Describe("attach", func() {
	It("installs the probe and names the document", func() {
		s := newSite()
		p, err := page.Attach(ctx, s, "tab", s.config())
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Document().Name).To(Equal("doc"))
		Expect(p.Target()).To(Equal(browser.TargetID("tab")))
		Expect(s.ops).To(Equal([]string{"attach.session", "attach.install", "attach.install"}))
	})

	It("passes losses through and leaves no session behind", func() {
		s := newSite()
		s.attachErr = socket
		_, err := page.Attach(ctx, s, "tab", s.config())
		Expect(isSocketLoss(err)).To(BeTrue())
		s = newSite()
		s.fail["install"] = socket
		_, err = page.Attach(ctx, s, "tab", s.config())
		Expect(isSocketLoss(err)).To(BeTrue())
		Expect(s.ops).To(ContainElement("closed"))
	})

	It("installs again in a new document and tells its name", func() {
		s := newSite()
		p := s.attach()
		s.replace()
		_, err := p.Guard(ctx)
		Expect(err).To(MatchError(page.ErrDocument), "what was known of the old one does not hold")
		Expect(p.Document().Name).To(Equal("doc'"))
		_, err = p.Guard(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ops).To(Equal([]string{"guard.check", "attach.install", "attach.install", "guard.check"}))
	})

	It("installs again when a navigation took the context away under the call", func() {
		s := newSite()
		p := s.attach()
		s.fail["guard"] = &cdproto.Error{Code: -32000, Message: "Cannot find default execution context"}
		s.before = func(op string) {
			if op == "attach.install" {
				delete(s.fail, "guard")
			}
		}
		_, err := p.Guard(ctx)
		Expect(err).NotTo(HaveOccurred())
	})
})

var _ = Describe("ready", func() {
	It("waits for a hydrated composer at the right address (B08, B53)", func() {
		s := newSite()
		p := s.attach()
		p.Pin("abc", "")
		s.guard.Composer, s.guard.Conversation = true, "old"
		start := s.clock.now
		s.before = func(string) {
			if s.clock.now.Sub(start) > 3*time.Second {
				s.guard.Conversation, s.guard.Composer = "abc", false
			}
			if s.clock.now.Sub(start) > 9*time.Second {
				s.guard.Composer = true
			}
		}
		Expect(p.Ready(ctx)).To(Succeed())
		Expect(s.clock.now.Sub(start)).To(BeNumerically(">", 9*time.Second))
	})

	It("gives up at the limit and says what is missing", func() {
		s := newSite()
		p := s.attach()
		s.guard.LoggedIn = false
		err := p.Ready(ctx)
		Expect(err).To(MatchError(page.ErrNotReady))
		Expect(err).To(MatchError(ContainSubstring("logged in")))
	})

	It("gives a challenge time to clear, and no other blocker", func() {
		s := newSite()
		p := s.attach()
		s.guard = probe.GuardState{Blocker: probe.BlockCaptcha, Detail: "#challenge-form"}
		start := s.clock.now
		err := p.Ready(ctx)
		Expect(err).To(MatchError(page.ErrBlocked))
		Expect(s.clock.now.Sub(start)).To(BeNumerically(">=", 12*time.Second))

		s.guard.Blocker = probe.BlockLogin
		start = s.clock.now
		var blocked *page.BlockedError
		Expect(errors.As(p.Ready(ctx), &blocked)).To(BeTrue())
		Expect(blocked.Blocker).To(Equal(probe.BlockLogin))
		Expect(s.clock.now).To(Equal(start))
	})
})

var _ = Describe("prepare", func() {
	It("puts up a dead fence, types, reads back and takes a steady baseline", func() {
		s := newSite()
		p := s.inChat()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(sub.Text).To(Equal(roundTx))
		Expect(sub.Digest).To(Equal(page.Digest(roundTx)))
		Expect(sub.Baseline).To(Equal("a0"), "a message id: the record knows it")
		Expect(sub.Document).To(Equal("doc"))
		Expect(s.fence.Token).To(Equal(sub.Token))
		Expect(sub.Token).To(HaveLen(32))
		Expect(s.ops).To(Equal([]string{
			"guard.check", "send.fence", "send.focus", "send.empty", "send.insert", "send.readback",
			"send.baseline", "send.baseline",
		}))
		Expect(s.fence.Live).To(BeFalse(), "nothing gets through before Submit")
	})

	It("clears a draft that was glued to the text and inserts once more (B06)", func() {
		s := newSite()
		p := s.inChat()
		first := true
		s.insert = func(text string) {
			if first {
				text = "draft" + text
			}
			first = false
			s.text += text
		}
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.text).To(Equal(roundTx))
	})

	It("refuses a composer that changes the text and leaves it empty (B63)", func() {
		s := newSite()
		p := s.inChat()
		s.insert = func(text string) { s.text += text[3:] }
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).To(MatchError(page.ErrReadBack))
		Expect(s.chunks).To(HaveLen(2), "one more try and no third")
		Expect(s.text).To(BeEmpty())
		Expect(s.fence.Present).To(BeFalse())
	})

	It("forgives the editor no-break spaces and line ends", func() {
		s := newSite()
		p := s.inChat()
		s.insert = func(text string) { s.text = strings.ReplaceAll(text, " ", "\u00a0") + "\n" }
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.chunks).To(HaveLen(1))
	})

	It("waits until the mounted turns hold still (B29)", func() {
		s := newSite()
		p := s.inChat()
		all := append(s.turns, probe.MountedTurn{TurnID: "t-1", MessageID: "m9"})
		n := 0
		s.before = func(op string) {
			if op == "send.baseline" {
				n++
				s.turns = all[:min(n, len(all))]
			}
		}
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(sub.Baseline).To(Equal("m9"))
	})

	It("says that the page model is unknown, not that nothing is there (B22)", func() {
		s := newSite()
		p := s.inChat()
		s.turns = nil
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).To(MatchError(page.ErrPageUnknown))
	})

	It("needs no baseline in a new chat", func() {
		s := newSite()
		sub, err := s.attach().Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(sub.Baseline).To(BeEmpty())
	})

	DescribeTable("types nothing when something stands in the way",
		func(change func(*site), want error) {
			s := newSite()
			p := s.inChat()
			change(s)
			_, err := p.Prepare(ctx, roundTx)
			Expect(err).To(MatchError(want))
			Expect(s.chunks).To(BeEmpty())
			Expect(s.count("send.focus")).To(BeZero())
		},
		Entry("a blocker", func(s *site) { s.guard.Blocker = probe.BlockRateLimit }, page.ErrBlocked),
		Entry("a guest's composer (B45)", func(s *site) { s.guard.LoggedIn = false }, page.ErrNotReady),
		Entry("no composer", func(s *site) { s.guard.Composer = false }, page.ErrNotReady),
		Entry("an unfinished answer", func(s *site) { s.guard.Stop = true }, page.ErrNotReady),
		Entry("another conversation", func(s *site) {
			s.guard.Conversation, s.turns = "other", nil
		}, page.ErrConversationChanged),
	)

	It("types nothing into a conversation that it was not given", func() {
		s := newSite()
		p := s.attach()
		s.guard.Conversation = "somebody's"
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).To(MatchError(page.ErrConversationChanged))
	})

	It("takes the server's id for a transient one when our turn stands there (B36)", func() {
		s := newSite()
		p := s.inChat()
		p.Pin("WEB:1", "m0")
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Conversation()).To(Equal("abc"))
	})

	It("does not go on in another document", func() {
		s := newSite()
		p := s.inChat()
		s.before = func(op string) {
			if op == "send.fence" && s.name == "doc" {
				s.replace()
			}
		}
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).To(MatchError(page.ErrDocument))
	})

	It("inserts long texts in pieces, with the caret at the end before each", func() {
		s := newSite()
		p := s.inChat()
		long := roundTx + strings.Repeat("\nline 你好 of text", 4000)
		_, err := p.Prepare(ctx, long)
		Expect(err).NotTo(HaveOccurred())
		Expect(len(s.chunks)).To(BeNumerically(">", 1))
		Expect(s.count("send.focus")).To(Equal(len(s.chunks)))
		for _, c := range s.chunks[:len(s.chunks)-1] {
			Expect(c).To(HaveSuffix("\n"))
		}
	})

	It("cuts any text into whole pieces at character boundaries", func() {
		rapid.Check(GinkgoTB(), func(r *rapid.T) {
			s := newSite()
			limit := rapid.IntRange(1, 9).Draw(r, "limit")
			text := strings.ToValidUTF8(rapid.StringN(1, 40, -1).Draw(r, "text"), "?")
			cfg := s.config()
			cfg.Tuning = page.DefaultTuning()
			cfg.Tuning.ChunkRunes = limit
			p, err := page.Attach(ctx, s, "tab", cfg)
			if err != nil {
				r.Fatal(err)
			}
			if _, err := p.Prepare(ctx, text); err != nil {
				r.Fatal(err)
			}
			if got := strings.Join(s.chunks, ""); got != text {
				r.Fatalf("%q became %q", text, got)
			}
			for _, c := range s.chunks {
				if !utf8.ValidString(c) || utf8.RuneCountInString(c) > limit {
					r.Fatalf("bad piece %q of %d", c, limit)
				}
			}
		})
	})
})

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
				{Kind: browser.MessagePosted, MessageID: "m1", RequestID: "r1"},
				{Kind: browser.MessageFailed, RequestID: "r1", Status: 500},
			}
		}),
		Entry("a request whose message id is unknown", func(s *site) {
			s.events = []browser.Event{{Kind: browser.MessagePosted}}
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
		s.events = []browser.Event{{Kind: browser.MessagePosted, MessageID: "old"}}
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
		ok, why, err := p.NotSent(ctx, sub, conversation)
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

	It("needs no record before a conversation exists (readings 10)", func() {
		s := newSite()
		p := s.attach()
		sub, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		ok, _, err := p.NotSent(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeTrue())
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
