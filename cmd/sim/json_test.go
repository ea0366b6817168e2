package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lowerCamel is how every name in our JSON is written.
var lowerCamel = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// TestJSONHasOneStyle: every document that sim prints or keeps as JSON has its names in lower camel
// case, and seeds as text, because a number of JSON loses their last digits.
func TestJSONHasOneStyle(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	feature := put("x.feature", "@row-01\nFeature: x\n  Scenario: passes\n"+
		"    When the bridge relays the request\n    Then the session ends as \"done\"\n"+
		"  Scenario: fails\n    Given round 1 is answered with \"done\"\n"+
		"    And \"sever\" strikes before the submit of round 9\n"+
		"    When the bridge relays the request\n    Then every fault struck\n")
	reply := put("reply.md", "no block at all\n")
	report := filepath.Join(dir, "out")
	history := filepath.Join(report, "x-3.virtual.ndjson")

	for _, c := range []struct {
		args []string
		has  []string // names that must be there
	}{
		{
			[]string{
				"run", "--format", "json", "--seed", "18446744073709551615", "--report", report,
				feature,
			},
			[]string{
				"passed", "failed", "aborted", "took", "outcomes", "uri", "line", "seed", "repeat",
				"missed",
			},
		},
		{[]string{"judge", history, "--json"}, []string{"promises", "verdict", "seed"}},
		{[]string{"coverage", "--run", "--json", feature}, []string{"engines", "tables", "holes"}},
		{[]string{"steps", "--json"}, []string{"group", "pattern"}},
		{[]string{"wire", "check", reply, "--json"}, []string{"faults", "ok"}},
		{
			[]string{"import", "--json", "../../sim/trace/testdata/t1-playwright-1006.log"},
			[]string{"entries", "losses", "disconnect", "inFlight", "notUnderstood"},
		},
		{[]string{"doctor", "--json"}, []string{"checks", "ok"}},
	} {
		var out, errs bytes.Buffer
		code := run(c.args, strings.NewReader(""), &out, &errs)
		if code > exitFail && c.args[0] != "doctor" {
			t.Errorf("sim %s: exit code %d: %s", strings.Join(c.args, " "), code, &errs)
			continue
		}
		checkStyle(t, strings.Join(c.args, " "), out.Bytes(), c.has)
	}
	kept, err := os.ReadFile(filepath.Join(report, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	checkStyle(t, "summary.json", kept, []string{"passed", "outcomes", "history"})
}

func checkStyle(t *testing.T, what string, text []byte, has []string) {
	t.Helper()
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Errorf("%s: %v\n%s", what, err, text)
		return
	}
	var names []string
	walkJSON(document, func(name string, value any) {
		names = append(names, name)
		if !lowerCamel.MatchString(name) {
			t.Errorf("%s: the name %q is in another style", what, name)
		}
		if _, text := value.(string); name == "seed" && !text {
			t.Errorf("%s: the seed is %v, want text", what, value)
		}
	})
	for _, name := range has {
		if !slices.Contains(names, name) {
			t.Errorf("%s: no %q in\n%s", what, name, text)
		}
	}
}

func walkJSON(v any, each func(name string, value any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			each(name, value)
			walkJSON(value, each)
		}
	case []any:
		for _, value := range v {
			walkJSON(value, each)
		}
	}
}
