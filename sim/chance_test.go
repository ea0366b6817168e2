package sim

import (
	"testing"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
)

// TestChanceRestsOnSeedAndScenarioAlone: what a process of pi draws does not depend on how many
// places the run has passed, nor on its faults; every part, life, scenario and seed has draws of
// its own.
func TestChanceRestsOnSeedAndScenarioAlone(t *testing.T) {
	one := Script{Name: "one", Seed: 1}
	draw := func(e clock.Entropy) string { return clock.Hex(e, 8) }
	fresh := &World{Script: &one}
	far := &World{Script: &one, passed: make([]point.Address, 5)}
	for life := range 3 {
		if a, b := draw(fresh.chance(life)), draw(far.chance(life)); a != b {
			t.Errorf("life %d draws %s, after five places %s", life, a, b)
		}
	}
	other, name := one, one
	other.Seed, name.Name = 2, "two"
	seen := map[string]string{}
	for what, e := range map[string]clock.Entropy{
		"pi": one.stream("pi", 0), "pi again": one.stream("pi", 1), "site": one.stream("site", 0),
		"browser": one.stream("browser", 0), "seed 2": other.stream("pi", 0), "two": name.stream("pi", 0),
	} {
		drawn := draw(e)
		if seen[drawn] != "" {
			t.Errorf("%s and %s draw the same", what, seen[drawn])
		}
		seen[drawn] = what
	}
}
