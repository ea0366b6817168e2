package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/scenarios"
	"bridgesim/sim/history"
)

// build is one way to compile sim; its program is "" where this machine cannot compile or run it.
type build struct {
	name    string
	flags   []string
	env     []string
	program string
	why     string // it is not there
}

// variant is one process that runs the features.
type variant struct {
	name  string
	build *build
	procs int
	jobs  int
	full  bool // the features are named by their full path, from another working folder
	seed  int
}

// TestSameSeedSameBytes: one seed gives the same bytes of history in every process: on one
// processor and on several, files one after the other and side by side, with and without the race
// detector, on 32 bits, wherever the features lie. Another seed gives other bytes.
func TestSameSeedSameBytes(t *testing.T) {
	plain := &build{name: "plain"}
	race := &build{name: "race", flags: []string{"-race"}}
	narrow := &build{name: "386", env: []string{"GOARCH=386", "CGO_ENABLED=0"}}
	compile(t, plain, race, narrow)

	many := max(4, runtime.NumCPU())
	want := play(t, variant{"the first process", plain, 1, 1, false, 1})
	for _, v := range []variant{
		{"another process", plain, 1, 1, false, 1},
		{"several processors", plain, many, 4, false, 1},
		{"several files on one processor", plain, 1, 4, false, 1},
		{"another folder", plain, many, 1, true, 1},
		{"race detector on several processors", race, many, 4, true, 1},
		{"32 bits on several processors", narrow, many, 1, true, 1},
	} {
		t.Run(strings.ReplaceAll(v.name, " ", "-"), func(t *testing.T) {
			if v.build.program == "" {
				launchtest.NotRun(t, v.build.why)
			}
			same(t, want, play(t, v))
		})
	}
	t.Run("another-seed", func(t *testing.T) {
		other(t, want, play(t, variant{"another seed", plain, many, 4, false, 2}))
	})
}

// compile makes the programs side by side; what this machine cannot run keeps the reason instead.
func compile(t *testing.T, plain *build, others ...*build) {
	t.Helper()
	dir := t.TempDir()
	var g errgroup.Group
	g.Go(func() error { return plain.make(dir) })
	for _, b := range others {
		if testing.Short() {
			b.why = "-short leaves out the build " + b.name
			continue
		}
		g.Go(func() error { return b.make(dir) })
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

func (b *build) make(dir string) error {
	env := append(os.Environ(), b.env...)
	if b.name == "race" {
		out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
		if err != nil || strings.TrimSpace(string(out)) != "1" {
			b.why = "the race detector needs a C compiler"
			return err
		}
	}
	program := filepath.Join(dir, "sim-"+b.name)
	args := append([]string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", program}, b.flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	err := exec.Command(program, "version").Run()
	if errors.Is(err, syscall.ENOEXEC) {
		b.why = "this machine cannot execute a program for " + b.name
		return nil
	}
	b.program = program
	return err
}

// played is what one process left: each history by the name of its file, and the summary.
type played struct {
	code      int
	logs      map[string]*history.Log
	bytes     map[string][]byte
	summary   scenarios.Summary
	directory string
}

func play(t *testing.T, v variant) played {
	t.Helper()
	p := played{directory: t.TempDir(), logs: map[string]*history.Log{}, bytes: map[string][]byte{}}
	features := filepath.Join(p.directory, "features")
	if err := os.CopyFS(features, os.DirFS(filepath.Join("..", "..", "features"))); err != nil {
		t.Fatal(err)
	}
	folder, path := p.directory, "features"
	if v.full {
		folder, path = t.TempDir(), features
	}
	cmd := exec.Command(v.build.program, "run", "--no-twice", "--seed", strconv.Itoa(v.seed),
		"--jobs", strconv.Itoa(v.jobs), "--report", filepath.Join(p.directory, "report"), path)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "PWD="+folder, "GOMAXPROCS="+strconv.Itoa(v.procs),
		"GORACE=exitcode=66")
	out, err := cmd.CombinedOutput()
	p.code = cmd.ProcessState.ExitCode()
	if p.code != exitPass && p.code != exitFail {
		t.Fatalf("%s: %v\n%s", v.name, err, out)
	}
	p.read(t)
	return p
}

// read takes the reports. A history that is not whole, or without its own sum, ends the test.
func (p *played) read(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.directory, "report", "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &p.summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(p.directory, "report", "*.ndjson"))
	if err != nil || len(files) == 0 || len(files) != len(p.summary.Outcomes) {
		t.Fatalf("%d histories of %d scenarios: %v", len(files), len(p.summary.Outcomes), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if p.logs[name], err = history.ReadNDJSON(bytes.NewReader(text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p.bytes[name] = withoutHost(t, text)
	}
}

// withoutHost takes out of a history's header where it was made, which is information for a person.
func withoutHost(t *testing.T, text []byte) []byte {
	t.Helper()
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	var header map[string]any
	if err := json.Unmarshal(line, &header); err != nil {
		t.Fatal(err)
	}
	if _, ok := header["host"]; !ok {
		return text
	}
	delete(header, "host")
	line, err := json.Marshal(header) // keys in order
	if err != nil {
		t.Fatal(err)
	}
	return append(append(line, '\n'), rest...)
}

// same holds two runs against each other and shows the first difference.
func same(t *testing.T, want, got played) {
	t.Helper()
	if got.code != want.code || len(got.bytes) != len(want.bytes) {
		t.Fatalf("exit code %d and %d histories, want %d and %d",
			got.code, len(got.bytes), want.code, len(want.bytes))
	}
	for _, name := range slices.Sorted(maps.Keys(want.bytes)) {
		if got.logs[name] == nil {
			t.Fatalf("%s is missing", name)
		}
		if !bytes.Equal(want.bytes[name], got.bytes[name]) {
			_, a, b, _ := history.FirstDifference(want.logs[name], got.logs[name])
			t.Fatalf("%s differs, first in\n%+v\n%+v", name, a, b)
		}
	}
	for i, o := range got.summary.Outcomes {
		w := want.summary.Outcomes[i]
		if o.Name != w.Name || o.Sum != w.Sum || o.Sum == "" || o.Events != w.Events ||
			o.World != w.World || o.Status != w.Status ||
			filepath.Base(o.URI) != filepath.Base(w.URI) || o.Line != w.Line {
			t.Fatalf("summary.json: %+v\nwant %+v", o, w)
		}
	}
}

// other checks that the seed reaches the events themselves, wherever anything was sent: ids are
// drawn from it.
func other(t *testing.T, a, b played) {
	t.Helper()
	for name, log := range a.logs {
		second := b.logs[name]
		if second == nil || log.Sum() == second.Sum() {
			t.Errorf("%s: the same sum under another seed", name)
			continue
		}
		_, _, _, differs := history.FirstDifference(log, second)
		if !differs && received(log) {
			t.Errorf("%s: the same events under another seed", name)
		}
	}
}

func received(log *history.Log) bool {
	for _, e := range log.Events() {
		if e.Lane == history.Site && e.Kind == "received" {
			return true
		}
	}
	return false
}
