package explore

import (
	"context"
	"crypto/sha256"
	"fmt"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// plan is what there is to run, in its order: session by session, point by point as the run
// passes them, kind by kind as in the table.
type plan struct {
	opts     *Options
	sessions []planned
	units    []unit
}

// planned is one session with the points of its run.
type planned struct {
	*Session
	points []Point
	folded int // points that are left out because others of their wait loop stand for them
	runs   int // of depth 1: the sum over points of the kinds available there
	visits []point.Address
	whole  [sha256.Size]byte // what happens in its run
}

// unit is the piece of work that one worker does at a time, and that a shard has or has not.
//
//	depth 1   one point, with all its kinds
//	depth 2   one fault, with all second faults of its run
//	swarm     a row of mixes
type unit struct {
	session int
	point   Point
	kind    int // of depth 2; else -1
	from    int // of a swarm: number of its first mix
	to      int // and the one behind its last
}

// newPlan plays every session without explored faults and lists the units.
func newPlan(ctx context.Context, o *Options) (*plan, error) {
	p := &plan{opts: o}
	player := newPlayer(o)
	for i := range o.Sessions {
		s, err := survey(ctx, player, &o.Sessions[i], o)
		if err != nil {
			return nil, err
		}
		p.sessions = append(p.sessions, s)
	}
	switch {
	case o.Swarm > 0:
		p.swarm()
	case o.Depth == 2:
		p.eachFault()
	default:
		p.eachPoint()
	}
	return p, nil
}

// survey plays the session with its own faults and lists the points of that run. A session that
// breaks a promise by itself, or whose own faults do not strike, is not explored: everything
// found in it would be about the session.
func survey(ctx context.Context, player *player, s *Session, o *Options) (planned, error) {
	visits, out, err := passed(ctx, player, s)
	switch {
	case err != nil:
		return planned{}, err
	case len(out.Broken) > 0:
		return planned{}, fmt.Errorf("%w: %s breaks %q by itself: %s", ErrBroken, s.Place(),
			out.Broken[0].Promise, out.Broken[0].Message)
	}
	for i, f := range out.Fates {
		if f != Struck {
			return planned{}, fmt.Errorf("%w: %s: its own fault %s never strikes", ErrSession, s.Place(),
				s.Base()[i])
		}
	}
	kept, folded := fold(visits, s.Script.Seed)
	pl := planned{Session: s, points: pointsOf(kept, o.Kinds), visits: visits, whole: out.Whole}
	pl.folded = len(pointsOf(folded, o.Kinds))
	for _, p := range pl.points {
		pl.runs += countAt(p, o.Kinds)
	}
	return pl, nil
}

// passed are the addresses that the session's run passes.
func passed(
	ctx context.Context, player *player, s *Session,
) (visits []point.Address, out Outcome, err error) {
	out, err = player.play(ctx, &s.Script, func(a point.Address) { visits = append(visits, a) })
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Place(), err)
	}
	return visits, out, err
}

func (p *plan) eachPoint() {
	for i := range p.sessions {
		for _, at := range p.sessions[i].points {
			p.units = append(p.units, unit{session: i, point: at, kind: -1})
		}
	}
}

func (p *plan) eachFault() {
	for i := range p.sessions {
		for _, at := range p.sessions[i].points {
			for k := range p.opts.Kinds {
				if at.takes(&p.opts.Kinds[k]) {
					p.units = append(p.units, unit{session: i, point: at, kind: k})
				}
			}
		}
	}
}

// mine are the units of the shard.
func (p *plan) mine() (mine []int) {
	for i := range p.units {
		if p.opts.Shard.has(i) && (p.opts.units == 0 || i < p.opts.units) {
			mine = append(mine, i)
		}
	}
	return mine
}

// work plays one unit.
func (p *plan) work(ctx context.Context, player *player, n int) (*Tally, error) {
	w := p.workOn(player, n)
	switch u := w.unit; {
	case u.to > 0:
		return w.tally, w.mixes(ctx)
	case u.kind >= 0:
		return w.tally, w.tree(ctx)
	}
	for k := range p.opts.Kinds {
		kind := &p.opts.Kinds[k]
		if !w.unit.point.takes(kind) {
			continue
		}
		if _, err := w.trial(ctx, []Strike{{w.unit.point, kind}}, nil); err != nil {
			return w.tally, err
		}
	}
	return w.tally, nil
}

// worker plays one unit.
type worker struct {
	plan    *plan
	player  *player
	n       int
	unit    *unit
	session *Session
	tally   *Tally
	known   map[string]*Outcome // what schedules of this unit came to
}

func (p *plan) workOn(player *player, n int) *worker {
	u := &p.units[n]
	return &worker{
		plan: p, player: player, n: n, unit: u, session: p.sessions[u.session].Session,
		tally: newTally(), known: map[string]*Outcome{},
	}
}

// Strike is one explored fault: a kind at a point.
type Strike struct {
	Point Point
	Kind  *Kind
}

func (s Strike) fault() faults.Fault { return s.Point.fault(s.Kind) }

// trial plays the session with more faults and books the run; visit hears its places.
func (w *worker) trial(
	ctx context.Context, strikes []Strike, visit func(point.Address),
) (*Outcome, error) {
	r := &trial{at: Index{w.n, w.tally.Runs}, session: w.session, strikes: strikes}
	o, err := w.play(ctx, r.schedule(), visit)
	if err != nil {
		return nil, err
	}
	r.outcome = o
	w.tally.add(r)
	return o, w.judge(ctx, r)
}

// play plays the session with a schedule.
func (w *worker) play(
	ctx context.Context, s faults.Schedule, visit func(point.Address),
) (*Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	script := w.session.Script
	script.Schedule = s
	o, err := w.player.play(ctx, &script, visit)
	return &o, err
}
