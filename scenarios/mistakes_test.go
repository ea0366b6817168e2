package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"bridgesim/sim"
)

const run, done = "When the bridge relays the request", `Then the session ends as "done"`

// inGiven are mistakes of a Given step, which stands in line 3.
var inGiven = []struct{ step, want string }{
	{
		`Given "sevr" strikes after the submit of round 1`,
		`fault "sevr" is not known; use one of sever, `,
	},
	{
		`Given "sever" strikes after the sbmit of round 1`,
		`moment "the sbmit" is not known; use one of the dial, `,
	},
	{
		`Given "sever" strikes after the write of diary of round 1`,
		`record "diary" is not known; use one of new, `,
	},
	{
		`Given "close-tab" strikes before the dial of round 1`,
		`fault "close-tab" cannot strike before attach.connect on virtual; choose a moment `,
	},
	{`Given "sever" strikes at "wait.poll@2"`, "the fault cannot be read: "},
	{`Given "sever" strikes at "nonsense"`, "the fault cannot be read: "},
	{
		`Given "sever" with "how=loud" strikes after the submit of round 1`,
		"the fault cannot be read: ",
	},
	{`Given "sever" with code "7" strikes after the submit of round 1`, "the fault cannot be read: "},
	{
		`Given "record-down" for "40" strikes before the capture of round 1`,
		`"40" is no length of time; write one such as "90s"`,
	},
	{
		`Given the acknowledgement deviates by "ack-said"`,
		`deviation "ack-said" is not known; use one of ack-plan, `,
	},
	{`Given the acknowledgement deviates by "plan-no-goal"`, "script: handshake answer 1: "},
	{
		`Given the acknowledgement of RESUME deviates by "rseume-ck"`,
		`deviation "rseume-ck" is not known`,
	},
	{`Given round 1 is answered with "contnue"`, "script: round 1, answer 1: decision "},
	{`Given round 0 is answered with "continue"`, "script: round 0: rounds count from 1"},
	{`Given 0 rounds are answered with "continue"`, "0 rounds make no sense; write 1 to 1000"},
	{`Given round 1 thinks for "soon"`, `"soon" is no length of time; `},
	{`Given round 1 thinks for "1s" and writes for "-2s"`, `"-2s" is no length of time; `},
	{`Given the site answers at "fast" pace`, `pace "fast" is not known; use one of instant, `},
	{`Given the site shows "capcha"`, `blocker "capcha" is not known; use one of captcha, `},
	{`Given the site has the switch "NoBarr"`, `switch "NoBarr" is not known; use one of Family, `},
	{`Given the site has the switch "Window" set to "many"`, `switch "Window" wants a whole number`},
	{`Given the agent takes "long" in round 1`, `"long" is no length of time; `},
	{`Given at most "soon" in all`, `"soon" is no length of time; `},
	{`Given the request has 0 characters`, "0 characters make no sense; write 2 to "},
	{
		`Given the request has 99999999999999999999 characters`,
		"99999999999999999999 is no number that can be counted to; ",
	},
	{`Given the request is:`, `the step wants a text under it; put it between two lines of """`},
}

// inThen are mistakes of a Then step, which stands in line 4.
var inThen = []struct{ step, want string }{
	{`Then the moon sings`, `no step reads "the moon sings"; "sim steps" lists them all`},
	{`Then the session ends as "doone"`, `outcome "doone" is not known; use one of done, `},
	{`Then the session ends as "manual" by row 16`, `row "16" is not known; use one of 1, 2, `},
	{`Then the bridge recovered by row 0`, `row "0" is not known`},
	{
		`Then the site received exactly 1 "RONUD" message`,
		`message "RONUD" is not known; use one of HELLO, `,
	},
	{`Then the site received at most 1 "PLAN" message`, `message "PLAN" is not known`},
	{`Then the REPAIR of round 1 names "E_BLOCKS,E_NOTHING"`, `error code "E_NOTHING" is not known`},
	{`Then the gate failed for "sidd" alone`, `condition "sidd" is not known`},
	{`Then the session took the edges "round-to-heaven"`, `edge "round-to-heaven" is not known`},
	{
		`Then the session took the edge "any-to-disconnected" from "limbo"`,
		`state "limbo" is not known`,
	},
	{`Then the agent executed the rounds "1, two"`, `two is no round; `},
	{`Then the run took at most "forever"`, `"forever" is no length of time; `},
	{
		`Then the browser was given exactly 0 "Input.insert" commands`,
		`command "Input.insert" is not known`,
	},
	{`Then pi refuses to begin: it is tired`, `refusal "it is tired" is not known`},
	{`Then the site received these messages:`, "the step wants a table under it; "},
}

// inScenario are mistakes of a scenario: what stands where nothing hears it, or is missing.
var inScenario = []struct {
	steps []string
	line  int
	want  string
}{
	{
		[]string{
			`Given the objective "x"`, `And round 1 is answered first with "plan-no-gaol"`, run, done,
		},
		4, `deviation "plan-no-gaol" is not known`,
	},
	{
		[]string{run, done, `And the objective "x"`},
		5,
		"a Given step stands behind a Then, where nothing hears it any more; move it up",
	},
	{[]string{run, done, run}, 5, "a When step stands behind a Then"},
	{
		[]string{`Given the objective "x"`, done},
		2,
		`the scenario has no When step; add "When the bridge relays the request"`,
	},
	{[]string{run}, 2, "the scenario has no Then step, so nothing would run; say what must hold"},
	{[]string{run, done, "| a |"}, 4, "the step takes nothing under it; take the text or table away"},
	{nil, 2, "the scenario has no When step; "},
}

// TestMistakesOfAFeature: a step that makes no sense is its author's mistake, with its place, and
// nothing runs: it is no failure of the bridge.
func TestMistakesOfAFeature(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range inGiven {
		refuses(t, []string{c.step, run, done}, 3, c.want)
	}
	for _, c := range inThen {
		refuses(t, []string{run, c.step}, 4, c.want)
	}
	for _, c := range inScenario {
		refuses(t, c.steps, c.line, c.want)
	}
}

func refuses(t *testing.T, steps []string, line int, want string) {
	t.Helper()
	text := "Feature: x\n  Scenario: y\n"
	for _, s := range steps {
		text += "    " + s + "\n"
	}
	put(t, "x.feature", text)
	_, err := runOn(sim.Virtual(), "", "x.feature")
	wantMistake(t, strings.Join(steps, "; "), err, fmt.Sprintf("x.feature:%d: %s", line, want))
}
