package sim

import (
	"context"
	"errors"
	"fmt"

	"bridgesim/bridge"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/agent"
	"bridgesim/sim/history"
)

// World is one run: a script, the parts that play it, and what they leave.
type World struct {
	Script *Script
	Log    *history.Log
	Agent  *agent.Scripted

	stage Stage
	site  *fakesite.Site
	trace *trace
}

// Run plays a script on an engine. An error means that the world could not be built or that it broke
// a law of its own; what the bridge did, good or bad, is in the Result.
func Run(ctx context.Context, e Engine, s *Script) (*Result, error) {
	w, err := build(ctx, e, s)
	if err != nil {
		return nil, fmt.Errorf("building the %s world of %q: %w", e.Name(), s.Name, err)
	}
	res, err := w.play(ctx)
	if cerr := w.stage.Close(); cerr != nil {
		err = errors.Join(err, fmt.Errorf("taking the stage down: %w", cerr))
	}
	return res, err
}

func build(ctx context.Context, e Engine, s *Script) (*World, error) {
	timing, err := timingOf(s)
	if err != nil {
		return nil, err
	}
	w := &World{Script: s, Log: history.New(history.Header{Seed: s.Seed, Engine: e.Name(), Scenario: s.Name})}
	w.site = fakesite.New(fakesite.Config{
		Script: s.Persona, Timing: timing, Options: s.Options,
		Entropy: clock.Seeded(s.Seed ^ saltSite),
	})
	w.site.Block(s.Blocker)
	if w.stage, err = e.Stage(ctx, w); err != nil {
		return nil, err
	}
	w.trace = newTrace(w.Log, w.stage.WorldClock())
	w.Agent = agent.New(w.stage.WorldClock(), wire.PlanKey, s.Agent, w.trace.claimed)
	return w, nil
}

// Salts keep the random streams of the world's parts apart: a draw of one never shifts another's.
const (
	saltSite    = 0x73697465
	saltBridge  = 0x62726964
	saltBrowser = 0x62726f77
)

func timingOf(s *Script) (fakesite.Timing, error) {
	if s.Timing == "" {
		return fakesite.Instant(), nil
	}
	return fakesite.TimingByName(s.Timing)
}

// play lets pi run once and collects what it left.
func (w *World) play(ctx context.Context) (*Result, error) {
	res := &Result{World: w}
	err := w.stage.Play(ctx, func(ctx context.Context, p Process) {
		cfg, err := w.config(p)
		if err == nil {
			res.Report, err = bridge.Run(ctx, cfg)
			err = errors.Join(err, cfg.Store.Close())
		}
		res.Err = err
	})
	if err != nil {
		return res, fmt.Errorf("playing %q: %w", w.Script.Name, err)
	}
	return res, res.collect()
}

func (w *World) config(p Process) (bridge.Config, error) {
	store, err := w.stage.Store()
	if err != nil {
		return bridge.Config{}, err
	}
	dialer := p.Browser
	if w.trace.at = p.At; p.At == nil {
		dialer = w.trace.dialer(dialer)
	}
	s := w.Script
	request := s.Request
	if request == "" {
		request = DefaultRequest
	}
	return bridge.Config{
		Request: request, Objective: s.Objective,
		Capabilities: s.Capabilities, Denials: s.Denials,
		Site: w.stage.SiteURL(), Browser: dialer, Store: store, Agent: w.Agent,
		Clock: p.Clock, Entropy: clock.Seeded(s.Seed ^ saltBridge), Tracer: w.trace,
		Limits: s.Limits, Tuning: w.stage.Tuning(),
	}, nil
}
