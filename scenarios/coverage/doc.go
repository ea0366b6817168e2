// Package coverage tells what the features cover, and what they leave open.
//
//	rows, edges, codes, conditions ──┐
//	fault kinds, states of a loss ───┤ what there is            a hole is an item
//	field bugs ──────────────────────┘      │                   that no passing
//	                                     Report ──► tables ──►  scenario covers
//	features: tags, schedules ───────┐      │
//	outcomes of the engines ─────────┴ what covers it
//
// What there is comes from the code that defines it: a row that is added to the table is a hole
// until a scenario carries its tag. A scenario covers by its tags (@row-03, @edge-plan-to-repair,
// @err-E_PARSE, @gate-sid, @field-B01), by the faults of its schedule, and by the state in which it
// demands that the line was lost. It counts when it passed, and not when it is kept to the model by
// @virtual-only: what only the model shows is not shown.
package coverage
