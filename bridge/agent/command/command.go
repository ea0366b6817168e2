package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
)

// Config says which program is the agent.
type Config struct {
	// Words are the program and its arguments; see [Words] for a command line in one text.
	Words []string
	// Dir keeps task texts and what the program prints; it is made for its owner only.
	Dir   string
	Clock clock.Clock
	// AskLimit bounds one lookup, ClaimLimit the time from a start to its claim; both in real time.
	// Zero means 10 and 30 seconds.
	AskLimit, ClaimLimit time.Duration
	// Tell hears why a question had no answer, or why nothing was claimed; nil means nobody does.
	Tell func(why string)
}

// ErrProgram says that the program cannot be found or must not be run.
var ErrProgram = errors.New("the agent's program cannot be used")

// Agent is agent.Agent over a program. It keeps nothing in memory that a killed pi would lose.
type Agent struct {
	cfg  Config
	path string // absolute: it means the same program wherever pi goes
}

var _ agent.Agent = (*Agent)(nil)

// New finds the program and makes the folder. Nothing is started.
func New(cfg Config) (*Agent, error) {
	if len(cfg.Words) == 0 || cfg.Dir == "" || cfg.Clock == nil {
		return nil, errors.New("a command agent needs a program, a folder and a clock")
	}
	path, err := exec.LookPath(cfg.Words[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProgram, err)
	}
	if cfg.Dir, err = filepath.Abs(cfg.Dir); err == nil {
		err = os.MkdirAll(cfg.Dir, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("the agent's folder: %w", err)
	}
	if cfg.AskLimit <= 0 {
		cfg.AskLimit = 10 * time.Second
	}
	if cfg.ClaimLimit <= 0 {
		cfg.ClaimLimit = 30 * time.Second
	}
	if cfg.Tell == nil {
		cfg.Tell = func(string) {}
	}
	return &Agent{cfg: cfg, path: path}, nil
}

// Start asks first, starts the program only when it says never, and waits until the plan is
// claimed, never for its end. A program that ends without a claim executed nothing: the state is
// Never, and Tell hears what it said. One that neither claims nor ends in time gives NoAnswer.
func (a *Agent) Start(ctx context.Context, t agent.Task) (agent.State, error) {
	st, err := a.Lookup(ctx, t)
	if err != nil || st.Status != agent.Never {
		return st, err
	}
	p, err := a.launch(t)
	if err != nil {
		a.cfg.Tell("the agent cannot be started: " + err.Error())
		return agent.State{Status: agent.Never}, nil
	}
	return a.claimed(ctx, t, p)
}

// claimed asks until the program has claimed the plan or is gone.
func (a *Agent) claimed(ctx context.Context, t agent.Task, p *running) (agent.State, error) {
	limited, cancel := a.cfg.Clock.WithTimeout(ctx, a.cfg.ClaimLimit)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		gone := p.gone() // before the question: what ended before it was asked claims nothing after it
		st, err := a.Lookup(ctx, t)
		switch {
		case err != nil || st.Status != agent.Never:
			return st, err
		case gone:
			a.cfg.Tell("the agent ended without a claim: " + p.words())
			return st, nil
		}
		if a.cfg.Clock.Sleep(limited, pause) != nil {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return agent.State{}, err
	}
	a.cfg.Tell(fmt.Sprintf("the agent was started and claimed nothing within %s", a.cfg.ClaimLimit))
	return agent.State{Status: agent.NoAnswer}, nil
}

// Pauses between two questions for the claim.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// Poll is Lookup: the ledger is the only one who knows.
func (a *Agent) Poll(ctx context.Context, t agent.Task) (agent.State,
	error,
) {
	return a.Lookup(ctx, t)
}

// Lookup asks the program's ledger. Its error is only the end of ctx: whatever goes wrong with the
// program is NoAnswer.
func (a *Agent) Lookup(ctx context.Context, t agent.Task) (agent.State, error) {
	if !wire.IsSID(t.SID) || t.Round < 1 || !wire.IsDigest8(t.PlanKey) {
		return agent.State{}, fmt.Errorf("no task: sid %.20q, round %d, key %.20q", t.SID, t.Round,
			t.PlanKey)
	}
	text, err := a.ask(ctx, "lookup", t.SID, strconv.Itoa(t.Round), t.PlanKey)
	if ctx.Err() != nil {
		return agent.State{}, ctx.Err()
	}
	if err == nil {
		if st, ok := ReadAnswer(text); ok {
			return st, nil
		}
		err = fmt.Errorf("want never, running, started or settled in the first line, got %.60q", text)
	}
	a.cfg.Tell("lookup of round " + strconv.Itoa(t.Round) + " had no answer: " + err.Error())
	return agent.State{Status: agent.NoAnswer}, nil
}
