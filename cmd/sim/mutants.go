package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bridgesim/sim/mutants"
)

// mutantsFlags are the flags of sim mutants.
type mutantsFlags struct {
	only   []string
	jobs   int
	format string
	save   string
	list   bool
}

func newMutantsCommand() *cobra.Command {
	f := mutantsFlags{}
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Build wrong bridges, and demand that each is caught by the promise that it breaks",
		Long: `Build wrong bridges from the source in this folder and run the features with each. A mutant
is a small mistake that a person could make, applied at build time; the source is not touched.

First the bridge as it is must pass everything, and a canary, a bridge that does nothing, must fail.
Then each mutant must be caught by the promise that it breaks. Printed are the matrix (what caught
which mutant, in how many scenarios, in which first) and, for each oracle, what it alone catches.

Exit codes: 0 all were caught, 1 one survived, or the canary did, or the bridge as it is is red,
2 a wrong call, or a mutant does not fit the source any more, 3 no source or no Go.`,
		Example: "  sim mutants\n  sim mutants --only no-fence,click-twice",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.only, "only", nil, "mutants to build; all without it")
	fl.IntVar(&f.jobs, "jobs", 2, "mutants side by side")
	fl.StringVar(&f.format, "format", "text", "text or json")
	fl.StringVar(&f.save, "save", "", "file that gets the matrix of all mutants, for the golden test")
	fl.BoolVar(&f.list, "list", false, "list the mutants and build none")
	_ = cmd.RegisterFlagCompletionFunc("only", fixed(mutants.Names()...)) // fails on a typo only
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(reportFormats...)) // same
	return cmd
}

func (f *mutantsFlags) run(cmd *cobra.Command) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.check(); err != nil {
		return err
	}
	if f.list {
		return mutants.List(out)
	}
	root, err := mutants.Root(cmd.Context())
	if err != nil {
		return environment("change to the folder of the source and install Go", err)
	}
	rep, err := mutants.Run(cmd.Context(), mutants.Options{
		Root: root, Only: f.only, Jobs: f.jobs,
		Each: func(r mutants.Result) {
			fmt.Fprintf(errs, "%-8s  %s (%s)  %s\n", r.Verdict, r.Name, r.Took.Round(100*time.Millisecond),
				r.By())
		},
	})
	if errors.Is(err, mutants.ErrUnknown) {
		return usage(`"sim mutants --list" lists them`, "%w", err)
	}
	if rep == nil {
		return err
	}
	if perr := errors.Join(f.print(rep, out), f.keep(rep)); perr != nil || err != nil {
		return errors.Join(err, perr) // an interrupted run tells how far it came, and has no verdict
	}
	return mutantsVerdict(rep)
}

func (f *mutantsFlags) check() error {
	if f.jobs < 1 {
		return usage("use 1 or more", "--jobs %d builds nothing", f.jobs)
	}
	if f.save != "" && len(f.only) > 0 {
		return usage("leave one of them out", "--save keeps all, and --only leaves some out")
	}
	return checkReportFormat(f.format)
}

func (f *mutantsFlags) print(rep *mutants.Report, out io.Writer) error {
	if f.format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(rep)
	}
	return rep.Print(out)
}

// keep saves the matrix. One with holes is not worth comparing with.
func (f *mutantsFlags) keep(rep *mutants.Report) error {
	if f.save == "" || !rep.Matrix().Whole() {
		return nil
	}
	return os.WriteFile(f.save, []byte(rep.Matrix().String()), 0o644)
}

func mutantsVerdict(rep *mutants.Report) error {
	switch {
	case !rep.Failed():
		return nil
	case rep.Unbuilt():
		return &ExitError{
			Code: exitUsage, Err: errors.New("a mutant does not fit the source any more"),
			Mend: "mend its entry in sim/mutants",
		}
	}
	return failed()
}
