package trace

import (
	"encoding/json"
	"errors"
	"strings"
)

// T8: the export of the Protocol monitor of DevTools: one JSON list, in order of recording.
//
//	[
//	  {"domain":"Page","method":"Page.enable","params":{},"id":3,"sessionId":"S","type":"send"},
//	  {"id":3,"result":{},"type":"recv","domain":"-"}
//	]
//
// There is no time in it, and none is made up. The traffic is that of the DevTools window, not of
// another client.
func monitorClaims(h *head) int {
	if strings.HasPrefix(h.text, "[") && strings.Contains(h.text, `"domain"`) &&
		strings.Contains(h.text, `"type"`) {
		return 1
	}
	return 0
}

func readMonitor(r *reading) error {
	r.note("the export has no times, and it is the traffic of the DevTools window itself")
	d, err := r.document()
	if err != nil {
		return err
	}
	if !d.opens('[') {
		r.broken(d, nil, "a list of messages")
		return nil
	}
	err = d.elements(func(line int) error { return r.monitorElement(d, line) })
	switch {
	case errors.Is(err, ErrLimit):
		return err
	case err != nil:
		r.broken(d, err, "a message or the end of the list")
	}
	return nil
}

func (r *reading) monitorElement(d *document, line int) error {
	var raw json.RawMessage
	if err := d.dec.Decode(&raw); err != nil {
		return err
	}
	var v struct {
		message
		Type string `json:"type"`
	}
	if json.Unmarshal(raw, &v) != nil || v.ID == nil && v.Method == "" {
		r.strange(line, string(raw), "a message with an id or a method")
		return nil
	}
	e := Entry{Line: line, Dir: Received}
	switch v.Type {
	case "send":
		e.Dir = Sent
	case "recv":
	default:
		r.strange(line, string(raw), `"type" as "send" or "recv"`)
		return nil
	}
	return r.message(e, &v.message)
}
