package scenarios

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"bridgesim/fakesite"
)

// TestTimesBelongToTheirAnswer: a step that says how long an answer takes and one that says what it
// is speak of the same answer, in either order. A second answer would never be given.
func TestTimesBelongToTheirAnswer(t *testing.T) {
	slow := fakesite.Move{Decision: "continue", Think: 20 * time.Second, Write: 2 * time.Minute}
	for given, want := range map[string][]fakesite.Move{
		"Given round 1 is answered with \"continue\"\n" +
			"And round 1 thinks for \"20s\" and writes for \"2m\"": {slow},
		"Given round 1 thinks for \"20s\" and writes for \"2m\"\n" +
			"And round 1 is answered with \"continue\"": {slow},
		"Given round 1 is answered first with \"plan-no-decision\"\n" +
			"And round 1 is answered with \"continue\"": {
			{Decision: "continue", Deviate: "plan-no-decision"}, {Decision: "continue"},
		},
		"Given round 1 thinks for \"1s\"\nAnd round 1 thinks for \"2s\"": {
			{Think: time.Second}, {Think: 2 * time.Second},
		},
	} {
		moves := movesOf(t, given)
		if len(moves) != len(want) {
			t.Errorf("%s\ngives %d answers, want %d: %+v", given, len(moves), len(want), moves)
			continue
		}
		for i, m := range moves {
			w := want[i]
			if m.Decision != w.Decision || m.Deviate != w.Deviate || m.Think != w.Think ||
				m.Write != w.Write {
				t.Errorf("%s\nanswer %d is %+v, want %+v", given, i+1, m, w)
			}
		}
	}
}

// movesOf is what these Given steps script for round 1.
func movesOf(t *testing.T, given string) []fakesite.Move {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.feature")
	text := "Feature: f\n\nScenario: s\n" + given +
		"\nWhen the bridge relays the request\nThen the session ends as \"done\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile([]string{path}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	return compiled[0].Script.Persona.Rounds[0].Moves
}
