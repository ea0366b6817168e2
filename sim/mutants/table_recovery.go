package mutants

// recovering are mistakes about what a failure means and what may be done about it.
var recovering = []Mutant{
	{
		Name: "always-manual", Promise: "completes",
		Why: "a bridge that gives up is never wrong",
		Edits: []Edit{
			{"bridge/recover.go", "\t\tif v.Act <= recovery.GiveUp {\n", "\t\tif v.Row >= 0 {\n"},
		},
	},
	{
		Name: "bug-retried", Promise: "bug-stops",
		Why: "what is not known is a fault of the network (row 15)",
		Edits: []Edit{
			{
				"bridge/classify.go", "\treturn stall{failure: recovery.Bug}\n",
				"\treturn stall{failure: recovery.Dropped, attached: recovery.No, loss: \"unknown\"}\n",
			},
		},
	},
	{
		Name: "boundary-ignored", Promise: "row",
		Why: "recovery is not work, so the limits do not count for it (row 14)",
		Edits: []Edit{
			{
				"bridge/recover.go", "\t\tBoundary: recovery.Of(r.overtime() != \"\"), Spent:",
				"\t\tBoundary: recovery.No, Spent:",
			},
			{
				"bridge/recover.go", "e.Blocker, e.Boundary = recovery.No, recovery.Of(r.overtime() != \"\")",
				"e.Blocker, e.Boundary = recovery.No, recovery.No",
			},
		},
	},
	{
		Name: "boundary-of-rounds-ignored", Promise: Then,
		Why: "the limit is compared with the wrong counter",
		Edits: []Edit{
			{"bridge/end.go", "s.LastRound() >= l.Rounds {", "s.Attempts > l.Rounds {"},
		},
	},
	{
		Name: "no-budget", Promise: "row",
		Why: "trying again costs nothing (row 13)",
		Edits: []Edit{
			{
				"bridge/recover.go", "\treturn s.Attempts >= b.Attempts ||\n",
				"\treturn b.Attempts < 0 && s.Attempts >= b.Attempts || b.Attempts < 0 &&\n",
			},
		},
	},
	{
		Name: "in-memory-budget", Promise: "row",
		Why: "attempts are counted in the process, and a new one begins at nothing",
		Edits: []Edit{
			{
				"bridge/recover.go", "\tif err := r.j.Write(session.Record{Kind: session.RecBudget, Row: " +
					"row}); " +
					"err != nil {\n\t\treturn err\n\t}\n\tr.mind.tries++\n",
				"\tr.mind.tries++\n",
			},
			{
				"bridge/recover.go", "\treturn s.Attempts >= b.Attempts ||\n",
				"\treturn r.mind.tries >= b.Attempts ||\n",
			},
		},
	},
	{
		Name: "dead-handles-kept", Promise: "completes",
		Why: "the connection that was lost is used again (D10, D17, D39)",
		Edits: []Edit{
			{
				"bridge/attach.go", "if r.b != nil && r.b.Lost() == nil {", "if r.b != nil {",
			},
			{
				"bridge/attach.go", "\t\t_ = r.b.Close() // same; dialling anew costs a millisecond and " +
					"proves " +
					"the browser\n\t\tr.b = nil\n", "",
			},
		},
	},
	{
		Name: "reload-taken-for-same-page", Promise: "row",
		Why: "the address is the same, so the page is",
		Edits: []Edit{
			{"bridge/attach.go", "\t\tm.place = recovery.Reloaded\n", "\t\tm.place = recovery.SameTab\n"},
		},
	},
	{
		Name: "blockers-lose-to-budget", Promise: "row",
		Why: "the rows are asked in another order than the specification's (row 12 behind 13)",
		Edits: []Edit{
			{"bridge/recovery/table.go", "[...]int{15, 14, 12, 13, 10,", "[...]int{15, 14, 13, 12, 10,"},
		},
	},
	{
		Name: "branch-picked", Promise: "row",
		Why: "of two histories the longer one is right (row 10)",
		Edits: []Edit{
			{
				"bridge/resume.go", "\t\te.Conflict, r.mind.conflict = recovery.Yes, " +
					"conflict\n\t\treturn nil\n",
				"\t\te.Conflict, r.mind.conflict = recovery.No, conflict\n" +
					"\t\te.History, e.Cache, e.Acked = recovery.Yes, recovery.Yes, recovery.Yes\n\t\treturn " +
					"nil\n",
			},
		},
	},
	{
		Name: "resync-without-bound", Promise: "message-once",
		Why: "the contract is declared until somebody agrees",
		Edits: []Edit{
			{
				"bridge/establish.go", "\tcase kind == wire.KindResync:\n\t\treturn r.stop(Manual, 13, " +
					"\"the " +
					"answer to RESYNC fails the establish gate: \"+why)\n",
				"\tcase kind == wire.KindResync:\n\t\treturn r.versionLost()\n",
			},
			{
				"bridge/session/intent.go", "\tif s.Resyncs > 0 {\n\t\treturn noEdge, " +
					"ErrResyncBound\n\t}\n", "",
			},
		},
	},
	{
		Name: "calls-without-deadline", Promise: Then,
		Why: "a call that was answered yesterday will be answered (D05, D11, D16)",
		Edits: []Edit{
			{
				"bridge/page/page.go", "\tp.cfg.op(op)\n\tcall, cancel := p.cfg.Clock.WithTimeout(ctx, " +
					"p.cfg.Tuning.CallDeadline)\n\tdefer cancel()\n",
				"\tp.cfg.op(op)\n\tcall := ctx\n",
			},
		},
	},
	{
		Name: "end-not-recorded", Promise: "named-end",
		Why: "the report has the reason, so the journal need not",
		Edits: []Edit{
			{
				"bridge/recover.go", "\tif err := r.stop(o, v.Row, why); err != nil {\n",
				"\tif err := cause; o == Manual {\n",
			},
		},
	},
	{
		Name: "clicked-beside", Promise: "completes",
		Why: "the coordinates are those of a page that was zoomed or scrolled",
		Edits: []Edit{
			{
				"bridge/page/submit.go", "\tif err := p.press(ctx, " +
					"input.DispatchMouseEventTypeMousePressed, x, y, 1)" +
					"; err != nil {\n", "\tif err := p.press(ctx, input.DispatchMouseEventTypeMousePressed, " +
					"x+40, " +
					"y, 1); err != nil {\n",
			},
		},
	},
	{
		Name: "no-baseline", Promise: "faults-reached",
		Why: "our header alone tells our turn, so nobody looks at what stands there before",
		Edits: []Edit{
			{
				"bridge/page/submission.go", "\tif s.Baseline, err = p.baseline(ctx); err != nil {\n",
				"\tif s.Baseline, err = \"\", nil; err != nil {\n",
			},
		},
	},
	{
		Name: "capture-fault-is-a-bug", Promise: "row",
		Why: "an answer that cannot be read is thrown as an exception (row 1)",
		Edits: []Edit{
			{"bridge/classify.go", "\tcase isCapture(err):\n", "\tcase isCapture(err) && false:\n"},
		},
	},
}

