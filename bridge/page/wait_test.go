package page_test

import (
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
)

// look makes a turn state of our conversation.
func look(state probe.AnswerState, change ...func(*probe.TurnState)) probe.TurnState {
	st := probe.TurnState{State: state, MessageID: "a1", Conversation: "abc"}
	if state == probe.AnswerFinished || state == probe.AnswerStreaming {
		st.Length = 40
	}
	st.Bar = state == probe.AnswerFinished
	for _, c := range change {
		c(&st)
	}
	return st
}

func answered(text string, finished bool) probe.RecordState {
	return probe.RecordState{
		Status: 200, LoggedIn: true, Found: true, Complete: true,
		Messages: []probe.RecordedMessage{
			{ID: "c1", Role: "assistant", Text: "Let me see.", Finished: false},
			{ID: "a1", Parent: "m1", Role: "assistant", Text: text, Finished: finished, Final: true},
		},
	}
}

var _ = Describe("wait", func() {
	wait := func(s *site, limit time.Duration) (page.Ended, error) {
		GinkgoHelper()
		p := s.inChat()
		return p.Wait(ctx, "m1", limit)
	}
	ended := page.Ended{MessageID: "a1", Conversation: "abc", By: page.ByRecord}

	It("needs not see the middle of a fast answer (B72)", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerFinished) }
		s.record = answered("ok", true)
		e, err := wait(s, time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
		Expect(s.asked).To(Equal([]probe.RecordArgs{{Conversation: "abc", After: "m1"}}))
		Expect(s.ops).To(Equal([]string{"wait.poll", "wait.poll", "wait.record"}))
	})

	It("is not fooled by a bar that flashes early (B13)", func() {
		s := newSite()
		s.look = func(n int) probe.TurnState {
			switch {
			case n < 4:
				return look(probe.AnswerFinished, func(st *probe.TurnState) { st.Length = 3 })
			case n < 8:
				return look(probe.AnswerStreaming, func(st *probe.TurnState) { st.Length = 3 + n })
			}
			return look(probe.AnswerFinished)
		}
		s.read = func(int) probe.RecordState { return answered("x", s.looks > 8) }
		e, err := wait(s, time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
		Expect(s.looks).To(Equal(10))
	})

	It("asks the record about a still answer whose bar never comes (B71)", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerStreaming) }
		s.record = answered("x", true)
		start := s.clock.now
		e, err := wait(s, time.Hour)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
		Expect(s.clock.now.Sub(start)).To(BeNumerically("~", 12*time.Second, 4*time.Second))
	})

	It("takes no silence for the end (B11, B12, B46)", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerStreaming) }
		s.record = answered("half", false)
		_, err := wait(s, 28*time.Minute)
		var running *page.RunningError
		Expect(errors.As(err, &running)).To(BeTrue())
		Expect(err).To(MatchError(page.ErrStillRunning))
		Expect(running.Record).To(Equal(page.Unfinished))
		Expect(running.State).To(Equal(probe.AnswerStreaming))
	})

	It("holds on while stop stands, and backs off", func() {
		s := newSite()
		s.look = func(n int) probe.TurnState {
			return look(probe.AnswerThinking, func(st *probe.TurnState) { st.Stop = true })
		}
		s.record = answered("", false)
		_, err := wait(s, 30*time.Minute)
		Expect(err).To(MatchError(page.ErrStillRunning))
		Expect(s.looks).To(BeNumerically("<", 380))
		Expect(len(s.asked)).To(BeNumerically("<", 65))
	})

	It("comes back quickly after a change", func() {
		s := newSite()
		s.look = func(n int) probe.TurnState {
			if n < 10 {
				return look(probe.AnswerThinking)
			}
			return look(probe.AnswerFinished)
		}
		s.record = answered("x", true)
		p := s.inChat()
		var at []time.Time
		s.before = func(op string) {
			if op == "wait.poll" {
				at = append(at, s.clock.now)
			}
		}
		_, err := p.Wait(ctx, "m1", time.Hour)
		Expect(err).NotTo(HaveOccurred())
		Expect(at[9].Sub(at[8])).To(Equal(5 * time.Second))
		Expect(at[11].Sub(at[10])).To(Equal(250 * time.Millisecond))
	})

	It("ends by the bar when the record cannot be read, after long quiet only", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerFinished) }
		s.record = probe.RecordState{Status: 404, LoggedIn: true}
		start := s.clock.now
		e, err := wait(s, time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(page.Ended{MessageID: "a1", Conversation: "abc", By: page.ByBar}))
		Expect(s.clock.now.Sub(start)).To(BeNumerically(">=", 10*time.Second))
	})

	It("does not end by the bar when the record says that the turn does not exist", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerFinished) }
		s.record = probe.RecordState{Status: 200, LoggedIn: true, Complete: true}
		_, err := wait(s, time.Minute)
		var running *page.RunningError
		Expect(errors.As(err, &running)).To(BeTrue())
		Expect(running.Record).To(Equal(page.Missing))
	})

	It("finds an unmounted turn through the record", func() {
		s := newSite()
		s.look = func(int) probe.TurnState {
			return probe.TurnState{State: probe.AnswerUnmounted, Conversation: "abc"}
		}
		s.record = answered("x", true)
		e, err := wait(s, time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
	})

	It("does not take a later exchange for our answer", func() {
		s := newSite()
		s.look = func(int) probe.TurnState { return look(probe.AnswerFinished) }
		s.record = answered("x", true)
		later := []probe.RecordedMessage{{ID: "m2", Role: "user"}}
		s.record.Messages = append(later, s.record.Messages...)
		_, err := wait(s, time.Minute)
		Expect(err).To(MatchError(page.ErrStillRunning))
	})

	It("tells an error from a whole answer with an error after it", func() {
		s := newSite()
		s.look = func(int) probe.TurnState {
			return look(probe.AnswerError, func(st *probe.TurnState) {
				st.Error, st.Retry = "Network error", true
			})
		}
		s.record = answered("half", false)
		_, err := wait(s, time.Minute)
		var failed *page.AnswerError
		Expect(errors.As(err, &failed)).To(BeTrue())
		Expect(failed.Retry).To(BeTrue())
		s.record = answered("whole", true)
		e, err := wait(s, time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
	})

	It("reports a cut answer", func() {
		s := newSite()
		s.look = func(int) probe.TurnState {
			return look(probe.AnswerFinished, func(st *probe.TurnState) { st.Truncated = true })
		}
		s.record = answered("half", false)
		_, err := wait(s, time.Minute)
		var failed *page.AnswerError
		Expect(errors.As(err, &failed)).To(BeTrue())
		Expect(failed.Truncated).To(BeTrue())
	})

	It("stops at a blocker", func() {
		s := newSite()
		s.look = func(int) probe.TurnState {
			return look(probe.AnswerStreaming, func(st *probe.TurnState) {
				st.Blocker = probe.BlockRateLimit
			})
		}
		_, err := wait(s, time.Minute)
		Expect(err).To(MatchError(page.ErrBlocked))
	})

	It("never reads another conversation (B50)", func() {
		s := newSite()
		s.look = func(n int) probe.TurnState {
			return look(probe.AnswerFinished, func(st *probe.TurnState) {
				if n > 0 {
					st.Conversation = "other"
				}
			})
		}
		_, err := wait(s, time.Minute)
		var moved *page.ConversationError
		Expect(errors.As(err, &moved)).To(BeTrue())
		Expect(moved.Seen).To(Equal("other"))
	})

	It("follows a transient address to the server's id (B36)", func() {
		s := newSite()
		p := s.inChat()
		p.Pin("", "")
		s.look = func(n int) probe.TurnState {
			return look(probe.AnswerStreaming, func(st *probe.TurnState) {
				st.Conversation = []string{"", "WEB:1", "WEB:1", "abc"}[min(n, 3)]
				if n > 3 {
					st.State, st.Bar = probe.AnswerFinished, true
				}
			})
		}
		s.record = answered("x", true)
		e, err := p.Wait(ctx, "m1", time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e).To(Equal(ended))
		Expect(p.Conversation()).To(Equal("abc"))
	})

	It("asks the server whether an address without our turn is ours", func() {
		s := newSite()
		p := s.inChat()
		p.Pin("WEB:1", "")
		s.look = func(int) probe.TurnState {
			return probe.TurnState{State: probe.AnswerUnmounted, Conversation: "abc"}
		}
		s.record = answered("x", true)
		e, err := p.Wait(ctx, "m1", time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.Conversation).To(Equal("abc"))

		p.Pin("WEB:1", "")
		s.record = probe.RecordState{Status: 200, LoggedIn: true, Complete: true}
		_, err = p.Wait(ctx, "m1", time.Minute)
		Expect(err).To(MatchError(page.ErrConversationChanged))
	})

	It("passes losses through", func() {
		s := newSite()
		s.fail["turn"] = socket
		_, err := wait(s, time.Minute)
		Expect(isSocketLoss(err)).To(BeTrue())
	})
})

