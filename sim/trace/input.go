package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"bridgesim/sim/redact"
)

// Limits of what is taken. What lies beyond them is refused, not cut.
const (
	MaxLine     = 32 << 20  // bytes in one line
	MaxFile     = 1 << 30   // bytes of a log that is read line by line
	MaxDocument = 256 << 20 // bytes of a log that is one JSON document (protocol monitor, HAR)
	MaxEntries  = 1_000_000 // entries of one log
	MaxStrange  = 1000      // lines that are listed as not understood; the rest is counted
	maxExcerpt  = 160       // bytes of such a line
	maxJoin     = 4000      // lines over which one message may reach
)

// Kinds of errors of Import. Every error names the file, and the line where there is one.
var (
	ErrFormat = errors.New("no known log of DevTools Protocol traffic") // nothing was recognised
	ErrSyntax = errors.New("the log cannot be read")
	ErrLimit  = errors.New("the log is larger than is taken")
)

// PlaceError is an error at a line of a file.
type PlaceError struct {
	File string
	Line int
	Err  error
}

// Error is FILE:LINE: what, and what was expected.
func (e *PlaceError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap keeps the kind.
func (e *PlaceError) Unwrap() error { return e.Err }

// lines gives a log line by line, without what a terminal, an editor or a runner added.
type lines struct {
	in     *bufio.Reader
	number int   // of the last line given
	size   int64 // bytes read
	buf    []byte
	back   bool // the last line is to be given again
	last   string
	// ended tells whether the last line had a line end.
	ended bool
}

func newLines(r io.Reader) *lines { return &lines{in: bufio.NewReaderSize(r, 64<<10)} }

// next is the next line, cleaned; io.EOF behind the last.
func (l *lines) next() (string, error) {
	if l.back {
		l.back = false
		return l.last, nil
	}
	l.buf, l.ended = l.buf[:0], false
	for {
		part, err := l.in.ReadSlice('\n')
		l.buf = append(l.buf, part...)
		l.size += int64(len(part))
		switch {
		case len(l.buf) > MaxLine:
			l.number++
			return "", fmt.Errorf("%w: a line has more than %d bytes", ErrLimit, MaxLine)
		case l.size > MaxFile:
			return "", fmt.Errorf("%w: the file has more than %d bytes", ErrLimit, MaxFile)
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(l.buf) == 0:
			return "", io.EOF
		case err != nil && err != io.EOF:
			return "", err
		}
		l.number++
		l.ended = err == nil
		l.last = clean(l.buf, l.number == 1)
		return l.last, nil
	}
}

// unread gives the last line once more.
func (l *lines) unread() { l.back = true }

// ansi are the escape sequences of a terminal: colours, cursor, titles.
var ansi = regexp.MustCompile(
	"\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\a\x1b]*(?:\a|\x1b\\\\)|[@-Z\\\\-_])")

// clean takes line end, byte order mark and colours away, and makes the text UTF-8.
func clean(b []byte, first bool) string {
	b = bytes.TrimRight(b, "\r\n")
	if first {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	if bytes.IndexByte(b, 0x1b) >= 0 {
		b = ansi.ReplaceAll(b, nil)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// excerpt is the beginning of a line, for a person.
func excerpt(s string) string {
	cut := s
	if len(cut) > 4*maxExcerpt {
		cut = cut[:4*maxExcerpt] // a secret that begins here is found by its name before it
	}
	cut, _ = redact.Text(cut)
	if len(cut) > maxExcerpt {
		cut = strings.ToValidUTF8(cut[:maxExcerpt], "") + " …"
	}
	return cut
}

// strange notes a line that was not understood.
func (r *reading) strange(line int, text, want string) {
	r.log.NotUnderstood++
	if len(r.log.Strange) < MaxStrange {
		r.log.Strange = append(r.log.Strange, Strange{Line: line, Want: want, Text: excerpt(text)})
	}
}

// stopped notes that the log ends in the middle of something.
func (r *reading) stopped(line int, text, want string) {
	r.strange(line, text, want)
	if r.log.Stopped == nil {
		r.log.Stopped = &Strange{Line: line, Want: want, Text: excerpt(text)}
	}
}

// note keeps a remark once.
func (r *reading) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, n := range r.log.Notes {
		if n == text {
			return
		}
	}
	r.log.Notes = append(r.log.Notes, text)
}
