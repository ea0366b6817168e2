package fakesite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

var _ = Describe("The site's", func() {
	Describe("refusals", func() {
		DescribeTable("by blockers",
			func(b fakesite.Blocker, why fakesite.Refusal) {
				d := talk(fakesite.Config{})
				d.site.Block(b)
				Expect(d.site.Blocked()).To(Equal(b))
				_, got := d.post("a")
				Expect(got).To(Equal(why))
				Expect(d.site.Account().LoggedIn).To(Equal(why != fakesite.RefusedLogin))
				if why == fakesite.Taken {
					return
				}
				Expect(d.site.Conversations()).To(BeEmpty())
				Expect(kinds(d.site.Ledger())).To(Equal([]fakesite.EntryKind{fakesite.Refused}))
				Expect(d.site.Ledger().Entries()[0].Refusal).To(Equal(why))
				d.site.Block(fakesite.Unblocked)
				_, got = d.post("a")
				Expect(got).To(Equal(fakesite.Taken))
			},
			Entry(nil, fakesite.BlockCaptcha, fakesite.RefusedCaptcha),
			Entry(nil, fakesite.BlockLogin, fakesite.RefusedLogin),
			Entry(nil, fakesite.BlockExpired, fakesite.RefusedLogin),
			Entry(nil, fakesite.BlockRate, fakesite.RefusedRate),
			Entry(nil, fakesite.BlockCap, fakesite.RefusedCap),
			Entry(nil, fakesite.BlockAccount, fakesite.RefusedUnusual),
			Entry(nil, fakesite.BlockDowngrade, fakesite.Taken),
		)

		It("of a message that is too long", func() {
			d := options(fakesite.Options{MaxText: 3})
			_, why := d.post("abcd")
			Expect(why).To(Equal(fakesite.RefusedTooLong))
		})

		It("of a send while the turn before is unfinished", func() {
			d := options(fakesite.Options{})
			d.hello()
			_, why := d.post("a")
			Expect(why).To(Equal(fakesite.RefusedBusy))
			d.now = d.conv.Last().Course.Ends()
			_, why = d.post("a")
			Expect(why).To(Equal(fakesite.Taken))
		})
	})

	Describe("faults", func() {
		DescribeTable("of a failing answer",
			func(f fakesite.Faults, share func(whole, stands string)) {
				whole := options(fakesite.Options{}).hello()
				d := options(fakesite.Options{Faults: f})
				d.hello()
				m := d.conv.Last()
				p := m.At(m.Course.Ends())
				Expect(p).To(Equal(fakesite.Progress{State: fakesite.Failed, Shown: len(m.Text)}))
				share(whole, m.Text)
				Expect(d.site.Ledger().Answer("m1").Ending).To(Equal(fakesite.Failed))
				d.later()
				d.plan(1, "-") // the next message is not struck
			},
			Entry("before", fakesite.Faults{FailBefore: fakesite.Nth{1}}, func(_, s string) {
				Expect(s).To(BeEmpty())
			}),
			Entry("mid", fakesite.Faults{FailMid: fakesite.Nth{1}}, func(w, s string) {
				Expect(w).To(HavePrefix(s))
				Expect(len(s)).To(BeNumerically("~", len(w)/2, 4))
			}),
			Entry("after", fakesite.Faults{FailAfter: fakesite.Nth{1}}, func(w, s string) {
				Expect(s).To(Equal(w))
			}),
		)

		It("of an answer that never comes", func() {
			d := options(fakesite.Options{Faults: fakesite.Faults{Never: fakesite.Nth{2}}})
			d.hello()
			d.later()
			d.post("a")
			d.later()
			Expect(d.conv.Last().At(d.now)).To(Equal(fakesite.Progress{State: fakesite.Thinking}))
			Expect(d.site.Ledger().Answer("m2").Ends).To(BeZero())
			_, why := d.post("b")
			Expect(why).To(Equal(fakesite.RefusedBusy))
			d.site.Stop(d.now, d.conv.ID)
			_, why = d.post("b")
			Expect(why).To(Equal(fakesite.Taken))
		})

		It("of a message that was accepted and told as a 500", func() {
			d := options(fakesite.Options{Faults: fakesite.Faults{Accepted500: fakesite.Nth{1}}})
			m, why := d.post("a")
			Expect(why).To(Equal(fakesite.RefusedServer))
			Expect(d.conv.Last()).To(BeIdenticalTo(m))
			Expect(kinds(d.site.Ledger())).To(Equal([]fakesite.EntryKind{"received", "answered"}))
		})

		It("of a message that was not accepted", func() {
			f := fakesite.Faults{
				ServerError: fakesite.Nth{1},
				Refuse:      []fakesite.RefuseAt{{Nth: 2, Why: fakesite.RefusedRate}},
			}
			d := options(fakesite.Options{Faults: f})
			for _, want := range []fakesite.Refusal{"internal_error", "too_many_requests", ""} {
				_, why := d.post("a")
				Expect(why).To(Equal(want))
			}
			Expect(d.site.Ledger().Received()).To(HaveLen(1))
		})

		It("of a message that is in no record", func() {
			d := options(fakesite.Options{Faults: fakesite.Faults{Dropped: fakesite.Nth{1, 3}}})
			m, why := d.post("a")
			Expect(why).To(Equal(fakesite.Taken))
			Expect(m).To(BeNil())
			Expect(d.conv).To(BeNil())
			d.say("a")
			d.later()
			m, _ = d.post("b")
			Expect(m).To(BeNil())
			Expect(d.conv.Messages).To(HaveLen(2))
			Expect(kinds(d.site.Ledger())).To(Equal(
				[]fakesite.EntryKind{"dropped", "received", "answered", "dropped"}))
		})

		It("of a blocker that comes before or after a message", func() {
			f := fakesite.Faults{Block: []fakesite.BlockAt{
				{Nth: 1, Blocker: fakesite.BlockRate, After: true},
				{Nth: 2, Blocker: fakesite.BlockExpired},
			}}
			d := options(fakesite.Options{Faults: f})
			d.say("a")
			Expect(d.site.Blocked()).To(Equal(fakesite.BlockRate))
			d.later()
			_, why := d.post("b")
			Expect(why).To(Equal(fakesite.RefusedRate))
			d.site.Block(fakesite.Unblocked)
			_, why = d.post("b")
			Expect(why).To(Equal(fakesite.RefusedLogin))
			Expect(d.site.Account()).To(BeZero())
		})
	})
})
