package certify

import (
	"slices"
	"strings"
	"time"
)

// Status is the result of a gate.
type Status string

// The three values.
const (
	Pass        Status = "PASS"
	Fail        Status = "FAIL"
	NotVerified Status = "NOT_VERIFIED" // it could not be run here; never a pass
)

// Gate is one thing that a certificate vouches for.
type Gate struct {
	Name     string // ASCII and stable
	Proves   string // what holds when it passes
	Required bool   // without it the profile is not passed
	Steps    []Step // what makes its evidence
	Judge    func(e Evidence) Finding
}

// Evidence is what the steps left, by their names.
type Evidence map[string]*Output

// Finding is what a gate makes of its evidence.
type Finding struct {
	Status  Status
	Reason  string         // one line; "" for a plain pass
	Found   []string       // what broke, the first of it
	Repro   []string       // command lines that show it again
	Numbers map[string]int // how much was looked at; more is better
	Files   []File         // further evidence, made of the rest
}

func pass(numbers map[string]int) Finding { return Finding{Status: Pass, Numbers: numbers} }

func fail(reason string) Finding { return Finding{Status: Fail, Reason: reason} }

func notVerified(reason string) Finding { return Finding{Status: NotVerified, Reason: reason} }

// Profile names a set of gates.
type Profile string

// The profiles.
const (
	CI      Profile = "ci"      // minutes, no browser
	Release Profile = "release" // all of it, and what needs a browser and time
)

// Profiles are the names of all profiles.
func Profiles() []string { return []string{string(CI), string(Release)} }

// Plan is what a profile is asked for with.
type Plan struct {
	Profile  Profile
	Features string // folder of the features
	Seed     string // of the runs and of the sample of mutants
	Sample   []string
}

// Gates are the gates of a profile, in the order in which they are judged.
func Gates(p Plan) []Gate {
	gates := ci(p)
	if p.Profile == Release {
		gates = append(gates, release(p)...)
	}
	return gates
}

func sim(name string, limit time.Duration, args ...string) Step {
	return Step{Name: name, Tool: Subject, Args: args, Limit: limit}
}

func goTest(name string, limit time.Duration, args ...string) Step {
	return Step{
		Name: name, Tool: Go, Args: append([]string{"test", "-json", "-count=1"}, args...), Limit: limit,
	}
}

// runs is the suite on an engine. Jobs and name tell two runs of one suite apart.
func (p Plan) runs(name, engine, jobs string, limit time.Duration) Step {
	return sim(name, limit, "run", "--engine", engine, "--seed", p.Seed, "--jobs", jobs,
		"--format", "json", p.Features)
}

func ci(p Plan) []Gate {
	suite := p.runs("suite", "virtual", "2", 10*time.Minute)
	again := p.runs("suite-again", "virtual", "1", 10*time.Minute)
	covered := sim("coverage", 10*time.Minute, "coverage", "--run", "--json", p.Features)
	explored := sim("explore-1", 30*time.Minute, "explore", "--seed", p.Seed, "--format", "json",
		p.Features+"/explore")
	table := func(name, proves, title string) Gate {
		return Gate{
			Name: name, Proves: proves, Required: true, Steps: []Step{covered},
			Judge: func(e Evidence) Finding { return coversTable(e[covered.Name], covered, title) },
		}
	}
	return []Gate{
		{
			Name: "scenarios", Proves: "every scenario ends as the specification says, on virtual",
			Required: true, Steps: []Step{suite},
			Judge: func(e Evidence) Finding { return scenariosPass(e[suite.Name], suite) },
		},
		{
			Name:     "oracles",
			Proves:   "no promise is broken in any of these runs, and each could be judged",
			Required: true, Steps: []Step{suite},
			Judge: func(e Evidence) Finding { return promisesKept(e[suite.Name], suite) },
		},
		table("rows", "each row of the decision table is taken in a passing scenario",
			"rows of the decision table"),
		table("edges", "each named edge of the lifecycle is taken", "edges of the state machine"),
		table("losses", "the line is lost in each state and the session goes on or stops as it must",
			"states in which the line can be lost"),
		table("error-codes", "each error code is provoked and answered", "error codes"),
		table("gate-conditions", "each condition of the establish gate fails alone",
			"conditions of the establish gate"),
		table("fault-kinds", "each kind of fault strikes", "fault kinds"),
		table("field-bugs", "each bug that the field reported has a scenario, or an excuse",
			"field bugs"),
		{
			Name: "determinism", Proves: "one seed gives the same bytes in two processes, however many " +
				"jobs there are",
			Required: true, Steps: []Step{suite, again},
			Judge: func(e Evidence) Finding {
				return sameSums(e[suite.Name], e[again.Name], suite, again)
			},
		},
		{
			Name: "exploration", Proves: "no fault at any place of the explored sessions breaks a promise",
			Required: true, Steps: []Step{explored},
			Judge: func(e Evidence) Finding { return explores(e[explored.Name], explored, false) },
		},
		tests("wire-goldens", "what the bridge writes is what the specification prints, to the byte",
			5*time.Minute, "./bridge/wire"),
		tests("exchange-table", "what may follow from which facts is what the table of exchanges says",
			5*time.Minute, "./bridge/exchange"),
		mutantsGate("mutants-sample", "a canary and a seeded sample of wrong bridges are caught by the "+
			"promise that they break", time.Hour, p.Sample),
		tests("performance", "runs have at least the committed share of an empty engine's rate, and "+
			"the heap does not grow", 10*time.Minute, "./sim/speed"),
	}
}

