package explore

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/faults"
)

// Shown bounds how many classes of violations Print writes out; the others are one line each.
const Shown = 10

// Print writes the report for a person.
func (r *Result) Print(out io.Writer) error {
	var b strings.Builder
	r.printFound(&b)
	r.printMaps(&b)
	r.printNumbers(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

// printFound writes the violations, and what could not be judged.
func (r *Result) printFound(b *strings.Builder) {
	for i, c := range InOrder(r.Classes) {
		v := &c.First
		fmt.Fprintf(b, "VIOLATION  %s under %s, %s\n", c.Promise, c.Kinds, plural(c.Runs, "run"))
		fmt.Fprintf(b, "      %s  %s\n", v.Session, v.Name)
		fmt.Fprintf(b, "      %s\n", oneLine(v.Message))
		fmt.Fprintf(b, "      faults: %s\n", orNone(v.Schedule.String()))
		if i >= Shown {
			continue
		}
		b.WriteString("      as a feature:\n")
		for line := range strings.Lines(v.Feature) {
			fmt.Fprintf(b, "        | %s", line)
		}
	}
	for _, c := range InOrder(r.Unjudged) {
		v := &c.First
		fmt.Fprintf(b, "UNKNOWN  %s under %s, %s\n", c.Promise, c.Kinds, plural(c.Runs, "run"))
		fmt.Fprintf(b, "      %s  %s\n      faults: %s\n", v.Session, v.Name,
			orNone(v.Schedule.String()))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printMaps writes the two maps of coverage: one character for each kind, in the order of the
// legend.
//
//	. struck   o never struck   ! broke a promise   blank: not available there
func (r *Result) printMaps(b *strings.Builder) {
	names := r.kindColumns()
	fmt.Fprintf(b, "\nkinds: ")
	for i, k := range names {
		fmt.Fprintf(b, "%s%d %s", sep(i, ", "), i+1, k)
	}
	b.WriteString("\n\npoint x kind: . struck, o never struck, ! broke a promise\n")
	ruler(b, len(names))
	for _, place := range places() {
		if row := r.Places[place]; row != nil {
			mapLine(b, place, names, func(k string) byte { return row[k].mark() })
		}
	}
	b.WriteString("\nrow x kind: . a run under the kind took the row\n")
	ruler(b, len(names))
	for row := 1; row <= lastRow; row++ {
		mapLine(b, fmt.Sprintf("row %d", row), names, func(k string) byte {
			return " ."[min(r.RowKinds[row][k], 1)]
		})
	}
}

// mapLine is one line of a map.
func mapLine(b *strings.Builder, name string, kinds []string, mark func(kind string) byte) {
	line := fmt.Appendf(nil, "%-24s ", name)
	for _, k := range kinds {
		line = append(line, mark(k))
	}
	fmt.Fprintf(b, "%s\n", bytes.TrimRight(line, " "))
}

// places are the rows of the map: operations in the order of a session, each in its phases.
func places() (names []string) {
	for _, op := range faults.Ops() {
		for _, p := range phasesOf(point.Address{Op: op}) {
			names = append(names, placeOf(p))
		}
	}
	return names
}

// kindColumns are the kinds without their parameters, each once.
func (r *Result) kindColumns() (names []string) {
	for _, k := range r.Kinds {
		name, _, _ := strings.Cut(k, " with ")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (c *Cell) mark() byte {
	switch {
	case c == nil:
		return ' '
	case c.Broken > 0:
		return '!'
	case c.Struck == 0:
		return 'o'
	}
	return '.'
}

// ruler numbers the columns, in tens and ones.
func ruler(b *strings.Builder, n int) {
	for _, div := range []int{10, 1} {
		fmt.Fprintf(b, "%-24s ", "")
		for i := 1; i <= n; i++ {
			if div == 10 && i%10 != 0 {
				b.WriteByte(' ')
			} else {
				fmt.Fprintf(b, "%d", i/div%10)
			}
		}
		b.WriteByte('\n')
	}
}

// lastRow is the last row of the decision table.
var lastRow = len(recovery.Rows())

func sep(i int, s string) string {
	if i == 0 {
		return ""
	}
	return s
}

// printNumbers writes what everything came to.
func (r *Result) printNumbers(b *strings.Builder) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(b, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	b.WriteByte('\n')
	line("sessions", "%d on %s, seed %d, %s%s",
		len(r.Sessions), r.Engine, r.Seed, r.manner(), r.part())
	points, folded, planned := r.points()
	line("points", "%s; %d more are folded into those of their wait loop", points, folded)
	line("kinds", "%d", len(r.Kinds))
	line("runs", "%d%s", r.Runs, r.sum(planned))
	line("struck", "%d; found nothing to strike %d; not reached %d%s", r.Struck, r.Missed,
		r.NotReached, endedBefore(r.EndedBefore))
	if r.Depth == 2 {
		line("pruned", "%d runs, for which an equal one stands", r.Pruned)
	}
	line("own faults", "%d runs in which an explored fault kept one of the session's from striking",
		r.BaseLost)
	line("ends", "%s", counts(r.Ends))
	line("rows", "%d of %d: %s", len(r.Rows), lastRow, counts(r.Rows))
	line("states", "%d of %d%s", len(r.States), len(phases), without(phases, r.States))
	line("edges", "%d of %d%s", len(r.Edges), len(edges), without(edgeNames(), r.Edges))
	line("digest", "%x", r.Digest[:8])
	line("unknown", "%d", r.Unknown)
	line("violations", "%d in %d classes", r.Violations, len(r.Classes))
	if r.Stopped != "" {
		line("stopped", "%s after %d of %d units", r.Stopped, r.Units.Done, r.Units.Planned)
	}
}

func (r *Result) manner() string {
	if r.Swarm > 0 {
		return fmt.Sprintf("%d mixes", r.Swarm)
	}
	return fmt.Sprintf("depth %d", r.Depth)
}

func (r *Result) part() string {
	if r.Shard == nil {
		return ""
	}
	return ", shard " + r.Shard.String()
}

func (r *Result) points() (text string, folded, planned int) {
	all, by := 0, map[Sort]int{}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		folded, planned = folded+s.Folded, planned+s.Runs
		for sort, n := range s.Points {
			by[sort] += n
			all += n
		}
	}
	var parts []string
	for _, s := range Sorts() {
		parts = append(parts, fmt.Sprintf("%s %d", s, by[s]))
	}
	return fmt.Sprintf("%d (%s)", all, strings.Join(parts, ", ")), folded, planned
}

// sum holds the number of runs against the plan.
func (r *Result) sum(planned int) string {
	switch {
	case r.Depth != 1:
		return ""
	case r.Shard != nil || r.Stopped != "":
		return fmt.Sprintf(" of %d", planned)
	case r.Runs != planned:
		return fmt.Sprintf(", but %d were planned", planned)
	}
	return ", the sum over points of the kinds available there"
}

func endedBefore(rows map[int]int) string {
	if len(rows) == 0 {
		return ""
	}
	var parts []string
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		name := fmt.Sprintf("by row %d", row)
		if row == 0 {
			name = "by no row"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, rows[row]))
	}
	return ", the run ended before: " + strings.Join(parts, ", ")
}

// counts lists a map in the order of its keys.
func counts[K ~int | ~string](m map[K]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%v (%d)", k, m[k]))
	}
	return orNone(strings.Join(parts, ", "))
}

// without names what was not hit.
func without[K ~string](all []K, hit map[string]int) string {
	var missing []string
	for _, k := range all {
		if hit[string(k)] == 0 {
			missing = append(missing, string(k))
		}
	}
	if missing == nil {
		return ""
	}
	return "; not " + strings.Join(missing, ", ")
}

func edgeNames() []string {
	names := make([]string, len(edges))
	for i := range edges {
		names[i] = edges[i].Name
	}
	return names
}
