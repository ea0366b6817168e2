package coverage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
	"bridgesim/scenarios"
)

// Item is one thing that scenarios have to cover.
type Item struct {
	ID   string `json:"id"`
	What string `json:"what"`
	// Excuse says why no scenario of a bridge covers it; "" = one must.
	Excuse string `json:"excuse,omitempty"`
	// By are the scenarios, as file:line, that cover it: per engine those that passed there; under
	// Planned those that name it, run or not.
	By map[string][]string `json:"by,omitempty"`
}

// Planned is the key of Item.By for what features claim.
const Planned = "planned"

// Table is one kind of thing.
type Table struct {
	Name  string `json:"name"`
	Items []Item `json:"items"`
}

// Duties counts the cells of the fault table: kind, phase, round 0 or later.
type Duties struct {
	Complete int `json:"complete"`
	Stop     int `json:"stop"`
	Either   int `json:"either"`
}

// Coverage is what Report finds.
type Coverage struct {
	Engines []string `json:"engines"` // that ran, in the order of the outcomes
	Tables  []Table  `json:"tables"`
	Duties  Duties   `json:"duties"`
	Holes   []string `json:"holes"`
	// Strangers are tags that name nothing: a row, edge, code, condition or bug that does not exist.
	Strangers []string `json:"strangers,omitempty"`
}

// Report holds features and outcomes against everything that there is to cover. Without outcomes
// the features' word is taken for it.
func Report(features []scenarios.Planned, outcomes []scenarios.Outcome) Coverage {
	c := Coverage{Tables: tables(), Duties: duties()}
	passed := map[string]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		if !slices.Contains(c.Engines, o.Engine) {
			c.Engines = append(c.Engines, o.Engine)
		}
		if o.Status == scenarios.Passed {
			passed[o.Engine+" "+place(o.URI, o.Line)] = true
		}
	}
	for i := range features {
		c.add(&features[i], passed)
	}
	c.judge()
	return c
}

func place(uri string, line int) string { return fmt.Sprintf("%s:%d", uri, line) }

// add lets one scenario cover what it names.
func (c *Coverage) add(f *scenarios.Planned, passed map[string]bool) {
	at := place(f.URI, f.Line)
	for _, id := range named(f) {
		item := c.find(id)
		if item == nil {
			if !slices.Contains(c.Strangers, id) {
				c.Strangers = append(c.Strangers, id)
			}
			continue
		}
		if slices.Contains(f.Tags, "@virtual-only") {
			continue
		}
		item.cover(Planned, at)
		for _, e := range c.Engines {
			if passed[e+" "+at] {
				item.cover(e, at)
			}
		}
	}
}

func (i *Item) cover(engine, at string) {
	if i.By == nil {
		i.By = map[string][]string{}
	}
	if !slices.Contains(i.By[engine], at) {
		i.By[engine] = append(i.By[engine], at)
	}
}

func (c *Coverage) find(id string) *Item {
	for t := range c.Tables {
		for i := range c.Tables[t].Items {
			if c.Tables[t].Items[i].ID == id {
				return &c.Tables[t].Items[i]
			}
		}
	}
	return nil
}

// lostIn is the sentence that demands a loss in one state.
var lostIn = regexp.MustCompile(
	`^the session took the edge "any-to-disconnected" from "([a-z-]+)"$`)

// named are the ids that a scenario names by its tags, its schedule and its sentences.
func named(f *scenarios.Planned) []string {
	var ids []string
	for _, t := range f.Tags {
		for _, prefix := range []string{"@row-", "@edge-", "@err-", "@gate-", "@field-"} {
			if strings.HasPrefix(t, prefix) {
				ids = append(ids, t)
			}
		}
	}
	ids = append(ids, f.Faults...)
	for _, s := range f.Steps {
		if m := lostIn.FindStringSubmatch(s); m != nil {
			ids = append(ids, "lost in "+m[1])
		}
	}
	return ids
}

