package explore

import (
	"context"

	"bridgesim/bridge/point"
)

// Depth 2 is a tree: the second faults are those of the run with the first one, its recovery
// included. A pair is met once, under the fault that strikes first.
//
//	base run ──f1──► run with f1 ──► its places behind f1 ──× kinds──► runs with f1 and f2
//
// What stands for others:
//
//   - A first fault that left no trace has no tree of its own: each run of it would be a single
//     fault, which is in the plan (traceless).
//   - A first fault that leaves the same state as another one has none either. Lost before or after
//     a pure read is the same, for the read changes nothing and its answer is lost both times
//     (twin). Pi's death after one call and before the next is the same, for what it knew is gone;
//     so is what happens beside it (neighbour).
//
// Both are looked at in the runs themselves and not only believed: what happened after the first
// fault must be equal event for event, times included.

// tree plays one first fault, and all second ones behind it.
func (w *worker) tree(ctx context.Context) error {
	first := Strike{w.unit.point, &w.plan.opts.Kinds[w.unit.kind]}
	var visits []point.Address
	hear := func(a point.Address) { visits = append(visits, a) }
	o, err := w.trial(ctx, []Strike{first}, hear)
	if err != nil {
		return err
	}
	seconds := w.behind(visits, first.Point)
	if equal, err := w.stoodFor(ctx, first, o); err != nil || equal {
		w.tally.Pruned += w.count(seconds)
		return err
	}
	for _, p := range seconds {
		for k := range w.plan.opts.Kinds {
			second := Strike{p, &w.plan.opts.Kinds[k]}
			if !p.takes(second.Kind) {
				continue
			}
			if w.prunes() && twin(second) {
				w.tally.Pruned++
				continue
			}
			if _, err := w.trial(ctx, []Strike{first, second}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *worker) prunes() bool { return !w.plan.opts.NoPrune }

func (w *worker) count(points []Point) (n int) {
	for _, p := range points {
		n += countAt(p, w.plan.opts.Kinds)
	}
	return n
}

// behind are the points of a run behind one of them: later phases of the same visit, and all
// visits that come after it. A wait loop that the first fault cut is folded as what is left of
// it.
func (w *worker) behind(visits []point.Address, first Point) (out []Point) {
	here := first.At
	here.Phase = ""
	at := -1
	for i, v := range visits {
		if v == here {
			at = i
			break
		}
	}
	if at < 0 {
		return nil // the run ended before it
	}
	for i, phases := 0, phasesOf(here); i < len(phases); i++ {
		if phases[i] == first {
			out = withKinds(phases[i+1:], w.plan.opts.Kinds)
		}
	}
	kept, _ := fold(visits[at+1:], w.session.Script.Seed)
	return append(out, pointsOf(kept, w.plan.opts.Kinds)...)
}

func withKinds(points []Point, kinds []Kind) (out []Point) {
	for _, p := range points {
		if countAt(p, kinds) > 0 {
			out = append(out, p)
		}
	}
	return out
}
