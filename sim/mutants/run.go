package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Options say which mutants are built, and how.
type Options struct {
	Root     string   // of the source; see Root
	Only     []string // names; all without any
	Features []string // paths from the root; Features without any
	Jobs     int      // mutants side by side
	Each     func(Result)
}

// Result is what came of one mutant.
type Result struct {
	Mutant  *Mutant       `json:"-"`
	Name    string        `json:"name"`
	Promise string        `json:"promise"`
	Verdict Verdict       `json:"verdict"`
	Kills   []Kill        `json:"kills,omitempty"`
	Error   string        `json:"error,omitempty"` // why there is no verdict
	Took    time.Duration `json:"took"`
}

// Verdict is how a mutant came out.
type Verdict string

// The verdicts. Anything but Killed (and Green, of the control) fails the whole.
const (
	Killed   Verdict = "killed"
	Survived Verdict = "SURVIVED" // nothing saw it
	Missed   Verdict = "MISSED"   // something saw it, and not the promise that must
	Broken   Verdict = "BROKEN"   // it does not apply, does not compile, or gave no verdict
	Green    Verdict = "green"    // of the control: nothing is wrong with it
	Red      Verdict = "RED"      // of the control: nothing that is measured against it counts
)

// Report is what a run came to. The first result is the control's, the second the canary's.
type Report struct {
	Results []Result      `json:"results"`
	Took    time.Duration `json:"took"`
}

// ErrUnknown refuses a name that no mutant has.
var ErrUnknown = errors.New("no mutant has this name")

// Run judges the unmutated bridge, the canary, and the mutants. When the control is red or the
// canary is green it stops there: a harness that cannot tell right from wrong has no verdict on
// anything. The error is about what was asked or about the machine; everything else is in the
// report.
func Run(ctx context.Context, o Options) (*Report, error) {
	began := time.Now()
	chosen, err := choose(o.Only)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	l := &lab{root: o.Root, temp: temp, features: o.Features, jobs: max(1, 2/max(o.Jobs, 1))}
	if len(l.features) == 0 {
		l.features = Features
	}
	rep := &Report{}
	for _, m := range []*Mutant{&control, &canary} {
		rep.add(l.judge(ctx, m), o.Each)
		if ctx.Err() == nil && rep.Failed() {
			rep.Took = time.Since(began)
			return rep, nil
		}
	}
	rep.all(ctx, l, chosen, &o)
	rep.Took = time.Since(began)
	return rep, ctx.Err()
}

func (rep *Report) add(r Result, each func(Result)) {
	rep.Results = append(rep.Results, r)
	if each != nil {
		each(r)
	}
}

// all runs the mutants side by side and reports them in the order of the table.
func (rep *Report) all(ctx context.Context, l *lab, chosen []*Mutant, o *Options) {
	results := make([]chan Result, len(chosen))
	var g errgroup.Group
	g.SetLimit(max(o.Jobs, 1))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	go func() {
		for i, m := range chosen {
			g.Go(func() error { results[i] <- l.judge(ctx, m); return nil })
		}
	}()
	for i := range results {
		if r := <-results[i]; ctx.Err() == nil || r.Verdict != Broken { // that was the interruption
			rep.add(r, o.Each)
		}
	}
	_ = g.Wait() // judge has no error: all is in its result
}

// judge builds and runs one mutant and says how it came out.
func (l *lab) judge(ctx context.Context, m *Mutant) Result {
	began := time.Now()
	kills, err := l.kills(ctx, m)
	r := Result{
		Mutant: m, Name: m.Name, Promise: m.Promise, Kills: kills, Verdict: m.verdict(kills),
		Took: time.Since(began),
	}
	if err != nil {
		r.Verdict, r.Error = Broken, err.Error()
	}
	return r
}

func (m *Mutant) verdict(kills []Kill) Verdict {
	promised := slices.ContainsFunc(kills, func(k Kill) bool { return k.By == m.Promise })
	switch {
	case m == &control && len(kills) > 0:
		return Red
	case m == &control:
		return Green
	case promised:
		return Killed
	case len(kills) > 0:
		return Missed
	}
	return Survived
}

// Failed tells whether anything came out as it must not.
func (rep *Report) Failed() bool {
	return slices.ContainsFunc(rep.Results, func(r Result) bool {
		return r.Verdict != Killed && r.Verdict != Green
	})
}

// Unbuilt tells whether the table itself is wrong.
func (rep *Report) Unbuilt() bool {
	return slices.ContainsFunc(rep.Results, func(r Result) bool { return r.Verdict == Broken })
}

func choose(only []string) ([]*Mutant, error) {
	var chosen []*Mutant
	for i := range table {
		if m := &table[i]; len(only) == 0 || slices.Contains(only, m.Name) {
			chosen = append(chosen, m)
		}
	}
	for _, name := range only {
		if !slices.ContainsFunc(chosen, func(m *Mutant) bool { return m.Name == name }) {
			return nil, fmt.Errorf("%w: %q; there are %s", ErrUnknown, name, strings.Join(Names(), ", "))
		}
	}
	return chosen, nil
}

// Names lists the mutants in the order of the table.
func Names() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}
