package faults

import (
	"bridgesim/bridge/point"
)

// agentsTable are the faults of the local agent. They are done at its port, the same on every
// engine.
var agentsTable = []Info{
	{
		Kind: AgentDies, Family: Agents,
		Sentence: "the agent's process ends without a receipt, after its claim",
		Virtual:  "from now on the claim reads started, unless its receipt was there already",
		Chromium: "as on the model",
		// A plan without commands and files may be dropped; the table cannot see the plan.
		Permanent: true, manner: agents,
		where: func(p *place, ph point.Phase) bool {
			return p.op == point.AgentStart && ph == point.After ||
				p.op == point.AgentPoll && ph != point.Late
		},
		duty: always(
			Stop,
			"row 11: the plan has effects and nobody knows whether they happened (a plan "+
				"without commands and files is dropped unexecuted instead, readings 15)",
		),
	},
	{
		Kind: AgentMute, Family: Agents,
		Sentence: "the agent cannot be asked any more",
		Params:   params(forParam("", "on the world's clock; none: for good")),
		Virtual:  "every question is answered no-answer",
		Chromium: "as on the model",
		manner:   agents,
		where: func(p *place, ph point.Phase) bool {
			return p.class == working && ph != point.Late
		},
		duty: func(_ point.Address, p Params) (Duty, string) {
			if p.For > 0 {
				return Either, "an agent that does not answer now is row 11, and a bridge may ask again first"
			}
			return Stop, "row 11: nobody can tell whether the plan ran"
		},
	},
}
