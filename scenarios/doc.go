// Package scenarios is the vocabulary in which features are written, and the suite that runs them.
//
//	feature ──► steps ──► sim.Script (data) ──first Then──► sim.Run ──► sim.Result
//	                                                                       │
//	                                              later Thens look at it ──┘
//
// Before all that the features are read and checked: what makes no sense is an InputError with its
// place, and no verdict.
//
// Given steps only build a Script; nothing runs before the first Then. So one scenario is one run,
// and the same Script can be explored, replayed or run on another engine. Each vocabulary has a
// file of its own: pi, site, agent, limits, and what must be seen afterwards.
package scenarios
