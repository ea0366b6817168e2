package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/agent"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// World is one run: a script, the parts that play it, and what they leave.
type World struct {
	Script *Script
	Log    *history.Log
	Agent  *agent.Scripted

	stage  Stage
	site   *fakesite.Site
	trace  *trace
	faults *faults.Interposer
	caps   []string      // of the next process of pi
	open   session.Store // of the process that runs
	passed []point.Address
	hear   func(point.Address) // of whoever asked for the places of the run; may be nil
	kept   *kept               // of the runner
}

// Run plays a script on an engine. An error means that the world could not be built or that it
// broke a law of its own; what the bridge did, good or bad, is in the Result.
func Run(ctx context.Context, e Engine, s *Script) (*Result, error) {
	return RunVisited(ctx, e, s, nil)
}

// RunVisited is Run for who wants to know where the run passes: visit hears the address of every
// outside call as it is made, without a phase, in order. A poll has the state that it saw. With nil
// it is Run. What is heard changes nothing of the run.
func RunVisited(
	ctx context.Context, e Engine, s *Script, visit func(point.Address),
) (*Result, error) {
	r := NewRunner(e)
	defer r.Close()
	return r.Run(ctx, s, visit)
}

func (r *Runner) build(
	ctx context.Context, s *Script, visit func(point.Address),
) (*World, error) {
	timing, err := timingOf(s)
	if err != nil {
		return nil, err
	}
	w := r.kept.begin(s, r.engine.Name())
	w.hear = visit
	w.site = fakesite.New(fakesite.Config{
		Script: s.Persona, Timing: timing, Options: s.Options,
		Entropy: s.stream("site", 0), Watch: w.trace.ledger,
	})
	w.site.Block(s.Blocker)
	if w.stage, err = r.engine.Stage(ctx, w); err != nil {
		return nil, err
	}
	w.trace.begin(w.Log, w.stage.WorldClock(), r.kept.readerOf(s))
	w.trace.add(w.opening())
	w.Agent = agent.New(w.stage.WorldClock(), wire.PlanKey, s.Agent, w.trace.claimed)
	w.interpose(w.trace)
	return w, nil
}

// interpose puts the schedule between pi and everything outside it. Without a schedule nothing is
// wrapped. What pi says of itself goes to tr.
func (w *World) interpose(tr point.Tracer) {
	w.faults = faults.New(w.Script.Schedule, w.stage.Striker(), w.trace.struck, faults.Ports{
		Tracer: tr, Site: w.stage.Site, Cache: w.stage.Cache(),
		After: w.stage.After, AfterReal: w.stage.AfterReal,
		Visit: w.visit(), Visits: &w.kept.visits,
	})
}

// visit keeps the places that the run passes, for a schedule that may have to be corrected.
func (w *World) visit() func(point.Address) {
	switch {
	case w.hear != nil:
		return w.hear
	case len(w.Script.Schedule) == 0:
		return nil
	}
	return func(a point.Address) { w.passed = append(w.passed, a) }
}

func (w *World) places() []point.Address { return w.passed }

func timingOf(s *Script) (fakesite.Timing, error) {
	if s.Timing == "" {
		return fakesite.Instant(), nil
	}
	return fakesite.TimingByName(s.Timing)
}

// maxLives is how often pi is started in one run; no schedule needs more.
const maxLives = 64

// play lets pi run, starts it again as often as the schedule kills it, and collects what is left.
func (w *World) play(ctx context.Context) (*Result, error) {
	res := w.kept.leave(w)
	defer w.faults.Close()
	for life := 0; ; life++ {
		killed, err := w.live(ctx, life, res)
		if err != nil {
			return res, fmt.Errorf("playing %q: %w", w.Script.Name, err)
		}
		if killed == nil {
			break
		}
		w.trace.add(history.Event{Lane: history.World, Kind: "killed"})
		if life == maxLives {
			return res, fmt.Errorf("playing %q: pi was killed %d times", w.Script.Name, life)
		}
		if caps := killed.Fault.CapsOf(); caps != nil {
			w.caps = caps
		}
		if err := w.stage.Idle(ctx, killed.Fault.Params.For); err != nil {
			return res, fmt.Errorf("waiting for pi to be started again: %w", err)
		}
	}
	outcome := string(res.Report.Outcome)
	if outcome == "" && res.Err != nil {
		outcome = oracle.RefusedToBegin
	}
	w.trace.add(history.Event{Lane: history.World, Kind: "end", Key: outcome})
	res.Unreached = w.faults.Unreached()
	if err := res.collect(); err != nil {
		return res, err
	}
	return res, res.judge()
}

