package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cucumber/godog"
	"golang.org/x/sync/errgroup"

	"bridgesim/sim"
	"bridgesim/sim/oracle"
)

// Options say what a suite runs and how it reports.
type Options struct {
	// feature files (with ":line" if wanted) and folders; what is given twice runs once
	Paths  []string
	Engine sim.Engine
	Seed   uint64
	Jobs   int    // feature files side by side; 0 = 1
	Tags   string // godog's tag expression
	Checks sim.Checks
	// Format is one of godog's formatters for Out, or "" for none: Each then tells what happened.
	Format string
	Out    io.Writer
	// Report is a folder that gets every run's history as NDJSON; "" = none.
	Report string
	// Each hears of every scenario as it ends; calls do not overlap.
	Each func(Outcome)
	// T runs scenarios as subtests.
	T *testing.T
}

// Status is how a scenario came out.
type Status string

// The statuses. Anything but Passed fails the suite.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Aborted Status = "aborted" // the suite was interrupted first
	Unknown Status = "unknown" // every step held, but a promise could not be judged
)

// Outcome is one scenario on one engine. In JSON its names are in lower camel case, and lengths of
// time are nanoseconds.
type Outcome struct {
	Feature string        `json:"feature"`
	Name    string        `json:"name"`
	URI     string        `json:"uri"`
	Line    int           `json:"line"`
	Tags    []string      `json:"tags,omitempty"`
	Engine  string        `json:"engine"`
	Status  Status        `json:"status"`
	Error   string        `json:"error,omitempty"`
	Step    string        `json:"step,omitempty"`    // the sentence that did not hold
	Seed    uint64        `json:"seed,string"`       // a number in JSON would lose digits
	End     string        `json:"end,omitempty"`     // outcome of the session
	Rows    []int         `json:"rows,omitempty"`    // of the decision table that were taken
	Missed  []string      `json:"missed,omitempty"`  // faults that never struck
	Broken  []string      `json:"broken,omitempty"`  // oracles whose promise was broken
	Unknown []string      `json:"unknown,omitempty"` // oracles that could not judge
	Sum     string        `json:"sum,omitempty"`     // hash of the history
	Events  int           `json:"events"`            // in the history
	Took    time.Duration `json:"took"`              // real time
	World   time.Duration `json:"world"`             // time in the world of the run
	History string        `json:"history,omitempty"` // file with the events
	Repeat  string        `json:"repeat"`            // the line that repeats this run
}

// Summary is what a suite run came to.
type Summary struct {
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Aborts   int           `json:"aborted"`
	Unknown  int           `json:"unknown"`
	Took     time.Duration `json:"took"` // real time
	Outcomes []Outcome     `json:"outcomes"`
}

// Run runs every scenario under the paths on the engine. The error is about what was asked
// (*InputError) or about the machine; failed scenarios are in the Summary.
func Run(ctx context.Context, o Options) (Summary, error) {
	began := time.Now()
	files, err := load(o.Paths, o.Tags, o.Engine.Name())
	if err != nil {
		return Summary{}, err
	}
	if o.Report != "" {
		if err := os.MkdirAll(o.Report, 0o755); err != nil {
			return Summary{}, &InputError{
				File: "--report " + o.Report, What: "cannot hold reports: " + reason(err),
				Mend: "name a folder that can be written", Err: err,
			}
		}
	}
	if err := o.Engine.Ready(ctx); err != nil {
		return Summary{}, err
	}
	r := &run{Options: o, shared: sharedElements(files)}
	outs := make([]bytes.Buffer, len(files))
	var g errgroup.Group
	g.SetLimit(max(o.Jobs, 1))
	for i, f := range files {
		g.Go(func() error { return r.file(ctx, f, &outs[i]) })
	}
	err = g.Wait()
	sum := r.summary(files)
	sum.Took = time.Since(began)
	if o.Format != "" && o.Out != nil {
		err = errors.Join(err, merge(o.Format, outs, o.Out))
	}
	if cerr := ctx.Err(); cerr != nil {
		err = cerr
	}
	return sum, err
}

// run is a suite under way.
type run struct {
	Options
	shared   int // path elements that all files have in common
	mu       sync.Mutex
	outcomes map[string][]Outcome // by file, in the order in which they ended
}

// file runs the scenarios of one feature file one after the other.
func (r *run) file(ctx context.Context, f file, out io.Writer) error {
	format := r.Format
	if format == "" {
		format, out = "progress", io.Discard
	}
	lines := map[string]int{}
	for _, p := range f.pickles {
		lines[p.Id] = int(p.Location.Line)
	}
	suite := godog.TestSuite{
		Name: f.path,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			r.scenario(sc, f, lines)
		},
		Options: &godog.Options{
			FeatureContents: f.contents(), Tags: alsoTags(r.Tags, otherEngine(r.Engine.Name())),
			Format: format, Output: out, Strict: true,
			NoColors: true, DefaultContext: ctx, TestingT: r.T, Concurrency: 1,
		},
	}
	if code := suite.Run(); code > 1 {
		return fmt.Errorf("%s: the suite could not run (godog's code %d)", f.path, code)
	}
	return nil
}

