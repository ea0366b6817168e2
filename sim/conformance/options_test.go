package conformance

import (
	"reflect"
	"slices"
	"testing"

	"bridgesim/fakesite"
)

// TestEverySwitchHasAState fails when the site gets a switch that no state of the table sets.
func TestEverySwitchHasAState(t *testing.T) {
	set := map[string]bool{}
	states := States()
	for i := range states {
		noteSet(set, "", reflect.ValueOf(states[i].Site.Options))
		noteSet(set, "Timing.", reflect.ValueOf(states[i].Site.Timing))
		noteSet(set, "Script.", reflect.ValueOf(states[i].Site.Script))
	}
	for _, want := range slices.Concat(
		namesOf("", reflect.TypeFor[fakesite.Options]()),
		namesOf("Timing.", reflect.TypeFor[fakesite.Timing]()),
		namesOf("Script.", reflect.TypeFor[fakesite.Script]()),
	) {
		if !set[want] && want != "Script.Rest" { // rounds behind the scripted ones say what those say
			t.Errorf("no state sets %s: add one to the table", want)
		}
	}
}

// namesOf lists the fields of a structure, those of structures inside with their path.
func namesOf(prefix string, typ reflect.Type) []string {
	var out []string
	for _, f := range reflect.VisibleFields(typ) {
		if f.Type.Kind() == reflect.Struct && f.Name == "Faults" {
			out = append(out, namesOf(prefix+f.Name+".", f.Type)...)
		} else {
			out = append(out, prefix+f.Name)
		}
	}
	return out
}

// noteSet notes the fields that are not zero.
func noteSet(set map[string]bool, prefix string, v reflect.Value) {
	for _, f := range reflect.VisibleFields(v.Type()) {
		field := v.FieldByIndex(f.Index)
		if f.Name == "Faults" {
			noteSet(set, prefix+f.Name+".", field)
		} else if !field.IsZero() {
			set[prefix+f.Name] = true
		}
	}
}

// TestEveryValueHasAState does the same for what has a list of values.
func TestEveryValueHasAState(t *testing.T) {
	seen := map[string]bool{}
	states := States()
	for i := range states {
		s := &states[i]
		seen["family "+s.Site.Options.Family] = true
		seen["editor "+s.Site.Options.Editor] = true
		seen["code "+s.Site.Options.CodeView] = true
		seen["from the start "+string(s.Block)] = true
		for _, b := range s.Site.Options.Faults.Block {
			seen[map[bool]string{false: "before ", true: "after "}[b.After]+string(b.Blocker)] = true
		}
		for _, r := range s.Site.Options.Faults.Refuse {
			seen["refuse "+string(r.Why)] = true
		}
		noteMoves(seen, &s.Site.Script)
	}
	want := []string{
		"family ", "family section", "family article", "family li", "family b", "editor ",
		"editor prosemirror",
		"editor lexical", "code ", "code classic", "code cm",
	}
	for _, b := range fakesite.Blockers() {
		want = append(want, "from the start "+string(b), "before "+string(b), "after "+string(b))
	}
	for _, d := range fakesite.Deviations() {
		for _, part := range d.Applies {
			want = append(want, string(part)+" "+string(d.Name))
		}
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("no state has %q: add one to the table", w)
		}
	}
}

func noteMoves(seen map[string]bool, s *fakesite.Script) {
	for _, m := range s.Handshake {
		seen[string(fakesite.PartAck)+" "+string(m.Deviate)] = true
	}
	for _, m := range s.Resume {
		seen[string(fakesite.PartResume)+" "+string(m.Deviate)] = true
	}
	for _, r := range s.Rounds {
		for _, m := range r.Moves {
			seen[string(fakesite.PartPlan)+" "+string(m.Deviate)] = true
		}
	}
}

// TestTheTableIsSound: the site takes every configuration, and names are told apart.
func TestTheTableIsSound(t *testing.T) {
	names := map[string]bool{}
	states := States()
	for i := range states {
		s := &states[i]
		if names[s.Name] {
			t.Errorf("two states are called %q", s.Name)
		}
		names[s.Name] = true
		if err := s.Site.Options.Validate(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if err := s.Site.Script.Validate(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
