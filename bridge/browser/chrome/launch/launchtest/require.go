// Package launchtest decides for tests what a missing browser means.
package launchtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bridgesim/bridge/browser/chrome/launch"
)

// Require returns the path of a Chromium. Without one the test fails under CI=true, and elsewhere
// it is skipped by [NotRun].
func Require(tb testing.TB) string {
	tb.Helper()
	path, _, err := launch.Find()
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		tb.Fatalf("CI=true and no browser: %v", err)
	default:
		NotRun(tb, "it needs a browser: "+err.Error())
	}
	return ""
}

// NotesPath is the environment variable with the file that gets a line for each test that did not
// run. "make test" sets it and prints the lines when everything else has been said.
const NotesPath = "SIM_NOT_RUN"

// NotRun skips a test that this machine cannot run, and says so loudly: on standard error, and in
// the file that NotesPath names, because "go test" holds back what a package says that passes.
func NotRun(tb testing.TB, why string) {
	tb.Helper()
	fmt.Fprintf(os.Stderr, "\n*** SKIPPED, NOT PASSED: %s: %s ***\n\n", tb.Name(), why)
	if path := os.Getenv(NotesPath); path != "" {
		if err := note(path, fmt.Sprintf("%s %s: %s\n", folder(), tb.Name(), why)); err != nil {
			tb.Fatalf("noting that it did not run: %v", err)
		}
	}
	tb.Skip(why)
}

func note(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(line); err != nil {
		_ = f.Close() // the write's error says more
		return err
	}
	return f.Close()
}

// folder is the package under test, from the module's root: tests run in their package's folder.
func folder() string {
	here, err := os.Getwd()
	if err != nil {
		return "?"
	}
	for root := here; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if name, err := filepath.Rel(root, here); err == nil {
				return filepath.ToSlash(name)
			}
		}
		if root == filepath.Dir(root) {
			return filepath.ToSlash(here)
		}
	}
}
