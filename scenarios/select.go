package scenarios

import (
	"bytes"
	"slices"

	messages "github.com/cucumber/messages/go/v34"
)

// narrow blanks everything in a feature but what stands at the lines: scenarios, their example
// tables, or single example rows. Blank lines keep every other line where it was, so what runs says
// its true place. godog itself selects whole outlines only. missed is the first line at which no
// scenario stands, 0 when there is none.
func narrow(src []byte, doc *messages.GherkinDocument, at []int) (out []byte, missed int) {
	lines := bytes.SplitAfter(src, []byte("\n"))
	left := slices.Clone(at)
	if doc.Feature != nil {
		for _, s := range scenariosOf(doc.Feature, len(lines)) {
			var mine []int
			mine, left = s.take(left)
			if len(mine) == 0 {
				blank(lines, s.first, s.last)
				continue
			}
			s.narrow(lines, mine)
		}
	}
	if len(left) > 0 {
		missed = left[0]
	}
	return bytes.Join(lines, nil), missed
}

// span is a scenario with the lines that belong to it, its tags included.
type span struct {
	scenario    *messages.Scenario
	first, last int
}

// scenariosOf finds every scenario's lines: from its first tag to the line before the next one.
func scenariosOf(f *messages.Feature, end int) []span {
	var spans []span
	last := func(first int) {
		if n := len(spans); n > 0 && spans[n-1].last == 0 {
			spans[n-1].last = first - 1
		}
	}
	add := func(s *messages.Scenario) {
		first := firstLine(s.Location, s.Tags)
		last(first)
		spans = append(spans, span{scenario: s, first: first})
	}
	for _, c := range f.Children {
		switch {
		case c.Scenario != nil:
			add(c.Scenario)
		case c.Rule != nil:
			last(firstLine(c.Rule.Location, c.Rule.Tags))
			for _, rc := range c.Rule.Children {
				if rc.Scenario != nil {
					add(rc.Scenario)
				}
			}
		}
	}
	last(end + 1)
	return spans
}

func firstLine(l *messages.Location, tags []*messages.Tag) int {
	first := int(l.Line)
	for _, t := range tags {
		first = min(first, int(t.Location.Line))
	}
	return first
}

// take divides lines into those of this scenario and the others.
func (s span) take(lines []int) (mine, others []int) {
	for _, l := range lines {
		if s.first <= l && l <= s.last {
			mine = append(mine, l)
		} else {
			others = append(others, l)
		}
	}
	return mine, others
}

// narrow keeps the example rows and tables at the lines; a line that is neither keeps the whole
// scenario.
func (s span) narrow(lines [][]byte, at []int) {
	var rows []int // those that nobody asked for
	for _, e := range s.scenario.Examples {
		table := int(e.Location.Line)
		for _, r := range e.TableBody {
			if row := int(r.Location.Line); !slices.Contains(at, table) && !slices.Contains(at, row) {
				rows = append(rows, row)
			}
		}
	}
	for _, l := range at {
		if !s.inExamples(l) {
			return
		}
	}
	for _, row := range rows {
		blank(lines, row, row)
	}
}

// inExamples: the line is an example table's first, or one of its rows.
func (s span) inExamples(line int) bool {
	for _, e := range s.scenario.Examples {
		if int(e.Location.Line) == line {
			return true
		}
		for _, r := range e.TableBody {
			if int(r.Location.Line) == line {
				return true
			}
		}
	}
	return false
}

func blank(lines [][]byte, first, last int) {
	for i := first; i <= last && i <= len(lines); i++ {
		lines[i-1] = []byte("\n")
	}
}
