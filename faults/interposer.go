package faults

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/fakesite"
)

// Ports are what the interposer needs from the world, beyond the engine's striker. A port that the
// schedule does not use may be nil; a fault that needs a missing one is missed and says so.
type Ports struct {
	// Tracer hears what the interposer heard.
	Tracer point.Tracer
	// Site calls its argument with the site, alone, and the site's time.
	Site func(func(now time.Time, s *fakesite.Site))
	// Cache is pi's state folder, for the faults of the journal.
	Cache Cache
	// After calls f when d has passed on the world's clock; AfterReal on the clock of single calls,
	// which is never scaled. On the virtual engine both are the loop's.
	After, AfterReal func(d time.Duration, f func())
	// Visit hears every address that a run passes, once for each call; nil costs nothing. State and
	// step are filled in, the phase is empty.
	Visit func(a point.Address)
	// Visits is memory for counting them, emptied by Reset; nil: the interposer makes its own.
	Visits *Visits
}

// Interposer stands between a bridge and everything outside it, on any engine. It computes the
// address of every outside call, and strikes where the schedule says so. It lives as long as the
// run: the processes of pi come and go behind it, and steps are counted through.
type Interposer struct {
	faults  []armed
	striker Striker
	log     func(Event)
	ports   Ports
	proc    *process
	dead    []deadTask  // what the agent died over
	mute    atomic.Bool // the agent answers nothing
	ended   atomic.Bool // the run is over: nothing heals any more
	asked   task        // what the agent was asked about last

	op    point.Op
	round int
	told  bool // an operation was announced and its call has not come yet

	mu sync.Mutex // guards the stages: healing comes from a timer on a real engine
}

// New makes an interposer for a schedule, and arms it. log hears each step of each fault; it may be
// nil.
func New(s Schedule, striker Striker, log func(Event), ports Ports) *Interposer {
	if ports.Tracer == nil {
		ports.Tracer = point.Silent{}
	}
	i := &Interposer{striker: striker, log: log, ports: ports, proc: &process{}}
	i.faults = make([]armed, len(s))
	for k := range s {
		f := &i.faults[k]
		f.fault = s[k].Filled()
		f.info, _ = Of(s[k].Kind)
		i.say(f, Armed, f.fault.At, "it waits for its address")
	}
	return i
}

// Close ends the run: a timer that comes later heals nothing any more.
func (i *Interposer) Close() { i.ended.Store(true) }

// idle: there is nothing to do, so nothing is wrapped.
func (i *Interposer) idle() bool { return len(i.faults) == 0 && i.ports.Visit == nil }

var _ point.Tracer = (*Interposer)(nil)

// Op implements point.Tracer: the outside call that follows belongs to this operation.
func (i *Interposer) Op(op point.Op, round int) {
	i.proc.enter()
	i.op, i.round, i.told = op, round, true
	i.ports.Tracer.Op(op, round)
}

// Note implements point.Tracer.
func (i *Interposer) Note(n point.Note) {
	i.proc.enter()
	i.ports.Tracer.Note(n)
}

// Verdict passes on what a Tracer hears of a verdict besides its note, if the one behind hears it.
func (i *Interposer) Verdict(v recovery.Verdict, e recovery.Evidence) {
	i.proc.enter()
	if h, ok := i.ports.Tracer.(interface {
		Verdict(v recovery.Verdict, e recovery.Evidence)
	}); ok {
		h.Verdict(v, e)
	}
}

// outside is one call of the bridge to the outside.
type outside struct {
	ctx    context.Context
	limit  time.Duration // of a call that bounds itself; 0 where ctx does
	method string
	aim    Aim
	do     func() error
	// state is what a poll saw, after a do without an error; nil for calls that are no polls.
	state func() string
	// lost is the loss that shows at the thing; nil where the answer of an "after" is never lost.
	lost func() error
	// ask is a harmless command to the same thing, which meets the same loss.
	ask func(ctx context.Context) error
	// events bends the events that came with the answer; nil where there are none.
	events func(bend)
}

// bend is what becomes of the events that came with one answer.
type bend uint8

const (
	drop bend = iota + 1
	twice
	turned
)

// expects tells whether the call that comes is a place of the schedule.
func (i *Interposer) expects() bool {
	i.told = false
	if i.ports.Visit != nil {
		return true
	}
	return i.aimed()
}

// aimed tells whether the schedule has a fault for the operation and round under way. Without one
// nothing can strike, and the call need not be taken apart.
func (i *Interposer) aimed() bool {
	for k := range i.faults {
		if at := &i.faults[k].fault.At; at.Op == i.op && at.Round == i.round {
			return true
		}
	}
	return false
}

// hits counts the call for every fault of its place with this state, and appends those whose step
// has come. An address without a state counts every call.
func (i *Interposer) hits(dst []*armed, state string) []*armed {
	for k := range i.faults {
		f := &i.faults[k]
		at := &f.fault.At
		if at.Op != i.op || at.Round != i.round || at.State != state {
			continue
		}
		if f.seen++; f.seen == at.Step && i.stageOf(f) == Armed {
			dst = append(dst, f)
		}
	}
	return dst
}

