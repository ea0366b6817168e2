package trace

import (
	"fmt"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// Scheduled is a loss as a fault of a schedule, with what had to be assumed: a foreign log knows
// nothing of the operations and rounds of a bridge.
type Scheduled struct {
	Fault   faults.Fault
	Assumed []string
}

// place says which operation of a bridge makes a call of the protocol; the first that was under way
// in this order decides.
type place struct {
	method string
	op     point.Op
	state  string
}

var placesOf = []place{
	{"Input.dispatchMouseEvent", point.SendSubmit, ""},
	{"Input.insertText", point.SendInsert, ""},
	{"Input.dispatchKeyEvent", point.SendInsert, ""},
	{"Target.createTarget", point.OpenPage, ""},
	{"Target.attachToTarget", point.Attach, ""},
	{"Target.getTargets", point.ListPages, ""},
	{"Page.navigate", point.Ready, ""},
	{"Page.addScriptToEvaluateOnNewDocument", point.Install, ""},
	{"Runtime.callFunctionOn", point.WaitPoll, "streaming"},
	{"Runtime.evaluate", point.WaitPoll, "streaming"},
}

// kindsOf says which fault does what broke.
var kindsOf = map[Break]faults.Kind{
	SocketLost: faults.Sever, TargetCrashed: faults.CrashTab, TargetGone: faults.CloseTab,
	Detached: faults.Detach, SessionGone: faults.Detach, Reported: faults.Sever,
	LogEnds: faults.HalfOpen,
}

// Schedule turns the losses of a log, as sure as least or surer, into faults that can be scheduled.
// At least the one that matters is taken. What the log does not say is assumed, and said.
func (l *Log) Schedule(least Confidence) []Scheduled {
	var all []Scheduled
	main := l.Disconnect()
	rounds := map[point.Op]int{}
	for i := range l.Losses {
		n := &l.Losses[i]
		if n != main && strength[n.Confidence] < strength[least] || len(all) == faults.MaxFaults {
			continue
		}
		s := scheduled(n)
		rounds[s.Fault.At.Op]++
		s.Fault.At.Step = rounds[s.Fault.At.Op] // two faults never share an address
		all = append(all, s)
	}
	return all
}

func scheduled(n *Loss) Scheduled {
	s := Scheduled{Fault: faults.Fault{Kind: kindsOf[n.Break]}}
	p, why := placeFor(n)
	s.assume("%s", why)
	s.assume("round 1, first time: the log does not know rounds")
	s.Fault.At = point.Address{Op: p.op, Round: 1, State: p.state, Step: 1, Phase: point.After}
	if early(p.op) {
		s.Fault.At.Round = 0
	}
	s.assume("the call had its effect before the loss: with /before it had none")
	s.how(n)
	if s.Fault.Validate() != nil { // the kind cannot strike there
		s.Fault.At = point.Address{
			Op: point.WaitPoll, Round: 1, State: "streaming", Step: 1, Phase: point.After,
		}
		s.assume("%s cannot strike at %s: placed while the answer streams", s.Fault.Kind, p.op)
	}
	return s
}

func (s *Scheduled) assume(format string, args ...any) {
	s.Assumed = append(s.Assumed, fmt.Sprintf(format, args...))
}

// how gives a cut socket its manner.
func (s *Scheduled) how(n *Loss) {
	if s.Fault.Kind != faults.Sever {
		return
	}
	switch {
	case n.Code >= 1000 && n.Code <= 4999 && n.Code != 1006 && n.Code != 1005:
		s.Fault.Params.How, s.Fault.Params.Code = faults.HowClose, int(n.Code)
	case n.Code == -101:
		s.Fault.Params.How = faults.HowReset
	default:
		s.assume("the socket was reset: the log does not say whether by RST or FIN")
		s.Fault.Params.How = faults.HowReset
	}
}

func placeFor(n *Loss) (place, string) {
	for _, p := range placesOf {
		for _, f := range n.InFlight {
			if f.Method == p.method {
				return p, fmt.Sprintf("%s (line %d) was under way: taken as %s", f.Method, f.Line, p.op)
			}
		}
	}
	return place{op: point.WaitPoll, state: "streaming"},
		"no call under way names a place: placed while the answer streams"
}

// early are the operations before any round.
func early(op point.Op) bool {
	switch op {
	case point.Connect, point.ListPages, point.OpenPage, point.Attach, point.Install, point.Ready:
		return true
	}
	return false
}

// Span is the time from the first to the last entry that has one; ok is false without two of one
// basis.
func (l *Log) Span() (d time.Duration, ok bool) {
	var first, last Stamp
	for i := range l.Entries {
		s := l.Entries[i].At
		switch {
		case !s.Known():
		case !first.Known():
			first = s
		case s.Basis == first.Basis:
			last = s
		}
	}
	if !first.Known() || !last.Known() {
		return 0, false
	}
	if first.Basis == Relative {
		return last.Since - first.Since, true
	}
	return last.At.Sub(first.At), true
}
