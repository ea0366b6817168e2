package scenarios

import (
	"bytes"

	messages "github.com/cucumber/messages/go/v34"
)

// narrow blanks everything in a feature but what stands at one line: a scenario, one of its example
// tables, or a single example row. Blank lines keep every other line where it was, so what runs says
// its true place. godog itself selects whole outlines only.
func narrow(src []byte, doc *messages.GherkinDocument, line int) []byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if doc.Feature == nil {
		return src
	}
	for _, s := range scenariosOf(doc.Feature, len(lines)) {
		if line < s.first || line > s.last {
			blank(lines, s.first, s.last)
			continue
		}
		s.narrow(lines, line)
	}
	return bytes.Join(lines, nil)
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

// narrow keeps one example row or one example table, if the line is in it; else the whole scenario.
func (s span) narrow(lines [][]byte, line int) {
	for _, e := range s.scenario.Examples {
		if int(e.Location.Line) == line {
			s.keep(lines, func(table, _ int) bool { return table == line })
			return
		}
		for _, row := range e.TableBody {
			if int(row.Location.Line) == line {
				s.keep(lines, func(_, row int) bool { return row == line })
				return
			}
		}
	}
}

// keep blanks the example rows for which want is false; it gets the line of the table and of the row.
func (s span) keep(lines [][]byte, want func(table, row int) bool) {
	for _, e := range s.scenario.Examples {
		for _, row := range e.TableBody {
			at := int(row.Location.Line)
			if !want(int(e.Location.Line), at) {
				blank(lines, at, at)
			}
		}
	}
}

func blank(lines [][]byte, first, last int) {
	for i := first; i <= last && i <= len(lines); i++ {
		lines[i-1] = []byte("\n")
	}
}
