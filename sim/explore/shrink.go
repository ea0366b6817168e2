package explore

import (
	"context"
	"slices"

	"bridgesim/faults"
)

// holds tells whether a schedule still shows what is looked for.
type holds func(faults.Schedule) (bool, error)

// fewest takes faults out of a schedule until every single one is needed: what is left still
// holds, and without any one of its faults it does not. The schedule itself must hold.
func fewest(s faults.Schedule, still holds) (faults.Schedule, error) {
	for i := 0; i < len(s); {
		less := slices.Delete(slices.Clone(s), i, i+1)
		ok, err := still(less)
		switch {
		case err != nil:
			return nil, err
		case ok:
			s, i = less, 0 // what was needed beside this one may be needed no more
		default:
			i++
		}
	}
	return s, nil
}

// plainest makes each fault of a schedule as plain as it can be: without parameters, at the first
// step of its place. The schedule itself must hold.
func plainest(s faults.Schedule, still holds) (faults.Schedule, error) {
	for i := 0; i < len(s); i++ {
		for _, f := range plainer(s[i]) {
			other := slices.Clone(s)
			other[i] = f
			ok, err := still(other)
			if err != nil {
				return nil, err
			}
			if ok {
				s, i = other, -1
				break
			}
		}
	}
	return s, nil
}

// plainer are faults that say less than f, the plainest first.
func plainer(f faults.Fault) (out []faults.Fault) {
	bare := f
	bare.Params = faults.Params{}
	if bare.String() != f.String() {
		out = append(out, bare)
	}
	for step := 1; step < f.At.Step; step = max(step*2, step+1) {
		early := f
		early.At.Step = step
		out = append(out, early)
	}
	return out
}

// fewest is the smallest schedule of the session that breaks the promise as the run does, with
// what it came to.
func (w *worker) fewest(
	ctx context.Context, r *trial, promise string,
) (faults.Schedule, *Outcome, error) {
	s := r.schedule()
	w.known[s.String()] = r.outcome
	still := w.breaks(ctx, promise)
	if r.outcome.lacking() {
		switch ok, err := still(r.outcome.struck(s)); {
		case err != nil:
			return nil, nil, err
		case ok:
			s = r.outcome.struck(s)
		}
	}
	s, err := fewest(s, still)
	if err != nil {
		return nil, nil, err
	}
	return s, w.known[s.String()], nil
}

// struck are the faults that took effect.
func (o *Outcome) struck(s faults.Schedule) (out faults.Schedule) {
	for i := range s {
		if o.Fates[i] == Struck {
			out = append(out, s[i])
		}
	}
	return out
}

// plainest is the plainest schedule; nil when nothing had to be played for it.
func (w *worker) plainest(
	ctx context.Context, s faults.Schedule, promise string,
) (faults.Schedule, *Outcome, error) {
	s, err := plainest(s, w.breaks(ctx, promise))
	return s, w.known[s.String()], err
}

// breaks tells of schedules whether they break a promise, with each fault striking. The
// session's own faults alone do not: that was looked at before anything was explored.
func (w *worker) breaks(ctx context.Context, promise string) holds {
	return func(s faults.Schedule) (bool, error) {
		if len(s) == 0 || s.String() == w.session.Base().String() {
			return false, nil
		}
		key := s.String()
		o := w.known[key]
		if o == nil {
			var err error
			if o, err = w.play(ctx, s, nil); err != nil {
				return false, err
			}
			w.known[key] = o
		}
		return o.Breaks(promise) && !o.lacking(), nil
	}
}
