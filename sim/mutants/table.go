package mutants

import "slices"

// control is the bridge as it is.
var control = Mutant{Name: "control", Why: "the unmutated bridge keeps every promise"}

// canary does nothing at all and reports success. If it comes out green, mutants are not built or
// nobody looks.
var canary = Mutant{
	Name: "canary", Promise: "done-terminal",
	Why: "a bridge that does nothing and says that it is done",
	Edits: []Edit{{
		"bridge/relay.go",
		"func (r *relay) relay(ctx context.Context) Report {\n",
		"func (r *relay) relay(ctx context.Context) Report {\n" +
			"\tif r.page == nil {\n\t\treturn r.report(Done, \"canary\", nil)\n\t}\n",
	}},
}

// table holds all mutants, by what they break.
var table = slices.Concat(sending, sessions, plans, reading, recovering, storing)

// sending are mistakes in bringing a message out, at most once and whole.
var sending = []Mutant{
	{
		Name: "resend-on-unknown", Promise: "round-once",
		Why: "a lost reply to the click is taken for a message that did not go out (B01, B09)",
		Edits: []Edit{
			{"bridge/deliver.go", "\tif unsent {\n", "\tif unsent || true {\n"},
		},
	},
	{
		Name: "record-unread-means-unsent", Promise: "round-once",
		Why: "a record that lags or cannot be read is taken for proof of absence (B05)",
		Edits: []Edit{
			{
				"bridge/page/notsent.go", "\twhy := absent(s, &r)\n\treturn why == Proven, why, nil",
				"\twhy := absent(s, &r)\n\treturn why != WhyLater, why, nil",
			},
			{"bridge/page/notsent.go", "\tcase f.Passed != 0:\n\t\treturn WhyPassed\n", ""},
			{"bridge/page/notsent.go", "!f.Holds && !s.unpressed", "false"},
			{"bridge/page/notsent.go", "!f.Present || f.Token != s.Token", "false"},
			{"bridge/page/notsent.go", "\tcase f.Document != s.Document:\n\t\treturn " +
				"WhyNewDocument\n", ""},
		},
	},
	{
		Name: "click-twice", Promise: "message-once",
		Why: "the click is repeated to be safe, because the first is often a no-op (B04)",
		Edits: []Edit{{
			"bridge/send.go",
			"\tif err = r.page.Submit(ctx, sub); err == nil {\n",
			"\terr = r.page.Submit(ctx, sub)\n" +
				"\tif again, e := r.page.Prepare(ctx, text); err == nil && e == nil {\n" +
				"\t\t_ = r.page.Submit(ctx, again)\n\t}\n\tif err == nil {\n",
		}},
	},
	{
		Name: "intent-after-click", Promise: "durable-first",
		Why: "the record is written when the message is out, as a log would be",
		Edits: []Edit{{
			"bridge/send.go",
			"\tif err := r.j.Write(intent); err != nil {\n\t\treturn err\n\t}\n" +
				"\tif err = r.page.Submit(ctx, sub); err == nil {\n",
			"\terr = r.page.Submit(ctx, sub)\n" +
				"\tif werr := r.j.Write(intent); werr != nil {\n\t\treturn werr\n\t}\n" +
				"\tif err == nil {\n",
		}},
	},
	{
		Name: "no-fence", Promise: "round-once",
		Why: "a composer that still holds the text proves that it was not sent; no fence stops a " +
			"late click",
		Edits: []Edit{
			{
				"bridge/page/submission.go", "\tif err == nil && (f.Document != s.Document ||",
				"\tif err == nil {\n\t\terr = p.Unfence(ctx)\n\t}\n" +
					"\tif err == nil && (f.Document != s.Document ||",
			},
			{"bridge/page/notsent.go", "!f.Present || f.Token != s.Token", "false"},
			{"bridge/page/notsent.go", "!f.Holds && !s.unpressed", "Digest(f.Composer) != s.Digest"},
		},
	},
	{
		Name: "no-read-back", Promise: "whole-messages",
		Why: "an insert that the browser confirmed is believed (B06, B63)",
		Edits: []Edit{
			{"bridge/page/submission.go", "\t\tcase wire.SameText(held, text):\n", "\t\tcase true:\n"},
			armWhatStands,
			{"bridge/page/submit.go", "case !wire.SameText(c.Text, s.Text):", "case false:"},
		},
	},
	{
		Name: "not-emptied", Promise: "whole-messages",
		Why: "the composer of a fresh page is taken to be empty (B06), and a prefix to be enough",
		Edits: []Edit{
			{
				"bridge/page/submission.go",
				"\tif err := p.empty(ctx); err != nil {\n\t\treturn \"\", err\n\t}\n", "",
			},
			{
				"bridge/page/submission.go", "\t\tcase wire.SameText(held, text):\n",
				"\t\tcase strings.Contains(wire.Plain(held), wire.Plain(text)):\n",
			},
			armWhatStands,
			{"bridge/page/submit.go", "case !wire.SameText(c.Text, s.Text):", "case false:"},
		},
	},
	{
		Name: "blocker-clicked-through", Promise: "blocker",
		Why: "a dialog is only in the way, and the composer is still there (B42)",
		Edits: []Edit{
			{
				"bridge/page/ready.go", "\tcase g.Blocker != probe.NoBlocker:\n\t\treturn blocked(&g)\n" +
					"\tcase g.Conversation != p.pinned:",
				"\tcase g.Conversation != p.pinned:",
			},
			{
				"bridge/page/ready.go",
				"\tcase g.Blocker != probe.NoBlocker:\n\t\treturn \"a challenge stands there\"\n", "",
			},
			{
				"bridge/page/ready.go", "\t\tcase g.Blocker != probe.NoBlocker && !mayClear:\n" +
					"\t\t\treturn blocked(&g)\n", "\t\tcase mayClear:\n",
			},
		},
	},
	{
		Name: "guard-looks-once", Promise: "blocker",
		Why: "the page was clear when the text was typed, so it is when the button is pressed",
		Edits: []Edit{{
			"bridge/page/submit.go", "if err := p.clear(ctx, point.SendGuard); err != nil {",
			"if err := error(nil); err != nil || point.SendGuard == \"\" {",
		}},
	},
	{
		Name: "quiet-skipped", Promise: "completes",
		Why: "RESUME goes out at once; the answer under way will come anyway (while it comes the page " +
			"has no send button)",
		Edits: []Edit{
			{
				"bridge/resume.go", "if err := r.finishTurn(ctx); err != nil || r.over() {",
				"if err := error(nil); err != nil || r.over() {",
			},
			{"bridge/session/intent.go", "\tcase s.Unfinished():\n\t\treturn ErrUnfinished\n", ""},
			{"bridge/page/ready.go", "\tcase g.Stop:\n", "\tcase false:\n"},
		},
	},
}

