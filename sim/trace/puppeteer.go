package trace

import (
	"io"
	"regexp"
	"strings"
)

// T2: Puppeteer with DEBUG=puppeteer:*. The message is one text in a list, as util.inspect prints
// it.
//
//	2026-11-30T20:33:17.392Z puppeteer:protocol:SEND ► [ '{"id":1,…}' ]
//	2026-11-30T20:33:17.400Z puppeteer:protocol:RECV ◀ [
//	  '{"id":1,…}'
//	]
//
// The quotes are ' or ` or, with both in the text, ' with \'; backslashes are doubled. Over 10,000
// characters the text is cut and "... N more characters" follows the quote. Every line may have a
// prefix of docker or of a terminal.
var (
	puppeteerLine = regexp.MustCompile(`puppeteer:protocol:(SEND ►|RECV ◀)\s*`)
	puppeteerAny  = regexp.MustCompile(`puppeteer:(?:protocol|browsers|error|launcher)`)
	puppeteerErr  = regexp.MustCompile(`puppeteer:error\s*`)
	inspectMore   = regexp.MustCompile(`\.\.\. \d+ more characters?`)
)

func puppeteerClaims(h *head) int {
	return h.count(func(s string) bool {
		m := puppeteerLine.FindStringIndex(s)
		return m != nil && strings.HasPrefix(s[m[1]:], "[")
	})
}

func puppeteerStarts(s string) bool { return puppeteerAny.MatchString(s) && !isPuppeteerBody(s) }

func readPuppeteer(r *reading) error {
	return r.each(func(line string) error {
		if m := puppeteerLine.FindStringSubmatchIndex(line); m != nil {
			return r.puppeteerMessage(line, m)
		}
		switch m := puppeteerErr.FindStringIndex(line); {
		case m != nil:
			return r.puppeteerError(line, m[1])
		case puppeteerAny.MatchString(line):
			return nil // the launcher
		}
		r.strange(r.lines.number, line, "a line of puppeteer:protocol:SEND or :RECV")
		return nil
	})
}

func (r *reading) puppeteerMessage(line string, m []int) error {
	e := Entry{Line: r.lines.number, Dir: Received, At: stampIn(line[:m[0]])}
	if strings.HasPrefix(line[m[2]:m[3]], "SEND") {
		e.Dir = Sent
	}
	if !e.At.Known() {
		r.note("on a terminal SEND and RECV have a counter each, so their lines have no common time")
	}
	rest, _, _ := tail(line[m[1]:])
	if strings.HasPrefix(rest, "{") { // a version in between wrote no list
		j, err := r.body(rest, puppeteerStarts)
		if j == nil || err != nil {
			return err
		}
		return r.message(e, j)
	}
	text, err := r.inspected(e.Line, rest)
	if err != nil || text == "" {
		return err
	}
	return r.puppeteerText(e, text)
}

// puppeteerText takes the quotes off and reads the message.
func (r *reading) puppeteerText(e Entry, text string) error {
	plain, ok := unquote(text)
	if !ok || inspectMore.MatchString(text[max(0, len(text)-60):]) {
		if !strings.Contains(text, `{`) {
			r.strange(e.Line, text, "a quoted JSON message in the list")
			return nil
		}
		return r.opaque(e, plain, "cut by util.inspect")
	}
	if strings.Contains(plain, "[...]") { // a person shortened it
		return r.opaque(e, plain, "shortened by hand")
	}
	j, err := parse(plain)
	if err != nil {
		r.strange(e.Line, plain, "one JSON message with an id or a method: "+err.Error())
		return nil
	}
	return r.message(e, j)
}

// inspected gives what stands between the brackets of a list, on one line or on three.
func (r *reading) inspected(line int, rest string) (string, error) {
	rest = strings.TrimSpace(rest)
	if !strings.HasPrefix(rest, "[") {
		r.strange(line, rest, "a list, [ '…' ], behind the arrow")
		return "", nil
	}
	if body := strings.TrimSpace(rest[1:]); strings.HasSuffix(body, "]") && len(body) > 1 {
		return strings.TrimSpace(strings.TrimSuffix(body, "]")), nil
	}
	next, err := r.lines.next()
	if err == io.EOF {
		r.stopped(line, rest, "the message in the next line, the log stops")
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !isPuppeteerBody(next) {
		r.lines.unread()
		r.strange(line, rest, "the message in the next line")
		return "", nil
	}
	text := bodyOf(next)
	return text, r.closing()
}

// closing takes the line that holds nothing but "]".
func (r *reading) closing() error {
	line, err := r.lines.next()
	switch {
	case err == io.EOF:
		r.stopped(r.lines.number, "", `"]" behind the message, the log stops`)
		return nil
	case err != nil:
		return err
	}
	rest, _, _ := tail(line)
	if !strings.HasSuffix(strings.TrimSpace(rest), "]") || puppeteerLine.MatchString(line) &&
		!strings.HasSuffix(strings.TrimSpace(rest), " ]") {
		r.lines.unread()
	}
	return nil
}

// quoteAt is where the quoted message begins in a line that may have a prefix.
var quoteAt = regexp.MustCompile("['`\"]\\s*\\{")

func isPuppeteerBody(s string) bool { return quoteAt.MatchString(s) }

func bodyOf(s string) string {
	rest, _, _ := tail(s)
	return strings.TrimSpace(rest[quoteAt.FindStringIndex(rest)[0]:])
}

// unquote undoes util.inspect. ok is false when the closing quote is missing or something follows
// it.
func unquote(s string) (plain string, ok bool) {
	if s == "" {
		return "", false
	}
	q := s[0]
	if q != '\'' && q != '`' && q != '"' {
		return s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(unescape(s[i]))
		case s[i] == q:
			rest := strings.TrimRight(s[i+1:], " ,")
			return b.String(), rest == ""
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), false
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return c
}

func (r *reading) puppeteerError(line string, from int) error {
	at := stampIn(line[:from])
	text, _, _ := tail(line[from:])
	if strings.TrimSpace(text) == "[" { // the error itself stands in the next line
		next, err := r.lines.next()
		if err != nil && err != io.EOF {
			return err
		}
		text = next
	}
	return r.add(Entry{
		Line: r.lines.number, Dir: Told, Kind: Complaint, At: at, Text: strings.Trim(text, " []"),
	})
}
