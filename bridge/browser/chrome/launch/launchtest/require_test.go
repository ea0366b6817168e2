package launchtest_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
)

// inChild tells this binary that it is the child of TestRequire.
const inChild = "LAUNCHTEST_CHILD"

// TestChild is what TestRequire runs in a process of its own: a test that needs a browser.
func TestChild(t *testing.T) {
	if os.Getenv(inChild) != "" {
		fmt.Println("it would start", launchtest.Require(t))
	}
}

// TestRequire: a missing browser is a failure under CI=true, and elsewhere a skip that says so on
// standard error, without -v.
func TestRequire(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, browser, ci string
		fails             bool
		out, errs         string // what must stand there
		notOut, notErrs   string // what must not; "" = nothing is forbidden
	}{
		{
			name: "missing under CI", browser: "/nowhere/chromium", ci: "true", fails: true,
			out: "CI=true and no browser", notOut: "it would start", notErrs: "SKIPPED",
		},
		{
			name: "missing elsewhere", browser: "/nowhere/chromium",
			errs: "*** SKIPPED, NOT PASSED: TestChild needs a browser", notOut: "it would start",
		},
		{
			name: "CI must say true", browser: "/nowhere/chromium", ci: "1",
			errs: "*** SKIPPED, NOT PASSED: TestChild", notOut: "it would start",
		},
		{
			name: "found", browser: self, ci: "true", out: "it would start " + self, notErrs: "SKIPPED",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			cmd := exec.Command(self, "-test.run=^TestChild$", "-test.count=1")
			cmd.Env = append(os.Environ(), inChild+"=1", launch.EnvPath+"="+c.browser, "CI="+c.ci)
			cmd.Stdout, cmd.Stderr = &out, &errs
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if (err != nil) != c.fails {
				t.Errorf("failed: %t, want %t", err != nil, c.fails)
			}
			for _, x := range []struct{ text, want, not string }{
				{out.String(), c.out, c.notOut}, {errs.String(), c.errs, c.notErrs},
			} {
				if !strings.Contains(x.text, x.want) || x.not != "" && strings.Contains(x.text, x.not) {
					t.Errorf("want %q and not %q in\n%s", x.want, x.not, x.text)
				}
			}
		})
	}
}
