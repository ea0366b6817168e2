package replay

import (
	"bridgesim/bridge"
	"bridgesim/sim/history"
)

// The kinds of the events of lane port.
const (
	kindScenario = "scenario" // what was run: Body is a Scenario
	kindBegin    = "begin"    // a process of the bridge begins: Body is its settings
	kindAsk      = "ask"      // it asks: Key names port and question, Body are the arguments
	kindAnswer   = "answer"   // it is answered: same Key, Body is what came back
	kindNow      = "now"      // it asked for the time: Key is nanoseconds since 1970
	kindChance   = "chance"   // it drew: Key are the bytes in hexadecimal
	kindLost     = "lost"     // it asked whether a port is lost: Key names it, Body is the loss
	kindDrained  = "drained"  // it took the events of a session: Key names it, Body are they
)

// settings are what a process of the bridge is given besides its ports.
type settings struct {
	Resume       bool           `json:"resume,omitempty"`
	Request      string         `json:"request"`
	Objective    string         `json:"objective,omitempty"`
	Conversation string         `json:"conversation,omitempty"`
	Site         string         `json:"site"`
	Again        string         `json:"again,omitempty"`
	Capabilities []string       `json:"capabilities"`
	Denials      []string       `json:"denials"`
	Limits       bridge.Limits  `json:"limits"`
	Budgets      bridge.Budgets `json:"budgets"`
	Tuning       bridge.Tuning  `json:"tuning"`
	// Rewriter: the store can be written anew.
	Rewriter bool `json:"rewriter,omitempty"`
}

func settingsOf(c *bridge.Config, resume bool) settings {
	return settings{
		Resume: resume, Request: c.Request, Objective: c.Objective, Conversation: c.Conversation,
		Site: c.Site, Again: c.Again, Capabilities: c.Capabilities, Denials: c.Denials,
		Limits: c.Limits, Budgets: c.Budgets, Tuning: c.Tuning,
	}
}

func (s *settings) config() bridge.Config {
	return bridge.Config{
		Request: s.Request, Objective: s.Objective, Conversation: s.Conversation, Site: s.Site,
		Again: s.Again, Capabilities: s.Capabilities, Denials: s.Denials,
		Limits: s.Limits, Budgets: s.Budgets, Tuning: s.Tuning,
	}
}

// ofBridge tells the events that a bridge makes; all others are the world's.
func ofBridge(e *history.Event) bool {
	return e.Lane == history.Bridge || e.Lane == history.Port && e.Kind != kindScenario
}
