package wire

import "strings"

// Block is one fenced code block of a reply.
type Block struct {
	Lang string // first word after the opening fence, "" without one
	// Text is what stands between the fences, without the line break before the closing one. When
	// the fence is indented, up to that much indentation is taken from each line, as in Markdown.
	Text    string
	Line    int    // 1-based line of the opening fence
	EndLine int    // line of the closing fence; of the last line when Closed is false
	Fence   string // the opening fence itself: three or more of '`' or '~'
	Closed  bool   // false when the text ended first

	column int // place of the opening fence, in characters
	indent int // columns before it, as Markdown counts them
	at     int // offset in the reply of the line after it
}

// Blocks returns the fenced code blocks of a reply in order, by CommonMark's rules: a fence closes
// on one of the same character that is at least as long and has no text after it, so a longer fence
// can hold shorter ones. Unlike there, an opening fence may be indented by any amount (replies put
// blocks in lists). A reply over [MaxInput] has no blocks.
func Blocks(reply string) []Block {
	if len(reply) > MaxInput {
		return nil
	}
	blocks, _ := split(reply)
	return blocks
}

// place is a stretch of text outside all blocks.
type place struct {
	line, column int
	text         string // its first line
}

// split separates a reply into its blocks and the stretches of text before, between and after them.
func split(reply string) (blocks []Block, outside []place) {
	l := scan(reply)
	stretch := false
	for l.next() {
		line := l.line()
		if f, ok := openFence(line); ok {
			blocks = append(blocks, readBlock(&l, f))
			stretch = false
			continue
		}
		t := tidy(line)
		if t != "" && !stretch && len(outside) < maxFaults {
			stretch = true
			outside = append(outside, place{l.no, columnOf(line, ""), t})
		}
	}
	return blocks, outside
}

// readBlock reads from the line after the opening fence up to the closing one.
func readBlock(l *lines, f fence) Block {
	b := Block{Lang: f.lang, Line: l.no, EndLine: l.no, Fence: f.text, indent: f.width}
	b.column = columnOf(l.line(), "")
	start := min(l.pos, len(l.text))
	b.at = start
	end := start
	for l.next() {
		b.EndLine = l.no
		if f.closes(l.line()) {
			b.Closed = true
			break
		}
		end = l.end
	}
	b.Text = l.text[start:end]
	if f.width > 0 {
		b.Text = dedent(b.Text, f.width)
	}
	return b
}

// fence is an opening fence.
type fence struct {
	text  string // "```"
	lang  string
	width int // columns before it
}

// openFence reads a line as an opening fence. Text after backticks may hold no backtick: that line
// is inline code.
func openFence(line string) (fence, bool) {
	off, width := lead(line)
	s := line[off:]
	n := fenceLength(s)
	if n < 3 || (s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0) {
		return fence{}, false
	}
	lang, _ := cutWord(tidy(s[n:]))
	return fence{text: s[:n], lang: lang, width: width}, true
}

func fenceLength(s string) int {
	if s == "" || (s[0] != '`' && s[0] != '~') {
		return 0
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// closes reports whether line ends the block. It may stand up to three columns further in than the
// opening fence; deeper is indented code.
func (f fence) closes(line string) bool {
	off, width := lead(line)
	s := line[off:]
	n := fenceLength(s)
	return n >= len(f.text) && s[0] == f.text[0] && width <= f.width+3 && tidy(s[n:]) == ""
}

// dedent takes up to width columns of leading space from each line.
func dedent(text string, width int) string {
	var b strings.Builder
	b.Grow(len(text))
	l := scan(text)
	for l.next() {
		b.WriteString(text[l.start+indentBytes(l.line(), width) : min(l.pos, len(text))])
	}
	return b.String()
}

// indentBytes is the length of the leading space of line that lies within the first width columns.
func indentBytes(line string, width int) int {
	i, col := 0, 0
	for i < len(line) && col < width {
		k, n := classify(line[i:])
		if k == solid {
			break
		}
		if k == blank {
			col++
		}
		i += n
	}
	return i
}

// cursor walks the text of a block and knows where each line stands in the reply. Line numbers and
// columns of a report are the reply's, also when indentation was taken from the block.
type cursor struct {
	lines       // over Block.Text
	outer lines // over the reply, in step; used only when the block is indented
	base  int   // lines of the reply before the block's text
}

func (b *Block) cursor(reply string) cursor {
	c := cursor{lines: scan(b.Text), base: b.Line}
	if b.indent > 0 {
		c.outer = scan(reply)
		c.outer.pos = b.at
	}
	return c
}

func bareCursor(text string, base int) cursor { return cursor{lines: scan(text), base: base} }

func (c *cursor) next() bool {
	if c.outer.text != "" {
		c.outer.next()
	}
	return c.lines.next()
}

// place is where part stands on the current line, or the line's first solid character.
func (c *cursor) place(part string) (line, column int) {
	text := c.line()
	if c.outer.text != "" {
		text = c.outer.line()
	}
	return c.base + c.no, columnOf(text, part)
}
