package explore

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/bits"

	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/faults"
	"bridgesim/sim"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// Fate is what became of one fault of a schedule.
type Fate uint8

// The fates.
const (
	NotReached Fate = iota // the run ended before its place
	Missed                 // its place was reached, and it could not be done there
	Struck                 // it took effect
)

// Breach is one promise that a run broke.
type Breach struct {
	Promise string `json:"promise"` // name of the oracle, or Crash
	Message string `json:"message"`
}

// Crash is the promise that is no oracle's: the run comes to an end at all.
const Crash = "crash"

// ErrCrash is the sentence of Crash.
var ErrCrash = errors.New(
	"pi neither panics by itself nor hangs: every run ends, and can be judged")

// Rows is a set of rows of the decision table.
type Rows uint16

func (r Rows) has(row int) bool { return r>>row&1 != 0 }

// Each calls f for each row, in order.
func (r Rows) each(f func(row int)) {
	for ; r != 0; r &= r - 1 {
		f(bits.TrailingZeros16(uint16(r)))
	}
}

// Outcome is what an exploration keeps of one run.
type Outcome struct {
	End     string // the named outcome
	Row     int    // the row that led to it, or the last one that was taken; 0 without
	Rows    Rows
	Edges   uint64 // bits by position in session.Edges
	States  uint64 // bits by position in session.Phases
	Plans   int    // executed
	Fates   []Fate // of the schedule's faults
	Why     []string
	Broken  []Breach
	Unknown []string // oracles that could not judge
	Sum     string   // of the history
	// Whole and Tail are sums over what happened besides the faults: all of it, and what came
	// after the last one took effect. Only depth 2 asks for them.
	Whole, Tail [sha256.Size]byte
}

// Breaks tells whether the run broke a promise.
func (o *Outcome) Breaks(promise string) bool {
	for i := range o.Broken {
		if o.Broken[i].Promise == promise {
			return true
		}
	}
	return false
}

// player is the one seam to the world: it plays one script and keeps what counts. Each worker has
// its own.
type player struct {
	engine sim.Engine
	runner *sim.Runner
	sums   bool // Whole and Tail are wanted
	also   func(*Outcome)
}

func newPlayer(o *Options) *player {
	return &player{engine: o.Engine, runner: sim.NewRunner(o.Engine), sums: o.Depth == 2, also: o.also}
}

// play plays a script; visit hears its places and may be nil. An error is one of the machine or
// the caller, never the bridge's: what the bridge did to the run is in the Outcome.
func (p *player) play(
	ctx context.Context, s *sim.Script, visit func(point.Address),
) (Outcome, error) {
	res, err := p.runner.Run(ctx, s, visit)
	var o Outcome
	if res != nil && res.World != nil {
		o.read(res, s.Schedule)
		if p.sums {
			o.sums(res.World.Log.Events())
		}
		if p.also != nil {
			p.also(&o)
		}
	}
	switch {
	case err == nil:
		return o, nil
	case ctx.Err() != nil:
		return o, ctx.Err()
	case !p.itsOwn(err):
		return o, err
	}
	o.Broken = append(o.Broken, Breach{Crash, err.Error()})
	return o, nil
}

// itsOwn tells whether the error of a run is the bridge's doing. A model has no machine that
// could fail.
func (p *player) itsOwn(err error) bool {
	var crash *sim.PanicError
	var limit *event.LimitError
	return errors.As(err, &crash) || errors.As(err, &limit) || p.engine.Name() == faults.EngineVirtual
}

// read takes over what a run left.
func (o *Outcome) read(r *sim.Result, s faults.Schedule) {
	o.End, o.Row, o.Plans = string(r.Report.Outcome), r.Report.Row, len(r.Executed)
	if o.End == "" && r.Err != nil {
		o.End = oracle.RefusedToBegin
	}
	for _, row := range r.Rows {
		o.Rows |= 1 << row
	}
	if o.Row == 0 && len(r.Rows) > 0 {
		o.Row = r.Rows[len(r.Rows)-1]
	}
	if o.Row > 0 {
		o.Rows |= 1 << o.Row
	}
	for _, e := range r.Edges {
		o.Edges |= edgeBit[e]
	}
	o.states(r.Records)
	o.Sum = r.World.Log.Sum()
	o.fates(r.World.Log.Events(), s)
	for i := range r.Findings {
		o.find(&r.Findings[i])
	}
}

// find keeps what an oracle has to say. That a fault found nothing to strike, or no place, is the
// schedule's matter and counted there; one that struck and left no evidence is a breach.
func (o *Outcome) find(f *oracle.Finding) {
	switch {
	case f.Status == oracle.Pass:
	case f.Oracle.Name == reached && o.lacking():
	case f.Status == oracle.Fail:
		o.Broken = append(o.Broken, Breach{f.Oracle.Name, f.Message})
	default:
		o.Unknown = append(o.Unknown, f.Oracle.Name)
	}
}

const reached = "faults-reached"

// lacking: a fault did not strike, and it is known why.
func (o *Outcome) lacking() bool {
	for _, f := range o.Fates {
		if f != Struck {
			return true
		}
	}
	return false
}

// fates reads what became of each fault.
func (o *Outcome) fates(events []history.Event, s faults.Schedule) {
	if len(s) == 0 {
		return
	}
	o.Fates, o.Why = make([]Fate, len(s)), make([]string, len(s))
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Filled().String()
	}
	for k := range events {
		e := &events[k]
		if e.Lane != history.Fault {
			continue
		}
		fate := Missed
		switch faults.Stage(e.Kind) {
		case faults.Applied:
			fate = Struck
		case faults.Missed:
		default:
			continue
		}
		for i := range names {
			if names[i] == e.Key && o.Fates[i] < fate {
				o.Fates[i], o.Why[i] = fate, e.Text
			}
		}
	}
}

// states marks the states of the journal that the run left; a journal that a fault took away
// tells nothing.
func (o *Outcome) states(records []session.Record) {
	var s session.State
	for i := range records {
		if _, err := s.Apply(records[i]); err != nil {
			return
		}
		o.States |= phaseBit[s.Phase]
	}
}

var (
	edgeBit  = map[string]uint64{}
	phaseBit = map[session.Phase]uint64{}
)

func init() {
	for i := range edges {
		edgeBit[edges[i].Name] = 1 << i
	}
	for i, p := range phases {
		phaseBit[p] = 1 << i
	}
}
