package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bridgesim/sim"
	"bridgesim/sim/history"
)

// moody is a virtual engine on which one run differs from those before it by one event: a wall
// clock, a map's order or anything else that is not in the script.
type moody struct {
	sim.Engine
	runs, from int
}

func (m *moody) Stage(ctx context.Context, w *sim.World) (sim.Stage, error) {
	stage, err := m.Engine.Stage(ctx, w)
	if m.runs++; m.runs >= m.from {
		w.Log.Append(history.Event{Lane: history.World, Kind: "mood", Key: "bad"})
	}
	return stage, err
}

// TestADivergenceIsNamed: a run that comes out differently for the same seed is found, the first
// event that differs is shown from both sides, and nobody is asked with Once.
func TestADivergenceIsNamed(t *testing.T) {
	ctx := context.Background()
	if _, err := sim.RunChecked(ctx, &moody{Engine: sim.Virtual(), from: 3}, threeRounds(1),
		sim.Checks{}); err != nil {
		t.Errorf("two equal runs: %v", err)
	}
	planted := &moody{Engine: sim.Virtual(), from: 2}
	if _, err := sim.RunChecked(ctx, planted, threeRounds(1), sim.Checks{Once: true}); err != nil {
		t.Errorf("one run: %v", err)
	}
	planted.runs = 0
	res, err := sim.RunChecked(ctx, planted, threeRounds(1), sim.Checks{})
	var d *sim.DivergedError
	if !errors.As(err, &d) {
		t.Fatalf("the divergence was not found: %v", err)
	}
	if d.First.Seq != d.At || d.Second.Seq != d.At || d.Second.Kind != "mood" || res == nil {
		t.Errorf("it is said to be at %d:\n%+v\n%+v", d.At, d.First, d.Second)
	}
	for _, want := range []string{"they part at event ", d.First.String(), d.Second.String()} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not show %q", err, want)
		}
	}
}
