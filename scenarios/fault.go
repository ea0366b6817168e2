package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
	"bridgesim/sim"
)

// moment is a place in a run in the words of a feature.
type moment struct {
	words string
	op    point.Op
	state string
	step  int
}

// moments is the table of named places; every other place is written as an address.
var moments = []moment{
	{"the dial", point.Connect, "", 1},
	{"the listing of the tabs", point.ListPages, "", 1},
	{"the opening of a tab", point.OpenPage, "", 1},
	{"the attach", point.Attach, "", 1},
	{"the installation", point.Install, "", 1},
	{"the readiness", point.Ready, "", 1},
	{"the mending", point.Mend, "", 1},
	{"the check of the guard", point.GuardCheck, "", 1},
	{"the baseline", point.SendBaseline, "", 1},
	{"the focus", point.SendFocus, "", 1},
	{"the emptying", point.SendEmpty, "", 1},
	{"the insert", point.SendInsert, "", 1},
	{"the read-back", point.SendReadBack, "", 1},
	{"the fence", point.SendFence, "", 1},
	{"the arming", point.SendFence, "", 2},
	{"the guard", point.SendGuard, "", 1},
	{"the press", point.SendSubmit, "", 1},
	{"the submit", point.SendSubmit, "", 2},
	{"the proof", point.SendProve, "", 1},
	{"the first look at an absent answer", point.WaitPoll, "absent", 1},
	{"the first look at a placeholder", point.WaitPoll, "placeholder", 1},
	{"the first look at a thinking answer", point.WaitPoll, "thinking", 1},
	{"the first look at a streaming answer", point.WaitPoll, "streaming", 1},
	{"the first look at a finished answer", point.WaitPoll, "finished", 1},
	{"the revocation", point.SendRevoke, "", 1},
	{"the first look at the answer", point.WaitPoll, "", 1},
	{"the record of the end", point.WaitRecord, "", 1},
	{"the capture", point.CaptureRead, "", 1},
	{"the reading of the page", point.CaptureText, "", 1},
	{"the reading of the copy button", point.CaptureCopy, "", 1},
	{"the reading of the turns", point.DiscoverTurns, "", 1},
	{"the reading of the history", point.DiscoverRead, "", 1},
	{"the hand-over to the agent", point.AgentStart, "", 1},
	{"the first question to the agent", point.AgentPoll, "", 1},
	{"the look into the agent's ledger", point.AgentLookup, "", 1},
	{"the closing of the tab", point.ClosePage, "", 1},
}

// write is "the write of RECORD": one durable write of pi's journal.
const write = "the write of "

// place turns words into an address without its phase.
func place(words string, round int) (point.Address, error) {
	if kind, ok := strings.CutPrefix(words, write); ok {
		return point.Address{Op: point.StoreAppend, Round: round, State: kind, Step: 1}, nil
	}
	var known []string
	for _, m := range moments {
		if m.words == words {
			return point.Address{Op: m.op, Round: round, State: m.state, Step: m.step}, nil
		}
		known = append(known, m.words)
	}
	return point.Address{}, fmt.Errorf("moment %q is not known; known are %s, and %sRECORD",
		words, strings.Join(known, ", "), write)
}

var phases = map[string]point.Phase{
	"before": point.Before, "after": point.After, "late at": point.Late,
}

// strike adds one fault to the script's schedule.
func (s *scenario) strike(kind string, p faults.Params, phase, words string, round int) error {
	at, err := place(words, round)
	if err != nil {
		return err
	}
	at.Phase = phases[phase]
	return s.schedule(faults.Fault{Kind: faults.Kind(kind), At: at, Params: p})
}

// written schedules a fault in the form that histories write.
func (s *scenario) written(text string) error {
	f, err := faults.ParseFault(text)
	if err != nil {
		return err
	}
	return s.schedule(f)
}

func (s *scenario) schedule(f faults.Fault) error {
	info, ok := faults.Of(f.Kind)
	switch {
	case !ok:
		return fmt.Errorf("fault %q is not known; known are %q", f.Kind, faults.Kinds())
	case !info.Available(s.engine.Name(), f.At.Op, f.At.Phase):
		return fmt.Errorf("fault %q cannot strike %s at %s on %s", f.Kind, f.At.Phase, f.At.Op,
			s.engine.Name())
	}
	s.script.Schedule = append(s.script.Schedule, f)
	return nil
}

const strikes = ` strikes (before|after|late at) (the [a-z' -]+|the write of [a-z-]+) of round (\d+)`

