package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// maxHistory bounds a history file; its lines and events have limits of their own.
const maxHistory = 1 << 30

func newJudgeCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "judge HISTORY|-",
		Short: "Judge the recorded history of a run again, promise by promise",
		Long: `Judge a history that "sim run --report" or a recording left (NDJSON, at most 1 GiB). Every
promise of the specification is one line. Where the history holds the texts, they are read again;
where it holds digests only, a promise that needs more is unknown, never passed.

Exit codes: 0 every promise was kept, 1 one was broken, 4 none was broken and one cannot be
judged.`,
		Example: "  sim judge report/rounds-5.virtual.ndjson\n  sim judge run.ndjson --json",
		Args:    arguments("HISTORY|-"),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		log, err := readHistory(cmd.Context(), cmd.InOrStdin(), args[0])
		if err != nil {
			return err
		}
		c, err := oracle.NewCase(log.Header(), oracle.FromBodies(log.Events()))
		if err != nil {
			return usage("record the run again", "%s: %w", args[0], err)
		}
		j := judgement{log, oracle.Judge(c)}
		if asJSON {
			err = printJSON(cmd.OutOrStdout(), j.forTools())
		} else {
			err = j.print(cmd.OutOrStdout())
		}
		return errors.Join(err, j.verdict())
	}
	return cmd
}

// readHistory reads a file or, for "-", standard input. What is not a whole history is refused.
func readHistory(ctx context.Context, in io.Reader, name string) (*history.Log, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := unpacked(interruptible{ctx, in})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	limited := &io.LimitedReader{R: text, N: maxHistory + 1}
	log, err := history.ReadNDJSON(limited)
	switch {
	case limited.N <= 0:
		return nil, usage(
			"cut the recording at a run",
			"%s is larger than %d bytes",
			name,
			maxHistory,
		)
	case errors.Is(err, history.ErrSyntax), errors.Is(err, history.ErrSum):
		return nil, usage("record the run again", "%s: %w", name, err)
	}
	return log, err
}

// interruptible is a reader that Ctrl-C ends between two reads.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r interruptible) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

type judgement struct {
	log   *history.Log
	found []oracle.Finding
}

func (j *judgement) verdict() error {
	switch oracle.Overall(j.found) {
	case oracle.Pass:
		return nil
	case oracle.Fail:
		return failed()
	}
	return &ExitError{Code: exitUnknown}
}

// around is how many events before and behind one that broke a promise are shown.
const around = 2

func (j *judgement) print(w io.Writer) error {
	p := report{w: w, paint: paintFor(w)}
	h := j.log.Header()
	p.line(
		"%s on %s, seed %d, %d events",
		printable(orNone(h.Scenario)),
		printable(h.Engine),
		h.Seed,
		j.log.Len(),
	)
	for _, f := range j.found {
		p.line("%s  %-21s %s", p.word(f.Status), f.Oracle.Name, f.Oracle.Promise)
		if f.Status == oracle.Pass {
			continue
		}
		p.line("         %s", printable(f.Message))
		if f.Status == oracle.Fail {
			j.events(&p, f.Seqs)
		}
	}
	p.line(
		"%d kept, %d broken, %d unknown",
		j.count(oracle.Pass),
		j.count(oracle.Fail),
		j.count(oracle.Unknown),
	)
	return p.err
}

// events prints what happened around the events of a finding, those marked.
func (j *judgement) events(p *report, seqs []int) {
	last := 0
	for i, e := range j.log.Events() {
		if !near(seqs, e.Seq) {
			continue
		}
		if last != 0 && i > last {
			p.line("           …")
		}
		mark := " "
		if isIn(seqs, e.Seq) {
			mark = ">"
		}
		p.line("         %s %s", mark, printable(e.String()))
		last = i + 1
	}
}

func near(seqs []int, seq int) bool {
	for _, s := range seqs {
		if seq >= s-around && seq <= s+around {
			return true
		}
	}
	return false
}

func isIn(seqs []int, seq int) bool {
	for _, s := range seqs {
		if s == seq {
			return true
		}
	}
	return false
}

func (j *judgement) count(s oracle.Status) (n int) {
	for _, f := range j.found {
		if f.Status == s {
			n++
		}
	}
	return n
}

func orNone(s string) string {
	if s == "" {
		return "a run without a name"
	}
	return s
}

// report writes lines and keeps the first error.
type report struct {
	w     io.Writer
	paint paint
	err   error
}

func (p *report) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *report) word(s oracle.Status) string {
	switch s {
	case oracle.Pass:
		return p.paint.good("pass   ")
	case oracle.Fail:
		return p.paint.bad("FAIL   ")
	}
	return p.paint.weak("unknown")
}

// judgementForTools is a judgement in JSON.
type judgementForTools struct {
	Scenario string            `json:"scenario"`
	Engine   string            `json:"engine"`
	Seed     uint64            `json:"seed,string"`
	Schedule string            `json:"schedule"`
	Events   int               `json:"events"`
	Sum      string            `json:"sum"`
	Verdict  oracle.Status     `json:"verdict"`
	Promises []findingForTools `json:"promises"`
}

type findingForTools struct {
	Name    string        `json:"name"`
	Promise string        `json:"promise"`
	Status  oracle.Status `json:"status"`
	Message string        `json:"message,omitempty"`
	Events  []int         `json:"events,omitempty"`
}

func (j *judgement) forTools() judgementForTools {
	h := j.log.Header()
	out := judgementForTools{
		Scenario: h.Scenario, Engine: h.Engine, Seed: h.Seed, Schedule: h.Schedule,
		Events: j.log.Len(), Sum: j.log.Sum(), Verdict: oracle.Overall(j.found),
	}
	for _, f := range j.found {
		out.Promises = append(out.Promises, findingForTools{
			Name: f.Oracle.Name, Promise: f.Oracle.Promise.Error(), Status: f.Status,
			Message: f.Message, Events: f.Seqs,
		})
	}
	return out
}