// sessions are mistakes about identity, handshake, chain and text.
var sessions = []Mutant{
	{
		Name: "new-sid-on-relaunch", Promise: "one-sid",
		Why: "a new browser is taken for a new session",
		Edits: []Edit{{
			"bridge/recover.go", "func (r *relay) goOn(v recovery.Verdict) error {\n",
			"func (r *relay) goOn(v recovery.Verdict) error {\n\tif v.Row == 5 {\n" +
				"\t\tr.state().SID = clock.Hex(r.cfg.Entropy, 8)\n\t}\n",
		}},
	},
	{
		Name: "tab-by-order", Promise: "one-conversation",
		Why: "the first tab of the site is taken for ours (B37, B51)",
		Edits: []Edit{
			{
				"bridge/attach.go", "if want != \"\" && page.ConversationOf(r.cfg.Site, p.URL) == want ||",
				"if want != \"\" && strings.HasPrefix(p.URL, r.cfg.Site) ||",
			},
			{
				"bridge/page/ready.go", "\tcase Durable(p.pinned) && g.Conversation != " +
					"p.pinned:\n\t\treturn \"the " +
					"address is not that of the conversation\"\n", "",
			},
			{
				"bridge/page/page.go", "\tdefault:\n\t\treturn &ConversationError{Want: p.pinned, Seen: " +
					"seen}\n",
				"\tdefault:\n\t\tp.pinned = seen\n",
			},
			{
				"bridge/page/ready.go", "\tcase g.Conversation != p.pinned:\n\t\treturn &ConversationError" +
					"{Want: p.pinned, Seen: g.Conversation}\n", "",
			},
			{
				"bridge/recognise.go", "\tif fresh || page.Durable(want) && g.Conversation != want {\n",
				"\tif fresh && false {\n",
			},
		},
	},
	{
		Name: "conversation-drift", Promise: "evidence",
		Why: "the conversation is checked when the tab is found, and not on each look (B50)",
		Edits: []Edit{
			{
				"bridge/page/page.go", "\tdefault:\n\t\treturn &ConversationError{Want: p.pinned, Seen: " +
					"seen}\n",
				"\tdefault:\n\t\tp.pinned = seen\n",
			},
		},
	},
	{
		Name: "gate-lax", Promise: "established",
		Why: "an acknowledgement that came is good enough",
		Edits: []Edit{
			{
				"bridge/establish.go", "\tif len(failed) > 0 {\n\t\treturn r.refuse(failed)\n\t}\n",
				"\tif len(failed) > 0 {\n\t\tack.HV, ack.CV = r.offer.HV, r.offer.CV\n" +
					"\t\tack.Contract, ack.Cap = r.offer.Contract, r.offer.Cap\n\t}\n",
			},
		},
	},
	{
		Name: "second-hello", Promise: "hello-once",
		Why: "a handshake without an answer is begun again",
		Edits: []Edit{
			{
				"bridge/establish.go", "\t\treturn r.noAck(failed)\n",
				"\t\tif err := r.noAck(failed); !errors.Is(err, errNoAck) {\n\t\t\treturn err\n\t\t}\n" +
					"\t\treturn r.sayHello(ctx)\n",
			},
			{"bridge/session/intent.go", "\tcase s.Hello.Send != NotSent:\n\t\treturn noEdge, " +
				"ErrHelloTwice\n", ""},
		},
	},
	{
		Name: "request-repeated", Promise: "request-once",
		Why: "every ROUND carries the request, so that the other side does not forget it",
		Edits: []Edit{
			{"bridge/round.go", "\tif f.Round == 1 {\n", "\tif f.Round > 0 {\n"},
		},
	},
	{
		Name: "request-in-hello", Promise: "request-once",
		Why: "HELLO's objective is the most natural place for the request",
		Edits: []Edit{
			{
				"bridge/open.go", "o := wire.NewOffer(sid, cfg.Request, cfg.Objective, cfg.Capabilities",
				"o := wire.NewOffer(sid, cfg.Request, cfg.Request, cfg.Capabilities",
			},
			{"bridge/wire/offer.go", "asked != \"\" && strings.Contains(flat, asked)", "asked == \"\\x00\""},
		},
	},
	{
		Name: "chain-not-advanced", Promise: "frame-chain",
		Why: "p= is filled in once and never again",
		Edits: []Edit{
			{"bridge/round.go", "Prev: s.Checkpoint.Prev(), QID", "Prev: wire.NoPlan, QID"},
		},
	},
	{
		Name: "round-number-reused", Promise: "round-once",
		Why: "after a round without a plan its number is taken again",
		Edits: []Edit{
			{
				"bridge/round.go", "frame := r.frame(s.LastRound() + 1)",
				"frame := r.frame(s.LastRound() + 1)\n\tif c := s.Current(); c != nil && c.Closed {\n" +
					"\t\tframe.Round = c.Round\n\t}",
			},
			{"bridge/session/intent.go", "\tcase r.Round <= last:\n\t\treturn noEdge, " +
				"ErrRoundTwice\n", ""},
			{
				"bridge/session/intent.go", "\tcase r.Round != last+1:\n\t\treturn noEdge, " +
					"ErrRoundNotAdvancing\n", "",
			},
		},
	},
	{
		Name: "resume-resends-contract", Promise: "static-text",
		Why: "the contract is sent along to be safe",
		Edits: []Edit{
			{
				"bridge/sayresume.go", "r.send(ctx, r.offer.Resume(ck, next), session",
				"r.send(ctx, r.offer.Resume(ck, next)+\"\\n\\n\"+r.offer.Hello(), session",
			},
			{
				"bridge/deliver.go", "return r.offer.Resume(m.CK, m.Next)",
				"return r.offer.Resume(m.CK, m.Next) + \"\\n\\n\" + r.offer.Hello()",
			},
		},
	},
	{
		Name: "repair-on-capture-fault", Promise: "repair-remote",
		Why: "whatever is wrong with a reply is the other side's fault",
		Edits: []Edit{{
			"bridge/round.go", "\tif err != nil {\n\t\treturn err\n\t}\n\tround := r.state().Round\n",
			"\tif isCapture(err) {\n\t\treturn r.invalid(r.state().Round, \"PLAN pi-bridge/1\", " +
				"[]wire.Fault{{Code: wire.CodeRequired}})\n\t}\n" +
				"\tif err != nil {\n\t\treturn err\n\t}\n\tround := r.state().Round\n",
		}},
	},
	{
		Name: "repair-without-bound", Promise: "repair-bounded",
		Why: "one more try can always help",
		Edits: []Edit{
			{"bridge/round.go", "if c.Repairs >= wire.MaxRepairs {", "if c.Repairs >= 6 {"},
			{
				"bridge/session/intent.go", "\tcase cur.Repairs >= wire.MaxRepairs:\n\t\treturn noEdge, " +
					"ErrRepairBound\n",
				"",
			},
		},
	},
	{
		Name: "repair-in-new-round", Promise: "repair-bounded",
		Why: "a REPAIR is counted as a round of its own",
		Edits: []Edit{{
			"bridge/round.go", "wire.RepairRound(r.frame(c.Round), c.Codes)",
			"wire.RepairRound(r.frame(c.Round+1), c.Codes)",
		}},
	},
	{
		Name: "version-change-ignored", Promise: "row",
		Why: "the acknowledgement of the start is taken to hold for ever (row 9)",
		Edits: []Edit{{
			"bridge/establish.go", "return r.state().Acked != offered(r.offer)", "return false",
		}},
	},
}

// armWhatStands arms the fence for the text that stands in the composer, whatever it is: the fence
// would let nothing else through, and be what stops the mistake.
var armWhatStands = Edit{
	"bridge/page/submission.go",
	"\tif err == nil && !f.Holds {\n\t\treturn unlike(s.Text, f.Composer)\n\t}\n",
	"\tif err == nil && !f.Holds {\n\t\theld := *s\n\t\theld.Text = f.Composer\n" +
		"\t\t_, err = p.fence(ctx, &held, false)\n\t}\n",
}
