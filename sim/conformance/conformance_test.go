package conformance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/sim/engine/chromium"
)

// suite is the one browser of all tests, and the folder in which it may leave things.
var suite struct {
	pool   *chromium.Pool
	folder string
}

func TestMain(m *testing.M) {
	// A failing text is printed whole; files beside the source would be left behind.
	set("rapid.nofailfile", "true")
	set("rapid.checks", "30")
	set("test.parallel", "4") // a state waits for its browser most of the time
	os.Exit(leave(m.Run()))
}

func set(flagName, value string) {
	if err := flag.Set(flagName, value); err != nil {
		panic(err)
	}
}

// newPool returns the suite's browser, which starts when it is first asked for.
func newPool(t *testing.T) *chromium.Pool {
	t.Helper()
	path := launchtest.Require(t)
	if suite.pool == nil {
		var err error
		if suite.folder, err = os.MkdirTemp("", "cf-"); err != nil { // short: sockets lie below it
			t.Fatal(err)
		}
		if err := os.Setenv("TMPDIR", suite.folder); err != nil {
			t.Fatal(err)
		}
		suite.pool = chromium.NewPool(chromium.Options{Launch: launch.Options{Path: path}})
	}
	return suite.pool
}

// leave ends the browser and looks whether anything stays: a goroutine, a folder.
func leave(code int) int {
	var errs []error
	if suite.pool != nil {
		errs = append(errs, suite.pool.Close())
		left, err := os.ReadDir(suite.folder)
		if len(left) > 0 {
			err = fmt.Errorf("the browser left %v in %s", left, suite.folder)
		}
		errs = append(errs, err, os.RemoveAll(suite.folder))
	}
	errs = append(errs, goleak.Find())
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}

// shownMismatches is how many a state prints; the first ones tell most.
const shownMismatches = 6

// every asks for all states; a plain "go test" takes every second one, to stay within minutes.
var every = flag.Bool("conformance.full", false, "play every state, not every second")

func TestTheArmsAgree(t *testing.T) {
	pool, states := newPool(t), States()
	var played, steps, answers atomic.Int64
	t.Run("state", func(t *testing.T) {
		for i := range states {
			if !*every && i%2 != 0 {
				continue
			}
			played.Add(1)
			s := &states[i]
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				steps.Add(int64(len(s.Steps)))
				answers.Add(int64(agree(t, pool, s)))
			})
		}
	})
	t.Logf("%d of %d states, %d steps, %d answers compared",
		played.Load(), len(states), steps.Load(), answers.Load())
}

// agree plays one state on both arms and returns how many answers were compared.
func agree(t *testing.T, pool *chromium.Pool, s *State) int {
	t.Helper()
	model, err := playVirtual(s)
	if err != nil {
		t.Errorf("on the model: %v", err)
	}
	page, err := playChromium(context.Background(), pool, s)
	if err != nil {
		t.Errorf("in the browser: %v", err)
	}
	if len(page) == 0 {
		t.Error("nothing was asked")
	}
	found := compare(s.Name, model, page)
	for i, m := range found {
		if i == shownMismatches {
			t.Errorf("and %d more", len(found)-i)
			break
		}
		t.Error(m)
	}
	return len(page)
}
