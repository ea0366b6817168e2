package web_test

import (
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

var _ = Describe("blockers", func() {
	var s *stand
	var t *tab
	BeforeEach(func() {
		s = newStand(fakesite.Config{Script: saying(plain)})
		t = s.openTab("/c/" + s.said(ask("before")))
		Expect(t.has("[data-testid=accounts-profile-button]")).To(BeTrue())
	})
	block := func(b fakesite.Blocker) {
		GinkgoHelper()
		s.Do(func(_ time.Time, site *fakesite.Site) { site.Block(b) })
		t.sync()
	}
	received := func() (n int) {
		s.Do(func(_ time.Time, site *fakesite.Site) { n = len(site.Ledger().Received()) })
		return n
	}
	refused := func(n int) {
		GinkgoHelper()
		Expect(s.Wait(soon(), func(_ time.Time, site *fakesite.Site) bool {
			return len(site.Ledger().Entries()) >= n
		})).To(Succeed())
		t.sync()
	}

	It("captcha takes the whole page, live and on load, and gives it back", func() {
		block(fakesite.BlockCaptcha)
		for range 2 {
			Expect(t.has("#challenge-form")).To(BeTrue())
			Expect(eval[string](t, "document.title")).To(Equal("Just a moment..."))
			Expect(t.has(editor)).To(BeFalse())
			Expect(t.has("nav")).To(BeFalse())
			Expect(eval[int](t, "document.body.innerText.length")).To(BeNumerically("<", 600))
			Expect(chromedp.Do(t.ctx, chromedp.Reload())).To(Succeed())
			t.sync()
		}
		block(fakesite.Unblocked)
		Expect(t.has("#challenge-form")).To(BeFalse())
		Expect(t.has(editor)).To(BeTrue())
		Expect(t.has(answerBar)).To(BeTrue())
	})

	It("logged out shows the composer to guests, and a send opens the login modal", func() {
		block(fakesite.BlockLogin)
		Expect(t.has("[data-testid=login-button]")).To(BeTrue())
		Expect(t.has("[data-testid=signup-button]")).To(BeTrue())
		Expect(t.has("[data-testid=accounts-profile-button]")).To(BeFalse())
		Expect(t.has("[data-testid^=history-item-]")).To(BeFalse())
		t.visit("/")
		t.write("as a guest")
		t.click(sendButton)
		refused(3)
		Expect(t.has("#modal-no-auth-login")).To(BeTrue())
		Expect(t.lines()).To(Equal([]string{"P:as a guest"}))
		t.click("[data-testid=dismiss-welcome]")
		Expect(t.has("#modal-no-auth-login")).To(BeFalse())
		Expect(received()).To(Equal(1))
	})

	It("an expired session is a modal over the page", func() {
		block(fakesite.BlockExpired)
		Expect(t.text("#modal-expired-session h2")).To(Equal("Your session has expired"))
		Expect(t.has(editor)).To(BeTrue())
		block(fakesite.Unblocked)
		Expect(t.has("#modal-expired-session")).To(BeFalse())
	})

	It("the rate dialog comes again with each refused send; closing it lifts nothing", func() {
		block(fakesite.BlockRate)
		Expect(t.text("[role=dialog] h2")).To(Equal("Too many requests"))
		t.click("[role=dialog] button")
		Expect(t.has("[role=dialog]")).To(BeFalse())
		t.write("again")
		t.click(sendButton)
		refused(3)
		Expect(t.has("[role=dialog]")).To(BeTrue())
		Expect(t.has("[data-testid=toast-error]")).To(BeTrue())
		Expect(t.lines()).To(Equal([]string{"P:again"}))
		Expect(received()).To(Equal(1))
	})

	It("a usage cap refuses in the composer; a downgrade is a banner only", func() {
		t.write("much")
		block(fakesite.BlockCap)
		Expect(t.has(editor + "[contenteditable=false][aria-disabled=true]")).To(BeTrue())
		Expect(t.has(".composer-area [role=alert]")).To(BeTrue())
		Expect(t.has(sendButton + ":disabled")).To(BeTrue())
		block(fakesite.BlockDowngrade)
		Expect(t.has(editor + "[contenteditable=true]:not([aria-disabled])")).To(BeTrue())
		Expect(t.has(".composer-area [role=status]")).To(BeTrue())
		t.click(sendButton)
		s.received(2)
	})

	It("an account notice is a dialog", func() {
		block(fakesite.BlockAccount)
		Expect(t.text("[role=dialog]")).To(ContainSubstring("suspicious activity"))
	})

	It("an error on the send leaves the text and shows a toast", func() {
		s.Do(
			func(_ time.Time, site *fakesite.Site) { site.Options().Faults.ServerError = fakesite.Nth{2} },
		)
		t.write("fails")
		t.click(sendButton)
		refused(3)
		Expect(t.text("[data-testid=toast-error]")).To(HavePrefix("Something went wrong"))
		Expect(t.lines()).To(Equal([]string{"P:fails"}))
		t.until(`root.dataset.fakeSending === ""`)
		t.click(sendButton)
		s.received(2)
		t.sync()
		Expect(t.has("[data-testid=toast-error]")).To(BeFalse())
	})
})