// scenario binds the steps and the two hooks of one scenario.
func (r *run) scenario(sc *godog.ScenarioContext, f file, lines map[string]int) {
	s := &scenario{engine: r.Engine, on: r.Engine.Name(), checks: r.Checks}
	var began time.Time
	sc.Before(func(ctx context.Context, g *godog.Scenario) (context.Context, error) {
		began = time.Now()
		s.script.Name, s.script.Seed = g.Name, r.Seed
		return ctx, ctx.Err()
	})
	register(sc, s)
	step := ""
	sc.StepContext().After(func(
		ctx context.Context, st *godog.Step, _ godog.StepResultStatus, err error,
	) (context.Context, error) {
		if err != nil && step == "" {
			step = st.Text
		}
		return ctx, nil
	})
	sc.After(func(ctx context.Context, g *godog.Scenario, err error) (context.Context, error) {
		o := r.outcome(s, f, g, err)
		o.Line, o.Step, o.Took = lines[g.Id], step, time.Since(began)
		o.Repeat = fmt.Sprintf("sim run --engine %s --seed %d %s:%d", o.Engine, o.Seed, f.path, o.Line)
		if ctx.Err() != nil {
			o.Status = Aborted
		}
		werr := r.write(s, &o)
		r.tell(f, o)
		return ctx, errors.Join(werr, o.unjudged())
	})
}

func (r *run) outcome(s *scenario, f file, g *godog.Scenario, err error) Outcome {
	o := Outcome{
		Feature: f.doc.Feature.Name, Name: g.Name, URI: f.path,
		Engine: r.Engine.Name(), Seed: r.Seed, Status: Passed,
	}
	for _, t := range g.Tags {
		o.Tags = append(o.Tags, t.Name)
	}
	if err != nil {
		o.Status, o.Error = Failed, err.Error()
	}
	if s.result == nil && err == nil {
		// A scenario that looked at nothing proves nothing.
		o.Status, o.Error = Failed, "the scenario has no Then step, so nothing ran"
	}
	if s.result != nil {
		o.describe(s.result)
		log := s.result.World.Log
		o.Sum, o.Events = log.Sum(), log.Len()
		if n := len(log.Events()); n > 0 {
			o.World = log.Events()[n-1].At
		}
	}
	return o
}

// unjudged is an error for godog, which knows no third verdict: what nobody could judge has not
// passed.
func (o *Outcome) unjudged() error {
	if o.Status != Unknown {
		return nil
	}
	return errors.New(o.Error)
}

// describe takes over what the run came to.
func (o *Outcome) describe(r *sim.Result) {
	o.End, o.Rows = string(r.Report.Outcome), r.Rows
	for _, f := range r.Unreached {
		o.Missed = append(o.Missed, f.String())
	}
	for _, f := range r.Findings {
		switch f.Status {
		case oracle.Fail:
			o.Broken = append(o.Broken, f.Oracle.Name)
		case oracle.Unknown:
			o.Unknown = append(o.Unknown, f.Oracle.Name)
		}
	}
	if o.Status == Passed && len(o.Unknown) > 0 {
		o.Status = Unknown
		o.Error = "could not be judged: " + strings.Join(o.Unknown, ", ")
	}
}

// elements are the names in a path.
func elements(path string) []string {
	return strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
}

// sharedElements counts the folders that all files lie in. What is below them names a history, so
// that two files of one name in two folders have two.
func sharedElements(files []file) int {
	first := elements(files[0].path)
	n := len(first) - 1
	for _, f := range files[1:] {
		other := elements(f.path)
		n = min(n, len(other)-1)
		for i := range n {
			if first[i] != other[i] {
				n = i
				break
			}
		}
	}
	return n
}

// write keeps the history as evidence, whatever the verdict.
func (r *run) write(s *scenario, o *Outcome) error {
	if r.Report == "" || s.result == nil {
		return nil
	}
	name := strings.Join(elements(o.URI)[r.shared:], ".")
	o.History = filepath.Join(r.Report, fmt.Sprintf("%s-%d.%s.ndjson",
		strings.TrimSuffix(name, ".feature"), o.Line, o.Engine))
	f, err := os.Create(o.History)
	if err != nil {
		return fmt.Errorf("keeping the history: %w", err)
	}
	return errors.Join(s.result.World.Log.WriteNDJSON(f), f.Close())
}

func (r *run) tell(f file, o Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcomes == nil {
		r.outcomes = map[string][]Outcome{}
	}
	r.outcomes[f.path] = append(r.outcomes[f.path], o)
	if r.Each != nil {
		r.Each(o)
	}
}

// summary orders outcomes as the files were given, whatever order they ran in.
func (r *run) summary(files []file) Summary {
	var s Summary
	for _, f := range files {
		for _, o := range r.outcomes[f.path] {
			switch o.Status {
			case Passed:
				s.Passed++
			case Failed:
				s.Failed++
			case Unknown:
				s.Unknown++
			case Aborted:
				s.Aborts++
			}
			s.Outcomes = append(s.Outcomes, o)
		}
	}
	return s
}
