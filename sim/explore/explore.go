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
	// Each hears how far it is, in the order of the plan; it may be nil.
	Each func(Progress)

	also  func(*Outcome) // one more oracle, of a test
	units int            // how many units a test wants of the plan; 0 = all
}

// Shard is one of several parts of a plan that together are the whole. The zero value is the
// whole.
type Shard struct {
	I int `json:"i"` // from 1
	N int `json:"n"`
}

// String is the form of the flag.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// ParseShard reads the form of the flag.
func ParseShard(text string) (s Shard, err error) {
	_, err = fmt.Sscanf(text, "%d/%d", &s.I, &s.N)
	if err != nil || s.String() != text || s.I < 1 || s.I > s.N {
		return Shard{}, fmt.Errorf("%q is no shard: want i/n with i from 1 to n", text)
	}
	return s, nil
}

// has tells whether a unit belongs to the shard. Neighbours cost about the same, so every n-th.
func (s Shard) has(unit int) bool { return s.N == 0 || unit%s.N == s.I-1 }

// Progress is how far an exploration is.
type Progress struct {
	Units, Of  int // units taken, and of the shard in all
	Runs       int
	Violations int
	// Ended is the session whose last unit this was; nil in the middle of one.
	Ended *SessionReport
	Here  int // violations in that session
	Plays int // runs in it
}

// ErrStopped says that an exploration was ended before its plan was: by its budget, or by a
// person. Its report holds what was found by then.
var ErrStopped = errors.New("the exploration was stopped before its end")

// Explore plays the plan. The error is one of the machine, or ErrStopped with a report that is
// marked; what the bridge did is in the report.
func Explore(ctx context.Context, o Options) (*Result, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = AllKinds()
	}
	p, err := newPlan(ctx, &o)
	if err != nil {
		return nil, err
	}
	c := &course{plan: p, mine: p.mine(), rep: p.report()}
	players := make([]*player, max(o.Jobs, 1))
	for i := range players {
		players[i] = newPlayer(&o)
	}
	err = inOrder(ctx, len(c.mine), len(players),
		func(ctx context.Context, worker, i int) (*Tally, error) {
			return p.work(ctx, players[worker], c.mine[i])
		}, c.take)
	if err == nil || c.taken > 0 {
		err = errors.Join(err, p.finish(context.WithoutCancel(ctx), players[0], c.rep.Tally))
	}
	return c.end(ctx, err)
}

// course is an exploration under way.
type course struct {
	plan  *plan
	mine  []int // units of the shard
	rep   *Result
	taken int
	runs  int // in the sessions before this one
	bad   int
}

// take books the tally of a unit, in order.
func (c *course) take(i int, t *Tally) bool {
	o := c.plan.opts
	c.taken++
	c.rep.merge(t)
	if o.Each != nil {
		p := Progress{Units: c.taken, Of: len(c.mine), Runs: c.rep.Runs, Violations: c.rep.Violations}
		session := c.plan.units[c.mine[i]].session
		if c.taken == len(c.mine) || c.plan.units[c.mine[i+1]].session != session {
			p.Ended = &c.rep.Sessions[session]
			p.Plays, p.Here = p.Runs-c.runs, p.Violations-c.bad
			c.runs, c.bad = p.Runs, p.Violations
		}
		o.Each(p)
	}
	return o.Budget == 0 || c.rep.Runs < o.Budget
}

// end tells whether the plan was played to its end.
func (c *course) end(ctx context.Context, err error) (*Result, error) {
	c.rep.Units.Done = c.taken
	switch {
	case c.taken == len(c.mine):
		return c.rep, err
	case ctx.Err() != nil:
		c.rep.Stopped = "interrupted"
	case err == nil:
		c.rep.Stopped = "out of budget"
	default:
		return c.rep, err
	}
	return c.rep, ErrStopped
}
