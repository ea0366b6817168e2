package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"bridgesim/sim/explore"
)

func newMergeCommand() *cobra.Command {
	var format, save string
	cmd := &cobra.Command{
		Use:   "merge REPORT...",
		Short: "Add the shards of one exploration",
		Long: `Add the JSON reports of all shards of one exploration, in any order. The result is exactly
that of the exploration without shards, and so is the exit code.`,
		Example: `  sim explore --shard 1/2 --format json > 1.json
  sim explore --shard 2/2 --format json > 2.json
  sim merge 1.json 2.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(seeHelp(cmd), "sim merge needs the reports of all shards")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := checkReportFormat(format); err != nil {
				return err
			}
			rep, err := mergeFiles(paths)
			if err != nil {
				return err
			}
			return exploreReport(rep, format, save, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().StringVar(&save, "save", "", "folder that gets a feature for each class of violations")
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(reportFormats...)) // fails on a typo only
	return cmd
}

// mergeFiles reads and adds.
func mergeFiles(paths []string) (*explore.Result, error) {
	var shards []*explore.Result
	for _, path := range paths {
		rep, err := reportIn(path)
		if err != nil {
			return nil, err
		}
		shards = append(shards, rep)
	}
	rep, err := explore.Merge(shards)
	if err != nil {
		return nil, usage("give every shard of one exploration once", "%w", err)
	}
	return rep, nil
}

func reportIn(path string) (*explore.Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rep, err := explore.ReadReport(f)
	if err != nil {
		return nil, usage(`give what "sim explore --format json" printed`, "%s: %w", path, err)
	}
	return rep, nil
}

// saveFeatures writes the first example of each class of violations as a feature.
func saveFeatures(rep *explore.Result, format, dir string, out io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var errs []error
	for _, c := range explore.InOrder(rep.Classes) {
		path := filepath.Join(dir, c.FileName())
		errs = append(errs, os.WriteFile(path, []byte(c.First.Feature), 0o644))
		if format == "text" {
			fmt.Fprintf(out, "repeat: sim run --seed %d %s\n", rep.Seed, path)
		}
	}
	return errors.Join(errs...)
}
