// Package bridge is the reference bridge: it relays plans between a local coding agent ("pi") and a
// ChatGPT page, speaks pi-bridge/1 byte for byte, and survives what happens on the way.
//
//	           ┌────────── journal (session) ◄── every fact, durable before the act it announces
//	           │
//	Run ──► relay ──► page ──► browser ──► ChatGPT page
//	           │
//	           └────► agent ──► the plan's effects, at most once
//
// The relay has no place of its own: each step is chosen by the phase that the journal is in. The
// layers below are usable alone: wire (messages and their judgement, pure), session (what is known
// and how it became known), page (what is done to a document), browser (the port to CDP).
//
// The one-line rule of the specification stands over all of it: ChatGPT decides what should be
// done; pi decides whether this message can be trusted, whether the current environment permits
// execution, and how far execution has actually got.
package bridge
