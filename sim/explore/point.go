package explore

import (
	"hash/fnv"
	"strconv"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// Sort is what stands behind a point.
type Sort string

// The sorts.
const (
	CDPStep      Sort = "cdp"   // a call to the browser or a page
	DurableWrite Sort = "write" // of pi's journal
	SiteEvent    Sort = "site"  // something that the site did, as a poll saw it
	AgentStep    Sort = "agent" // a question to the agent
)

// Sorts lists them.
func Sorts() []Sort { return []Sort{CDPStep, DurableWrite, SiteEvent, AgentStep} }

// sortOf sorts an operation in.
func sortOf(op point.Op) Sort {
	switch op {
	case point.StoreAppend:
		return DurableWrite
	case point.AgentStart, point.AgentPoll, point.AgentLookup:
		return AgentStep
	}
	if faults.States(op) != nil {
		return SiteEvent
	}
	return CDPStep
}

// Point is one place of a run, with the phase in which a fault strikes there. Between before and
// after a durable write can be torn.
type Point struct {
	At   point.Address
	Torn bool
}

// String is the address; a torn write says so in place of its phase.
func (p Point) String() string {
	if !p.Torn {
		return p.At.String()
	}
	a := p.At
	a.Phase = "torn"
	return a.String()
}

// phase is the point's phase in a coverage map.
func (p Point) phase() string {
	if p.Torn {
		return "torn"
	}
	return string(p.At.Phase)
}

// takes tells whether a kind can strike here. The table gives a torn write a place before and
// after the write; it is one fault, and has a point of its own.
func (p Point) takes(k *Kind) bool {
	if p.Torn != (k.Kind == faults.TearCache) {
		return false
	}
	return k.info.Available(faults.EngineVirtual, p.At.Op, p.At.Phase)
}

// fault is a kind at this point.
func (p Point) fault(k *Kind) faults.Fault {
	return faults.Fault{Kind: k.Kind, At: p.At, Params: k.Params}
}

// phasesOf are the points of one visit, in order.
func phasesOf(at point.Address) []Point {
	with := func(ph point.Phase) Point {
		a := at
		a.Phase = ph
		return Point{At: a}
	}
	points := []Point{with(point.Before)}
	if sortOf(at.Op) == DurableWrite {
		torn := with(point.Before)
		torn.Torn = true
		points = append(points, torn)
	}
	return append(points, with(point.After), with(point.Late))
}

// pointsOf are the points of a run at which one of the kinds can strike, in the order in which
// the run passes them.
func pointsOf(visits []point.Address, kinds []Kind) []Point {
	var out []Point
	for _, at := range visits {
		for _, p := range phasesOf(at) {
			if countAt(p, kinds) > 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

func countAt(p Point, kinds []Kind) (n int) {
	for i := range kinds {
		if p.takes(&kinds[i]) {
			n++
		}
	}
	return n
}

// waits are the operations that are repeated until they see what they wait for.
var waits = map[point.Op]bool{
	point.Ready: true, point.SendReadBack: true, point.SendProve: true, point.WaitPoll: true,
	point.WaitRecord: true, point.AgentPoll: true,
}

// fold leaves four polls of each wait loop: the first, the second, the last, and one that the
// seed chooses among the others. What a poll sees is part of its address, so a loop is a row of
// visits of one operation, round and state that only other waiting interrupts.
func fold(visits []point.Address, seed uint64) (kept, folded []point.Address) {
	drop := make([]bool, len(visits))
	type loop struct {
		op    point.Op
		round int
		state string
	}
	open := map[loop][]int{}
	var order []loop
	end := func() {
		for _, l := range order {
			leaveFour(visits, open[l], seed, drop)
		}
		clear(open)
		order = order[:0]
	}
	for i, at := range visits {
		if !waits[at.Op] {
			end()
			continue
		}
		l := loop{at.Op, at.Round, at.State}
		if open[l] == nil {
			order = append(order, l)
		}
		open[l] = append(open[l], i)
	}
	end()
	for i, at := range visits {
		if drop[i] {
			folded = append(folded, at)
		} else {
			kept = append(kept, at)
		}
	}
	return kept, folded
}

// leaveFour drops the members of one loop, but for its classes.
func leaveFour(visits []point.Address, members []int, seed uint64, drop []bool) {
	n := len(members)
	if n <= 4 {
		return
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(strconv.FormatUint(seed, 10) + visits[members[0]].String())) // never fails
	chosen := 2 + int(clock.Unit(clock.Seeded(h.Sum64()))*float64(n-3))
	for i, m := range members {
		drop[m] = i != 0 && i != 1 && i != n-1 && i != chosen
	}
}
