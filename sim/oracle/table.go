package oracle

// oracles is the table of promises, in the order in which a session can break them.
var oracles = []Oracle{
	// name, promise, judge, about the run (and not about one session of it)
	{"round-once", ErrRoundTwice, roundOnce, false},
	{"message-once", ErrMessageTwice, messageOnce, false},
	{"hello-once", ErrHelloTwice, helloOnce, false},
	{"whole-messages", ErrNotWhole, wholeMessages, false},
	{"quiet", ErrNotQuiet, quiet, false},
	{"durable-first", ErrNotDurable, durableFirst, true},
	{"one-sid", ErrSID, oneSID, false},
	{"one-conversation", ErrConversation, oneConversation, false},
	{"established", ErrNotEstablished, established, false},
	{"request-once", ErrRequest, requestOnce, false},
	{"frame-chain", ErrChain, frameChain, false},
	{"repair-remote", ErrRepairDomain, repairRemote, false},
	{"repair-bounded", ErrRepairBound, repairBounded, false},
	{"static-text", ErrStatic, staticText, false},
	{"plan-once", ErrPlanTwice, planOnce, false},
	{"word-for-word", ErrNotWritten, wordForWord, false},
	{"denied-first", ErrDenied, deniedFirst, false},
	{"checkpoint-settled", ErrNotSettled, checkpointSettled, false},
	{"checkpoint-monotonic", ErrRegression, checkpointMonotonic, false},
	{"done-terminal", ErrDoneFolded, doneTerminal, false},
	{"after-done", ErrAfterDone, afterDone, false},
	{"after-stop", ErrAfterStop, afterStop, false},
	{"blocker", ErrBlocker, blocker, true},
	{"never-clicked", ErrClicked, neverClicked, true},
	{"bug-stops", ErrBugRetried, bugStops, true},
	{"forbidden", ErrForbidden, forbidden, true},
	{"row", ErrRow, rowByTruth, true},
	{"evidence", ErrEvidence, evidenceTrue, true},
	{"named-end", ErrEnd, namedEnd, true},
	{"answer-kept", ErrLost, answerKept, false},
	{"completes", ErrIncomplete, completes, true},
	{"converges", ErrConverge, converges, true},
	{"faults-reached", ErrNotReached, faultsReached, true},
}

// All returns every oracle.
func All() []Oracle { return append([]Oracle(nil), oracles...) }
