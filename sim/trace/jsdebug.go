package trace

import (
	"encoding/json"
	"strconv"
	"strings"
)

// T7: vscode-js-debug with "trace": true. One JSON object a line (two here):
//
//	{"tag":"cdp.send","timestamp":1764600000123,"level":0,
//	 "metadata":{"connectionId":1,"message":{…}}}
//
// dap.* and runtime.* lines stand between. A sessionId may be null. Each connection counts its own
// ids.
type jsDebugLine struct {
	Tag       string          `json:"tag"`
	Timestamp *float64        `json:"timestamp"`
	Message   string          `json:"message"`
	Metadata  json.RawMessage `json:"metadata"`
}

func jsDebugClaims(h *head) int {
	return h.count(func(s string) bool {
		return strings.Contains(s, `"tag":"cdp.`) && strings.Contains(s, `"timestamp"`)
	})
}

func readJSDebug(r *reading) error {
	return r.each(func(line string) error {
		from := strings.IndexByte(line, '{')
		var l jsDebugLine
		if from < 0 || json.Unmarshal([]byte(line[from:]), &l) != nil || l.Tag == "" {
			want := "one JSON object with tag, timestamp and metadata"
			if !r.lines.ended {
				r.stopped(r.lines.number, line, want+", the log stops")
				return nil
			}
			r.strange(r.lines.number, line, want)
			return nil
		}
		return r.jsDebug(&l)
	})
}

func (r *reading) jsDebug(l *jsDebugLine) error {
	e := Entry{Line: r.lines.number, Dir: Received}
	if l.Timestamp != nil {
		e.At = epoch(*l.Timestamp / 1000)
	}
	switch l.Tag {
	case "cdp.send":
		e.Dir = Sent
	case "cdp.receive":
	case "runtime.exception", "runtime.assertion":
		e.Dir, e.Kind, e.Text = Told, Complaint, l.Message
		return r.add(e)
	default:
		return nil
	}
	var data struct {
		Connection *int64          `json:"connectionId"`
		Message    json.RawMessage `json:"message"`
	}
	if json.Unmarshal(l.Metadata, &data) != nil {
		r.strange(e.Line, string(l.Metadata), "metadata with connectionId and message")
		return nil
	}
	if data.Connection != nil {
		e.Socket = strconv.FormatInt(*data.Connection, 10)
	}
	m, err := parse(string(data.Message))
	if err != nil {
		r.strange(e.Line, string(data.Message), "a message with an id or a method: "+err.Error())
		return nil
	}
	return r.message(e, m)
}
