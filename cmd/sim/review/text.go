package review

import (
	"fmt"
	"strings"
)

// Text is the review for a person: one line a fault in the form of a compiler, "name:line:column:",
// then one line with the conclusion. name says where the reply came from. What the reply says is
// quoted, so that it cannot steer a terminal.
func (r Review) Text(name string) string {
	if r.OK {
		return name + ": ok: " + r.summary() + "\n"
	}
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.line(name))
	}
	noun := "faults"
	if len(r.Findings) == 1 {
		noun = "fault"
	}
	fmt.Fprintf(&b, "%s: %d %s: %s → %s\n", name, len(r.Findings), noun, r.Domain, r.Action)
	return b.String()
}

func (r Review) summary() string {
	if r.Kind == Ack {
		return "HS of session " + r.SID
	}
	return fmt.Sprintf("PLAN of round %d, decision %s, task %q, plan key %s",
		r.Round, r.Decision, r.Task, r.Key)
}

func (f Finding) line(name string) string {
	place := name
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", name, f.Line, f.Column)
	}
	s := fmt.Sprintf("%s: %s (%s → %s): %s", place, f.Code, f.Domain, f.Action, f.Hint)
	if f.Want != "" || f.Got != "" {
		s += fmt.Sprintf(": want %q, got %q", f.Want, f.Got)
	}
	return s + "\n"
}
