package bridge

import (
	"errors"
	"fmt"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// Config is everything that a relay needs; all of it comes from outside.
type Config struct {
	// Request is what the person wants. It travels once, in ROUND 1 (readings 1).
	Request string
	// Objective is the short label in HELLO; empty means the default one. It never holds the request.
	Objective string
	// Capabilities and Denials are what pi can and must not do; nil means the specification's
	// defaults.
	Capabilities, Denials []string
	// Conversation is the conversation to work in, by id; empty means a new one.
	Conversation string
	// Site is the base address of the site, without a trailing slash.
	Site string

	Browser browser.Dialer
	Store   session.Store
	Agent   agent.Agent
	Clock   clock.Clock
	Entropy clock.Entropy
	Tracer  point.Tracer // nil means silent

	Limits  Limits
	Budgets Budgets
	Tuning  Tuning
	// Again is the command that a person gives to go on, for reports; "" = none is known.
	Again string
}

// Limits are the boundaries of a run (row 14): when one is reached the run stops, and no recovery
// steps over it. Zero means no limit.
type Limits struct {
	Rounds   int           // ROUNDs that may be sent
	Wall     time.Duration // from the first record of the session, restarts included
	PerRound time.Duration // from the intent of a ROUND to its settlement
}

// Tuning holds the times of the relay itself; Page those of the page operations.
type Tuning struct {
	AnswerLimit time.Duration // how long one answer may take
	AgentLimit  time.Duration // how long one execution may take
	AgentPoll   time.Duration // first pause between two questions to the agent; it doubles
	AgentPollTo time.Duration // largest pause
	Page        page.Tuning
}

// DefaultTuning fits the real site: an answer of a thinking model may take half an hour.
func DefaultTuning() Tuning {
	return Tuning{
		AnswerLimit: 45 * time.Minute,
		AgentLimit:  2 * time.Hour,
		AgentPoll:   250 * time.Millisecond,
		AgentPollTo: 5 * time.Second,
		Page:        page.DefaultTuning(),
	}
}

// ErrConfig says that a Config lacks something; the text names it.
var ErrConfig = errors.New("the bridge's configuration is incomplete")

func (c *Config) fill() error {
	missing := ""
	switch {
	case c.Browser == nil:
		missing = "a browser"
	case c.Store == nil:
		missing = "a store"
	case c.Agent == nil:
		missing = "an agent"
	case c.Clock == nil:
		missing = "a clock"
	case c.Entropy == nil:
		missing = "an entropy source"
	case c.Site == "":
		missing = "the site's address"
	}
	if missing != "" {
		return errors.Join(ErrConfig, errors.New("it needs "+missing))
	}
	if name := unenforceable(c.Denials); name != "" {
		return fmt.Errorf("%w: %q cannot be denied, because pi has no way to enforce it; known are %q",
			ErrConfig, name, enforceable())
	}
	if c.Tracer == nil {
		c.Tracer = point.Silent{}
	}
	if c.Capabilities == nil {
		c.Capabilities = wire.DefaultCapabilities()
	}
	if c.Denials == nil {
		c.Denials = wire.DefaultDenials()
	}
	if c.Objective == "" {
		c.Objective = wire.DefaultObjective
	}
	if c.Budgets == (Budgets{}) {
		c.Budgets = DefaultBudgets()
	}
	if c.Tuning == (Tuning{}) {
		c.Tuning = DefaultTuning()
	}
	return nil
}
