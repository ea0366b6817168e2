package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"bridgesim/bridge/point"
)

// Limits of what ReadNDJSON takes. A history beyond them is refused, not cut.
const (
	MaxLine   = 4 << 20   // bytes in one line
	MaxEvents = 2_000_000 // events in one history
)

// ErrSyntax is wrapped by every error about the text of a history; the error names the line and
// what was expected there.
var ErrSyntax = errors.New("not a history")

// ErrSum says that events and sum do not belong together: the recording was edited or cut.
var ErrSum = errors.New("the recording was changed: its events do not have its sum")

type line struct {
	Seq    int      `json:"seq"`
	At     int64    `json:"at"` // nanoseconds
	Lane   Lane     `json:"lane"`
	Kind   string   `json:"kind"`
	Op     point.Op `json:"op,omitempty"`
	Round  int      `json:"round,omitempty"`
	Key    string   `json:"key,omitempty"`
	Text   string   `json:"text,omitempty"`
	Digest *Digest  `json:"digest,omitempty"`
	Body   string   `json:"body,omitempty"`
}

type endLine struct {
	End    bool   `json:"end"`
	Events int    `json:"events"`
	Sum    string `json:"sum"`
}

// WriteNDJSON writes the header, the kept events and an end line with count and sum. A log that did
// not keep its events cannot be written.
func (l *Log) WriteNDJSON(w io.Writer) error {
	if len(l.events) != l.count {
		return fmt.Errorf("history: %d of %d events were kept: set KeepEvents before the run",
			len(l.events), l.count)
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l.header); err != nil {
		return err
	}
	for i := range l.events {
		if err := enc.Encode(toLine(&l.events[i])); err != nil {
			return fmt.Errorf("history: event %d: %w", i+1, err)
		}
	}
	if err := enc.Encode(endLine{End: true, Events: l.count, Sum: l.Sum()}); err != nil {
		return err
	}
	return out.Flush()
}

func toLine(e *Event) line {
	n := line{
		Seq: e.Seq, At: int64(e.At), Lane: e.Lane, Kind: e.Kind,
		Op: e.Op, Round: e.Round, Key: e.Key, Text: e.Text, Body: e.Body,
	}
	if !e.Digest.IsZero() {
		n.Digest = &e.Digest
	}
	return n
}

func (n *line) event() Event {
	e := Event{
		Seq: n.Seq, At: time.Duration(n.At), Lane: n.Lane, Kind: n.Kind,
		Op: n.Op, Round: n.Round, Key: n.Key, Text: n.Text, Body: n.Body,
	}
	if n.Digest != nil {
		e.Digest = *n.Digest
	}
	return e
}

// ReadNDJSON reads what WriteNDJSON wrote, checks count and sum, and takes nothing of a history
// that is not whole. Errors name the line and what was expected there.
func ReadNDJSON(r io.Reader) (*Log, error) {
	rd := reader{in: bufio.NewReaderSize(r, 64<<10)}
	l, err := rd.read()
	if err != nil {
		return nil, fmt.Errorf("history: line %d: %w", max(rd.line, 1), err)
	}
	return l, nil
}

type reader struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

func (r *reader) read() (*Log, error) {
	l, err := r.header()
	if err != nil {
		return nil, err
	}
	for {
		text, err := r.next()
		if err == io.EOF {
			return nil, fmt.Errorf("%w: expected an event or the end line, the text stops", ErrSyntax)
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(text, []byte(`{"end":`)) {
			return l, r.end(l, text)
		}
		if err := r.event(l, text); err != nil {
			return nil, err
		}
	}
}

func (r *reader) header() (*Log, error) {
	text, err := r.next()
	if err == io.EOF {
		return nil, fmt.Errorf("%w: expected a header line, the text is empty", ErrSyntax)
	}
	if err != nil {
		return nil, err
	}
	var h Header
	if err := decode(text, &h, "a header"); err != nil {
		return nil, err
	}
	if h.Format != Format || h.Version != Version {
		return nil, fmt.Errorf("%w: expected format %q version %d, found %q version %d",
			ErrSyntax, Format, Version, h.Format, h.Version)
	}
	l := New(h)
	l.KeepBodies = true
	return l, nil
}

func (r *reader) event(l *Log, text []byte) error {
	var n line
	if err := decode(text, &n, "an event"); err != nil {
		return err
	}
	if n.Lane == NoLane || n.Kind == "" {
		return fmt.Errorf("%w: expected an event with lane and kind", ErrSyntax)
	}
	if n.Seq != l.count+1 {
		return fmt.Errorf("%w: expected seq %d, found %d", ErrSyntax, l.count+1, n.Seq)
	}
	if l.count >= MaxEvents {
		return fmt.Errorf("%w: more than %d events", ErrSyntax, MaxEvents)
	}
	l.restore(n.event())
	return nil
}

// restore appends an event that has its digest already.
func (l *Log) restore(e Event) {
	body := e.Body
	e.Body = ""
	l.Append(e)
	l.events[len(l.events)-1].Body = body
}

func (r *reader) end(l *Log, text []byte) error {
	var e endLine
	if err := decode(text, &e, "the end line"); err != nil {
		return err
	}
	if e.Events != l.count {
		return fmt.Errorf("%w: the end line says %d events, found %d", ErrSyntax, e.Events, l.count)
	}
	if sum := l.Sum(); e.Sum != sum {
		return fmt.Errorf("%w: the end line says %s, the events give %s", ErrSum, e.Sum, sum)
	}
	if _, err := r.next(); err != io.EOF {
		return fmt.Errorf("%w: expected nothing behind the end line", ErrSyntax)
	}
	return nil
}

func decode(text []byte, v any, what string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: expected %s: %v", ErrSyntax, what, err)
	}
	if d.InputOffset() != int64(len(text)) {
		return fmt.Errorf("%w: expected %s alone in its line", ErrSyntax, what)
	}
	return nil
}

// next returns one line without its line end, io.EOF behind the last.
func (r *reader) next() ([]byte, error) {
	r.buf = r.buf[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.buf = append(r.buf, part...)
		if len(r.buf) > MaxLine {
			r.line++
			return nil, fmt.Errorf("%w: expected at most %d bytes in a line", ErrSyntax, MaxLine)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(r.buf) > 0:
			r.line++
			return nil, fmt.Errorf("%w: expected a line end, the text stops", ErrSyntax)
		case err != nil:
			return nil, err
		}
		r.line++
		return r.buf[:len(r.buf)-1], nil
	}
}
