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

func BenchmarkExpected(b *testing.B) {
	f := restarted(func(f *truth.Facts) { f.Journal = truth.JournalNone })
	b.ReportAllocs()
	for b.Loop() {
		if row, _ := truth.Expected(f); row != 7 {
			b.Fatal(row)
		}
	}
}
