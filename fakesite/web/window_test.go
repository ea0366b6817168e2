package web_test

import (
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

// pulledUp takes room from the scroller until it scrolls by 90 px, goes to its end and gives some
// room back, as a composer does that loses its text: where it stood, and where it came to stand
// when the page had heard of it and a request behind it was answered.
const pulledUp = `(async () => {
  const box = document.querySelector("[data-scroll-root]");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const room = (n) => { box.style.flex = "none"; box.style.height = n + "px"; };
  room(box.scrollHeight);
  const all = box.querySelector(".thread").offsetHeight;
  room(all - 90);
  box.scrollTop = box.scrollHeight;
  await frame(); await frame();
  const before = box.scrollTop;
  const heard = new Promise((done) => box.addEventListener("scroll", done, { once: true }));
  room(all - 60);
  await heard;
  await fetch("/backend-api/me");
  return [before, box.scrollTop];
})()`

var _ = Describe("mounted turns", func() {
	It("are the last six; scrolling mounts earlier ones and lets others go", func() {
		s := newStand(fakesite.Config{Script: saying(story)})
		c := s.said(ask("a"), ask("b"), ask("c"), ask("d"), ask("e"))
		t := s.openTab("/c/" + c)
		Expect(t.count("section[data-turn]")).To(Equal(6))
		Expect(t.count("[data-turn-id-container]")).To(Equal(10))
		Expect(t.has("[data-testid=conversation-turn-10]")).To(BeTrue())
		Expect(t.has("[data-testid=conversation-turn-4]")).To(BeFalse())
		before := s.Version()
		eval[chromedp.Void](t, `document.querySelector("[data-scroll-root]").scrollTop = 0`)
		Eventually(s.Version).Should(BeNumerically(">", before))
		t.sync()
		Expect(t.has("[data-testid=conversation-turn-3]")).To(BeTrue())
		Expect(t.has("[data-testid=conversation-turn-10]")).To(BeFalse())
		Expect(t.count("section[data-turn]")).To(Equal(6))
	})

	It("stay when the scroller is pulled up because it got more room", func() {
		o := fakesite.Options{Window: 2}
		s := newStand(fakesite.Config{Script: saying(story), Options: o})
		t := s.openTab("/c/" + s.said(ask("a"), ask("b")))
		at := eval[[]float64](t, pulledUp)
		Expect(at[0]).To(BeNumerically(">", at[1]), "it was pulled up")
		Expect(at[1]).To(And(BeNumerically(">", 0), BeNumerically("<", 120)), "to near its top")
		t.sync()
		Expect(t.has("[data-testid=conversation-turn-4]")).To(BeTrue())
		Expect(t.has("[data-testid=conversation-turn-2]")).To(BeFalse())
	})

	It("do not grow in number when a full window gets a new turn", func() {
		s := newStand(fakesite.Config{Script: saying(plain)})
		t := s.openTab("/c/" + s.said(ask("a"), ask("b"), ask("c")))
		Expect(t.count("section[data-turn]")).To(Equal(6))
		t.write("d")
		t.click(sendButton)
		s.received(4)
		t.sync()
		Expect(t.count("section[data-turn]")).To(Equal(6))
		Expect(t.has("[data-testid=conversation-turn-8]")).To(BeTrue())
	})
})
