package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

// runFlags are the flags of sim run.
type runFlags struct {
	engine string
	seed   uint64
	jobs   int
	tags   string
	report string
	format string
	once   bool
}

func newRunCommand() *cobra.Command {
	f := runFlags{}
	cmd := &cobra.Command{
		Use:   "run PATH...",
		Short: "Run features: files, file.feature:LINE, or folders",
		Long: `Run every scenario under the paths on one engine and judge it. What is given twice runs
once.

The embedded engine "virtual" needs no browser and no setup. "chromium" drives a real one. "both"
runs everything on one after the other, and a scenario that comes out differently is a failure.
Every scenario that did not pass is printed with the one line that repeats its run.

All features are read and checked first: what no step reads, and a step that makes no sense, is a
wrong call (exit code 2) with file and line, and nothing runs. Tags: "@a && @b" both, "@a,@b"
either, "~@a" not.

JSON, also that of summary.json under --report, has its names in lower camel case. "took" and
"world" are nanoseconds, "seed" is text.

Exit codes: 0 all passed, 1 one failed or the engines disagree, 2 a wrong call, 3 no browser,
4 stopped, or a fault struck on one of the two engines alone, so that nothing was compared.`,
		Example: "  sim run features\n  sim run --engine chromium --tags @row-12 features/session",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(`try "sim run features"`, "sim run needs a feature or a folder of them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.engine, "engine", "virtual",
		"world to run in: virtual, chromium, or both, which are compared")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of every random choice")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "feature files side by side")
	fl.StringVar(&f.tags, "tags", "",
		`scenarios to take, for example "@row-12 && ~@edge-any-to-stopped"`)
	fl.StringVar(&f.report, "report", "",
		"folder that gets each run's history, summary.json and index.html")
	fl.StringVar(&f.format, "format", "", "pretty, junit, cucumber or json instead of lines")
	fl.BoolVar(&f.once, "no-twice", false,
		"run once on virtual; normally the same seed is run twice and compared")
	// fails on a typo only
	_ = cmd.RegisterFlagCompletionFunc("engine", fixed(append(sim.EngineNames(), engineBoth)...))
	// same
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(runFormats...))
	return cmd
}

// runFormats are the values of --format.
var runFormats = []string{"pretty", "junit", "cucumber", "json"}

func fixed(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// run is the whole flow: engine, suite, verdict.
func (f *runFlags) run(ctx context.Context, paths []string, out, errs io.Writer) error {
	if f.format != "" && !isOneOf(f.format, runFormats) {
		return usage("use one of pretty, junit, cucumber, json", "unknown format %q", f.format)
	}
	if f.jobs < 1 {
		return usage("use 1 or more", "--jobs %d runs nothing", f.jobs)
	}
	if f.engine == engineBoth {
		return f.both(ctx, paths, out, errs)
	}
	sum, err := f.on(ctx, f.engine, paths, out, errs)
	return runVerdict(sum, err)
}

// engineBoth runs everything on the model and on a real browser, and compares.
const engineBoth = "both"

// both runs the features on both engines and prints where they disagree: a disagreement is a bug of
// the model, or of a scenario that does not say what it means.
func (f *runFlags) both(ctx context.Context, paths []string, out, errs io.Writer) error {
	if f.format != "" {
		return usage("leave --format out", "--engine both prints lines only")
	}
	virtual, err := f.on(ctx, "virtual", paths, out, errs)
	if err != nil {
		return runVerdict(virtual, err)
	}
	real, err := f.on(ctx, "chromium", paths, out, errs)
	if err != nil {
		return runVerdict(real, err)
	}
	if f.report != "" {
		if err := writePageOf(ctx, f.report, joined(virtual, real)); err != nil {
			return err
		}
	}
	return compared(out, virtual, real)
}

// compared prints what came out differently; its error is the verdict on both summaries.
func compared(out io.Writer, virtual, real scenarios.Summary) error {
	differ, unknown := scenarios.Compare(virtual, real), 0
	for _, d := range differ {
		word := "DIFFER"
		if d.Unknown {
			word, unknown = "UNKNOWN", unknown+1
		}
		fmt.Fprintf(out, "%s  %s:%d  %s\n      %s\n      %s\n", word, d.URI, d.Line, printable(d.Name),
			printable(d.First), printable(d.Second))
	}
	fmt.Fprintf(out, "%d disagreements, %d unknown\n", len(differ)-unknown, unknown)
	switch {
	case len(differ) > unknown:
		return failed()
	case unknown > 0:
		return &ExitError{Code: exitUnknown, Err: fmt.Errorf("%d scenarios could not be compared",
			unknown)}
	}
	return runVerdict(joined(virtual, real), nil)
}

func joined(a, b scenarios.Summary) scenarios.Summary {
	a.Outcomes = append(a.Outcomes, b.Outcomes...)
	a.Passed, a.Failed, a.Aborts = a.Passed+b.Passed, a.Failed+b.Failed, a.Aborts+b.Aborts
	a.Unknown += b.Unknown
	return a
}

// on runs the suite on one engine and prints how it goes.
func (f *runFlags) on(
	ctx context.Context, name string, paths []string, out, errs io.Writer,
) (scenarios.Summary, error) {
	engine, err := sim.EngineNamed(name)
	if err != nil {
		return scenarios.Summary{}, unknownEngine(name)
	}
	p := newProgress(f.format, out, errs)
	sum, err := scenarios.Run(ctx, scenarios.Options{
		Paths: paths, Engine: engine, Seed: f.seed, Jobs: f.jobs, Tags: f.tags,
		Format: suiteFormat(f.format), Out: out, Report: f.report, Each: p.each,
		Checks: sim.Checks{Once: f.once},
	})
	err = errors.Join(err, engine.Close())
	if err == nil || len(sum.Outcomes) > 0 { // an interrupted run tells how far it came
		err = errors.Join(err, p.close(sum))
	}
	if f.report != "" && len(sum.Outcomes) > 0 {
		err = errors.Join(err, writeReports(f.report, sum), writePageOf(ctx, f.report, sum))
	}
	return sum, err
}

func unknownEngine(name string) error {
	return usage("use one of virtual, chromium, both", "unknown engine %q", name)
}

// suiteFormat is the format that godog writes; our own lines and JSON need none.
func suiteFormat(format string) string {
	if format == "json" {
		return ""
	}
	return format
}

// runVerdict maps what a suite came to onto an exit code.
func runVerdict(sum scenarios.Summary, err error) error {
	var input *scenarios.InputError
	var missing *sim.MissingError
	switch {
	case errors.As(err, &input):
		return &ExitError{Code: exitUsage, Err: err}
	case errors.As(err, &missing):
		return environment(missing.Mend, missing)
	case err != nil:
		return err
	case sum.Failed > 0:
		return failed()
	case sum.Aborts > 0:
		return &ExitError{Code: exitUnknown, Err: fmt.Errorf("%d scenarios did not run", sum.Aborts)}
	case sum.Unknown > 0:
		return &ExitError{Code: exitUnknown, Err: fmt.Errorf("%d scenarios could not be judged",
			sum.Unknown)}
	}
	return nil
}

func isOneOf(s string, list []string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
