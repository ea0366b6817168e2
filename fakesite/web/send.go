package web

import (
	"net/http"
	"strings"
	"time"

	"bridgesim/fakesite"
)

// documentHeader names the document that makes a request; the real page sends a session id so.
const documentHeader = "Oai-Session-Id"

// sendRequest is the body of POST /backend-api/f/conversation (facts 10.2).
type sendRequest struct {
	Action         string `json:"action"`
	ConversationID string `json:"conversation_id"`
	ParentID       string `json:"parent_message_id"`
	Model          string `json:"model"`
	Temporary      bool   `json:"history_and_training_disabled"`
	WebsocketID    string `json:"websocket_request_id"` // the client's id of a new chat
	Messages       []struct {
		ID     string `json:"id"`
		Author struct {
			Role string `json:"role"`
		} `json:"author"`
		Content struct {
			Type  string   `json:"content_type"`
			Parts []string `json:"parts"`
		} `json:"content"`
	} `json:"messages"`
}

// post reads the one user message of the request; false: it has none, or its ids are no ids.
func (q *sendRequest) post() (fakesite.Post, bool) {
	if q.Action != "next" || len(q.Messages) != 1 || q.Messages[0].Author.Role != "user" {
		return fakesite.Post{}, false
	}
	m := &q.Messages[0]
	for _, id := range []string{m.ID, q.ConversationID, q.ParentID, q.WebsocketID} {
		if len(id) > maxID {
			return fakesite.Post{}, false
		}
	}
	return fakesite.Post{
		ConversationID: q.ConversationID, MessageID: m.ID, ParentID: q.ParentID,
		Text: strings.Join(m.Content.Parts, "\n"), Temporary: q.Temporary,
		TransientID: strings.TrimPrefix(q.WebsocketID, "WEB:"),
	}, m.ID != "" && m.Content.Type == "text"
}

// send is the send: it submits the message, tells the page when to show it, and streams the answer.
func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	var q sendRequest
	if !read(w, r, &q) {
		return
	}
	post, ok := q.post()
	if !ok {
		reply(
			w,
			http.StatusBadRequest,
			detail("invalid_request", "Want action next and one user message."),
		)
		return
	}
	st, why := s.submit(r, post)
	if why != fakesite.Taken {
		refuse(w, why)
		return
	}
	if st == nil {
		s.endStream(newEventWriter(w), post.ConversationID)
		return
	}
	defer s.release(st)
	s.answerStream(w, r, st, true)
}

// submit hands the post to the site. A nil stream with Taken is a message that was dropped.
func (s *Server) submit(r *http.Request, post fakesite.Post) (*stream, fakesite.Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	d := s.documents[r.Header.Get(documentHeader)]
	why := fakesite.RefusedLogin
	var c *fakesite.Conversation
	var m *fakesite.Message
	if s.bearer(r) || s.site.Blocked() != fakesite.Unblocked {
		c, m, why = s.site.Submit(now, post)
	}
	var st *stream
	if m != nil && why == fakesite.Taken {
		st = &stream{conversation: c.ID, answer: m.ID, server: s}
		s.streams[st] = true
	}
	if d != nil {
		d.note(post, c, m, why, now)
		d.frozen = d.frozen || why == fakesite.Taken && s.site.Options().Freeze
	}
	s.refresh(now)
	return st, why
}

// note writes down what d has to show of a send.
func (d *document) note(
	post fakesite.Post,
	c *fakesite.Conversation,
	m *fakesite.Message,
	why fakesite.Refusal,
	now time.Time,
) {
	p := sent{client: post.MessageID, messageID: post.MessageID, text: post.Text, at: now}
	if m != nil {
		p.messageID = m.Parent
	}
	p.ghost = why == fakesite.Taken && m == nil
	p.blind = why != fakesite.Taken
	if p.blind {
		d.complain(refusals[why].message)
	} else {
		d.toast, d.back = "", 0
	}
	if p.blind && m == nil {
		return
	}
	d.sends = append(d.sends, p)
	if c != nil && !p.blind {
		d.conversation = c.ID
	}
}

// resume takes up the stream of an answer that is being written.
func (s *Server) resume(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ConversationID string `json:"conversation_id"`
	}
	if !read(w, r, &q) {
		return
	}
	s.mu.Lock()
	m := s.running(s.site.Find(q.ConversationID))
	var st *stream
	if m != nil && s.bearer(r) {
		st = &stream{conversation: q.ConversationID, answer: m.ID, server: s}
		s.streams[st] = true
		s.refresh(s.clock.Now())
	}
	s.mu.Unlock()
	if st == nil {
		reply(w, http.StatusNotFound, detail("no_active_stream", "Nothing is being generated."))
		return
	}
	defer s.release(st)
	s.answerStream(w, r, st, false)
}

// running is the answer that is being written, nil without one. Call it locked.
func (s *Server) running(c *fakesite.Conversation) *fakesite.Message {
	if c == nil {
		return nil
	}
	if m := c.Last(); m != nil && !m.At(s.clock.Now()).State.Ended() {
		return m
	}
	return nil
}

// streamStatus tells in a word whether an answer is being written.
func (s *Server) streamStatus(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.bearer(r) || s.site.Find(r.PathValue("id")) == nil {
		masked(w)
		return
	}
	status := "IS_IDLE"
	if s.running(s.site.Find(r.PathValue("id"))) != nil {
		status = "IS_STREAMING"
	}
	reply(w, http.StatusOK, object{"status": status})
}

// stop ends the running answer where it stands.
func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ConversationID string `json:"conversation_id"`
	}
	if !read(w, r, &q) {
		return
	}
	s.mu.Lock()
	ok := s.bearer(r)
	if ok {
		now := s.clock.Now()
		s.site.Stop(now, q.ConversationID)
		s.refresh(now)
	}
	s.mu.Unlock()
	if !ok {
		refuse(w, fakesite.RefusedLogin)
		return
	}
	reply(w, http.StatusOK, object{"status": "ok"})
}
