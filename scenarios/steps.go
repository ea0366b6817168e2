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
}

// group is the vocabulary of one matter.
type group struct {
	name  string
	steps []step
}

// vocabulary is every step there is. Patterns are compiled once: godog compiles a string pattern
// anew for each scenario.
var vocabulary = []group{
	{"pi", piSteps},
	{"the site", siteSteps},
	{"the site's switches", switchSteps},
	{"the agent", agentSteps},
	{"limits", limitSteps},
	{"faults", faultSteps},
	{"pi, started again", laterSteps},
	{"the run", runSteps},
	{"what was sent", messageSteps},
	{"how it ended", endSteps},
	{"what was executed", executionSteps},
	{"how it recovered", recoverySteps},
	{"what the run did", lookSteps},
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

// matches counts the steps that a text matches: none is undefined, two are ambiguous.
func matches(text string) int {
	n := 0
	for _, g := range vocabulary {
		for _, s := range g.steps {
			if s.pattern.MatchString(text) {
				n++
			}
		}
	}
	return n
}

func re(p string) *regexp.Regexp { return regexp.MustCompile(`^` + p + `$`) }
