package wire

import "strings"

// part numbers what a PLAN is made of.
type part int

const (
	partTask part = iota
	partGoal
	partSteps
	partFiles
	partCommands
	partRisks
	partVerify
	partNotes
	partCount
	noPart part = -1
)

// shape is how the text of a section is read.
type shape uint8

const (
	fieldShape shape = iota // a "KEY: value" line, no section
	textShape               // free text
	listShape               // entries; a plain line is one
	strictList              // entries, each with a marker: these lead to effects
)

var parts = [partCount]struct {
	name     string
	shape    shape
	optional bool
}{
	{"TASK", fieldShape, false},
	{"GOAL", textShape, false},
	{"STEPS", listShape, false},
	{"FILES", strictList, false},
	{"COMMANDS", strictList, false},
	{"RISKS", listShape, false},
	{"VERIFY", listShape, false},
	{"NOTES", textShape, true},
}

// label is how a report names the part.
func (p part) label() string {
	if parts[p].shape == fieldShape {
		return parts[p].name + ": …"
	}
	return "## " + parts[p].name
}

// sectionNamed finds the section of a heading text; one colon after the name is forgiven.
func sectionNamed(name string) part {
	name = tidy(strings.TrimSuffix(strings.TrimSuffix(name, ":"), wideColon))
	for p := partGoal; p < partCount; p++ {
		if parts[p].name == name {
			return p
		}
	}
	return noPart
}

// heading reads a tidied line "## NAME".
func heading(t string) (name string, ok bool) {
	if len(t) < 4 || t[0] != '#' || t[1] != '#' || !isSpace(t[2]) {
		return "", false
	}
	return tidy(t[3:]), true
}

// markerLength is the length of the list marker at the start of s, or 0: a dash, asterisk or plus
// before a space, a bullet, "1." or "1)", and the Chinese "1、". "1.5" starts no item.
func markerLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '-' || s[0] == '*' || s[0] == '+':
		return spacedMarker(s, 1)
	case strings.HasPrefix(s, "–"), strings.HasPrefix(s, "—"):
		return spacedMarker(s, len("–"))
	case strings.HasPrefix(s, "•"):
		return len("•")
	}
	return numberMarker(s)
}

func spacedMarker(s string, n int) int {
	if len(s) == n {
		return n
	}
	if k, _ := classify(s[n:]); k == solid {
		return 0
	}
	return n
}

func numberMarker(s string) int {
	n := 0
	for n < len(s) && n < 4 && s[n]-'0' < 10 {
		n++
	}
	rest := s[n:]
	switch {
	case n == 0 || rest == "":
		return 0
	case rest[0] == '.' && (len(rest) == 1 || rest[1]-'0' > 9), rest[0] == ')':
		return n + 1
	}
	for _, mark := range [...]string{"、", "．", "）"} {
		if strings.HasPrefix(rest, mark) {
			return n + len(mark)
		}
	}
	return 0
}
