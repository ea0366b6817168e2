package scenarios_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/scenarios"
	"bridgesim/sim"
)

const features = "../features"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFeatures runs every feature on the virtual engine.
func TestFeatures(t *testing.T) {
	runFeatures(context.Background(), t, sim.Virtual(), 4, features)
}

// onChromium are the folders of features that "go test" drives a real browser through, each with
// the time that it may take; a shard of a folder may take it all. The whole set is "sim run
// --engine chromium features".
var onChromium = []folder{
	{"session", 6 * time.Minute},
}

type folder struct {
	name   string
	budget time.Duration
}

// shardKey is the environment variable that divides the work over several machines: "2/3" runs the
// second of three shards, "" everything.
const shardKey = "SIM_SHARD"

// TestFeaturesOnChromium: the same scenarios, the same verdicts.
func TestFeaturesOnChromium(t *testing.T) {
	launchtest.Require(t)
	for _, f := range onChromium {
		t.Run(f.name, func(t *testing.T) {
			paths, err := shard(filesOf(t, f.name), os.Getenv(shardKey))
			switch {
			case err != nil:
				t.Fatal(err)
			case len(paths) == 0:
				t.Skipf("%s=%s leaves no file of this folder", shardKey, os.Getenv(shardKey))
			}
			ctx, cancel := context.WithTimeoutCause(context.Background(), f.budget,
				fmt.Errorf("the budget of %s for features/%s is spent", f.budget, f.name))
			defer cancel()
			// Half of a real run is waiting, the other half is Chromium's: more than two side by side on
			// a small machine are late for the clock of their sessions.
			runFeatures(ctx, t, sim.Chromium(sim.ChromiumOptions{}), min(2, runtime.NumCPU()), paths...)
		})
	}
}

func filesOf(t *testing.T, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(features, name, "*.feature"))
	if err != nil || len(files) == 0 {
		t.Fatalf("features/%s has %d files: %v", name, len(files), err)
	}
	return files
}

// shard takes every n-th file from the i-th on, for "i/n".
func shard(files []string, which string) ([]string, error) {
	if which == "" {
		return files, nil
	}
	var i, n int
	if _, err := fmt.Sscanf(which+"\n", "%d/%d\n", &i, &n); err != nil || i < 1 || i > n {
		return nil, fmt.Errorf("%s=%s: want i/n with i from 1 to n, such as 2/3", shardKey, which)
	}
	var mine []string
	for at := i - 1; at < len(files); at += n {
		mine = append(mine, files[at])
	}
	return mine, nil
}

// TestShards: together they are the whole, and no file is in two of them.
func TestShards(t *testing.T) {
	files := []string{"a", "b", "c", "d", "e"}
	for n := 1; n <= 7; n++ {
		var all []string
		for i := 1; i <= n; i++ {
			mine, err := shard(files, fmt.Sprintf("%d/%d", i, n))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, mine...)
		}
		slices.Sort(all)
		if !slices.Equal(all, files) {
			t.Errorf("%d shards run %q", n, all)
		}
	}
	for _, bad := range []string{"0/3", "4/3", "1", "1/3x", "a/b", "-1/2", "1/0"} {
		if mine, err := shard(files, bad); err == nil {
			t.Errorf("%q runs %q", bad, mine)
		}
	}
}

func runFeatures(ctx context.Context, t *testing.T, e sim.Engine, jobs int, paths ...string) {
	t.Helper()
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("closing the engine: %v", err)
		}
	})
	sum, err := scenarios.Run(ctx, scenarios.Options{Paths: paths, Engine: e, Seed: 1, Jobs: jobs})
	for _, o := range sum.Outcomes {
		if o.Status != scenarios.Passed {
			t.Errorf("%s:%d %s\n%s\nrepeat: %s", o.URI, o.Line, o.Name, o.Error, o.Repeat)
		}
	}
	switch {
	case err != nil && context.Cause(ctx) != nil:
		t.Fatal(context.Cause(ctx))
	case err != nil:
		t.Fatal(err)
	case sum.Passed == 0:
		t.Error("no scenario ran")
	}
	t.Logf("%d scenarios passed on %s in %s", sum.Passed, e.Name(), sum.Took)
}

// TestOneEngineScenariosSayWhy: a tag that keeps a scenario off an engine stands behind a comment
// with the reason, and what it covers is covered on both engines elsewhere.
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
