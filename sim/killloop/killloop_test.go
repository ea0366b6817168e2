//go:build linux

package killloop

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	. "github.com/onsi/gomega"

	"bridgesim/bridge"
	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/bridge/clock"
	"bridgesim/sim/engine/chromium"
)

var (
	full   = flag.Bool("killloop.full", false, "run every cell and print the table")
	seed   = flag.Uint64("killloop.seed", 1, "seed of the sample")
	only   = flag.String("killloop.cell", "", "run only the cells whose name contains this")
	writes = flag.Bool("killloop.writes", false, "log the durable writes of every part")
)

// sample is how many cells a plain "go test" runs.
const sample = 12

var (
	pool    *chromium.Pool
	program string // the sim under test
)

func TestMain(m *testing.M) {
	// A cell waits for its browser most of the time.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "killloop-")
	if err == nil {
		program, err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "killloop:", err)
		return 1
	}
	pool = chromium.NewPool(chromium.Options{})
	code = m.Run()
	if err := errors.Join(pool.Close(), os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, "killloop: left behind:", err)
		return 1
	}
	return code
}

// build makes the program; SIM_BRIDGE names one that is there.
func build(dir string) (string, error) {
	if path := os.Getenv("SIM_BRIDGE"); path != "" {
		return filepath.Abs(path)
	}
	path := filepath.Join(dir, "sim")
	out, err := exec.Command("go", "build", "-o", path, "bridgesim/cmd/sim").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building sim: %w\n%s", err, out)
	}
	return path, nil
}

// cell is one kill: in a part, at a place.
type cell struct {
	part *part
	place
}

func (c cell) String() string { return c.part.name + "/" + c.place.String() }

func cells() (all []cell) {
	for i := range parts {
		for _, w := range parts[i].writes {
			for _, s := range strikes {
				all = append(all, cell{&parts[i], place{w, s}})
			}
		}
	}
	return all
}

// chosen are the cells of this run: all, those named, or a sample that the seed draws.
func chosen() []cell {
	all := cells()
	switch {
	case *only != "":
		name := strings.ReplaceAll(*only, "_", " ") // as the test's output spells it
		return slices.DeleteFunc(all, func(c cell) bool { return !strings.Contains(c.String(), name) })
	case *full:
		return all
	}
	chance := clock.Seeded(*seed)
	for len(all) > sample {
		i := int(clock.Unit(chance) * float64(len(all)))
		all = slices.Delete(all, i, i+1)
	}
	return all
}

// enough failed cells tell what the others would tell; with them a broken bridge, of which every
// process hangs until its patience ends, would keep the loop busy for hours.
const enough = 6

var failed atomic.Int32

// result is one line of the printed table.
type result struct {
	row, outcome string
	took         time.Duration
}

// TestKillLoop is the table: each cell in a world of its own.
func TestKillLoop(t *testing.T) {
	launchtest.Require(t)
	list := chosen()
	results := make([]result, len(list))
	var mu sync.Mutex
	t.Cleanup(func() { printTable(list, results) })
	for i, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			r := runCell(t, c)
			mu.Lock()
			results[i] = r
			mu.Unlock()
		})
	}
}

// runCell kills, starts again until the session has ended, and judges.
func runCell(t *testing.T, c cell) result {
	if failed.Load() >= enough {
		t.Fatalf("not run: %d cells have failed", enough)
	}
	defer func() {
		if t.Failed() {
			failed.Add(1)
		}
	}()
	begin := time.Now()
	w := newWorld(t, c.part)
	w.begin()
	want := expected(c)
	killed := w.killAt(c.part.first != nil, c.place)
	w.Expect(killed.killed).To(Equal(!want.ended),
		"the place was not reached, or the process did not end")
	last := w.run(true, nil)
	w.judgeSafe()
	r := result{row: last.firstRow(), outcome: outcomeOf(last), took: time.Since(begin)}
	if want.manual == "" || r.outcome != string(bridge.Manual) {
		w.judgeDone()
		w.Expect(r.row).To(Equal(want.row), "the row of the decision table")
	}
	return r
}

// outcomeOf is the second word of a report.
func outcomeOf(e *ending) string {
	if words := strings.Fields(e.stdout); len(words) > 1 && words[0] == "outcome" {
		return words[1]
	}
	return "none"
}

