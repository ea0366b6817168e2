package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of sim, of Go and of the sources",
		Args:  arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			module, commit := built(info)
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "sim     %s\ngo      %s %s/%s\ncommit  %s\n",
				module, runtime.Version(), runtime.GOOS, runtime.GOARCH, commit)
			return err
		},
	}
}

// built reads the module's version and the commit from what the Go tool wrote into the binary. A
// build without version control ("go run", -buildvcs=false) knows no commit.
func built(info *debug.BuildInfo) (module, commit string) {
	module, commit = "(unknown)", "(unknown)"
	if info == nil {
		return module, commit
	}
	if info.Main.Version != "" {
		module = info.Main.Version
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified {
		commit += " (with changes)"
	}
	return module, commit
}
