package fakesite

import (
	"fmt"
	"slices"
	"time"
)

// Script is what the persona is told to do. The zero value is a careful model that acknowledges and
// answers round 1 with a plan whose decision is done.
type Script struct {
	// Handshake are the successive answers to HELLO and RESYNC.
	Handshake []Move
	// Resume are the successive answers to RESUME.
	Resume []Move
	// Rounds script single rounds; a round without one gets Rest.
	Rounds []RoundScript
	Rest   Move
}

// RoundScript are the successive answers in one round: the first to ROUND, the others to each
// REPAIR. When they run out, the last one is repeated without its deviation.
type RoundScript struct {
	Round int
	Moves []Move
}

// Move is one answer. The zero value is the correct default of its round: a nil list or an empty
// string means the default text, a list that is empty but not nil means none.
type Move struct {
	Decision string // "" = done in the last scripted round and behind it, continue before
	Task     string
	Goal     string
	Steps    []string
	Files    []string // "<path> :: <change>"
	Commands []string
	Risks    []string
	Verify   []string
	Notes    string

	Deviate Deviation
	Say     string // the whole reply, verbatim; of the rest only Think and Write count then

	Think time.Duration // instead of Timing.Think; 0 = that
	Write time.Duration // whole time of writing, instead of Timing.Chunk; 0 = that
}

// correct is the move without what makes it wrong.
func (m Move) correct() Move {
	m.Say = ""
	if !m.Deviate.harmless() {
		m.Deviate = ""
	}
	return m
}

// pick is the n-th move, from 0; behind the last one, that one in its correct form.
func pick(moves []Move, n int) Move {
	switch {
	case n < len(moves):
		return moves[n]
	case len(moves) == 0:
		return Move{}
	}
	return moves[len(moves)-1].correct()
}

// move is the n-th answer in a round, and whether the default decision there is done.
func (s *Script) move(round, n int) (m Move, final bool) {
	last := 0
	m, found := s.Rest, false
	for i := range s.Rounds {
		r := &s.Rounds[i]
		last = max(last, r.Round)
		if r.Round == round && len(r.Moves) > 0 {
			m, found = pick(r.Moves, n), true
		}
	}
	if !found && n > 0 {
		m = m.correct()
	}
	return m, round >= last
}

// Validate names the first thing in the script that makes no sense: a round below 1 or given twice,
// an unknown decision, an unknown deviation or one that does not apply to that kind of answer.
func (s *Script) Validate() error {
	for i := range s.Handshake {
		if err := s.Handshake[i].validate(PartAck); err != nil {
			return fmt.Errorf("script: handshake answer %d: %w", i+1, err)
		}
	}
	for i := range s.Resume {
		if err := s.Resume[i].validate(PartResume); err != nil {
			return fmt.Errorf("script: resume answer %d: %w", i+1, err)
		}
	}
	seen := make([]int, 0, len(s.Rounds))
	for i := range s.Rounds {
		r := &s.Rounds[i]
		if r.Round < 1 || slices.Contains(seen, r.Round) {
			return fmt.Errorf("script: round %d: rounds count from 1, each once", r.Round)
		}
		seen = append(seen, r.Round)
		for j := range r.Moves {
			if err := r.Moves[j].validate(PartPlan); err != nil {
				return fmt.Errorf("script: round %d, answer %d: %w", r.Round, j+1, err)
			}
		}
	}
	if err := s.Rest.validate(PartPlan); err != nil {
		return fmt.Errorf("script: rest: %w", err)
	}
	return nil
}

var decisions = []string{"continue", "done", "blocked", "need_info"}

func (m *Move) validate(part Part) error {
	if m.Decision != "" && !slices.Contains(decisions, m.Decision) {
		return fmt.Errorf("decision %q is not known: use one of %q (or the deviation %q)",
			m.Decision, decisions, PlanDecision)
	}
	if m.Deviate == "" {
		return nil
	}
	info, ok := DeviationByName(m.Deviate)
	if !ok {
		return fmt.Errorf("deviation %q is not known: see Deviations()", m.Deviate)
	}
	if !slices.Contains(info.Applies, part) {
		return fmt.Errorf("deviation %q applies to %q, not to %q", m.Deviate, info.Applies, part)
	}
	return nil
}
