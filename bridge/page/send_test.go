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
		Expect(s.ops).To(Equal([]string{
			"guard.check", "attach.install", "attach.install",
			"guard.check",
		}))
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

	It("attaches to a tab whose blank document goes while the script is put in", func() {
		gone := &cdproto.Error{Code: -32000, Message: "Inspected target navigated or closed"}
		s := newSite()
		s.fail["hello"] = gone
		installs := 0
		s.before = func(op string) {
			if op != "attach.install" {
				return
			}
			if installs++; installs > 2 { // of the second document
				delete(s.fail, "hello")
			}
		}
		_, err := page.Attach(ctx, s, "tab", s.config())
		Expect(err).NotTo(HaveOccurred())

		s = newSite()
		s.fail["hello"] = gone // for ever: the tab never comes to rest
		_, err = page.Attach(ctx, s, "tab", s.config())
		Expect(err).To(MatchError(gone))
		Expect(s.ops).To(ContainElement("closed"))
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
