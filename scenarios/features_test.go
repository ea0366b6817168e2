package scenarios_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/scenarios"
	"bridgesim/sim"
)

const features = "../features"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFeatures runs every feature on the virtual engine.
func TestFeatures(t *testing.T) { runFeatures(t, sim.Virtual(), features) }

// TestFeaturesOnChromium runs the features of the session on a real browser: the same
// scenarios, the same verdicts. The whole set is `sim run --engine chromium features`.
func TestFeaturesOnChromium(t *testing.T) {
	launchtest.Require(t)
	runFeatures(t, sim.Chromium(sim.ChromiumOptions{}), features+"/session")
}

func runFeatures(t *testing.T, e sim.Engine, paths ...string) {
	t.Helper()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("closing the engine: %v", err)
		}
	})
	sum, err := scenarios.Run(context.Background(), scenarios.Options{
		Paths: paths, Engine: e, Seed: 1, Jobs: 4, // most of a real run is waiting
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range sum.Outcomes {
		if o.Status != scenarios.Passed {
			t.Errorf("%s:%d %s\n%s\nrepeat: %s", o.URI, o.Line, o.Name, o.Error, o.Repeat)
		}
	}
	if sum.Passed == 0 {
		t.Error("no scenario ran")
	}
	t.Logf("%d scenarios passed on %s in %s", sum.Passed, e.Name(), sum.Took)
}

// TestOneEngineScenariosSayWhy: a tag that keeps a scenario off an engine stands behind a comment with
// the reason, and what it covers is covered on both engines elsewhere.
func TestOneEngineScenariosSayWhy(t *testing.T) {
	err := filepath.WalkDir(features, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".feature" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if !strings.Contains(line, "@virtual-only") && !strings.Contains(line, "@chromium-only") {
				continue
			}
			if i == 0 || !strings.HasPrefix(strings.TrimSpace(lines[i-1]), "#") {
				t.Errorf("%s:%d: no comment above the tag says why this engine alone", path, i+1)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
