package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/wire"
)

// Limits of what passes between bridge and program.
const (
	MaxTask   = wire.MaxInput + 256 // a task: its three lines and the plan
	MaxAnswer = 1 << 20             // an answer to lookup: its word and the receipt
)

// TaskText is what the program reads from standard input: three lines, an empty one, and the PLAN
// block word for word, without a line break of ours at its end.
//
//	SID: 9f83a7c1d42e650b
//	ROUND: 1
//	KEY: a1b2c3d4
//
//	# PLAN pi-bridge/1
//	…
func TaskText(t agent.Task) string {
	return fmt.Sprintf("SID: %s\nROUND: %d\nKEY: %s\n\n%s", t.SID, t.Round, t.PlanKey, t.Plan)
}

// ReadTask is the other direction, for a program written in Go. The error names the line that is
// wrong. It does not check the plan against the key; an agent must, with wire.PlanKey, before it
// claims.
func ReadTask(r io.Reader) (agent.Task, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxTask+1))
	switch {
	case err != nil:
		return agent.Task{}, fmt.Errorf("reading the task: %w", err)
	case len(data) > MaxTask:
		return agent.Task{}, fmt.Errorf("the task is longer than %d bytes", MaxTask)
	case !utf8.Valid(data):
		return agent.Task{}, fmt.Errorf("the task is not valid UTF-8")
	}
	rest := string(data)
	var values [3]string
	for i, name := range [...]string{"SID: ", "ROUND: ", "KEY: "} {
		line, after, _ := strings.Cut(rest, "\n")
		value, ok := strings.CutPrefix(line, name)
		if !ok {
			return agent.Task{}, fmt.Errorf("task line %d: want %q and a value, got %.40q", i+1, name, line)
		}
		values[i], rest = value, after
	}
	plan, ok := strings.CutPrefix(rest, "\n")
	if !ok {
		return agent.Task{}, fmt.Errorf("task line 4: want an empty line before the plan")
	}
	t, err := Named(values[0], values[1], values[2])
	t.Plan = plan
	return t, err
}

// Named is the task that three words name, as the arguments of lookup do; its Plan is empty. Each
// word is checked for its shape, so they can safely become parts of file names.
func Named(sid, round, key string) (agent.Task, error) {
	n, err := strconv.Atoi(round)
	switch {
	case !wire.IsSID(sid):
		return agent.Task{}, fmt.Errorf("sid %.40q: want 16 lower-case hex digits", sid)
	case err != nil || n < 1 || strconv.Itoa(n) != round:
		return agent.Task{}, fmt.Errorf("round %.40q: want a number from 1", round)
	case !wire.IsDigest8(key):
		return agent.Task{}, fmt.Errorf("key %.40q: want 8 lower-case hex digits", key)
	}
	return agent.Task{SID: sid, Round: n, PlanKey: key}, nil
}

// AnswerText is what lookup prints.
func AnswerText(s agent.State) string {
	if s.Status != agent.Settled {
		return string(s.Status) + "\n"
	}
	return string(s.Status) + "\n" + s.Receipt
}

// ReadAnswer reads what lookup printed; false when it is no answer. White space around a receipt is
// not part of it.
func ReadAnswer(text string) (agent.State, bool) {
	word, rest, _ := strings.Cut(text, "\n")
	switch s := agent.Status(strings.TrimSuffix(word, "\r")); s {
	case agent.Settled:
		return agent.State{Status: s, Receipt: strings.TrimSpace(rest)}, utf8.ValidString(rest)
	case agent.Never, agent.Running, agent.Started:
		return agent.State{Status: s}, strings.TrimSpace(rest) == ""
	}
	return agent.State{}, false
}
