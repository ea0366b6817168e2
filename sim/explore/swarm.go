package explore

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// A mix is a run with many faults. Each draws which families of faults it has at all: a fault
// that is always there hides what the others do without it. Then it draws fault by fault from
// the places that the run with those before passes.

// mixesAtOnce are the mixes of one unit.
const mixesAtOnce = 8

// mostFaults is how many faults a mix has at most; two is the least.
const mostFaults = 8

// swarm lists the units.
func (p *plan) swarm() {
	for i := range p.sessions {
		for from := 0; from < p.opts.Swarm; from += mixesAtOnce {
			p.units = append(p.units, unit{
				session: i, kind: -1, from: from, to: min(from+mixesAtOnce, p.opts.Swarm),
			})
		}
	}
}

// mixes plays the mixes of one unit.
func (w *worker) mixes(ctx context.Context) error {
	for n := w.unit.from; n < w.unit.to; n++ {
		strikes, err := w.mix(ctx, n)
		if err != nil {
			return err
		}
		if _, err := w.trial(ctx, strikes, nil); err != nil {
			return err
		}
	}
	return nil
}

// mix draws the faults of one mix.
func (w *worker) mix(ctx context.Context, n int) (strikes []Strike, err error) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\n%q\n%d", w.plan.opts.Seed, w.session.Name, n) // a hash never fails
	d := dice{clock.Seeded(h.Sum64())}
	kinds := d.families(w.plan.opts.Kinds)
	visits, from := w.plan.sessions[w.unit.session].visits, 0
	for want := 2 + d.roll(mostFaults-1); len(strikes) < want; {
		one, next, ok := d.strike(visits[min(from, len(visits)):], kinds)
		if !ok {
			break
		}
		from += next
		strikes, visits = append(strikes, one), nil
		hear := func(a point.Address) { visits = append(visits, a) }
		r := &trial{session: w.session, strikes: strikes}
		if _, err := w.play(ctx, r.schedule(), hear); err != nil {
			return nil, err
		}
	}
	return strikes, nil
}

// dice draws for one mix.
type dice struct{ from clock.Entropy }

// roll draws from 0 to n-1.
func (d dice) roll(n int) int { return int(clock.Unit(d.from) * float64(n)) }

// families keeps about half of the families, and at least one of those that there are.
func (d dice) families(kinds []Kind) []*Kind {
	var there, on []faults.Family
	for i := range kinds {
		if f := kinds[i].info.Family; !slices.Contains(there, f) {
			there = append(there, f)
		}
	}
	for _, f := range there {
		if d.roll(2) == 0 {
			on = append(on, f)
		}
	}
	if len(on) == 0 {
		on = append(on, there[d.roll(len(there))])
	}
	var out []*Kind
	for i := range kinds {
		if slices.Contains(on, kinds[i].info.Family) {
			out = append(out, &kinds[i])
		}
	}
	return out
}

// strike draws a visit at which one of the kinds can strike, a point of it, and a kind; next is
// the number of the visit behind it.
func (d dice) strike(visits []point.Address, kinds []*Kind) (s Strike, next int, ok bool) {
	type choice struct {
		Strike
		visit int
	}
	var all []choice
	for i, at := range visits {
		for _, p := range phasesOf(at) {
			for _, k := range kinds {
				if p.takes(k) {
					all = append(all, choice{Strike{p, k}, i})
				}
			}
		}
	}
	if len(all) == 0 {
		return s, 0, false
	}
	c := all[d.roll(len(all))]
	return c.Strike, c.visit + 1, true
}
