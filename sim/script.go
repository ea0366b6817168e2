package sim

import (
	"time"

	"bridgesim/bridge"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/agent"
)

// Script is one scenario as data: what the person wants, how the site and the agent behave. It holds
// no expectation; those look at the Result.
type Script struct {
	Name string // of the scenario, for reports
	Seed uint64

	Request      string
	Objective    string
	Capabilities []string // nil = the specification's defaults
	Denials      []string

	Persona fakesite.Script
	Timing  string // name of a timing profile; "" = instant
	Options fakesite.Options
	Blocker fakesite.Blocker // stands from the start

	Agent  []agent.Conduct
	Limits bridge.Limits

	Schedule faults.Schedule // what goes wrong

	// Later is what a person gives to the processes of pi after the first one.
	Later Later

	// End and Plans are the outcome of the run without faults and how many plans it executes; "" when
	// nobody has run it. Liveness is judged by them.
	End   string
	Plans int
}

// Later is how a person starts pi again, where that differs from before.
type Later struct {
	Request string // "" = the same one
	// Named: with the conversation in which the site received the last message (--conversation).
	Named bool
}

// DefaultRequest is what a script asks for when its scenario does not care.
const DefaultRequest = "给 README 加一节安装说明，并让测试通过"

// Bound is the virtual time in which every run must end.
const Bound = 48 * time.Hour
