package explore

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"bridgesim/bridge/clock"
	"bridgesim/faults"
	"bridgesim/sim"
)

// Confirmation is a sample of the runs of depth 1, played on another engine as well.
type Confirmation struct {
	Engine  string      `json:"engine"`
	Seed    uint64      `json:"seed,string"`
	Of      int         `json:"of"` // runs that the sample was drawn from
	Same    int         `json:"same"`
	Differ  int         `json:"differ"`
	Unknown int         `json:"unknown"`
	Runs    []Confirmed `json:"runs"`
}

// Confirmed is one run on two engines.
type Confirmed struct {
	Session  string          `json:"session"`
	Name     string          `json:"name"`
	Schedule faults.Schedule `json:"schedule"`
	Model    string          `json:"model"` // verdict on the model
	Other    string          `json:"other"` // and on the other engine
	// Status is "same", "differ", or "unknown": a fault struck on one of them only, or the
	// machine failed, so that nothing was compared.
	Status string `json:"status"`
}

// The values of Confirmed.Status.
const (
	Same    = "same"
	Differ  = "differ"
	Unclear = "unknown"
)

// Confirm draws a sample from the runs of depth 1 by the seed and plays each on both engines:
// the model of Options, and another. Only runs are drawn whose place is the same on both: how
// many polls of one state a wait has depends on the clock of the engine, so of each state the
// first poll counts. For runs that cannot be compared others are drawn, at most as many again.
func Confirm(
	ctx context.Context, o Options, on sim.Engine, sample int, each func(Confirmed),
) (*Confirmation, error) {
	o.Depth, o.Swarm = 1, 0
	if len(o.Kinds) == 0 {
		o.Kinds = AllKinds()
	}
	p, err := newPlan(ctx, &o)
	if err != nil {
		return nil, err
	}
	all := p.stable(on.Name())
	c := &Confirmation{Engine: on.Name(), Seed: o.Seed, Of: len(all)}
	drawn := draw(all, 2*sample, o.Seed)
	pairs := make([][2]*player, max(o.Jobs, 1))
	for i := range pairs {
		other := o
		other.Engine = on
		pairs[i] = [2]*player{newPlayer(&o), newPlayer(&other)}
	}
	take := func(_ int, r Confirmed) bool {
		c.add(r)
		if each != nil {
			each(r)
		}
		return true
	}
	for err == nil && len(drawn) > 0 && c.compared() < sample {
		n := min(sample-c.compared(), len(drawn))
		some := drawn[:n]
		drawn = drawn[n:]
		err = inOrder(ctx, n, len(pairs), func(ctx context.Context, worker, i int) (Confirmed, error) {
			return some[i].onBoth(ctx, pairs[worker])
		}, take)
	}
	return c, err
}

func (c *Confirmation) compared() int { return c.Same + c.Differ }

func (c *Confirmation) add(r Confirmed) {
	c.Runs = append(c.Runs, r)
	switch r.Status {
	case Same:
		c.Same++
	case Differ:
		c.Differ++
	default:
		c.Unknown++
	}
}

// stable lists the runs of the plan whose places are the same on an engine.
func (p *plan) stable(engine string) (out []*trial) {
	for n := range p.units {
		u := &p.units[n]
		if waits[u.point.At.Op] && u.point.At.Step > 1 {
			continue
		}
		s := p.sessions[u.session].Session
		for k := range p.opts.Kinds {
			kind := &p.opts.Kinds[k]
			if u.point.takes(kind) && kind.info.Available(engine, u.point.At.Op, u.point.At.Phase) {
				out = append(out, &trial{session: s, strikes: []Strike{{u.point, kind}}})
			}
		}
	}
	return out
}

// draw takes n of them by the seed, in the order in which they come.
func draw(all []*trial, n int, seed uint64) (out []*trial) {
	h := fnv.New64a()
	fmt.Fprintf(h, "sample %d", seed) // a hash never fails
	d := dice{clock.Seeded(h.Sum64())}
	left := slices.Clone(all)
	for len(out) < n && len(left) > 0 {
		i := d.roll(len(left))
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}

// onBoth plays a run on two engines and compares.
func (r *trial) onBoth(ctx context.Context, players [2]*player) (Confirmed, error) {
	c := Confirmed{
		Session: r.session.Place(), Name: r.session.Name, Schedule: r.schedule(), Status: Unclear,
	}
	var outcomes [2]Outcome
	for i, p := range players {
		script := r.session.Script
		script.Schedule = c.Schedule
		o, err := p.play(ctx, &script, nil)
		said := &c.Model
		if i > 0 {
			said = &c.Other
		}
		switch {
		case ctx.Err() != nil:
			return c, ctx.Err()
		case err != nil:
			*said = "could not be played: " + oneLine(err.Error())
			return c, nil
		}
		*said, outcomes[i] = o.verdict(), o
	}
	switch a, b := &outcomes[0], &outcomes[1]; {
	case !slices.Equal(a.Fates, b.Fates):
	case a.verdict() == b.verdict():
		c.Status = Same
	default:
		c.Status = Differ
	}
	return c, nil
}

// verdict is how a run ended, what it broke, and which of its faults struck.
func (o *Outcome) verdict() string {
	end := o.End
	if end == "" {
		end = "no end"
	}
	broken := make([]string, len(o.Broken))
	for i := range o.Broken {
		broken[i] = o.Broken[i].Promise
	}
	slices.SortFunc(broken, cmp.Compare[string])
	if len(broken) > 0 {
		end += ", broke " + strings.Join(slices.Compact(broken), ", ")
	}
	if o.lacking() {
		end += ", a fault did not strike"
	}
	return end
}

// Print writes a confirmation for a person, without what was told of each run.
func (c *Confirmation) Print(out io.Writer) error {
	_, err := fmt.Fprintf(out,
		"%d of %d runs played on %s too, seed %d: %d same, %d differ, %d unknown\n",
		len(c.Runs), c.Of, c.Engine, c.Seed, c.Same, c.Differ, c.Unknown)
	return err
}
