package speed_test

import (
	"testing"

	"go.uber.org/goleak"

	"bridgesim/sim"
	"bridgesim/sim/speed"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// measured is a player with what its scripts cost.
type measured struct {
	*speed.Player
	cost speed.Cost
}

func struck(t testing.TB) []*sim.Script {
	t.Helper()
	scripts, err := speed.Struck()
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}

func playerOf(t testing.TB, scripts ...*sim.Script) measured {
	t.Helper()
	p, c, err := speed.NewPlayer(scripts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return measured{p, c}
}

// TestAllocations is the gate on memory: a count, the same on every machine. What stands here is
// what a run takes, with some room; docs/performance.md has the budget and what is open.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector throws away what is kept in pools")
	}
	for _, c := range []struct {
		name          string
		player        measured
		allocs, bytes float64
	}{
		{"calm", playerOf(t, speed.Rounds(3)), 320, 40 << 10},       // the budget is 400
		{"polled", playerOf(t, speed.Polled(3)), 320, 40 << 10},     // 144 calls
		{"struck", playerOf(t, struck(t)...), 540, 62 << 10},        // open: the budget
		{"64 rounds", playerOf(t, speed.Rounds(64)), 8000, 1 << 20}, // linear, see TestLinear
	} {
		m, err := speed.Allocated(c.player.Player, 100)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.0f allocations, %.0f bytes, %.0f calls", c.name, m.Allocs, m.Bytes,
			c.player.cost.Calls)
		if m.Allocs > c.allocs || m.Bytes > c.bytes {
			t.Errorf("%s: %.0f allocations and %.0f bytes a run, at most %.0f and %.0f are allowed", c.name,
				m.Allocs, m.Bytes, c.allocs, c.bytes)
		}
	}
}

// TestLinear: an event of a long session allocates no more often than one of a short session.
func TestLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector throws away what is kept in pools")
	}
	perEvent := func(rounds int) float64 {
		p := playerOf(t, speed.Polled(rounds))
		m, err := speed.Allocated(p.Player, 20)
		if err != nil {
			t.Fatal(err)
		}
		return m.Allocs / p.cost.Events
	}
	short := perEvent(8)
	if long := perEvent(64); long > 1.2*short {
		t.Errorf("%.2f allocations an event in 8 rounds, %.2f in 64", short, long)
	}
}

// leastShare is what a complete run must reach of the rate of an empty engine. The aim is 0.25.
const leastShare = 0.03

// TestShare is the gate on time: a ratio in one process, the median of turns.
func TestShare(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes other things slow")
	}
	p := playerOf(t, struck(t)...)
	r, err := speed.Compare(p.Player, p.cost, 15, 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a run %v, an empty engine %v: %.3f", r.Run, r.Empty, r.Share())
	if r.Share() < leastShare {
		t.Errorf("complete runs have %.3f of the empty engine's rate, at least %.3f is asked for",
			r.Share(), leastShare)
	}
}

// TestHeap: what is in use does not grow with the number of runs. docs/performance.md has the long
// form, from 10^5 to 10^6 runs.
func TestHeap(t *testing.T) {
	if raceEnabled {
		t.Skip("too slow under the race detector")
	}
	g, err := speed.Grown(300, 3000)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes after %d runs, %d after %d", g.AfterFew, g.Few, g.AfterMany, g.Many)
	if g.Factor() > 1.1 {
		t.Errorf("the heap in use grew from %d to %d bytes", g.AfterFew, g.AfterMany)
	}
}
