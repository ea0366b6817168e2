package conformance

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/sim/engine/chromium"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newPool is the one browser of a test; it leaves nothing behind.
func newPool(t *testing.T) *chromium.Pool {
	t.Helper()
	path := launchtest.Require(t)
	t.Setenv("TMPDIR", t.TempDir()) // short enough for a socket
	pool := chromium.NewPool(chromium.Options{Launch: launch.Options{Path: path}})
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
	return pool
}

// shownMismatches is how many a state prints; the first ones tell most.
const shownMismatches = 6

func TestTheArmsAgree(t *testing.T) {
	pool := newPool(t)
	stepCount, answerCount, states := 0, 0, States()
	for i := range states {
		s := &states[i]
		t.Run(s.Name, func(t *testing.T) {
			virtual, err := playVirtual(s)
			if err != nil {
				t.Errorf("on the model: %v", err)
			}
			real, err := playChromium(context.Background(), pool, s)
			if err != nil {
				t.Errorf("in the browser: %v", err)
			}
			found := compare(s.Name, virtual, real)
			for j, m := range found {
				if j == shownMismatches {
					t.Errorf("and %d more", len(found)-j)
					break
				}
				t.Error(m)
			}
			stepCount += len(s.Steps)
			answerCount += len(real)
		})
	}
	t.Logf("%d states, %d steps, %d answers compared", len(states), stepCount, answerCount)
}
