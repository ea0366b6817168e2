package command

import (
	"errors"
	"strings"
)

// Words splits a command line into words by the quoting rules of a POSIX shell, and by nothing else
// of it: no variable, pattern, substitution, redirection or operator means anything. Between single
// quotes everything is itself; a backslash makes the next character itself, between double quotes
// only before a double quote or a backslash. An open quote is an error, and so is a line without a
// word.
func Words(line string) ([]string, error) {
	var words []string
	rest := strings.TrimLeft(line, blank)
	for rest != "" {
		word, after, err := firstWord(rest)
		if err != nil {
			return nil, err
		}
		words, rest = append(words, word), strings.TrimLeft(after, blank)
	}
	if len(words) == 0 {
		return nil, errors.New("want a program and its arguments, got nothing")
	}
	return words, nil
}

const blank = " \t\r\n"

// firstWord reads up to the first blank outside quotes.
func firstWord(s string) (word, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte(blank, c) >= 0:
			return b.String(), s[i:], nil
		case c == '\'' || c == '"':
			text, n, err := quoted(s[i:])
			if err != nil {
				return "", "", err
			}
			b.WriteString(text)
			i += n - 1
		case c == '\\':
			if i++; i == len(s) {
				return "", "", errors.New("nothing follows the last backslash")
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", nil
}

// quoted reads a quoted text at the start of s; n is its length with both quotes.
func quoted(s string) (text string, n int, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return b.String(), i + 1, nil
		case s[0] == '"' && s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", 0, errors.New("a quote is not closed: " + s[:1])
}
