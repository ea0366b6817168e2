// Package launchtest decides for tests what a missing browser means.
package launchtest

import (
	"fmt"
	"os"
	"testing"

	"bridgesim/bridge/browser/chrome/launch"
)

// Require returns the path of a Chromium. Without one the test fails under CI=true, and elsewhere it
// is skipped, loudly: on standard error as well. "go test" holds that back when it runs a list of
// packages and this one passes; -v shows it, "make test" says before the tests what is missing.
func Require(tb testing.TB) string {
	tb.Helper()
	path, _, err := launch.Find()
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		tb.Fatalf("CI=true and no browser: %v", err)
	default:
		fmt.Fprintf(os.Stderr, "\n*** SKIPPED, NOT PASSED: %s needs a browser: %v ***\n\n", tb.Name(), err)
		tb.Skipf("no browser: %v", err)
	}
	return ""
}