// faultSteps say what goes wrong, and when.
var faultSteps = []step{
	{
		re(`"([^"]*)"` + strikes),
		`Given "sever" strikes after the submit of round 2`,
		"A fault of the table at a named moment: before it (the other side never saw it), after it (it " +
			"happened, the answer was lost), late at it (it happens after the session is gone).",
		func(s *scenario) any {
			return func(kind, phase, words string, round int) error {
				return s.strike(kind, faults.Params{}, phase, words, round)
			}
		},
	},
	{
		re(`"([^"]*)" for "([^"]*)"` + strikes),
		`Given "record-down" for "40s" strikes before the capture of round 1`,
		"The same, for a while; then it heals.",
		func(s *scenario) any {
			return func(kind, d, phase, words string, round int) error {
				lasts, err := time.ParseDuration(d)
				if err != nil {
					return err
				}
				return s.strike(kind, faults.Params{For: lasts}, phase, words, round)
			}
		},
	},
	{
		re(`"([^"]*)" with code "(-?\d+)"` + strikes),
		`Given "cdp-error" with code "-32601" strikes before the capture of round 1`,
		"The same, with a code: of a protocol error or a close frame.",
		func(s *scenario) any {
			return func(kind, code, phase, words string, round int) error {
				n, err := strconv.Atoi(code)
				if err != nil {
					return err
				}
				return s.strike(kind, faults.Params{Code: n}, phase, words, round)
			}
		},
	},
	{
		re(`"([^"]*)" to "([^"]*)"` + strikes),
		`Given "change-caps" to "file.read" strikes after the write of checkpoint of round 1`,
		"The same, with what comes after it: capabilities.",
		func(s *scenario) any {
			return func(kind, list, phase, words string, round int) error {
				return s.strike(kind, faults.Params{Caps: split(list)}, phase, words, round)
			}
		},
	},
	{
		re(`"([^"]*)" with "([^"]*)"` + strikes),
		`Given "sever" with "how=close code=1001" strikes after the submit of round 1`,
		"The same, with any parameters of the fault: how, for, code, text, back, caps.",
		func(s *scenario) any {
			return func(kind, params, phase, words string, round int) error {
				at, err := place(words, round)
				if err != nil {
					return err
				}
				at.Phase = phases[phase]
				return s.written(fmt.Sprintf("%s at %s with %s", kind, at, params))
			}
		},
	},
	{
		re(`"([^"]*)" strikes at "([^"]*)"`),
		`Given "sever" strikes at "wait.poll@2:streaming#3/after"`,
		"A fault at an address, as explorations and histories write it.",
		func(s *scenario) any {
			return func(kind, address string) error {
				at, err := faults.ParseAddress(address)
				if err != nil {
					return err
				}
				return s.schedule(faults.Fault{Kind: faults.Kind(kind), At: at})
			}
		},
	},
}

// recoverySteps judge what the bridge did about it.
var recoverySteps = []step{
	{
		re(`the bridge recovered by row (\d+)`),
		`Then the bridge recovered by row 3`,
		"A verdict took this row of the decision table.",
		func(s *scenario) any {
			return seen(s, func(r *sim.Result, row int) error {
				if contains(r.Rows, row) {
					return nil
				}
				return fmt.Errorf("the rows taken were %v: %s", r.Rows, r.Report)
			})
		},
	},
	{
		re(`no verdict was needed`),
		`Then no verdict was needed`,
		"Nothing failed that the decision table would have had to judge.",
		func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error {
				if len(r.Rows) > 0 {
					return fmt.Errorf("the rows taken were %v", r.Rows)
				}
				return nil
			})
		},
	},
	{
		re(`every fault struck`),
		`Then every fault struck`,
		"Each fault was armed, reached and applied, with evidence from outside the bridge.",
		func(s *scenario) any { return seen0(s, everyFault) },
	},
	{
		re(`every message reached the site exactly once`),
		`Then every message reached the site exactly once`,
		"No (sid, r) twice, no message twice: in the site's own ledger.",
		func(s *scenario) any { return seen0(s, eachOnce) },
	},
	{
		re(`the site saw one sid`),
		`Then the site saw one sid`,
		"Every message of ours carries the same sid.",
		func(s *scenario) any { return seen0(s, oneSID) },
	},
	{
		re(`the site received at most (\d+) "([A-Z]+)" messages?`),
		`Then the site received at most 1 "ROUND" message`,
		"An upper bound on the user turns of one kind.",
		func(s *scenario) any {
			return seen2(s, func(r *sim.Result, n int, kind string) error {
				if got := len(r.Of(kindNamed(kind))); got > n {
					return fmt.Errorf("the site received %d", got)
				}
				return nil
			})
		},
	},
}

func everyFault(r *sim.Result) error {
	if len(r.World.Script.Schedule) == 0 {
		return fmt.Errorf("the scenario has no fault")
	}
	if left := r.Unreached; len(left) > 0 {
		return fmt.Errorf("never reached: %v; places of this run: %s", left, r.Places(left[0].At.Op))
	}
	return nil
}

func eachOnce(r *sim.Result) error {
	seen := map[string]bool{}
	for _, m := range r.Received {
		// Two REPAIRs of one round that name the same codes are two messages with one text.
		if seen[m.Text] && m.Kind != wire.KindRepair {
			return fmt.Errorf("twice in the site's ledger: %s", describe(r, m))
		}
		seen[m.Text] = true
		if m.Kind == wire.KindRound {
			key := fmt.Sprintf("ROUND %d", m.Frame.Round)
			if seen[key] {
				return fmt.Errorf("the ROUND of round %d was received twice", m.Frame.Round)
			}
			seen[key] = true
		}
	}
	return nil
}

func oneSID(r *sim.Result) error {
	sid := ""
	for _, m := range r.Received {
		s := m.SID
		if s == "" {
			s = m.Frame.SID
		}
		if sid == "" {
			sid = s
		}
		if s != sid {
			return fmt.Errorf("the site saw sid %s beside %s", s, sid)
		}
	}
	return nil
}
