package virtual

import (
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// rebuild gives blocks as the probe reads them from the rendered answer. cm: code stands in the
// newer viewer, which shows no language.
func rebuild(blocks []block, cm bool) string {
	w := writer{cm: cm}
	return trim(strings.Join(w.blocks(blocks), "\n\n"))
}

func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// writer writes blocks as markdown.
type writer struct{ cm bool }

func (w *writer) blocks(blocks []block) []string {
	out := make([]string, 0, len(blocks))
	for i := range blocks {
		if s := w.block(&blocks[i]); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (w *writer) block(b *block) string {
	switch b.kind {
	case codeBlock:
		return w.code(b)
	case headingBlock:
		return strings.Repeat("#", b.level) + " " + trim(inline(b.text))
	case ruleBlock:
		return "---"
	case quoteBlock:
		return w.quote(b)
	case listBlock:
		return w.list(b)
	}
	return trim(inline(b.text))
}

func (w *writer) code(b *block) string {
	language := ""
	if !w.cm {
		language = firstField(b.info)
	}
	code := strings.TrimSuffix(b.text, "\n")
	mark := strings.Repeat("`", max(3, longestTicks(code, 3)+1))
	return mark + language + "\n" + code + "\n" + mark
}

// firstField is info.split(/\s+/)[0].
func firstField(info string) string {
	if i := strings.IndexFunc(info, isSpace); i >= 0 {
		return info[:i]
	}
	return info
}

// longestTicks is the length of the longest run of at least least backticks, 0 without one.
func longestTicks(s string, least int) int {
	longest := 0
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '`')
		if j < 0 {
			break
		}
		i += j
		n := ticks(s[i:])
		if n >= least {
			longest = max(longest, n)
		}
		i += n
	}
	return longest
}

// ticks is the number of backticks at the start of s.
func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

func (w *writer) quote(b *block) string {
	inner := strings.Join(w.blocks(parse(b.lines)), "\n\n")
	lines := strings.Split(inner, "\n")
	for i, l := range lines {
		if lines[i] = "> " + l; l == "" {
			lines[i] = ">"
		}
	}
	return strings.Join(lines, "\n")
}

func (w *writer) list(b *block) string {
	items := make([]string, len(b.items))
	for i, lines := range b.items {
		mark := "- "
		if b.ordered {
			mark = strconv.Itoa(b.start+i) + ". "
		}
		item := strings.Join(w.blocks(parse(lines)), "\n")
		items[i] = mark + hang(item, len(mark))
	}
	return strings.Join(items, "\n")
}

// hang indents all lines but the first and empty ones.
func hang(text string, n int) string {
	if strings.IndexByte(text, '\n') < 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if i > 0 && l != "" {
			lines[i] = strings.Repeat(" ", n) + l
		}
	}
	return strings.Join(lines, "\n")
}

// rendered appends the lines that a reader finds in a rendered text, without its marks.
func rendered(text string, dst []string) []string {
	return renderedBlocks(parse(linesOf(text)), dst)
}

func renderedBlocks(blocks []block, dst []string) []string {
	for i := range blocks {
		b := &blocks[i]
		switch b.kind {
		case codeBlock:
			dst = append(dst, "", b.text) // the header shows nothing but has its line
		case ruleBlock:
			dst = append(dst, "")
		case quoteBlock:
			dst = renderedBlocks(parse(b.lines), dst)
		case listBlock:
			for _, item := range b.items {
				dst = renderedBlocks(parse(item), dst)
			}
		default:
			dst = append(dst, inlineText(b.text))
		}
	}
	return dst
}

// memo remembers the texts that were read: an answer that does not grow is asked for many times,
// and the runs of one session hold the same answers. The last ones are told apart by identity; an
// entry holds its memory, so no other text can have it.
type memo struct {
	last  [4]*reading // found by the identity of their text
	next  int
	known map[readingKey]*reading
}

// readingKey is all that a reading depends on.
type readingKey struct {
	text string
	cm   bool
}

// remembered bounds the memory of a memo; beyond it everything is forgotten at once.
const remembered = 1024

// reading is one text as a document shows it.
type reading struct {
	from   string
	cm     bool
	blocks []block
	text   string // as the probe rebuilds it
	count  int    // its characters
}

func (m *memo) of(text string, cm bool) *reading {
	for _, r := range m.last {
		if r != nil && r.cm == cm && len(r.from) == len(text) &&
			unsafe.StringData(r.from) == unsafe.StringData(text) {
			return r
		}
	}
	r := m.known[readingKey{text, cm}]
	if r == nil {
		r = m.learn(text, cm)
	}
	r.from = text
	m.last[m.next] = r
	m.next = (m.next + 1) % len(m.last)
	return r
}

func (m *memo) learn(text string, cm bool) *reading {
	if m.known == nil || len(m.known) >= remembered {
		m.known, m.last = map[readingKey]*reading{}, [4]*reading{}
	}
	blocks := parse(linesOf(text))
	out := rebuild(blocks, cm)
	r := &reading{from: text, cm: cm, blocks: blocks, text: out, count: utf8.RuneCountInString(out)}
	m.known[readingKey{text, cm}] = r
	return r
}
