package page_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
)

var _ = Describe("recognise", func() {
	const helloTx = "# HELLO pi-bridge/1\nS: " + sid + "\nHV: 1"
	begun := func() (*site, *page.Page, *page.Submission) {
		GinkgoHelper()
		s := newSite()
		p := s.attach()
		sub, err := p.Prepare(ctx, helloTx)
		Expect(err).NotTo(HaveOccurred())
		return s, p, sub
	}
	message := func(id, text string) probe.RecordedMessage {
		return probe.RecordedMessage{ID: id, Role: "user", Text: text}
	}

	DescribeTable("tells by our message and never by an empty page",
		func(change func(*site), messageID string, want page.View) {
			s, p, sub := begun()
			change(s)
			view, err := p.Recognise(ctx, sub, messageID)
			Expect(err).NotTo(HaveOccurred())
			Expect(view).To(Equal(want))
		},
		Entry("the fence was never passed", func(*site) {}, "", page.ViewOurs),
		Entry("the fence was passed, nothing stands there yet",
			func(s *site) { s.fence.Passed = 1 }, "", page.ViewUnknown),
		Entry("it is proven sent, nothing stands there", func(*site) {}, "m1", page.ViewUnknown),
		Entry("it stands there", func(s *site) { s.mount("m1") }, "m1", page.ViewOurs),
		Entry("its header stands there", func(s *site) { s.mount("m1") }, "", page.ViewOurs),
		Entry("a person's message stands there", func(s *site) {
			s.text = "is it done?"
			s.mount("m9")
		}, "m1", page.ViewUnknown),
		Entry("a record with our message", func(s *site) {
			s.guard.Conversation = "abc"
			s.record = probe.RecordState{
				Status: 200, LoggedIn: true, Complete: true,
				Messages: []probe.RecordedMessage{message("m1", "edited")},
			}
		}, "m1", page.ViewOurs),
		Entry("a whole record that begins with another message", func(s *site) {
			s.guard.Conversation = "abc"
			s.record = probe.RecordState{
				Status: 200, LoggedIn: true, Complete: true,
				Messages: []probe.RecordedMessage{message("m9", "is it done?")},
			}
		}, "m1", page.ViewOther),
		Entry("a whole record without a message", func(s *site) {
			s.guard.Conversation = "abc"
			s.record = probe.RecordState{Status: 200, LoggedIn: true, Complete: true}
		}, "m1", page.ViewUnknown),
		Entry("a record that is masked", func(s *site) {
			s.guard.Conversation = "abc"
			s.record = probe.RecordState{Status: 404, LoggedIn: true}
		}, "m1", page.ViewUnknown),
	)

	It("leaves a new document in which nothing stands", func() {
		s, _, sub := begun()
		s.replace()
		view, err := s.attach().Recognise(ctx, sub, "m1")
		Expect(err).NotTo(HaveOccurred())
		Expect(view).To(Equal(page.ViewOther))
	})

	It("believes nothing of a document in which our message stood and does not any more", func() {
		s, p, sub := begun()
		p.Remember(p.Document().Name)
		view, err := p.Recognise(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(view).To(Equal(page.ViewUnknown))
		s.mount("m1")
		view, err = p.Recognise(ctx, sub, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(view).To(Equal(page.ViewOurs))
	})

	It("begins nothing in a chat that somebody began, which has no address yet", func() {
		s := newSite()
		p := s.attach()
		s.turns = []probe.MountedTurn{{TurnID: "t-9", MessageID: "m9", Role: "user", Head: "hi"}}
		_, err := p.Prepare(ctx, helloTx)
		Expect(err).To(MatchError(page.ErrConversationChanged))
	})

	It("types nothing where the last message of ours does not stand and no id tells", func() {
		s := newSite()
		s.turns = []probe.MountedTurn{{TurnID: "t-0", MessageID: "m0", Role: "user", Head: "hi"}}
		p := s.attach()
		p.Pin("", "m0")
		_, err := p.Prepare(ctx, roundTx)
		Expect(err).NotTo(HaveOccurred())
		s.turns = nil
		_, err = p.Prepare(ctx, roundTx)
		Expect(err).To(MatchError(page.ErrConversationChanged))
	})
})
