package trace

import (
	"encoding/json"
	"fmt"
	"strings"

	"bridgesim/sim/redact"
)

// message is what is read of one protocol message. Everything else of it is skipped.
type message struct {
	ID      *int64          `json:"id"`
	Method  string          `json:"method"`
	Session *string         `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// parse reads J, one protocol message.
func parse(text string) (*message, error) {
	m := &message{}
	if err := json.Unmarshal([]byte(text), m); err != nil {
		return nil, err
	}
	if m.ID == nil && m.Method == "" {
		return nil, fmt.Errorf("it has neither id nor method")
	}
	return m, nil
}

// details are the members of params and results that a loss is found by.
type details struct {
	SessionID  string `json:"sessionId"`
	TargetID   string `json:"targetId"`
	Reason     string `json:"reason"`
	Status     string `json:"status"`
	ErrorCode  int64  `json:"errorCode"`
	URL        string `json:"url"`
	TargetInfo struct {
		TargetID string `json:"targetId"`
		Type     string `json:"type"`
	} `json:"targetInfo"`
}

// reasons are the methods whose parameters are looked into; all others are skipped unread.
var reasons = map[string]bool{
	"Target.attachedToTarget": true, "Target.detachedFromTarget": true,
	"Target.targetCrashed": true, "Target.targetDestroyed": true, "Inspector.detached": true,
	"Inspector.targetCrashed": true, "Target.attachToTarget": true, "Target.closeTarget": true,
	"Target.detachFromTarget": true,
}

// correlation joins replies to their requests.
type correlation struct {
	open map[key]int // index of a request without a reply
	// bare are the same by connection and id, for replies that name no session.
	bare map[key]int
}

type key struct {
	socket, session string
	id              int64
}

// add appends an entry, joins a reply to its request and enforces the limit.
func (r *reading) add(e Entry) error {
	if len(r.log.Entries) >= MaxEntries {
		return fmt.Errorf("%w: more than %d messages", ErrLimit, MaxEntries)
	}
	if e.At.Basis == "" {
		e.At.Basis = NoTime
	}
	e.Text = kept(e.Text)
	if e.hasID {
		r.join(&e)
	}
	r.log.Entries = append(r.log.Entries, e)
	return nil
}

const maxText = 400

// kept is a text without secrets and of bounded length.
func kept(s string) string {
	if s == "" {
		return ""
	}
	s, _ = redact.Text(s)
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + " …"
	}
	return s
}

func (r *reading) join(e *Entry) {
	t := &r.table
	if t.open == nil {
		t.open, t.bare = map[key]int{}, map[key]int{}
	}
	full, bare := key{e.Socket, e.Session, e.ID}, key{e.Socket, "", e.ID}
	if e.Dir == Sent {
		t.open[full], t.bare[bare] = len(r.log.Entries), len(r.log.Entries)
		return
	}
	at, ok := t.open[full]
	if !ok {
		at, ok = t.bare[bare]
	}
	if !ok {
		return
	}
	q := &r.log.Entries[at]
	if e.Method == "" {
		e.Method = q.Method
	}
	if e.Session == "" { // some replies name none: those of rod, and error -32001
		e.Session = q.Session
	}
	delete(t.open, key{q.Socket, q.Session, q.ID})
	delete(t.bare, bare)
}

// message appends J as an entry. e brings line, time, direction and socket.
func (r *reading) message(e Entry, m *message) error {
	e.Method, e.hasID = m.Method, m.ID != nil
	if m.ID != nil {
		e.ID = *m.ID
	}
	if m.Session != nil {
		e.Session = *m.Session
	}
	e.Kind = m.kind(e.Dir)
	if m.Error != nil {
		e.Code, e.Text = m.Error.Code, m.Error.Message
	}
	if reasons[m.Method] {
		detail(&e, m.Params)
	}
	return r.add(e)
}

func (m *message) kind(d Direction) Kind {
	switch {
	case d == Sent:
		return Request
	case m.ID == nil:
		return Event
	case m.Error != nil:
		return Failure
	}
	return Reply
}

// detail reads what a loss is found by. Of Target.* events the session that they are about counts,
// not the one on which they were heard.
func detail(e *Entry, params json.RawMessage) {
	var d details
	if len(params) == 0 || json.Unmarshal(params, &d) != nil {
		return
	}
	e.Target = d.TargetID
	if d.TargetInfo.TargetID != "" {
		e.Target = d.TargetInfo.TargetID
	}
	if d.SessionID != "" && strings.HasPrefix(e.Method, "Target.") {
		e.Session = d.SessionID
	}
	e.Code = d.ErrorCode
	e.Text = d.Reason
	if d.Status != "" {
		e.Text = d.Status
	}
}

// opaque appends a message that the log holds in part: what its head tells is taken.
func (r *reading) opaque(e Entry, text, why string) error {
	e.Kind, e.Text = Opaque, why
	head := text[:min(len(text), 4096)]
	if m := methodIn.FindStringSubmatch(head); m != nil {
		e.Method = m[1]
	}
	if m := idIn.FindStringSubmatch(head); m != nil {
		e.hasID = number(m[1], &e.ID)
	}
	if m := sessionIn.FindStringSubmatch(head); m != nil {
		e.Session = m[1]
	}
	return r.add(e)
}
