package store

import (
	"bytes"
	"slices"
	"sync"
)

// Memory is a store without durability: what a process forgets, it forgets.
type Memory struct {
	mu       sync.RWMutex
	records  map[place][]byte
	owned    map[place][]string // by kind and owner: ids in the order of their addition
	revision int64
	closed   bool
}

type place struct {
	kind Kind
	id   string
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{records: map[place][]byte{}, owned: map[place][]string{}}
}

// Update runs one transaction. A panic in it leaves the store as it was.
func (m *Memory) Update(do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	tx := &memoryTx{store: m, written: map[place][]byte{}, writes: true}
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
	written map[place][]byte
	order   []place // of written
	added   []addition
	writes  bool
	over    bool
}

type addition struct {
	of place // kind and owner
	id string
}

func (t *memoryTx) commit() {
	for _, p := range t.order {
		t.store.records[p] = t.written[p]
	}
	for _, a := range t.added {
		t.store.owned[a.of] = append(t.store.owned[a.of], a.id)
	}
	t.store.revision++
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

func (t *memoryTx) find(p place) ([]byte, bool) {
	if r, ok := t.written[p]; ok {
		return r, true
	}
	r, ok := t.store.records[p]
	return r, ok
}

func (t *memoryTx) Read(kind Kind, id string) ([]byte, error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	r, ok := t.find(place{kind, id})
	if !ok {
		return nil, ErrNone
	}
	return bytes.Clone(r), nil
}

func (t *memoryTx) List(kind Kind, owner string) ([][]byte, error) {
	if err := t.check(kind, false); err != nil {
		return nil, err
	}
	of := place{kind, owner}
	ids := slices.Clone(t.store.owned[of])
	for _, a := range t.added {
		if a.of == of {
			ids = append(ids, a.id)
		}
	}
	var out [][]byte
	for _, id := range ids {
		r, _ := t.find(place{kind, id})
		out = append(out, bytes.Clone(r))
	}
	return out, nil
}

func (t *memoryTx) Add(kind Kind, id, owner string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if _, ok := t.find(place{kind, id}); ok {
		return ErrExists
	}
	t.write(place{kind, id}, record)
	t.added = append(t.added, addition{place{kind, owner}, id})
	return nil
}

func (t *memoryTx) Replace(kind Kind, id string, record []byte) error {
	if err := t.check(kind, true); err != nil {
		return err
	}
	if !slices.Contains(Mutable, kind) {
		return ErrImmutable
	}
	if _, ok := t.find(place{kind, id}); !ok {
		return ErrNone
	}
	t.write(place{kind, id}, record)
	return nil
}

func (t *memoryTx) write(p place, record []byte) {
	if _, ok := t.written[p]; !ok {
		t.order = append(t.order, p)
	}
	t.written[p] = bytes.Clone(record)
}
