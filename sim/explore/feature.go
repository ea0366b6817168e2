package explore

import (
	"fmt"
	"strings"

	"bridgesim/faults"
)

// FileName is a name for the feature of a class; classes of one report have different ones.
func (c *Class) FileName() string {
	return strings.ReplaceAll(c.Promise+"."+c.Kinds, " + ", ".") + ".feature"
}

// feature writes a run of the session as a feature: same name, same seed, same steps, so it is
// the same run to the byte.
func (s *Session) feature(promise string, schedule faults.Schedule, message string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by sim explore: this run breaks the promise %q.\n", promise)
	fmt.Fprintf(&b, "#   the promise: %s\n", oneLine(Sentence(promise).Error()))
	fmt.Fprintf(&b, "#   the breach:  %s\n", oneLine(message))
	fmt.Fprintf(&b, "#   the session: %s\n", s.Place())
	fmt.Fprintf(&b, "# Its seed is %d: the line that runs it is\n", s.Script.Seed)
	fmt.Fprintf(&b, "#   sim run --seed %d THIS-FILE\n", s.Script.Seed)
	fmt.Fprintf(&b, "@explored\nFeature: %s under %s\n\n", promise, kindNames(schedule))
	fmt.Fprintf(&b, "  Scenario: %s\n", s.Name)
	word := "Given"
	for _, line := range append(append([]string(nil), s.Given...), steps(schedule)...) {
		fmt.Fprintf(&b, "    %s %s\n", word, strings.ReplaceAll(line, "\n", "\n    "))
		word = "And"
	}
	b.WriteString("    When the bridge relays the request\n    Then every fault struck\n")
	return b.String()
}

// steps are the steps of a schedule.
func steps(s faults.Schedule) []string {
	out := make([]string, len(s))
	for i, f := range s {
		how := ""
		if _, params, ok := strings.Cut(f.String(), " with "); ok {
			how = fmt.Sprintf(" with %q", params)
		}
		out[i] = fmt.Sprintf("%q%s strikes at %q", string(f.Kind), how, f.At.String())
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
