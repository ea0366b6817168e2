package report

import (
	"fmt"
	"slices"

	"bridgesim/bridge/recovery"
	"bridgesim/sim/history"
)

// entry is a run in the list: what is searched and filtered, without its events.
type entry struct {
	N       int      `json:"n"`
	Name    string   `json:"name"`
	Feature string   `json:"feature"`
	Place   string   `json:"place"`
	Engine  string   `json:"engine"`
	Status  Status   `json:"status"`
	Error   string   `json:"error"`
	Step    string   `json:"step"`
	Seed    string   `json:"seed"` // a number of JSON would lose digits
	Tags    []string `json:"tags"`
	Rows    []int    `json:"rows"` // taken
	Faults  []string `json:"faults"`
	Broken  []string `json:"broken"`
	Events  int      `json:"events"`
	World   int64    `json:"world"` // nanoseconds from the first event to the last
}

// body is what is shown of one run when it is opened.
type body struct {
	Schedule  string     `json:"schedule"`
	Sum       string     `json:"sum"`
	Repeat    string     `json:"repeat"`
	History   string     `json:"history"`
	Host      string     `json:"host"`
	Unjudged  string     `json:"unjudged"`
	Missed    []string   `json:"missed"`
	Spans     []span     `json:"spans"`
	Decisions []decision `json:"decisions"`
	Turns     []turn     `json:"turns"`
	Promises  []promise  `json:"promises"`
	Lanes     []string   `json:"lanes"`  // names by number
	Texts     []string   `json:"texts"`  // each text of the events once; the first is ""
	Events    []int64    `json:"events"` // width numbers for each event; see packed
}

// promise is what one oracle says.
type promise struct {
	Name    string `json:"name"`
	Promise string `json:"promise"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Seqs    []int  `json:"seqs"`
}

// width is how many numbers one event has: time in nanoseconds, lane, round, and then kind,
// operation, key, text, body and digest as places in the list of texts.
const width = 9

// texts gives every text one number.
type texts struct {
	list  []string
	known map[string]int64
}

func newTexts() *texts { return &texts{[]string{""}, map[string]int64{"": 0}} }

func (t *texts) of(s string) int64 {
	n, ok := t.known[s]
	if !ok {
		n = int64(len(t.list))
		t.known[s] = n
		t.list = append(t.list, s)
	}
	return n
}

// packed is the events as numbers.
func (t *texts) packed(events []history.Event) []int64 {
	out := make([]int64, 0, width*len(events))
	for i := range events {
		e := &events[i]
		digest := ""
		if !e.Digest.IsZero() {
			digest = e.Digest.String()
		}
		out = append(out, int64(e.At), int64(e.Lane), int64(e.Round), t.of(e.Kind),
			t.of(string(e.Op)), t.of(e.Key), t.of(e.Text), t.of(e.Body), t.of(digest))
	}
	return out
}

// eventsOf are the events of a run; none without a history.
func (r *Run) eventsOf() []history.Event {
	if r.Log == nil {
		return nil
	}
	return r.Log.Events()
}

func entryOf(n int, r *Run) entry {
	events := r.eventsOf()
	e := entry{
		N: n, Name: r.Name, Feature: r.Feature, Place: r.Place, Engine: r.Engine, Status: r.Status,
		Error: r.Error, Step: r.Step,
		Seed: fmt.Sprint(r.Seed), Tags: list(r.Tags), Events: len(events),
		Rows: rowsTaken(decisions(events)), Faults: []string{}, Broken: []string{},
	}
	if len(events) > 0 {
		e.World = int64(events[len(events)-1].At)
	}
	for _, s := range spans(events) {
		e.Faults = append(e.Faults, s.Fault)
	}
	for _, p := range r.promises() {
		if p.Status == "fail" {
			e.Broken = append(e.Broken, p.Name)
		}
	}
	return e
}

func bodyOf(r *Run) body {
	events := r.eventsOf()
	b := body{
		Repeat: r.Repeat, History: r.History, Unjudged: r.Unjudged, Missed: list(r.Missed),
		Spans: spans(events), Decisions: decisions(events), Turns: turns(events),
		Promises: r.promises(), Lanes: lanes(),
	}
	if r.Log != nil {
		h := r.Log.Header()
		b.Schedule, b.Sum = h.Schedule, r.Log.Sum()
		b.Host = host(h.Host)
	}
	t := newTexts()
	b.Events = t.packed(events)
	b.Texts = t.list
	return b
}

func host(h history.Host) (s string) {
	for _, part := range []string{h.Go, h.Arch, h.Browser, h.Started} {
		if part != "" && s != "" {
			s += ", "
		}
		s += part
	}
	return s
}

func (r *Run) promises() []promise {
	out := make([]promise, 0, len(r.Findings))
	for _, f := range r.Findings {
		out = append(out, promise{
			Name: f.Oracle.Name, Promise: f.Oracle.Promise.Error(), Status: f.Status.String(),
			Message: f.Message, Seqs: append([]int{}, f.Seqs...),
		})
	}
	return out
}

// lanes are the names of the lanes, by number.
func lanes() []string {
	out := []string{""}
	for l := history.Bridge; ; l++ {
		if _, err := l.MarshalText(); err != nil {
			return out
		}
		out = append(out, l.String())
	}
}

// list is never null in JSON.
func list(s []string) []string { return append([]string{}, s...) }

// cell is one row of the decision table on one engine: how the runs that took it came out.
type cell struct {
	Row, Passed, Failed, Unknown int
	Engine                       string
}

// Any tells whether a run took the row there.
func (c cell) Any() bool { return c.Passed+c.Failed+c.Unknown > 0 }

// line is one row of the matrix.
type line struct {
	Number  int
	Failure string
	Cells   []cell
}

// count counts a run of a status.
func (c *cell) count(s Status) {
	switch s {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	default:
		c.Unknown++
	}
}

// matrix counts, for every row of the decision table and every engine, the runs whose bridge took
// that row.
func matrix(entries []entry, engines []string) (out []line) {
	for _, row := range recovery.Rows() {
		l := line{Number: row.Number, Failure: row.Failure}
		for _, engine := range engines {
			c := cell{Row: row.Number, Engine: engine}
			for i := range entries {
				if entries[i].Engine == engine && slices.Contains(entries[i].Rows, row.Number) {
					c.count(entries[i].Status)
				}
			}
			l.Cells = append(l.Cells, c)
		}
		out = append(out, l)
	}
	return out
}

func enginesOf(entries []entry) (out []string) {
	for i := range entries {
		if !slices.Contains(out, entries[i].Engine) {
			out = append(out, entries[i].Engine)
		}
	}
	return out
}

// action is what a row of the table says, for the page.
type action struct {
	Failure string `json:"failure"`
	Action  string `json:"action"`
	Forbids string `json:"forbids"`
}

func actions() map[int]action {
	out := map[int]action{}
	for _, r := range recovery.Rows() {
		out[r.Number] = action{r.Failure, r.Action, r.Forbids}
	}
	return out
}
