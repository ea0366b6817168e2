package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bridgesim/bridge"
	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// Runner plays scripts on one engine, one after the other, in memory that it keeps: the event heap,
// the history, the journal, the index of the oracles and what they read before.
//
//	Run ──► Result ──► read it
//	Run ──► the same memory: the Result before is void
//
// A Runner belongs to one goroutine. Two of them share nothing that changes, so who explores gives
// one to each worker. A run does not depend on those before it: same script, same bytes.
type Runner struct {
	// Ports, when it is set, sees what each process of pi is given before pi does, and may put
	// something between: a recorder. note stamps an event and appends it to the history.
	Ports func(life int, c bridge.Config, note func(history.Event)) bridge.Config

	engine Engine
	kept   kept
}

// NewRunner returns a runner on an engine; whoever makes one closes it.
func NewRunner(e Engine) *Runner { return &Runner{engine: e} }

// Close gives back the stack on which processes ran. The last Result stays good, and a Run may
// follow, after which Close is due again.
func (r *Runner) Close() {
	if l := r.kept.model.loop; l != nil {
		l.Close()
	}
}

// Run plays a script, as [RunVisited] does. The Result, its World and its Log are good until the
// next Run.
func (r *Runner) Run(
	ctx context.Context, s *Script, visit func(point.Address),
) (*Result, error) {
	r.kept.ports = r.Ports
	w, err := r.build(ctx, s, visit)
	if err != nil {
		return nil, fmt.Errorf("building the %s world of %q: %w", r.engine.Name(), s.Name, err)
	}
	res, err := w.play(ctx)
	if cerr := w.stage.Close(); cerr != nil {
		err = errors.Join(err, fmt.Errorf("taking the stage down: %w", cerr))
	}
	return res, err
}

// kept is what one run leaves to the next: memory, and what depends on texts alone.
type kept struct {
	world  World
	log    *history.Log
	trace  trace
	eyes   witness
	result Result
	judge  oracle.Case
	model  virtualStage
	visits faults.Visits
	ports  func(life int, c bridge.Config, note func(history.Event)) bridge.Config

	reader  *oracle.Reader // of this request and these denials
	request string
	denials []string
}

// begin makes the world of a run.
func (k *kept) begin(s *Script, engine string) *World {
	h := history.Header{
		Seed: s.Seed, Engine: engine, Scenario: s.Name, Schedule: s.Schedule.String(),
	}
	if k.log == nil {
		k.log = history.New(h)
		k.log.KeepBodies = true // a history that is judged needs them
	} else {
		k.log.Reset(h)
	}
	w := &k.world
	*w = World{
		Script: s, Log: k.log, caps: s.Capabilities, trace: &k.trace, kept: k, passed: w.passed[:0],
	}
	k.eyes = witness{w: w, journal: journal{lines: k.eyes.journal.lines[:0]}}
	k.trace.reset()
	k.visits.Reset()
	k.trace.witness = &k.eyes
	return w
}

// leave makes the empty result of a run.
func (k *kept) leave(w *World) *Result {
	clear(k.result.Received)
	k.result = Result{
		World: w, Received: k.result.Received[:0], Findings: k.result.Findings[:0],
	}
	return &k.result
}

// readerOf gives the reader for a script's request: it remembers the texts that it read.
func (k *kept) readerOf(s *Script) *oracle.Reader {
	if k.reader == nil || k.request != s.Wanted() || !sameList(k.denials, s.Denials) {
		k.request, k.denials = s.Wanted(), s.Denials
		k.reader = oracle.NewReader(k.request, k.denials)
	} else {
		k.reader.Reset()
	}
	return k.reader
}

// sameList: none given and an empty list differ.
func sameList(a, b []string) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }
