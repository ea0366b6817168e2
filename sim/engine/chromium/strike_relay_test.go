package chromium_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/sim/engine/chromium"
)

var _ = Describe("the relay", func() {
	BeforeEach(noLeak)

	It("relays only to loopback", func() {
		for _, endpoint := range []string{"http://192.0.2.1:9222", "http://example.com:80", "nowhere", ""} {
			_, err := chromium.StartRelay(endpoint)
			Expect(err).To(HaveOccurred(), endpoint)
		}
	})
	It("says when there is no socket to strike", func() {
		r, err := chromium.StartRelay("http://127.0.0.1:1")
		Expect(err).NotTo(HaveOccurred())
		defer func() { Expect(r.Close()).To(Succeed()) }()
		for name, strike := range map[string]func() (string, error){
			"reset": r.Reset, "finish": r.Finish, "hold": r.Hold, "stall": r.Stall, "repeat": r.Repeat,
			"garbage": r.Garbage, "close": func() (string, error) { return r.CloseFrame(1000) },
		} {
			_, err := strike()
			Expect(err).To(MatchError(chromium.ErrNoSocket), name)
		}
		_, err = chrome.NewDialer(r.Endpoint()).Dial(within(callDeadline))
		_, lost := browser.AsLoss(err)
		Expect(lost).To(BeTrue())
	})
	It("passes messages of any size whole", func() {
		r := under("sever at send.submit@9#1/before", nil)
		for _, n := range []int{1, 125, 126, 65_535, 65_536, 3 << 20} {
			Expect(r.ask(fmt.Sprintf("%q.length", strings.Repeat("x", n)))).To(Equal(fmt.Sprint(n)))
			got, err := r.ask(fmt.Sprintf(`"x".repeat(%d)`, n))
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(HaveLen(n + 2))
		}
	})
})
