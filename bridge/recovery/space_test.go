package recovery

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

var update = flag.Bool("update", false, "write the golden files anew")

// facts is the number of three-valued facts of an evidence.
const facts = len(factNames)

// slice is the part of the evidence space with one failure and one place: 3^13 evidences. The whole
// space is 7 × 5 slices, 55,801,305 evidences.
type slice struct {
	classes map[rows]int
	bold    []uint8 // boldness of each evidence, facts as the digits of a ternary number
	broken  string  // the first act that breaks a forbidden cell
	bolder  string  // the first unknown that permits more
}

func (s *slice) walk(e *Evidence, i int) {
	if i < facts {
		for v := Unknown; v <= No; v++ {
			*e.fact(i) = v
			s.walk(e, i+1)
		}
		*e.fact(i) = Unknown
		return
	}
	m := matched(e)
	s.classes[m]++
	taken := m.first()
	if taken == 0 {
		s.bold = append(s.bold, 0)
		return
	}
	act := e.chosen(taken)
	s.bold = append(s.bold, boldness(act))
	if broken := act.Deeds() & m.forbidden(taken); broken != 0 && s.broken == "" {
		s.broken = fmt.Sprintf("row %d does %q (%s): %s", taken, act, broken, e)
	}
}

// boldness orders what acts can do to the other side; looking, giving up and throwing do nothing.
func boldness(a Act) uint8 {
	if a <= Look {
		return 0
	}
	return uint8(a - Look)
}

// compare looks for an evidence that gets bolder when one of its facts is not known.
func (s *slice) compare(base Evidence) {
	for at, bold := range s.bold {
		power := len(s.bold)
		for i := range facts {
			power /= 3
			known := at / power % 3
			if known != 0 && s.bold[at-known*power] > bold {
				s.bolder = fmt.Sprintf("evidence %d gets bolder without %q (%s); base %s",
					at, factNames[i], Fact(known), base)
				return
			}
		}
	}
}

// TestWholeSpace decides every evidence that there is:
//   - which rows match together, and how often, is a golden file: the classes that match no row and
//     those that match several are decisions, not accidents;
//   - the chosen act breaks no matched row's forbidden cell;
//   - turning any fact into unknown never permits a bolder act.
func TestWholeSpace(t *testing.T) {
	var g errgroup.Group
	g.SetLimit(2)
	slices := make([]slice, int(failureEnd)*int(placeEnd))
	for i := range slices {
		g.Go(func() error {
			s := &slices[i]
			s.classes = map[rows]int{}
			base := Evidence{Failure: Failure(i) / Failure(placeEnd), Place: Place(i) % placeEnd}
			e := base
			s.walk(&e, 0)
			s.compare(base)
			s.bold = nil
			return nil
		})
	}
	_ = g.Wait() // no worker fails
	all := map[rows]int{}
	for i := range slices {
		for set, n := range slices[i].classes {
			all[set] += n
		}
		if slices[i].broken != "" {
			t.Error(slices[i].broken)
		}
		if slices[i].bolder != "" {
			t.Error(slices[i].bolder)
		}
	}
	golden(t, "testdata/classes.golden", classes(all))
}

func classes(all map[rows]int) string {
	var lines []string
	perRow := map[int]int{}
	for set, n := range all {
		lines = append(lines, fmt.Sprintf("%-40s %9d", name(set), n))
		for row := 1; row <= len(table); row++ {
			if set.has(row) {
				perRow[row] += n
			}
		}
	}
	sort.Strings(lines)
	for row := 1; row <= len(table); row++ {
		lines = append(lines, fmt.Sprintf("row %-36d %9d", row, perRow[row]))
	}
	return strings.Join(lines, "\n") + "\n"
}

func name(set rows) string {
	if set == 0 {
		return "none"
	}
	var parts []string
	for _, n := range order {
		if set.has(n) {
			parts = append(parts, fmt.Sprint(n))
		}
	}
	return strings.Join(parts, "+")
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is stale; look at the difference, then run with -update", path)
	}
}
