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
// instructions of the bridge, and a cell that was not reached fails. A torn strike is a kill behind
// the write and half of the last line cut off: what a crash leaves of a write that had not come to
// its end.
//
// The parts are sessions, and the first restart behind a kill, with all their durable writes: a
// quiet session, a restart in each state that a quiet one passes, a PLAN to be repaired, one that
// is refused, another version, a lost journal, a PLAN that is blocked, a handshake that is refused.
// TestTableIsWhole holds the lists against what a bridge really writes, so none can go stale. For
// each cell the table names the row of the next process and, if giving up is allowed there, why;
// everywhere else the session ends as if nothing had happened: every message once, every effect
// once, nothing lost.
//
// What is left out: a crash loop in front of the first durable write of a restart (disconnected,
// budget). Nobody can count what left no trace; nothing was sent or executed by then either.
//
// It takes a browser. "go test ./sim/killloop" runs a seeded sample, the orphan, the crash loops
// and Ctrl-C in half a minute. "-killloop.full" runs every cell and prints the table,
// "-killloop.seed" draws another sample, "-killloop.cell" takes the cells whose name contains it,
// "-killloop.writes" logs what is written:
//
//	cd sim/killloop &&
//	  go test -count=1 -timeout 15m -run 'TestKillLoop|TestTableIsWhole' -killloop.full
package killloop
