package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"bridgesim/fakesite"
)

// stream is one text/event-stream that follows an answer (facts 10.3).
type stream struct {
	server       *Server
	conversation string
	answer       string

	shown  int // bytes of the text that were written
	phase  fakesite.AnswerState
	opened bool // the answer's snapshot was written
	bare   bool // the last frame was an append to the text: the next needs no path
}

// eventWriter writes events and flushes each.
type eventWriter struct {
	w     http.ResponseWriter
	flush *http.ResponseController
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	e := &eventWriter{w: w, flush: http.NewResponseController(w)}
	_ = e.flush.Flush() // a reader that is gone shows in the request's context
	return e
}

func (e *eventWriter) send(event string, value any) {
	body, err := json.Marshal(value)
	if err != nil { // a shape of ours cannot be encoded: a bug
		panic(err)
	}
	if event != "" {
		fmt.Fprintf(e.w, "event: %s\n", event)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", body)
	_ = e.flush.Flush()
}

func (e *eventWriter) done() {
	fmt.Fprint(e.w, "data: [DONE]\n\n")
	_ = e.flush.Flush()
}

// next is the moment at which the stream has something new to say. Call it locked.
func (st *stream) next(now time.Time) time.Time {
	_, m := st.find()
	if m == nil {
		return time.Time{}
	}
	return m.At(now).Next
}

// find looks the answer up anew each time: the record may be edited behind everybody's back.
func (st *stream) find() (*fakesite.Conversation, *fakesite.Message) {
	c := st.server.site.Find(st.conversation)
	if c == nil {
		return nil, nil
	}
	return c, c.Message(st.answer)
}

func (s *Server) release(st *stream) {
	s.mu.Lock()
	delete(s.streams, st)
	s.mu.Unlock()
}

// answerStream writes what stands of the answer now, and then whatever comes, until its end. A
// fresh stream is the reply to the send itself and opens with the ids and the echo.
func (s *Server) answerStream(w http.ResponseWriter, r *http.Request, st *stream, fresh bool) {
	e := newEventWriter(w)
	for {
		s.mu.Lock()
		c, m := st.find()
		handoff := fresh && s.site.Options().Handoff
		var frames func()
		ended := true
		if m != nil {
			frames, ended = st.step(e, c, m, s.clock.Now(), fresh)
		}
		changed := s.changed
		s.mu.Unlock()
		if frames != nil {
			frames()
		}
		if handoff && st.phase != fakesite.Waiting {
			st.handOff(e)
			return
		}
		if ended {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// step looks at the answer under the lock; the frames that it returns are written outside of it.
func (st *stream) step(
	e *eventWriter, c *fakesite.Conversation, m *fakesite.Message, now time.Time, fresh bool,
) (frames func(), ended bool) {
	p := m.At(now)
	text, before := m.Text[:p.Shown], st.phase
	answer, echo, title := nodeOf(m, now), c.Message(m.Parent), c.Title
	first := len(c.Messages) == 2
	st.phase = p.State
	return func() {
		if before == "" || before == fakesite.Waiting {
			if p.State == fakesite.Waiting {
				return
			}
			st.open(e, echo, now, fresh)
		}
		st.body(e, answer, text, p.State)
		switch p.State {
		case fakesite.Complete:
			st.tail(e, first, title)
		case fakesite.Failed:
			e.send("", object{
				"type": "error", "conversation_id": st.conversation, "error": somethingWrong,
				"error_code": "generation_failed",
			})
		}
	}, p.State.Ended()
}

// open writes encoding, ids and the echo of the user's message.
func (st *stream) open(e *eventWriter, echo *fakesite.Message, now time.Time, fresh bool) {
	e.send("delta_encoding", "v1")
	e.send("", object{
		"type": "resume_conversation_token", "conversation_id": st.conversation, "token": "fake-resume",
	})
	if fresh && echo != nil {
		e.send("", object{
			"type": "input_message", "conversation_id": st.conversation, "input_message": nodeOf(echo, now),
		})
	}
	e.send("", st.marker("cot_token", "first"))
}

func (st *stream) marker(name, event string) object {
	return object{
		"type": "message_marker", "conversation_id": st.conversation, "message_id": st.answer,
		"marker": name, "event": event,
	}
}

// body writes the answer's snapshot when text first stands, and what was appended since.
func (st *stream) body(e *eventWriter, answer object, text string, state fakesite.AnswerState) {
	if text == "" && !state.Ended() {
		return
	}
	if !st.opened {
		st.opened = true
		answer["status"], answer["end_turn"] = "in_progress", nil
		answer["content"] = object{"content_type": "text", "parts": []string{""}}
		e.send("delta", object{
			"p": "", "o": "add", "c": 0,
			"v": object{"message": answer, "conversation_id": st.conversation, "error": nil},
		})
		e.send("", st.marker("user_visible_token", "first"))
		e.send("", st.marker("final_channel_token", "first"))
	}
	if state != fakesite.Complete {
		st.append(e, text)
	}
	if state == fakesite.Complete {
		st.close(e, text)
	}
}

func (st *stream) append(e *eventWriter, text string) {
	if len(text) <= st.shown {
		return
	}
	added := text[st.shown:]
	st.shown = len(text)
	if st.bare {
		e.send("delta", object{"v": added})
		return
	}
	st.bare = true
	e.send("delta", object{"p": "/message/content/parts/0", "o": "append", "v": added})
}

// close writes the patch list that ends the answer; it carries the last piece.
func (st *stream) close(e *eventWriter, text string) {
	added := text[min(st.shown, len(text)):]
	st.shown = len(text)
	e.send("delta", object{"p": "", "o": "patch", "v": []object{
		{"p": "/message/content/parts/0", "o": "append", "v": added},
		{"p": "/message/status", "o": "replace", "v": "finished_successfully"},
		{"p": "/message/end_turn", "o": "replace", "v": true},
		{"p": "/message/metadata", "o": "append", "v": object{"is_complete": true}},
	}})
}

func (st *stream) tail(e *eventWriter, first bool, title string) {
	e.send("", st.marker("last_token", "last"))
	if first {
		e.send("", object{
			"type": "title_generation", "conversation_id": st.conversation, "title": title,
		})
	}
	st.server.endStream(e, st.conversation)
}

// endStream is how every whole stream ends.
func (s *Server) endStream(e *eventWriter, conversation string) {
	e.send("", object{"type": "message_stream_complete", "conversation_id": conversation})
	e.done()
}

// handOff ends the first stream before the answer: it goes on elsewhere (facts 10.4).
func (st *stream) handOff(e *eventWriter) {
	e.send("", object{
		"type": "stream_handoff", "conversation_id": st.conversation,
		"topic_id": "conversation-turn-" + st.answer,
	})
	e.done()
}
