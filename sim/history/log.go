package history

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Format and Version stand in every header. A reader refuses a version that it does not know.
const (
	Format  = "bridgesim-history"
	Version = 1
)

// Header says which run a history is of. The fields up to Schedule identify the run and are part of
// the sum; those behind it are not.
type Header struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Seed     uint64 `json:"seed,string"`
	Engine   string `json:"engine"`
	Scenario string `json:"scenario,omitempty"`
	Schedule string `json:"schedule,omitempty"` // the faults, in the form that schedules are written

	// Recording says what of a run was kept; it is not part of the sum.
	Recording Recording `json:"recording,omitempty"`
	Host      Host      `json:"host,omitzero"`
}

// Recording is what a recording is good for.
type Recording string

// The kinds of recordings. A history without one is what a run left by itself.
const (
	ForReplay   Recording = "replay"  // ports and texts, without secrets
	DigestsOnly Recording = "digests" // no texts: for judging, and for its schedule
)

// Host is where a run was made. It is information for a person and never part of the sum.
type Host struct {
	Go      string `json:"go,omitempty"`
	Arch    string `json:"arch,omitempty"`
	Browser string `json:"browser,omitempty"`
	Started string `json:"started,omitempty"` // RFC 3339
}

// Log collects the events of one run. The zero value is not usable; call New.
type Log struct {
	// KeepEvents holds events in memory; without it only the sum and the count remain.
	KeepEvents bool
	// KeepBodies keeps Event.Body; without it a body leaves only its digest.
	KeepBodies bool

	header Header
	hash   hash.Hash
	buf    []byte
	events []Event
	count  int
	memo   memo
}

// flushAt is how much is buffered before the hash sees it: one large write costs much less than
// many small ones.
const flushAt = 8 << 10

// New returns an empty log that keeps events and drops bodies.
func New(h Header) *Log {
	l := &Log{KeepEvents: true, hash: sha256.New(), buf: make([]byte, 0, flushAt+1<<10)}
	l.Reset(h)
	return l
}

// Reset starts the log of another run, with the same switches and buffers. Slices that Events gave
// out before are overwritten.
func (l *Log) Reset(h Header) {
	h.Format, h.Version = Format, Version
	l.header, l.count = h, 0
	clear(l.events)
	l.events = l.events[:0]
	l.hash.Reset()
	l.buf = appendHeader(l.buf[:0], &h)
}

// Header is the header given to New or Reset, with Format and Version.
func (l *Log) Header() Header { return l.header }

// Len is the number of events appended.
func (l *Log) Len() int { return l.count }

// Events are the events kept, in order. The slice is the log's own.
func (l *Log) Events() []Event { return l.events }

// Append adds an event. It gives Seq, and Digest when there is a Body. Text that is not UTF-8 is
// made so, or the log could not be written as JSON.
func (l *Log) Append(e Event) {
	l.count++
	e.Seq = l.count
	if e.Body != "" {
		e.Digest = l.memo.digest(e.Body)
	}
	if !utf8.ValidString(e.Key) || !utf8.ValidString(e.Text) {
		e.Key, e.Text = strings.ToValidUTF8(e.Key, "\uFFFD"), strings.ToValidUTF8(e.Text, "\uFFFD")
	}
	l.buf = appendEvent(l.buf, &e)
	if len(l.buf) >= flushAt {
		l.flush()
	}
	if !l.KeepEvents {
		return
	}
	if !l.KeepBodies {
		e.Body = ""
	} else if !utf8.ValidString(e.Body) {
		e.Body = strings.ToValidUTF8(e.Body, "\uFFFD")
	}
	l.events = append(l.events, e)
}

func (l *Log) flush() {
	l.hash.Write(l.buf) // a hash never fails
	l.buf = l.buf[:0]
}

// Sum is the hash of the header and of all events so far, in hexadecimal.
func (l *Log) Sum() string {
	l.flush()
	var out [sha256.Size]byte
	return hex.EncodeToString(l.hash.Sum(out[:0]))
}

// FirstDifference finds the first event in which two logs differ. ok is false when they are equal;
// an event that only one log has is the zero Event in the other. Both must keep their events.
func FirstDifference(a, b *Log) (i int, ea, eb Event, ok bool) {
	for i := range max(len(a.events), len(b.events)) {
		ea, eb = at(a.events, i), at(b.events, i)
		ka, kb := ea, eb
		ka.Body, kb.Body = "", "" // kept or not: the digest decides
		if ka != kb {
			return i, ea, eb, true
		}
	}
	return 0, Event{}, Event{}, false
}

func at(events []Event, i int) Event {
	if i < len(events) {
		return events[i]
	}
	return Event{}
}

// The canonical binary record: a mark, then the fields in a fixed order. Numbers are varints, texts
// have their length in front, so no two events have one record. Lengths and numbers are 64 bit on
// every architecture.
const (
	markHeader = 'H'
	markEvent  = 'E'
)

func appendHeader(b []byte, h *Header) []byte {
	b = append(b, markHeader)
	b = appendText(b, h.Format)
	b = binary.AppendVarint(b, int64(h.Version))
	b = binary.AppendUvarint(b, h.Seed)
	b = appendText(b, h.Engine)
	b = appendText(b, h.Scenario)
	return appendText(b, h.Schedule)
}

func appendEvent(b []byte, e *Event) []byte {
	b = append(b, markEvent, byte(e.Lane))
	b = binary.AppendVarint(b, int64(e.Seq))
	b = binary.AppendVarint(b, int64(e.At))
	b = appendText(b, e.Kind)
	b = appendText(b, string(e.Op))
	b = binary.AppendVarint(b, int64(e.Round))
	b = appendText(b, e.Key)
	b = appendText(b, e.Text)
	if e.Digest.IsZero() {
		return append(b, 0)
	}
	return append(append(b, 1), e.Digest[:]...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// memo remembers the digests of the last bodies by the identity of their strings: the same text
// passes through composer, site and record many times.
type memo struct {
	entries [16]memoEntry
	next    int
}

type memoEntry struct {
	body   string // holds the memory, so that its address is not used again
	digest Digest
}

func (m *memo) digest(body string) Digest {
	for i := range m.entries {
		e := &m.entries[i]
		if len(e.body) == len(body) && unsafe.StringData(e.body) == unsafe.StringData(body) {
			return e.digest
		}
	}
	d := DigestOf(body)
	m.entries[m.next] = memoEntry{body, d}
	m.next = (m.next + 1) % len(m.entries)
	return d
}
