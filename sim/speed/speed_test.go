package speed_test

import (
	"testing"

	"bridgesim/sim"
	"bridgesim/sim/speed"
)

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
	return measured{p, c}
}

func TestX(t *testing.T) {
	x := playerOf(t, struck(t)...)
	p, c := x.Player, x.cost
	m, err := speed.Allocated(p, 200)
	t.Log(c, m, err)
	r, err := speed.Compare(p, c, 9, 40)
	t.Log(r.Run, r.Empty, r.Share(), err)
	for _, s := range []int{3} {
		for _, x := range []func(int) any{func(n int) any { p, c, _ := speed.NewPlayer(speed.Rounds(n)); r, _ := speed.Compare(p, c, 9, 40); return r }, func(n int) any { p, c, _ := speed.NewPlayer(speed.Polled(n)); r, _ := speed.Compare(p, c, 9, 40); return r }} {
			r := x(s).(speed.Ratio)
			t.Log(r.Calls, r.Run, r.Empty, r.Share())
		}
	}
	pts, err := speed.Curve(64, 5)
	for _, p := range pts {
		t.Log(p.Rounds, p.Events, p.Run, p.PerEvent())
	}
	t.Log(err)
}
