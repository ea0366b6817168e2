package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"bridgesim/bridge/session"
	"bridgesim/faults"
)

// trial is one explored run, as it goes into a Tally.
type trial struct {
	at      Index
	session *Session
	strikes []Strike // behind the session's own faults
	outcome *Outcome
}

// schedule is the session's own faults, then the explored ones.
func (r *trial) schedule() faults.Schedule {
	base := r.session.Base()
	s := append(make(faults.Schedule, 0, len(base)+len(r.strikes)), base...)
	for _, k := range r.strikes {
		s = append(s, k.fault())
	}
	return s
}

// Index orders runs: the unit of the plan, and the run within it.
type Index struct {
	Unit int `json:"unit"`
	Run  int `json:"run"`
}

// before orders indices.
func (i Index) before(o Index) bool {
	return i.Unit < o.Unit || i.Unit == o.Unit && i.Run < o.Run
}

// Tally is the sum over runs. Two tallies of different runs can be added in any order with the
// same result.
type Tally struct {
	Runs int `json:"runs"`
	// By what became of the explored faults: all struck; one found nothing to strike; the run
	// ended before one of them.
	Struck     int `json:"struck"`
	Missed     int `json:"missed"`
	NotReached int `json:"notReached"`
	// EndedBefore counts the runs of NotReached by the row at which they had ended; 0 = by none.
	EndedBefore map[int]int `json:"endedBefore,omitempty"`
	// BaseLost are runs in which an explored fault kept one of the session's own from striking.
	BaseLost int `json:"baseLost"`

	Ends   map[string]int `json:"ends,omitempty"`
	Rows   map[int]int    `json:"rows,omitempty"` // runs that took the row
	States map[string]int `json:"states,omitempty"`
	Edges  map[string]int `json:"edges,omitempty"`

	// Places is the map of coverage, operation/phase by kind; RowKinds is row by kind.
	Places   map[string]map[string]*Cell `json:"places,omitempty"`
	RowKinds map[int]map[string]int      `json:"rowKinds,omitempty"`

	Violations int               `json:"violations"` // runs that broke a promise
	Promises   map[string]int    `json:"promises,omitempty"`
	Classes    map[string]*Class `json:"classes,omitempty"`

	Unknown  int               `json:"unknown"` // runs that an oracle could not judge
	Unjudged map[string]*Class `json:"unjudged,omitempty"`

	Pruned int `json:"pruned"` // runs left out because an equal one stands for them

	// Digest binds every run's history to its place in the plan.
	Digest Digest `json:"digest"`
}

// Cell is one square of the map.
type Cell struct {
	Runs   int `json:"runs"`
	Struck int `json:"struck"`
	Broken int `json:"broken,omitempty"`
}

// Digest is a sum in which the order of its parts does not matter.
type Digest [sha256.Size]byte

func (d *Digest) add(o Digest) {
	for i := range d {
		d[i] ^= o[i]
	}
}

// MarshalText writes hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads them.
func (d *Digest) UnmarshalText(b []byte) error {
	if len(b) != 2*len(d) {
		return fmt.Errorf("a digest has %d hexadecimal digits, this has %d", 2*len(d), len(b))
	}
	_, err := hex.Decode(d[:], b)
	return err
}

func newTally() *Tally {
	return &Tally{
		EndedBefore: map[int]int{}, Ends: map[string]int{}, Rows: map[int]int{},
		States: map[string]int{}, Edges: map[string]int{},
		Places: map[string]map[string]*Cell{}, RowKinds: map[int]map[string]int{},
		Promises: map[string]int{}, Classes: map[string]*Class{}, Unjudged: map[string]*Class{},
	}
}

// add counts one run; what it broke is booked by judge.
func (t *Tally) add(r *trial) {
	o := r.outcome
	t.Runs++
	struck := t.fate(r)
	t.Ends[o.End]++
	o.Rows.each(func(row int) {
		t.Rows[row]++
		for _, k := range r.strikes {
			t.kindAt(row, string(k.Kind.Kind), 1)
		}
	})
	eachBit(o.States, func(i int) { t.States[string(phases[i])]++ })
	eachBit(o.Edges, func(i int) { t.Edges[edges[i].Name]++ })
	for _, k := range r.strikes {
		c := t.cell(placeOf(k.Point), string(k.Kind.Kind))
		c.Runs++
		if struck {
			c.Struck++
		}
		if len(o.Broken) > 0 {
			c.Broken++
		}
	}
	t.Digest.add(sha256.Sum256(fmt.Appendf(nil, "%d %d %s", r.at.Unit, r.at.Run, o.Sum)))
}

// fate books what became of the explored faults, which stand behind the session's own.
func (t *Tally) fate(r *trial) (struck bool) {
	base := len(r.session.Base())
	worst, lost := Struck, false
	for i, f := range r.outcome.Fates {
		if i < base {
			lost = lost || f != Struck
		} else {
			worst = min(worst, f)
		}
	}
	if lost {
		t.BaseLost++
	}
	switch worst {
	case Struck:
		t.Struck++
	case Missed:
		t.Missed++
	default:
		t.NotReached++
		t.EndedBefore[r.outcome.Row]++
	}
	return worst == Struck
}

func placeOf(p Point) string { return string(p.At.Op) + "/" + p.phase() }

func (t *Tally) cell(place, kind string) *Cell {
	row := t.Places[place]
	if row == nil {
		row = map[string]*Cell{}
		t.Places[place] = row
	}
	if row[kind] == nil {
		row[kind] = &Cell{}
	}
	return row[kind]
}

func (t *Tally) kindAt(row int, kind string, n int) {
	if t.RowKinds[row] == nil {
		t.RowKinds[row] = map[string]int{}
	}
	t.RowKinds[row][kind] += n
}

// merge adds the runs of another tally. Nothing of o may be used afterwards.
func (t *Tally) merge(o *Tally) {
	t.Runs += o.Runs
	t.Struck += o.Struck
	t.Missed += o.Missed
	t.NotReached += o.NotReached
	t.BaseLost += o.BaseLost
	t.Violations += o.Violations
	t.Unknown += o.Unknown
	t.Pruned += o.Pruned
	sum(t.EndedBefore, o.EndedBefore)
	sum(t.Ends, o.Ends)
	sum(t.Rows, o.Rows)
	sum(t.States, o.States)
	sum(t.Edges, o.Edges)
	sum(t.Promises, o.Promises)
	for row, kinds := range o.RowKinds {
		for kind, n := range kinds {
			t.kindAt(row, kind, n)
		}
	}
	for place, kinds := range o.Places {
		for kind, c := range kinds {
			mine := t.cell(place, kind)
			mine.Runs += c.Runs
			mine.Struck += c.Struck
			mine.Broken += c.Broken
		}
	}
	join(t.Classes, o.Classes)
	join(t.Unjudged, o.Unjudged)
	t.Digest.add(o.Digest)
}

func sum[K comparable](into, from map[K]int) {
	for k, n := range from {
		into[k] += n
	}
}

func eachBit(set uint64, f func(i int)) {
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			f(i)
		}
	}
}

var (
	edges  = session.Edges()
	phases = session.Phases()
)
