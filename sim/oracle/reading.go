package oracle

import (
	"strconv"
	"strings"
	"time"

	"bridgesim/bridge/wire"
)

// fate is how a send ended at the site. All of them reached it, so each counts as sent.
type fate uint8

const (
	received fate = iota // it stands in the record
	refused              // it was told as an error
	dropped              // it was told as taken and stands in no record
)

// flag is a word that a reading may hold beside its fields.
type flag uint8

const (
	foreign   flag = 1 << iota // no header of pi-bridge/1
	malformed                  // not whole
	request                    // a ROUND with the request, word for word
	asks                       // a ROUND with another request
	told                       // an objective that holds the request
	static                     // a RESUME with static text
	bare                       // a RESYNC without its HELLO
)

var flagNames = [...]struct {
	flag flag
	name string
}{
	{foreign, "foreign"},
	{malformed, "malformed"},
	{request, "request"},
	{asks, "asks"},
	{told, "told"},
	{static, "static"},
	{bare, "bare"},
}

// words is the reading of one user message.
type words struct {
	kind  wire.Kind
	sid   string
	round int
	prev  string // p=
	qid   string
	ck    string // ck= as written, "3:a1b2c3d4"
	next  int
	codes string // err=
	flags flag
}

func (w *words) is(f flag) bool { return w.flags&f != 0 }

// ours: the text has a header of the protocol.
func (w *words) ours() bool { return w.kind != "" && !w.is(foreign) }

func (w *words) append(b []byte) []byte {
	if w.kind != "" {
		b = append(append(b, ' '), w.kind...)
	}
	b = appendWord(b, "s=", w.sid)
	b = appendNumber(b, "r=", w.round)
	b = appendWord(b, "p=", w.prev)
	b = appendWord(b, "q=", w.qid)
	b = appendWord(b, "ck=", w.ck)
	b = appendNumber(b, "next=", w.next)
	b = appendWord(b, "err=", w.codes)
	for _, f := range flagNames {
		if w.is(f.flag) {
			b = append(append(b, ' '), f.name...)
		}
	}
	return b
}

func appendWord(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(b, ' '), name...)
	return append(b, value...)
}

func appendNumber(b []byte, name string, n int) []byte {
	if n == 0 {
		return b
	}
	b = append(append(b, ' '), name...)
	return strconv.AppendInt(b, int64(n), 10)
}

// take reads one word. A word that it does not know is left alone.
func (w *words) take(word string) {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		w.takeName(word)
		return
	}
	switch name {
	case "s":
		w.sid = value
	case "r":
		w.round = number(value)
	case "p":
		w.prev = value
	case "q":
		w.qid = value
	case "ck":
		w.ck = value
	case "next":
		w.next = number(value)
	case "err":
		w.codes = value
	}
}

func (w *words) takeName(word string) {
	switch k := wire.Kind(word); k {
	case wire.KindRound,
		wire.KindHello,
		wire.KindRepair,
		wire.KindResume,
		wire.KindResync,
		wire.KindHS,
		wire.KindPlan:
		w.kind = k
		return
	}
	for i := range flagNames {
		if flagNames[i].name == word {
			w.flags |= flagNames[i].flag
			return
		}
	}
}

// number reads a decimal number; anything else is 0, which no round is.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// readSend reads the Text of received, refused and dropped. known is false when it holds no
// reading.
func (w *words) readSend(text string) (conversation string, known bool) {
	rest, ok := strings.CutPrefix(text, "c=")
	if !ok {
		return "", false
	}
	conversation, rest, _ = strings.Cut(rest, " ")
	for word := ""; rest != ""; {
		word, rest, _ = strings.Cut(rest, " ")
		w.take(word)
	}
	return conversation, w.kind != "" || w.is(foreign)
}

// verdictOn is what an answer is, held against the message that it answers.
type verdictOn uint8

const (
	unread     verdictOn = iota
	validAck             // passes the gate
	invalidAck           // fails it; codes tell why
	validPlan            // a plan event follows
	faultyPlan           // codes tell why
	otherText            // an answer to a text that asks for nothing
)

// replyWords is the reading of one answer.
type replyWords struct {
	what     verdictOn
	codes    string
	headless bool
}

func (w *replyWords) append(b []byte) []byte {
	switch w.what {
	case validAck:
		b = append(b, "ack"...)
	case invalidAck:
		b = append(append(b, "refusal="...), w.codes...)
	case validPlan:
		b = append(b, "plan"...)
	case faultyPlan:
		b = append(append(b, "faults="...), w.codes...)
	default:
		b = append(b, "other"...)
	}
	if w.headless {
		b = append(b, " headless"...)
	}
	return b
}

func (w *replyWords) read(text string) {
	for word := ""; text != ""; {
		word, text, _ = strings.Cut(text, " ")
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "ack":
			w.what = validAck
		case "refusal":
			w.what, w.codes = invalidAck, value
		case "plan":
			w.what = validPlan
		case "faults":
			w.what, w.codes = faultyPlan, value
		case "other":
			w.what = otherText
		case "headless":
			w.headless = true
		}
	}
}

// domain attributes a list of codes as the specification does: local before version before remote.
func domain(codes string) wire.Domain {
	var found [10]wire.Code
	list := found[:0]
	for word := ""; codes != "" && len(list) < len(found); {
		word, codes, _ = strings.Cut(codes, ",")
		list = append(list, wire.Code(word))
	}
	return wire.Attribute(list)
}

// readEnd reads ending and end of an answered event; rest is the reading.
func readEnd(text string) (ending string, ends time.Duration, ended, known bool, rest string) {
	ending, rest, _ = strings.Cut(text, " ")
	at, rest, _ := strings.Cut(rest, " ")
	if at == "-" {
		return ending, 0, false, true, rest
	}
	n, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return "", 0, false, false, ""
	}
	return ending, time.Duration(n), true, true, rest
}
