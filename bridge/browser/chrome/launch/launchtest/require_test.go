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
			errs: "*** SKIPPED, NOT PASSED: TestChild: it needs a browser", notOut: "it would start",
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
			cmd.Env = append(os.Environ(), inChild+"=1", launch.EnvPath+"="+c.browser, "CI="+c.ci,
				launchtest.NotesPath+"=")
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

// TestTheClosingLine: what did not run is the last thing that "make test" says, although the
// package passed and nobody asked for -v. What fails still fails, and a run without a gap says
// nothing.
func TestTheClosingLine(t *testing.T) {
	for _, c := range []struct {
		name, browser, ci string
		fails             bool
		last              string // of the output; "" = no word of what did not run
	}{
		{
			name: "missing", browser: "/nowhere/chromium",
			last: "NOT RUN: 1 test of bridge/browser/chrome/launch/launchtest; " +
				`"make setup" installs a browser`,
		},
		{name: "missing under CI", browser: "/nowhere/chromium", ci: "true", fails: true},
		{name: "found", browser: os.Args[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			const here = "./bridge/browser/chrome/launch/launchtest"
			cmd := exec.Command("sh", "tools/test.sh", "-count=1", "-run=^TestChild$", here,
				"./bridge/point")
			cmd.Dir = "../../../../.."
			cmd.Env = append(os.Environ(), inChild+"=1", launch.EnvPath+"="+c.browser, "CI="+c.ci)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) || (err != nil) != c.fails {
				t.Fatalf("%v, fails should be %t\n%s", err, c.fails, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if last := lines[len(lines)-1]; c.last != "" && last != c.last {
				t.Errorf("the last line is %q, want %q\n%s", last, c.last, out)
			}
			if c.last != "" && !strings.Contains(string(out),
				"\n  "+here[2:]+" TestChild: it needs a browser: ") {
				t.Errorf("the test is not named\n%s", out)
			}
			if c.last == "" && strings.Contains(string(out), "NOT RUN") {
				t.Errorf("something is said to be missing\n%s", out)
			}
		})
	}
}
