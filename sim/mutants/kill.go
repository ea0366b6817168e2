package mutants

import (
	"fmt"
	"slices"
	"strings"

	"bridgesim/sim/oracle"
)

// Kill is one promise that a mutant broke.
type Kill struct {
	By       string `json:"by"`       // an oracle's name, Determinism, Then or Test
	Scenario string `json:"scenario"` // the first in which it did
	Times    int    `json:"times"`    // scenarios in which it did
}

// Judges are all that can catch a mutant, in the order of the columns.
func Judges() []string {
	var names []string
	for _, o := range oracle.All() {
		names = append(names, o.Name)
	}
	return append(names, Determinism, Then, Test)
}

// tally collects what was broken, in the order of Judges.
func tally(sum *summary) []Kill {
	found := map[string]*Kill{}
	for i := range sum.Outcomes {
		o := &sum.Outcomes[i]
		for _, by := range brokenIn(o) {
			if found[by] == nil {
				found[by] = &Kill{By: by, Scenario: fmt.Sprintf("%s:%d", o.URI, o.Line)}
			}
			found[by].Times++
		}
	}
	var kills []Kill
	for _, by := range Judges() {
		if k := found[by]; k != nil {
			kills = append(kills, *k)
		}
	}
	return kills
}

func brokenIn(o *outcome) []string {
	switch {
	case o.Status == "passed":
		return nil
	case strings.Contains(o.Error, "the same seed gave two histories"):
		return append(slices.Clone(o.Broken), Determinism)
	case len(o.Broken) == 0:
		return []string{Then}
	}
	return o.Broken
}
