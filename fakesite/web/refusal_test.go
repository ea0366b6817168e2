package web_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
)

var _ = Describe("refusals", func() {
	for b, want := range map[fakesite.Blocker]struct {
		status int
		code   string
	}{
		fakesite.BlockLogin:   {401, "token_expired"},
		fakesite.BlockExpired: {401, "token_expired"},
		fakesite.BlockCaptcha: {403, "challenge"},
		fakesite.BlockAccount: {403, "unusual_activity"},
		fakesite.BlockRate:    {429, "too_many_requests"},
		fakesite.BlockCap:     {429, "model_cap_exceeded"},
	} {
		It(string(b), func() {
			s := newStand(fakesite.Config{})
			c := newClient(s)
			s.Do(func(_ time.Time, site *fakesite.Site) { site.Block(b) })
			response := c.do("POST", sendPath, sendBody("", "m", "x"))
			Expect(response.StatusCode).To(Equal(want.status))
			var body map[string]any
			Expect(json.NewDecoder(response.Body).Decode(&body)).To(Succeed())
			Expect(code(body)).To(Equal(want.code))
			Expect(
				response.Header.Get("Cf-Mitigated") == "challenge",
			).To(Equal(b == fakesite.BlockCaptcha))
			if b == fakesite.BlockCap {
				Expect(body["detail"]).To(HaveKeyWithValue("clears_in", BeNumerically(">", 0)))
			}
		})
	}

	It("of single sends", func() {
		s := newStand(fakesite.Config{Timing: typical(), Options: fakesite.Options{
			MaxText: 100, Faults: fakesite.Faults{ServerError: fakesite.Nth{1}},
		}})
		c := newClient(s)
		expect := func(conversation, text string, status int, want string) {
			GinkgoHelper()
			got, body := c.ask("POST", sendPath, sendBody(conversation, "m", text))
			Expect(got).To(Equal(status))
			Expect(code(body)).To(Equal(want))
		}
		expect("", "x", 500, "internal_error")
		expect("", strings.Repeat("x", 101), 413, "message_length_exceeds_limit")
		expect("nowhere", "x", 404, "conversation_inaccessible")
		var id string
		s.Do(func(now time.Time, site *fakesite.Site) {
			busy, _, _ := site.Submit(now, fakesite.Post{MessageID: "b", Text: "x"})
			id = busy.ID
		})
		expect(id, "x", 409, "generating")
	})

	It("of what is no send", func() {
		c := newClient(newStand(fakesite.Config{}))
		long := strings.Repeat("i", 200)
		for _, body := range []string{
			"", "{", "{}", `{"action":"next","messages":[]}`, sendBody("", "", "x"), sendBody("", long, "x"),
			strings.Replace(sendBody("", "m", "x"), `"user"`, `"system"`, 1),
		} {
			status, got := c.ask("POST", sendPath, body)
			Expect(status).To(Equal(400), body)
			Expect(code(got)).To(Equal("invalid_request"))
		}
		status, _ := c.ask("POST", sendPath, `{"x":"`+strings.Repeat("x", 5<<20)+`"}`)
		Expect(status).To(Equal(413))
		status, got := c.ask("POST", sendPath+"/resume", `{"conversation_id":"none"}`)
		Expect(status).To(Equal(404))
		Expect(code(got)).To(Equal("no_active_stream"))
	})
})

var _ = Describe("the guard", func() {
	It("takes its own Host and Origin only", func() {
		s := newStand(fakesite.Config{})
		c := newClient(s)
		Expect(c.do("GET", "/", "").StatusCode).To(Equal(200))
		c.header.Set("Origin", s.URL())
		Expect(c.do("POST", "/backend-api/f/conversation/prepare", "{}").StatusCode).To(Equal(200))
		c.header.Set("Origin", "http://evil.test")
		Expect(c.do("POST", "/backend-api/f/conversation/prepare", "{}").StatusCode).To(Equal(403))
		Expect(
			c.do("GET", "/backend-api/fake/events?document=d&path=/", "").StatusCode,
		).To(Equal(403))
		c.header.Del("Origin")
		c.header.Set("Host", "evil.test")
		Expect(c.do("GET", "/", "").StatusCode).To(Equal(421))
	})
	It("sets headers and lists nothing", func() {
		c := newClient(newStand(fakesite.Config{}))
		response := c.do("GET", "/assets/app.js", "")
		Expect(response.StatusCode).To(Equal(200))
		Expect(response.Header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(
			response.Header.Get("Content-Security-Policy"),
		).To(ContainSubstring("default-src 'none'"))
		Expect(response.Header.Get("X-Content-Type-Options")).To(Equal("nosniff"))
		for _, path := range []string{
			"/assets/", "/assets/shell.html", "/assets/..%2Fserver.go", "/nothing",
			"/c/" + strings.Repeat("x", 200),
		} {
			Expect(c.do("GET", path, "").StatusCode).To(Equal(404), path)
		}
		Expect(c.do("DELETE", sendPath, "").StatusCode).To(Equal(405))
	})
	It("listens on loopback only, unless it is told to do otherwise", func() {
		site := fakesite.New(fakesite.Config{})
		_, err := web.Start(web.Options{Site: site, Addr: "0.0.0.0:0"})
		Expect(err).To(MatchError(ContainSubstring("AllowRemote")))
		_, err = web.Start(web.Options{Site: site, Addr: "nonsense"})
		Expect(err).To(MatchError(ContainSubstring("want host:port")))
		_, err = web.Start(web.Options{})
		Expect(err).To(MatchError(ContainSubstring("Options.Site is nil")))
		s, err := web.Start(web.Options{Site: site, Addr: "0.0.0.0:0", AllowRemote: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Close()).To(Succeed())
	})
})
