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
	"bridgesim/sim/explore"
)

// exploreFlags are the flags of sim explore.
type exploreFlags struct {
	tags    string
	depth   int
	kinds   []string
	budget  int
	jobs    int
	shard   string
	seed    uint64
	format  string
	save    string
	swarm   int
	noPrune bool
	confirm string
	sample  int
}

func newExploreCommand() *cobra.Command {
	f := exploreFlags{}
	cmd := &cobra.Command{
		Use:   "explore [FEATURE...]",
		Short: "Strike everywhere: every fault at every place of a session",
		Long: `Play every session once for each place at which a fault can strike and each kind that can
strike there, on the virtual engine, and judge each run by all oracles. The sessions are the
scenarios of the features; the default is the folder "features/explore".

With --depth 2 a second fault strikes as well, at every place that comes after the first one in
the run with it. With --swarm many faults strike in each run, drawn by the seed. A run that breaks
a promise is reduced to the fewest faults that break it, and printed as a feature; --save keeps
those features.

The result depends on features, seed and flags alone. --jobs changes nothing, and the JSON of the
shards 1/n to n/n together is that of the whole: "sim merge" adds them.

--confirm chromium draws a sample of the runs of depth 1 by the seed, plays each on both engines,
and compares how they ended and what they broke.

Kinds: names, families, "all", "variants" (all, and with other parameters), or a kind with
parameters; "~" takes away. "wedge-tab with for=20s", "transport,~stall".

Exit codes: 0 no promise was broken, 1 one was, 2 a wrong call, 4 stopped before the end, or an
oracle could not judge a run.`,
		Example: `  sim explore
  sim explore features/explore/sessions.feature:7 --kinds transport
  sim explore --depth 2 --tags @quick
  sim explore --shard 1/4 --format json > 1.json
  sim explore --confirm chromium --sample 50`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				paths = []string{"features/explore"}
			}
			return f.run(cmd.Context(), paths, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.tags, "tags", "", "sessions to take, as in sim run")
	fl.IntVar(&f.depth, "depth", 1, "faults at a time: 1 or 2")
	fl.StringSliceVar(&f.kinds, "kinds", nil, "kinds of faults, the default is all")
	fl.IntVar(&f.budget, "budget", 0, "runs after which to stop; 0 is never")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "runs side by side")
	fl.StringVar(&f.shard, "shard", "", "part i/n of the plan")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of every random choice")
	fl.StringVar(&f.format, "format", "text", "text or json")
	fl.StringVar(&f.save, "save", "", "folder that gets a feature for each class of violations")
	fl.IntVar(&f.swarm, "swarm", 0,
		"mixes of many faults to play for each session, in place of a depth")
	fl.BoolVar(&f.noPrune, "no-prune", false,
		"at depth 2 play also runs for which an equal one stands")
	fl.StringVar(&f.confirm, "confirm", "",
		"engine on which a sample of the runs is played too, in place of exploring")
	fl.IntVar(&f.sample, "sample", 50, "with --confirm: runs to draw by the seed")
	// They fail on a typo only.
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(reportFormats...))
	_ = cmd.RegisterFlagCompletionFunc("confirm", fixed(sim.EngineNames()...))
	return cmd
}

// reportFormats are the values of --format of sim explore and sim merge.
var reportFormats = []string{"text", "json"}

func checkReportFormat(format string) error {
	if isOneOf(format, reportFormats) {
		return nil
	}
	return usage("use text or json", "unknown format %q", format)
}

// run is the whole flow: sessions, exploration, report, verdict.
func (f *exploreFlags) run(ctx context.Context, paths []string, out, errs io.Writer) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if o.Sessions, err = explore.Load(ctx, paths, f.tags, f.seed); err != nil {
		return exploreInput(err)
	}
	if f.confirm != "" {
		return f.confirmed(ctx, o, out)
	}
	lines := out
	if f.format != "text" {
		lines = io.Discard
	}
	p := &exploreProgress{out: lines, errs: errs, live: isTerminal(errs)}
	o.Each = p.each
	rep, err := explore.Explore(ctx, o)
	p.wipe()
	if rep == nil || err != nil && !errors.Is(err, explore.ErrStopped) {
		return exploreInput(err)
	}
	return exploreReport(rep, f.format, f.save, out)
}

// options checks the flags.
func (f *exploreFlags) options() (o explore.Options, err error) {
	switch {
	case f.depth != 1 && f.depth != 2:
		return o, usage("use 1 or 2", "--depth %d is none", f.depth)
	case f.jobs < 1:
		return o, usage("use 1 or more", "--jobs %d runs nothing", f.jobs)
	case f.budget < 0 || f.swarm < 0 || f.sample < 0:
		return o, usage("use 0 or more", "--budget, --swarm and --sample count runs")
	}
	if err := checkReportFormat(f.format); err != nil {
		return o, err
	}
	o = explore.Options{
		Engine: sim.Virtual(), Seed: f.seed, Depth: f.depth, Jobs: f.jobs, Budget: f.budget,
		Swarm: f.swarm, NoPrune: f.noPrune,
	}
	if f.shard != "" {
		if o.Shard, err = explore.ParseShard(f.shard); err != nil {
			return o, usage(`for example "--shard 2/4"`, "%w", err)
		}
	}
	if o.Kinds, err = explore.ParseKinds(f.kinds); err != nil {
		return o, usage(`see "sim explore --help"`, "%w", err)
	}
	return o, nil
}

// exploreInput gives errors of the input their code.
func exploreInput(err error) error {
	var input *scenarios.InputError
	var missing *sim.MissingError
	switch {
	case errors.As(err, &missing):
		return environment(missing.Mend, missing)
	case errors.As(err, &input), errors.Is(err, explore.ErrSession):
		return &ExitError{Code: exitUsage, Err: err}
	case errors.Is(err, explore.ErrBroken):
		return &ExitError{Code: exitFail, Err: err}
	}
	return err
}

// exploreReport prints a report, keeps its features, and maps it onto an exit code.
func exploreReport(rep *explore.Result, format, save string, out io.Writer) (err error) {
	if format == "json" {
		err = printJSON(out, rep)
	} else {
		err = rep.Print(out)
	}
	if err == nil && save != "" {
		err = saveFeatures(rep, format, save, out)
	}
	switch {
	case err != nil:
		return err
	case rep.Violations > 0:
		return failed()
	case rep.Stopped != "":
		return &ExitError{Code: exitUnknown, Err: errors.New("the exploration is not whole: " +
			rep.Stopped)}
	case rep.Unknown > 0:
		return &ExitError{Code: exitUnknown, Err: fmt.Errorf("%d runs could not be judged",
			rep.Unknown)}
	}
	return nil
}

// exploreProgress tells how far it is: a rewritten line on a terminal, and a line for each session.
type exploreProgress struct {
	out, errs io.Writer
	live      bool
	percent   int
}

func (p *exploreProgress) each(e explore.Progress) {
	if s := e.Ended; s != nil {
		p.wipe()
		word := "ok   "
		if e.Here > 0 {
			word = "BROKE"
		}
		fmt.Fprintf(p.out, "%s %s  %s  (%d runs, %d violations)\n", word, s.Place, printable(s.Name),
			e.Plays, e.Here)
	}
	if percent := 100 * e.Units / e.Of; p.live && percent != p.percent {
		p.percent = percent
		fmt.Fprintf(p.errs, "\r\x1b[K%3d %%  %d runs, %d violations", percent, e.Runs, e.Violations)
	}
}

func (p *exploreProgress) wipe() {
	if p.live {
		fmt.Fprint(p.errs, "\r\x1b[K")
	}
}
