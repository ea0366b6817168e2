package faults_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/fakesite"
	"bridgesim/faults"
)

// post sends a message to the lab's site as a page does, and returns the refusal.
func (l *lab) post(id string) fakesite.Refusal {
	conversation := ""
	if c := l.conversation(); c != nil {
		conversation = c.ID
	}
	_, _, why := l.site.Submit(l.loop.Now(), fakesite.Post{
		ConversationID: conversation, MessageID: id, ParentID: fakesite.RootID, Text: "message " + id,
	})
	return why
}

func (l *lab) conversation() *fakesite.Conversation {
	if all := l.site.Conversations(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// talk fills the record with n exchanges.
func (l *lab) talk(n int) {
	GinkgoHelper()
	for k := range n {
		Expect(l.post(fmt.Sprint("m", k+1))).To(Equal(fakesite.Taken))
	}
}

// strikeSite plays one command with the fault at it.
func (l *lab) strikeSite() {
	GinkgoHelper()
	l.quiet(func(c *client) {
		Expect(c.call(c.attach(), point.SendInsert, 1, "Input.insertText")).To(Succeed())
	})
	Expect(l.i.Unreached()).To(BeEmpty())
}

var _ = Describe("a fault of the site", func() {
	DescribeTable("that blocks stands until a person helps, or for its time",
		func(kind faults.Kind, want fakesite.Blocker) {
			l := start(string(kind) + " at send.insert@1#1/after")
			l.strikeSite()
			Expect(l.site.Blocked()).To(Equal(want))
			Expect(l.events[3]).To(Equal("stays " + string(kind)))

			l = start(string(kind) + " at send.insert@1#1/before with for=1m")
			l.quiet(func(c *client) {
				Expect(c.call(c.attach(), point.SendInsert, 1, "Input.insertText")).To(Succeed())
				Expect(l.site.Blocked()).To(Equal(want))
				_ = c.clock.Sleep(GinkgoT().Context(), 2*time.Minute)
			})
			Expect(l.site.Blocked()).To(Equal(fakesite.Unblocked))
			Expect(l.events[3]).To(Equal("healed " + string(kind)))
		},
		Entry(nil, faults.Captcha, fakesite.BlockCaptcha),
		Entry(nil, faults.Logout, fakesite.BlockLogin),
		Entry(nil, faults.RateLimit, fakesite.BlockRate),
		Entry(nil, faults.UsageCap, fakesite.BlockCap),
		Entry(nil, faults.AccountBlock, fakesite.BlockAccount),
	)

	DescribeTable(
		"on a send meets the next one and no other",
		func(kind faults.Kind, why fakesite.Refusal, received, answered int,
			ending fakesite.AnswerState,
		) {
			l := start(string(kind) + " at send.insert@1#1/before")
			l.talk(2)
			l.strikeSite()
			Expect(l.post("struck")).To(Equal(why))
			ledger := l.site.Ledger()
			Expect(ledger.Received()).To(HaveLen(2 + received))
			Expect(ledger.Answers()).To(HaveLen(2 + answered))
			if answered > 0 {
				Expect(ledger.Answer("struck").Ending).To(Equal(ending))
			}
			if ending != fakesite.Thinking {
				Expect(l.post("next")).To(Equal(fakesite.Taken))
				Expect(ledger.Answer("next").Ending).To(Equal(fakesite.Complete))
			}
		},
		Entry(nil, faults.ServerError, fakesite.RefusedServer, 0, 0, fakesite.Complete),
		Entry(nil, faults.Accepted500, fakesite.RefusedServer, 1, 1, fakesite.Complete),
		Entry(nil, faults.CutStream, fakesite.Taken, 1, 1, fakesite.Failed),
		Entry(nil, faults.NeverAnswers, fakesite.Taken, 1, 1, fakesite.Thinking),
		Entry(nil, faults.DropMessage, fakesite.Taken, 0, 0, fakesite.Complete),
	)
	It("counts sends as the site does, refused ones included", func() {
		l := start("server-error at send.insert@1#1/before")
		l.site.Options().Faults.ServerError = fakesite.Nth{2}
		l.site.Options().Faults.Dropped = fakesite.Nth{3}
		l.talk(1)
		Expect(l.post("a")).To(Equal(fakesite.RefusedServer))
		Expect(l.post("b")).To(Equal(fakesite.Taken))
		l.site.Block(fakesite.BlockRate)
		Expect(l.post("c")).To(Equal(fakesite.RefusedRate))
		l.site.Block(fakesite.Unblocked)
		l.strikeSite()
		Expect(l.post("d")).To(Equal(fakesite.RefusedServer))
		Expect(l.post("e")).To(Equal(fakesite.Taken))
	})
	It("cuts the answer that is being written", func() {
		l := start("cut-stream at wait.poll@1#1/before")
		l.site.Options().Faults.Never = fakesite.Nth{1}
		l.talk(1)
		l.quiet(func(c *client) { _, _ = c.poll(c.attach(), 1) })
		Expect(l.i.Unreached()).To(BeEmpty())
		Expect(l.conversation().Last().At(l.loop.Now()).State).To(Equal(fakesite.Stopped))
	})
	It("says so when there is nothing to cut", func() {
		l := start("cut-stream at wait.poll@1#1/before")
		l.talk(1)
		l.quiet(func(c *client) { _, _ = c.poll(c.attach(), 1) })
		Expect(l.events[2]).To(Equal("missed cut-stream"))
	})

	ids := func(l *lab) (out []string) {
		for _, m := range l.conversation().Messages {
			if m.Role == fakesite.User {
				out = append(out, m.ID)
			}
		}
		return out
	}
	It("edits the answer of an exchange in the record and leaves the ledger", func() {
		l := start("edit-history at send.insert@1#1/after with back=2 text='another text'")
		l.talk(3)
		l.strikeSite()
		Expect(l.conversation().AnswerTo("m2").Text).To(Equal("another text"))
		Expect(l.conversation().AnswerTo("m3").Text).NotTo(Equal("another text"))
		Expect(l.site.Ledger().Answer("m2").Text).NotTo(Equal("another text"))
		Expect(l.events[3]).To(Equal("stays edit-history"))
	})
	It("ends the record earlier, even at its beginning", func() {
		l := start("truncate-history at send.insert@1#1/after with back=2")
		l.talk(3)
		l.strikeSite()
		Expect(ids(l)).To(Equal([]string{"m1"}))
		l = start("truncate-history at send.insert@1#1/after with back=3")
		l.talk(3)
		l.strikeSite()
		Expect(l.conversation().Messages).To(BeEmpty())
	})
	It("takes one exchange out of the record", func() {
		l := start("missing-turn at send.insert@1#1/after with back=2")
		l.talk(3)
		l.strikeSite()
		Expect(ids(l)).To(Equal([]string{"m1", "m3"}))
		Expect(l.conversation().Messages).To(HaveLen(4))
	})
	It("that needs a record says so when there is none yet", func() {
		for _, text := range []string{
			"edit-history at send.insert@1#1/after", "missing-turn at send.insert@1#1/after with back=4",
		} {
			l := start(text)
			if text != "edit-history at send.insert@1#1/after" {
				l.talk(3)
			}
			l.quiet(
				func(c *client) { _ = c.call(c.attach(), point.SendInsert, 1, "Input.insertText") },
			)
			Expect(l.events[2]).To(HavePrefix("missed "))
		}
	})
	It("switches the site's buttons and record off, and on again", func() {
		for kind, on := range map[faults.Kind]func(o *fakesite.Options) bool{
			faults.CopyBroken: func(o *fakesite.Options) bool { return o.CopyBroken },
			faults.CopyStale:  func(o *fakesite.Options) bool { return o.CopyStale },
			faults.RecordDown: func(o *fakesite.Options) bool { return o.RecordStatus == 503 },
		} {
			l := start(string(kind) + " at send.insert@1#1/after with for=10s")
			l.quiet(func(c *client) {
				Expect(c.call(c.attach(), point.SendInsert, 1, "Input.insertText")).To(Succeed())
				Expect(on(l.site.Options())).To(BeTrue(), "%s", kind)
				_ = c.clock.Sleep(GinkgoT().Context(), time.Minute)
			})
			Expect(on(l.site.Options())).To(BeFalse(), "%s", kind)
		}
	})
})

var _ = Describe("the duty about the site", func() {
	It("that blocks is row 12", func() {
		duties(faults.Stop, "captcha at send.guard@1#1/before", "logout at wait.poll@0#1/before",
			"rate-limit at agent.poll@1#1/before", "usage-cap at attach.ready@0#1/before")
		duties(faults.Either, "account-block at capture.record@1#1/after")
		duties(faults.Complete, "captcha at detach.close@3#1/before")
	})
	It("that refuses or loses a send is to stop, unless the record has it", func() {
		duties(
			faults.Stop,
			"server-error at send.submit@1#2/before",
			"drop-message at send.submit@1#2/before",
			"never-answers at send.insert@0#1/before",
		)
		duties(faults.Complete, "accepted-500 at send.submit@1#2/before")
		duties(faults.Either, "accepted-500 at send.submit@0#2/before")
	})
	It("that cuts an answer is to close the round", func() {
		duties(faults.Complete, "cut-stream at wait.poll@1#1/before")
		duties(faults.Stop, "cut-stream at wait.poll@0#1/before")
	})
	It("whose copy buttons or record fail is to use the other sources", func() {
		duties(
			faults.Complete,
			"copy-broken at capture.copy@1#1/before",
			"copy-stale at wait.poll@1#1/before",
			"record-down at wait.record@1#1/before",
		)
	})
})
