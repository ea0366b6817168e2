package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// T10: the netlog of Chromium. The constants are the first line, then one event a line, with a
// comma behind it; a killed browser leaves no end.
//
//	{"constants":{"logEventTypes":{"WEBSOCKET_STATE_CHANGED":450,…},"timeTickOffset":1764…,…},
//	"events": [
//	{"params":{"state":"CLOSED"},"phase":0,"source":{"id":7,…},"time":"123456","type":450},
//
// Only sockets of pages are in it, never the debugging server's own, and of a frame only its head.
// Names of events differ between versions and come from the constants.
type netlogConstants struct {
	Types  map[string]int64 `json:"logEventTypes"`
	Errors map[string]int64 `json:"netError"`
	Offset json.Number      `json:"timeTickOffset"`
}

type netlogEvent struct {
	Params struct {
		State    string `json:"state"`
		Opcode   int    `json:"opcode"`
		Length   int64  `json:"payload_length"`
		NetError int64  `json:"net_error"`
	} `json:"params"`
	Source struct {
		ID int64 `json:"id"`
	} `json:"source"`
	Time string `json:"time"`
	Type int64  `json:"type"`
}

func netlogClaims(h *head) int {
	if strings.HasPrefix(h.text, `{"constants":`) {
		return 1
	}
	return 0
}

// netlog is the reading of one netlog.
type netlog struct {
	*reading
	names  map[int64]string
	errors map[int64]string
	offset int64
	timed  bool
	stands map[string]bool // WebSockets that were connected
	frames map[string]bool // those that saw a close frame
	broke  Entry           // the last error of a socket below
}

func readNetlog(r *reading) error {
	r.note("a netlog holds the sockets of pages, not those of a debugging client, and no payload")
	first, err := r.lines.next()
	if err != nil {
		return err
	}
	n := &netlog{reading: r, stands: map[string]bool{}, frames: map[string]bool{}}
	if err := n.constants(first); err != nil {
		return err
	}
	for {
		line, err := r.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text := strings.TrimSuffix(strings.TrimSpace(line), ",")
		if text == "" || strings.HasPrefix(text, `"events"`) || text == "}" {
			continue
		}
		if strings.HasPrefix(text, "]") || strings.HasPrefix(text, `"polledData"`) {
			return nil
		}
		if err := n.event(text); err != nil {
			return err
		}
	}
}

func (n *netlog) constants(line string) error {
	var v struct {
		Constants netlogConstants `json:"constants"`
	}
	text := strings.TrimSuffix(strings.TrimSpace(line), ",")
	if !json.Valid([]byte(text)) {
		text += "}"
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || len(v.Constants.Types) == 0 {
		return fmt.Errorf("%w: expected the constants with logEventTypes in the first line", ErrSyntax)
	}
	n.names, n.errors = map[int64]string{}, map[int64]string{}
	for name, id := range v.Constants.Types {
		n.names[id] = name
	}
	for name, id := range v.Constants.Errors {
		n.errors[id] = name
	}
	offset, err := strconv.ParseInt(v.Constants.Offset.String(), 10, 64)
	n.offset, n.timed = offset, err == nil && offset > 0
	return nil
}

func (n *netlog) event(text string) error {
	if !json.Valid([]byte(text)) { // the last event may have the end of the list behind it
		text = strings.TrimSuffix(strings.TrimSuffix(text, "}"), "]")
	}
	var v netlogEvent
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrong): // params of another event
			return nil
		case !n.lines.ended:
			n.stopped(n.lines.number, text, "the rest of this event, the log stops")
			return nil
		}
		n.strange(n.lines.number, text, "one event of JSON in a line")
		return nil
	}
	e := Entry{
		Line: n.lines.number, At: n.stamp(v.Time), Dir: Told,
		Socket: strconv.FormatInt(v.Source.ID, 10),
	}
	return n.take(n.names[v.Type], e, &v)
}

func (n *netlog) stamp(ticks string) Stamp {
	ms, err := strconv.ParseInt(ticks, 10, 64)
	if err != nil || !n.timed {
		return Stamp{Basis: NoTime}
	}
	return Stamp{Basis: Wall, At: time.UnixMilli(ms + n.offset).UTC()}
}

// belowTime is how long before a WebSocket closes an error below it is taken as its reason.
const belowTime = 100 * time.Millisecond

// take reads the events that tell of a WebSocket; all others are about other things.
func (n *netlog) take(name string, e Entry, v *netlogEvent) error {
	switch name {
	case "WEBSOCKET_RECV_FRAME_HEADER", "WEBSOCKET_SENT_FRAME_HEADER":
		e.Dir = Received
		if name == "WEBSOCKET_SENT_FRAME_HEADER" {
			e.Dir = Sent
		}
		if v.Params.Opcode == 8 {
			n.frames[e.Socket] = true
		}
		e.Kind = Opaque
		e.Text = fmt.Sprintf("frame of opcode %d, %d bytes", v.Params.Opcode, v.Params.Length)
	case "SOCKET_READ_ERROR", "SOCKET_WRITE_ERROR":
		e.Kind, e.Code, e.Text = Reset, v.Params.NetError, n.errors[v.Params.NetError]
		if !n.stands[e.Socket] { // an error of a socket below, which has a source of its own
			n.broke = e
			return nil
		}
	case "WEBSOCKET_STATE_CHANGED":
		return n.state(e, v.Params.State)
	default:
		return nil
	}
	return n.add(e)
}

func (n *netlog) state(e Entry, state string) error {
	switch state {
	case "CONNECTED":
		e.Kind, n.stands[e.Socket] = Opened, true
	case "CLOSED":
		e.Kind, e.Text = Closed, "no close frame: the connection just ended"
		if n.frames[e.Socket] {
			e.Text = "after a close frame"
		} else if b := &n.broke; b.Line > 0 && e.At.At.Sub(b.At.At) <= belowTime {
			e.Kind, e.Code = Reset, b.Code
			e.Text = fmt.Sprintf("%s of a socket below (line %d) just before", b.Text, b.Line)
			n.broke = Entry{}
		}
	default:
		return nil
	}
	return n.add(e)
}
