// Package killloop kills a real "sim bridge" process at every durable write of a session, starts it
// again, and judges by ledgers that the bridge cannot write.
//
//	test ── step descriptor: address ► / ◄ byte ──┐
//	  │                                        sim bridge ──CDP──► Chromium ──► fakesite/web
//	  └── SIGKILL at the address ───────────────► │                               │
//	                                              └─ sim agent (a session of its own)
//	  judge ◄── what the site received and answered ─────────────────────────────┘ │
//	        ◄── what the agent claimed and did ────────────────────────────────────┘
//
// A cell is one durable write and one strike:
//
//	before   the record was never written
//	torn     it was written, and half of it survived
//	after    it is durable, and the act behind it has not begun
//	act      the act behind it was done, and its answer is lost with the process
//
// The child waits at every step for a byte, so a strike needs no luck: it happens between two
// instructions of the bridge, and a cell that was not reached fails. What is left out, and why:
//
//   - Records that neither a quiet session nor its first recovery writes (invalid, refused, version-lost,
//     round-closed, snapshot, stopped): the virtual engine kills pi there by schedule.
//   - A crash loop in front of the first durable write of a restart (disconnected, budget): nobody can
//     count what left no trace. Nothing was sent or executed by then either.
//
// It takes a browser and minutes, so it has a build tag. "go test -tags killloop ./sim/killloop" runs a
// seeded sample, the orphan, the crash loops and Ctrl-C; "-killloop.full" runs every cell and prints the
// table, "-killloop.seed" draws another sample, "-killloop.cell" takes the cells whose name contains it.
package killloop
