package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

const quiet = "Feature: x\n  @a\n  Scenario: one\n    When the bridge relays the request\n" +
	"    Then the session ends as \"done\"\n\n  @b\n  Scenario Outline: two\n" +
	"    Given round 1 is answered with \"<d>\"\n    When the bridge relays the request\n" +
	"    Then the session ends as \"<end>\"\n    Examples:\n      | d | end |\n" +
	"      | done | done |\n      | blocked | blocked |\n"

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func runOn(e sim.Engine, tags string, paths ...string) (scenarios.Summary, error) {
	return scenarios.Run(context.Background(), scenarios.Options{
		Paths: paths, Engine: e, Seed: 1, Jobs: 2, Tags: tags, Checks: sim.Checks{Once: true},
	})
}

// TestNothingRunsTwice: whatever is given twice, by whatever name, runs once; and no line that was
// given is lost for it.
func TestNothingRunsTwice(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "f/a.feature", quiet)
	put(t, "f/sub/b.feature", quiet)
	if err := os.Symlink("f", "g"); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs("f/a.feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths string
		want  string // the lines that ran
	}{
		{"f/a.feature f/a.feature", "a:3 a:14 a:15"},
		{"f f/sub", "a:3 a:14 a:15 b:3 b:14 b:15"},
		{"f/sub f", "b:3 b:14 b:15 a:3 a:14 a:15"},
		{"f ./f/../f g/", "a:3 a:14 a:15 b:3 b:14 b:15"},
		{"f/a.feature ./f/a.feature f/../f/a.feature g/a.feature " + abs, "a:3 a:14 a:15"},
		{"f/a.feature:3 f/a.feature:3", "a:3"},
		{"f/a.feature:3 f/a.feature:4 f/a.feature:2 g/a.feature:5", "a:3"},
		{"f/a.feature:15 f/a.feature:3 f/a.feature:15", "a:3 a:15"},
		{"f/a.feature:14 f/a.feature:15", "a:14 a:15"},
		{"f/a.feature:14 f/a.feature:12", "a:14 a:15"},
		{"f/a.feature:14 f/a.feature:8", "a:14 a:15"},
		{"f/a.feature:14 f/a.feature", "a:3 a:14 a:15"},
		{"f/a.feature f/a.feature:14", "a:3 a:14 a:15"},
		{"f f/a.feature:14", "a:3 a:14 a:15 b:3 b:14 b:15"},
		{"f/sub/b.feature:14 f/a.feature:14", "b:14 a:14"},
	} {
		paths := strings.Fields(c.paths)
		sum, err := runOn(sim.Virtual(), "", paths...)
		if err != nil {
			t.Errorf("%s: %v", c.paths, err)
			continue
		}
		if got := places(sum); got != c.want {
			t.Errorf("%s: ran %s, want %s", c.paths, got, c.want)
		}
		planned, err := scenarios.List(paths, "")
		if err != nil || len(planned) != len(sum.Outcomes) {
			t.Errorf("%s: %d are listed and %d ran: %v", c.paths, len(planned), len(sum.Outcomes), err)
		}
	}
}

func places(sum scenarios.Summary) string {
	var ran []string
	for _, o := range sum.Outcomes {
		name := strings.TrimSuffix(filepath.Base(o.URI), ".feature")
		ran = append(ran, fmt.Sprintf("%s:%d", name, o.Line))
	}
	return strings.Join(ran, " ")
}

