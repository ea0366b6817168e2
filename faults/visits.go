package faults

import "bridgesim/bridge/point"

// Visits counts how often a run passed each place. Places lie by round: a round has a few dozen of
// them, however long the session is.
type Visits struct{ rounds [][]visit }

// visit is one (operation, state) of a round.
type visit struct {
	op    point.Op
	state string
	n     int
}

// Reset forgets all places and keeps the memory.
func (v *Visits) Reset() {
	for k := range v.rounds {
		v.rounds[k] = v.rounds[k][:0]
	}
}

// count counts one more visit, and returns the how manieth it is.
func (v *Visits) count(at point.Address) int {
	round := max(at.Round, 0)
	for len(v.rounds) <= round {
		v.rounds = append(v.rounds, nil)
	}
	places := v.rounds[round]
	for k := len(places) - 1; k >= 0; k-- {
		if p := &places[k]; p.op == at.Op && p.state == at.State {
			p.n++
			return p.n
		}
	}
	v.rounds[round] = append(places, visit{at.Op, at.State, 1})
	return 1
}
