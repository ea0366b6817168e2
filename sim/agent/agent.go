package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/clock"
)

// Conduct is how the agent works on one round's plan.
type Conduct struct {
	Round   int           // 0 = every round that has no conduct of its own
	Takes   time.Duration // from claim to receipt
	Receipt string        // "" = a default one that names the round
	Fails   bool          // the receipt reports a failure; it is settled all the same
	// DiesAfter is when the agent's process dies, after the claim; 0 = never. What it had not done by
	// then it never does, and it leaves no receipt.
	DiesAfter time.Duration
	// Mute makes every question unanswered (agent.NoAnswer).
	Mute bool
}

// Entry is one line of the agent's own ledger, which no bridge can write.
type Entry struct {
	SID     string
	Round   int
	PlanKey string
	Plan    string
	Digest  string // sha256 of Plan
	Claimed time.Time
	Claims  int // how often it was asked to start; more than one is harmless, it starts once
	conduct Conduct
	told    bool // its end was told
}

// Scripted is the agent.
type Scripted struct {
	mu       sync.Mutex // a real engine asks from several goroutines
	clock    clock.Clock
	tell     func(what string, e Entry)
	key      func(block string) string
	conducts []Conduct
	ledger   []*Entry
}

// New returns an agent that works after the conducts given. key computes the planKey of a block:
// the agent checks the text against the key before it claims. tell hears of every claim; nil means
// nobody listens.
func New(
	c clock.Clock, key func(block string) string, conducts []Conduct, tell func(what string, e Entry),
) *Scripted {
	if tell == nil {
		tell = func(string, Entry) {}
	}
	return &Scripted{clock: c, tell: tell, key: key, conducts: conducts}
}

var _ agent.Agent = (*Scripted)(nil)

// ErrKey is the refusal of a plan whose text does not match its key; nothing is claimed.
var ErrKey = fmt.Errorf("the plan's text does not match its planKey")

// Start claims the task and begins, or gives the first claim's state.
func (a *Scripted) Start(_ context.Context, t agent.Task) (agent.State, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.key(t.Plan) != t.PlanKey {
		return agent.State{}, ErrKey
	}
	e := a.find(t)
	if e == nil {
		sum := sha256.Sum256([]byte(t.Plan))
		e = &Entry{
			SID: t.SID, Round: t.Round, PlanKey: t.PlanKey, Plan: t.Plan,
			Digest: hex.EncodeToString(sum[:]), Claimed: a.clock.Now(), conduct: a.conduct(t.Round),
		}
		a.ledger = append(a.ledger, e)
		a.tell("claim", *e)
	}
	e.Claims++
	return a.at(e), nil
}

// Poll asks how the task is doing.
func (a *Scripted) Poll(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.Lookup(ctx, t)
}

// Lookup asks the durable ledger.
func (a *Scripted) Lookup(_ context.Context, t agent.Task) (agent.State, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conduct(t.Round).Mute {
		return agent.State{Status: agent.NoAnswer}, nil
	}
	e := a.find(t)
	if e == nil {
		return agent.State{Status: agent.Never}, nil
	}
	return a.at(e), nil
}

// Ledger returns what was claimed, in order.
func (a *Scripted) Ledger() []Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]Entry, len(a.ledger))
	for i, e := range a.ledger {
		out[i] = *e
	}
	return out
}

func (a *Scripted) find(t agent.Task) *Entry {
	for _, e := range a.ledger {
		if e.SID == t.SID && e.Round == t.Round && e.PlanKey == t.PlanKey {
			return e
		}
	}
	return nil
}

func (a *Scripted) conduct(round int) Conduct {
	c := Conduct{Takes: 2 * time.Second}
	for _, x := range a.conducts {
		if x.Round == round {
			return x
		}
		if x.Round == 0 {
			c = x
		}
	}
	return c
}

// at is the entry's state now, a function of the clock alone.
func (a *Scripted) at(e *Entry) agent.State {
	if e.conduct.Mute {
		return agent.State{Status: agent.NoAnswer}
	}
	switch st := e.Status(a.clock.Now()); st {
	case agent.Started:
		a.end("died", e)
		return agent.State{Status: st}
	case agent.Running:
		return agent.State{Status: st}
	}
	a.end("settled", e)
	return agent.State{Status: agent.Settled, Receipt: e.Receipt()}
}

// Status is how far the execution is at a moment, whoever asks or does not ask: Running, Started or
// Settled.
func (e Entry) Status(now time.Time) agent.Status {
	c := e.conduct
	since := now.Sub(e.Claimed)
	switch {
	case c.DiesAfter > 0 && since >= c.DiesAfter && (c.DiesAfter < c.Takes || c.Takes == 0):
		return agent.Started
	case since < c.Takes:
		return agent.Running
	}
	return agent.Settled
}

// Mute tells whether questions about a round get no answer.
func (a *Scripted) Mute(round int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conduct(round).Mute
}

// end tells once how an execution ended.
func (a *Scripted) end(how string, e *Entry) {
	if !e.told {
		e.told = true
		a.tell(how, *e)
	}
}

// Receipt is what a settled execution reports; the next ROUND carries it.
func (e *Entry) Receipt() string {
	if e.conduct.Receipt != "" {
		return strings.TrimSpace(e.conduct.Receipt)
	}
	if e.conduct.Fails {
		return "第 " + strconv.Itoa(e.Round) + " 轮执行失败：npm test 有 1 个失败"
	}
	return "第 " + strconv.Itoa(e.Round) + " 轮已执行：npm test 全绿"
}
