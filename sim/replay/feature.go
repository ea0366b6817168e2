package replay

import (
	"fmt"
	"strings"

	"bridgesim/faults"
)

// plain is the session that stands in for an unknown one. It holds every state in which an imported
// disconnect may be placed.
var plain = []string{
	`the site answers at "typical" pace`,
	`round 1 thinks for "20s" and writes for "3m"`,
	`round 2 is answered with "done"`,
}

// Feature writes a scenario as a feature with a schedule. A recording of a real browser gives a
// schedule whose places are named by what the bridge did there, so it strikes on every engine.
func Feature(s Scenario, plan faults.Schedule, then []string) string {
	var b strings.Builder
	b.WriteString("# Written by sim replay from a recording.\n")
	if s.URI != "" {
		fmt.Fprintf(&b, "# The session: %s:%d\n", oneLine(s.URI), s.Line)
	}
	fmt.Fprintf(&b, "# Its seed is %d: the line that runs it is\n", s.Seed)
	fmt.Fprintf(&b, "#   sim run --seed %d THIS-FILE\n", s.Seed)
	b.WriteString("@recorded\nFeature: A recorded run\n\n")
	name := oneLine(s.Name)
	if name == "" {
		name = "The recorded disconnects"
	}
	fmt.Fprintf(&b, "  Scenario: %s\n", name)
	given := s.Given
	if len(given) == 0 {
		given = plain
	}
	word := "Given"
	for _, line := range append(append([]string(nil), given...), steps(plan)...) {
		fmt.Fprintf(&b, "    %s %s\n", word, strings.ReplaceAll(line, "\n", "\n    "))
		word = "And"
	}
	b.WriteString("    When the bridge relays the request\n")
	word = "Then"
	for _, line := range then {
		fmt.Fprintf(&b, "    %s %s\n", word, line)
		word = "And"
	}
	return b.String()
}

// steps are the steps of a schedule.
func steps(plan faults.Schedule) []string {
	out := make([]string, len(plan))
	for i, f := range plan {
		how := ""
		if _, params, ok := strings.Cut(f.String(), " with "); ok {
			how = fmt.Sprintf(" with %q", params)
		}
		out[i] = fmt.Sprintf("%q%s strikes at %q", string(f.Kind), how, f.At.String())
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
