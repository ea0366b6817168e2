// Package agent is the scripted agent of the harness: it takes time, leaves append-only effects,
// keeps its own durable ledger, claims a plan at most once, and can die midway.
//
// It is an actor of the world, not a part of the bridge: killing the bridge does not touch it. What
// it has done at a moment is a function of the clock, so the same agent serves the virtual engine
// and a real browser.
//
//	claim (durable) ──► effect 1 … effect n ──► receipt (durable)
//	      ▲ a second claim of the same plan starts nothing
package agent