func release(p Plan) []Gate {
	suite := p.runs("suite", "virtual", "2", 10*time.Minute)
	real := p.runs("suite-chromium", "chromium", "2", 2*time.Hour)
	pairs := sim("explore-2", 2*time.Hour, "explore", "--depth", "2", "--budget", "200000", "--seed",
		p.Seed, "--format", "json", p.Features+"/explore")
	swarm := sim("swarm", 2*time.Hour, "explore", "--swarm", "200", "--seed", p.Seed, "--format",
		"json", p.Features+"/explore")
	return []Gate{
		{
			Name:     "scenarios-chromium",
			Proves:   "every scenario ends as the specification says, in a real browser",
			Required: true, Steps: []Step{real},
			Judge: func(e Evidence) Finding { return scenariosPass(e[real.Name], real) },
		},
		{
			Name: "agreement", Proves: "model and browser end alike in every scenario",
			Required: true, Steps: []Step{suite, real},
			Judge: func(e Evidence) Finding { return agree(e[suite.Name], e[real.Name], suite, real) },
		},
		{
			Name: "exploration-2", Proves: "no pair of faults within the budget breaks a promise",
			Required: true, Steps: []Step{pairs},
			Judge: func(e Evidence) Finding { return explores(e[pairs.Name], pairs, true) },
		},
		{
			Name: "swarm", Proves: "no mix of many faults breaks a promise",
			Required: true, Steps: []Step{swarm},
			Judge: func(e Evidence) Finding { return explores(e[swarm.Name], swarm, false) },
		},
		mutantsGate("mutants", "every wrong bridge is caught by the promise that it breaks",
			3*time.Hour, nil),
		tests("kill-loops", "the bridge as a program, killed at every durable write, goes on",
			time.Hour, "-tags", "killloop", "./sim/killloop"),
		tests("recorded-disconnects", "the disconnects in recorded logs are found and can be replayed",
			10*time.Minute, "./sim/trace", "./sim/replay"),
		tests("fuzz-corpora", "no input that once broke a reader breaks it again",
			30*time.Minute, "-run", "^Fuzz", "./bridge/...", "./sim/history", "./fakesite"),
		absent("interop", true, "bridges of others can be judged",
			"this version has no suite with a bridge of somebody else"),
		absent("container", false, "every scenario ends alike in a container",
			"this version has no engine for containers"),
	}
}

func tests(name, proves string, limit time.Duration, args ...string) Gate {
	s := goTest(name, limit, args...)
	return Gate{
		Name: name, Proves: proves, Required: true, Steps: []Step{s},
		Judge: func(e Evidence) Finding { return testsPass(e[s.Name], s) },
	}
}

func mutantsGate(name, proves string, limit time.Duration, only []string) Gate {
	args := []string{"mutants", "--format", "json"}
	if len(only) > 0 {
		args = append(args, "--only", join(only))
	}
	s := sim(name, limit, args...)
	return Gate{
		Name: name, Proves: proves, Required: true, Steps: []Step{s},
		Judge: func(e Evidence) Finding { return mutantsCaught(e[s.Name], s, only) },
	}
}

// absent is a gate that nothing can judge yet: it says so, rather than being left out.
func absent(name string, required bool, proves, why string) Gate {
	return Gate{
		Name: name, Proves: proves, Required: required,
		Judge: func(Evidence) Finding { return notVerified(why) },
	}
}

// Sample draws n names by a seed: the same ones for the same seed, whatever their order.
func Sample(seed string, n int, names []string) []string {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b string) int {
		return strings.Compare(digest([]byte(seed+" "+a)), digest([]byte(seed+" "+b)))
	})
	return sorted[:min(n, len(sorted))]
}
