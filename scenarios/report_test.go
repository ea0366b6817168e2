package scenarios_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

// TestEveryScenarioHasItsOwnHistory: feature files of one name in two folders do not overwrite each
// other's evidence, and the names do not depend on where the features lie.
func TestEveryScenarioHasItsOwnHistory(t *testing.T) {
	const feature = "Feature: x\n  Scenario: y\n    When the bridge relays the request\n" +
		"    Then the session ends as \"done\"\n"
	dir := t.TempDir()
	for _, name := range []string{"a/same.feature", "b/same.feature", "b/c/same.feature"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(feature), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path string
		want []string
	}{
		{"", []string{
			"a.same-2.virtual.ndjson", "b.c.same-2.virtual.ndjson", "b.same-2.virtual.ndjson",
		}},
		{"b", []string{"c.same-2.virtual.ndjson", "same-2.virtual.ndjson"}},
		{"a/same.feature", []string{"same-2.virtual.ndjson"}},
	} {
		report := t.TempDir()
		_, err := scenarios.Run(context.Background(), scenarios.Options{
			Paths: []string{filepath.Join(dir, c.path)}, Engine: sim.Virtual(), Seed: 1, Jobs: 2,
			Report: report,
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := filepath.Glob(filepath.Join(report, "*.ndjson"))
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%q: %q, want %q: %v", c.path, got, c.want, err)
		}
		for i := range got {
			if filepath.Base(got[i]) != c.want[i] {
				t.Errorf("%q: %q, want %q", c.path, got[i], c.want[i])
			}
		}
	}
}
