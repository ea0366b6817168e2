package store

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Memory is a store without durability: what a process forgets, it forgets.
type Memory struct {
	mu       sync.RWMutex
	records  map[place]entry
	owned    map[place][]numbered // by kind and owner, in the order of addition
	last     int64                // the number of the record that was added last
	revision int64
	closed   bool
}

type place struct {
	kind Kind
	id   string // or an owner
}

type entry struct {
	owner  string
	number int64
	body   []byte
}

type numbered struct {
	number int64
	id     string
}

func byNumber(a numbered, n int64) int { return cmp.Compare(a.number, n) }

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{records: map[place]entry{}, owned: map[place][]numbered{}}
}

// Update runs one transaction. A panic in it leaves the store as it was.
func (m *Memory) Update(do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	tx := &memoryTx{
		store: m, written: map[place]entry{}, gone: map[place]entry{}, last: m.last, writes: true,
	}
	defer func() { tx.over = true }()
	if err := do(tx); err != nil {
		return err
	}
	tx.commit()
	return nil
}

// View runs a transaction that only reads.
func (m *Memory) View(do func(Tx) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return ErrClosed
	}
	tx := &memoryTx{store: m}
	defer func() { tx.over = true }()
	return do(tx)
}

// Close ends the store; what it held is gone with it.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// memoryTx keeps what was written beside the store until it is committed.
type memoryTx struct {
	store   *Memory
	written map[place]entry
	gone    map[place]entry // what the store has and this transaction removed
	added   []place         // in the order of their numbers
	last    int64
	writes  bool
	over    bool
}

func (t *memoryTx) commit() {
	m := t.store
	for p, e := range t.gone {
		m.forget(p, e)
	}
	for _, p := range t.added {
		e := t.written[p]
		of := place{p.kind, e.owner}
		m.owned[of] = append(m.owned[of], numbered{e.number, p.id})
	}
	maps.Copy(m.records, t.written)
	m.last = t.last
	m.revision++
}

func (m *Memory) forget(p place, e entry) {
	of := place{p.kind, e.owner}
	if i, ok := slices.BinarySearchFunc(m.owned[of], e.number, byNumber); ok {
		m.owned[of] = slices.Delete(m.owned[of], i, i+1)
	}
	delete(m.records, p)
}

func (t *memoryTx) Revision() int64 { return t.store.revision }

func (t *memoryTx) check(kind Kind, writing bool) error {
	switch {
	case t.over:
		return ErrOver
	case !slices.Contains(Kinds, kind):
		return ErrKind
	case writing && !t.writes:
		return ErrReadOnly
	}
	return nil
}

func (t *memoryTx) find(p place) (entry, bool) {
	if e, ok := t.written[p]; ok {
		return e, true
	}
	if _, ok := t.gone[p]; ok {
		return entry{}, false
	}
	e, ok := t.store.records[p]
	return e, ok
}

func (t *memoryTx) Read(kind Kind, id string) ([]byte, error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	e, ok := t.find(place{kind, id})
	if !ok {
		return nil, ErrNone
	}
	return bytes.Clone(e.body), nil
}

func (t *memoryTx) List(kind Kind, owner string) (out [][]byte, err error) {
	items, err := t.Page(kind, owner, 0, -1) // without limit
	for _, i := range items {
		out = append(out, i.Record)
	}
	return out, err
}

func (t *memoryTx) Page(kind Kind, owner string, after int64, limit int) (out []Item, err error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	if limit == 0 {
		return nil, nil
	}
	take := func(id string) bool {
		if e, ok := t.find(place{kind, id}); ok && e.number > after {
			out = append(out, Item{e.number, bytes.Clone(e.body)})
		}
		return limit < 0 || len(out) < limit
	}
	of := t.store.owned[place{kind, owner}]
	from, _ := slices.BinarySearchFunc(of, after+1, byNumber)
	for _, n := range of[from:] {
		if !take(n.id) {
			return out, nil
		}
	}
	for _, p := range t.added {
		if p.kind == kind && t.written[p].owner == owner && !take(p.id) {
			break
		}
	}
	return out, nil
}

func (t *memoryTx) Add(kind Kind, id, owner string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	p := place{kind, id}
	if _, ok := t.find(p); ok {
		return ErrExists
	}
	t.last++
	t.written[p] = entry{owner: owner, number: t.last, body: bytes.Clone(record)}
	t.added = append(t.added, p)
	return nil
}

func (t *memoryTx) Replace(kind Kind, id string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if !slices.Contains(Mutable, kind) {
		return ErrImmutable
	}
	p := place{kind, id}
	e, ok := t.find(p)
	if !ok {
		return ErrNone
	}
	e.body = bytes.Clone(record)
	t.written[p] = e
	return nil
}

func (t *memoryTx) Remove(kind Kind, id string) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if !slices.Contains(Passing, kind) {
		return ErrKept
	}
	p := place{kind, id}
	e, ok := t.find(p)
	if !ok {
		return ErrNone
	}
	delete(t.written, p)
	if i := slices.Index(t.added, p); i >= 0 {
		t.added = slices.Delete(t.added, i, i+1)
		return nil // the store never had it
	}
	t.gone[p] = e
	return nil
}