// printTable prints what every cell came to, when all ran.
func printTable(list []cell, results []result) {
	if !*full {
		return
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "part\tdurable write\tstrike\twant row\trow\toutcome\tseconds\tmanual\twhy")
	for i, c := range list {
		want, r := expected(c), results[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%s\t%s\n", c.part.name, c.write, c.strike,
			orDash(want.row), orDash(r.row), orDash(r.outcome), r.took.Seconds(), orNever(want.manual),
			want.why)
	}
	_ = w.Flush() // into a strings.Builder
	fmt.Print(b.String())
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func orNever(s string) string {
	if s == "" {
		return "never"
	}
	return s
}

// TestTableIsWhole: the table has every durable write of a quiet session and of the first restarts,
// in order, and no other; so it cannot go stale.
func TestTableIsWhole(t *testing.T) {
	launchtest.Require(t)
	for i := range parts {
		p := &parts[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, p)
			w.begin()
			var got []write
			w.run(p.first != nil, func(s step) bool {
				if s.op == "store.append" && s.phase == "before" {
					got = append(got, write{s.record, s.message, s.round})
				}
				return false
			})
			if *writes {
				t.Logf("%s: %q", p.name, got)
			}
			w.judgeSafe()
			w.judgeDone()
			want := inOrder(p.writes)
			if got = inOrder(got); p.rest && len(got) > len(want) {
				got = got[:len(want)]
			}
			w.Expect(got).To(Equal(want))
		})
	}
}

// inOrder leaves out the one record whose place is a matter of chance.
func inOrder(all []write) []write {
	return slices.DeleteFunc(slices.Clone(all),
		func(w write) bool { return w.record == "conversation" })
}

// TestOrphan: pi is killed while the agent works, and starts again before the agent is done. The
// agent is left alone, found running, and its receipt is taken.
func TestOrphan(t *testing.T) {
	launchtest.Require(t)
	t.Parallel()
	w := newWorld(t, &parts[0])
	w.takes = 4 * time.Second
	w.Expect(w.killAt(false, place{write{"executing", "", 1}, act}).killed).To(BeTrue())
	claimed, err := w.ledger.Claimed()
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(claimed).To(HaveLen(1))
	running := false
	w.run(true, func(s step) bool {
		if s.op == "agent.poll" {
			st, err := w.ledger.Lookup(claimed[0])
			w.Expect(err).NotTo(HaveOccurred())
			running = running || st.Status == agent.Running
		}
		return false
	})
	w.Expect(running).To(BeTrue(),
		"the second process did not find the agent at work: nothing was tested")
	w.judgeSafe()
	w.judgeDone()
}

// TestInterrupt: Ctrl-C ends a run in order, the report says how to go on, and that goes on.
func TestInterrupt(t *testing.T) {
	launchtest.Require(t)
	for _, op := range []string{"attach.open", "send.submit", "wait.poll", "agent.poll"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, &parts[0])
			w.takes = time.Second
			asked := false
			end := w.run(false, func(s step) bool {
				if s.op == op && !asked {
					asked = true
					w.Expect(w.child.cmd.Process.Signal(os.Interrupt)).To(Succeed())
				}
				return false
			})
			w.Expect(asked).To(BeTrue(), "the place was not reached")
			w.Expect(end.code).To(Equal(4))
			w.Expect(end.stdout).To(And(HavePrefix("outcome interrupted "),
				MatchRegexp(`(?m)^  next: .* --resume$`)))
			w.run(true, nil)
			w.judgeSafe()
			w.judgeDone()
		})
	}
}

// TestCrashLoop: a process that dies at the same place every time does not outlive its durable
// budget.
func TestCrashLoop(t *testing.T) {
	launchtest.Require(t)
	for _, op := range []string{"discover.record", "send.guard"} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, &parts[0])
			w.Expect(w.killAt(false, place{write{"sent", "ROUND", 1}, after}).killed).To(BeTrue())
			most := bridge.DefaultBudgets().Attempts + 1
			end := w.run(true, func(s step) bool { return s.op == op })
			for end.killed {
				w.Expect(len(w.ends)).To(BeNumerically("<=", most+1), "the crash loop outlives its budget")
				end = w.run(true, func(s step) bool { return s.op == op })
			}
			w.Expect(len(w.ends)).To(BeNumerically(">", 2), "it ended before it was a loop")
			w.Expect(end.code).To(Equal(4))
			w.Expect(outcomeOf(end)).To(Equal(string(bridge.Manual)))
			w.Expect(end.rows()).To(ContainElement("13"))
			w.Expect(end.stdout).To(ContainSubstring("--resume"), "the report says how to go on")
			w.judgeSafe()
		})
	}
}
