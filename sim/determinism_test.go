package sim_test

import (
	"bytes"
	"os"
	"testing"

	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/sim"
	"bridgesim/sim/history"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSameSeedSameHistory is the law in one process, where a broken one is quickest to find.
// cmd/sim holds several processes, builds and architectures against each other.
func TestSameSeedSameHistory(t *testing.T) {
	first, again, other := written(t, 1), written(t, 1), written(t, 2)
	if _, a, b, differ := history.FirstDifference(first.log, again.log); differ {
		t.Errorf("the same seed differs, first in\n%+v\n%+v", a, b)
	}
	if !bytes.Equal(first.text, again.text) {
		t.Error("the same seed gives other bytes")
	}
	if _, _, _, differ := history.FirstDifference(first.log, other.log); !differ {
		t.Error("another seed gives the same events")
	}
}

type recorded struct {
	log  *history.Log
	text []byte
}

func written(t *testing.T, seed uint64) recorded {
	t.Helper()
	r, err := session(sim.Virtual(), seed)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.World.Log.WriteNDJSON(&text); err != nil {
		t.Fatal(err)
	}
	return recorded{r.World.Log, text.Bytes()}
}

// TestChromiumLeavesNothing: a run on a real browser leaves no folder (goroutines: see TestMain,
// processes: see cmd/sim).
func TestChromiumLeavesNothing(t *testing.T) {
	launchtest.Require(t)
	dir, err := os.MkdirTemp("", "bs-") // short: it must hold a unix socket's name
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	e := sim.Chromium(sim.ChromiumOptions{})
	if _, err := session(e, 1); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(dir); err != nil { // fails unless it is empty
		t.Error(err)
	}
}
