package virtual

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The site renders markdown and the probe rebuilds it from the document; what comes out is not
// always what went in. Here the two steps are done in one: blocks are cut as fakesite/web's
// markdown.js cuts them, and written as the probe's markdown.js writes them.
//
//	text ──blocks──► code | heading | rule | quote | list | paragraph ──write──► text again

// blockKind is the kind of one block.
type blockKind uint8

const (
	paragraphBlock blockKind = iota
	codeBlock
	headingBlock
	ruleBlock
	quoteBlock
	listBlock
)

// block is one block of markdown.
type block struct {
	kind    blockKind
	text    string     // of paragraph, heading and code
	info    string     // of code
	level   int        // of heading
	lines   []string   // of quote, marks taken off
	ordered bool       // of list
	start   int        // of list
	items   [][]string // of list
}

// linesOf splits a text; like the page's renderer it drops a byte order mark at the start.
func linesOf(text string) []string {
	return strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
}

// parse cuts lines into blocks.
func parse(lines []string) []block {
	var out []block
	for i := 0; i < len(lines); {
		if blank(lines[i]) {
			i++
			continue
		}
		var b block
		b, i = take(lines, i)
		out = append(out, b)
	}
	return out
}

// take reads the block that begins at line i and returns the line behind it.
func take(lines []string, i int) (block, int) {
	l := lines[i]
	if f, ok := fenceIn(l); ok {
		return takeCode(lines, i, f)
	}
	if level, text, ok := headingIn(l); ok {
		return block{kind: headingBlock, level: level, text: text}, i + 1
	}
	if isRule(l) {
		return block{kind: ruleBlock}, i + 1
	}
	if _, ok := bulletIn(l); ok {
		return takeList(lines, i)
	}
	if _, ok := quoted(l); ok {
		return takeQuote(lines, i)
	}
	end := i + 1
	for end < len(lines) && !blank(lines[end]) && !startsBlock(lines[end]) {
		end++
	}
	return block{kind: paragraphBlock, text: strings.Join(lines[i:end], "\n")}, end
}

func startsBlock(l string) bool {
	if _, ok := fenceIn(l); ok {
		return true
	}
	if _, _, ok := headingIn(l); ok {
		return true
	}
	if _, ok := bulletIn(l); ok {
		return true
	}
	_, ok := quoted(l)
	return ok || isRule(l)
}

// indent is the number of leading spaces; more than three begin no block.
func indent(l string) int { return len(l) - len(strings.TrimLeft(l, " ")) }

// fenceMark is an opening line of a code block.
type fenceMark struct {
	mark   byte
	length int
	info   string
	indent int
}

func fenceIn(l string) (fenceMark, bool) {
	f := fenceMark{indent: indent(l)}
	rest := l[f.indent:]
	if f.indent > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return f, false
	}
	f.mark = rest[0]
	f.length = len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	f.info = strings.Trim(rest[f.length:], " \t")
	return f, f.length >= 3 && strings.IndexByte(f.info, '`') < 0
}

func takeCode(lines []string, i int, open fenceMark) (block, int) {
	end := i + 1
	for end < len(lines) {
		if f, ok := fenceIn(lines[end]); ok && f.info == "" && f.mark == open.mark &&
			f.length >= open.length {
			break
		}
		end++
	}
	body := lines[i+1 : end]
	if open.indent > 0 {
		body = make([]string, 0, end-i-1)
		for _, l := range lines[i+1 : end] {
			body = append(body, l[min(open.indent, indent(l)):])
		}
	}
	b := block{kind: codeBlock, info: open.info, text: strings.Join(body, "\n")}
	return b, min(end+1, len(lines))
}

// headingIn reads "## text ##".
func headingIn(l string) (level int, text string, ok bool) {
	n := indent(l)
	rest := l[n:]
	level = len(rest) - len(strings.TrimLeft(rest, "#"))
	rest = rest[level:]
	if n > 3 || level < 1 || level > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' ||
		strings.ContainsAny(rest, "\r\u2028\u2029") {
		return 0, "", false
	}
	text = strings.Trim(rest, " \t")
	if open := strings.TrimRight(text, "#"); open != text {
		if bare := strings.TrimRight(open, " \t"); bare != open {
			text = bare
		}
	}
	return level, text, true
}

