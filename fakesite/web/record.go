package web

import (
	"net/http"
	"strconv"
	"time"

	"bridgesim/fakesite"
)

const (
	maxPage     = 100
	defaultPage = 28
)

// nodeOf is one message as the record holds it: an answer that is being written has the text that
// stands now.
func nodeOf(m *fakesite.Message, now time.Time) object {
	status, endTurn := statusOf(m, now)
	node := object{
		"id": m.ID, "author": object{"role": string(m.Role), "name": nil, "metadata": object{}},
		"create_time": seconds(m.Created), "update_time": nil, "weight": 1, "recipient": "all",
		"content": object{"content_type": "text", "parts": []string{m.TextAt(now)}},
		"status":  status, "end_turn": endTurn, "channel": nil, "metadata": object{},
	}
	if m.Role == fakesite.Assistant {
		node["channel"] = "final"
		node["metadata"] = object{
			"model_slug": modelSlug, "is_complete": status == "finished_successfully",
			"turn_exchange_id": m.TurnID,
		}
	}
	return node
}

// recorded is a message as a read of the record gives it.
func recorded(m *fakesite.Message, now time.Time, o *fakesite.Options) object {
	node := nodeOf(m, now)
	if m.Role == fakesite.Assistant {
		node["content"] = object{
			"content_type": "text", "parts": []string{o.RecordedText(m.TextAt(now))},
		}
	}
	return node
}

func statusOf(m *fakesite.Message, now time.Time) (status string, endTurn any) {
	if m.Role == fakesite.User {
		return "finished_successfully", nil
	}
	switch m.At(now).State {
	case fakesite.Complete:
		return "finished_successfully", true
	case fakesite.Failed:
		return "error", nil
	case fakesite.Stopped:
		return "finished_partial_completion", nil
	}
	return "in_progress", nil
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// tree is the mapping of a conversation: a root, a hidden system node, the current branch, and what
// other branches left.
type tree struct {
	nodes   map[string]object
	system  string
	now     time.Time
	options *fakesite.Options
}

func newTree(c *fakesite.Conversation, now time.Time, o *fakesite.Options) *tree {
	t := &tree{nodes: map[string]object{}, system: c.ID + "-system", now: now, options: o}
	t.add(fakesite.RootID, "", nil)
	t.add(t.system, fakesite.RootID, object{
		"id": t.system, "author": object{"role": "system", "name": nil, "metadata": object{}},
		"create_time": seconds(c.Created), "weight": 0, "recipient": "all", "channel": nil,
		"content": object{"content_type": "text", "parts": []string{""}},
		"status":  "finished_successfully", "end_turn": true,
		"metadata": object{"is_visually_hidden_from_conversation": true},
	})
	for _, m := range c.Others {
		t.message(m)
	}
	for _, m := range c.Messages {
		t.message(m)
	}
	return t
}

// add hangs a node under its parent. A parent that is not there leaves a gap, as in a record that
// was edited.
func (t *tree) add(id, parent string, message any) {
	node := object{"id": id, "message": message, "parent": parent, "children": []string{}}
	if parent == "" {
		node["parent"] = nil
	}
	t.nodes[id] = node
	if up, ok := t.nodes[parent]; ok {
		up["children"] = append(up["children"].([]string), id)
	}
}

// message adds a message, with commentary and documents as nodes of their own before it.
func (t *tree) message(m *fakesite.Message) {
	parent := m.Parent
	if parent == fakesite.RootID || parent == "" {
		parent = t.system
	}
	state := m.At(t.now).State
	if m.Preamble != "" && state != fakesite.Waiting {
		parent = t.extra(m, parent, "-preamble", "commentary", object{
			"content_type": "text", "parts": []string{m.Preamble},
		})
	}
	node := recorded(m, t.now, t.options)
	if t.options.Canvas && m.Role == fakesite.Assistant && m.TextAt(t.now) != "" {
		parent = t.extra(m, parent, "-document", "canmore", object{
			"content_type": "code", "language": "json", "text": documentBody(m.TextAt(t.now)),
		})
		node["content"] = object{"content_type": "text", "parts": []string{canvasRemark}}
	}
	t.add(m.ID, parent, node)
	if m.Alternative != "" && state == fakesite.Complete {
		t.extra(m, m.Parent, "-other", "final", object{
			"content_type": "text", "parts": []string{m.Alternative},
		})
	}
}

// extra adds a node that the site makes beside the answer and returns its id.
func (t *tree) extra(m *fakesite.Message, parent, suffix, channel string, content object) string {
	id, recipient := m.ID+suffix, "all"
	if channel == "canmore" {
		channel, recipient = "commentary", "canmore.create_textdoc"
	}
	t.add(id, parent, object{
		"id": id, "author": object{"role": string(fakesite.Assistant), "name": nil, "metadata": object{}},
		"create_time": seconds(m.Created), "weight": 1, "recipient": recipient, "channel": channel,
		"content": content, "status": "finished_successfully", "end_turn": channel == "final",
		"metadata": object{"model_slug": modelSlug},
	})
	return id
}

func documentBody(text string) string {
	return `{"name":"Document","type":"document","content":` + strconv.Quote(text) + `}`
}

// readable finds a conversation for a history request; with false the answer is written already.
// Call it locked.
func (s *Server) readable(w http.ResponseWriter, r *http.Request) (*fakesite.Conversation, bool) {
	if status := s.site.Options().RecordStatus; status != 0 && status != http.StatusOK {
		reply(w, status, detail("history_unavailable", "The history is not available."))
		return nil, false
	}
	if !s.bearer(r) {
		masked(w)
		return nil, false
	}
	if s.site.Blocked() == fakesite.BlockRate {
		refuse(w, fakesite.RefusedRate)
		return nil, false
	}
	c := s.site.Find(r.PathValue("id"))
	switch {
	case c == nil:
		masked(w)
		return nil, false
	case c.Temporary:
		reply(
			w,
			http.StatusNotFound,
			detail("history_disabled_conversation_not_found", "Not found."),
		)
		return nil, false
	}
	return c, true
}

// masked is the answer for what is not there and for what a cookie alone may not see.
func masked(w http.ResponseWriter) {
	reply(w, http.StatusNotFound, detail("conversation_inaccessible", "Can't load conversation."))
}

// record is GET /backend-api/conversation/{id}: the whole tree.
func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.readable(w, r)
	if !ok {
		return
	}
	now := s.clock.Now()
	t := newTree(c, now, s.site.Options())
	current := t.system
	if m := c.Last(); m != nil {
		current = m.ID
	}
	if s.site.Options().RecordEmpty {
		t.nodes = map[string]object{}
	}
	reply(w, http.StatusOK, object{
		"title": c.Title, "create_time": seconds(c.Created), "update_time": seconds(now),
		"mapping": t.nodes, "current_node": current, "conversation_id": c.ID, "gizmo_id": nil,
		"default_model_slug": modelSlug, "is_archived": false, "moderation_results": []string{},
	})
}

