// Package explore plays one session once for every fault at every place, and counts.
//
//	feature ──compile──► Session ──base run──► Points ──× kinds──► Units ──► workers
//	                                                                │          │ one run each
//	           Result ◄──in the order of the plan── Tally ◄─────────┘◄─────────┘
//	             │
//	             └──first of each class──► smallest schedule ──► a .feature that fails alone
//
// A session's feature is compiled to a script once; Gherkin is not seen again. The run without
// the explored fault (with the session's own faults) tells the places, and the table of faults
// tells which kinds can strike at each in each phase: the number of runs is that sum, no more
// and no less.
//
// Runs are independent of each other, so workers may play them in any order. What they find is
// taken in the order of the plan. A result therefore depends on the features, the seed and the
// flags alone: not on the number of workers, and not on how the plan was cut into shards.
//
// Everything here is counted as it comes and forgotten. Of violations the count stays, and the
// first example of each class, with the smallest schedule that still breaks the same promise.
package explore
