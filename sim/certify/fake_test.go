package certify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/scenarios"
	"bridgesim/scenarios/coverage"
	"bridgesim/sim/certify"
	"bridgesim/sim/explore"
	"bridgesim/sim/mutants"
)

// plan is what the specs certify by.
func plan(p certify.Profile) certify.Plan {
	return certify.Plan{Profile: p, Features: "features", Seed: "1", Sample: []string{"m1", "m2"}}
}

// lab is a machine on which every gate passes, until a spec breaks it.
type lab struct {
	steps map[string]*certify.Output
	ran   []string
	files fstest.MapFS
	where string
	stop  func() // called when the step of stopAt begins
	at    string
}

func newLab() *lab {
	l := &lab{files: fstest.MapFS{}, steps: map[string]*certify.Output{}}
	suite := func(engine string) []byte {
		var s scenarios.Summary
		for i := range 3 {
			s.Outcomes = append(s.Outcomes, scenarios.Outcome{
				Name: fmt.Sprint("s", i), URI: "x.feature", Line: i + 1, Engine: engine,
				Status: scenarios.Passed, Sum: fmt.Sprint("sum", i), End: "done",
				Repeat: fmt.Sprintf("sim run --engine %s x.feature:%d", engine, i+1),
			})
		}
		s.Passed = 3
		return inJSON(s)
	}
	for _, g := range certify.Gates(plan(certify.Release)) {
		for _, s := range g.Steps {
			o := &certify.Output{}
			switch {
			case s.Args[0] == "run":
				o.Stdout = suite(s.Args[2])
			case s.Args[0] == "coverage":
				o.Stdout = inJSON(covered(func(*coverage.Coverage) {}))
			case s.Args[0] == "explore":
				o.Stdout = inJSON(explored(func(*explore.Result) {}))
			case s.Args[0] == "mutants":
				o.Stdout = inJSON(mutated("m1", "m2"))
			case s.Tool == certify.Go:
				o.Stdout = []byte(`{"Action":"run","Package":"p","Test":"T"}
{"Action":"pass","Package":"p","Test":"T"}
{"Action":"pass","Package":"p"}
`)
			}
			l.steps[s.Name] = o
		}
	}
	return l
}

func inJSON(v any) []byte {
	b, err := json.Marshal(v)
	Expect(err).NotTo(HaveOccurred())
	return b
}

// covered is a coverage without holes, changed by a spec.
func covered(change func(*coverage.Coverage)) coverage.Coverage {
	c := coverage.Report(nil, nil)
	c.Engines, c.Holes, c.Strangers = []string{"virtual"}, nil, nil
	change(&c)
	return c
}

func explored(change func(*explore.Result)) explore.Result {
	r := explore.Result{Tally: &explore.Tally{Runs: 10, Struck: 9}}
	r.Units.Planned, r.Units.Done = 4, 4
	change(&r)
	return r
}

func mutated(names ...string) mutants.Report {
	rep := mutants.Report{Results: []mutants.Result{
		{Name: "control", Verdict: mutants.Green}, {Name: "canary", Verdict: mutants.Killed},
	}}
	for _, n := range names {
		rep.Results = append(rep.Results, mutants.Result{Name: n, Verdict: mutants.Killed})
	}
	return rep
}

// change gives a step another output.
func (l *lab) change(step string, exit int, v any) {
	GinkgoHelper()
	o := l.steps[step]
	Expect(o).NotTo(BeNil(), step)
	o.Exit = exit
	switch v := v.(type) {
	case string:
		o.Stdout = []byte(v)
	case nil:
	default:
		o.Stdout = inJSON(v)
	}
}

// subjects are those of the lab.
func subjects() []certify.Descriptor {
	GinkgoHelper()
	ds, err := certify.Subjects(certify.Of{
		Binary: []byte("a program"), Version: "sim v1\ngo 1\ncommit abc\n",
		Coverage: inJSON(covered(func(*coverage.Coverage) {})), Name: "features",
		Features: fstest.MapFS{
			"a.feature":     {Data: []byte("Feature: a")},
			"sub/b.feature": {Data: []byte("Feature: b")},
			"sub/readme.md": {Data: []byte("no feature")},
		},
	})
	Expect(err).NotTo(HaveOccurred())
	return ds
}

func (l *lab) certify(ctx context.Context, p certify.Profile) (*certify.Statement, error) {
	return certify.Run(ctx, certify.Options{
		Plan: plan(p), Subjects: subjects(), Where: l.where,
		Run: func(_ context.Context, s certify.Step) (certify.Output, error) {
			l.ran = append(l.ran, s.Name)
			if l.stop != nil && s.Name == l.at {
				l.stop()
			}
			return *l.steps[s.Name], nil
		},
		Keep: func(f certify.File) error {
			l.files[f.Name] = &fstest.MapFile{Data: f.Content}
			return nil
		},
		Finished: func() string { return "2026-01-02T03:04:05Z" },
	})
}

// made is the certificate, which must be made.
func (l *lab) made(p certify.Profile) *certify.Statement {
	GinkgoHelper()
	st, err := l.certify(context.Background(), p)
	Expect(err).NotTo(HaveOccurred())
	return st
}

// gate is one gate of a certificate.
func gate(st *certify.Statement, name string) certify.Result {
	GinkgoHelper()
	for _, g := range st.Predicate.Gates {
		if g.Name == name {
			return g
		}
	}
	Fail("no gate " + name)
	return certify.Result{}
}

// others are the gates that did not pass, without the named ones.
func others(st *certify.Statement, but ...string) (out []string) {
	for _, g := range st.Predicate.Gates {
		if g.Status != certify.Pass && !strings.Contains(" "+strings.Join(but, " ")+" ", " "+g.Name+" ") {
			out = append(out, g.Name)
		}
	}
	return out
}
