package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bridgesim/bridge/point"
)

// Family groups kinds; each has a file of its own.
type Family string

// The families.
const (
	Transport Family = "transport"
	Target    Family = "target"
	Browsers  Family = "browser"
	Pi        Family = "pi"
	SiteFault Family = "site"
	Agents    Family = "agent"
	Software  Family = "software"
)

// Param is one parameter that a kind reads.
type Param struct {
	Name    string // as in a schedule: how, for, code, text, back, caps
	Default string // "" = none is needed
	Meaning string
}

// Info is one line of the table: everything that is fixed about a kind.
type Info struct {
	Kind     Kind
	Family   Family
	Sentence string // what goes wrong, for a person
	Params   []Param
	Virtual  string // how the model does it
	Chromium string // how it is done to the real thing
	// Permanent kinds never heal by themselves, and say so. A kind that has a "for" is permanent
	// without one.
	Permanent bool

	defaults Params
	manner   manner
	where    func(p *place, phase point.Phase) bool
	duty     func(a point.Address, p Params) (Duty, string)
}

// manner says whose hands do it, and what becomes of the answer of an "after".
type manner uint8

const (
	breaks  manner = iota + 1 // the striker does it; the answer is lost with the thing
	leaves                    // the striker does it; the thing lives on and its answer arrives
	reloads                   // the striker does it; commands in flight end with the protocol's error
	bends                     // the interposer does it to this one answer
	kills                     // pi dies
	forgets                   // the journal goes, pi lives
	sites                     // the site does it
	agents                    // the agent does it
	bugs                      // pi panics
)

// Engines that the table knows.
const (
	EngineVirtual  = "virtual"
	EngineChromium = "chromium"
)

// Table is the whole vocabulary, family by family.
func Table() []Info {
	return slices.Concat(transport, targets, browsers, pis, sitesTable, agentsTable, software)
}

// table is made once: the interposer looks kinds up by the thousand.
var table = Table()

// Of returns the line of a kind; false when there is none.
func Of(k Kind) (*Info, bool) {
	for i := range table {
		if table[i].Kind == k {
			return &table[i], true
		}
	}
	return nil, false
}

// Kinds lists the kinds in the order of the table.
func Kinds() []Kind {
	out := make([]Kind, len(table))
	for i := range table {
		out[i] = table[i].Kind
	}
	return out
}

// Available tells whether the kind can strike an operation in a phase on an engine.
func (i *Info) Available(engine string, op point.Op, phase point.Phase) bool {
	p := placeOf(op)
	if p == nil || engine != EngineVirtual && engine != EngineChromium {
		return false
	}
	return i.where(p, phase)
}

// DutyAt is what a correct bridge must do when the kind strikes at an address, with the reason.
// Params matter where a fault heals only with a "for".
func (i *Info) DutyAt(a point.Address, p Params) (Duty, string) { return i.duty(a, i.fill(p)) }

// Duty is DutyAt over the operations that a quiet session meets in a phase of round 0 or a later
// one; those of a recovery inherit what the loss before them left, and after the end nothing
// matters any more. It is Either when it depends on the operation, and the reason names which.
func (i *Info) Duty(phase point.Phase, round int) (Duty, string) {
	var verdicts []verdict
	for k := range places {
		p := &places[k]
		if !i.where(p, phase) || !p.quiet(round) {
			continue
		}
		for step := 1; step <= p.steps(); step++ {
			a := point.Address{Op: p.op, Round: round, Step: step, Phase: phase}
			d, why := i.DutyAt(a, Params{})
			verdicts = append(verdicts, verdict{d, why, p.op})
		}
	}
	return fold(verdicts)
}

// quiet tells whether a session without a loss meets the operation in a round.
func (p *place) quiet(round int) bool {
	switch p.moment {
	case looking:
		return round == 0 && atStart(p.op)
	case executing:
		return round > 0 && p.op != point.AgentLookup
	}
	return p.moment != leaving && p.op != point.SendRevoke
}

