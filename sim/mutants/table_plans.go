package mutants

// plans are mistakes about what is executed, and what counts as done.
var plans = []Mutant{
	{
		Name: "checkpoint-at-plan", Promise: "checkpoint-settled",
		Why: "the checkpoint is advanced when the plan is there",
		Edits: []Edit{
			{
				"bridge/execute.go", "\treturn r.j.Write(session.Record{\n\t\tKind: session.RecExecuting,",
				"\tif err := r.checkpoint(c); err != nil {\n\t\treturn err\n\t}\n" +
					"\treturn r.j.Write(session.Record{\n\t\tKind: session.RecExecuting,",
			},
			{
				"bridge/session/laws.go", "cur == nil || s.Inner() != PhaseSettled || cur.Round",
				"cur == nil || cur.Round",
			},
		},
	},
	{
		Name: "done-folded", Promise: "done-terminal",
		Why: "done is a plan like the others, so it gets a checkpoint",
		Edits: []Edit{
			{
				"bridge/execute.go", "\tcase wire.DecisionDone:\n",
				"\tcase wire.DecisionDone:\n\t\tif err := r.checkpoint(c); err != nil {\n" +
					"\t\t\treturn err\n\t\t}\n",
			},
			{
				"bridge/session/laws.go", "\t\treturn noEdge, s.lawCheckpoint(r)\n", "\t\treturn noEdge, " +
					"nil\n",
			},
		},
	},
	{
		Name: "done-executed", Promise: "done-terminal",
		Why: "done still lists steps, so they are run",
		Edits: []Edit{
			{"bridge/execute.go", "\tcase wire.DecisionDone:\n", "\tcase \"never\":\n"},
			{"bridge/session/progress.go", "cur.Decision == wire.DecisionDone || ", ""},
		},
	},
	{
		Name: "blocked-executed", Promise: "done-terminal",
		Why: "a blocked plan is run as far as it goes",
		Edits: []Edit{
			{"bridge/execute.go", "\tcase wire.DecisionBlocked:\n", "\tcase \"never\":\n"},
			{"bridge/session/progress.go", " || cur.Decision == wire.DecisionBlocked", ""},
		},
	},
	{
		Name: "denied-executed", Promise: "denied-first",
		Why: "denials were told to the other side, which keeps to them",
		Edits: []Edit{
			{"bridge/execute.go", "r.state().Denials); capability != \"\" {", "nil); capability != " +
				"\"\" {"},
		},
	},
	{
		Name: "plan-tidied", Promise: "word-for-word",
		Why: "the plan is cleaned of what looks like decoration before it is handed over",
		Edits: []Edit{
			{
				"bridge/execute.go", "PlanKey: c.PlanKey, Plan: c.Plan}",
				"PlanKey: wire.PlanKey(wire.Plain(c.Plan) + \"\\n# handed over by pi\"), " +
					"Plan: wire.Plain(c.Plan) + \"\\n# handed over by pi\"}",
			},
		},
	},
	{
		Name: "executed-before-record", Promise: "durable-first",
		Why: "the agent is asked first, and the journal told afterwards",
		Edits: []Edit{
			{
				"bridge/execute.go", "\treturn r.j.Write(session.Record{\n\t\tKind: session.RecExecuting,",
				"\tearly := agent.Task{SID: r.state().SID, Round: c.Round, PlanKey: c.PlanKey, Plan: " +
					"c.Plan}\n" +
					"\tif _, err := r.cfg.Agent.Start(ctx, early); err != nil {\n\t\treturn err\n\t}\n" +
					"\treturn r.j.Write(session.Record{\n\t\tKind: session.RecExecuting,",
			},
		},
	},
	{
		Name: "receipt-of-another-round", Promise: Then,
		Why: "the first receipt is kept in a variable that nobody sets again",
		Edits: []Edit{
			{"bridge/round.go", "r.receipt(f.Round-1)", "r.receipt(1)"},
		},
	},
	{
		Name: "settled-by-guess", Promise: "checkpoint-settled",
		Why: "a plan that was handed over is taken to have run (row 7 without a lookup)",
		Edits: []Edit{
			{
				"bridge/caughtup.go", "\t\terr = r.finish(ctx)\n",
				"\t\terr = r.j.Write(session.Record{Kind: session.RecSettled, Round: c.Round,\n" +
					"\t\t\tPlanKey: c.PlanKey, Receipt: unknownReceipt})\n",
			},
			{
				"bridge/caughtup.go", "\tcase st.Status == agent.Started || st.Status == agent.NoAnswer:\n" +
					"\t\treturn r.doubtful(c, st)\n", "",
			},
			{
				"bridge/resume.go", "e.Doubt = recovery.Of(st.Status == agent.Started || st.Status == " +
					"agent.NoAnswer)", "e.Doubt = recovery.Of(st.Status == \"\")",
			},
			{
				"bridge/resume.go", "e.Doubt = recovery.Of(gone && p.Effects())",
				"e.Doubt = recovery.Of(gone && false)",
			},
		},
	},
	{
		Name: "row-7-without-lookup", Promise: "evidence",
		Why: "a cache that was lost is rebuilt without asking the agent what ran",
		Edits: []Edit{
			{
				"bridge/resume.go", "e.Doubt = recovery.Of(gone && p.Effects())",
				"e.Doubt = recovery.Of(gone && false)",
			},
		},
	},
	{
		Name: "plan-thrown-away", Promise: "answer-kept",
		Why: "what was not executed before a restart is asked for again",
		Edits: []Edit{
			{
				"bridge/caughtup.go", "\tcase st.Status == agent.Never && !c.Executing:\n\t\treturn nil\n",
				"\tcase st.Status == agent.Never && !c.Executing:\n\t\treturn r.cutOpen()\n",
			},
		},
	},
	{
		Name: "agent-not-awaited", Promise: "completes",
		Why: "an agent that is still at work has failed",
		Edits: []Edit{
			{
				"bridge/execute.go", "for st.Status == agent.Running || st.Status",
				"for st.Status == \"\" || st.Status",
			},
		},
	},
}

