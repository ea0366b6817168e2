package scenarios

import (
	"bridgesim/fakesite"
)

// maxRounds is how many rounds one sentence may answer.
const maxRounds = 1000

// siteSteps say how the site and the model behind it behave.
var siteSteps = []step{
	{
		pattern:  re(`the site answers at "([^"]*)" pace`),
		example:  `Given the site answers at "typical" pace`,
		sentence: "The timing profile: instant, typical (measured on the real site) or slow-thinking.",
		bind: func(s *scenario) any {
			return func(name string) error {
				s.script.Timing = name
				return oneOf("pace", name, fakesite.TimingNames())
			}
		},
	},
	{
		pattern: re(`the site shows "([^"]*)"`),
		example: `Given the site shows "captcha"`,
		sentence: "A blocker stands from the start: captcha, login, expired, rate-limit, usage-cap, " +
			"account; or downgrade, a banner that blocks nothing.",
		bind: func(s *scenario) any { return s.blocker },
	},
	{
		pattern:  re(`the acknowledgement deviates by "([^"]*)"`),
		example:  `Given the acknowledgement deviates by "ack-sid"`,
		sentence: "Every answer to HELLO and RESYNC deviates in this one way.",
		bind: func(s *scenario) any {
			return func(name string) error { return s.handshake(name, 3) }
		},
	},
	{
		pattern:  re(`the acknowledgement deviates once by "([^"]*)"`),
		example:  `Given the acknowledgement deviates once by "ack-hv"`,
		sentence: "The first answer to HELLO deviates in this one way; later ones are right.",
		bind: func(s *scenario) any {
			return func(name string) error { return s.handshake(name, 1) }
		},
	},
	{
		pattern:  re(`round (\d+) is answered with "([^"]*)"`),
		example:  `And round 1 is answered with "continue"`,
		sentence: "A valid PLAN with this decision.",
		bind: func(s *scenario) any {
			return func(n int, decision string) { s.decided(n, fakesite.Move{Decision: decision}) }
		},
	},
	{
		pattern:  re(`round (\d+) is answered with "([^"]*)" because "([^"]*)"`),
		example:  `And round 1 is answered with "blocked" because "需要人工登录邮箱"`,
		sentence: "A valid PLAN with this decision and this GOAL.",
		bind: func(s *scenario) any {
			return func(n int, decision, goal string) {
				s.decided(n, fakesite.Move{Decision: decision, Goal: goal})
			}
		},
	},
	{
		pattern:  re(`round (\d+) is answered with "([^"]*)" that runs "([^"]*)"`),
		example:  `And round 1 is answered with "continue" that runs "npm test"`,
		sentence: "A valid PLAN with this decision and this one command.",
		bind: func(s *scenario) any {
			return func(n int, decision, command string) {
				s.decided(n, fakesite.Move{Decision: decision, Commands: []string{command}})
			}
		},
	},
	{
		pattern:  re(`(\d+) rounds are answered with "([^"]*)"`),
		example:  `And 7 rounds are answered with "continue"`,
		sentence: "Rounds 1 to n are answered with valid PLANs of this decision.",
		bind: func(s *scenario) any {
			return func(n int, decision string) error {
				for r := 1; r <= min(n, maxRounds); r++ {
					s.decided(r, fakesite.Move{Decision: decision})
				}
				return between("rounds", n, 1, maxRounds)
			}
		},
	},
	{
		pattern: re(`round (\d+) thinks for "([^"]*)"(?: and writes for "([^"]*)")?`),
		example: `And round 1 thinks for "28m" and writes for "2m"`,
		sentence: "The answer of this round takes this long. When no step says what it is, it is a " +
			"valid PLAN, with done in the last round and continue before.",
		bind: func(s *scenario) any { return s.slow },
	},
	{
		pattern:  re(`the site gives no address before the end of the answer`),
		example:  `Given the site gives no address before the end of the answer`,
		sentence: "The conversation has no /c/<id> until its first answer has ended.",
		bind:     func(s *scenario) any { return func() { s.script.Options.NoAddress = true } },
	},
	{
		pattern:  re(`the acknowledgement thinks for "([^"]*)" and writes for "([^"]*)"`),
		example:  `Given the acknowledgement thinks for "20s" and writes for "2m"`,
		sentence: "The first answer to HELLO takes this long.",
		bind:     func(s *scenario) any { return s.slowly },
	},
	{
		pattern:  re(`the acknowledgement of RESUME deviates by "([^"]*)"`),
		example:  `And the acknowledgement of RESUME deviates by "resume-ck"`,
		sentence: "The answer to RESUME deviates in this one way.",
		bind:     func(s *scenario) any { return s.resumed },
	},
	{
		pattern: re(`round (\d+) is answered (?:first|then) with "([^"]*)"`),
		example: `Given round 1 is answered first with "plan-no-decision"`,
		sentence: "The next answer in this round deviates in this one way; what follows answers the " +
			"REPAIR.",
		bind: func(s *scenario) any {
			return func(n int, name string) error { return s.deviate(n, name, 1) }
		},
	},
	{
		pattern:  re(`round (\d+) is answered always with "([^"]*)"`),
		example:  `Given round 1 is answered always with "plan-no-decision"`,
		sentence: "Every answer in this round deviates in this one way.",
		bind: func(s *scenario) any {
			return func(n int, name string) error { return s.deviate(n, name, 8) }
		},
	},
}

func (s *scenario) blocker(name string) error {
	s.script.Blocker = fakesite.Blocker(name)
	return oneOf("blocker", name, fakesite.Blockers())
}

// slow gives its times to the answer of this round that stands before it and has none, else to one
// of its own: "is answered" and "thinks" speak of the same answer, in either order.
func (s *scenario) slow(round int, think, writes string) (err error) {
	m := s.last(round)
	if m == nil || m.Think != 0 {
		s.answer(round, fakesite.Move{})
		m = s.last(round)
	}
	if m.Think, err = duration(think); err != nil {
		return err
	}
	if writes != "" {
		m.Write, err = duration(writes)
	}
	return err
}

// slowly gives its times to the first answer to HELLO.
func (s *scenario) slowly(think, writes string) (err error) {
	acks := &s.script.Persona.Handshake
	if len(*acks) == 0 {
		*acks = append(*acks, fakesite.Move{})
	}
	if (*acks)[0].Think, err = duration(think); err != nil {
		return err
	}
	(*acks)[0].Write, err = duration(writes)
	return err
}

// decided adds a PLAN to a round, or makes the answer before it, of which only the times are
// known, that PLAN.
func (s *scenario) decided(round int, plan fakesite.Move) {
	m := s.last(round)
	if m == nil || m.Think == 0 || m.Decision != "" || m.Deviate != "" || m.Say != "" {
		s.answer(round, plan)
		return
	}
	plan.Think, plan.Write = m.Think, m.Write
	*m = plan
}

func (s *scenario) handshake(name string, times int) error {
	for range times {
		s.script.Persona.Handshake = append(s.script.Persona.Handshake, deviant(name))
	}
	return oneOf("deviation", name, deviationNames())
}

func (s *scenario) resumed(name string) error {
	s.script.Persona.Resume = append(s.script.Persona.Resume, deviant(name))
	return oneOf("deviation", name, deviationNames())
}

func (s *scenario) deviate(round int, name string, times int) error {
	for range times {
		m := deviant(name)
		m.Decision = "continue"
		s.answer(round, m)
	}
	return oneOf("deviation", name, deviationNames())
}

func deviant(name string) fakesite.Move { return fakesite.Move{Deviate: fakesite.Deviation(name)} }
