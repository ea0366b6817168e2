// Package faults is the vocabulary of what can go wrong, one table of it, and the interposer that
// makes it go wrong at a chosen moment.
//
//	bridge ──call──► Interposer ──call──► engine's browser
//	                    │ address = operation @ round : state # step / phase
//	                    ▼
//	                 Schedule ──► Striker (the engine): the model's browser, or
//	                    │         the real socket, tab, process that is struck
//	                    └──► armed → reached → applied → healed   (history)
//
// The interposer only chooses the moment. What happens then is done by the engine to the thing
// itself, and the evidence that it happened comes from outside the bridge. The three phases look
// the same to a bridge and need opposite treatment: before (the other side never saw it), after (it
// happened, the answer was lost), late (it happens after the session is gone).
package faults
