// Package speed measures what a run on the virtual engine costs, for the gates of CI, the
// benchmarks and "sim bench".
//
// A machine that others use as well is two or three times slower than an idle one, so no gate is
// a time. They are counts (allocations, bytes) and one ratio: complete runs against an empty engine
// in the same process, turn by turn, the median of the turns. The empty engine makes as many events
// as the run has in its history, and does with each what cannot be left out: the event heap, one
// draw, one event of the history and its hash. Time is the process's own on all processors.
//
//	empty │ session │ empty │ session │ …   median(session) / median(empty)
package speed
