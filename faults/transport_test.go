package faults_test

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// duty is what a correct bridge must do about a fault in the form of a schedule.
func duty(text string) faults.Duty {
	GinkgoHelper()
	f, err := faults.ParseFault(text)
	Expect(err).NotTo(HaveOccurred())
	d, why := f.Duty()
	Expect(why).NotTo(BeEmpty())
	return d
}

// duties checks several at once.
func duties(want faults.Duty, texts ...string) {
	GinkgoHelper()
	for _, text := range texts {
		Expect(duty(text)).To(Equal(want), text)
	}
}

var _ = Describe("the duty about the line", func() {
	It("is to complete, whatever was in flight", func() {
		duties(faults.Complete,
			"sever at send.submit@0#2/before", "sever at send.submit@0#2/after",
			"sever at send.submit@1#2/late", "half-open at wait.poll@2:streaming#1/after",
			"drop at send.submit@1#1/after", "corrupt at capture.record@1#1/after",
			"sever at agent.poll@1:running#1/before", "stall at send.prove@1#1/before")
	})
	It("about a protocol error is by its code", func() {
		duties(faults.Complete, "cdp-error at send.guard@1#1/before",
			"cdp-error at wait.poll@1#1/after with code=-32001",
			"cdp-error at detach.close@3#1/before with code=-32602")
		duties(faults.Stop, "cdp-error at send.guard@1#1/before with code=-32601")
		duties(faults.Either, "cdp-error at attach.open@0#1/before")
	})
})

var _ = Describe("one answer alone", func() {
	It("drop before: swallowed, silent at the deadline", func() {
		l := start("drop at send.submit@1#1/before")
		took, saw, err := strike(l)
		Expect(lossOf(err)).To(Equal(browser.Silent))
		Expect(took).To(Equal(deadline))
		Expect(saw).To(BeEmpty())
		Expect(
			l.events,
		).To(Equal([]string{"armed drop", "reached drop", "applied drop", "healed drop"}))
	})
	It("drop after: carried out, silent at the deadline", func() {
		took, saw, err := strike(start("drop at send.submit@1#1/after"))
		Expect(lossOf(err)).To(Equal(browser.Silent))
		Expect(took).To(Equal(deadline))
		Expect(saw).To(Equal([]string{click}))
	})
	It("delay: late, or silent when the deadline comes first", func() {
		took, saw, err := strike(start("delay at send.submit@1#1/before with for=4s"))
		Expect(err).NotTo(HaveOccurred())
		Expect(took).To(Equal(4 * time.Second))
		Expect(saw).To(Equal([]string{click}))
		took, saw, err = strike(start("delay at send.submit@1#1/before with for=1m"))
		Expect(lossOf(err)).To(Equal(browser.Silent))
		Expect(took).To(Equal(deadline))
		Expect(saw).To(BeEmpty(), "a command whose caller gave up is never written")
		took, saw, err = strike(start("delay at send.submit@1#1/after with for=1m"))
		Expect(lossOf(err)).To(Equal(browser.Silent))
		Expect(took).To(Equal(deadline))
		Expect(saw).To(Equal([]string{click}))
	})
	It("stall after: the answer waits as long as the line", func() {
		l := start("stall at send.submit@1#1/after with for=3s")
		took, _, err := strike(l)
		Expect(err).NotTo(HaveOccurred())
		Expect(took).To(Equal(3 * time.Second))
		Expect(l.b.healed).To(Equal([]string{"stall"}))
	})
	It("cdp-error: refused, or done and told as an error", func() {
		for phase, want := range map[string][]string{"before": nil, "after": {click}} {
			_, saw, err := strike(start("cdp-error at send.submit@1#1/" + phase +
				" with code=-32602 text='No target'"))
			var e *cdproto.Error
			Expect(errors.As(err, &e)).To(BeTrue())
			Expect(*e).To(Equal(cdproto.Error{Code: -32602, Message: "No target"}))
			Expect(saw).To(Equal(want))
		}
	})
	It("duplicate and reorder: the events come twice, or turned round", func() {
		bent := func(kind faults.Kind) (got []browser.EventKind) {
			l := start(string(kind) + " at send.submit@1#1/after")
			l.quiet(func(c *client) {
				s := c.attach()
				l.b.events = []browser.Event{{Kind: browser.Navigated}}
				l.b.queued = []browser.Event{
					{Kind: browser.MessagePosted},
					{Kind: browser.MessageFailed},
				}
				Expect(c.call(s, point.SendSubmit, 1, click)).To(Succeed())
				for _, e := range s.Drain(nil) {
					got = append(got, e.Kind)
				}
				Expect(s.Drain(nil)).To(BeEmpty())
			})
			return got
		}
		Expect(bent(faults.Repeat)).To(Equal([]browser.EventKind{
			browser.Navigated, browser.MessagePosted, browser.MessageFailed,
			browser.MessagePosted, browser.MessageFailed,
		}))
		Expect(bent(faults.Reorder)).To(Equal([]browser.EventKind{
			browser.Navigated, browser.MessageFailed, browser.MessagePosted,
		}))
	})
})
