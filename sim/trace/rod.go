package trace

import (
	"encoding/json"
	"regexp"
	"strings"
)

// T5: rod with the option cdp.
//
//	[cdp] 2026/12/01 06:00:00 => #1 @00000000 Target.getTargets {…}
//	[cdp] 2026/12/01 06:00:00 <= #1 {…}
//	[cdp] 2026/12/01 06:00:00 <= #2 error: {"code":-32000,…}
//	[cdp] 2026/12/01 06:00:00 <- @0123ABCD Inspector.targetCrashed {}
//
// A session is its first eight characters, and 00000000 the browser; replies name none. The full
// ids stand in Target.attachedToTarget and are put back from there.
var (
	rodSend  = regexp.MustCompile(`=> #(\d{1,18}) @([0-9A-Fa-f]{8}|) ?([A-Za-z]+\.[A-Za-z]+)\s*(.*)$`)
	rodReply = regexp.MustCompile(`<= #(\d{1,18})\s+(error: )?(.*)$`)
	rodEvent = regexp.MustCompile(`<- @([0-9A-Fa-f]{8}|) ?([A-Za-z]+\.[A-Za-z]+)\s*(.*)$`)
	rodError = regexp.MustCompile(`(?i)use of closed network connection|\bEOF\b|connection reset|` +
		`broken pipe|context (?:canceled|deadline exceeded)|websocket|panic: `)
)

func rodClaims(h *head) int { return h.count(isRod) }

func isRod(s string) bool {
	return rodSend.MatchString(s) || rodReply.MatchString(s) || rodEvent.MatchString(s)
}

// rodSessions gives back the full ids.
type rodSessions map[string]string

const rodBrowser = "00000000"

func (s rodSessions) full(short string) string {
	if short == rodBrowser {
		return ""
	}
	if full, ok := s[short]; ok {
		return full
	}
	return short
}

func readRod(r *reading) error {
	sessions := rodSessions{}
	return r.each(func(line string) error {
		e := Entry{Line: r.lines.number, At: stampIn(line)}
		if m := rodSend.FindStringSubmatch(line); m != nil {
			e.Dir = Sent
			return r.rod(e, sessions, m[1], m[2], m[3], "params", m[4])
		}
		if m := rodReply.FindStringSubmatch(line); m != nil {
			e.Dir = Received
			member := "result"
			if m[2] != "" {
				member = "error"
			}
			return r.rod(e, sessions, m[1], rodBrowser, "", member, m[3])
		}
		if m := rodEvent.FindStringSubmatch(line); m != nil {
			e.Dir = Received
			return r.rod(e, sessions, "", m[1], m[2], "params", m[3])
		}
		return r.complaint(line, rodError, "=> #N @SESSION Method, <= #N or <- @SESSION Method")
	})
}

// rod builds the message that rod took apart.
func (r *reading) rod(
	e Entry, sessions rodSessions, id, short, method, member, value string,
) error {
	value = strings.TrimSpace(value)
	m := &message{Method: method}
	if id != "" {
		m.ID = new(int64)
		number(id, m.ID)
	}
	session := sessions.full(short)
	m.Session = &session
	if value != "" && value != "null" && !json.Valid([]byte(value)) {
		r.strange(e.Line, value, "the "+member+" as JSON")
		return nil
	}
	switch {
	case value == "" || value == "null":
	case member == "error":
		if err := json.Unmarshal([]byte(value), &m.Error); err != nil {
			r.strange(e.Line, value, "an error with code and message")
			return nil
		}
	default:
		m.Params = json.RawMessage(value)
		sessions.learn(m.Params)
	}
	return r.message(e, m)
}

// learn remembers the full ids that a message holds: those of attachedToTarget, and of the reply to
// attachToTarget.
func (s rodSessions) learn(params json.RawMessage) {
	var d struct {
		SessionID string `json:"sessionId"`
	}
	if len(params) < 1<<16 && json.Unmarshal(params, &d) == nil && len(d.SessionID) > 8 {
		s[d.SessionID[:8]] = d.SessionID
	}
}
