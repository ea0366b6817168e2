//go:build killloop

package killloop

import (
	"fmt"
	"strings"
)

// strike says when the process dies, relative to a durable write.
type strike string

const (
	before strike = "before"
	torn   strike = "torn"
	after  strike = "after"
	act    strike = "act"
	// press is half of a submit: the button is down and was never let go. Only first kills use it.
	press strike = "press"
)

var strikes = []strike{before, torn, after, act}

// write is one durable write.
type write struct {
	record  string
	message string // that it is about
	round   int
}

func (w write) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s@%d %s", w.record, w.round, w.message))
}

// place is a write and a strike.
type place struct {
	write
	strike
}

func (p place) String() string { return p.write.String() + "/" + string(p.strike) }

// part is a session up to its end, or the first restart behind a kill, with its writes in order.
type part struct {
	name   string
	first  *place // the kill that comes before; nil: the first process is the one that is killed
	writes []write
	rest   bool // more writes follow; they are those of a part before
}

// parts are the sessions that are killed. The conversation's id becomes known before or after the proof
// that HELLO was sent, by chance; in the parts behind a kill its record is left out. TestTableIsWhole holds them against real ones.
var parts = []part{
	{name: "quiet", writes: []write{
		{"new", "", 0},
		{"target", "", 0},
		{"intent", "HELLO", 0},
		{"sent", "HELLO", 0},
		{"conversation", "", 0},
		{"ack", "HELLO", 0},
		{"intent", "ROUND", 1},
		{"sent", "ROUND", 1},
		{"validated", "", 1},
		{"executing", "", 1},
		{"settled", "", 1},
		{"checkpoint", "", 1},
		{"intent", "ROUND", 2},
		{"sent", "ROUND", 2},
		{"validated", "", 2},
		{"terminal", "", 2},
	}},
	{name: "awaiting", first: &place{write{"sent", "ROUND", 1}, after}, rest: true, writes: []write{
		{"disconnected", "", 1},
		{"budget", "", 1},
		{"validated", "", 1},
		{"intent", "RESUME", 1},
		{"sent", "RESUME", 1},
		{"ack", "RESUME", 1},
		{"executing", "", 1},
	}},
	{name: "unsent", first: &place{write{"intent", "ROUND", 1}, after}, rest: true, writes: []write{
		{"disconnected", "", 1},
		{"budget", "", 1},
		{"not-sent", "ROUND", 1},
		{"intent", "RESUME", 1},
		{"sent", "RESUME", 1},
		{"ack", "RESUME", 1},
		{"intent", "ROUND", 1},
		{"sent", "ROUND", 1},
	}},
	{name: "half-a-click", first: &place{write{"intent", "ROUND", 1}, press}, rest: true, writes: []write{
		{"disconnected", "", 1},
		{"budget", "", 1},
		{"not-sent", "ROUND", 1},
	}},
	{name: "submitted", first: &place{write{"intent", "ROUND", 1}, act}, rest: true, writes: []write{
		{"disconnected", "", 1},
		{"budget", "", 1},
		{"sent", "ROUND", 1},
		{"validated", "", 1},
	}},
	{name: "working", first: &place{write{"executing", "", 1}, act}, rest: true, writes: []write{
		{"disconnected", "", 1},
		{"budget", "", 1},
		{"settled", "", 1},
		{"checkpoint", "", 1},
		{"intent", "RESUME", 1},
		{"sent", "RESUME", 1},
		{"ack", "RESUME", 1},
		{"intent", "ROUND", 2},
	}},
	{name: "hello", first: &place{write{"intent", "HELLO", 0}, after}, rest: true, writes: []write{
		{"disconnected", "", 0},
		{"budget", "", 0},
		{"not-sent", "HELLO", 0},
		{"reconnected", "", 0},
		{"intent", "HELLO", 0},
		{"sent", "HELLO", 0},
		{"ack", "HELLO", 0},
	}},
}

// acts are the operations that a record announces. Behind the others stands the next operation that is
// no durable write.
var acts = map[string]string{
	"intent": "send.submit", "executing": "agent.start", "terminal": "detach.close",
}

// expectation is what the next process must do.
type expectation struct {
	row    string // of its first verdict; "" = it has none
	ended  bool   // the strike is behind the session's end: the process ends by itself
	manual string // why it may give up; "" = it must not
	why    string
}

// expected is the table's right side. It rests on the readings, not on the decision table's code.
func expected(p place) expectation {
	switch {
	case p.record == "new" && (p.strike == before || p.strike == torn):
		return expectation{why: "nothing is durable and nothing was sent: the session begins"}
	case p.record == "terminal" && p.strike == after:
		return expectation{why: "the session is closed: it is reported, nothing is done"}
	case p.record == "terminal" && p.strike == act:
		return expectation{ended: true, why: "its tab was closed, the process ended; it is reported again"}
	case p.record == "validated" && p.round == 2 && p.strike == act:
		return expectation{why: "the next act comes behind terminal: the session is closed"}
	}
	return expectation{row: "6", why: "runtime lost, journal and history are there"}
}
