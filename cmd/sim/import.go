package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bridgesim/faults"
	"bridgesim/sim/trace"
)

// importFlags are the flags of sim import.
type importFlags struct {
	format       string
	json         bool
	emitSchedule bool
	least        string
}

func newImportCommand() *cobra.Command {
	f := &importFlags{}
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Find the disconnect in a log of another program",
		Long: `Read the log of a program that drove a browser over the DevTools Protocol, and find the
disconnect in it: what broke, what was under way, what came back, how sure that is and by which
line. Lines that were not understood are listed. A time that the log does not give stays unknown.

` + formatsTable() + `
Exit codes: 0 a disconnect was found, 1 none was found, 2 the log cannot be read.`,
		Example: "  sim import pw.log\n  sim import driver.log --json\n" +
			"  sim import pw.log --emit-schedule > schedule.json",
		Args: arguments("FILE|-"),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "", "a format of the table instead of detection")
	fl.BoolVar(&f.json, "json", false, "print everything as JSON")
	fl.BoolVar(&f.emitSchedule, "emit-schedule", false,
		"print the disconnects as a schedule of faults, and what is assumed on standard error")
	fl.StringVar(&f.least, "least", string(trace.Likely),
		"how sure a disconnect must be for the schedule: certain, likely or guess")
	// fails on a typo only
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(trace.Names()...))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := readTrace(cmd.Context(), cmd.InOrStdin(), args[0], f.format)
		if err != nil {
			return err
		}
		return f.print(l, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

// formatsTable is the table of formats, as the help prints it.
func formatsTable() string {
	var b strings.Builder
	for _, f := range trace.Formats() {
		fmt.Fprintf(&b, "  %-13s %s\n", f.Name, f.What)
		fmt.Fprintf(&b, "  %-13s   times: %s; messages: %s; loss: %s\n", "", f.Times, f.Complete, f.Loss)
	}
	return b.String()
}

// readTrace imports a file or, for "-", standard input.
func readTrace(ctx context.Context, in io.Reader, name, format string) (*trace.Log, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	l, err := trace.Import(name, interruptible{ctx, in}, format)
	switch {
	case errors.Is(err, trace.ErrFormat):
		return nil, usage("name it with --format", "%w", err)
	case errors.Is(err, trace.ErrSyntax), errors.Is(err, trace.ErrLimit):
		return nil, usage("", "%w", err)
	}
	return l, err
}

func (f *importFlags) print(l *trace.Log, out, errs io.Writer) error {
	if s := l.Stopped; s != nil {
		say(errs, "%s:%d: expected %s", l.File, s.Line, s.Want)
	}
	var err error
	switch {
	case f.emitSchedule:
		err = f.schedule(l, out, errs)
	case f.json:
		err = printJSON(out, tracedForTools{l, l.Disconnect()})
	default:
		err = printTrace(l, out)
	}
	if err == nil && l.Disconnect() == nil {
		err = failed()
	}
	return err
}

// tracedForTools is a log in JSON, with the loss that matters.
type tracedForTools struct {
	*trace.Log
	Disconnect *trace.Loss `json:"disconnect"`
}

func (f *importFlags) schedule(l *trace.Log, out, errs io.Writer) error {
	known := []string{string(trace.Certain), string(trace.Likely), string(trace.Guess)}
	if !isOneOf(f.least, known) {
		return usage("use certain, likely or guess", "unknown confidence %q", f.least)
	}
	plan := faults.Schedule{}
	for _, s := range l.Schedule(trace.Confidence(f.least)) {
		plan = append(plan, s.Fault)
		for _, a := range s.Assumed {
			say(errs, "%s: assumed: %s", s.Fault, a)
		}
	}
	return printJSON(out, plan)
}

// shownStrange is how many lines that were not understood are printed.
const shownStrange = 10

func printTrace(l *trace.Log, out io.Writer) error {
	p := report{w: out, paint: paintFor(out)}
	p.line("%s: %s, %d messages in %d lines%s", printable(l.File), nameOf(l.Format), len(l.Entries),
		l.Lines, span(l))
	for _, n := range l.Notes {
		p.line("note: %s", printable(n))
	}
	main := l.Disconnect()
	if main == nil {
		p.line("no disconnect was found")
	} else {
		p.loss(main, p.paint.bad("disconnect"))
	}
	for i := range l.Losses {
		if n := &l.Losses[i]; n != main {
			p.loss(n, "also")
		}
	}
	p.line("%d lines were not understood", l.NotUnderstood)
	for i, s := range l.Strange {
		if i == shownStrange {
			p.line("  …  --json lists up to %d", trace.MaxStrange)
			break
		}
		p.line("  %s:%d: expected %s, found %q", printable(l.File), s.Line, printable(s.Want), s.Text)
	}
	return p.err
}

func nameOf(id string) string {
	for _, f := range trace.Formats() {
		if f.ID == id {
			return f.Name + " (" + id + ")"
		}
	}
	return id
}

func span(l *trace.Log) string {
	if d, ok := l.Span(); ok {
		return ", over " + d.String()
	}
	return ", times unknown"
}

func (p *report) loss(n *trace.Loss, word string) {
	p.line("%s: %s, line %d, at %s, side: %s", word, n.Break, n.Line, n.At, n.Side)
	p.line("  %s: %s", n.Confidence, printable(n.Reason))
	if n.CameBack != "" {
		p.line("  came back: %s%s", printable(n.CameBack), code(n.Code))
	}
	p.line("  under way: %d calls", n.Open)
	for _, f := range n.InFlight {
		answer := "no answer"
		if f.Answer != "" {
			answer = fmt.Sprintf("answered in line %d: %s", f.AnswerLine, printable(f.Answer))
		}
		p.line("    line %d at %s: %s #%d, %s", f.Line, f.At, printable(orQuestion(f.Method)), f.ID,
			answer)
	}
	if len(n.Echoes) > 0 {
		p.line("  follows from it: lines %s", numbers(n.Echoes))
	}
}

func code(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (code %d)", n)
}

func orQuestion(s string) string {
	if s == "" {
		return "?"
	}
	return s
}

// numbers lists the first of some line numbers.
func numbers(list []int) string {
	const most = 10
	words := make([]string, 0, most+1)
	for i, n := range list {
		if i == most {
			words = append(words, "…")
			break
		}
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, ", ")
}
