package virtual_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

var _ = Describe("a click", func() {
	It("needs press and release on the button, with the left button and a count", func() {
		play(worldOptions{}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed("text")
			c.mouse("mouseReleased", 1008, 712)
			c.mouse("mousePressed", 10, 10)
			c.mouse("mouseReleased", 1008, 712)
			c.mouse("mousePressed", 1008, 712)
			c.mouse("mouseReleased", 10, 10)
			Expect(w.site.Ledger().Entries()).To(BeEmpty())
		})
	})

	It("is swallowed by a broken button as often as the site wants", func() {
		play(worldOptions{site: fakesite.Options{SendNoop: 2}}, func(w *world, c *client) {
			c.attach(base + "/")
			c.typed("text")
			for i := range 3 {
				Expect(w.site.Ledger().Received()).To(BeEmpty(), "click %d", i)
				c.click(1008, 712)
			}
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
		})
	})

	It("on Stop ends the answer where it stands: the button stands where Send was", func() {
		play(worldOptions{timing: slow}, func(w *world, c *client) {
			c.attach(base + "/")
			c.ready()
			id := c.send(offer().Hello())
			c.sleep(4 * time.Second)
			c.click(1008, 712)
			Expect(w.site.Ledger().Entries()).To(HaveLen(3))
			Expect(c.turn(id).Stop).To(BeFalse())
		})
	})

	It("makes a request that the site refuses: told by status, nothing is shown", func() {
		o := fakesite.Options{Faults: fakesite.Faults{
			ServerError: fakesite.Nth{1}, Accepted500: fakesite.Nth{2}, Dropped: fakesite.Nth{3},
		}}
		play(worldOptions{timing: slow, site: o}, func(w *world, c *client) {
			c.attach(base + "/")
			c.ready()
			c.typed("text")
			for i := range 2 {
				c.click(1008, 712)
				e := c.s.Drain(nil)
				Expect(e).To(HaveLen(2))
				Expect(e[0].Kind).To(Equal(browser.MessagePosted))
				Expect(e[1].Kind).To(Equal(browser.MessageFailed))
				Expect(e[1].Status).To(Equal(500))
				Expect(e[1].RequestID).To(Equal(e[0].RequestID))
				Expect(w.site.Ledger().Received()).To(HaveLen(i), "the second was accepted all the same")
				c.sleep(time.Second)
				Expect(ask(c, probe.Tail, probe.TailArgs{}).Turns).To(BeEmpty())
				Expect(c.composer().Text).To(Equal("text"))
			}
			c.sleep(time.Minute)
			c.click(1008, 712)
			e := c.s.Drain(nil)
			Expect(e).To(HaveLen(1), "a dropped message looks well")
			c.sleep(time.Hour)
			Expect(c.turn(e[0].MessageID).State).To(Equal(probe.AnswerPlaceholder))
			Expect(c.composer().Text).To(BeEmpty())
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
		})
	})

	It("can freeze the page: accepted, and nothing moves any more", func() {
		play(worldOptions{site: fakesite.Options{Freeze: true}}, func(w *world, c *client) {
			tab := c.attach(base + "/")
			c.typed("text")
			c.click(1008, 712)
			c.sleep(time.Hour)
			Expect(w.site.Ledger().Received()).To(HaveLen(1))
			Expect(c.composer().Text).To(Equal("text"))
			Expect(ask(c, probe.Tail, probe.TailArgs{}).Conversation).To(BeEmpty())
			c.click(1008, 712)
			Expect(w.site.Ledger().Entries()).To(HaveLen(2))
			w.b.NavigateTab(tab, base+"/c/"+w.site.Conversations()[0].ID)
			c.install()
			Expect(ask(c, probe.Tail, probe.TailArgs{}).Turns).To(HaveLen(2), "a new document is alive")
		})
	})
})
