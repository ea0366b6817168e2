package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

func newShowCommand() *cobra.Command {
	s := &show{}
	cmd := &cobra.Command{
		Use:   "show HISTORY|-",
		Short: "Print a history as a sequence that a person can read",
		Long: `Print a history (compressed or not) from top to bottom: one column each for what the bridge
says, what it calls over CDP, what the site received and answered, what the agent did, and what
became durable. Faults, kills and other acts of the world are lines of their own, marked. Equal
calls in a row are one line with their number. At the end stands what the promises say.`,
		Example: "  sim show report/row-03-25.virtual.ndjson\n  sim show run.ndjson.gz --all --from 40",
		Args:    arguments("HISTORY|-"),
		RunE: func(cmd *cobra.Command, args []string) error {
			log, err := readHistory(cmd.Context(), cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			return s.print(log, cmd.OutOrStdout())
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&s.all, "all", false, "every event, nothing folded and nothing left out")
	fl.IntVar(&s.from, "from", 1, "the first event to print")
	fl.IntVar(&s.to, "to", 0, "the last event to print; 0 is the last one")
	fl.IntVar(&s.width, "width", 26, "columns of one lane, 12 to 200")
	return cmd
}

// show is how a history is printed.
type show struct {
	all             bool
	from, to, width int
}

// columns are the lanes that have one, in the order of the flow of a message.
var columns = []history.Lane{
	history.Bridge, history.CDP, history.Site, history.Agent, history.Store,
}

func (s *show) print(log *history.Log, out io.Writer) error {
	if s.width < 12 || s.width > 200 {
		return usage("use 12 to 200", "--width %d cannot be read", s.width)
	}
	p := report{w: out, paint: paintFor(out)}
	h := log.Header()
	p.line("%s on %s, seed %d, %d events%s", printable(orNone(h.Scenario)), printable(h.Engine),
		h.Seed, log.Len(), kept(log))
	if h.Schedule != "" {
		p.line("schedule: %s", printable(h.Schedule))
	}
	p.line("%s", s.heading())
	events := s.chosen(log.Events())
	for i := 0; i < len(events); {
		n := s.run(events[i:])
		p.line("%s", s.row(&events[i], n, p.paint))
		i += n
	}
	return judged(&p, log)
}

func (s *show) chosen(events []history.Event) (out []history.Event) {
	for _, e := range events {
		if e.Seq >= s.from && (s.to == 0 || e.Seq <= s.to) && (s.all || column(e.Lane) >= 0 || own(&e)) {
			out = append(out, e)
		}
	}
	return out
}

// own are the events that have a line across all columns.
func own(e *history.Event) bool {
	switch e.Lane {
	case history.Fault, history.World, history.Verdict:
		return true
	}
	return false
}

func column(l history.Lane) int {
	for i, c := range columns {
		if c == l {
			return i
		}
	}
	return -1
}

// run is how many events from the first on are one line.
func (s *show) run(events []history.Event) int {
	n := 1
	if s.all || events[0].Lane != history.CDP {
		return n
	}
	same := func(a, b *history.Event) bool {
		return a.Lane == b.Lane && a.Kind == b.Kind && a.Op == b.Op && a.Key == b.Key &&
			a.Round == b.Round && a.Text == b.Text
	}
	for n < len(events) && same(&events[0], &events[n]) {
		n++
	}
	return n
}

const timeWidth = 10

func (s *show) heading() string {
	var b strings.Builder
	b.WriteString(pad("seconds", timeWidth) + "  ")
	for _, c := range columns {
		b.WriteString(pad(c.String(), s.width))
	}
	return strings.TrimRight(b.String(), " ")
}

func (s *show) row(e *history.Event, n int, c paint) string {
	at := fmt.Sprintf("%*.2f  ", timeWidth, e.At.Seconds())
	text := said(e)
	if n > 1 {
		text += fmt.Sprintf(" ×%d", n)
	}
	k := column(e.Lane)
	if k < 0 {
		line := at + "── " + e.Lane.String() + ": " + text + " ──"
		if e.Lane == history.Fault {
			return c.bad(line)
		}
		return c.weak(line)
	}
	room := (len(columns)-k)*s.width - 1 // one event a line: what is right of it is free
	if s.all {
		room = max(room, 60)
	}
	return at + strings.Repeat(" ", k*s.width) + cut(text, room)
}

// said is an event in a few words.
func said(e *history.Event) string {
	var words []string
	add := func(s string) {
		if s != "" {
			words = append(words, s)
		}
	}
	if e.Lane != history.CDP || e.Kind != "call" {
		add(e.Kind)
	}
	add(short(e.Key))
	if e.Lane == history.CDP {
		add(string(e.Op))
	}
	if e.Round > 0 && e.Lane != history.World {
		add(fmt.Sprintf("r%d", e.Round))
	}
	add(short(e.Text))
	return printable(strings.Join(words, " "))
}

// ids are names that no person reads: their beginning tells them apart.
var ids = regexp.MustCompile(`\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

func short(key string) string { return ids.ReplaceAllString(key, "$1") }

// judged prints what the promises say of a history.
func judged(p *report, log *history.Log) error {
	c, err := oracle.NewCase(log.Header(), oracle.FromBodies(log.Events()))
	if err != nil {
		p.line("it cannot be judged: %s", printable(err.Error()))
		return p.err
	}
	j := judgement{log, oracle.Judge(c)}
	for _, f := range j.found {
		if f.Status == oracle.Fail {
			p.line("%s  %-21s %s", p.word(f.Status), f.Oracle.Name, printable(f.Message))
		}
	}
	p.line("%d promises kept, %d broken, %d unknown", j.count(oracle.Pass), j.count(oracle.Fail),
		j.count(oracle.Unknown))
	return p.err
}

// kept tells how much of the texts a history holds.
func kept(log *history.Log) string {
	texts, digests := 0, 0
	var last time.Duration
	for _, e := range log.Events() {
		last = max(last, e.At)
		switch {
		case e.Body != "":
			texts++
		case !e.Digest.IsZero():
			digests++
		}
	}
	word := ""
	if digests > 0 && texts == 0 {
		word = ", digests only"
	}
	return fmt.Sprintf(", %v%s", last, word)
}

// pad fills a text with blanks. A wide character counts for two columns.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-columnsOf(s))) }

func columnsOf(s string) (n int) {
	for _, r := range s {
		n += wide(r)
	}
	return n
}

func wide(r rune) int {
	if unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60 {
		return 2
	}
	return 1
}

// cut shortens a text to n columns.
func cut(s string, n int) string {
	if columnsOf(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		if used += wide(r); used > n-1 {
			return s[:i] + "…"
		}
	}
	return s
}
