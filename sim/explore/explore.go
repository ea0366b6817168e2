package explore

import (
	"context"
	"errors"
	"fmt"

	"bridgesim/sim"
)

// Options say what is explored.
type Options struct {
	Sessions []Session
	Engine   sim.Engine
	Seed     uint64
	Depth    int // 1 or 2 faults at a time
	Kinds    []Kind
	Jobs     int // workers; results do not depend on it
	Shard    Shard
	// Budget is the number of runs after which no further unit is begun; 0 = all.
	Budget int
	// Swarm is the number of mixes of many faults to play in place of a depth; 0 = none.
	Swarm int
	// NoPrune plays at depth 2 also what an equal run stands for.
	NoPrune bool
	// Each hears how far it is, in order; it may be nil.
	Each func(Progress)
}

// Shard is one of several parts of a plan that together are the whole. The zero value is the whole.
type Shard struct {
	I int `json:"i"` // from 1
	N int `json:"n"`
}

// String is the form of the flag.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// has tells whether a unit belongs to the shard. Neighbours cost about the same, so every n-th.
func (s Shard) has(unit int) bool { return s.N == 0 || unit%s.N == s.I-1 }

// Progress is how far an exploration is.
type Progress struct {
	Units, Of  int // units taken, and of the shard in all
	Runs       int
	Violations int
}

// ErrStopped says that an exploration was ended before its plan was: by its budget, or by a person. Its
// report holds what was found by then.
var ErrStopped = errors.New("the exploration was stopped before its end")

// Explore plays the plan. The error is one of the machine, or ErrStopped with a report that is marked;
// what the bridge did is in the report.
func Explore(ctx context.Context, o Options) (*Report, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = AllKinds()
	}
	p, err := newPlan(ctx, &o)
	if err != nil {
		return nil, err
	}
	var mine []int
	for i := range p.units {
		if o.Shard.has(i) {
			mine = append(mine, i)
		}
	}
	rep := p.report()
	jobs := max(o.Jobs, 1)
	players := make([]*player, jobs)
	for i := range players {
		players[i] = newPlayer(o.Engine)
	}
	taken := 0
	err = inOrder(ctx, len(mine), jobs,
		func(ctx context.Context, worker, i int) (*Tally, error) {
			return p.work(ctx, players[worker], mine[i])
		},
		func(i int, t *Tally) bool {
			taken++
			rep.merge(t)
			if o.Each != nil {
				o.Each(Progress{taken, len(mine), rep.Runs, rep.Violations})
			}
			return o.Budget == 0 || rep.Runs < o.Budget
		})
	switch {
	case taken == len(mine):
		return rep, nil
	case ctx.Err() != nil:
		rep.Stopped = "interrupted"
	case err == nil:
		rep.Stopped = "out of budget"
	default:
		return rep, err
	}
	rep.Units.Done = taken
	return rep, ErrStopped
}
