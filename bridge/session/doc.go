// Package session is what a bridge knows about its session, and how that knowledge survives.
//
// A session is a list of records in a journal, and its [State] is their fold. Nothing else is
// stored: after any crash the next process loads the records, folds them, and knows what the last
// one knew. Three parts meet here:
//
//	relay ──Write(record)──► Journal ──law──► State     may this record be, here and now?
//	                            │
//	                            ├──Append──► Store      a folder, or memory; returns when durable
//	                            │
//	                            └──take────► State      only now it is true
//
// # How one round becomes durable
//
// Each record stands before the act that it announces, or right after the fact that it proves.
//
//	intent ROUND r ─► [insert, fence, submit] ─► sent ─► [wait, capture] ─► validated ─► executing
//	  unknown          the act                   proof      read only        decision       │
//	                                                                                        ▼
//	intent ROUND r+1 ◄─ checkpoint ◄─ settled ◄─ [the agent works] ◄───────────── hand to the agent
//	                     p= of r+1     receipt
//
// Why every write stands where it stands:
//
//   - intent comes before the first act that could submit. A crash between the two leaves
//     `unknown`, which is treated as sent: "one time too few, never one time too many".
//   - sent and not-sent come after a proof, never after a click. sent is final; not-sent comes only
//     from unknown, and only by a mechanical proof.
//   - validated carries the PLAN word for word, and its decision. So a process that starts after
//     `validated` finishes a done PLAN to terminal, and a blocked one to stopped, without asking
//     anybody and without sending anything.
//   - executing comes before the plan is handed over. Whether it ran is then asked of the agent.
//   - unclaimed takes executing back, like not-sent an intent: by the agent's word that no claim
//     exists. The plan stands as it was read; it may be executed, once, or its round be closed.
//   - settled carries the receipt that the next ROUND reports, so a process that starts after
//     `settled` writes the checkpoint itself.
//   - checkpoint is a record of its own, the only one that advances the checkpoint, and the only
//     one that resets the recovery budgets. `done` never gets there.
//
// # Interruptions
//
// The phases of a round are progress; disconnected, resume, uncertain, version-lost and resync lie
// above it. While one of them lasts, State.Before keeps the progress, and facts may still move it:
// an agent settles while the socket is gone, a plan is read before RESUME goes out.
//
//	disconnected ─ reconnected (rows 1–5) ─────────────────────► Before
//	     │
//	     └─ intent RESUME ─► resume ─ ack ─────────────────────► Before
//	                            └─ refused, intent RESYNC ─┐
//	version-lost ─ intent RESYNC ──────────────────────► resync ─ ack ─► established (or Before)
//	uncertain (may adopt what history proves) ─ intent RESUME ─► resume
//
// [Edges] is the whole table. Every sentence of the specification about this machine is an error
// variable (errors.go); a record that breaks one is refused with that sentence and changes nothing.
//
// # Stores
//
// [FileStore] is a locked folder with a checksummed, human-readable journal. [Memory] is the same
// contract without a disk, for the virtual engine, together with everything that can happen to a
// disk. One suite runs on both.
package session
