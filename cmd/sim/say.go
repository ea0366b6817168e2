package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/moby/term"
)

// House rules for everything that sim says to a person:
//
//   - Standard output holds what was asked for and nothing else, so that it can be piped.
//   - Everything else goes to standard error through say: one line, "sim: " in front, lower case,
//     no full stop. It names the file and line or the flag, then what to do.
//   - A command to type stands in double quotes, after a semicolon.
//   - No question is asked and no key is waited for.
//   - Colour only on a terminal, and never under NO_COLOR (https://no-color.org) or TERM=dumb. It
//     repeats what a word says already.
//   - Text from outside is quoted before it is printed, so that it cannot steer a terminal.

// say writes one message. Line breaks of a cause become "; ", other control characters "?".
func say(w io.Writer, format string, args ...any) {
	lines := strings.FieldsFunc(fmt.Sprintf(format, args...), func(r rune) bool { return r == '\n' })
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	fmt.Fprintf(w, "sim: %s\n", printable(strings.Join(lines, "; ")))
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, s)
}

// isTerminal reports whether a person watches w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// paint colours words; its zero value leaves them plain.
type paint struct{ on bool }

// paintFor decides about colour for w by the house rules.
func paintFor(w io.Writer) paint {
	return paint{isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (p paint) good(s string) string { return p.wrap("32", s) }
func (p paint) bad(s string) string  { return p.wrap("31", s) }
func (p paint) weak(s string) string { return p.wrap("33", s) }

func (p paint) wrap(code, s string) string {
	if !p.on {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
