package fakesite

import (
	"strconv"
	"strings"
	"unicode"
)

// kind is what the header of a received message says; "" without a header of pi-bridge/1.
type kind string

const (
	kindHello  kind = "HELLO"
	kindRound  kind = "ROUND"
	kindRepair kind = "REPAIR"
	kindResume kind = "RESUME"
	kindResync kind = "RESYNC"
)

// frame is the identity of a round as it was read; r is 0 and the texts are "" when absent.
type frame struct {
	s string
	r int
	p string
	q string
}

// reading is a message as the persona understands it. All texts are parts of the message.
type reading struct {
	kind kind

	sid, hv, cv, cap, qid, req string // HELLO, RESYNC; RESUME without qid and req
	ck, next                   string // RESUME
	frame                      frame  // ROUND, REPAIR
}

// readMessage reads header and fields the way a careful reader does: surrounding white space and
// byte order marks mean nothing, unknown lines are passed over, and nothing below the first blank
// line behind the fields is looked at. It shares no code with the bridge.
func readMessage(text string) reading {
	rest := text
	r := reading{kind: header(nextLine(&rest))}
	switch r.kind {
	case kindRound, kindRepair:
		r.frame = readFrame(nextLine(&rest))
	case kindResync:
		if header(nextLine(&rest)) == kindHello {
			r.fields(rest)
		}
	case kindHello, kindResume:
		r.fields(rest)
	}
	return r
}

// nextLine takes the next line that shows something, trimmed; "" at the end.
func nextLine(rest *string) string {
	for *rest != "" {
		var line string
		line, *rest, _ = strings.Cut(*rest, "\n")
		if line = clean(line); line != "" {
			return line
		}
	}
	return ""
}

// clean trims white space, no-break spaces and byte order marks included.
func clean(line string) string {
	return strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// header reads "# KIND pi-bridge/1"; "" for anything else.
func header(line string) kind {
	word, ok := strings.CutPrefix(line, "# ")
	if !ok {
		return ""
	}
	word, ok = strings.CutSuffix(word, "pi-bridge/1")
	if !ok {
		return ""
	}
	switch k := kind(clean(word)); k {
	case kindHello, kindRound, kindRepair, kindResume, kindResync:
		return k
	}
	return ""
}

// fields reads "KEY: value" lines up to a blank line.
func (r *reading) fields(rest string) {
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if line = clean(line); line == "" {
			return
		}
		key, value, _ := strings.Cut(line, ":")
		if f := r.field(key); f != nil {
			*f = clean(value)
		}
	}
}

func (r *reading) field(key string) *string {
	switch key {
	case "S":
		return &r.sid
	case "HV":
		return &r.hv
	case "CV":
		return &r.cv
	case "CAP":
		return &r.cap
	case "QID":
		return &r.qid
	case "REQ":
		return &r.req
	case "CK":
		return &r.ck
	case "NEXT":
		return &r.next
	}
	return nil
}

// readFrame reads "FRAME: s=… r=… p=… q=…" in any order.
func readFrame(line string) (f frame) {
	rest, ok := strings.CutPrefix(line, "FRAME:")
	if !ok {
		return f
	}
	for rest = clean(rest); rest != ""; rest = clean(rest) {
		word := rest
		if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
			word = rest[:i]
		}
		rest = rest[len(word):]
		switch name, value, _ := strings.Cut(word, "="); name {
		case "s":
			f.s = value
		case "r":
			f.r, _ = strconv.Atoi(value)
		case "p":
			f.p = value
		case "q":
			f.q = value
		}
	}
	return f
}
