// Package virtual is the browser and the page as a model: it implements the port of bridge/browser
// over a fakesite.Site and the clock of a sim/event loop, in process and without JSON.
//
//	bridge ──► Client (Dialer) ──► Conn ──► Session ──► Call ──► Hook (faults)
//	           one per process                            │
//	                                                      ▼
//	   user ──► Browser ──► tab ──► document ──────► fakesite.Site
//	   (acts)   up, frozen  crash,  composer, fence,  the record, the answers'
//	                        hang    mounted turns     courses, the ledger
//
// A document stores only what somebody did to it: its load, its text, its sends, the bridge's
// script and fence. Everything else that it shows is computed from the site and the clock when a
// probe asks: nothing polls, and no event is needed for an answer to grow. What it shows is what
// fakesite/web renders, read as bridge/page/probe's script reads it; a conformance suite compares
// the two.
//
// Parameters arrive as Go values: probe.Eval and cdproto's structs by value. What the model does
// not know it refuses as Chromium does, with -32601.
package virtual
