package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
)

// document reads a log that is one JSON value. It keeps where lines end, so that an element has a
// line.
type document struct {
	dec  *json.Decoder
	ends []int64
	text []byte
}

// document reads what is left of a file, up to MaxDocument.
func (r *reading) document() (*document, error) {
	text, err := io.ReadAll(io.LimitReader(r.lines.in, MaxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxDocument {
		return nil, fmt.Errorf("%w: the document has more than %d bytes", ErrLimit, MaxDocument)
	}
	d := &document{text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	for i, c := range d.text {
		if c == '\n' {
			d.ends = append(d.ends, int64(i))
		}
	}
	r.lines.number = len(d.ends) + 1
	if n := len(d.text); n > 0 && d.text[n-1] == '\n' {
		r.lines.number--
	}
	d.dec = json.NewDecoder(bytes.NewReader(d.text))
	return d, nil
}

// line is where the next value begins.
func (d *document) line() int {
	at := d.dec.InputOffset()
	for at < int64(len(d.text)) && bytes.IndexByte([]byte(" \t\r\n,:"), d.text[at]) >= 0 {
		at++
	}
	return d.lineAt(at)
}

func (d *document) lineAt(offset int64) int {
	return 1 + sort.Search(len(d.ends), func(i int) bool { return d.ends[i] >= offset })
}

// broken is where reading stopped: the line of the mistake, and what was expected.
func (r *reading) broken(d *document, err error, want string) {
	line := d.line()
	var s *json.SyntaxError
	if errors.As(err, &s) {
		line = d.lineAt(max(s.Offset-1, 0))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		line = max(r.lines.number, 1)
		want += ", the file stops"
	}
	r.stopped(line, "", want)
}

// opens takes a [ or a {.
func (d *document) opens(c json.Delim) bool {
	t, err := d.dec.Token()
	return err == nil && t == c
}

// elements calls f for each element of the list that has just been opened.
func (d *document) elements(f func(line int) error) error {
	for d.dec.More() {
		if err := f(d.line()); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// members calls f with the name of each member of the object that has just been opened; f takes the
// value.
func (d *document) members(f func(name string) error) error {
	for d.dec.More() {
		t, err := d.dec.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		if err := f(name); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// skip passes over one value.
func (d *document) skip() error {
	var v json.RawMessage
	return d.dec.Decode(&v)
}
