package truth_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/recovery"
	"bridgesim/sim/truth"
)

func TestTruth(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "truth")
}

// calm is a pi in the middle of round 2 with nothing wrong: attached, waiting for a running answer.
func calm(edit func(*truth.Facts)) truth.Facts {
	f := truth.Facts{
		Known: true, Certain: true, Memory: true, Attached: true, Ours: true, Effects: true,
		Turn: truth.Running,
	}
	edit(&f)
	return f
}

func restarted(edit func(*truth.Facts)) truth.Facts {
	return calm(func(f *truth.Facts) {
		f.Memory, f.Attached, f.Ours, f.Line = false, false, false, truth.LineDown
		edit(f)
	})
}

var rows = []struct {
	row  int
	what string
	f    truth.Facts
}{
	{1, "the copy button is broken and the record is down", calm(func(f *truth.Facts) {
		f.Turn, f.Unread, f.Record = truth.Finished, true, truth.RecordDown
	})},
	{
		2,
		"near miss of 1: the turn is not finished yet",
		calm(func(f *truth.Facts) { f.Unread = true }),
	},
	{
		0,
		"near miss of 1: another conversation is shown, nothing of the transport failed",
		calm(func(f *truth.Facts) {
			f.Turn, f.Unread, f.Ours = truth.Finished, true, false
		}),
	},
	{2, "the answer does not come", calm(func(*truth.Facts) {})},
	{2, "the message never arrived", calm(func(f *truth.Facts) { f.Turn = truth.NotTaken })},
	{2, "the turn ended with an error", calm(func(f *truth.Facts) { f.Turn = truth.EndedWithout })},
	{2, "the site has the answer and the page does not show it", calm(func(f *truth.Facts) {
		f.Turn, f.Behind = truth.Finished, true
	})},
	{2, "the page takes no first message", calm(func(f *truth.Facts) {
		f.Turn, f.Behind = truth.NoMessage, true
	})},
	{
		0,
		"near miss of 2: the answer is there and can be read",
		calm(func(f *truth.Facts) { f.Turn = truth.Finished }),
	},
	{12, "near miss of 2: a blocker stands", calm(func(f *truth.Facts) { f.Shown = true })},
	{
		3,
		"the socket is cut",
		calm(func(f *truth.Facts) { f.Line, f.Attached = truth.LineDown, false }),
	},
	{
		3,
		"the socket is cut and pi is attached again",
		calm(func(f *truth.Facts) { f.Line = truth.LineDown }),
	},
	{4, "near miss of 3: the page was reloaded meanwhile", calm(func(f *truth.Facts) {
		f.Line, f.Place = truth.LineDown, truth.NewDocument
	})},
	{6, "near miss of 3: pi was restarted", restarted(func(*truth.Facts) {})},
	{
		4,
		"the page is reloaded under a living session",
		calm(func(f *truth.Facts) { f.Place = truth.NewDocument }),
	},
	{9, "near miss of 4: the versions changed as well", calm(func(f *truth.Facts) {
		f.Place, f.Changed = truth.NewDocument, true
	})},
	{5, "the browser is started again", calm(func(f *truth.Facts) {
		f.Line, f.Attached, f.Ours, f.Place = truth.LineDown, false, false, truth.NoTab
	})},
	{5, "memory counts, not the cache", calm(func(f *truth.Facts) {
		f.Line, f.Place, f.Journal = truth.LineDown, truth.NoTab, truth.JournalCorrupt
	})},
	{0, "near miss of 5: a temporary chat has no address", calm(func(f *truth.Facts) {
		f.Line, f.Place = truth.LineDown, truth.NoAddress
	})},
	{
		6,
		"pi is restarted and the browser too",
		restarted(func(f *truth.Facts) { f.Place = truth.NoTab }),
	},
	{
		7,
		"near miss of 6: the journal is gone",
		restarted(func(f *truth.Facts) { f.Journal = truth.JournalNone }),
	},
	{
		7,
		"the journal is an older one",
		restarted(func(f *truth.Facts) { f.Journal = truth.JournalStale }),
	},
	{
		7,
		"the journal is corrupt",
		restarted(func(f *truth.Facts) { f.Journal = truth.JournalCorrupt }),
	},
	{0, "near miss of 7: the record has gaps", restarted(func(f *truth.Facts) {
		f.Journal, f.Record = truth.JournalNone, truth.RecordGaps
	})},
	{
		0,
		"a journal of a newer version",
		restarted(func(f *truth.Facts) { f.Journal = truth.JournalNewer }),
	},
	{
		0,
		"a journal of another sid",
		restarted(func(f *truth.Facts) { f.Journal = truth.JournalForeign }),
	},
	{8, "nothing proves the ack", restarted(func(f *truth.Facts) {
		f.Journal, f.Record, f.Known = truth.JournalNone, truth.RecordGaps, false
	})},
	{0, "near miss of 8: the checkpoint is not certain either", restarted(func(f *truth.Facts) {
		f.Journal, f.Record, f.Known, f.Certain = truth.JournalNone, truth.RecordGaps, false, false
	})},
	{
		9,
		"pi was restarted with other capabilities",
		restarted(func(f *truth.Facts) { f.Changed = true }),
	},
	{11, "near miss of 9: the agent is gone besides", restarted(func(f *truth.Facts) {
		f.Changed, f.Agent = true, truth.Gone
	})},
	{
		10,
		"the record holds two histories",
		restarted(func(f *truth.Facts) { f.Record = truth.RecordClash }),
	},
	{10, "the journal names turns that a whole record lacks", restarted(func(f *truth.Facts) {
		f.Record = truth.RecordBehind
	})},
	{3, "near miss of 10: memory outranks history", calm(func(f *truth.Facts) {
		f.Line, f.Record = truth.LineDown, truth.RecordClash
	})},
	{
		7,
		"near miss of 10: without a journal nothing names the missing turns",
		restarted(func(f *truth.Facts) {
			f.Journal = truth.JournalNone
		}),
	},
	{11, "the agent's process is gone without a receipt", calm(func(f *truth.Facts) {
		f.Turn, f.Agent = truth.Finished, truth.Gone
	})},
	{
		11,
		"pi was restarted and nobody can ask the agent",
		restarted(func(f *truth.Facts) { f.Mute = true }),
	},
	{
		6,
		"near miss of 11: the agent is still at work",
		restarted(func(f *truth.Facts) { f.Agent = truth.Working }),
	},
	{
		6,
		"near miss of 11: there is a receipt",
		restarted(func(f *truth.Facts) { f.Agent = truth.Settled }),
	},
	{6, "near miss of 11: it never ran", restarted(func(*truth.Facts) {})},
	{6, "near miss of 11: the plan has no effects", restarted(func(f *truth.Facts) {
		f.Agent, f.Effects = truth.Gone, false
	})},
	{3, "near miss of 11: memory is there, the agent lives and is mute", calm(func(f *truth.Facts) {
		f.Line, f.Agent, f.Mute = truth.LineDown, truth.Working, true
	})},
	{
		12,
		"a captcha after a drop",
		calm(func(f *truth.Facts) { f.Line, f.Shown = truth.LineDown, true }),
	},
	{
		14,
		"near miss of 12: a boundary comes first",
		calm(func(f *truth.Facts) { f.Shown, f.Boundary = true, true }),
	},
	{
		13,
		"the budget is used up",
		calm(func(f *truth.Facts) { f.Line, f.Spent = truth.LineDown, true }),
	},
	{13, "RESYNC was refused as well", calm(func(f *truth.Facts) {
		f.Turn, f.Refused, f.Resynced = truth.Finished, true, true
	})},
	{0, "near miss of 13: RESUME was refused, RESYNC is still to come", calm(func(f *truth.Facts) {
		f.Turn, f.Refused = truth.Finished, true
	})},
	{14, "the wall time is over", calm(func(f *truth.Facts) { f.Boundary = true })},
	{
		15,
		"near miss of 14: a bug comes first",
		calm(func(f *truth.Facts) { f.Boundary, f.Bug = true, true }),
	},
	{15, "a panic", calm(func(f *truth.Facts) { f.Bug = true })},
	{3, "near miss of 15: a drop is no bug", calm(func(f *truth.Facts) { f.Line = truth.LineDown })},
}

