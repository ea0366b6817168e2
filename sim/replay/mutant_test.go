package replay_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// TestMutantDiverges plays a recording with a wrong bridge: one that gives up at the first loss. It
// stops at the first event that differs, with a message that a person can read.
func TestMutantDiverges(t *testing.T) {
	RegisterTestingT(t)
	_, log := severed()
	dir := t.TempDir()
	file := filepath.Join(dir, "run.ndjson")
	Expect(os.WriteFile(file, written(log), 0o600)).To(Succeed())

	good := build(t, dir, "good", "", "", "")
	out, code := run(t, good, "replay", file)
	Expect(code).To(Equal(0), out)
	Expect(out).To(ContainSubstring("the history is the recorded one"))

	wrong := build(t, dir, "wrong", "bridge/recover.go",
		"\t\tif v.Act <= recovery.GiveUp {\n", "\t\tif v.Row >= 0 {\n")
	out, code = run(t, wrong, "replay", file)
	Expect(code).To(Equal(1), out)
	Expect(out).To(MatchRegexp(`diverged at event \d+ of \d+, after \d+ questions\n`))
	Expect(out).To(MatchRegexp(`    before    \d+ .* bridge verdict `))
	Expect(out).To(MatchRegexp(`arguments: recorded .*, now .*"outcome\\":\\"manual`))
	Expect(out).To(MatchRegexp(`    recorded  \d+ .*\n    now       port ask store.append@1 `))
}

// build builds the command, with one text of one file replaced.
func build(t *testing.T, dir, name, file, from, to string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, name)
	args := []string{"build", "-ldflags=-s -w", "-o", bin}
	if file != "" {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil || strings.Count(string(text), from) != 1 {
			t.Fatalf("%s does not hold the text once: %v", file, err)
		}
		mutated, list := filepath.Join(dir, name+".go"), filepath.Join(dir, name+".json")
		overlay, _ := json.Marshal(map[string]any{ // texts only
			"Replace": map[string]string{filepath.Join(root, file): mutated},
		})
		changed := strings.Replace(string(text), from, to, 1)
		if err := errors.Join(os.WriteFile(mutated, []byte(changed), 0o600),
			os.WriteFile(list, overlay, 0o600)); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", list)
	}
	cmd := exec.Command("go", append(args, "./cmd/sim")...)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, text)
	}
	return bin
}

// run runs a program to its end.
func run(t *testing.T, bin string, args ...string) (out string, code int) {
	t.Helper()
	text, err := exec.Command(bin, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		code = exit.ExitCode()
	}
	return string(text), code
}
