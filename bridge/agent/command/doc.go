// Package command is the agent port over a program of one's own: any program that follows the
// contract below can execute plans for a bridge.
//
//	          lookup SID ROUND KEY ─► stdout: never | running | started | settled, then the receipt
//	pi ──────┤
//	          (task on stdin) ──────► claim (durable, at most once) ─► effects ─► receipt (durable)
//	               a file, no pipe:   └── a session of its own: it outlives a killed pi ──┘
//
// # The contract
//
// The program is started in two ways, with the words that were configured in front.
//
//   - CMD lookup SID ROUND KEY answers "did it run?" from its durable ledger and ends with code 0.
//     The first line of standard output is one word; what follows a settled is the receipt, the
//     text that the next ROUND reports. Everything else (another word, another exit code, more than
//     [MaxAnswer], no end within the limit) counts as no answer.
//   - CMD, with the task on standard input ([TaskText]), checks the plan's text against the key,
//     claims (sid, round, key) by one atomic durable create before its first effect, executes, and
//     keeps the receipt durably before it ends. Where a claim exists it starts nothing. What it
//     prints is kept in the folder for a person, and decides nothing.
//
// The claim decides, not the bridge: pi may be killed between the start of the program and its
// claim, and the next pi then starts it again. "Running" must mean that the process that claimed is
// alive, so the claim is best a lock that the kernel drops with it; package ledger does that.
//
// No shell is involved anywhere. Words come as a list, or from [Words]; sid, round and key are
// checked before they become arguments or names of files.
package command
