package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"bridgesim/bridge/point"
	"bridgesim/sim/history"
)

func newDiffCommand() *cobra.Command {
	d := &diff{}
	cmd := &cobra.Command{
		Use:   "diff HISTORY HISTORY",
		Short: "Compare two histories: the first event that differs, then a summary",
		Long: `Compare two histories event by event. The first one that differs is printed with what
stands before it, then how the two differ as a whole. "-" is standard input, once.

Exit codes: 0 they are equal, 1 they differ.`,
		Example: "  sim diff a.ndjson b.ndjson\n" +
			"  sim diff virtual.ndjson chromium.ndjson --no-times --lane site",
		Args: arguments("HISTORY", "HISTORY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "-" && args[1] == "-" {
				return usage("name one of them", "standard input cannot be read twice")
			}
			var logs [2]*history.Log
			for i, name := range args {
				log, err := readHistory(cmd.Context(), cmd.InOrStdin(), name)
				if err != nil {
					return err
				}
				logs[i] = log
			}
			d.names = [2]string{args[0], args[1]}
			return d.print(logs[0], logs[1], cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&d.noTimes, "no-times", false, "compare without times")
	cmd.Flags().StringSliceVar(&d.lanes, "lane", nil, "compare these lanes only")
	return cmd
}

// diff is how two histories are compared.
type diff struct {
	noTimes bool
	lanes   []string
	names   [2]string
}

// beforeDiff is how many equal events before the first difference are shown.
const beforeDiff = 3

func (d *diff) print(a, b *history.Log, out io.Writer) error {
	if err := d.check(); err != nil {
		return err
	}
	p := report{w: out, paint: paintFor(out)}
	same := d.headers(&p, a.Header(), b.Header())
	ea, eb := d.chosen(a), d.chosen(b)
	at := d.first(ea, eb)
	switch {
	case at < 0 && same:
		p.line("equal: %d events", len(ea))
		return p.err
	case at < 0:
		p.line("the events are equal: %d", len(ea))
	default:
		d.show(&p, ea, eb, at)
	}
	d.summary(&p, ea, eb)
	if p.err != nil {
		return p.err
	}
	return failed()
}

func (d *diff) check() error {
	for _, name := range d.lanes {
		var l history.Lane
		if err := l.UnmarshalText([]byte(name)); err != nil {
			return usage(`"--lane site,agent" compares two`, "%w", err)
		}
	}
	return nil
}

// headers prints how the headers differ.
func (d *diff) headers(p *report, a, b history.Header) (same bool) {
	same = true
	for _, f := range []struct{ name, a, b string }{
		{"seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed)},
		{"engine", a.Engine, b.Engine},
		{"scenario", a.Scenario, b.Scenario},
		{"schedule", a.Schedule, b.Schedule},
	} {
		if f.a != f.b {
			same = false
			p.line("%s: %q and %q", f.name, f.a, f.b)
		}
	}
	return same
}

func (d *diff) chosen(l *history.Log) []history.Event {
	if len(d.lanes) == 0 {
		return l.Events()
	}
	var out []history.Event
	for _, e := range l.Events() {
		if slices.Contains(d.lanes, e.Lane.String()) {
			out = append(out, e)
		}
	}
	return out
}

// first is the index of the first difference, -1 when there is none.
func (d *diff) first(a, b []history.Event) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || d.key(a[i]) != d.key(b[i]) {
			return i
		}
	}
	return -1
}

// key is what of an event is compared. A text counts by its digest, kept or not.
func (d *diff) key(e history.Event) history.Event {
	e.Body = ""
	if len(d.lanes) > 0 {
		e.Seq = 0
	}
	if d.noTimes {
		e.At = 0
	}
	return e
}

func (d *diff) show(p *report, a, b []history.Event, at int) {
	p.line("the first difference is event %d", at+1)
	for i := max(0, at-beforeDiff); i < at; i++ {
		p.line("    %s", printable(a[i].String()))
	}
	ba, bb := d.side(p, "A", a, at), d.side(p, "B", b, at)
	if at >= len(a) || at >= len(b) {
		return
	}
	p.line("  they differ in: %s", strings.Join(fields(d.key(a[at]), d.key(b[at])), ", "))
	if n := common(ba, bb); ba != "" && bb != "" && ba != bb {
		p.line("    body of A from byte %d: %q", n, excerptAt(ba, n))
		p.line("    body of B from byte %d: %q", n, excerptAt(bb, n))
	}
}

// side prints one of the two events, and gives its text.
func (d *diff) side(p *report, name string, events []history.Event, at int) (body string) {
	if at >= len(events) {
		p.line("  %s has ended", name)
		return ""
	}
	p.line("  %s %s", name, printable(events[at].String()))
	return events[at].Body
}

// common is how many bytes two texts begin with alike, at the beginning of a character.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// excerptAt is the text around a place.
func excerptAt(s string, n int) string {
	from := max(0, n-20)
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from--
	}
	return cut(s[from:], 80)
}

// fields names what differs between two events.
func fields(a, b history.Event) (names []string) {
	for _, f := range []struct {
		name string
		same bool
	}{
		{"time", a.At == b.At},
		{"lane", a.Lane == b.Lane},
		{"kind", a.Kind == b.Kind},
		{"operation", a.Op == b.Op},
		{"round", a.Round == b.Round},
		{"key", a.Key == b.Key},
		{"text", a.Text == b.Text},
		{"body", a.Digest == b.Digest},
		{"seq", a.Seq == b.Seq},
	} {
		if !f.same {
			names = append(names, f.name)
		}
	}
	return names
}

// summary prints how the two differ as a whole.
func (d *diff) summary(p *report, a, b []history.Event) {
	sa, sb := summed(a), summed(b)
	p.line("%-28s %12s %12s", "in all", "A", "B")
	for _, name := range sa.names(sb) {
		if na, nb := sa.count[name], sb.count[name]; na != nb {
			p.line("  %-26s %12d %12d", name, na, nb)
		}
	}
	for _, f := range []struct{ name, a, b string }{
		{"last event at", sa.last, sb.last},
		{"rows", sa.rows, sb.rows},
		{"end", sa.end, sb.end},
	} {
		word := ""
		if f.a != f.b {
			word = "  differs"
		}
		p.line("  %-26s %12s %12s%s", f.name, printable(f.a), printable(f.b), word)
	}
}

// sums are a history in a few numbers.
type sums struct {
	count           map[string]int
	last, rows, end string
}

func summed(events []history.Event) sums {
	s := sums{count: map[string]int{}, rows: "-", end: "-", last: "-"}
	var rows []string
	for i := range events {
		e := &events[i]
		s.count[e.Lane.String()+" "+e.Kind]++
		s.last = e.At.String()
		switch {
		case e.Lane == history.Bridge && e.Kind == string(point.NoteVerdict):
			rows = append(rows, e.Key)
		case e.Lane == history.World && e.Kind == "end":
			s.end = e.Key
		}
	}
	if rows != nil {
		s.rows = strings.Join(rows, ",")
	}
	return s
}

// names are the kinds of both, in order.
func (s sums) names(t sums) (all []string) {
	for name := range s.count {
		all = append(all, name)
	}
	for name := range t.count {
		if _, both := s.count[name]; !both {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
