package explore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"bridgesim/faults"
	"bridgesim/scenarios"
	"bridgesim/sim"
)

// Session is one scenario, compiled once.
type Session struct {
	Name string
	URI  string
	Line int
	Tags []string
	// Given are the steps that make the script, without those of its schedule.
	Given []string
	// Script is what is played. Its Schedule are the session's own faults, the base; End and
	// Plans are those of the run without any fault.
	Script sim.Script
}

// Base is the session's own schedule.
func (s *Session) Base() faults.Schedule { return s.Script.Schedule }

// Place is the session's file and line.
func (s *Session) Place() string { return fmt.Sprintf("%s:%d", s.URI, s.Line) }

// ErrSession says that a session cannot be explored: its run without explored faults is not in
// order itself.
var ErrSession = errors.New("the session cannot be explored")

// Load compiles the sessions under the paths and plays each without faults, so that it is known
// what a run converges to. Errors are *scenarios.InputError, or wrap ErrSession.
func Load(ctx context.Context, paths []string, tags string, seed uint64) ([]Session, error) {
	compiled, err := scenarios.Compile(paths, tags, seed)
	if err != nil {
		return nil, err
	}
	p := newPlayer(&Options{Engine: sim.Virtual()})
	out := make([]Session, 0, len(compiled))
	for i := range compiled {
		c := &compiled[i]
		s := Session{
			Name: c.Name, URI: c.URI, Line: c.Line, Tags: c.Tags, Given: c.Given, Script: c.Script,
		}
		if err := s.learn(ctx, p); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// ErrBroken says that the bridge breaks a promise in the session as it stands, so that everything
// found beyond that would be about the session.
var ErrBroken = errors.New("a session breaks a promise as it stands")

// learn plays the session without any fault.
func (s *Session) learn(ctx context.Context, p *player) error {
	quiet := s.Script
	quiet.Schedule = nil
	o, err := p.play(ctx, &quiet, nil)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", s.Place(), err)
	case len(o.Broken) > 0:
		return fmt.Errorf("%w: %s: its run without faults breaks %q: %s", ErrBroken, s.Place(),
			o.Broken[0].Promise, o.Broken[0].Message)
	}
	if s.Script.End == "" {
		s.Script.End, s.Script.Plans = o.End, o.Plans
	}
	return nil
}

// fingerprint tells two sets of sessions apart: shards of different ones are not merged.
func fingerprint(sessions []Session) string {
	h := sha256.New()
	for i := range sessions {
		s := &sessions[i]
		fmt.Fprintf(h, "%q %q %q %d %q\n",
			s.Name, s.Given, s.Base().String(), s.Script.Seed, s.Script.End)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
