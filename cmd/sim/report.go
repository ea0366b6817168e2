package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bridgesim/scenarios"
	simreport "bridgesim/sim/report"
)

func newReportCommand() *cobra.Command {
	var out, title, explored, mutated string
	cmd := &cobra.Command{
		Use:   "report HISTORY...",
		Short: "Make one HTML file of histories that are there",
		Long: `Render histories (NDJSON, compressed or not; a folder stands for all that lie directly in
it) as one HTML file that needs no network: a summary, the rows of the decision table on each
engine, and per run the timeline, the faults, the decisions with what also matched, and the
conversation as the site saw it.

Every history is judged again. "sim run --report DIR" writes the same page as DIR/index.html, with
the verdicts of the scenarios in it. --explore adds the map of an exploration, --mutants the matrix
of what caught which wrong bridge, from what those commands printed as JSON.

The exit code tells whether the page was written, not what the runs came to.`,
		Example: "  sim report out/*.ndjson --out runs.html\n  sim report out --out - > runs.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 || explored != "" || mutated != "" {
				return nil
			}
			return usage(`try "sim run features --report out"`, "sim report needs a history or a folder")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			runs, err := runsOf(cmd.Context(), args)
			if err != nil {
				return err
			}
			page := simreport.Report{Title: title, Runs: runs}
			if page.Grids, err = grids(explored, mutated); err != nil {
				return err
			}
			if out == "-" {
				return simreport.Write(cmd.OutOrStdout(), page)
			}
			if err := writePage(out, page); err != nil {
				return err
			}
			say(cmd.ErrOrStderr(), "%d runs in %s", len(runs), out)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "report.html", `file to write, "-" for standard output`)
	cmd.Flags().StringVar(&explored, "explore", "",
		`file with what "sim explore --format json" printed`)
	cmd.Flags().StringVar(&mutated, "mutants", "",
		`file with what "sim mutants --format json" printed`)
	cmd.Flags().StringVar(&title, "title", "Runs of a bridge", "title of the page")
	return cmd
}

// runsOf reads and judges the histories that the arguments name.
func runsOf(ctx context.Context, args []string) (runs []simreport.Run, err error) {
	for _, arg := range args {
		files, err := historiesIn(arg)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			log, err := readHistory(ctx, nil, file)
			if err != nil {
				return nil, err
			}
			runs = append(runs, simreport.OfHistory(file, log))
		}
	}
	return runs, nil
}

// historiesIn is the file itself, or the histories that lie directly in a folder.
func historiesIn(path string) ([]string, error) {
	if path == "-" {
		return nil, usage("name the file", "sim report reads no standard input")
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".gz")
		if e.Type().IsRegular() && strings.HasSuffix(name, ".ndjson") {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	if len(out) == 0 {
		return nil, usage(`try "sim run features --report `+path+`"`, "no history lies in %s", path)
	}
	return out, nil
}

// pageFile is what --report writes for a person.
const pageFile = "index.html"

// writePageOf leaves the page of a suite beside its histories. An interrupted suite has one too.
func writePageOf(ctx context.Context, dir string, sum scenarios.Summary, notes ...string) error {
	ctx = context.WithoutCancel(ctx)
	page := simreport.Report{Title: "sim run", Notes: notes}
	if sum.Aborts > 0 {
		page.Notes = append(page.Notes,
			fmt.Sprintf("The suite was stopped: %d scenarios did not come to an end.", sum.Aborts))
	}
	for i := range sum.Outcomes {
		run, err := runOf(ctx, &sum.Outcomes[i])
		if err != nil {
			return err
		}
		page.Runs = append(page.Runs, run)
	}
	return writePage(filepath.Join(dir, pageFile), page)
}

// runOf is a scenario's outcome with its history. A history that was never kept is no error.
func runOf(ctx context.Context, o *scenarios.Outcome) (simreport.Run, error) {
	r := simreport.Run{
		Name: o.Name, Feature: o.Feature, Place: fmt.Sprintf("%s:%d", o.URI, o.Line),
		Engine: o.Engine, Status: simreport.Status(o.Status), Error: o.Error, Step: o.Step,
		Seed: o.Seed,
		Tags: o.Tags, Missed: o.Missed, Repeat: o.Repeat, History: o.History, Took: o.Took,
	}
	if o.History != "" {
		log, err := readHistory(ctx, nil, o.History)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
		r.Log = log
	}
	return r.Judged(), nil
}

// writePage writes beside the place first, so that no half page is ever there.
func writePage(path string, page simreport.Report) error {
	return wholeFile(path, func(w io.Writer) error { return simreport.Write(w, page) })
}

// wholeFile gives path its new content in one step.
func wholeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error says more
	}
	return err
}
