package web_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/fakesite"
)

var update = flag.Bool("update", false, "write the golden files anew")

// client asks the site over HTTP.
type client struct {
	site   *stand
	token  string
	header http.Header
	http   *http.Client
}

func newClient(s *stand) *client {
	transport := &http.Transport{}
	DeferCleanup(transport.CloseIdleConnections)
	c := &client{site: s, http: &http.Client{Transport: transport}, header: http.Header{}}
	s.Do(func(_ time.Time, site *fakesite.Site) { c.token = site.Account().Token })
	return c
}

func (c *client) do(method, path, body string) *http.Response {
	GinkgoHelper()
	r, err := http.NewRequestWithContext(soon(), method, c.site.URL()+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	r.Header = c.header.Clone()
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if host := c.header.Get("Host"); host != "" {
		r.Host = host
	}
	response, err := c.http.Do(r)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(response.Body.Close)
	return response
}

// ask returns status and JSON body.
func (c *client) ask(method, path, body string) (int, map[string]any) {
	GinkgoHelper()
	response := c.do(method, path, body)
	data, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	var value map[string]any
	Expect(json.Unmarshal(data, &value)).To(Succeed(), string(data))
	return response.StatusCode, value
}

func sendBody(conversation, id, text string) string {
	body, err := json.Marshal(map[string]any{
		"action": "next", "conversation_id": conversation, "parent_message_id": "client-created-root",
		"messages": []any{map[string]any{
			"id": id, "author": map[string]any{"role": "user"},
			"content": map[string]any{"content_type": "text", "parts": []string{text}},
		}},
	})
	Expect(err).NotTo(HaveOccurred())
	return string(body)
}

const sendPath = "/backend-api/f/conversation"

func code(body map[string]any) any { return body["detail"].(map[string]any)["code"] }

var _ = Describe("account endpoints", func() {
	It("tell the user and a token, or nothing", func() {
		s := newStand(fakesite.Config{})
		c := newClient(s)
		status, session := c.ask("GET", "/api/auth/session", "")
		Expect(status).To(Equal(200))
		Expect(session["accessToken"]).To(Equal(c.token))
		Expect(session["user"]).To(HaveKeyWithValue("name", "Test Person"))
		Expect(session).To(HaveKey("expires"))
		status, _ = c.ask("GET", "/backend-api/me", "")
		Expect(status).To(Equal(200))
		c.token = "wrong"
		status, _ = c.ask("GET", "/backend-api/me", "")
		Expect(status).To(Equal(401))
		s.Do(func(_ time.Time, site *fakesite.Site) { site.Block(fakesite.BlockLogin) })
		status, session = c.ask("GET", "/api/auth/session", "")
		Expect(status).To(Equal(200))
		Expect(session).To(BeEmpty())
	})
	It("answer the calls around a send", func() {
		c := newClient(newStand(fakesite.Config{}))
		for _, path := range []string{
			"/backend-api/sentinel/chat-requirements", "/backend-api/sentinel/chat-requirements/prepare",
			"/backend-api/sentinel/chat-requirements/finalize", "/backend-api/f/conversation/prepare",
		} {
			status, _ := c.ask("POST", path, "{}")
			Expect(status).To(Equal(200), path)
		}
	})
})

var _ = Describe("the record", func() {
	var s *stand
	var c *client
	var id string
	BeforeEach(func() {
		s = newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		id = s.said(ask("one"), ask("two"), ask("three"))
		c = newClient(s)
	})

	It("is a tree with a root, a hidden system node, and the branch", func() {
		status, body := c.ask("GET", "/backend-api/conversation/"+id, "")
		Expect(status).To(Equal(200))
		mapping := body["mapping"].(map[string]any)
		Expect(mapping).To(HaveLen(2 + 6))
		var chain []string
		for at := body["current_node"]; at != nil; {
			node := mapping[at.(string)].(map[string]any)
			chain = append(chain, at.(string))
			at = node["parent"]
		}
		Expect(chain).To(HaveLen(8))
		Expect(chain[7]).To(Equal(fakesite.RootID))
		Expect(chain[5]).To(Equal("user-1"))
		system := mapping[chain[6]].(map[string]any)["message"].(map[string]any)
		Expect(
			system["metadata"],
		).To(HaveKeyWithValue("is_visually_hidden_from_conversation", true))
		answer := mapping[chain[0]].(map[string]any)["message"].(map[string]any)
		Expect(answer).To(And(HaveKeyWithValue("status", "finished_successfully"),
			HaveKeyWithValue("end_turn", true), HaveKeyWithValue("channel", "final"),
			HaveKeyWithValue("recipient", "all")))
		Expect(answer["content"]).To(HaveKeyWithValue("parts", []any{story}))
	})

	It("holds the text that stands now, of an answer that is being written", func() {
		s.Do(func(now time.Time, site *fakesite.Site) {
			site.Submit(
				now,
				fakesite.Post{ConversationID: id, MessageID: "user-4", Text: ask("four")},
			)
		})
		s.pass(4 * time.Second)
		_, body := c.ask("GET", "/backend-api/conversation/"+id, "")
		node := body["mapping"].(map[string]any)[body["current_node"].(string)].(map[string]any)
		message := node["message"].(map[string]any)
		Expect(
			message,
		).To(And(HaveKeyWithValue("status", "in_progress"), HaveKeyWithValue("end_turn", BeNil())))
		part := message["content"].(map[string]any)["parts"].([]any)[0].(string)
		Expect(part).NotTo(BeEmpty())
		Expect(story).To(HavePrefix(part))
		Expect(len(part)).To(BeNumerically("<", len(story)))
		_, status := c.ask("GET", "/backend-api/conversation/"+id+"/stream_status", "")
		Expect(status).To(HaveKeyWithValue("status", "IS_STREAMING"))
		Expect(
			c.do(
				"POST",
				"/backend-api/stop_conversation",
				`{"conversation_id":"`+id+`"}`,
			).StatusCode,
		).To(Equal(200))
		_, status = c.ask("GET", "/backend-api/conversation/"+id+"/stream_status", "")
		Expect(status).To(HaveKeyWithValue("status", "IS_IDLE"))
	})

	It("comes in pages as well", func() {
		_, body := c.ask("GET", "/backend-api/conversations/"+id+"?num_turns=2", "")
		Expect(body["messages"]).To(HaveLen(4))
		Expect(body["page_info"]).To(HaveKeyWithValue("has_previous_page", true))
		_, body = c.ask("GET", "/backend-api/conversations/"+id+"/messages?after=user-3", "")
		Expect(body["messages"]).To(HaveLen(1))
		Expect(body["messages"].([]any)[0]).To(HaveKeyWithValue("id", body["current_node"]))
		status, _ := c.ask("GET", "/backend-api/conversations/"+id+"/messages?after=none", "")
		Expect(status).To(Equal(404))
		status, _ = c.ask("GET", "/backend-api/conversations/"+id+"?num_turns=1000", "")
		Expect(status).To(Equal(400))
	})

	It("is listed", func() {
		_, body := c.ask("GET", "/backend-api/conversations?offset=0&limit=28&order=updated", "")
		Expect(body["items"]).To(ConsistOf(And(HaveKeyWithValue("id", id), HaveKey("title"),
			HaveKey("create_time"), HaveKey("update_time"))))
		_, body = c.ask("GET", "/backend-api/conversations?offset=5", "")
		Expect(body["items"]).To(BeEmpty())
		for _, bad := range []string{"offset=-1", "limit=x", "limit=1000"} {
			status, _ := c.ask("GET", "/backend-api/conversations?"+bad, "")
			Expect(status).To(Equal(400), bad)
		}
	})

	It("is masked without the bearer, not refused", func() {
		c.token = ""
		for _, path := range []string{
			"/backend-api/conversation/" + id, "/backend-api/conversations/" + id,
			"/backend-api/conversation/" + id + "/stream_status",
		} {
			status, body := c.ask("GET", path, "")
			Expect(status).To(Equal(404), path)
			Expect(code(body)).To(Equal("conversation_inaccessible"))
		}
		status, body := c.ask("GET", "/backend-api/conversations", "")
		Expect(status).To(Equal(200))
		Expect(body["items"]).To(BeEmpty())
	})

	It("follows the switches", func() {
		s.Do(func(_ time.Time, site *fakesite.Site) { site.Options().RecordEmpty = true })
		_, body := c.ask("GET", "/backend-api/conversation/"+id, "")
		Expect(body["mapping"]).To(BeEmpty())
		s.Do(func(_ time.Time, site *fakesite.Site) { site.Options().RecordStatus = 503 })
		status, _ := c.ask("GET", "/backend-api/conversation/"+id, "")
		Expect(status).To(Equal(503))
	})

	It("of a temporary chat is disabled", func() {
		var temporary string
		s.Do(func(now time.Time, site *fakesite.Site) {
			t, _, _ := site.Submit(now, fakesite.Post{MessageID: "t", Text: "x", Temporary: true})
			temporary = t.ID
		})
		status, body := c.ask("GET", "/backend-api/conversation/"+temporary, "")
		Expect(status).To(Equal(404))
		Expect(code(body)).To(Equal("history_disabled_conversation_not_found"))
	})
})

// events reads single events of a stream.
type events struct{ scanner *bufio.Scanner }

func (e *events) next(n int) (lines []string) {
	GinkgoHelper()
	for n > 0 && e.scanner.Scan() {
		line := e.scanner.Text()
		lines = append(lines, line)
		if line == "" {
			n--
		}
	}
	Expect(n).To(BeZero(), "the stream ended early: %v", e.scanner.Err())
	return lines
}

var _ = Describe("the stream of an answer", func() {
	It("has the site's frames in the site's order", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		c := newClient(s)
		response := c.do(
			"POST",
			sendPath,
			sendBody("", "11111111-2222-4333-8444-555555555555", ask("go")),
		)
		Expect(response.Header.Get("Content-Type")).To(HavePrefix("text/event-stream"))
		var e events
		e.scanner = bufio.NewScanner(response.Body)
		var got []string
		stage := func(d time.Duration, n int) {
			s.pass(d)
			got = append(got, fmt.Sprintf("# after %s", d))
			got = append(got, e.next(n)...)
		}
		stage(time.Second, 4)
		stage(2800*time.Millisecond, 4)
		stage(160*time.Millisecond, 1)
		stage(160*time.Millisecond, 1)
		stage(time.Hour, 5)
		Expect(e.scanner.Scan()).To(BeFalse(), "nothing comes behind [DONE]")
		golden("stream.txt", strings.Join(got, "\n")+"\n")
	})

	It("can be taken up", func() {
		s := newStand(fakesite.Config{Timing: typical(), Script: saying(story)})
		var id string
		s.Do(func(now time.Time, site *fakesite.Site) {
			running, _, _ := site.Submit(now, fakesite.Post{MessageID: "m", Text: ask("go")})
			id = running.ID
		})
		s.pass(4 * time.Second)
		response := newClient(s).do("POST", sendPath+"/resume", `{"conversation_id":"`+id+`"}`)
		Expect(response.StatusCode).To(Equal(200))
		s.pass(time.Hour)
		body, err := io.ReadAll(response.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(
			string(body),
		).To(And(ContainSubstring("finished_successfully"), HaveSuffix("data: [DONE]\n\n"),
			Not(ContainSubstring("input_message"))))
	})

	It("hands off before the answer, when the site does so", func() {
		s := newStand(fakesite.Config{Timing: typical(), Options: fakesite.Options{Handoff: true}})
		response := newClient(s).do("POST", sendPath, sendBody("", "m", "x"))
		s.pass(time.Second)
		body, err := io.ReadAll(response.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(
			string(body),
		).To(And(ContainSubstring("stream_handoff"), HaveSuffix("data: [DONE]\n\n"),
			Not(ContainSubstring("event: delta\n"))))
	})

	It("ends without its tail when it fails or is stopped", func() {
		for _, o := range []fakesite.Options{{Faults: fakesite.Faults{FailMid: fakesite.Nth{1}}}, {}} {
			s := newStand(fakesite.Config{Timing: typical(), Script: saying(story), Options: o})
			response := newClient(s).do("POST", sendPath, sendBody("", "m", ask("x")))
			if len(o.Faults.FailMid) == 0 {
				s.pass(4 * time.Second)
				s.Do(
					func(now time.Time, site *fakesite.Site) { site.Stop(now, site.Conversations()[0].ID) },
				)
			}
			s.pass(time.Hour)
			body, err := io.ReadAll(response.Body)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(body)).NotTo(ContainSubstring("[DONE]"))
			Expect(
				strings.Contains(string(body), "generation_failed"),
			).To(Equal(len(o.Faults.FailMid) > 0))
		}
	})

	It("ends with the server", func() {
		s := newStand(fakesite.Config{Timing: typical()})
		response := newClient(s).do("POST", sendPath, sendBody("", "m", "x"))
		Expect(s.Close()).To(Succeed())
		_, err := io.ReadAll(response.Body)
		Expect(
			err == nil || strings.Contains(err.Error(), "EOF") ||
				strings.Contains(err.Error(), "reset"),
		).To(BeTrue())
	})
})

// golden compares with a file under testdata; -update writes it.
func golden(name, got string) {
	GinkgoHelper()
	path := filepath.Join("testdata", name)
	if *update {
		Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(got), 0o600)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(string(want)))
}