var _ = Describe("the expected row", func() {
	for _, r := range rows {
		It(r.what, func() {
			row, why := truth.Expected(r.f)
			Expect(row).To(Equal(r.row), why)
			Expect(why).NotTo(BeEmpty())
		})
	}

	It("comes up for every row of the table", func() {
		seen := map[int]bool{}
		for _, r := range rows {
			seen[r.row] = true
		}
		for row := range 16 {
			Expect(seen[row]).To(BeTrue(), "row %d", row)
		}
	})

	// Two tables, written apart: where a bridge knows all, both must say the same.
	It("is the row of a bridge that knows everything", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			f := drawn(t)
			want, why := truth.Expected(f)
			e := knowing(&f)
			if err := truth.Compatible(e, f); err != nil {
				t.Fatal(err)
			}
			if v := recovery.Decide(e); v.Row != want {
				t.Fatalf(
					"%+v\n%s\nDecide takes row %d (%s), the world says row %d: %s",
					f,
					e,
					v.Row,
					v.Reason,
					want,
					why,
				)
			}
		})
	})
})

// drawn draws facts that can be true together. A journal of a newer version or of another sid is left
// out: such a pi stops before it decides anything.
func drawn(t *rapid.T) truth.Facts {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	rare := func(name string) bool { return rapid.IntRange(0, 7).Draw(t, name) == 0 }
	pick := func(name string, n int) int { return rapid.IntRange(0, n).Draw(t, name) }
	f := truth.Facts{
		Bug: rare("bug"), Boundary: rare("boundary"), Shown: rare("shown"), Spent: rare("spent"),
		Changed: rare("changed"), Known: !rare("unproven ack"), Certain: !rare("uncertain"),
		Memory: flag("memory"), Journal: truth.Journal(pick("journal", int(truth.JournalStale))),
		Record: truth.Record(pick("record", 4)), Agent: truth.Agent(pick("agent", 3)),
		Mute: rare("mute"), Effects: flag("effects"), Line: truth.Line(pick("line", 1)),
		Attached: flag("attached"), Ours: flag("ours"), Behind: rare("behind"),
		Place: truth.Place(pick("place", 3)),
		Turn:  truth.Turn(1 + pick("turn", 3)), Unread: flag("unread"),
	}
	f.Ours = f.Ours && f.Attached
	f.Known = f.Known || f.Memory
	return f
}