// recent is the newer paged form: the last num_turns user turns with their answers.
func (s *Server) recent(w http.ResponseWriter, r *http.Request) {
	n, ok := number(w, r, "num_turns", 10)
	if !ok {
		return
	}
	s.paged(w, r, func(c *fakesite.Conversation) ([]*fakesite.Message, bool) {
		from := len(c.Messages)
		for ; from > 0 && n > 0; from-- {
			if c.Messages[from-1].Role == fakesite.User {
				n--
			}
		}
		return c.Messages[from:], true
	})
}

// after is the newer paged form: what stands behind one message.
func (s *Server) after(w http.ResponseWriter, r *http.Request) {
	s.paged(w, r, func(c *fakesite.Conversation) ([]*fakesite.Message, bool) {
		return c.After(r.URL.Query().Get("after"))
	})
}

func (s *Server) paged(
	w http.ResponseWriter, r *http.Request,
	choose func(*fakesite.Conversation) ([]*fakesite.Message, bool),
) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.readable(w, r)
	if !ok {
		return
	}
	chosen, ok := choose(c)
	if !ok {
		masked(w)
		return
	}
	now, messages, current := s.clock.Now(), []object{}, ""
	for _, m := range chosen {
		messages = append(messages, recorded(m, now, s.site.Options()))
		messages[len(messages)-1]["parent_id"] = m.Parent
	}
	if m := c.Last(); m != nil {
		current = m.ID
	}
	if s.site.Options().RecordEmpty {
		messages = []object{}
	}
	reply(w, http.StatusOK, object{
		"messages": messages, "current_node": current, "title": c.Title,
		"page_info": object{
			"has_previous_page": len(chosen) < len(c.Messages), "has_next_page": false,
		},
	})
}

// list is GET /backend-api/conversations; without the bearer it is empty, not refused.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	offset, ok := number(w, r, "offset", 0)
	if !ok {
		return
	}
	limit, ok := number(w, r, "limit", defaultPage)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.site.Conversations()
	if !s.bearer(r) {
		all = nil
	}
	items := []object{}
	for _, c := range all[min(offset, len(all)):min(offset+limit, len(all))] {
		updated := c.Created
		if m := c.Last(); m != nil {
			updated = m.Created
		}
		items = append(items, object{
			"id": c.ID, "title": c.Title, "create_time": c.Created.UTC().Format(time.RFC3339Nano),
			"update_time": updated.UTC().Format(time.RFC3339Nano),
		})
	}
	reply(
		w,
		http.StatusOK,
		object{"items": items, "total": len(all), "limit": limit, "offset": offset},
	)
}

// number reads a small number from the query; on an error the answer is written already.
func number(w http.ResponseWriter, r *http.Request, name string, otherwise int) (int, bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || name != "offset" && n > maxPage {
		reply(w, http.StatusBadRequest, detail("invalid_request", name+": want a number up to 100"))
		return 0, false
	}
	return n, true
}
