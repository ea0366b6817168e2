package recovery

// Row is one row of the decision table, in the words of the specification.
type Row struct {
	Number        int
	Failure       string
	Preconditions string
	Action        string
	Forbids       string

	// Match tells whether the row applies, by what is known for certain.
	Match func(e *Evidence) bool
	// Act is what the row does when every fact that it depends on is known.
	Act Act
	// Needs names facts that must be No before Act; while one is Unknown the act is Look.
	Needs func(e *Evidence) Fact
	// Forbidden is the last column.
	Forbidden Deed
}

// table is the decision table in the order of the specification; order says who is asked first.
var table = [...]Row{
	{
		1, "Capture failure (E_CAPTURE, E_SOURCE_UNCERTAIN)",
		"Target alive, conversation unchanged, frame known",
		"Retry same round: re-read, wait, choose a trustworthy source",
		"No REPAIR, no ROUND resend",
		func(e *Evidence) bool {
			return e.Failure == Capture && e.Attached == Yes && e.Same == Yes && e.Memory == Yes
		},
		Retry, clear, SendRepair | SendRound,
	},
	{
		2, "Reply wait timeout, no fresh turn yet",
		"Page alive, no blocker, FRAME consistent",
		"Retry same round with stall backoff",
		"Do not advance the round",
		func(e *Evidence) bool {
			return (e.Failure == Wait || e.Failure == Unproven) &&
				e.Attached == Yes && e.Same == Yes && e.Memory == Yes
		},
		Retry, clear, Advance,
	},
	{
		3, "CDP session dropped, browser/tab/conversation alive, pi runtime intact",
		"sid/r/in-flight state in memory",
		"Re-attach → discovery → retry same round",
		"No new HELLO, no blind ROUND",
		func(e *Evidence) bool {
			return e.Failure == Dropped && e.Memory == Yes && e.Place == SameTab
		},
		Continue, attached, NewHello | SendRound,
	},
	{
		4, "Page.reload, re-attach, same conversation",
		"sid/r preserved",
		"Discovery, continue the same round; consume a valid PLAN if present",
		"No RESYNC",
		func(e *Evidence) bool {
			return e.Failure == Dropped && e.Memory == Yes && e.Place == Reloaded
		},
		Continue, attached, SendResync,
	},
	{
		5, "Browser relaunched, local session cache intact",
		"HV/CV/CAP/sid/checkpoint consistent",
		"Discovery; RESUME if in-flight state cannot be resumed",
		"Do not create a new sid",
		func(e *Evidence) bool {
			return e.Failure == Dropped && e.Memory == Yes && e.Place == Relaunched
		},
		Continue, attached, NewSID,
	},
	{
		6, "pi restarted, runtime lost, cache + history recoverable",
		"sid/version/hash/checkpoint cross-checkable",
		"RESUME at last confirmed checkpoint",
		"Do not replay unconfirmed plans",
		func(e *Evidence) bool { return e.Memory == No && e.Cache == Yes },
		Resume, recovered, Replay,
	},
	{
		7, "Cache lost, FRAME chain in history complete",
		"sid/frame/version recoverable",
		"RESUME from last confirmed checkpoint",
		"Do not guess whether the latest PLAN ran",
		func(e *Evidence) bool { return e.Memory == No && e.Cache == No && e.History == Yes },
		Resume, recovered, Guess,
	},
	{
		8, "HELLO/ACK no longer provable, conversation + checkpoint still trustworthy",
		"Identity and checkpoint determinable",
		"RESYNC (redeclare contract/caps)",
		"Do not execute a new PLAN first",
		func(e *Evidence) bool {
			return e.Acked == No && e.Sure == Yes && (e.Memory == No || e.Failure == Refusal)
		},
		Resync, settled, ExecuteFirst,
	},
	{
		9, "Local CV/CAP changed vs the handshake hashes",
		"A real protocol/capability change",
		"RESYNC / renegotiate",
		"Do not pretend the old ACK still holds",
		func(e *Evidence) bool { return e.Changed == Yes },
		Resync, settled, Pretend,
	},
	{
		10, "FRAME chain conflict (sid clash, round regression/jump, prev unmatched)",
		"No way to tell which history is authoritative",
		"Give up to manual recovery",
		"Do not pick a branch",
		func(e *Evidence) bool { return e.Conflict == Yes },
		GiveUp, nil, PickBranch,
	},
	{
		11, "Cannot determine whether a side-effecting PLAN already ran",
		"No reliable checkpoint evidence",
		"Give up to manual recovery",
		"Never auto-replay",
		func(e *Evidence) bool { return e.Doubt == Yes },
		GiveUp, nil, Replay,
	},
	{
		12, "Captcha / logout / rate limit / account blocker",
		"Confirmed by the guard",
		"Give up",
		"No generic reconnect loop",
		func(e *Evidence) bool { return e.Blocker == Yes },
		GiveUp, nil, Loop,
	},
	{
		13, "RESUME ACK invalid, RESYNC still inconsistent",
		"Recovery budget exhausted",
		"Give up",
		"No unbounded recovery",
		func(e *Evidence) bool { return e.Spent == Yes },
		GiveUp, nil, Loop,
	},
	{
		14, "Boundary already hit",
		"checkBoundaries() says stop",
		"Give up / stop",
		"Recovery must not bypass a boundary",
		func(e *Evidence) bool { return e.Boundary == Yes },
		GiveUp, nil, PassBoundary,
	},
	{
		15, "Non-stall exception (code bug, parser bug, invariant)",
		"classifyStallError() === null",
		"Throw and stop automation",
		"Do not treat a software bug as a network fault",
		func(e *Evidence) bool { return e.Failure == Bug },
		Throw, nil, TreatAsNetwork,
	},
}

// order is readings 12: 15, 14, 12, 13, 10, 11, 9, 8, then 3, 4, 5 (transport gone) before 1, 2
// (transport there), then 6, 7.
var order = [...]int{15, 14, 12, 13, 10, 11, 9, 8, 3, 4, 5, 1, 2, 6, 7}

// Rows returns the table in the order of the specification.
func Rows() []Row { return append([]Row(nil), table[:]...) }

// Order returns the numbers of the rows in the order in which they are asked.
func Order() []int { return append([]int(nil), order[:]...) }

// all is Yes when every fact is No, and Unknown otherwise: an act that depends on them may begin.
func all(no ...Fact) Fact {
	for _, f := range no {
		if f != No {
			return Unknown
		}
	}
	return Yes
}

func flip(f Fact) Fact {
	switch f {
	case Yes:
		return No
	case No:
		return Yes
	}
	return Unknown
}

// clear: nothing that would forbid going on is open.
func clear(e *Evidence) Fact {
	return all(e.Boundary, e.Blocker, e.Spent, e.Changed, e.Conflict, e.Doubt, flip(e.Acked))
}

// attached: besides, a page of ours is at hand.
func attached(e *Evidence) Fact {
	return all(flip(clear(e)), flip(e.Attached), flip(e.Same))
}

// recovered: besides, the record was cross-checked.
func recovered(e *Evidence) Fact { return all(flip(attached(e)), flip(e.History)) }

// settled: before static text is declared again the page is ours and nothing else is open.
func settled(e *Evidence) Fact {
	return all(e.Boundary, e.Blocker, e.Spent, e.Conflict, e.Doubt, flip(e.Attached), flip(e.Same))
}