// knowing is the evidence of a bridge that knows everything.
func knowing(f *truth.Facts) recovery.Evidence {
	row, _ := truth.Expected(
		truth.Facts{Agent: f.Agent, Mute: f.Mute, Effects: f.Effects, Memory: f.Memory},
	)
	conflict := !f.Memory && (f.Record == truth.RecordClash ||
		f.Record == truth.RecordBehind && f.Journal == truth.JournalWhole)
	e := recovery.Evidence{
		Attached: recovery.Of(f.Attached), Same: recovery.Of(f.Ours), Memory: recovery.Of(f.Memory),
		Cache: recovery.Of(
			f.Journal == truth.JournalWhole,
		), History: recovery.Of(f.Record == truth.RecordWhole),
		Boundary: recovery.Of(f.Boundary), Blocker: recovery.Of(f.Shown), Spent: recovery.Of(f.Spent),
		Conflict: recovery.Of(
			conflict,
		), Doubt: recovery.Of(row == 11), Changed: recovery.Of(f.Changed),
		Acked: recovery.Of(f.Known), Sure: recovery.Of(f.Certain),
		Place: [...]recovery.Place{
			recovery.SameTab, recovery.Reloaded, recovery.Relaunched, recovery.Nowhere,
		}[f.Place],
	}
	switch {
	case f.Bug:
		e.Failure = recovery.Bug
	case f.Line == truth.LineDown || f.Place != truth.SameDocument:
		e.Failure = recovery.Dropped
	case f.Turn == truth.NotTaken:
		e.Failure = recovery.Unproven
	case f.Turn == truth.Finished && f.Unread:
		e.Failure = recovery.Capture
	case f.Turn != truth.Finished || f.Behind:
		e.Failure = recovery.Wait
	}
	return e
}

