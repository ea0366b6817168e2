package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"bridgesim/bridge/agent"
)

// Effect is one thing that was done: the append-only trace by which a plan that ran twice is
// convicted.
type Effect struct {
	SID   string `json:"sid"`
	Round int    `json:"round"`
	Key   string `json:"key"`
	N     int    `json:"n"` // from 1, within its claim
	Text  string `json:"text"`
}

const effectsName = "effects"

// Effect appends one effect, durably.
func (c *Claim) Effect(text string) error {
	c.n++
	line, err := json.Marshal(Effect{c.t.SID, c.t.Round, c.t.PlanKey, c.n, text})
	if err != nil {
		return err
	}
	f, err := c.l.root.OpenFile(effectsName, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(f, append(line, '\n')), f.Close())
}

// Settle makes the receipt durable: from now on the plan is settled, whatever happens to the
// process.
func (c *Claim) Settle(receipt string) error {
	temp, f, err := c.l.temporary()
	if err != nil {
		return err
	}
	err = errors.Join(write(f, []byte(strings.TrimSpace(receipt))), f.Close())
	if err == nil {
		err = c.l.root.Rename(temp, c.name+".receipt")
	}
	if err != nil {
		return errors.Join(fmt.Errorf("receipt of %s: %w", c.name, err), c.l.root.Remove(temp))
	}
	return c.l.syncFolder()
}

// Release gives up the work. The claim stays taken for ever.
func (c *Claim) Release() error { return c.file.Close() }

// Effects reads what was done, in order. A last line that was cut off by a crash is left out.
func (l *Ledger) Effects() ([]Effect, error) {
	data, err := l.read(effectsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Effect
	for i := 1; ; i++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return all, nil
		}
		var e Effect
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", effectsName, i, err)
		}
		all, data = append(all, e), rest
	}
}

// Claimed lists the tasks that were ever claimed, with their plans, by sid, round and key.
func (l *Ledger) Claimed() ([]agent.Task, error) {
	names, err := fs.Glob(l.root.FS(), "*.claim")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var all []agent.Task
	for _, name := range names {
		data, err := l.read(name)
		if err != nil {
			return nil, err
		}
		var n note
		if err := json.Unmarshal(data, &n); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, agent.Task{SID: n.SID, Round: n.Round, PlanKey: n.Key, Plan: n.Plan})
	}
	return all, nil
}
