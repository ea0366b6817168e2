package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bridgesim/sim/explore"
	"bridgesim/sim/mutants"
	simreport "bridgesim/sim/report"
)

// maxGrid bounds the JSON of an exploration or of mutants.
const maxGrid = 256 << 20

// readGrid reads what a command printed as JSON.
func readGrid(path, command string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = json.NewDecoder(io.LimitReader(f, maxGrid)).Decode(into)
	if err != nil {
		return usage(`use what "`+command+`" printed`, "%s: %w", path, err)
	}
	return nil
}

// grids are the maps that a page is asked for.
func grids(explored, mutated string) (out []simreport.Grid, err error) {
	for _, g := range []struct {
		path string
		read func(string) (simreport.Grid, error)
	}{{explored, heatMap}, {mutated, killMatrix}} {
		if g.path == "" {
			continue
		}
		grid, err := g.read(g.path)
		if err != nil {
			return nil, err
		}
		out = append(out, grid)
	}
	return out, nil
}

// heatMap is the map of an exploration: places of a run by kinds of faults.
func heatMap(path string) (simreport.Grid, error) {
	var r explore.Result
	if err := readGrid(path, "sim explore --format json", &r); err != nil {
		return simreport.Grid{}, err
	}
	if r.Tally == nil || len(r.Places) == 0 {
		return simreport.Grid{}, usage(`use what "sim explore --format json" printed`,
			"%s has no map of places", path)
	}
	g := simreport.Grid{
		Title: fmt.Sprintf("Exploration: %d runs, %d broke a promise", r.Runs, r.Violations),
		Note: "Where faults struck, by operation and phase, and by kind. A number is how often one " +
			"took effect there; red squares broke a promise, in as many runs as stand behind the stroke.",
	}
	most := 0
	for _, kinds := range r.Places {
		for kind, c := range kinds {
			most = max(most, c.Struck)
			if !slices.Contains(g.Columns, kind) {
				g.Columns = append(g.Columns, kind)
			}
		}
	}
	slices.Sort(g.Columns)
	for _, place := range sortedKeys(r.Places) {
		row := simreport.GridRow{Name: place}
		for _, kind := range g.Columns {
			row.Squares = append(row.Squares, heatOf(place, kind, r.Places[place][kind], most))
		}
		g.Rows = append(g.Rows, row)
	}
	return g, nil
}

func heatOf(place, kind string, c *explore.Cell, most int) (s simreport.Square) {
	if c == nil || c.Runs == 0 {
		return s
	}
	s.Text, s.Heat = fmt.Sprint(c.Struck), simreport.HeatOf(c.Struck, most)
	s.Says = fmt.Sprintf("%s at %s: %d runs, struck in %d, %d broke a promise", kind, place, c.Runs,
		c.Struck, c.Broken)
	if c.Broken > 0 {
		s.Bad = true
		s.Text += "/" + fmt.Sprint(c.Broken)
	}
	return s
}

// killMatrix is what caught which mutant.
func killMatrix(path string) (simreport.Grid, error) {
	var rep mutants.Report
	if err := readGrid(path, "sim mutants --format json", &rep); err != nil {
		return simreport.Grid{}, err
	}
	if len(rep.Results) == 0 {
		return simreport.Grid{}, usage(`use what "sim mutants --format json" printed`,
			"%s has no mutants", path)
	}
	g := simreport.Grid{
		Title: fmt.Sprintf("Mutants: %d, and what caught each", len(rep.Results)),
		Note: "A number is in how many scenarios a promise saw the wrong bridge; the promise that must " +
			"is marked with a star. Red is a bridge that was not caught as it must be.",
	}
	for _, r := range rep.Results {
		for _, k := range r.Kills {
			if !slices.Contains(g.Columns, k.By) {
				g.Columns = append(g.Columns, k.By)
			}
		}
	}
	slices.Sort(g.Columns)
	for i := range rep.Results {
		g.Rows = append(g.Rows, killed(&rep.Results[i], g.Columns))
	}
	return g, nil
}

func killed(r *mutants.Result, columns []string) simreport.GridRow {
	row := simreport.GridRow{Name: r.Name, Note: strings.TrimSpace(string(r.Verdict) + " " + r.Error)}
	bad := r.Verdict != mutants.Killed && r.Verdict != mutants.Green
	for _, by := range columns {
		s := simreport.Square{Bad: bad}
		for _, k := range r.Kills {
			if k.By == by {
				s.Text, s.Heat = fmt.Sprint(k.Times), simreport.HeatOf(k.Times, 500)
				s.Says = fmt.Sprintf("%s caught %s in %d scenarios, first in %s", by, r.Name, k.Times,
					k.Scenario)
			}
		}
		if by == r.Promise {
			s.Text += "*"
		}
		row.Squares = append(row.Squares, s)
	}
	return row
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