// reading are mistakes about when an answer has ended, and whose it is.
var reading = []Mutant{
	{
		Name: "first-action-bar", Promise: "repair-remote",
		Why: "the action bar means that the answer is whole (B11, B12, B13)",
		Edits: []Edit{
			{
				"bridge/page/wait.go", "\tif !w.due() {\n",
				"\tif st.State == probe.AnswerFinished {\n" +
					"\t\treturn Ended{st.MessageID, w.page.pinned, ByBar}, true, nil\n\t}\n\tif !w.due() {\n",
			},
			{
				"bridge/page/capture.go", "out.veto = !out.complete && state != Unreadable",
				"out.veto = false",
			},
		},
	},
	{
		Name: "silence-is-the-end", Promise: "completes",
		Why: "a text that has not grown for a while is whole (B11)",
		Edits: []Edit{
			{
				"bridge/page/wait.go", "\tif !w.due() {\n",
				"\tif st.Length > 0 && w.same > 2 {\n" +
					"\t\treturn Ended{st.MessageID, w.page.pinned, ByBar}, true, nil\n\t}\n\tif !w.due() {\n",
			},
			{
				"bridge/page/capture.go", "out.complete = state == Finished && m.Text != \"\"",
				"out.complete = m.Text != \"\"",
			},
		},
	},
	{
		Name: "preamble-taken", Promise: "completes",
		Why: "the first message of the turn is the answer (B12, B27)",
		Edits: []Edit{
			{
				"bridge/page/wait.go", "\t\tif messages[i].Final {\n",
				"\t\tif messages[i].Role == \"assistant\" && last < 0 {\n",
			},
		},
	},
	{
		Name: "answer-of-another-turn", Promise: "completes",
		Why: "the last answer of the conversation is ours (B26, B19)",
		Edits: []Edit{
			{
				"bridge/page/wait.go", "\t\tif messages[i].Role == \"user\" {\n\t\t\tbreak\n\t\t}\n", "",
			},
			{
				"bridge/page/wait.go", "point.WaitRecord, w.page.pinned, w.id)",
				"point.WaitRecord, w.page.pinned, \"\")",
			},
			{
				"bridge/page/capture.go", "want.conversation, want.message)", "want.conversation, \"\")",
			},
			{
				"bridge/page/wait.go", "\tcase !r.Found:\n\t\treturn probe.RecordedMessage{}, Missing\n", "",
			},
		},
	},
	{
		Name: "one-source-of-two", Promise: "established",
		Why: "what the page shows is what was written; the record is only slower",
		Edits: []Edit{
			{
				"bridge/page/capture.go", "\t\tif reply, ok := agreed(all[:i+1]); ok {\n",
				"\t\tif i == 1 && r.complete {\n\t\t\treturn Reply{r.text, want.answer, SourceDOM, " +
					"[]Source{SourceDOM}}, nil\n\t\t}\n\t\tif reply, ok := agreed(all[:i+1]); ok {\n",
			},
			{"bridge/page/capture.go", "\t\tif all[0].veto {\n\t\t\tbreak // no", "\t\tif false " +
				"{\n\t\t\tbreak // no"},
		},
	},
	{
		Name: "cut-answer-taken", Promise: "repair-remote",
		Why: "an answer that was stopped is an answer (B16)",
		Edits: []Edit{
			{
				"bridge/page/wait.go", "\tcase messages[last].Cut:\n\t\treturn messages[last], CutOff\n",
				"\tcase messages[last].Cut:\n\t\treturn messages[last], Finished\n",
			},
		},
	},
}
