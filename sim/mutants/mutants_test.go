package mutants

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestTable: every mutant applies to the source as it is, and says what must catch it and why.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range append([]Mutant{canary}, table...) {
		if _, err := m.applied("../.."); err != nil {
			t.Error(err)
		}
		if seen[m.Name] || m.Why == "" || len(m.Edits) == 0 {
			t.Errorf("%s: its name is taken, or it has no reason or no edit", m.Name)
		}
		seen[m.Name] = true
		if !slices.Contains(Judges(), m.Promise) {
			t.Errorf("%s: nobody judges %q", m.Name, m.Promise)
		}
		if (m.Promise == Test) != (m.Package != "" && m.Run != "") {
			t.Errorf("%s: a Go test is named when the promise is one, and only then", m.Name)
		}
	}
	if len(table) < 30 {
		t.Errorf("there are %d mutants, and at least 30 are wanted", len(table))
	}
}

// TestEdits: a text that is not there, or there twice, is refused; it would prove nothing.
func TestEdits(t *testing.T) {
	for _, from := range []string{"no such text", "return"} {
		m := Mutant{Name: "x", Edits: []Edit{{"bridge/relay.go", from, ""}}}
		if _, err := m.applied("../.."); !errors.Is(err, ErrEdit) {
			t.Errorf("%q: %v", from, err)
		}
	}
	m := Mutant{Name: "x", Edits: []Edit{{"bridge/none.go", "a", "b"}}}
	if _, err := m.applied("../.."); !errors.Is(err, ErrEdit) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestVerdicts: what is caught by anything but its promise, or by nothing, fails; so do a red
// control and a green canary.
func TestVerdicts(t *testing.T) {
	m := &Mutant{Promise: "quiet"}
	for _, c := range []struct {
		m    *Mutant
		by   []Kill
		want Verdict
		fail bool
	}{
		{m, []Kill{{By: "row"}, {By: "quiet"}}, Killed, false},
		{m, []Kill{{By: "row"}}, Missed, true},
		{m, nil, Survived, true},
		{&canary, nil, Survived, true},
		{&control, nil, Green, false},
		{&control, []Kill{{By: "row"}}, Red, true},
	} {
		got := c.m.verdict(c.by)
		rep := Report{Results: []Result{{Verdict: got}}}
		if got != c.want || rep.Failed() != c.fail {
			t.Errorf("%s %v: %s, failed %v", c.m.Promise, c.by, got, rep.Failed())
		}
	}
}

// TestSome builds the bridge as it is, the canary and three mutants.
func TestSome(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds sim five times")
	}
	rep := run(t, Options{
		Only:     []string{"second-hello", "done-executed", "denied-executed"},
		Features: []string{"features/session", "features/recovery/row-08.feature"},
	})
	if rep.Failed() || len(rep.Results) != 5 {
		var b strings.Builder
		_ = rep.Print(&b) // a Builder does not fail
		t.Error(b.String())
	}
}

// TestUnknownName: a name that no mutant has builds nothing.
func TestUnknownName(t *testing.T) {
	_, err := Run(context.Background(), Options{Root: "../..", Only: []string{"no-such"}})
	if !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

func run(t *testing.T, o Options) *Report {
	t.Helper()
	root, err := Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o.Root, o.Jobs = root, 2
	rep, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