// opening is the first event of the history: what the world knows before anything happens.
func (w *World) opening() history.Event {
	return oracle.Script{
		Request: w.Script.Wanted(), Denials: w.Script.Denials, End: w.Script.End, Plans: w.Script.Plans,
		Pace: w.stage.Pace(),
		Views: []history.Lane{
			history.Bridge, history.CDP, history.Site, history.Agent, history.Store, history.Fault,
			history.World, history.Verdict,
		},
	}.Event()
}

// asked is what a process of pi is given as its request.
func (w *World) asked(life int) string {
	if life > 0 && w.Script.Later.Request != "" {
		return w.Script.Later.Request
	}
	return w.Script.Wanted()
}

// named is the conversation that a person names when pi is started again, "" when nobody does.
func (w *World) named(life int) (id string) {
	if life == 0 || !w.Script.Later.Named {
		return ""
	}
	w.stage.Site(func(_ time.Time, s *fakesite.Site) {
		if got := s.Ledger().Received(); len(got) > 0 {
			id = got[len(got)-1].Conversation
		}
	})
	return id
}

// live is one process of pi. It reports the kill that ended it, or nil for an end of its own. A
// panic that the schedule planted is the end that row 15 demands; any other is an error of the run.
func (w *World) live(
	ctx context.Context, life int, res *Result) (killed *faults.Killed, err error,
) {
	err = w.stage.Play(ctx, func(ctx context.Context, p Process) {
		killed = w.faults.Survive(func() { w.pi(ctx, life, p, res) })
	})
	if bug := planted(err); bug != nil {
		w.trace.crashed(bug)
		_ = w.open.Close() // what the kernel does for a process that ended
		res.Report = bridge.Report{Outcome: bridge.Thrown, Row: 15, Reason: err.Error(), Err: err}
		return nil, nil
	}
	return killed, err
}

// pi is the program: it runs the session, or takes it up again.
func (w *World) pi(ctx context.Context, life int, p Process, res *Result) {
	cfg, err := w.config(life, p)
	if err != nil {
		res.Err = err
		return
	}
	run, how := bridge.Run, "run"
	if life > 0 {
		run, how = bridge.Resume, "resume"
	}
	w.trace.add(history.Event{
		Lane: history.World, Kind: "start", Key: how, Text: w.trace.witness.led,
	})
	res.Report, err = run(ctx, cfg)
	res.Err = errors.Join(err, cfg.Store.Close())
}

func (w *World) config(life int, p Process) (bridge.Config, error) {
	store, err := w.stage.Store()
	if err != nil {
		return bridge.Config{}, err
	}
	w.open = store
	dialer := p.Browser
	if w.trace.at = p.At; p.At == nil {
		e := w.trace.witness.wire(p.tabs)
		dialer, p.eye = w.trace.dialer(dialer, e), e
	}
	w.trace.witness.begin(life, p.eye)
	s := w.Script
	f := w.faults
	cfg := bridge.Config{
		Request: w.asked(life), Objective: s.Objective, Conversation: w.named(life),
		Capabilities: w.caps, Denials: s.Denials,
		Site: w.stage.SiteURL(), Clock: f.Clock(p.Clock), Browser: f.Dialer(dialer),
		Store: f.Store(w.trace.store(store)), Agent: f.Agent(w.Agent),
		Entropy: w.chance(life), Tracer: f,
		Limits: s.Limits, Tuning: w.stage.Tuning(),
	}
	if w.kept.ports != nil {
		cfg = w.kept.ports(life, cfg, w.trace.add)
	}
	return cfg, nil
}

// chance is what one process of pi draws from.
func (w *World) chance(life int) clock.Entropy { return w.Script.stream("pi", life) }

// planted is the panic that a fault of the schedule brought about, or nil.
func planted(err error) *faults.Bug {
	var crash *PanicError
	if errors.As(err, &crash) {
		if bug, ok := crash.Value.(faults.Bug); ok {
			return &bug
		}
	}
	return nil
}

// PanicError is a panic of pi, kept with its stack. No port recovers one.
type PanicError struct {
	Value any
	Stack []byte
}

// Error tells with what pi panicked.
func (p *PanicError) Error() string { return fmt.Sprintf("pi panicked: %v", p.Value) }
