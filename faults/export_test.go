package faults

import (
	"bridgesim/bridge/point"
)

// What the tests look at from outside.
var (
	Phases     = phases
	ParamNames = paramNames
)

// Default is a kind's default of a parameter, as text.
func (i *Info) Default(name string) string { return i.defaults.get(name) }

// TextOf is a parameter's default as the table prints it, read and printed again.
func TextOf(name, text string) (string, error) {
	var p Params
	if text == "" {
		return "", nil
	}
	err := p.set(name, text)
	return p.get(name), err
}

// Quiet tells whether a session without a loss meets an operation in a round.
func Quiet(op point.Op, round int) bool { return placeOf(op).quiet(round) }

// Each visits every kind at every place of round 0 and of a later one.
func Each(f func(i *Info, a point.Address)) {
	for k := range table {
		for p := range places {
			for _, ph := range phases {
				for _, r := range []int{0, 1} {
					if !table[k].where(&places[p], ph) || places[p].class == working && r == 0 {
						continue
					}
					for step := 1; step <= places[p].steps(); step++ {
						f(
							&table[k],
							point.Address{Op: places[p].op, Round: r, Step: step, Phase: ph},
						)
					}
				}
			}
		}
	}
}
