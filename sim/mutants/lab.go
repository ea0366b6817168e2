package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Features are what every mutant runs: the folders that provoke mistakes in sessions, recovery, and
// the bugs that the field reported.
var Features = []string{
	"features/session", "features/recovery", "features/lifecycle", "features/field",
}

// patience is how long one mutant may take. One that takes longer hangs outside every world, where
// no oracle sees it.
const patience = 4 * time.Minute

// lab builds and runs mutants of one source tree.
type lab struct {
	root, temp string
	features   []string
	jobs       int // feature files side by side, in each mutant
}

// ErrBuild says that a mutant does not compile: the table is to be mended.
var ErrBuild = errors.New("the mutant does not compile")

// Root finds the module's source, in which mutants are built.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for the module: %w", err)
	}
	dir, ours := strings.CutPrefix(strings.TrimSpace(string(out)), "bridgesim ")
	if !ours {
		return "", errors.New("this folder is not in the source of bridgesim")
	}
	return dir, nil
}

// kills has a mutant built and run, and returns what caught it.
func (l *lab) kills(ctx context.Context, m *Mutant) ([]Kill, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	overlay, err := l.overlay(m)
	if err != nil {
		return nil, err
	}
	if m.Promise == Test {
		return l.test(ctx, m, overlay)
	}
	bin := filepath.Join(l.temp, m.Name+".bin")
	build := l.command(ctx, "go", "build", "-overlay", overlay, "-ldflags=-s -w", "-o", bin,
		"./cmd/sim")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w\n%s", m.Name, ErrBuild, err, text)
	}
	defer os.Remove(bin)
	return l.run(ctx, m, bin)
}

func (l *lab) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = l.root
	return cmd
}

// overlay writes the mutated files and the list that the compiler reads them by.
func (l *lab) overlay(m *Mutant) (string, error) {
	files, err := m.applied(l.root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range files {
		to := filepath.Join(l.temp, m.Name, strings.ReplaceAll(file, "/", "_"))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(l.root, filepath.FromSlash(file))] = to
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(l.temp, m.Name+".json")
	return path, os.WriteFile(path, data, 0o600)
}

// test runs the Go tests that must catch a mutant. Tests that do not compile catch nothing.
func (l *lab) test(ctx context.Context, m *Mutant, overlay string) ([]Kill, error) {
	args := []string{"test", "-count=1", "-vet=off", "-overlay", overlay, "-run", m.Run, m.Package}
	text, err := l.command(ctx, "go", args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: no end after %s: %w", m.Name, patience, ctx.Err())
	case err == nil:
		return nil, nil
	case !errors.As(err, &exit), !bytes.Contains(text, []byte("--- FAIL")):
		return nil, fmt.Errorf("%s: %w: %w\n%s", m.Name, ErrBuild, err, text)
	}
	return []Kill{{By: Test, Scenario: m.Package + " " + m.Run, Times: 1}}, nil
}

// summary is what "sim run --format json" prints, as far as it matters here.
type summary struct {
	Passed   int       `json:"passed"`
	Failed   int       `json:"failed"`
	Aborted  int       `json:"aborted"`
	Outcomes []outcome `json:"outcomes"`
}

type outcome struct {
	Name   string   `json:"name"`
	URI    string   `json:"uri"`
	Line   int      `json:"line"`
	Status string   `json:"status"`
	Error  string   `json:"error"`
	Broken []string `json:"broken"`
}

func (l *lab) run(ctx context.Context, m *Mutant, bin string) ([]Kill, error) {
	args := []string{"run", "--format", "json", "--jobs", strconv.Itoa(l.jobs)}
	if m.Promise != Determinism {
		args = append(args, "--no-twice")
	}
	cmd := l.command(ctx, bin, append(args, l.features...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: no end after %s: %w", m.Name, patience, ctx.Err())
	}
	var sum summary
	jerr := json.Unmarshal(out, &sum)
	if jerr != nil || sum.Aborted > 0 || sum.Passed+sum.Failed == 0 {
		return nil, fmt.Errorf("%s: it gave no verdict: %w\n%s", m.Name, errors.Join(err, jerr),
			errs.Bytes())
	}
	return tally(&sum), nil
}