// visit tells the address of a call that was made.
func (i *Interposer) visit(state string) {
	if i.ports.Visit == nil {
		return
	}
	at := point.Address{Op: i.op, Round: i.round, State: state}
	at.Step = i.visits().count(at)
	i.ports.Visit(at)
}

func (i *Interposer) visits() *Visits {
	if i.ports.Visits == nil {
		i.ports.Visits = &Visits{}
	}
	return i.ports.Visits
}

// meet takes one outside call through the schedule.
//
//	before ─► strike ─► the call meets the stricken thing
//	late   ─► the call is under way ─► strike ─► its session is gone ─► it takes effect
//	after  ─► the call is carried out ─► strike ─► its answer is lost
//
// What a poll saw is known only when it was made: a "before" at a state lets the poll be made
// twice, the second time against the stricken thing. Polls change nothing.
func (i *Interposer) meet(o *outside) error {
	var room, more [4]*armed
	hit := i.hits(room[:0], "")
	polled := o.state != nil
	if !polled {
		i.visit("")
	}
	if err, settled := i.ahead(hit, o); settled {
		return err
	}
	err, settled := i.carry(hit, o)
	if settled {
		return err
	}
	if polled && err == nil {
		state := o.state()
		i.visit(state)
		if state != "" {
			seen := i.hits(more[:0], state)
			if err, settled = i.again(seen, o); settled {
				return err
			}
			hit = append(hit, seen...)
		}
	}
	for _, f := range hit {
		if f.fault.At.Phase == point.After {
			err = i.after(f, o, err)
		}
	}
	return err
}

// ahead does the faults that come before the call.
func (i *Interposer) ahead(hit []*armed, o *outside) (err error, settled bool) {
	for _, f := range hit {
		if f.fault.At.Phase == point.Before {
			if err, settled = i.before(f, o); settled {
				return err, true
			}
		}
	}
	return nil, false
}

// carry makes the call, late if a fault says so.
func (i *Interposer) carry(hit []*armed, o *outside) (err error, settled bool) {
	for _, f := range hit {
		if f.fault.At.Phase == point.Late {
			return i.late(f, o)
		}
	}
	return o.do(), false
}

// again does the faults that come before a poll with this state, and makes the poll once more.
func (i *Interposer) again(seen []*armed, o *outside) (err error, settled bool) {
	struck := false
	for _, f := range seen {
		struck = struck || f.fault.At.Phase == point.Before
	}
	if !struck {
		return nil, false
	}
	if err, settled = i.ahead(seen, o); settled {
		return err, true
	}
	return o.do(), false
}

// before strikes; settled says that the call is over with err.
func (i *Interposer) before(f *armed, o *outside) (err error, settled bool) {
	i.reach(f)
	if f.info == nil {
		i.miss(f, errUnknown)
		return nil, false
	}
	if f.info.manner != bends {
		i.strike(f, o)
		return nil, false
	}
	switch f.fault.Kind {
	case DropCall:
		i.applied(f, "the command was swallowed: "+o.method)
		return i.silence(o), true
	case Delay:
		i.applied(f, "the command is held back: "+o.method)
		if err := i.wait(o, f.fault.Params.For); err != nil {
			return err, true
		}
		return nil, false
	case CDPError:
		i.applied(f, "the command was refused in the browser's place: "+o.method)
		return protocolError(f, o), true
	}
	i.miss(f, errPhase)
	return nil, false
}

// late lets the call take effect when its session is gone.
func (i *Interposer) late(f *armed, o *outside) (err error, settled bool) {
	i.reach(f)
	if i.striker == nil {
		i.miss(f, errNoStriker)
		return o.do(), false
	}
	lost, evidence, err := i.striker.Late(f.fault, o.aim, o.do)
	if err != nil {
		i.miss(f, err)
		return o.do(), false
	}
	if f.info.manner == kills {
		i.kill(f, evidence)
	}
	i.applied(f, evidence)
	return lost, true
}

// after strikes when the call was carried out, and takes its answer away where the fault does so.
func (i *Interposer) after(f *armed, o *outside, err error) error {
	i.reach(f)
	switch {
	case f.info == nil:
		i.miss(f, errUnknown)
		return err
	case f.info.manner == bends:
		return i.bendAnswer(f, o, err)
	}
	losing := o.lost != nil && (f.info.manner == breaks || f.info.manner == reloads)
	if losing && o.events != nil {
		o.events(drop)
	}
	if !i.strike(f, o) {
		return err
	}
	switch {
	case f.fault.Kind == Stall && o.lost != nil:
		if late := i.wait(o, f.fault.Params.For); late != nil {
			return late
		}
		return err
	case !losing:
		return err
	case f.info.manner == reloads:
		return navigated(o)
	}
	return i.loss(o)
}
