// Package event is the clockwork of a virtual run: one loop that orders everything by (time,
// sequence), a clock that only the loop moves, and processes that the loop resumes one at a time.
//
//	            At, After                      Spawn
//	world ──── events ────┐            ┌──── processes (pi, a scripted client)
//	                      ▼            ▼
//	              heap of (time, sequence)
//	                      │ Run: pop, move the clock, call or resume
//	                      ▼
//	              Clock ── Now, Sleep, WithTimeout ──► the code under test
//
// An event is a function call and never sleeps. A process is a coroutine: Sleep pushes its wake
// into the heap and switches back to the loop. Nothing here waits for the machine, starts a
// goroutine that runs at the same time as another, or asks the wall clock, so the same calls give
// the same order on every machine.
//
// A killed process is unwound by a sentinel panic. From then on its ports are dead: each of them
// begins with Proc.Enter, which raises the sentinel again, so its deferred calls change nothing.
package event
