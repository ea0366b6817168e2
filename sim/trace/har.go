package trace

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// T9: a HAR with the frames of WebSockets, or the .jsonl into which Playwright attaches them.
//
//	{"log":{"creator":{"name":"WebInspector"},"entries":[{"request":{"url":"ws://…"},
//	  "_webSocketMessages":[{"type":"send","time":1764600000.123,"opcode":1,"data":"{…}"}]}]}}
//
// Chrome and mitmproxy write seconds, Playwright milliseconds: they are told apart by size. Control
// frames and the close are never in it, so a lost connection cannot be read from a HAR; only
// messages that are DevTools Protocol are taken.
func harClaims(h *head) int {
	if strings.HasPrefix(h.text, "{") && strings.Contains(h.text, `"log"`) &&
		strings.Contains(h.text, `"creator"`) {
		return 1
	}
	return h.count(isFrameLine)
}

func isFrameLine(s string) bool {
	return strings.HasPrefix(s, "{") && !strings.Contains(s, `"log"`) &&
		strings.Contains(s, `"opcode"`) &&
		strings.Contains(s, `"data"`) && strings.Contains(s, `"type"`)
}

type harFrame struct {
	Type   string          `json:"type"`
	Time   json.RawMessage `json:"time"`
	Opcode int             `json:"opcode"`
	Data   string          `json:"data"`
}

func readHAR(r *reading) error {
	r.note("a HAR has no close of a WebSocket: how a connection ended cannot be read from it")
	d, err := r.document()
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(d.text[:min(len(d.text), headBytes)]), "\n")
	if isFrameLine(first) {
		return r.frameLines(d)
	}
	if !d.opens('{') {
		r.broken(d, nil, `an object with "log"`)
		return nil
	}
	err = d.members(func(name string) error {
		if name == "log" && d.opens('{') {
			return d.members(func(name string) error { return r.harMember(d, name) })
		}
		return d.skip()
	})
	switch {
	case errors.Is(err, ErrLimit):
		return err
	case err != nil:
		r.broken(d, err, "the rest of the HAR")
	}
	return nil
}

func (r *reading) harMember(d *document, name string) error {
	if name != "entries" || !d.opens('[') {
		return d.skip()
	}
	n := 0
	return d.elements(func(line int) error {
		n++
		return r.harEntry(d, line, strconv.Itoa(n))
	})
}

// harEntry walks one entry, so that each frame has its own line.
func (r *reading) harEntry(d *document, line int, socket string) error {
	if !d.opens('{') {
		return errors.New("an entry is an object")
	}
	return d.members(func(name string) error {
		switch name {
		case "_webSocketMessages":
			if !d.opens('[') {
				return errors.New("_webSocketMessages is a list")
			}
			return d.elements(func(line int) error {
				var f harFrame
				if err := d.dec.Decode(&f); err != nil {
					return err
				}
				return r.frame(&f, line, socket)
			})
		case "response":
			return r.harResponse(d, line)
		}
		return d.skip()
	})
}

// harResponse notes frames that lie in a file of their own.
func (r *reading) harResponse(d *document, line int) error {
	var v struct {
		Content struct {
			File string `json:"_file"`
		} `json:"content"`
	}
	if err := d.dec.Decode(&v); err != nil {
		return err
	}
	if strings.HasSuffix(v.Content.File, ".jsonl") {
		r.strange(line, v.Content.File, "the frames here; they are in "+kept(v.Content.File)+
			" beside the HAR: import that file")
	}
	return nil
}

// frameLines reads the attached form: one frame a line.
func (r *reading) frameLines(d *document) error {
	for i, text := range strings.Split(strings.TrimRight(string(d.text), "\r\n"), "\n") {
		var f harFrame
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			if unfinished(err) && i+1 == r.lines.number {
				r.stopped(i+1, text, "the rest of this frame, the file stops")
			} else {
				r.strange(i+1, text, "one frame with type, time, opcode and data")
			}
			continue
		}
		if err := r.frame(&f, i+1, ""); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) frame(f *harFrame, line int, socket string) error {
	e := Entry{Line: line, Socket: socket, Dir: Received, At: harStamp(f.Time)}
	switch {
	case f.Type == "send":
		e.Dir = Sent
	case f.Type == "receive":
	default:
		r.strange(line, f.Type, `a frame of type "send" or "receive"`)
		return nil
	}
	if f.Opcode != 1 {
		r.strange(line, f.Data, "a frame of text, opcode 1")
		return nil
	}
	m, err := parse(f.Data)
	if err != nil {
		r.strange(line, f.Data, "a DevTools Protocol message: "+err.Error())
		return nil
	}
	return r.message(e, m)
}

// harStamp tells seconds from milliseconds by size; what is neither stays unknown.
func harStamp(raw json.RawMessage) Stamp {
	v, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		return Stamp{Basis: NoTime}
	}
	if v > 1e11 {
		v /= 1000
	}
	return epoch(v)
}
