package truth_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/recovery"
	"bridgesim/sim/truth"
)

// drawn draws facts that can be true together. A journal of a newer version or of another sid is
// left out: such a pi stops before it decides anything.
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
		for _, text := range []string{
			"", "look", "failure none, moon yes", "failure x",
			"failure none, same maybe",
		} {
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

	It("lets a page that was left for a new chat look like one that is waited for", func() {
		f := calm(func(f *truth.Facts) { f.Place, f.Ours = truth.NoAddress, false })
		e := knowing(&f)
		e.Failure, e.Same, e.Place = recovery.Wait, recovery.Unknown, recovery.Somewhere
		Expect(truth.Compatible(e, f)).To(Succeed())
		e.Same = recovery.Yes
		Expect(truth.Compatible(e, f)).To(MatchError(ContainSubstring("same is yes")))
		f.Line, e.Same = truth.LineDown, recovery.Unknown
		Expect(truth.Compatible(e, f)).To(MatchError(ContainSubstring("the failure is wait")))
		f.Line, f.Place = truth.LineUp, truth.NoTab
		Expect(truth.Compatible(e, f)).To(MatchError(ContainSubstring("the failure is wait")))
	})

	It("lets a bug be no drop, and a drop no bug", func() {
		f := calm(func(f *truth.Facts) { f.Bug = true })
		e := knowing(&f)
		e.Failure = recovery.Dropped
		Expect(truth.Compatible(e, f)).To(MatchError(truth.ErrFalse))
	})
})
