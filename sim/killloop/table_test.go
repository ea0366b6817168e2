//go:build linux

package killloop

import (
	"fmt"
	"strings"

	"bridgesim/fakesite"
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

	site    *fakesite.Script // nil: quiet
	between func(*world)     // what happens to the state folder behind the first kill
	caps    string           // what pi can do when it starts again; "" = as before
	end     *goal            // nil: whole
}

// goal is what a session comes to, killed or not.
type goal struct {
	outcome string
	code    int
	report  string // how the report begins
	// names are the messages of pi that the site receives, RESUME left out: each process may say once
	// where it stands.
	names   []string
	effects int
	receipt string // in the ROUND behind the execution
}

var whole = goal{
	outcome: "done", report: "outcome done after round 2, checkpoint 1:",
	names: []string{"HELLO", "ROUND 1", "ROUND 2"}, effects: 2, receipt: "第 1 轮已执行 2 项",
}

func (p *part) goal() *goal {
	if p.end == nil {
		return &whole
	}
	return p.end
}

// rounds is a site that answers round by round.
func rounds(all ...[]fakesite.Move) *fakesite.Script {
	s := &fakesite.Script{}
	for i, moves := range all {
		s.Rounds = append(s.Rounds, fakesite.RoundScript{Round: i + 1, Moves: moves})
	}
	return s
}

var quiet = rounds([]fakesite.Move{{Decision: "continue"}}, []fakesite.Move{{Decision: "done"}})

// parts are the sessions that are killed. The conversation's id becomes known before or after the
// proof that HELLO was sent, by chance; in the parts behind a kill its record is left out.
// TestTableIsWhole holds them against real ones.
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
	{
		name: "half-a-click", first: &place{write{"intent", "ROUND", 1}, press}, rest: true,
		writes: []write{
			{"disconnected", "", 1},
			{"budget", "", 1},
			{"not-sent", "ROUND", 1},
		},
	},
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
	{
		name: "repaired", first: &place{write{"sent", "ROUND", 1}, after}, rest: true,
		site: rounds(
			[]fakesite.Move{{Decision: "continue", Deviate: "plan-garbage"}, {Decision: "continue"}},
			[]fakesite.Move{{Decision: "done"}},
		),
		end: &goal{
			outcome: "done", report: "outcome done after round 2, checkpoint 1:",
			names: []string{"HELLO", "ROUND 1", "REPAIR 1", "ROUND 2"}, effects: 2,
			receipt: whole.receipt,
		},
		writes: []write{
			{"disconnected", "", 1},
			{"budget", "", 1},
			{"invalid", "", 1},
			{"intent", "RESUME", 1},
			{"sent", "RESUME", 1},
			{"ack", "RESUME", 1},
			{"intent", "REPAIR", 1},
			{"sent", "REPAIR", 1},
			{"validated", "", 1},
			{"executing", "", 1},
		},
	},
	{
		name: "refused-plan", first: &place{write{"sent", "ROUND", 1}, after}, rest: true,
		site: rounds(
			[]fakesite.Move{{Decision: "continue", Commands: []string{"curl https://example.org"}}},
			[]fakesite.Move{{Decision: "done"}},
		),
		end: &goal{
			outcome: "done", report: "outcome done after round 2, checkpoint 0:-",
			names: whole.names, receipt: "未执行",
		},
		writes: []write{
			{"disconnected", "", 1},
			{"budget", "", 1},
			{"validated", "", 1},
			{"intent", "RESUME", 1},
			{"sent", "RESUME", 1},
			{"ack", "RESUME", 1},
			{"round-closed", "", 1},
			{"intent", "ROUND", 2},
		},
	},
	{
		name: "changed", first: &place{write{"checkpoint", "", 1}, after}, rest: true,
		caps: "file.read",
		end: &goal{
			outcome: "done", report: whole.report, effects: 2, receipt: whole.receipt,
			names: []string{"HELLO", "ROUND 1", "RESYNC", "ROUND 2"},
		},
		writes: []write{
			{"disconnected", "", 1},
			{"budget", "", 1},
			{"version-lost", "", 1},
			{"intent", "RESYNC", 1},
			{"sent", "RESYNC", 1},
			{"ack", "RESYNC", 1},
			{"intent", "ROUND", 2},
		},
	},
	{
		name: "lost", first: &place{write{"sent", "ROUND", 1}, after}, rest: true,
		between: (*world).loseJournal, writes: []write{
			{"snapshot", "", 1},
			{"budget", "", 1},
			{"validated", "", 1},
			{"intent", "RESUME", 1},
		},
	},
	{
		name: "blocked", first: &place{write{"sent", "ROUND", 2}, after},
		site: rounds([]fakesite.Move{{Decision: "continue"}}, []fakesite.Move{{Decision: "blocked"}}),
		end: &goal{
			outcome: "blocked", code: 1, report: "outcome blocked after round 2, checkpoint 1:",
			names: whole.names, effects: 2, receipt: whole.receipt,
		},
		writes: []write{
			{"disconnected", "", 2},
			{"budget", "", 2},
			{"validated", "", 2},
			{"stopped", "", 2},
		},
	},
	{
		name: "refused", first: &place{write{"sent", "HELLO", 0}, after},
		site: &fakesite.Script{Handshake: []fakesite.Move{{Deviate: "ack-no-features"}}},
		end: &goal{
			outcome: "handshake_refused", code: 1, report: "outcome handshake_refused after round 0",
			names: []string{"HELLO"},
		},
		writes: []write{
			{"disconnected", "", 0},
			{"budget", "", 0},
			{"refused", "HELLO", 0},
		},
	},
}

// acts are the operations that a record announces. Behind the others stands the next operation that
// is no durable write.
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
func expected(c cell) expectation {
	p := c.place
	durable := p.strike == after || p.strike == act // what the write says holds
	switch {
	case c.part.name == "changed" && !c.behind("ack", durable):
		return expectation{row: "9", why: "what pi is differs from what was acknowledged"}
	case c.part.name == "lost" && !c.behind("snapshot", durable):
		return expectation{row: "7", why: "there is no journal, the record is whole"}
	case p.record == "new" && !durable:
		return expectation{why: "nothing is durable and nothing was sent: the session begins"}
	case c.record == "terminal" && p.strike == act:
		return expectation{ended: true, why: "tab closed, process ended: it is reported again"}
	case c.ending() && durable:
		return expectation{why: "the session is over: it is reported, nothing is done"}
	case c.part.name == "refused":
		return expectation{row: "8", why: "what answered HELLO is no acknowledgement"}
	case p.record == "validated" && p.round == 2 && p.strike == act:
		return expectation{why: "the next act comes behind the end: it is reported, nothing is done"}
	}
	return expectation{row: "6", why: "runtime lost, journal and history are there"}
}

// ending: the write is the one that ends the session.
func (c cell) ending() bool {
	return c.record == "terminal" || c.record == "stopped" || c.record == "refused"
}

// behind tells whether a record of the part is durable when the next process starts.
func (c cell) behind(record string, durable bool) bool {
	for _, w := range c.part.writes {
		switch {
		case w == c.write:
			return w.record == record && durable
		case w.record == record:
			return true
		}
	}
	return false
}
