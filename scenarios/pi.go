package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"bridgesim/sim/agent"
	"bridgesim/sim/oracle"
)

// piSteps say what pi wants and what it is able to do.
var piSteps = []step{
	{
		re(`the request "([^"]*)"`),
		`Given the request "把登录超时从 30 秒改成 5 分钟"`,
		"What the person wants; it travels once, in ROUND 1. There is a default.",
		func(s *scenario) any { return func(text string) { s.script.Request = text } },
	},
	{
		re(`the request is:`),
		"Given the request is:\n  \"\"\"\n  Two lines,\n  with a `fence`.\n  \"\"\"",
		"A request of several lines, word for word.",
		func(s *scenario) any {
			return func(text *godog.DocString) { s.script.Request = text.Content }
		},
	},
	{
		re(`the request has (\d+) characters`),
		`Given the request has 60000 characters`,
		"A long request of numbered lines; no two lines are equal, so that a lost piece shows.",
		func(s *scenario) any { return func(n int) { s.script.Request = long(n) } },
	},
	{
		re(`the objective "([^"]*)"`),
		`Given the objective "lint"`,
		"The short label in HELLO; it never holds the request.",
		func(s *scenario) any { return func(text string) { s.script.Objective = text } },
	},
	{
		re(`pi can do "([^"]*)"`),
		`Given pi can do "file.read,shell.local"`,
		"The capabilities that HELLO declares, in this order.",
		func(s *scenario) any { return func(list string) { s.script.Capabilities = split(list) } },
	},
	{
		re(`pi must not do "([^"]*)"`),
		`Given pi must not do "net,gui"`,
		"The denials that HELLO declares; a plan that needs one is refused before any effect.",
		func(s *scenario) any { return func(list string) { s.script.Denials = split(list) } },
	},
}

// long is a text of n characters, in numbered lines.
func long(n int) string {
	var b strings.Builder
	for line := 1; b.Len() < n; line++ {
		fmt.Fprintf(&b, "line %d of a long request, with a \"quote\" and a `tick`\n", line)
	}
	return strings.TrimSpace(b.String()[:n-1]) + "."
}

// agentSteps say how the scripted agent works.
var agentSteps = []step{
	{
		re(`the agent reports "([^"]*)" in round (\d+)`),
		`And the agent reports "npm test 全绿" in round 1`,
		"The receipt that the next ROUND carries.",
		func(s *scenario) any {
			return func(text string, round int) { s.conduct(round).Receipt = text }
		},
	},
	{
		re(`the agent fails in round (\d+)`),
		`And the agent fails in round 1`,
		"The receipt reports a failure; the execution is settled all the same.",
		func(s *scenario) any { return func(round int) { s.conduct(round).Fails = true } },
	},
	{
		re(`the agent takes "([^"]*)" in round (\d+)`),
		`And the agent takes "25m" in round 1`,
		"The time from claim to receipt.",
		func(s *scenario) any {
			return func(d string, round int) (err error) {
				s.conduct(round).Takes, err = time.ParseDuration(d)
				return err
			}
		},
	},
	{
		re(`the agent takes "([^"]*)" in every round`),
		`And the agent takes "6m" in every round`,
		"The time from claim to receipt, for rounds without one of their own.",
		func(s *scenario) any {
			return func(d string) (err error) {
				s.conduct(0).Takes, err = time.ParseDuration(d)
				return err
			}
		},
	},
}

// conduct gives the agent's conduct in one round, made if it is not there. Round 0 stands for every
// round that has none.
func (s *scenario) conduct(round int) *agent.Conduct {
	for i := range s.script.Agent {
		if s.script.Agent[i].Round == round {
			return &s.script.Agent[i]
		}
	}
	s.script.Agent = append(s.script.Agent, agent.Conduct{Round: round, Takes: 2 * time.Second})
	return &s.script.Agent[len(s.script.Agent)-1]
}

// limitSteps set the boundaries.
var limitSteps = []step{
	{
		re(`at most (\d+) rounds?`),
		`Given at most 2 rounds`,
		"The boundary on ROUNDs sent.",
		func(s *scenario) any { return func(n int) { s.script.Limits.Rounds = n } },
	},
	{
		re(`at most "([^"]*)" in all`),
		`Given at most "10m" in all`,
		"The boundary on wall time, restarts included.",
		func(s *scenario) any {
			return func(d string) (err error) {
				s.script.Limits.Wall, err = time.ParseDuration(d)
				return err
			}
		},
	},
	{
		re(`at most "([^"]*)" for each round`),
		`Given at most "5m" for each round`,
		"The boundary on the time from a ROUND's intent to its settlement.",
		func(s *scenario) any {
			return func(d string) (err error) {
				s.script.Limits.PerRound, err = time.ParseDuration(d)
				return err
			}
		},
	},
}

// laterSteps say how a person starts pi again after the schedule has killed it.
var laterSteps = []step{
	{
		re(`pi comes back with the conversation's address`),
		`And pi comes back with the conversation's address`,
		"When pi is started again it is told --conversation: the one that got the last message.",
		func(s *scenario) any { return func() { s.script.Later.Named = true } },
	},
	{
		re(`pi comes back with the request "([^"]*)"`),
		`And pi comes back with the request "another one"`,
		"When pi is started again it is given another request.",
		func(s *scenario) any {
			return func(text string) {
				s.script.Later.Request, s.script.End = text, oracle.RefusedToBegin
			}
		},
	},
}

// runSteps start the subject; it runs when the first Then looks.
var runSteps = []step{
	{
		re(`the bridge relays the request`),
		`When the bridge relays the request`,
		"One process of pi takes the request to a named end.",
		func(s *scenario) any { return func() { s.relays = true } },
	},
}

func split(list string) []string {
	parts := strings.Split(list, ",")
	out := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
