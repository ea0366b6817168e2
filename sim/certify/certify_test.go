package certify_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/scenarios"
	"bridgesim/scenarios/coverage"
	"bridgesim/sim/certify"
	"bridgesim/sim/explore"
	"bridgesim/sim/mutants"
)

// suite is the summary of the lab with one scenario changed.
func suite(engine string, change func(*scenarios.Outcome)) scenarios.Summary {
	GinkgoHelper()
	step := map[string]string{"virtual": "suite", "chromium": "suite-chromium"}[engine]
	var s scenarios.Summary
	Expect(json.Unmarshal(newLab().steps[step].Stdout, &s)).To(Succeed())
	change(&s.Outcomes[1])
	return s
}

func hole(title string) coverage.Coverage {
	return covered(func(c *coverage.Coverage) { c.Holes = []string{title + ": no scenario covers x"} })
}

var broken = explored(func(r *explore.Result) {
	r.Violations, r.Promises = 3, map[string]int{"row": 3}
	r.Classes = map[string]*explore.Class{"row by sever": {
		Promise: "row", Kinds: "sever", Runs: 3,
		First: explore.Violation{Session: "x.feature:7", Message: "wrong", Feature: "Feature: found"},
	}}
})

var _ = Describe("A gate", func() {
	It("passes when everything does, and each step is run once", func() {
		l := newLab()
		st := l.made(certify.CI)
		Expect(others(st)).To(BeEmpty())
		Expect(st.Passed()).To(BeTrue())
		Expect(st.Predicate.Result).To(Equal("PASSED"))
		seen := map[string]bool{}
		for _, s := range l.ran {
			Expect(seen[s]).To(BeFalse(), "%s was run twice", s)
			seen[s] = true
		}
		Expect(gate(st, "scenarios").Numbers).To(Equal(map[string]int{"scenarios": 3}))
	})

	type fault struct {
		step string
		exit int
		with any
	}
	DescribeTable("fails alone for what it proves, with a line that shows it again",
		func(profile certify.Profile, name string, f fault, reason string, also ...string) {
			l := newLab()
			l.change(f.step, f.exit, f.with)
			st := l.made(profile)
			g := gate(st, name)
			Expect(g.Status).To(Equal(certify.Fail), g.Reason)
			Expect(g.Reason + strings.Join(g.Found, "\n")).To(ContainSubstring(reason))
			Expect(g.Repro).NotTo(BeEmpty())
			Expect(others(st, append(also, name, "interop", "container")...)).To(BeEmpty())
			Expect(st.Passed()).To(BeFalse())
			Expect(st.Broke()).To(BeTrue())
			Expect(st.Predicate.FailedTests).To(ContainElement(name))
		},
		Entry("scenarios", certify.CI, "scenarios", fault{"suite", 1, suite("virtual",
			func(o *scenarios.Outcome) { o.Status, o.Error = scenarios.Failed, "ended elsewhere" })},
			"x.feature:2 s1: failed: ended elsewhere"),
		Entry("scenarios, one that nobody could judge", certify.CI, "scenarios", fault{
			"suite", 4,
			suite("virtual", func(o *scenarios.Outcome) { o.Status = scenarios.Unknown }),
		}, "s1: unknown"),
		Entry("scenarios, none at all", certify.CI, "scenarios",
			fault{"suite", 0, scenarios.Summary{}}, "nothing ran", "oracles", "determinism"),
		Entry("scenarios, red by the exit code alone", certify.CI, "scenarios",
			fault{"suite", 1, nil}, "ended with 1"),
		Entry("oracles", certify.CI, "oracles", fault{"suite", 0, suite("virtual",
			func(o *scenarios.Outcome) { o.Broken = []string{"message-once"} })}, "broke message-once"),
		Entry("oracles, one that cannot judge", certify.CI, "oracles", fault{
			"suite", 0,
			suite("virtual", func(o *scenarios.Outcome) { o.Unknown = []string{"row"} }),
		},
			"nobody can judge row"),
		Entry("rows", certify.CI, "rows",
			fault{"coverage", 1, hole("rows of the decision table")}, "no scenario covers x"),
		Entry("edges", certify.CI, "edges",
			fault{"coverage", 1, hole("edges of the state machine")}, "no scenario covers x"),
		Entry("losses", certify.CI, "losses",
			fault{"coverage", 1, hole("states in which the line can be lost")}, "no scenario covers x"),
		Entry("error codes", certify.CI, "error-codes",
			fault{"coverage", 1, hole("error codes")}, "no scenario covers x"),
		Entry("conditions", certify.CI, "gate-conditions",
			fault{"coverage", 1, hole("conditions of the establish gate")}, "no scenario covers x"),
		Entry("faults", certify.CI, "fault-kinds",
			fault{"coverage", 1, hole("fault kinds")}, "no scenario covers x"),
		Entry("field bugs", certify.CI, "field-bugs",
			fault{"coverage", 1, hole("field bugs")}, "no scenario covers x"),
		Entry("a table that is gone", certify.CI, "field-bugs", fault{
			"coverage", 0,
			covered(func(c *coverage.Coverage) { c.Tables = c.Tables[:len(c.Tables)-1] }),
		},
			"nothing was counted"),
		Entry("determinism", certify.CI, "determinism", fault{"suite-again", 0, suite("virtual",
			func(o *scenarios.Outcome) { o.Sum = "another" })}, "sum1 and another"),
		Entry("determinism, a scenario less", certify.CI, "determinism", fault{
			"suite-again", 0,
			scenarios.Summary{},
		}, "3 scenarios in one process, 0 in the other"),
		Entry("exploration", certify.CI, "exploration", fault{"explore-1", 1, broken},
			"3 of 10 runs broke a promise: row 3"),
		Entry("exploration, not judged", certify.CI, "exploration", fault{
			"explore-1", 4,
			explored(func(r *explore.Result) { r.Unknown = 1 }),
		}, "1 of 10 runs could not be judged"),
		Entry("exploration, not whole", certify.CI, "exploration", fault{
			"explore-1", 4,
			explored(func(r *explore.Result) { r.Units.Done, r.Stopped = 2, "interrupted" }),
		},
			"2 of 4 parts"),
		Entry("exploration, of nothing", certify.CI, "exploration", fault{"explore-1", 0, "{}"},
			"nothing was explored"),
		Entry("goldens", certify.CI, "wire-goldens", fault{
			"wire-goldens", 1,
			`{"Action":"fail","Package":"p","Test":"TestGolden"}`,
		}, "p TestGolden"),
		Entry("the table of exchanges, not compiling", certify.CI, "exchange-table",
			fault{"exchange-table", 1, `{"Action":"build-fail","Package":"p"}`}, "1 tests or packages"),
		Entry("performance", certify.CI, "performance", fault{
			"performance", 1,
			`{"Action":"fail","Package":"p","Test":"TestShare"}`,
		}, "TestShare"),
		Entry("a mutant that survived", certify.CI, "mutants-sample", fault{
			"mutants-sample", 1,
			mutants.Report{Results: append(mutated("m1").Results,
				mutants.Result{Name: "m2", Promise: "row", Verdict: mutants.Survived})},
		},
			"SURVIVED: m2 (row)"),
		Entry("a mutant caught by another promise", certify.CI, "mutants-sample", fault{
			"mutants-sample",
			1,
			mutants.Report{Results: append(mutated("m1").Results,
				mutants.Result{Name: "m2", Verdict: mutants.Missed})},
		}, "MISSED: m2"),
		Entry("a canary that nothing saw", certify.CI, "mutants-sample", fault{
			"mutants-sample", 1,
			mutants.Report{Results: []mutants.Result{{Name: "canary", Verdict: mutants.Survived}}},
		},
			"SURVIVED: canary"),
		Entry("a sample that was not built", certify.CI, "mutants-sample",
			fault{"mutants-sample", 0, mutated("m1", "m3")}, "m2 was not judged"),
		Entry("a step that crashed", certify.CI, "exploration", fault{"explore-1", 134, ""},
			"ended with 134"),
		Entry("a call that was refused", certify.CI, "exploration", fault{"explore-1", 2, ""},
			"it was refused"),
		Entry("a session that breaks without a fault", certify.CI, "exploration",
			fault{"explore-1", 1, ""}, "it ended with 1: "),
		Entry("nonsense", certify.CI, "exploration", fault{"explore-1", 0, "what?"}, "cannot be read"),
		Entry("chromium", certify.Release, "scenarios-chromium", fault{
			"suite-chromium", 1,
			suite("chromium", func(o *scenarios.Outcome) { o.Status = scenarios.Failed }),
		}, "s1: failed",
			"agreement"),
		Entry("agreement", certify.Release, "agreement", fault{
			"suite-chromium", 0,
			suite("chromium", func(o *scenarios.Outcome) { o.End = "lost" }),
		}, "lost"),
		Entry("pairs", certify.Release, "exploration-2", fault{"explore-2", 1, broken}, "row 3"),
		Entry("swarm", certify.Release, "swarm", fault{"swarm", 1, broken}, "row 3"),
		Entry("all mutants", certify.Release, "mutants", fault{"mutants", 1, mutants.Report{
			Results: append(mutated("m1").Results, mutants.Result{Name: "m9", Verdict: mutants.Survived}),
		}}, "SURVIVED: m9"),
		Entry("kill loops", certify.Release, "kill-loops", fault{
			"kill-loops", 1,
			`{"Action":"fail","Package":"p","Test":"TestKill"}`,
		}, "TestKill"),
		Entry("recordings", certify.Release, "recorded-disconnects", fault{
			"recorded-disconnects", 1,
			`{"Action":"fail","Package":"p","Test":"TestLog"}`,
		}, "TestLog"),
		Entry("corpora", certify.Release, "fuzz-corpora", fault{
			"fuzz-corpora", 1,
			`{"Action":"fail","Package":"p","Test":"FuzzRead"}`,
		}, "FuzzRead"),
	)

	DescribeTable("is not verified where it cannot be run, and that is no pass",
		func(name, step string, change func(*certify.Output), reason string) {
			l := newLab()
			change(l.steps[step])
			st := l.made(certify.Release)
			g := gate(st, name)
			Expect(g.Status).To(Equal(certify.NotVerified))
			Expect(g.Reason).To(ContainSubstring(reason))
			Expect(st.Passed()).To(BeFalse())
			Expect(st.Broke()).To(BeFalse())
			Expect(st.Predicate.WarnedTests).To(ContainElement(name))
			Expect(st.Predicate.PassedTests).NotTo(ContainElement(name))
		},
		Entry("no browser", "scenarios-chromium", "suite-chromium", func(o *certify.Output) {
			o.Exit, o.Stdout, o.Stderr = 3, nil, []byte("sim: no browser was found")
		}, "no browser was found"),
		Entry("agreement without a browser", "agreement", "suite-chromium", func(o *certify.Output) {
			o.Exit, o.Stdout, o.Stderr = 3, nil, []byte("sim: no browser was found")
		}, "no browser was found"),
		Entry("no Go", "wire-goldens", "wire-goldens", func(o *certify.Output) {
			o.Missing = "Go and the source are needed"
		}, "Go and the source"),
		Entry("skipped tests", "kill-loops", "kill-loops", func(o *certify.Output) {
			o.Stdout = []byte(`{"Action":"pass","Package":"p","Test":"A"}
{"Action":"skip","Package":"p","Test":"B"}`)
		}, "1 tests were skipped here, p B first"),
		Entry("no tests", "fuzz-corpora", "fuzz-corpora", func(o *certify.Output) {
			o.Stdout = []byte(`{"Action":"pass","Package":"p"}`)
		}, "no test ran"),
	)

	It("fails when a step hangs", func() {
		l := newLab()
		l.steps["explore-1"].Broken = "it took longer than 30m0s"
		Expect(gate(l.made(certify.CI), "exploration").Reason).To(Equal("it took longer than 30m0s"))
	})

	It("does not mind that a budget ended the exploration of pairs", func() {
		l := newLab()
		l.change("explore-2", 4, explored(func(r *explore.Result) {
			r.Units.Done, r.Stopped = 2, "the budget is spent"
		}))
		Expect(gate(l.made(certify.Release), "exploration-2").Status).To(Equal(certify.Pass))
	})

	It("keeps each class of breaches as a feature that can be run", func() {
		l := newLab()
		l.where = "out/"
		l.change("explore-1", 1, broken)
		g := gate(l.made(certify.CI), "exploration")
		Expect(g.Repro).To(Equal([]string{"sim run out/evidence/exploration-01.feature"}))
		Expect(string(l.files["evidence/exploration-01.feature"].Data)).To(Equal("Feature: found"))
	})

	It("is named once in a profile, and says what it proves", func() {
		seen := map[string]bool{}
		for _, g := range certify.Gates(plan(certify.Release)) {
			Expect(seen[g.Name]).To(BeFalse(), g.Name)
			seen[g.Name] = true
			Expect(g.Name).To(MatchRegexp(`^[a-z0-9-]+$`))
			Expect(g.Proves).NotTo(BeEmpty())
		}
		Expect(len(certify.Gates(plan(certify.CI)))).To(BeNumerically("<", len(seen)))
	})
})

var _ = Describe("An interrupted run", func() {
	It("leaves a certificate in which the rest is not verified", func() {
		ctx, cancel := context.WithCancel(context.Background())
		l := newLab()
		l.at, l.stop = "explore-1", cancel
		st, err := l.certify(ctx, certify.CI)
		Expect(err).To(MatchError(context.Canceled))
		Expect(gate(st, "scenarios").Status).To(Equal(certify.Pass))
		Expect(gate(st, "exploration").Status).To(Equal(certify.NotVerified))
		Expect(gate(st, "performance").Status).To(Equal(certify.NotVerified))
		Expect(st.Passed()).To(BeFalse())
		Expect(l.ran[len(l.ran)-1]).To(Equal("explore-1"))
	})

	It("says when evidence cannot be kept", func() {
		full := errors.New("the disk is full")
		_, err := certify.Run(context.Background(), certify.Options{
			Plan: plan(certify.CI),
			Run: func(context.Context, certify.Step) (certify.Output, error) {
				return certify.Output{}, nil
			},
			Keep: func(certify.File) error { return full },
		})
		Expect(err).To(MatchError(full))
	})
})
