package wire

import (
	"strconv"
	"strings"
)

// NoPlan stands for "no plan yet" in `p=` and in a checkpoint.
const NoPlan = "-"

// Frame is the identity of one round: `FRAME: s=<sid> r=<n> p=<prev> q=<qid>`.
type Frame struct {
	SID   string // sixteen hex digits, generated once per logical session
	Round int    // monotonic, from 1
	Prev  string // key of the last plan validated AND executed AND settled, or NoPlan
	QID   string // eight hex digits, digest of the user's original request
}

// String is the whole FRAME line. An empty Prev is written as [NoPlan].
func (f Frame) String() string {
	var b strings.Builder
	b.Grow(f.size())
	f.write(&b)
	return b.String()
}

// size bounds the length of the line, for builders that grow once.
func (f Frame) size() int {
	return len("FRAME: s= r= p= q=") + 20 + len(NoPlan) + len(f.SID) + len(f.Prev) + len(f.QID)
}

func (f Frame) write(b *strings.Builder) {
	b.WriteString("FRAME: s=")
	b.WriteString(f.SID)
	b.WriteString(" r=")
	writeInt(b, f.Round)
	b.WriteString(" p=")
	b.WriteString(f.prev())
	b.WriteString(" q=")
	b.WriteString(f.QID)
}

func (f Frame) prev() string {
	if f.Prev == "" {
		return NoPlan
	}
	return f.Prev
}

func writeInt(b *strings.Builder, n int) {
	var digits [20]byte
	b.Write(strconv.AppendInt(digits[:0], int64(n), 10))
}

// ParseFrame reads one FRAME line. The four values may come in any order, each exactly once: s
// sixteen hex digits, r from 1, p eight hex digits or "-" (a typographic dash counts), q eight hex
// digits. The error is a [Fault] with [CodeFrame], Line 1, and the first field that is wrong.
func ParseFrame(line string) (Frame, error) {
	if len(line) > MaxInput {
		return Frame{}, tooLarge(line)
	}
	key, value, ok := parseField(tidy(line))
	if !ok || key != "FRAME" {
		return Frame{}, Fault{
			Code: CodeFrame, Line: 1, Column: columnOf(line, ""), Want: "FRAME: s=… r=… p=… q=…",
			Got: quoteShort(tidy(line)), Hint: "not a FRAME line",
		}
	}
	tokens, bad := scanFrame(value)
	if bad.Hint == "" {
		bad = tokens.malformed()
	}
	if bad.Hint != "" {
		bad.Line, bad.Column, bad.Got = 1, columnOf(line, bad.Got), quoteShort(bad.Got)
		return Frame{}, bad
	}
	return tokens.frame(), nil
}

// The fields of a FRAME in their order on the wire.
const (
	frameS = iota
	frameR
	frameP
	frameQ
	frameFields
)

var frameShape = [frameFields]struct{ letter, want string }{
	{"s", "s=<16 lower-case hex digits>"},
	{"r", "r=<round from 1>"},
	{"p", "p=<8 lower-case hex digits, or ->"},
	{"q", "q=<8 lower-case hex digits>"},
}

// frameToken is one "k=v": its text as found, and its value.
type frameToken struct{ text, value string }

type frameTokens [frameFields]frameToken

// scanFrame splits the value of a FRAME line. The fault, when it has a hint, is a token that is no
// field or a field that came twice; scanning stops there.
func scanFrame(value string) (tokens frameTokens, bad Fault) {
	for rest := value; rest != ""; {
		var text string
		text, rest = cutWord(rest)
		if text == "" {
			continue
		}
		i, v := frameField(text)
		switch {
		case i < 0:
			return tokens, Fault{
				Code: CodeFrame, Want: "s=, r=, p= or q=", Got: text, Hint: "not a FRAME field",
			}
		case tokens[i].text != "":
			return tokens, Fault{
				Code: CodeFrame, Want: frameShape[i].letter + "= once", Got: text,
				Hint: "the FRAME field is given twice",
			}
		}
		tokens[i] = frameToken{text, v}
	}
	return tokens, Fault{}
}

// frameField reads "k=v"; the equals sign may be full-width.
func frameField(text string) (field int, value string) {
	field = strings.IndexByte("srpq", text[0])
	switch rest := text[1:]; {
	case field < 0:
	case strings.HasPrefix(rest, "="):
		value = unquote(rest[1:])
	case strings.HasPrefix(rest, "＝"):
		value = unquote(rest[len("＝"):])
	default:
		return -1, ""
	}
	if field == frameP && (value == "–" || value == "—" || value == "−") {
		value = NoPlan
	}
	return field, value
}

// malformed returns the first field without its shape; no hint when all four have it.
func (t *frameTokens) malformed() Fault {
	for i := range t {
		if t.valid(i) {
			continue
		}
		hint := "the FRAME field is malformed"
		if t[i].text == "" {
			hint = "the FRAME field is missing"
		}
		return Fault{Code: CodeFrame, Want: frameShape[i].want, Got: t[i].text, Hint: hint}
	}
	return Fault{}
}

func (t *frameTokens) valid(i int) bool {
	v := t[i].value
	switch i {
	case frameS:
		return IsSID(v)
	case frameR:
		n, ok := parseNumber(v)
		return ok && n >= 1
	case frameP:
		return v == NoPlan || IsDigest8(v)
	}
	return IsDigest8(v)
}

// frame builds the value from tokens, whatever their shape; a malformed round is 0.
func (t *frameTokens) frame() Frame {
	r, _ := parseNumber(t[frameR].value)
	return Frame{SID: t[frameS].value, Round: r, Prev: t[frameP].value, QID: t[frameQ].value}
}