// TestTags: the comma binds weaker than "&&", also for the tag that an engine brings along.
func TestTags(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.feature", quiet)
	only := strings.Replace(strings.Replace(quiet, "@a", "@a @chromium-only", 1), "@b", "@b @c", 1)
	put(t, "b.feature", only)
	for _, c := range []struct{ file, tags, want string }{
		{"a.feature", "@a", "a:3"},
		{"a.feature", "~@a", "a:14 a:15"},
		{"a.feature", "@a, @b", "a:3 a:14 a:15"},
		{"b.feature", "@a,@b", "b:14 b:15"},
		{"b.feature", " @b && @c ", "b:14 b:15"},
	} {
		sum, err := runOn(sim.Virtual(), c.tags, c.file)
		if err != nil || places(sum) != c.want {
			t.Errorf("%s of %s: ran %q, want %q: %v", c.tags, c.file, places(sum), c.want, err)
		}
	}
	for _, c := range []struct{ tags, want string }{
		{"row-12", `--tags: character 1: "row-12" is no tag; write `},
		{"@a &&", "--tags: character 6: a tag is missing; write "},
		{"@a,,@b", "--tags: character 4: a tag is missing; write "},
		{" ", "--tags: character 1: a tag is missing; write "},
		{"~", `--tags: character 1: "~" is no tag; write `},
		{"@é,@a || @b", `--tags: character 4: "@a || @b" is no tag; write `},
		{"@a && not @b", `--tags: character 7: "not @b" is no tag; write `},
		{"@nowhere", `--tags: "@nowhere" selects no scenario of a.feature; name tags that stand there`},
	} {
		_, err := runOn(sim.Virtual(), c.tags, "a.feature")
		wantMistake(t, c.tags, err, c.want)
	}
}

func wantMistake(t *testing.T, what string, err error, want string) {
	t.Helper()
	var input *scenarios.InputError
	if !errors.As(err, &input) {
		t.Errorf("%s: error %v, want an InputError with %q", what, err, want)
		return
	}
	if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v\nwant %s", what, err, want)
	}
	if !strings.Contains(err.Error(), "; ") {
		t.Errorf("%s: it does not say what to do: %v", what, err)
	}
}

// TestMistakesInExamplesAreInTheirRow: what is wrong in an example is told at the row that holds
// it.
func TestMistakesInExamplesAreInTheirRow(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "x.feature", strings.Replace(quiet, "| blocked | blocked |", "| blokked | blocked |", 1))
	_, err := runOn(sim.Virtual(), "", "x.feature")
	wantMistake(t, "examples", err,
		`x.feature:15: script: round 1, answer 1: decision "blokked" is not known`)
}

// TestAllMistakesAreToldAtOnce, the first of each line.
func TestAllMistakesAreToldAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	bad := strings.Replace(quiet, "relays the request", "sings", -1)
	put(t, "a.feature", bad)
	put(t, "b.feature", "Feature: x\n  Scenario: y\n    Given the moon sings\n\n    Whatever\n")
	_, err := runOn(sim.Virtual(), "", ".")
	var lines []string
	for line := range strings.Lines(fmt.Sprint(err)) {
		place, _, _ := strings.Cut(line, ": ")
		lines = append(lines, place)
	}
	if got := strings.Join(lines, " "); got != "a.feature:4 a.feature:10 b.feature:5" {
		t.Errorf("mistakes at %s:\n%v", got, err)
	}
}

// TestMistakesOfPaths: what cannot be read, or holds nothing that could run, is told by its name.
func TestMistakesOfPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.feature", quiet)
	put(t, "empty.feature", "")
	put(t, "header.feature", "Feature: nothing yet\n")
	put(t, "big.feature", "Feature: x\n"+strings.Repeat("#\n", 3<<20))
	put(t, "folder/readme.txt", "no feature")
	if err := os.MkdirAll("dangling", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"dangling/x.feature": "nowhere", "loop": "loop"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, want string }{
		{"nothing", "nothing: cannot be read: no such file or directory; check the path"},
		{"nothing:3", "nothing: cannot be read: no such file or directory; check the path"},
		{"loop", "loop: cannot be read: too many levels of symbolic links; "},
		{"dangling", "dangling/x.feature: cannot be read: no such file or directory; "},
		{"folder", "folder: no scenario here; give a .feature file or a folder of them"},
		{"empty.feature", "empty.feature: no scenario here; "},
		{"header.feature", "header.feature: no scenario here; "},
		{"big.feature", "big.feature: is 6291467 bytes; a feature has at most 4194304; "},
		{"a.feature:1", "a.feature:1: no scenario stands here; give a line of a scenario"},
		{"a.feature:99", "a.feature:99: no scenario stands here; "},
		{"a.feature:0", "a.feature:0: cannot be read: "},
	} {
		_, err := runOn(sim.Virtual(), "", c.path)
		wantMistake(t, c.path, err, c.want)
	}
}
