package trace

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Limits of what is joined: a paste breaks a message over a few lines, never over a whole log.
const (
	maxPieces = 60
	maxJoined = 1 << 20
)

// body reads the message J that begins in text. A paste may have broken it over lines; those up to
// the next one that starts something are joined. A J that stays broken is noted, and nil comes
// back.
func (r *reading) body(text string, starts func(string) bool) (*message, error) {
	line, text := r.lines.number, strings.TrimSpace(text)
	for pieces := 1; ; pieces++ {
		m, err := parse(text)
		if err == nil {
			return m, nil
		}
		if !unfinished(err) || pieces == maxPieces || len(text) > maxJoined {
			r.strange(line, text, "one JSON message with an id or a method: "+err.Error())
			return nil, nil
		}
		next, err := r.lines.next()
		switch {
		case err == io.EOF:
			r.stopped(line, text, "the rest of this JSON message, the log stops")
			return nil, nil
		case err != nil:
			return nil, err
		case starts(next) || strings.TrimSpace(next) == "":
			r.lines.unread()
			r.strange(line, text, "the rest of this JSON message before the next line")
			return nil, nil
		}
		text += next
	}
}

// unfinished tells whether a text of JSON only lacks its end.
func unfinished(err error) bool {
	var s *json.SyntaxError
	return errors.As(err, &s) && strings.Contains(s.Error(), "unexpected end")
}

// each calls f with every line that is not empty.
func (r *reading) each(f func(line string) error) error {
	for {
		line, err := r.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := f(line); err != nil {
			return err
		}
	}
}
