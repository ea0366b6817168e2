// Package ledger is the durable memory of an agent program: what was claimed, what was done, and
// the receipts. It keeps the promise "each plan at most once" for any number of processes.
//
//	claim ──► temporary file: plan, pid; locked, fsync ──► link to its name: atomic, fails if taken
//	effects ► one line each, appended, fsync
//	settle ─► receipt: temporary file, fsync, rename, fsync of the folder
//
// The claim appears under its name already locked, and the kernel drops the lock with the process.
// So "running" is never guessed: whoever can take the lock knows that the claimant is gone, and
// without a receipt that is "started": nobody can tell how far it came.
//
//	DIR/effects                 append-only, one JSON object a line
//	DIR/SID-ROUND-KEY.claim     who claimed, and the plan
//	DIR/SID-ROUND-KEY.receipt
package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
)

// maxFile bounds what is read from a ledger's file.
const maxFile = 64 << 20

// ErrKey is the refusal of a plan whose text does not match its key: it is not the plan that was
// judged.
var ErrKey = errors.New("the plan's text does not have the key that the task names; nothing was " +
	"claimed")

// Ledger is one folder. Names cannot leave it.
type Ledger struct{ root *os.Root }

// Open opens dir, made for its owner only.
func Open(dir string) (*Ledger, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the agent's ledger: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the agent's ledger: %w", err)
	}
	return &Ledger{root}, nil
}

// Close leaves the folder. Claims that are held stay held.
func (l *Ledger) Close() error { return l.root.Close() }

// stem is the common name of a task's files; its parts hold digits only.
func stem(t agent.Task) (string, error) {
	if !wire.IsSID(t.SID) || t.Round < 1 || !wire.IsDigest8(t.PlanKey) {
		return "", fmt.Errorf("no task: sid %.20q, round %d, key %.20q", t.SID, t.Round, t.PlanKey)
	}
	return fmt.Sprintf("%s-%d-%s", t.SID, t.Round, t.PlanKey), nil
}

// Lookup answers "did it run?".
func (l *Ledger) Lookup(t agent.Task) (agent.State, error) {
	name, err := stem(t)
	if err != nil {
		return agent.State{}, err
	}
	claim, err := l.root.Open(name + ".claim")
	if errors.Is(err, fs.ErrNotExist) {
		return agent.State{Status: agent.Never}, nil
	}
	if err != nil {
		return agent.State{}, err
	}
	defer claim.Close() //nolint:errcheck // read only; it gives the lock back
	held, err := isHeld(claim)
	switch {
	case err != nil:
		return agent.State{}, err
	case held:
		return agent.State{Status: agent.Running}, nil
	}
	receipt, err := l.read(name + ".receipt") // after the lock was seen free: no receipt can follow
	if errors.Is(err, fs.ErrNotExist) {
		return agent.State{Status: agent.Started}, nil
	}
	return agent.State{Status: agent.Settled, Receipt: string(receipt)}, err
}

func (l *Ledger) read(name string) ([]byte, error) {
	f, err := l.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// note is what a claim's file holds.
type note struct {
	SID   string `json:"sid"`
	Round int    `json:"round"`
	Key   string `json:"key"`
	Pid   int    `json:"pid"`
	Plan  string `json:"plan"`
}

// Claim is the right to execute one plan. It is held by an open file, so it ends with the process.
type Claim struct {
	l    *Ledger
	t    agent.Task
	name string
	file *os.File
	n    int // effects so far
}

// Claim takes the plan for this process, once and for all; nil without an error when it was taken
// before. It returns when the claim is durable: only then may the first effect begin.
func (l *Ledger) Claim(t agent.Task) (*Claim, error) {
	name, err := stem(t)
	if err != nil {
		return nil, err
	}
	if wire.PlanKey(t.Plan) != t.PlanKey {
		return nil, ErrKey
	}
	text, err := json.Marshal(note{t.SID, t.Round, t.PlanKey, os.Getpid(), t.Plan})
	if err != nil {
		return nil, err
	}
	temp, f, err := l.temporary()
	if err != nil {
		return nil, err
	}
	if err = hold(f); err == nil {
		err = write(f, text)
	}
	if err == nil {
		err = l.root.Link(temp, name+".claim")
	}
	err = errors.Join(err, l.root.Remove(temp))
	if err == nil {
		err = l.syncFolder()
	}
	if err == nil {
		return &Claim{l: l, t: t, name: name, file: f}, nil
	}
	if _, there := l.root.Lstat(name + ".claim"); errors.Is(err, fs.ErrExist) && there == nil {
		return nil, f.Close()
	}
	return nil, errors.Join(fmt.Errorf("claiming %s: %w", name, err), f.Close())
}

// temporary makes a file that nobody else uses.
func (l *Ledger) temporary() (string, *os.File, error) {
	name := ".new-" + clock.Hex(clock.System(), 8)
	f, err := l.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return name, f, err
}

func write(f *os.File, text []byte) error {
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder makes new names durable.
func (l *Ledger) syncFolder() error {
	d, err := l.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
