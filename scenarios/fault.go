package scenarios

import (
	"fmt"
	"strconv"
	"strings"

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
		if err := oneOf("record", kind, records); err != nil {
			return point.Address{}, err
		}
		return point.Address{Op: point.StoreAppend, Round: round, State: kind, Step: 1}, nil
	}
	var known []string
	for _, m := range moments {
		if m.words == words {
			return point.Address{Op: m.op, Round: round, State: m.state, Step: m.step}, nil
		}
		known = append(known, m.words)
	}
	return point.Address{}, oneOf("moment", words, append(known, write+"RECORD"))
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
	if err := oneOf("fault", string(f.Kind), faults.Kinds()); err != nil {
		return err
	}
	on := s.on
	if on == "" {
		on = faults.EngineVirtual
	}
	if info, _ := faults.Of(f.Kind); !info.Available(on, f.At.Op, f.At.Phase) {
		return &mistake{
			fmt.Sprintf("fault %q cannot strike %s %s on %s", f.Kind, f.At.Phase, f.At.Op, on),
			"choose a moment that the fault can meet",
		}
	}
	if err := f.Validate(); err != nil {
		return err
	}
	s.script.Schedule = append(s.script.Schedule, f)
	return s.script.Schedule.Validate()
}

const strikes = ` strikes (before|after|late at) ` +
	`(the [a-z' -]+|the write of [a-z-]+) of round (\d+)`

// faultSteps say what goes wrong, and when.
var faultSteps = []step{
	{
		pattern: re(`"([^"]*)"` + strikes),
		example: `Given "sever" strikes after the submit of round 2`,
		sentence: "A fault of the table at a named moment: before it (the other side never saw it), " +
			"after it (it happened, the answer was lost), late at it (it happens after the session is " +
			"gone).",
		bind: func(s *scenario) any {
			return func(kind, phase, words string, round int) error {
				return s.strike(kind, faults.Params{}, phase, words, round)
			}
		},
	},
	{
		pattern:  re(`"([^"]*)" for "([^"]*)"` + strikes),
		example:  `Given "record-down" for "40s" strikes before the capture of round 1`,
		sentence: "The same, for a while; then it heals.",
		bind: func(s *scenario) any {
			return func(kind, d, phase, words string, round int) error {
				lasts, err := duration(d)
				if err != nil {
					return err
				}
				return s.strike(kind, faults.Params{For: lasts}, phase, words, round)
			}
		},
	},
	{
		pattern:  re(`"([^"]*)" with code "(-?\d+)"` + strikes),
		example:  `Given "cdp-error" with code "-32601" strikes before the capture of round 1`,
		sentence: "The same, with a code: of a protocol error or a close frame.",
		bind: func(s *scenario) any {
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
		pattern:  re(`"([^"]*)" to "([^"]*)"` + strikes),
		example:  `Given "change-caps" to "file.read" strikes after the write of checkpoint of round 1`,
		sentence: "The same, with what comes after it: capabilities.",
		bind: func(s *scenario) any {
			return func(kind, list, phase, words string, round int) error {
				return s.strike(kind, faults.Params{Caps: split(list)}, phase, words, round)
			}
		},
	},
	{
		pattern:  re(`"([^"]*)" with "([^"]*)"` + strikes),
		example:  `Given "sever" with "how=close code=1001" strikes after the submit of round 1`,
		sentence: "The same, with any parameters of the fault: how, for, code, text, back, caps.",
		bind: func(s *scenario) any {
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
		pattern:  re(`"([^"]*)" strikes at "([^"]*)"`),
		example:  `Given "sever" strikes at "wait.poll@2:streaming#3/after"`,
		sentence: "A fault at an address, as explorations and histories write it.",
		bind: func(s *scenario) any {
			return func(kind, address string) error {
				at, err := faults.ParseAddress(address)
				if err != nil {
					return err
				}
				return s.schedule(faults.Fault{Kind: faults.Kind(kind), At: at})
			}
		},
	},
	{
		pattern:  re(`"([^"]*)" with "([^"]*)" strikes at "([^"]*)"`),
		example:  `Given "delay" with "for=20s" strikes at "wait.poll@2:streaming#3/after"`,
		sentence: "The same, with any parameters of the fault.",
		bind: func(s *scenario) any {
			return func(kind, params, address string) error {
				return s.written(fmt.Sprintf("%s at %s with %s", kind, address, params))
			}
		},
	},
}

// recoverySteps judge what the bridge did about it.
var recoverySteps = []step{
	{
		pattern:  re(`the bridge recovered by row (\d+)`),
		example:  `Then the bridge recovered by row 3`,
		sentence: "A verdict took this row of the decision table.",
		bind: func(s *scenario) any {
			return seen(s, func(r *sim.Result, row int) error {
				if contains(r.Rows, row) {
					return nil
				}
				return fmt.Errorf("the rows taken were %v: %s", r.Rows, r.Report)
			})
		},
		check: among(0, "row", rowNumbers()),
	},
	{
		pattern:  re(`no verdict was needed`),
		example:  `Then no verdict was needed`,
		sentence: "Nothing failed that the decision table would have had to judge.",
		bind: func(s *scenario) any {
			return seen0(s, func(r *sim.Result) error {
				if len(r.Rows) > 0 {
					return fmt.Errorf("the rows taken were %v", r.Rows)
				}
				return nil
			})
		},
	},
	{
		pattern:  re(`every fault struck`),
		example:  `Then every fault struck`,
		sentence: "Each fault was armed, reached and applied, with evidence from outside the bridge.",
		bind:     func(s *scenario) any { return seen0(s, everyFault) },
	},
	{
		pattern:  re(`every message reached the site exactly once`),
		example:  `Then every message reached the site exactly once`,
		sentence: "No (sid, r) twice, no message twice: in the site's own ledger.",
		bind:     func(s *scenario) any { return seen0(s, eachOnce) },
	},
	{
		pattern:  re(`the site saw one sid`),
		example:  `Then the site saw one sid`,
		sentence: "Every message of ours carries the same sid.",
		bind:     func(s *scenario) any { return seen0(s, oneSID) },
	},
	{
		pattern:  re(`the site received at most (\d+) "([A-Z]+)" messages?`),
		example:  `Then the site received at most 1 "ROUND" message`,
		sentence: "An upper bound on the user turns of one kind.",
		bind: func(s *scenario) any {
			return seen2(s, func(r *sim.Result, n int, kind string) error {
				if got := len(r.Of(wire.Kind(kind))); got > n {
					return fmt.Errorf("the site received %d", got)
				}
				return nil
			})
		},
		check: among(1, "message", ours),
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
