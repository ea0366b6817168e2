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
		pattern:  re(`the request "([^"]*)"`),
		example:  `Given the request "把登录超时从 30 秒改成 5 分钟"`,
		sentence: "What the person wants; it travels once, in ROUND 1. There is a default.",
		bind:     func(s *scenario) any { return func(text string) { s.script.Request = text } },
	},
	{
		pattern:  re(`the request is:`),
		example:  "Given the request is:\n  \"\"\"\n  Two lines,\n  with a `fence`.\n  \"\"\"",
		sentence: "A request of several lines, word for word.",
		bind: func(s *scenario) any {
			return func(text *godog.DocString) { s.script.Request = text.Content }
		},
	},
	{
		pattern:  re(`the request has (\d+) characters`),
		example:  `Given the request has 60000 characters`,
		sentence: "A long request of numbered lines; no two lines are equal, so that a lost piece shows.",
		bind: func(s *scenario) any {
			return func(n int) error {
				err := between("characters", n, 2, maxRequest)
				if err == nil {
					s.script.Request = long(n)
				}
				return err
			}
		},
	},
	{
		pattern:  re(`the objective "([^"]*)"`),
		example:  `Given the objective "lint"`,
		sentence: "The short label in HELLO; it never holds the request.",
		bind:     func(s *scenario) any { return func(text string) { s.script.Objective = text } },
	},
	{
		pattern:  re(`pi can do "([^"]*)"`),
		example:  `Given pi can do "file.read,shell.local"`,
		sentence: "The capabilities that HELLO declares, in this order.",
		bind: func(s *scenario) any {
			return func(list string) { s.script.Capabilities = split(list) }
		},
	},
	{
		pattern:  re(`pi must not do "([^"]*)"`),
		example:  `Given pi must not do "net,gui"`,
		sentence: "The denials that HELLO declares; a plan that needs one is refused before any effect.",
		bind:     func(s *scenario) any { return func(list string) { s.script.Denials = split(list) } },
	},
}

// maxRequest is the longest request that a feature may ask for.
const maxRequest = 1 << 20

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
		pattern:  re(`the agent reports "([^"]*)" in round (\d+)`),
		example:  `And the agent reports "npm test 全绿" in round 1`,
		sentence: "The receipt that the next ROUND carries.",
		bind: func(s *scenario) any {
			return func(text string, round int) { s.conduct(round).Receipt = text }
		},
	},
	{
		pattern:  re(`the agent fails in round (\d+)`),
		example:  `And the agent fails in round 1`,
		sentence: "The receipt reports a failure; the execution is settled all the same.",
		bind:     func(s *scenario) any { return func(round int) { s.conduct(round).Fails = true } },
	},
	{
		pattern:  re(`the agent takes "([^"]*)" in round (\d+)`),
		example:  `And the agent takes "25m" in round 1`,
		sentence: "The time from claim to receipt.",
		bind: func(s *scenario) any {
			return func(d string, round int) (err error) {
				s.conduct(round).Takes, err = duration(d)
				return err
			}
		},
	},
	{
		pattern:  re(`the agent takes "([^"]*)" in every round`),
		example:  `And the agent takes "6m" in every round`,
		sentence: "The time from claim to receipt, for rounds without one of their own.",
		bind: func(s *scenario) any {
			return func(d string) (err error) {
				s.conduct(0).Takes, err = duration(d)
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
		pattern:  re(`at most (\d+) rounds?`),
		example:  `Given at most 2 rounds`,
		sentence: "The boundary on ROUNDs sent.",
		bind:     func(s *scenario) any { return func(n int) { s.script.Limits.Rounds = n } },
	},
	{
		pattern:  re(`at most "([^"]*)" in all`),
		example:  `Given at most "10m" in all`,
		sentence: "The boundary on wall time, restarts included.",
		bind: func(s *scenario) any {
			return func(d string) (err error) {
				s.script.Limits.Wall, err = duration(d)
				return err
			}
		},
	},
	{
		pattern:  re(`at most "([^"]*)" for each round`),
		example:  `Given at most "5m" for each round`,
		sentence: "The boundary on the time from a ROUND's intent to its settlement.",
		bind: func(s *scenario) any {
			return func(d string) (err error) {
				s.script.Limits.PerRound, err = duration(d)
				return err
			}
		},
	},
}

// laterSteps say how a person starts pi again after the schedule has killed it.
var laterSteps = []step{
	{
		pattern: re(`pi comes back with the conversation's address`),
		example: `And pi comes back with the conversation's address`,
		sentence: "When pi is started again it is told --conversation: the one that got the last " +
			"message.",
		bind: func(s *scenario) any { return func() { s.script.Later.Named = true } },
	},
	{
		pattern:  re(`pi comes back with the request "([^"]*)"`),
		example:  `And pi comes back with the request "another one"`,
		sentence: "When pi is started again it is given another request.",
		bind: func(s *scenario) any {
			return func(text string) {
				s.script.Later.Request, s.script.End = text, oracle.RefusedToBegin
			}
		},
	},
}

// runSteps start the subject; it runs when the first Then looks.
var runSteps = []step{
	{
		pattern:  re(`the bridge relays the request`),
		example:  `When the bridge relays the request`,
		sentence: "One process of pi takes the request to a named end.",
		bind:     func(s *scenario) any { return func() { s.relays = true } },
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
