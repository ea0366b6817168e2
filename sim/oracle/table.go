package oracle

// oracles is the table of promises, in the order in which a session can break them.
var oracles = []Oracle{
	{"round-once", ErrRoundTwice, roundOnce},
	{"message-once", ErrMessageTwice, messageOnce},
	{"hello-once", ErrHelloTwice, helloOnce},
	{"whole-messages", ErrNotWhole, wholeMessages},
	{"quiet", ErrNotQuiet, quiet},
	{"durable-first", ErrNotDurable, durableFirst},
	{"one-sid", ErrSID, oneSID},
	{"one-conversation", ErrConversation, oneConversation},
	{"established", ErrNotEstablished, established},
	{"request-once", ErrRequest, requestOnce},
	{"frame-chain", ErrChain, frameChain},
	{"repair-remote", ErrRepairDomain, repairRemote},
	{"repair-bounded", ErrRepairBound, repairBounded},
	{"static-text", ErrStatic, staticText},
	{"plan-once", ErrPlanTwice, planOnce},
	{"word-for-word", ErrNotWritten, wordForWord},
	{"denied-first", ErrDenied, deniedFirst},
	{"checkpoint-settled", ErrNotSettled, checkpointSettled},
	{"checkpoint-monotonic", ErrRegression, checkpointMonotonic},
	{"done-terminal", ErrDoneFolded, doneTerminal},
	{"after-done", ErrAfterDone, afterDone},
	{"after-stop", ErrAfterStop, afterStop},
	{"blocker", ErrBlocker, blocker},
	{"never-clicked", ErrClicked, neverClicked},
	{"bug-stops", ErrBugRetried, bugStops},
	{"forbidden", ErrForbidden, forbidden},
	{"row", ErrRow, rowByTruth},
	{"evidence", ErrEvidence, evidenceTrue},
	{"named-end", ErrEnd, namedEnd},
	{"answer-kept", ErrLost, answerKept},
	{"completes", ErrIncomplete, completes},
	{"faults-reached", ErrNotReached, faultsReached},
}

// All returns every oracle.
func All() []Oracle { return append([]Oracle(nil), oracles...) }