// judge finds the holes: on an engine that ran, else in what features claim.
func (c *Coverage) judge() {
	on := c.Engines
	if len(on) == 0 {
		on = []string{Planned}
	}
	for t := range c.Tables {
		for i := range c.Tables[t].Items {
			c.hole(c.Tables[t].Name, &c.Tables[t].Items[i], on)
		}
	}
}

func (c *Coverage) hole(table string, item *Item, engines []string) {
	for _, e := range engines {
		switch {
		case item.Excuse != "" && len(item.By[e]) > 0:
			c.Holes = append(c.Holes, fmt.Sprintf("%s: %s has a scenario and an excuse", table, item.ID))
		case item.Excuse == "" && len(item.By[e]) == 0 && !impossible(item.ID, e):
			c.Holes = append(c.Holes, fmt.Sprintf("%s: no scenario covers %s (%s): %s",
				table, item.ID, e, item.What))
		}
	}
}

// impossible: the fault cannot strike on that engine at all, by the table.
func impossible(id, engine string) bool {
	info, ok := faults.Of(faults.Kind(id))
	if !ok || engine == Planned {
		return false
	}
	for _, op := range faults.Ops() {
		for _, ph := range phases {
			if info.Available(engine, op, ph) {
				return false
			}
		}
	}
	return true
}

var phases = []point.Phase{point.Before, point.After, point.Late}

// tables is everything that there is to cover.
func tables() []Table {
	return []Table{
		{"rows of the decision table", rows()},
		{"edges of the state machine", edges()},
		{"states in which the line can be lost", losses()},
		{"error codes", codes()},
		{"conditions of the establish gate", conditions()},
		{"fault kinds", kinds()},
		{"field bugs", bugs()},
	}
}

func rows() (out []Item) {
	for _, r := range recovery.Rows() {
		out = append(out, Item{ID: fmt.Sprintf("@row-%02d", r.Number), What: r.Failure})
	}
	return out
}

func edges() (out []Item) {
	for _, e := range session.Edges() {
		out = append(out, Item{ID: "@edge-" + e.Name, What: "on " + join(e.On)})
	}
	return out
}

func join(kinds []session.RecordKind) string {
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		parts[i] = string(k)
	}
	return strings.Join(parts, " or ")
}

// losses are the states that a loss of the line can strike: those in which something of ours is
// under way. In `uncertain` and `version-lost` pi writes the next record at once.
func losses() (out []Item) {
	for _, p := range []session.Phase{
		session.PhaseNew, session.PhaseHelloSent, session.PhaseEstablished, session.PhaseRound,
		session.PhasePlan, session.PhaseInvalid, session.PhaseRepair, session.PhaseExecuting,
		session.PhaseSettled, session.PhaseResume, session.PhaseResync,
	} {
		out = append(out, Item{ID: "lost in " + string(p), What: "any-to-disconnected from " + string(p)})
	}
	return out
}

func codes() (out []Item) {
	for _, c := range wire.Codes() {
		out = append(out, Item{ID: "@err-" + string(c), What: c.Meaning()})
	}
	return out
}

func conditions() (out []Item) {
	for _, c := range wire.Conditions() {
		out = append(out, Item{ID: "@gate-" + string(c), What: "the gate fails for it alone"})
	}
	return out
}

func kinds() (out []Item) {
	for _, i := range faults.Table() {
		out = append(out, Item{ID: string(i.Kind), What: string(i.Family) + ": " + i.Sentence})
	}
	return out
}

func bugs() (out []Item) {
	for _, b := range Bugs() {
		out = append(out, Item{ID: "@field-" + b.ID, What: b.What, Excuse: b.Excuse})
	}
	return out
}

// duties counts what a correct bridge must do, over all kinds, phases and both sorts of round.
func duties() (d Duties) {
	for _, info := range faults.Table() {
		for _, ph := range phases {
			for _, round := range []int{0, 1} {
				switch duty, _ := info.Duty(ph, round); duty {
				case faults.Complete:
					d.Complete++
				case faults.Stop:
					d.Stop++
				case faults.Either:
					d.Either++
				}
			}
		}
	}
	return d
}
