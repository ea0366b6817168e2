// Package mutants proves that the oracles can see: it builds wrong bridges and demands that each is
// caught by the promise that it breaks.
//
//	table ──edits──► overlay ──go build──► a wrong sim ──run features──► broken promises
//	                                                                        │
//	control (no edit) must be green, canary must be red ──────────────► kill matrix
//
// A mutant is a mistake that a person could make, as a few replacements of text in the source. It
// is applied by an overlay of the compiler, so the tree is never touched and no product code knows
// of it. Where a law of the journal would stop a mistake before anybody outside saw it, the mutant
// takes the law away as well: what is tested here is the harness, not the second line of defence.
//
// A mutant that nothing catches is a hole in the harness: an oracle is blind, or no scenario
// provokes the mistake. One that is caught only by something else than its promise is one too.
package mutants
