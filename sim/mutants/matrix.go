package mutants

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print writes the matrix for a person: one mutant per line, what caught it, and where first; then
// what each oracle is good for.
func (rep *Report) Print(w io.Writer) error {
	var b strings.Builder
	for i := range rep.Results {
		rep.Results[i].line(&b)
	}
	if m := rep.Matrix(); m.Whole() {
		b.WriteString("\n")
		m.duties(&b)
	}
	counts := map[Verdict]int{}
	for i := range rep.Results {
		counts[rep.Results[i].Verdict]++
	}
	fmt.Fprintf(&b, "\n%d killed, %d survived, %d missed, %d broken in %.1fs\n", counts[Killed],
		counts[Survived], counts[Missed], counts[Broken], rep.Took.Seconds())
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) line(b *strings.Builder) {
	fmt.Fprintf(b, "%-8s  %-27s", r.Verdict, r.Name)
	if r.Promise != "" {
		fmt.Fprintf(b, "  %s", r.Promise)
	}
	b.WriteString("\n")
	if r.Error != "" {
		fmt.Fprintf(b, "            %s\n", strings.ReplaceAll(r.Error, "\n", "\n            "))
	}
	for _, k := range r.Kills {
		fmt.Fprintf(b, "            %-21s %4d  %s\n", k.By, k.Times, k.Scenario)
	}
}

// Matrix says which judges catch which mutant.
type Matrix []Row

// Row is one mutant and the judges that catch it, in the order of Judges.
type Row struct {
	Mutant string
	By     []string
}

// Matrix is the part of a report that is the same on every machine.
func (rep *Report) Matrix() Matrix {
	var m Matrix
	for i := range rep.Results {
		r := &rep.Results[i]
		if r.Name == control.Name {
			continue
		}
		m = append(m, Row{Mutant: r.Name, By: r.By()})
	}
	return m
}

// By lists the judges that caught the mutant.
func (r *Result) By() []string {
	var by []string
	for _, k := range r.Kills {
		by = append(by, k.By)
	}
	return by
}

// String is the form in which a matrix is kept: a line for each mutant.
func (m Matrix) String() string {
	var b strings.Builder
	for _, row := range m {
		fmt.Fprintf(&b, "%s: %s\n", row.Mutant, strings.Join(row.By, " "))
	}
	return b.String()
}

// ParseMatrix reads what String wrote.
func ParseMatrix(text string) (Matrix, error) {
	var m Matrix
	for line := range strings.Lines(text) {
		name, by, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, fmt.Errorf("the matrix has a line that is not \"mutant: judge …\": %q", line)
		}
		m = append(m, Row{name, strings.Fields(by)})
	}
	return m, nil
}

// Whole tells whether the matrix has every mutant of the table, so that it says something about
// oracles.
func (m Matrix) Whole() bool {
	return !slices.ContainsFunc(Names(), func(name string) bool {
		return !slices.ContainsFunc(m, func(r Row) bool { return r.Mutant == name })
	})
}

// Of lists the mutants that a judge catches, and those among them that no other oracle catches.
// A scenario's own Then does not count as another: it holds for one scenario only.
func (m Matrix) Of(judge string) (all, alone []string) {
	for _, r := range m {
		if !slices.Contains(r.By, judge) {
			continue
		}
		all = append(all, r.Mutant)
		other := slices.ContainsFunc(r.By, func(by string) bool { return by != judge && by != Then })
		if !other {
			alone = append(alone, r.Mutant)
		}
	}
	return all, alone
}

// duties writes, for each judge, what only it sees.
func (m Matrix) duties(b *strings.Builder) {
	for _, judge := range Judges() {
		all, alone := m.Of(judge)
		fmt.Fprintf(b, "%-21s %2d mutants", judge, len(all))
		switch {
		case len(alone) > 0:
			fmt.Fprintf(b, ", alone: %s", strings.Join(alone, ", "))
		case Backstops[judge] != "":
			fmt.Fprintf(b, ", none alone: %s", Backstops[judge])
		default:
			b.WriteString(", none alone: IDLE")
		}
		b.WriteString("\n")
	}
}

// Idle lists the oracles that catch nothing alone and have no reason for it.
func (m Matrix) Idle() (idle []string) {
	for _, judge := range Judges() {
		if _, alone := m.Of(judge); len(alone) == 0 && Backstops[judge] == "" {
			idle = append(idle, judge)
		}
	}
	return idle
}

// List writes every mutant with its promise and how a person could come to write it.
func List(w io.Writer) error {
	for i := range table {
		m := &table[i]
		if _, err := fmt.Fprintf(w, "%-27s %-21s %s\n", m.Name, m.Promise, m.Why); err != nil {
			return err
		}
	}
	return nil
}
