package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bridgesim/scenarios"
	"bridgesim/sim"
	"bridgesim/sim/history"
	"bridgesim/sim/replay"
)

// recordFlags are the flags of sim record.
type recordFlags struct {
	engine  string
	out     string
	seed    uint64
	digests bool
}

func newRecordCommand() *cobra.Command {
	f := &recordFlags{}
	cmd := &cobra.Command{
		Use:   "record FILE.feature:LINE",
		Short: "Run one scenario and write a recording that sim replay plays back",
		Long: `Run one scenario on an engine and write its history together with everything that passed
through the ports of the bridge: what the browser answered, what the store held, what time it was.
"sim replay" gives a bridge the same again, without a browser.

Cookies, authorization and tokens never reach the file: a mark stands in their place. A run that
depends on one (its hash is in a message) does not play back; that is tried at once, and said. With
--digests there are no texts at all: the file can be judged, and its schedule can be used.

A file that ends in .gz is compressed. Every command that reads a history reads it as it is.

Exit codes: 0 recorded, 1 recorded but it does not play back, 2 a wrong call, 3 no browser.`,
		Example: "  sim record features/recovery/row-03.feature:25 --out run.ndjson.gz\n" +
			"  sim record features/recovery/row-03.feature:25 --engine chromium --out real.ndjson",
		Args: arguments("FILE.feature:LINE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.out, "out", "", "the file to write; it must not exist")
	fl.StringVar(&f.engine, "engine", "virtual", "virtual or chromium")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the run")
	fl.BoolVar(&f.digests, "digests", false, "keep digests instead of texts, and no ports")
	// fails on a typo only
	_ = cmd.RegisterFlagCompletionFunc("engine", fixed(sim.EngineNames()...))
	return cmd
}

func (f *recordFlags) run(ctx context.Context, path string, out, errs io.Writer) (err error) {
	if f.out == "" {
		return usage("name the file with --out", "sim record needs a file to write")
	}
	c, err := oneScenario(path, f.seed)
	if err != nil {
		return err
	}
	engine, err := sim.EngineNamed(f.engine)
	if err != nil {
		return usage("use one of "+strings.Join(sim.EngineNames(), ", "), "unknown engine %q", f.engine)
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	res, err := recorded(ctx, engine, c)
	if err != nil {
		return runVerdict(scenarios.Summary{}, err)
	}
	return f.keep(res, c, out, errs)
}

// oneScenario compiles exactly one.
func oneScenario(path string, seed uint64) (*scenarios.Compiled, error) {
	all, err := scenarios.Compile([]string{path}, "", seed)
	if err != nil {
		return nil, runVerdict(scenarios.Summary{}, err)
	}
	if len(all) != 1 {
		return nil, usage("name one with FILE:LINE", "%d scenarios stand at %s", len(all), path)
	}
	return &all[0], nil
}

// recorded plays a script with a recorder between pi and its ports.
func recorded(
	ctx context.Context, engine sim.Engine, c *scenarios.Compiled,
) (*sim.Result, error) {
	if err := engine.Ready(ctx); err != nil {
		return nil, err
	}
	if err := c.Script.Learn(ctx); err != nil {
		return nil, err
	}
	r := sim.NewRunner(engine)
	defer r.Close()
	r.Ports = replay.NewRecorder().Ports
	return r.Run(ctx, &c.Script, nil)
}

func (f *recordFlags) keep(res *sim.Result, c *scenarios.Compiled, out, errs io.Writer) error {
	what := history.ForReplay
	if f.digests {
		what = history.DigestsOnly
	}
	scenario := &replay.Scenario{
		Name: c.Name, URI: filepath.ToSlash(c.URI), Line: c.Line, Seed: c.Script.Seed,
		Given: c.Given, Schedule: c.Script.Schedule,
	}
	log, secrets := replay.Keep(res.World.Log, scenario, what)
	var changed error
	if what == history.ForReplay {
		if changed = replay.Check(log); changed != nil {
			log, _ = replay.Keep(res.World.Log, scenario, "")
		}
	}
	if err := writeHistory(f.out, log); err != nil {
		return err
	}
	p := report{w: out, paint: paintFor(out)}
	p.line("%s: %s on %s, seed %d, ended as %q, rows %v", f.out, printable(c.Name), f.engine,
		c.Script.Seed, res.Report.Outcome, res.Rows)
	p.line("%d events, %d with secrets taken out, sum %s", log.Len(), secrets, log.Sum())
	if p.err == nil && changed != nil {
		say(errs, "%s: %v", f.out, changed)
		return failed()
	}
	return p.err
}

// writeHistory writes a new file, compressed when its name says so. A file that could not be
// written whole does not stay.
func writeHistory(name string, log *history.Log) (err error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return usage("name another file with --out", "%s exists", name)
	}
	if err != nil {
		return usage("", "%w", err)
	}
	defer func() {
		err = errors.Join(err, file.Close())
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(name))
		}
	}()
	if !strings.HasSuffix(name, ".gz") {
		return log.WriteNDJSON(file)
	}
	z := gzip.NewWriter(file)
	return errors.Join(log.WriteNDJSON(z), z.Close())
}
