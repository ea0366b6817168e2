package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Canonical is the form that is hashed: "CRLF to LF, trailing whitespace stripped per line, runs of
// blank lines collapsed, trimmed". Without it two sides with the same version number hash different
// bytes, "so every hash comparison fails and nothing can be diagnosed".
//
// A run of blank lines becomes one blank line (collapsing to none gives another contract hash).
// White space is Unicode's, no-break space included. A text that is canonical already is returned
// as it is, without a copy.
func Canonical(s string) string {
	if isCanonical(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for rest := s; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimRightFunc(line, unicode.IsSpace) // takes the CR of a CRLF with it
		switch {
		case line == "":
			gap = true
			continue
		case b.Len() == 0:
			line = strings.TrimLeftFunc(line, unicode.IsSpace)
		case gap:
			b.WriteString("\n\n")
		default:
			b.WriteByte('\n')
		}
		gap = false
		b.WriteString(line)
	}
	return b.String()
}

// isCanonical spares the copy for the usual case.
func isCanonical(s string) bool {
	if s == "" {
		return true
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) || endsBlank(s) {
		return false
	}
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			return true
		}
		i += n + 1 // in range: s neither starts nor ends with a line break
		blankLine := s[i-2] == '\n'
		if blankLine && s[i] == '\n' || !blankLine && endsBlank(s[:i-1]) {
			return false
		}
	}
}

func endsBlank(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(last)
}

// SameText compares what two capture sources read: equal in canonical form after byte order marks
// are gone, no-break spaces are plain, and CRLF and CR are LF. Sources are known to differ in these
// and in nothing else, so nothing else is forgiven: a plan is executed on the strength of this.
func SameText(a, b string) bool {
	return a == b || Plain(a) == Plain(b)
}

// Plain is the form in which SameText compares.
func Plain(s string) string {
	if foreign(s) {
		s = breaks.Replace(s)
	}
	return Canonical(s)
}

// foreign tells whether breaks has anything to replace; without it no copy is made.
func foreign(s string) bool {
	return strings.IndexByte(s, '\r') >= 0 || strings.Contains(s, "\u00A0") ||
		strings.Contains(s, "\uFEFF") || strings.Contains(s, "\u202F")
}

var breaks = strings.NewReplacer(
	"\uFEFF", "", "\u00A0", " ", "\u202F", " ", "\r\n", "\n", "\r", "\n",
)
