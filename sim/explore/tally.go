package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"bridgesim/bridge/session"
	"bridgesim/faults"
)

// trial is one explored run, as it goes into a Tally.
type trial struct {
	at      Index
	session *Session
	points  []Point // of the explored faults
	kinds   []Kind
	outcome Outcome
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

// Tally is the sum over runs. Two tallies of different runs can be added in any order with the same
// result.
type Tally struct {
	Runs int `json:"runs"`
	// By what became of the explored faults: all struck; one found nothing to strike; the run ended
	// before one of them.
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

	Unknown  int            `json:"unknown"` // runs that an oracle could not judge
	Unjudged map[string]int `json:"unjudged,omitempty"`

	Pruned int `json:"pruned,omitempty"` // runs left out because an equal one stands for them

	// Digest binds every run's history to its place in the plan.
	Digest Digest `json:"digest"`
}

// Cell is one square of the map.
type Cell struct {
	Runs   int `json:"runs"`
	Struck int `json:"struck"`
	Broken int `json:"broken,omitempty"`
}

// Class gathers violations of one promise under the same kinds.
type Class struct {
	Promise string    `json:"promise"`
	Kinds   string    `json:"kinds"`
	Runs    int       `json:"runs"`
	First   Violation `json:"first"`
}

// Violation is one run that broke a promise.
type Violation struct {
	At       Index           `json:"at"`
	Session  string          `json:"session"` // its place
	Schedule faults.Schedule `json:"schedule"`
	Message  string          `json:"message"`
	End      string          `json:"end"`
	Row      int             `json:"row,omitempty"`
	Sum      string          `json:"sum"`
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
		Promises: map[string]int{}, Classes: map[string]*Class{}, Unjudged: map[string]int{},
	}
}

// add counts one run.
func (t *Tally) add(r *trial) {
	o := &r.outcome
	t.Runs++
	struck := t.fate(r)
	t.Ends[o.End]++
	o.Rows.each(func(row int) {
		t.Rows[row]++
		for i := range r.kinds {
			count(t.RowKinds, row, string(r.kinds[i].Kind))
		}
	})
	eachBit(o.States, func(i int) { t.States[string(phases[i])]++ })
	eachBit(o.Edges, func(i int) { t.Edges[edges[i].Name]++ })
	for i := range r.points {
		c := t.cell(placeOf(r.points[i]), string(r.kinds[i].Kind))
		c.Runs++
		if struck {
			c.Struck++
		}
		if len(o.Broken) > 0 {
			c.Broken++
		}
	}
	t.judge(r)
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

// judge books breaches, and what could not be judged.
func (t *Tally) judge(r *trial) {
	o := &r.outcome
	if len(o.Unknown) > 0 {
		t.Unknown++
	}
	for _, name := range o.Unknown {
		t.Unjudged[name]++
	}
	if len(o.Broken) == 0 {
		return
	}
	t.Violations++
	kinds := kindNames(r.kinds)
	for i := range o.Broken {
		b := &o.Broken[i]
		t.Promises[b.Promise]++
		key := b.Promise + " " + kinds
		c := t.Classes[key]
		if c == nil {
			c = &Class{Promise: b.Promise, Kinds: kinds, First: r.violation(b)}
			t.Classes[key] = c
		}
		c.Runs++
	}
}

func (r *trial) violation(b *Breach) Violation {
	v := Violation{
		At: r.at, Session: r.session.Place(), Message: b.Message, End: r.outcome.End,
		Row: r.outcome.Row, Sum: r.outcome.Sum,
	}
	v.Schedule = append(v.Schedule, r.session.Base()...)
	for i := range r.points {
		v.Schedule = append(v.Schedule, r.points[i].fault(&r.kinds[i]))
	}
	return v
}

func kindNames(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = string(kinds[i].Kind)
	}
	return strings.Join(names, " + ")
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
	sum(t.Unjudged, o.Unjudged)
	for row, kinds := range o.RowKinds {
		for kind, n := range kinds {
			count(t.RowKinds, row, kind)
			t.RowKinds[row][kind] += n - 1
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
	for key, c := range o.Classes {
		t.class(key, c)
	}
	t.Digest.add(o.Digest)
}

// class adds one class; of two first examples the earlier one in the plan stays.
func (t *Tally) class(key string, c *Class) {
	mine := t.Classes[key]
	if mine == nil {
		t.Classes[key] = c
		return
	}
	mine.Runs += c.Runs
	if c.First.At.before(mine.First.At) {
		mine.First = c.First
	}
}

func sum[K comparable](into, from map[K]int) {
	for k, n := range from {
		into[k] += n
	}
}

func count(m map[int]map[string]int, row int, kind string) {
	if m[row] == nil {
		m[row] = map[string]int{}
	}
	m[row][kind]++
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