// steps is how many steps of an operation differ in their duty.
func (p *place) steps() int {
	if p.op == point.SendSubmit {
		return 2
	}
	return 1
}

type verdict struct {
	duty Duty
	why  string
	op   point.Op
}

// fold is the duty that all verdicts share; else Either, with each duty's operations.
func fold(all []verdict) (Duty, string) {
	if len(all) == 0 {
		return "", "it cannot strike in this phase"
	}
	other := func(v verdict) bool {
		return v.duty != all[0].duty || v.duty == Either && v.why != all[0].why
	}
	if !slices.ContainsFunc(all, other) {
		return all[0].duty, all[0].why
	}
	var parts []string
	for _, d := range []Duty{Stop, Either, Complete} {
		if ops := opsWith(all, d); ops != "" {
			parts = append(parts, string(d)+" at "+ops)
		}
	}
	return Either, "it depends on the operation: " + strings.Join(parts, "; ")
}

func opsWith(all []verdict, d Duty) string {
	var ops []string
	for _, v := range all {
		if v.duty == d && !slices.Contains(ops, string(v.op)) {
			ops = append(ops, string(v.op))
		}
	}
	return strings.Join(ops, ", ")
}

// fill puts the kind's defaults where a parameter is not given.
func (i *Info) fill(p Params) Params {
	d := i.defaults
	if p.How == "" {
		p.How = d.How
	}
	if p.For == 0 {
		p.For = d.For
	}
	if p.Code == 0 {
		p.Code = d.Code
	}
	if p.Text == "" {
		p.Text = d.Text
	}
	if p.Back == 0 {
		p.Back = d.Back
	}
	if p.Caps == nil {
		p.Caps = d.Caps
	}
	return p
}

// reads tells whether the kind reads a parameter.
func (i *Info) reads(name string) bool {
	return slices.ContainsFunc(i.Params, func(p Param) bool { return p.Name == name })
}

// Filled is the fault with its kind's defaults in place.
func (f Fault) Filled() Fault {
	if i, ok := Of(f.Kind); ok {
		f.Params = i.fill(f.Params)
	}
	return f
}

// Duty is what a correct bridge must do about this fault, with the reason.
func (f Fault) Duty() (Duty, string) {
	i, ok := Of(f.Kind)
	if !ok {
		return Either, fmt.Sprintf("kind %q is not known", f.Kind)
	}
	return i.DutyAt(f.At, f.Params)
}

// Permanent tells whether the fault never heals by itself.
func (f Fault) Permanent() bool {
	i, ok := Of(f.Kind)
	return ok && (i.Permanent || i.reads("for") && i.lasts(i.fill(f.Params)) == 0)
}

// lasts is how long the fault itself lasts; 0 with a "for" means for good. What kills pi reads it
// as the time until pi is started again.
func (i *Info) lasts(p Params) time.Duration {
	if i.manner == kills && p.For == 0 {
		return time.Nanosecond
	}
	return p.For
}

// The rules of place that families share.

func withBrowser(p *place, ph point.Phase) bool {
	return ph != point.Late && !p.class.in(writing)
}

// onWire is a command to the browser or the page.
func onWire(p *place, ph point.Phase) bool {
	return ph != point.Late && p.class.in(browsing, reading, acting)
}

// late: only a command that changes something can change it late.
func lateToo(p *place, ph point.Phase) bool {
	if ph == point.Late {
		return p.class == acting
	}
	return !p.class.in(writing)
}

// onTab: a tab of ours is known, or is about to be attached to.
func onTab(p *place, ph point.Phase) bool {
	if ph == point.Late {
		return false
	}
	return p.op == point.Attach || p.op == point.ClosePage && ph == point.Before ||
		p.class.in(reading, acting, working)
}

func params(list ...Param) []Param { return list }

func forParam(def, meaning string) Param { return Param{"for", def, meaning} }

// always is a duty that no place changes.
func always(d Duty, why string) func(point.Address, Params) (Duty, string) {
	return func(point.Address, Params) (Duty, string) { return d, why }
}
