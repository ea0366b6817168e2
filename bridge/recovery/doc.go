// Package recovery decides what a failure means: the specification's table of fifteen rows, as
// data.
//
//	failure ──classify──► evidence ──Decide──► verdict ──► act ──► evidence again …
//	                      (facts:              row, what also matched,
//	                       yes, no, unknown)   what is forbidden, why
//
// Everything here is pure. The bridge gathers the evidence and carries out the act; after every act
// it gathers and decides again, because an act is a way to learn more. Three rules stand over the
// table:
//
//   - A fact that is not known is neither yes nor no. While a fact that an act depends on is
//     unknown, the act is cut down to looking: attach, read, ask the agent. Knowing less never
//     permits more.
//   - The order of the rows is that of readings 12: bugs, boundaries, blockers and spent budgets
//     before any recovery; what would pick a branch or replay a plan before what would go on.
//   - The verdict names every row that matched, and its act breaks none of their forbidden cells.
package recovery
