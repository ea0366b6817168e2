package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bridgesim/scenarios"
)

func newStepsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "steps",
		Short: "Print every step that a feature may use, with an example",
		Args:  arguments(),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if asJSON {
			return printJSON(cmd.OutOrStdout(), stepsForTools(scenarios.Steps()))
		}
		return printSteps(cmd.OutOrStdout(), scenarios.Steps())
	}
	return cmd
}

// printSteps prints the examples, which is what people copy, with the meaning and the pattern under
// each. The steps of one group stand together.
func printSteps(w io.Writer, steps []scenarios.StepInfo) error {
	group := ""
	for i, s := range steps {
		heading := ""
		if s.Group != group || i == 0 {
			group, heading = s.Group, s.Group+"\n\n"
		}
		_, err := fmt.Fprintf(w, "%s  %s\n      %s\n      %s\n\n",
			heading, s.Example, s.Sentence, s.Pattern)
		if err != nil {
			return err
		}
	}
	return nil
}

// stepForTools is a step in JSON.
type stepForTools struct {
	Group    string `json:"group"`
	Pattern  string `json:"pattern"`
	Example  string `json:"example"`
	Sentence string `json:"sentence"`
}

func stepsForTools(steps []scenarios.StepInfo) []stepForTools {
	out := make([]stepForTools, len(steps))
	for i, s := range steps {
		out[i] = stepForTools{
			Group: s.Group, Pattern: s.Pattern, Example: s.Example, Sentence: s.Sentence,
		}
	}
	return out
}
