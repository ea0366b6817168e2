package scenarios

import (
	"context"
	"fmt"

	"bridgesim/fakesite"
	"bridgesim/sim"
)

// scenario is what the steps of one scenario share.
type scenario struct {
	engine sim.Engine
	on     string // the name of an engine; "" = any
	checks sim.Checks
	script sim.Script
	// relays is set by the When step; a scenario without one is a mistake of its author.
	relays bool
	result *sim.Result
	err    error
}

// play plays the script once, at the first Then. That pi refused to begin is not its error.
func (s *scenario) play(ctx context.Context) (*sim.Result, error) {
	if !s.relays {
		return nil, fmt.Errorf("nothing has run: the scenario has no When step")
	}
	if s.result == nil && s.err == nil {
		s.result, s.err = sim.RunChecked(ctx, s.engine, &s.script, s.checks)
		if s.err == nil {
			s.err = s.result.Broken()
		}
	}
	return s.result, s.err
}

// run is play for a pi that begins.
func (s *scenario) run(ctx context.Context) (*sim.Result, error) {
	r, err := s.play(ctx)
	if r != nil && r.Err != nil {
		return r, fmt.Errorf("the bridge could not begin: %w", r.Err)
	}
	return r, err
}

// round gives the script of one round, made if it is not there.
func (s *scenario) round(n int) *fakesite.RoundScript {
	rounds := &s.script.Persona.Rounds
	for i := range *rounds {
		if (*rounds)[i].Round == n {
			return &(*rounds)[i]
		}
	}
	*rounds = append(*rounds, fakesite.RoundScript{Round: n})
	return &(*rounds)[len(*rounds)-1]
}

// answer adds one answer to a round.
func (s *scenario) answer(n int, m fakesite.Move) {
	r := s.round(n)
	r.Moves = append(r.Moves, m)
}

// last is the last answer that a round has so far; nil when it has none.
func (s *scenario) last(n int) *fakesite.Move {
	moves := s.round(n).Moves
	if len(moves) == 0 {
		return nil
	}
	return &moves[len(moves)-1]
}

// seen is a Then step: it runs the script if that has not happened, and judges the result.
func seen[A any](s *scenario, judge func(*sim.Result, A) error) any {
	return func(ctx context.Context, a A) error {
		r, err := s.run(ctx)
		if err != nil {
			return err
		}
		return judge(r, a)
	}
}

// seen2 is seen for two arguments.
func seen2[A, B any](s *scenario, judge func(*sim.Result, A, B) error) any {
	return func(ctx context.Context, a A, b B) error {
		r, err := s.run(ctx)
		if err != nil {
			return err
		}
		return judge(r, a, b)
	}
}

// seen0 is seen without an argument.
func seen0(s *scenario, judge func(*sim.Result) error) any {
	return func(ctx context.Context) error {
		r, err := s.run(ctx)
		if err != nil {
			return err
		}
		return judge(r)
	}
}
