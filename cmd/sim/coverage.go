package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"bridgesim/scenarios"
	"bridgesim/scenarios/coverage"
	"bridgesim/sim"
)

// coverageFlags are the flags of sim coverage.
type coverageFlags struct {
	run    bool
	engine string
	asJSON bool
}

func newCoverageCommand() *cobra.Command {
	f := coverageFlags{}
	cmd := &cobra.Command{
		Use:   "coverage [PATH...]",
		Short: "Print what the features cover, and what they leave open",
		Long: `Print rows, edges, error codes, gate conditions, fault kinds and field bugs, with the
number of scenarios that cover each. The paths default to "features".

Without --run the features' tags and schedules are taken at their word. With it they are run, and
only what passed counts. A hole is a failure.`,
		Example: `  sim coverage
  sim coverage --run --engine both
  sim coverage --run --json features/recovery`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				paths = []string{"features"}
			}
			return f.report(cmd.Context(), paths, cmd.OutOrStdout())
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.run, "run", false, "run the scenarios and count those that pass")
	fl.StringVar(&f.engine, "engine", "virtual", "with --run: virtual, chromium or both")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	// It fails on a typo only.
	_ = cmd.RegisterFlagCompletionFunc("engine", fixed(append(sim.EngineNames(), engineBoth)...))
	return cmd
}

// report lists, runs if asked to, and prints.
func (f *coverageFlags) report(ctx context.Context, paths []string, out io.Writer) error {
	if !isOneOf(f.engine, append(sim.EngineNames(), engineBoth)) {
		return unknownEngine(f.engine)
	}
	planned, err := scenarios.List(paths, "")
	var outcomes []scenarios.Outcome
	if err == nil && f.run {
		outcomes, err = f.outcomes(ctx, paths)
	}
	if err != nil {
		return runVerdict(scenarios.Summary{}, err)
	}
	c := coverage.Report(planned, outcomes)
	if f.asJSON {
		err = printJSON(out, c)
	} else {
		err = c.Print(out)
	}
	if err == nil && len(c.Holes)+len(c.Strangers) > 0 {
		err = failed()
	}
	return err
}

// outcomes runs the features on the engines that were asked for.
func (f *coverageFlags) outcomes(ctx context.Context, paths []string) ([]scenarios.Outcome, error) {
	names := []string{f.engine}
	if f.engine == engineBoth {
		names = []string{"virtual", "chromium"}
	}
	var all []scenarios.Outcome
	for _, name := range names {
		engine, err := sim.EngineNamed(name)
		if err != nil {
			return nil, unknownEngine(name)
		}
		sum, err := scenarios.Run(ctx, scenarios.Options{
			Paths: paths, Engine: engine, Seed: 1, Jobs: runtime.GOMAXPROCS(0),
			Checks: sim.Checks{Once: true},
		})
		if err = errors.Join(err, engine.Close()); err != nil {
			return nil, fmt.Errorf("running on %s: %w", name, err)
		}
		all = append(all, sum.Outcomes...)
	}
	return all, nil
}