// isRule: three or more of one mark and nothing else.
func isRule(l string) bool {
	n := indent(l)
	rest := strings.TrimRight(l[n:], " \t")
	if n > 3 || rest == "" || rest[0] != '-' && rest[0] != '*' && rest[0] != '_' {
		return false
	}
	marks := 0
	for i := range len(rest) {
		switch rest[i] {
		case rest[0]:
			marks++
		case ' ', '\t':
		default:
			return false
		}
	}
	return marks >= 3
}

// bullet is the mark of a list item.
type bullet struct {
	indent int
	width  int // up to the item's text
	number int // of an ordered item; 1 when it has none
	order  bool
}

func bulletIn(l string) (bullet, bool) {
	b := bullet{indent: indent(l), number: 1}
	i := b.indent
	for i < len(l) && '0' <= l[i] && l[i] <= '9' {
		i++
	}
	switch digits := i - b.indent; {
	case i >= len(l) || digits > 9:
		return b, false
	case digits > 0:
		if l[i] != '.' && l[i] != ')' {
			return b, false
		}
		b.order = true
		if n, _ := strconv.Atoi(l[b.indent:i]); n > 0 { // digits only: no error
			b.number = n
		}
	case l[i] != '-' && l[i] != '*' && l[i] != '+':
		return b, false
	}
	text := strings.TrimLeft(l[i+1:], " ")
	b.width = len(l) - len(text)
	if b.width == i+1 || text == "" {
		return b, false
	}
	r, _ := utf8.DecodeRuneInString(text)
	return b, !isSpace(r)
}

// quoted takes the mark of a quote off a line.
func quoted(l string) (string, bool) {
	n := indent(l)
	rest, ok := strings.CutPrefix(l[n:], ">")
	return strings.TrimPrefix(rest, " "), ok && n <= 3
}

func takeQuote(lines []string, i int) (block, int) {
	b := block{kind: quoteBlock}
	for ; i < len(lines); i++ {
		l, ok := quoted(lines[i])
		if !ok {
			break
		}
		b.lines = append(b.lines, l)
	}
	return b, i
}

// takeList reads items of one kind; lines indented to an item's text belong to that item.
func takeList(lines []string, i int) (block, int) {
	first, _ := bulletIn(lines[i])
	b := block{kind: listBlock, ordered: first.order, start: first.number}
	for i < len(lines) {
		m, ok := bulletIn(lines[i])
		if !ok || m.order != first.order || m.indent > first.indent+3 {
			break
		}
		var item []string
		item, i = takeItem(lines, i, m.width)
		b.items = append(b.items, item)
	}
	return b, i
}

func takeItem(lines []string, i, width int) ([]string, int) {
	body := []string{lines[i][width:]}
	end := i + 1
	for ; end < len(lines); end++ {
		l, empty := lines[end], blank(lines[end])
		inside := indent(l) >= width
		next := ""
		if end+1 < len(lines) {
			next = lines[end+1]
		}
		_, more := bulletIn(next)
		if empty && indent(next) < width && !more {
			break
		}
		if !empty && !inside && (startsBlock(l) || blank(lines[end-1])) {
			break
		}
		if inside {
			body = append(body, l[width:])
		} else {
			body = append(body, strings.TrimFunc(l, isSpace))
		}
	}
	return body, end
}

// codesOf appends the text of every code block, in order, nested ones included.
func codesOf(blocks []block, dst []string) []string {
	for i := range blocks {
		b := &blocks[i]
		switch b.kind {
		case codeBlock:
			dst = append(dst, b.text)
		case quoteBlock:
			dst = codesOf(parse(b.lines), dst)
		case listBlock:
			for _, item := range b.items {
				dst = codesOf(parse(item), dst)
			}
		}
	}
	return dst
}
