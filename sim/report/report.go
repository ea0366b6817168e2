package report

import (
	"math"
	"strings"
	"time"

	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// Status is how a run came out.
type Status string

// The statuses. What is none of them is shown as it is and counts as Unknown.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Unknown Status = "unknown" // nothing broke, but something could not be judged
	Aborted Status = "aborted" // it was interrupted before there was a verdict
)

// Run is one run as a person will ask for it.
type Run struct {
	Name    string
	Feature string // what the scenario belongs to; "" = nothing
	Place   string // file:line of the scenario, or the file of the history
	Engine  string
	Status  Status
	Error   string // why it did not pass, in the runner's words
	Step    string // the sentence of the scenario that did not hold; "" = none, or nobody knows
	Seed    uint64
	Tags    []string
	Missed  []string // faults that never struck
	Repeat  string   // the line that repeats the run
	History string   // where its history is kept
	Took    time.Duration

	// Log is the history; nil when the run left none.
	Log *history.Log
	// Findings are what the promises say of the history.
	Findings []oracle.Finding
	// Unjudged says why there are no findings; "" when there are.
	Unjudged string
}

// Report is what Write renders.
type Report struct {
	Title string
	Runs  []Run
	Notes []string // what a reader must know first, for example that the suite was interrupted
	Grids []Grid   // maps beside the runs: of an exploration, of mutants
}

// Grid is a map: names to the left, names above, and in each square what happened there.
type Grid struct {
	Title   string
	Note    string // how to read it
	Columns []string
	Rows    []GridRow
}

// GridRow is one line of a grid, with a square for each column.
type GridRow struct {
	Name, Note string
	Squares    []Square
}

// Square is one square of a grid.
type Square struct {
	Text string // what stands in it; "" = nothing happened there
	Says string // the same in words
	Heat int    // 0 to 4: how much; see HeatOf
	Bad  bool   // something broke there
}

// HeatOf is the heat of n where the most is of, on a scale that tells small numbers apart:
// 0 for nothing, 1 to 4 for each quarter of the number of digits.
func HeatOf(n, of int) int {
	if n <= 0 || of <= 0 {
		return 0
	}
	return min(4, 1+int(4*math.Log(float64(n))/math.Log(float64(of)+1)))
}

// Judged is r with its log judged: the findings, and Unjudged when there can be none.
func (r Run) Judged() Run {
	if r.Log == nil {
		r.Unjudged = "the run left no history"
		return r
	}
	c, err := oracle.NewCase(r.Log.Header(), oracle.FromBodies(r.Log.Events()))
	if err != nil {
		r.Unjudged = "it cannot be judged: " + err.Error()
		return r
	}
	r.Findings = oracle.Judge(c)
	return r
}

// OfHistory is the run that a history alone tells of: its status is what the promises say.
func OfHistory(file string, log *history.Log) Run {
	h := log.Header()
	r := Run{
		Name: h.Scenario, Place: file, Engine: h.Engine, Seed: h.Seed, History: file, Log: log,
	}.Judged()
	if r.Name == "" {
		r.Name = "a run without a name"
	}
	r.Status = map[oracle.Status]Status{
		oracle.Pass: Passed, oracle.Fail: Failed, oracle.Unknown: Unknown,
	}[oracle.Overall(r.Findings)]
	r.Error = strings.Join(r.words(), "\n")
	return r
}

// words are what the findings say of a run that has not passed.
func (r *Run) words() (out []string) {
	for _, f := range r.Findings {
		if f.Status == oracle.Fail {
			out = append(out, f.Oracle.Name+": "+f.Message)
		}
	}
	if r.Unjudged != "" {
		out = append(out, r.Unjudged)
	}
	return out
}
