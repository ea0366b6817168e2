package wire

import (
	"strings"
	"unicode/utf8"
)

// lines walks a text line by line without allocating. A line ends at LF, CRLF or a lone CR: old
// clipboards produce each of them.
type lines struct {
	text       string
	pos        int // where the next line starts
	start, end int // the current line, without its line break
	no         int // number of the current line, from 1
	cr         bool
}

// scan starts before the first line. The one look for a CR up front is what lets next use the fast
// search for LF alone; searching for both on every line would be quadratic on a text of bare CRs.
func scan(text string) lines {
	return lines{text: text, cr: strings.IndexByte(text, '\r') >= 0}
}

// next moves to the next line; a trailing line break does not open another one.
func (l *lines) next() bool {
	if l.pos >= len(l.text) {
		return false
	}
	l.start, l.no = l.pos, l.no+1
	l.end = l.lineEnd()
	l.pos = l.end + 1
	if l.cr && l.pos < len(l.text) && l.text[l.end] == '\r' && l.text[l.pos] == '\n' {
		l.pos++
	}
	return true
}

func (l *lines) line() string { return l.text[l.start:l.end] }

func (l *lines) lineEnd() int {
	if !l.cr {
		if n := strings.IndexByte(l.text[l.pos:], '\n'); n >= 0 {
			return l.pos + n
		}
		return len(l.text)
	}
	i := l.pos
	for i < len(l.text) && l.text[i] != '\n' && l.text[i] != '\r' {
		i++
	}
	return i
}

// class sorts a character by what it does to a reader of the line.
type class uint8

const (
	solid  class = iota // shows
	blank               // shows as space
	hidden              // does not show: byte order mark, zero-width, soft hyphen, direction marks
)

// classify looks at the character at the start of s (not empty) and returns its size in bytes. The
// lead bytes are tested first, because only four of them can start a special character and nearly
// all Chinese text passes without being decoded. A continuation byte counts as solid, alone.
func classify(s string) (class, int) {
	c := s[0]
	if c < utf8.RuneSelf {
		if isSpace(c) {
			return blank, 1
		}
		return solid, 1
	}
	if c != 0xC2 && c != 0xE2 && c != 0xE3 && c != 0xEF {
		return solid, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	return classifyRune(r), n
}

func classifyRune(r rune) class {
	switch {
	case r == 0xA0, r == 0x85, r >= 0x2000 && r <= 0x200A, r == 0x2028, r == 0x2029,
		r == 0x202F, r == 0x205F, r == 0x3000:
		return blank
	case r >= 0x200B && r <= 0x200F, r == 0x2060, r == 0xFEFF, r == 0xAD:
		return hidden
	}
	return solid
}

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

// tidy returns what a person sees in s: trimmed, hidden characters gone, wide and no-break spaces
// plain, CR gone. A text that needs no inner change is returned as a part of s.
func tidy(s string) string {
	s = strings.Trim(s, " \t\n\v\f\r")
	if !odd(s) {
		return s
	}
	return tidyOdd(s)
}

// odd reports whether s holds a character that tidy may have to change, as nearly no line does.
func odd(s string) bool {
	for i := 0; i < len(s); {
		if !suspect[s[i]] {
			i++
			continue
		}
		k, n := classify(s[i:])
		if k != solid || s[i] == '\r' {
			return true
		}
		i += n
	}
	return false
}

// suspect marks CR and the lead bytes of all special characters.
var suspect = [256]bool{'\r': true, 0xC2: true, 0xE2: true, 0xE3: true, 0xEF: true}

func tidyOdd(s string) string {
	first, last := -1, 0
	odd, dirty := false, false
	for i := 0; i < len(s); {
		k, n := classify(s[i:])
		switch {
		case k == solid:
			if first < 0 {
				first = i
			}
			dirty = dirty || odd
			last = i + n
		case first >= 0 && (n > 1 || s[i] == '\r'):
			odd = true
		}
		i += n
	}
	switch {
	case first < 0:
		return ""
	case dirty:
		return rewrite(s[first:last])
	}
	return s[first:last]
}

func rewrite(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		k, n := classify(s[i:])
		switch {
		case k == hidden || s[i] == '\r':
		case k == blank && n > 1:
			b.WriteByte(' ')
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// lead returns how many bytes of s come before its first solid character and how many columns they
// take, tabs to the next multiple of four as in Markdown.
func lead(s string) (off, width int) {
	for off < len(s) {
		k, n := classify(s[off:])
		switch {
		case k == solid:
			return off, width
		case k == blank && s[off] == '\t':
			width += 4 - width%4
		case k == blank:
			width++
		}
		off += n
	}
	return off, width
}

// cutWord splits a tidied text at its first space or tab.
func cutWord(s string) (word, rest string) {
	for i := 0; i < len(s); i++ {
		if isSpace(s[i]) {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

const wideColon = "："

// parseField reads a tidied line "KEY: value". A key is upper-case ASCII with '-'; the colon may be
// the full-width one that a Chinese sentence around it invites. The value is trimmed and unquoted.
func parseField(t string) (key, value string, ok bool) {
	i := 0
	for i < len(t) && (t[i]-'A' < 26 || t[i] == '-') {
		i++
	}
	rest := strings.TrimLeft(t[i:], " \t")
	switch {
	case i == 0:
		return "", "", false
	case strings.HasPrefix(rest, ":"):
		rest = rest[1:]
	case strings.HasPrefix(rest, wideColon):
		rest = rest[len(wideColon):]
	default:
		return "", "", false
	}
	return t[:i], unquote(tidy(rest)), true
}

// quotes are the pairs that models and smart typography put around a value.
var quotes = [...][2]string{
	{"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"”", "”"}, {"「", "」"},
}

// unquote removes one matching pair of quotes around s.
func unquote(s string) string {
	if len(s) < 2 || s[0]-'0' < 10 || s[0]|0x20-'a' < 26 {
		return s
	}
	for _, q := range quotes {
		inner, opened := strings.CutPrefix(s, q[0])
		if inner, closed := strings.CutSuffix(inner, q[1]); opened && closed {
			return tidy(inner)
		}
	}
	return s
}

// parseNumber reads a decimal without sign, leading zero or more than nine digits.
func parseNumber(s string) (int, bool) {
	if s == "" || len(s) > 9 || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int(d)
	}
	return n, true
}

// isHex reports whether s is exactly n lower-case hexadecimal digits.
func isHex(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c-'0' > 9 && c-'a' > 5 {
			return false
		}
	}
	return true
}

// columnOf is the 1-based column, in characters, of part in line; without part, of the first solid
// character. It runs only when something is refused.
func columnOf(line, part string) int {
	off, _ := lead(line)
	if part != "" {
		if i := strings.Index(line, part); i >= 0 {
			off = i
		}
	}
	return utf8.RuneCountInString(line[:off]) + 1
}

// maxQuote bounds, in bytes, how much of a refused text a fault repeats.
const maxQuote = 80

// quoteShort is s, cut at a character boundary when it is long.
func quoteShort(s string) string {
	if len(s) <= maxQuote {
		return s
	}
	cut := maxQuote
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
