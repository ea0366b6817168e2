package session

import (
	"fmt"
	"slices"
	"syscall"
)

// Memory is a Store without a disk, for the virtual engine: records stay typed, nothing is encoded.
// It belongs to the world, not to a process: after a kill, the next process opens the same Memory
// and sees the durable records only. What can happen to a state folder can be done to it:
//
//	DropSyncs, Crash   the disk lies about fsync, then the machine loses power
//	Tear               the last write was cut short
//	Age                an old copy came back
//	Corrupt, Clear     the cache is unreadable, or lost
//	SetVersion         a newer program wrote it
//	Full               no space is left
//
// A change from outside while a session runs shows at its next Append as [ErrGone], as in a folder.
type Memory struct {
	records []Record
	room    []Record // what Reset gives to the next session
	durable int      // how many of them survive a crash
	demand  string
	format  int
	aside   int

	lazy    bool // fsync lies
	full    bool
	torn    bool
	corrupt bool
	changed bool // from outside, and not loaded since
}

var _ Rewriter = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{format: Format} }

// Reset empties the store for another session, in the same memory. Slices that Load gave out before
// are overwritten.
func (m *Memory) Reset() {
	room := m.room
	if cap(m.records) > cap(room) {
		room = m.records
	}
	clear(room[:cap(room)])
	*m = Memory{format: Format, records: room[:0], room: room[:0]}
}

// Demand makes Load refuse the journal of any other session; empty accepts all.
func (m *Memory) Demand(sid string) { m.demand = sid }

// Load implements Store.
func (m *Memory) Load() (records []Record, torn bool, err error) {
	if err := m.trust(); err != nil {
		return nil, false, err
	}
	m.changed = false
	if len(m.records) == 0 && !m.torn {
		return nil, false, ErrNoSession
	}
	return m.records[:len(m.records):len(m.records)], m.torn, nil
}

func (m *Memory) trust() error {
	switch {
	case m.format > Format:
		return fmt.Errorf("memory journal: format %d, known is %d: %w", m.format, Format, ErrNewer)
	case m.corrupt:
		return fmt.Errorf("memory journal: %w", ErrCorrupt)
	case m.demand != "" && len(m.records) > 0 && m.records[0].SID != m.demand:
		return fmt.Errorf("memory journal: sid %s, want %s: %w", m.records[0].SID, m.demand, ErrForeign)
	}
	return nil
}

// Append implements Store.
func (m *Memory) Append(r Record) error {
	first := r.Kind == RecNew || r.Kind == RecSnapshot
	switch {
	case m.format > Format:
		return ErrNewer
	case m.changed, len(m.records) == 0 && !first:
		return ErrGone
	case m.full:
		return syscall.ENOSPC
	}
	if m.records == nil {
		m.records = make([]Record, 0, 32)
		m.room = m.records
	}
	m.records, m.torn = append(m.records, r), false
	m.sync()
	return nil
}

func (m *Memory) sync() {
	if !m.lazy {
		m.durable = len(m.records)
	}
}

// Rewrite implements Rewriter.
func (m *Memory) Rewrite(records []Record) error {
	switch {
	case m.format > Format:
		return ErrNewer
	case m.full:
		return syscall.ENOSPC
	}
	m.records = slices.Clone(records)
	m.torn, m.corrupt, m.changed = false, false, false
	m.durable = min(m.durable, len(m.records))
	m.sync()
	return nil
}

// SetAside implements Rewriter.
func (m *Memory) SetAside() (string, error) {
	if len(m.records) == 0 && !m.corrupt {
		return "", ErrNoSession
	}
	m.aside++
	m.keep(0)
	m.corrupt, m.changed, m.torn, m.format = false, false, false, Format
	return fmt.Sprintf("memory journal, copy %d", m.aside), nil
}

// Close implements Store; the records stay.
func (m *Memory) Close() error { return nil }

// Len is the number of records, durable or not.
func (m *Memory) Len() int { return len(m.records) }

// DropSyncs makes every write from now on only seem durable; Crash then takes those writes back.
func (m *Memory) DropSyncs(on bool) {
	m.lazy = on
	m.sync()
}

// Crash is a loss of power: what was not durable is gone.
func (m *Memory) Crash() {
	if m.durable < len(m.records) {
		m.keep(m.durable)
	}
}

// Tear cuts the last record short: the next Load drops it and says so.
func (m *Memory) Tear() {
	if n := len(m.records); n > 0 {
		m.keep(n - 1)
		m.torn = true
	}
}

// Age brings back an old copy of the journal, with its first n records.
func (m *Memory) Age(n int) {
	if n = max(n, 0); n < len(m.records) {
		m.keep(n)
	}
}

// Corrupt makes the journal unreadable, if there is one.
func (m *Memory) Corrupt() {
	if len(m.records) > 0 {
		m.corrupt, m.changed = true, true
	}
}

// Clear loses the journal.
func (m *Memory) Clear() {
	m.keep(0)
	m.torn, m.corrupt = false, false
}

// SetVersion sets the format version that the journal claims; a newer one than Format is refused.
func (m *Memory) SetVersion(format int) { m.format = format }

// Full makes every write fail for want of space, until it is switched off.
func (m *Memory) Full(on bool) { m.full = on }

// keep shortens the journal from outside. A slice that Load returned earlier keeps its content.
func (m *Memory) keep(n int) {
	m.records = slices.Clip(m.records[:n:n])
	m.durable = min(m.durable, n)
	m.changed = true
}
