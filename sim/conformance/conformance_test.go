package conformance

import (
	"context"
	"os"
	"sync/atomic"
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
	t.Setenv("TMPDIR", t.TempDir())
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
	pool, states := newPool(t), States()
	var steps, answers atomic.Int64
	t.Run("state", func(t *testing.T) {
		for i := range states {
			s := &states[i]
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				steps.Add(int64(len(s.Steps)))
				answers.Add(int64(agree(t, pool, s)))
			})
		}
	})
	t.Logf("%d states, %d steps, %d answers compared", len(states), steps.Load(), answers.Load())
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
