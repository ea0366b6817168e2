package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
)

var _ = Describe("time", func() {
	It("moves the page by itself on a real clock", func() {
		s, err := web.Start(web.Options{Site: fakesite.New(fakesite.Config{Timing: fakesite.Timing{
			FirstByte: 20 * time.Millisecond, Think: 20 * time.Millisecond,
		}})})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(s.Close)
		var m *fakesite.Message
		before := s.Do(func(now time.Time, site *fakesite.Site) {
			_, m, _ = site.Submit(now, fakesite.Post{MessageID: "m", Text: "x"})
		})
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		c := client{
			site:   &stand{Server: s},
			http:   &http.Client{Transport: transport},
			header: http.Header{},
		}
		s.Do(func(_ time.Time, site *fakesite.Site) { c.token = site.Account().Token })
		body := c.do(
			"POST",
			sendPath+"/resume",
			fmt.Sprintf(`{"conversation_id":%q}`, idOf(s)),
		).Body
		_, err = io.ReadAll(body)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Wait(soon(), func(now time.Time, _ *fakesite.Site) bool {
			return m.At(now).State == fakesite.Complete
		})).To(Succeed())
		Expect(s.Version()).To(BeNumerically(">", before))
	})

	It("runs sixty times as fast on a scaled clock, the load event included", func() {
		s := &stand{}
		var err error
		s.Server, err = web.Start(web.Options{
			Site:  fakesite.New(fakesite.Config{Timing: fakesite.Typical(), Script: saying(story)}),
			Clock: clock.Scaled(60), Scale: 60,
		})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(s.Close)
		t := s.openTab("/")
		eval[bool](t, untilThere(editor))
		t.write(ask("go"))
		t.click(sendButton)
		eval[bool](t, untilThere(answerBar))
		Expect(eval[string](t, "document.readyState")).To(Equal("complete"))
		Expect(t.text(answerTurn + " h2")).To(Equal("Steps"))
		Expect(eval[string](t, "location.pathname")).To(HavePrefix("/c/"))
	})

	It("ends a wait with its context", func() {
		s := newStand(fakesite.Config{})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		Expect(
			s.Wait(ctx, func(time.Time, *fakesite.Site) bool { return false }),
		).To(MatchError(context.Canceled))
	})
})

func idOf(s *web.Server) (id string) {
	s.Do(func(_ time.Time, site *fakesite.Site) { id = site.Conversations()[0].ID })
	return id
}

// untilThere resolves when an element is in the document.
func untilThere(selector string) string {
	return fmt.Sprintf(`new Promise((done) => {
		const look = () => document.querySelector(%q) && (watch.disconnect(), done(true));
		const watch = new MutationObserver(look);
		watch.observe(document, { subtree: true, childList: true });
		look();
	})`, selector)
}