var _ = Describe("evidence", func() {
	It("may be weaker", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			f := drawn(t)
			e := knowing(&f)
			for _, fact := range []*recovery.Fact{
				&e.Attached, &e.Same, &e.Memory, &e.Cache, &e.History, &e.Boundary, &e.Blocker, &e.Spent,
				&e.Conflict, &e.Doubt, &e.Changed, &e.Acked, &e.Sure,
			} {
				if rapid.Bool().Draw(t, "forget") {
					*fact = recovery.Unknown
				}
			}
			if rapid.Bool().Draw(t, "nowhere") {
				e.Place = recovery.Somewhere
			}
			if err := truth.Compatible(e, f); err != nil {
				t.Fatal(err)
			}
		})
	})

	DescribeTable(
		"is never false",
		func(edit func(*recovery.Evidence), text string) {
			f := calm(
				func(f *truth.Facts) { f.Line, f.Attached, f.Ours = truth.LineDown, false, false },
			)
			e := knowing(&f)
			Expect(truth.Compatible(e, f)).To(Succeed())
			edit(&e)
			err := truth.Compatible(e, f)
			Expect(err).To(MatchError(truth.ErrFalse))
			Expect(err).To(MatchError(ContainSubstring(text)))
		},
		Entry(
			"attached",
			func(e *recovery.Evidence) { e.Attached = recovery.Yes },
			"attached is yes",
		),
		Entry("memory", func(e *recovery.Evidence) { e.Memory = recovery.No }, "memory is no"),
		Entry("cache", func(e *recovery.Evidence) { e.Cache = recovery.No }, "cache is no"),
		Entry("history", func(e *recovery.Evidence) { e.History = recovery.No }, "history is no"),
		Entry(
			"boundary",
			func(e *recovery.Evidence) { e.Boundary = recovery.Yes },
			"boundary is yes",
		),
		Entry("blocker", func(e *recovery.Evidence) { e.Blocker = recovery.Yes }, "blocker is yes"),
		Entry("spent", func(e *recovery.Evidence) { e.Spent = recovery.Yes }, "spent is yes"),
		Entry(
			"conflict",
			func(e *recovery.Evidence) { e.Conflict = recovery.Yes },
			"conflict is yes",
		),
		Entry("doubt", func(e *recovery.Evidence) { e.Doubt = recovery.Yes }, "doubt is yes"),
		Entry("changed", func(e *recovery.Evidence) { e.Changed = recovery.Yes }, "changed is yes"),
		Entry("acked", func(e *recovery.Evidence) { e.Acked = recovery.No }, "acked is no"),
		Entry("sure", func(e *recovery.Evidence) { e.Sure = recovery.No }, "sure is no"),
		Entry(
			"place",
			func(e *recovery.Evidence) { e.Place = recovery.Reloaded },
			"the place is reloaded",
		),
		Entry("a bug", func(e *recovery.Evidence) { e.Failure = recovery.Bug }, "the failure is bug"),
		Entry(
			"a wait",
			func(e *recovery.Evidence) { e.Failure = recovery.Wait },
			"the failure is wait",
		),
		Entry(
			"a capture",
			func(e *recovery.Evidence) { e.Failure = recovery.Capture },
			"the failure is capture",
		),
		Entry(
			"a refusal",
			func(e *recovery.Evidence) { e.Failure = recovery.Refusal },
			"the failure is refusal",
		),
	)

	It("is read back from a note", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			f := drawn(t)
			e := knowing(&f)
			got, ok := truth.ReadEvidence("look; " + e.String())
			if !ok || got != e {
				t.Fatalf("%v: %s came back as %s", ok, e, got)
			}
		})
		for _, text := range []string{"", "look", "failure none, moon yes", "failure x", "failure none, same maybe"} {
			_, ok := truth.ReadEvidence(text)
			Expect(ok).To(BeFalse(), text)
		}
	})

	It("names a page that is not ours", func() {
		f := calm(func(f *truth.Facts) { f.Ours = false })
		e := knowing(&f)
		e.Same = recovery.Yes
		Expect(truth.Compatible(e, f)).To(MatchError(ContainSubstring("same is yes")))
	})

	It("lets a bug be no drop, and a drop no bug", func() {
		f := calm(func(f *truth.Facts) { f.Bug = true })
		e := knowing(&f)
		e.Failure = recovery.Dropped
		Expect(truth.Compatible(e, f)).To(MatchError(truth.ErrFalse))
	})
})

func BenchmarkExpected(b *testing.B) {
	f := restarted(func(f *truth.Facts) { f.Journal = truth.JournalNone })
	b.ReportAllocs()
	for b.Loop() {
		if row, _ := truth.Expected(f); row != 7 {
			b.Fatal(row)
		}
	}
}
