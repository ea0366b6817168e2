package main

import (
	"github.com/spf13/cobra"

	"bridgesim/cmd/sim/doctor"
)

func newDoctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this machine lacks, and print the command that mends it",
		Long: `Check Go, the browser (it is really started), a loopback port, the temporary folder and the
fonts. Exit code 3 when something required is missing.`,
		Args: arguments(),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		report, err := doctor.Examine(cmd.Context(), doctor.ThisSystem(), doctor.Checks())
		if err != nil {
			return err
		}
		if asJSON {
			err = printJSON(cmd.OutOrStdout(), report)
		} else {
			err = report.Write(cmd.OutOrStdout(), stateStyle(paintFor(cmd.OutOrStdout())))
		}
		if err != nil || report.OK {
			return err
		}
		return &ExitError{Code: exitEnvironment}
	}
	return cmd
}

func stateStyle(p paint) doctor.Style {
	return func(s doctor.State, required bool) string {
		word := doctor.Word(s, required)
		switch {
		case s == doctor.OK:
			return p.good(word)
		case required:
			return p.bad(word)
		}
		return p.weak(word)
	}
}
