package recovery

import (
	"slices"
	"strings"
	"testing"
)

// quiet is evidence in which nothing stands in the way of anything.
func quiet(change func(*Evidence)) Evidence {
	e := Evidence{
		Failure: Dropped, Place: SameTab, Attached: Yes, Same: Yes, Memory: Yes, Cache: Yes,
		History: Yes, Boundary: No, Blocker: No, Spent: No, Conflict: No, Doubt: No, Changed: No,
		Acked: Yes, Sure: Yes,
	}
	change(&e)
	return e
}

// TestRows: each row by its own evidence, and the near miss that falls into another.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Evidence)
		row    int
		act    Act
	}{
		{"capture failed", func(e *Evidence) { e.Failure = Capture }, 1, Retry},
		{"wait timed out", func(e *Evidence) { e.Failure = Wait }, 2, Retry},
		{"send unproven", func(e *Evidence) { e.Failure = Unproven }, 2, Retry},
		{"socket dropped", func(*Evidence) {}, 3, Continue},
		{"socket dropped, not attached yet", func(e *Evidence) { e.Attached = Unknown }, 3, Look},
		{"page reloaded", func(e *Evidence) { e.Place = Reloaded }, 4, Continue},
		{"browser relaunched", func(e *Evidence) { e.Place = Relaunched }, 5, Continue},
		{"pi restarted", func(e *Evidence) { e.Memory, e.Failure = No, NoFailure }, 6, Resume},
		{"pi restarted, record unread", func(e *Evidence) {
			e.Memory, e.Failure, e.History = No, NoFailure, Unknown
		}, 6, Look},
		{"cache lost", func(e *Evidence) { e.Memory, e.Cache = No, No }, 7, Resume},
		{"cache lost, memory there", func(e *Evidence) { e.Cache = No }, 3, Continue},
		{"no ACK", func(e *Evidence) { e.Failure, e.Acked = Refusal, No }, 8, Resync},
		{"capabilities changed", func(e *Evidence) { e.Changed = Yes }, 9, Resync},
		{"two histories", func(e *Evidence) { e.Conflict = Yes }, 10, GiveUp},
		{"did it run?", func(e *Evidence) { e.Doubt = Yes }, 11, GiveUp},
		{"captcha", func(e *Evidence) { e.Blocker = Yes }, 12, GiveUp},
		{"budget spent", func(e *Evidence) { e.Spent = Yes }, 13, GiveUp},
		{"boundary", func(e *Evidence) { e.Boundary = Yes }, 14, GiveUp},
		{"bug", func(e *Evidence) { e.Failure = Bug }, 15, Throw},
		{"bug at a boundary", func(e *Evidence) { e.Failure, e.Boundary = Bug, Yes }, 15, Throw},
		{"captcha at a boundary", func(e *Evidence) { e.Blocker, e.Boundary = Yes, Yes }, 14, GiveUp},
		{"no address", func(e *Evidence) { e.Place = Nowhere }, 0, GiveUp},
		{"nothing looked at", func(e *Evidence) { e.Place, e.Attached = Somewhere, No }, 0, Look},
	} {
		e := quiet(c.change)
		if v := Decide(e); v.Row != c.row || v.Act != c.act {
			t.Errorf("%s: row %d %s, expected row %d %s", c.name, v.Row, v.Act, c.row, c.act)
		}
	}
}

func TestVerdictNamesWhatAlsoMatched(t *testing.T) {
	v := Decide(quiet(func(e *Evidence) { e.Changed, e.Place = Yes, Reloaded }))
	if v.Row != 9 || !slices.Equal(v.Also, []int{4}) {
		t.Errorf("row %d, also %v", v.Row, v.Also)
	}
	if v.Forbidden&SendResync != 0 {
		t.Error("row 4 forbids answering a reload with RESYNC; it does not bind row 9")
	}
	if v.Forbidden&Pretend == 0 {
		t.Error("row 9 forbids pretending that the old ACK holds")
	}
}

func TestUnlistedEvidenceIsNamed(t *testing.T) {
	v := Decide(quiet(func(e *Evidence) { e.Place = Nowhere }))
	if !strings.Contains(v.Reason, "nowhere") {
		t.Errorf("the reason is %q", v.Reason)
	}
}

func TestOrderHoldsEveryRowOnce(t *testing.T) {
	seen := map[int]bool{}
	for _, n := range Order() {
		seen[n] = true
	}
	if len(seen) != len(table) || len(order) != len(table) {
		t.Errorf("order is %v", order)
	}
	for i, row := range Rows() {
		if row.Number != i+1 || row.Failure == "" || row.Action == "" || row.Forbids == "" {
			t.Errorf("row %d is incomplete", i+1)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	b.ReportAllocs()
	e := quiet(func(*Evidence) {})
	for b.Loop() {
		Decide(e)
	}
}
