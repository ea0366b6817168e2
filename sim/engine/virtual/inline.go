package virtual

import (
	"strings"
	"unicode/utf8"
)

// Inline marks, as the page's markdown.js finds them: at each place the first of these that fits,
//
//	\x   `code`   **strong**   *em*   [label](https:…)   line break
//
// and everything else is text.

// inlineKind is the kind of one inline mark.
type inlineKind uint8

const (
	escaped inlineKind = iota
	codeSpan
	strong
	emphasis
	link
	lineBreak
)

// found is one mark in a text.
type found struct {
	kind inlineKind
	text string // inside of the mark; the label of a link
	href string
	size int // bytes of the whole mark
}

// nextMark finds the first mark and its place; false when there is none.
func nextMark(s string) (int, found, bool) {
	for i := 0; i < len(s); i++ {
		j := strings.IndexAny(s[i:], "\\`*[\n")
		if j < 0 {
			break
		}
		i += j
		if f, ok := markAt(s[i:]); ok {
			return i, f, true
		}
	}
	return 0, found{}, false
}

func markAt(s string) (found, bool) {
	switch s[0] {
	case '\n':
		return found{kind: lineBreak, size: 1}, true
	case '\\':
		if len(s) > 1 && isPunct(s[1]) {
			return found{kind: escaped, text: s[1:2], size: 2}, true
		}
	case '`':
		return codeAt(s)
	case '[':
		return linkAt(s)
	case '*':
		if f, ok := strongAt(s); ok {
			return f, true
		}
		return emphasisAt(s)
	}
	return found{}, false
}

func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// codeAt: a run of backticks, something that does not end in one, and a run of the same length. An
// opening run without its partner counts as a shorter one.
func codeAt(s string) (found, bool) {
	for n := ticks(s); n > 0; n-- {
		for i := n; i < len(s); {
			j := strings.IndexByte(s[i:], '`')
			if j < 0 {
				break
			}
			i += j
			run := ticks(s[i:])
			if run == n && i > n && s[i-1] != '`' {
				return found{kind: codeSpan, text: unpadded(s[n:i]), size: i + n}, true
			}
			i += run
		}
	}
	return found{}, false
}

// unpadded takes one space off both ends of a code span in one line.
func unpadded(s string) string {
	if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && !strings.ContainsAny(s, "\n\r\u2028\u2029") {
		return s[1 : len(s)-1]
	}
	return s
}

// spaceAt tells whether s begins with white space or is empty.
func spaceAt(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == 0 || isSpace(r)
}

func spaceBefore(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return n == 0 || isSpace(r)
}

func strongAt(s string) (found, bool) {
	if !strings.HasPrefix(s, "**") || spaceAt(s[2:]) {
		return found{}, false
	}
	for i := 3; i < len(s); i++ {
		j := strings.Index(s[i:], "**")
		if j < 0 {
			break
		}
		i += j
		if !spaceBefore(s[2:i]) {
			return found{kind: strong, text: s[2:i], size: i + 2}, true
		}
	}
	return found{}, false
}

// emphasisAt: the text holds no star, but its last character may be one.
func emphasisAt(s string) (found, bool) {
	if spaceAt(s[1:]) {
		return found{}, false
	}
	i := strings.IndexByte(s[1:], '*')
	if i < 0 {
		return found{}, false
	}
	i++ // the next star
	if i > 1 && !spaceBefore(s[1:i]) {
		return found{kind: emphasis, text: s[1:i], size: i + 1}, true
	}
	if i+1 < len(s) && s[i+1] == '*' {
		return found{kind: emphasis, text: s[1 : i+1], size: i + 2}, true
	}
	return found{}, false
}

func linkAt(s string) (found, bool) {
	label := strings.IndexAny(s, "]\n")
	if label < 0 || s[label] == '\n' || !strings.HasPrefix(s[label:], "](") {
		return found{}, false
	}
	href := s[label+2:]
	end := strings.IndexFunc(href, func(r rune) bool { return r == ')' || isSpace(r) })
	if end < 0 || href[end] != ')' {
		return found{}, false
	}
	href = href[:end]
	rest, ok := strings.CutPrefix(href, "https:")
	if !ok {
		rest, ok = strings.CutPrefix(href, "http:")
	}
	if !ok || rest == "" {
		return found{}, false
	}
	return found{kind: link, text: s[1:label], href: href, size: label + 3 + end}, true
}

// inline gives the text of one block as the probe rebuilds it.
func inline(s string) string {
	if !strings.ContainsAny(s, "\\`*[\n\t\r") && !strings.Contains(s, "  ") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	eachPart(s, func(text string) { collapse(&b, text) }, func(f found) { writeMark(&b, f) })
	return b.String()
}

func writeMark(b *strings.Builder, f found) {
	switch f.kind {
	case escaped:
		b.WriteString(f.text)
	case codeSpan:
		writeCode(b, f.text)
	case strong:
		b.WriteString("**" + inline(f.text) + "**")
	case emphasis:
		b.WriteString("*" + inline(f.text) + "*")
	case link:
		var label strings.Builder
		collapse(&label, f.text)
		if label.String() == f.href {
			b.WriteString(f.href)
		} else {
			b.WriteString("[" + label.String() + "](" + f.href + ")")
		}
	case lineBreak:
		b.WriteByte('\n')
	}
}

func writeCode(b *strings.Builder, text string) {
	n := longestTicks(text, 1)
	mark := strings.Repeat("`", n+1)
	if n > 0 {
		b.WriteString(mark + " " + text + " " + mark)
		return
	}
	b.WriteString(mark + text + mark)
}

// collapse writes text with each run of plain white space as one space, as it is shown.
func collapse(b *strings.Builder, text string) {
	space := false
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			if !space {
				b.WriteByte(' ')
			}
			space = true
		default:
			b.WriteByte(c)
			space = false
		}
	}
}

// inlineText is the plain text of one block, a line break where the page has one.
func inlineText(s string) string {
	var b strings.Builder
	plain := func(f found) {
		switch f.kind {
		case strong, emphasis:
			b.WriteString(inlineText(f.text))
		case lineBreak:
			b.WriteByte('\n')
		default:
			b.WriteString(f.text)
		}
	}
	eachPart(s, func(text string) { b.WriteString(text) }, plain)
	return b.String()
}

// eachPart walks texts and marks in order. Spaces before a line break are not shown.
func eachPart(s string, text func(string), mark func(found)) {
	for {
		i, f, ok := nextMark(s)
		if !ok {
			if s != "" {
				text(s)
			}
			return
		}
		before := s[:i]
		if f.kind == lineBreak {
			before = strings.TrimRight(before, " ")
		}
		if before != "" {
			text(before)
		}
		mark(f)
		s = s[i+f.size:]
	}
}
