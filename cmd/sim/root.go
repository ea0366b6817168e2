package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// commands lists the constructors of the subcommands, in the order of help.
func commands() []func() *cobra.Command {
	return []func() *cobra.Command{
		newRunCommand,
		newJudgeCommand,
		newShowCommand,
		newReportCommand,
		newDiffCommand,
		newImportCommand,
		newRecordCommand,
		newReplayCommand,
		newSiteCommand,
		newBridgeCommand,
		newAgentCommand,
		newWireCommand,
		newStepsCommand,
		newCoverageCommand,
		newBenchCommand,
		newExploreCommand,
		newMergeCommand,
		newMutantsCommand,
		newCertifyCommand,
		newDoctorCommand,
		newVersionCommand,
	}
}

// newRoot builds the whole command between its streams.
func newRoot(in io.Reader, out, errs io.Writer) *cobra.Command {
	root := group(&cobra.Command{
		Use:   "sim",
		Short: "Run, break and judge pi-bridge/1 sessions",
		Long: `sim runs pi-bridge/1 sessions against a fake ChatGPT site and judges them.

Exit codes: 0 pass, 1 fail, 2 wrong call, 3 the machine lacks something ("sim doctor" tells what),
4 stopped before there was a verdict.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	cobra.EnableCommandSorting = false
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(seeHelp(cmd), "%w", err)
	})
	for _, command := range commands() {
		root.AddCommand(command())
	}
	giveKinds(root)
	addCompletion(root)
	return root
}

// giveKinds passes what every subcommand returns through kinded.
func giveKinds(cmd *cobra.Command) {
	if inner := cmd.RunE; inner != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return kinded(inner(cmd, args)) }
	}
	for _, sub := range cmd.Commands() {
		giveKinds(sub)
	}
}

// addCompletion adds cobra's own "completion" now, so that a shell that it does not know is
// refused.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			group(cmd)
		}
	}
}

// group makes cmd a command that only holds others: alone it prints its help, and a name that it
// does not hold is a wrong call.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		mend := seeHelp(cmd)
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			mend = fmt.Sprintf(`did you mean "%s %s"?`, cmd.CommandPath(), near[0])
		}
		return usage(mend, "unknown command %q for %q", args[0], cmd.CommandPath())
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// arguments checks that a command gets exactly the named arguments.
func arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		want := "no arguments"
		if len(names) > 0 {
			want = strings.Join(names, " ")
		}
		return usage(seeHelp(cmd), "%q takes %s, got %d", cmd.CommandPath(), want, len(args))
	}
}

func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf(`see "%s --help"`, cmd.CommandPath()) }