// storing are mistakes about what is durable, and about time.
var storing = []Mutant{
	{
		Name: "not-fsynced", Promise: Test, Package: "./bridge/session", Run: "TestSession",
		Why: "a write that returned is on the disk",
		Edits: []Edit{
			{
				"bridge/session/file.go", "\tif err := s.out.Sync(); err != nil {\n\t\treturn " +
					"s.breakDown(err)\n\t}\n" +
					"\ts.size, s.sum",
				"\ts.size, s.sum",
			},
		},
	},
	{
		Name: "folder-not-synced", Promise: Test, Package: "./bridge/session", Run: "TestSession",
		Why: "a rename is durable by itself",
		Edits: []Edit{
			{
				"bridge/session/file.go", "\ts.out = out\n\tif err := s.files.SyncDir(); err != nil {",
				"\ts.out = out\n\tif err := error(nil); err != nil {",
			},
		},
	},
	{
		Name: "lock-not-taken", Promise: Test, Package: "./bridge/session", Run: "TestSession",
		Why: "two bridges on one folder do not happen (B51, B54)",
		Edits: []Edit{
			{
				"bridge/session/lock.go", "unix.LOCK_EX|unix.LOCK_NB", "unix.LOCK_SH|unix.LOCK_NB",
			},
		},
	},
	{
		Name: "torn-record-guessed", Promise: Test, Package: "./bridge/session", Run: "TestSession",
		Why: "a record whose checksum is wrong is nearly right",
		Edits: []Edit{
			{"bridge/session/codec.go", "sum != stored {", "sum != stored && sum == 0 {"},
		},
	},
	{
		Name: "decision-outside-block", Promise: Test, Package: "./bridge/wire", Run: "Test",
		Why: "the oracles read with the bridge's own parser, so its tests must see that it takes " +
			"text " +
			"outside the one block",
		Edits: []Edit{
			{
				"bridge/wire/plan.go", "\tr.choose(reply, blocks, outside)\n", "\tr.choose(reply, " +
					"blocks, nil)\n",
			},
		},
	},
	{
		Name: "wall-clock-in-back-off", Promise: Determinism,
		Why: "jitter from the wall clock",
		Edits: []Edit{
			{
				"bridge/recover.go", "clock.Unit(r.cfg.Entropy))\n",
				"clock.Unit(r.cfg.Entropy))\n\tpause += time.Duration(time.Now().UnixNano() % 1000)\n",
			},
		},
	},
	{
		Name: "map-order-in-messages", Promise: Determinism,
		Why: "codes are collected in a map",
		Edits: []Edit{
			{
				"bridge/round.go", "\tvar codes []wire.Code\n",
				"\tset := map[wire.Code]bool{}\n\tfor _, f := range faults {\n\t\tset[f.Code] = true\n\t}\n" +
					"\tif len(set) > 1 {\n\t\tvar any []wire.Code\n\t\tfor c := range set {\n" +
					"\t\t\tany = append(any, c)\n\t\t}\n\t\treturn any\n\t}\n\tvar codes []wire.Code\n",
			},
		},
	},
}
