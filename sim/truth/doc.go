// Package truth says what a failure really was: the row of the decision table that the world
// expects, and whether the bridge's evidence contradicts the world.
//
//	site, agent, browser, journal file, clock, faults ──► Facts ──Expected──► row, why
//	                                                        │
//	the bridge's recovery.Evidence ─────────────Compatible──┴──► nil, or what is false
//
// The bridge decides by what it could find out; the world knows. So Facts has no "unknown", and
// nothing of it comes from the bridge: not its memory of what it sent, not its reading of a page.
// The table here is written a second time, from the specification and not from the bridge's own,
// and never asks recovery.Decide: a bug there must not be believed here.
//
// Facts belong to one moment: the one at which the bridge's verdict was noted. What a person or a
// fault changes later is the next verdict's matter.
package truth
