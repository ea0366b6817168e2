package sim

import (
	"hash/fnv"
	"strconv"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/agent"
)

// Script is one scenario as data: what the person wants, how the site and the agent behave. It
// holds no expectation; those look at the Result.
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

// Wanted is what the person wants: the script's request, or the default.
func (s *Script) Wanted() string {
	if s.Request == "" {
		return DefaultRequest
	}
	return s.Request
}

// Able is what pi can do, in the order in which HELLO declares it: the script's capabilities, or
// the specification's.
func (s *Script) Able() []string {
	if s.Capabilities == nil {
		return wire.DefaultCapabilities()
	}
	return s.Capabilities
}

// Denied is what pi must not do, in the same way.
func (s *Script) Denied() []string {
	if s.Denials == nil {
		return wire.DefaultDenials()
	}
	return s.Denials
}

// stream is the chance of one part of the world, in one life of it. It rests on the run's seed and
// on the scenario's name alone, so nothing that ran before, and no fault that is added, shifts it.
func (s *Script) stream(part string, life int) clock.Entropy {
	var room [160]byte
	b := append(strconv.AppendUint(room[:0], s.Seed, 10), '\n')
	b = append(append(b, s.Name...), '\n')
	b = append(append(b, part...), '\n')
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt(b, int64(life), 10)) // a hash never fails
	return clock.Seeded(h.Sum64())
}

// DefaultRequest is what a script asks for when its scenario does not care.
const DefaultRequest = "给 README 加一节安装说明，并让测试通过"

// Bound is the virtual time in which every run must end.
const Bound = 48 * time.Hour
