package page_test

import (
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
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
		mine := probe.RecordedMessage{ID: "m1", Role: "user", Text: roundTx}
		whole := answered("x", true)
		s.read = func(n int) probe.RecordState {
			r := whole
			if s.asked[n].After == "" {
				r.Messages = append([]probe.RecordedMessage{mine}, r.Messages...)
			}
			return r
		}
		e, err := p.Wait(ctx, "m1", time.Minute)
		Expect(err).NotTo(HaveOccurred())
		Expect(e.Conversation).To(Equal("abc"))

		p.Pin("WEB:1", "")
		mine.ID = "m7"
		_, err = p.Wait(ctx, "m1", time.Minute)
		Expect(err).To(MatchError(page.ErrConversationChanged))

		p.Pin("WEB:1", "")
		s.read = func(int) probe.RecordState {
			return probe.RecordState{Status: 200, LoggedIn: true, Complete: true}
		}
		_, err = p.Wait(ctx, "m1", time.Minute)
		Expect(err).To(MatchError(page.ErrStillRunning), "it may have lost our message")
	})

	It("does not wait without end for a turn that stood there and is gone, without an id", func() {
		s := newSite()
		p := s.inChat()
		s.guard.Conversation = ""
		p.Pin("", "")
		s.look = func(n int) probe.TurnState {
			if n < 3 {
				return look(probe.AnswerThinking, func(st *probe.TurnState) { st.Conversation = "" })
			}
			return probe.TurnState{State: probe.AnswerUnmounted}
		}
		start := s.clock.now
		_, err := p.Wait(ctx, "m1", time.Hour)
		Expect(err).To(MatchError(page.ErrUnseen))
		Expect(s.clock.now.Sub(start)).To(BeNumerically("<", 5*time.Minute))
		Expect(p.Shows()).To(BeFalse())
		Expect(p.Seen()).To(Equal(p.Document().Name))
	})

	It("passes losses through", func() {
		s := newSite()
		s.fail["turn"] = socket
		_, err := wait(s, time.Minute)
		Expect(isSocketLoss(err)).To(BeTrue())
	})
})
