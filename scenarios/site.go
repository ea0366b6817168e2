package scenarios

import (
	"fmt"
	"time"

	"bridgesim/fakesite"
)

// deviant checks the name of a deviation, so that a misspelt one is an error and not a quiet pass.
func deviant(name string) (fakesite.Deviation, error) {
	var known []string
	for _, d := range fakesite.Deviations() {
		if string(d.Name) == name {
			return d.Name, nil
		}
		known = append(known, string(d.Name))
	}
	return "", fmt.Errorf("deviation %q is not known; known are %q", name, known)
}

// siteSteps say how the site and the model behind it behave.
var siteSteps = []step{
	{
		re(`the site answers at "([^"]*)" pace`),
		`Given the site answers at "typical" pace`,
		"The timing profile: instant, typical (measured on the real site) or slow-thinking.",
		func(s *scenario) any {
			return func(name string) error {
				_, err := fakesite.TimingByName(name)
				s.script.Timing = name
				return err
			}
		},
	},
	{
		re(`the site shows "([^"]*)"`),
		`Given the site shows "captcha"`,
		"A blocker stands from the start: captcha, login, expired, rate-limit, usage-cap, account; " +
			"or downgrade, a banner that blocks nothing.",
		func(s *scenario) any { return s.blocker },
	},
	{
		re(`the acknowledgement deviates by "([^"]*)"`),
		`Given the acknowledgement deviates by "ack-sid"`,
		"Every answer to HELLO and RESYNC deviates in this one way.",
		func(s *scenario) any {
			return func(name string) error { return s.handshake(name, 3) }
		},
	},
	{
		re(`the acknowledgement deviates once by "([^"]*)"`),
		`Given the acknowledgement deviates once by "ack-hv"`,
		"The first answer to HELLO deviates in this one way; later ones are right.",
		func(s *scenario) any {
			return func(name string) error { return s.handshake(name, 1) }
		},
	},
	{
		re(`round (\d+) is answered with "([^"]*)"`),
		`And round 1 is answered with "continue"`,
		"A valid PLAN with this decision.",
		func(s *scenario) any {
			return func(n int, decision string) { s.answer(n, fakesite.Move{Decision: decision}) }
		},
	},
	{
		re(`round (\d+) is answered with "([^"]*)" because "([^"]*)"`),
		`And round 1 is answered with "blocked" because "需要人工登录邮箱"`,
		"A valid PLAN with this decision and this GOAL.",
		func(s *scenario) any {
			return func(n int, decision, goal string) {
				s.answer(n, fakesite.Move{Decision: decision, Goal: goal})
			}
		},
	},
	{
		re(`round (\d+) is answered with "([^"]*)" that runs "([^"]*)"`),
		`And round 1 is answered with "continue" that runs "npm test"`,
		"A valid PLAN with this decision and this one command.",
		func(s *scenario) any {
			return func(n int, decision, command string) {
				s.answer(n, fakesite.Move{Decision: decision, Commands: []string{command}})
			}
		},
	},
	{
		re(`(\d+) rounds are answered with "([^"]*)"`),
		`And 7 rounds are answered with "continue"`,
		"Rounds 1 to n are answered with valid PLANs of this decision.",
		func(s *scenario) any {
			return func(n int, decision string) {
				for r := 1; r <= n; r++ {
					s.answer(r, fakesite.Move{Decision: decision})
				}
			}
		},
	},
	{
		re(`round (\d+) thinks for "([^"]*)"(?: and writes for "([^"]*)")?`),
		`And round 1 thinks for "28m" and writes for "2m"`,
		"A valid PLAN that takes this long; its decision is continue, or done in the last round.",
		func(s *scenario) any { return s.slow },
	},
	{
		re(`the site gives no address before the end of the answer`),
		`Given the site gives no address before the end of the answer`,
		"The conversation has no /c/<id> until its first answer has ended.",
		func(s *scenario) any { return func() { s.script.Options.NoAddress = true } },
	},
	{
		re(`the acknowledgement of RESUME deviates by "([^"]*)"`),
		`And the acknowledgement of RESUME deviates by "resume-ck"`,
		"The answer to RESUME deviates in this one way.",
		func(s *scenario) any {
			return func(name string) error {
				d, err := deviant(name)
				s.script.Persona.Resume = append(s.script.Persona.Resume, fakesite.Move{Deviate: d})
				return err
			}
		},
	},
	{
		re(`round (\d+) is answered (?:first|then) with "([^"]*)"`),
		`Given round 1 is answered first with "plan-no-decision"`,
		"The next answer in this round deviates in this one way; what follows answers the REPAIR.",
		func(s *scenario) any {
			return func(n int, name string) error { return s.deviate(n, name, 1) }
		},
	},
	{
		re(`round (\d+) is answered always with "([^"]*)"`),
		`Given round 1 is answered always with "plan-no-decision"`,
		"Every answer in this round deviates in this one way.",
		func(s *scenario) any {
			return func(n int, name string) error { return s.deviate(n, name, 8) }
		},
	},
}

func (s *scenario) blocker(name string) error {
	for _, b := range fakesite.Blockers() {
		if string(b) == name {
			s.script.Blocker = b
			return nil
		}
	}
	return fmt.Errorf("blocker %q is not known; known are %q", name, fakesite.Blockers())
}

func (s *scenario) slow(round int, think, writes string) (err error) {
	m := fakesite.Move{}
	if m.Think, err = time.ParseDuration(think); err != nil {
		return err
	}
	if writes != "" {
		m.Write, err = time.ParseDuration(writes)
	}
	s.answer(round, m)
	return err
}

func (s *scenario) handshake(name string, times int) error {
	d, err := deviant(name)
	for range times {
		s.script.Persona.Handshake = append(s.script.Persona.Handshake, fakesite.Move{Deviate: d})
	}
	return err
}

func (s *scenario) deviate(round int, name string, times int) error {
	d, err := deviant(name)
	for range times {
		s.answer(round, fakesite.Move{Deviate: d, Decision: "continue"})
	}
	return err
}
