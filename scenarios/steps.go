package scenarios

import (
	"regexp"

	"github.com/cucumber/godog"
)

// step is one sentence of the vocabulary.
type step struct {
	pattern  *regexp.Regexp
	example  string
	sentence string // what it means, for the reference
	bind     func(*scenario) any
	// check looks at the words of a step that judges, before anything runs; nil = any will do.
	check func(words []string) error
}

// role is the part that a step plays in a scenario.
type role int

const (
	given role = iota + 1 // writes into the script
	when                  // lets it be played
	then                  // plays it, the first time, and judges
)

func (r role) String() string { return [...]string{given: "Given", when: "When", then: "Then"}[r] }

// group is the vocabulary of one matter.
type group struct {
	name  string
	role  role
	steps []step
}

// vocabulary is every step there is. Patterns are compiled once: godog compiles a string pattern
// anew for each scenario.
var vocabulary = []group{
	{"pi", given, piSteps},
	{"the site", given, siteSteps},
	{"the site's switches", given, switchSteps},
	{"the agent", given, agentSteps},
	{"limits", given, limitSteps},
	{"faults", given, faultSteps},
	{"pi, started again", given, laterSteps},
	{"the run", when, runSteps},
	{"what was sent", then, messageSteps},
	{"how it ended", then, endSteps},
	{"what was executed", then, executionSteps},
	{"how it recovered", then, recoverySteps},
	{"what pi said", then, reasonSteps},
	{"what the run did", then, lookSteps},
}

// StepInfo describes one step for people.
type StepInfo struct {
	Group    string
	Pattern  string
	Example  string
	Sentence string
}

// Steps lists every step with an example, in the order of the vocabulary.
func Steps() []StepInfo {
	var out []StepInfo
	for _, g := range vocabulary {
		for _, s := range g.steps {
			out = append(out, StepInfo{
				Group: g.name, Pattern: s.pattern.String(), Example: s.example, Sentence: s.sentence,
			})
		}
	}
	return out
}

// register binds every step to one scenario.
func register(ctx *godog.ScenarioContext, s *scenario) {
	for _, g := range vocabulary {
		for _, st := range g.steps {
			ctx.Step(st.pattern, st.bind(s))
		}
	}
}

// find gives the step that a text matches and counts them: none is undefined, two are ambiguous.
func find(text string) (st *step, part role, n int) {
	for _, g := range vocabulary {
		for i := range g.steps {
			if g.steps[i].pattern.MatchString(text) {
				st, part = &g.steps[i], g.role
				n++
			}
		}
	}
	return st, part, n
}

func re(p string) *regexp.Regexp { return regexp.MustCompile(`^` + p + `$`) }