var _ = Describe("capture", func() {
	const plan = "```text\n# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n  keep\n```"
	const block = "# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n  keep"

	type sources struct {
		record probe.RecordState
		dom    probe.TextState
		copied probe.CopyState
	}
	capture := func(in sources) (page.Reply, error, *site) {
		GinkgoHelper()
		s := newSite()
		p := s.inChat()
		s.record, s.shown, s.copied = in.record, in.dom, in.copied
		s.ops = nil
		r, err := p.Capture(ctx, "m1", "a1", "abc")
		return r, err, s
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
			r, err, _ := capture(in)
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Text).To(Equal(text))
			Expect(r.Agreed).To(Equal(agreed))
			Expect(r.Source).To(Equal(agreed[0]))
			Expect(r.MessageID).To(Equal("a1"))
		},
		Entry("record and page", sources{whole, dom(plan, true), probe.CopyState{}}, plan,
			page.SourceRecord, page.SourceDOM),
		Entry("a page that shows no language, spaces as U+00A0",
			sources{whole, dom("```\n# PLAN pi-bridge/1\nFRAME: x\n\n## GOAL\n\u00a0 keep\n```", true), probe.CopyState{}},
			plan, page.SourceRecord, page.SourceDOM),
		Entry("record and page without a bar", sources{whole, dom(plan, false), copies("stale")}, plan,
			page.SourceRecord, page.SourceDOM),
		Entry("record and copy against the page", sources{whole, dom("edited", true), copies(block)}, plan,
			page.SourceRecord, page.SourceCopy),
		Entry("the record alone", sources{whole, probe.TextState{}, probe.CopyState{}}, plan,
			page.SourceRecord),
		Entry("the record with a page that is behind", sources{whole, dom(plan[:30], false), probe.CopyState{}},
			plan, page.SourceRecord),
		Entry("page and copy without a record", sources{none, dom(plan, true), copies(block)}, plan,
			page.SourceDOM, page.SourceCopy),
	)

	DescribeTable("refuses",
		func(in sources, code wire.Code) {
			_, err, _ := capture(in)
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
			sources{whole, dom(plan[:30]+"KEEP"+plan[30:], true), probe.CopyState{}}, wire.CodeSourceUncertain),
	)

	It("presses no copy button when record and page agree", func() {
		_, err, s := capture(sources{whole, dom(plan, true), copies("stale")})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.ops).To(Equal([]string{"capture.record", "capture.dom"}))
	})

	It("compares prose by its letters, not by its marks", func() {
		r, err, _ := capture(sources{
			answered("Here **you** go:\n* one\n3) two\n\n"+plan, true),
			dom("Here *you* go:\n\n- one\n2. two\n\n"+plan, true),
			probe.CopyState{},
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Agreed).To(HaveLen(2))
		_, err, _ = capture(sources{
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
		Expect(page.ConversationOf("https://chatgpt.com", "https://chatgpt.com/c/WEB%3A1/")).To(Equal("WEB:1"))
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
