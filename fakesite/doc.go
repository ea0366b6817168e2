// Package fakesite is the core of a fake ChatGPT: one account's conversations, a scripted model
// that answers in them, and a ledger of what really happened.
//
//	          Post                         ┌─────────── Conversation ───────────┐
//	page ───────────► Site.Submit ────────►│ Messages: user, answer, user, …    │◄─── record reads
//	(fakesite/web,        │   │            │ persona: reads them, decides       │     Find, After,
//	 virtual engine)      │   │            └───────────────┬────────────────────┘     Address
//	                      │   │ refusals, faults           │ text + Course
//	                      ▼   ▼                            ▼
//	                    Ledger: received, answered,     Message.At(now): waiting → thinking →
//	                    refused, stopped, dropped       streaming … → complete, failed, stopped
//
// # No time of its own
//
// There is no I/O, no goroutine, no timer and no global state here. Submit decides an answer whole;
// its Course says how much of it stands at which moment, and when that changes next. Whoever serves
// it, an HTTP handler that sleeps until Progress.Next or a simulator that jumps there, asks with
// the time of its own clock. Time and ids come from the caller, so the same script, sends and
// entropy give the same bytes.
//
// # The persona is not the bridge's friend
//
// It reads each received text with a small parser of its own and shares no code with bridge/wire,
// so a mistake of the bridge cannot cancel itself out. It knows its own conversation and nothing
// else, believes what a careful model would believe, and answers a wrong FRAME, CK or NEXT with its
// own (see persona.decide). A Script makes it depart from the protocol: one Deviation, alone, in an
// otherwise correct answer. Deviations is the table of them, with exactly what a correct reader
// reports about each.
//
// # The ledger is the truth
//
// A bridge can be wrong about what it sent, a page about what it shows, and the record may be
// edited behind everybody's back (Site.Edit, Remove, Truncate, Delete). The Ledger keeps what was
// received and what was answered, and nothing but Submit, Stop and Approve writes it.
//
// # What is left to those who render
//
// Options holds the switches of the document as well, marked "page": families, bars, stop buttons,
// composer tricks. The core only carries them. What concerns the server or the time of an answer is
// marked "core" and acted on here.
package fakesite
