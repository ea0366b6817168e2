package explore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"bridgesim/faults"
	"bridgesim/sim/oracle"
)

// Class gathers runs that broke one promise, and whose smallest schedules have the same kinds; or
// runs that one oracle could not judge under the same kinds.
type Class struct {
	Promise string    `json:"promise"` // name of the oracle, or Crash
	Kinds   string    `json:"kinds"`   // of the smallest schedule
	Runs    int       `json:"runs"`
	First   Violation `json:"first"`
}

// Violation is one run that broke a promise, and the smallest one that breaks it as well.
type Violation struct {
	At      Index  `json:"at"`
	Session string `json:"session"` // its place
	Name    string `json:"name"`    // its name
	// Found is the schedule that was explored, Schedule the smallest one; what follows is about
	// the run of the smallest.
	Found    faults.Schedule `json:"found"`
	Schedule faults.Schedule `json:"schedule"`
	Message  string          `json:"message"`
	End      string          `json:"end"`
	Row      int             `json:"row,omitempty"`
	Sum      string          `json:"sum"`
	// Feature is the text of a feature that is this run.
	Feature string `json:"feature,omitempty"`
}

// judge books what the run broke, and what could not be judged.
func (w *worker) judge(ctx context.Context, r *trial) error {
	t, o := w.tally, r.outcome
	if len(o.Unknown) > 0 {
		t.Unknown++
	}
	for _, name := range o.Unknown {
		v := w.violation(r, r.schedule(), o, "the history cannot tell")
		t.book(t.Unjudged, name, kindNames(v.Schedule), v)
	}
	if len(o.Broken) > 0 {
		t.Violations++
	}
	for i := range o.Broken {
		b := &o.Broken[i]
		t.Promises[b.Promise]++
		s, small, err := w.fewest(ctx, r, b.Promise)
		if err != nil {
			return err
		}
		t.book(t.Classes, b.Promise, kindNames(s), w.violation(r, s, small, small.said(b.Promise)))
	}
	return nil
}

// said is what an oracle said about a promise.
func (o *Outcome) said(promise string) string {
	for i := range o.Broken {
		if o.Broken[i].Promise == promise {
			return o.Broken[i].Message
		}
	}
	return ""
}

func (w *worker) violation(
	r *trial, small faults.Schedule, o *Outcome, message string,
) Violation {
	return Violation{
		At: r.at, Session: w.session.Place(), Name: w.session.Name, Found: r.schedule(),
		Schedule: small, Message: message, End: o.End, Row: o.Row, Sum: o.Sum,
	}
}

// book counts a run in its class and keeps the first one.
func (t *Tally) book(into map[string]*Class, promise, kinds string, v Violation) {
	key := promise + " under " + kinds
	c := into[key]
	if c == nil {
		c = &Class{Promise: promise, Kinds: kinds, First: v}
		into[key] = c
	}
	c.Runs++
}

// join adds classes; of two first examples the earlier one in the plan stays.
func join(into, from map[string]*Class) {
	for key, c := range from {
		mine := into[key]
		if mine == nil {
			into[key] = c
			continue
		}
		mine.Runs += c.Runs
		if c.First.At.before(mine.First.At) {
			mine.First = c.First
		}
	}
}

// InOrder lists classes by their first run.
func InOrder(classes map[string]*Class) []*Class {
	return slices.SortedFunc(maps.Values(classes), func(a, b *Class) int {
		x, y := a.First.At, b.First.At
		return cmp.Or(x.Unit-y.Unit, x.Run-y.Run, strings.Compare(a.Promise, b.Promise))
	})
}

// kindNames are the kinds of a schedule, in its order.
func kindNames(s faults.Schedule) string {
	if len(s) == 0 {
		return "no fault"
	}
	names := make([]string, len(s))
	for i := range s {
		names[i] = string(s[i].Kind)
	}
	return strings.Join(names, " + ")
}

// finish makes the first example of each class as plain as it can be, and writes it as a feature.
func (p *plan) finish(ctx context.Context, player *player, t *Tally) error {
	for _, c := range InOrder(t.Classes) {
		v := &c.First
		w := p.workOn(player, v.At.Unit)
		s, o, err := w.plainest(ctx, v.Schedule, c.Promise)
		if err != nil {
			return err
		}
		if o != nil {
			v.Schedule, v.Message, v.End, v.Row, v.Sum = s, o.said(c.Promise), o.End, o.Row, o.Sum
		}
		v.Feature = w.session.feature(c.Promise, v.Schedule, v.Message)
	}
	return nil
}

// Sentence is the sentence of the specification that a promise enforces.
func Sentence(promise string) error {
	if promise == Crash {
		return ErrCrash
	}
	for _, o := range oracle.All() {
		if o.Name == promise {
			return o.Promise
		}
	}
	return errors.New("no oracle of this program has this name")
}
