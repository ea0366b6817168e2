package faults

import (
	"context"

	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

// Store wraps pi's journal for one process: every durable write is a place of a schedule, named by
// the kind of its record.
//
//	store.append@2:intent#1/before   pi dies, nothing was written
//	tear-cache at …                  pi dies, half of the record was written
//	store.append@2:intent#1/after    the record is durable, pi dies
func (i *Interposer) Store(s session.Store) session.Store {
	if i.idle() {
		return s
	}
	p := i.living()
	p.stores = append(p.stores, s)
	w := &store{s, i, p}
	if r, ok := s.(session.Rewriter); ok {
		return &rewriter{w, r}
	}
	return w
}

type store struct {
	session.Store
	i    *Interposer
	proc *process
}

func (s *store) Load() ([]session.Record, bool, error) {
	s.proc.enter()
	return s.Store.Load()
}

func (s *store) Append(r session.Record) error {
	s.proc.enter()
	switch {
	case s.i.op != point.StoreAppend || !s.i.expects():
		return s.Store.Append(r)
	case !s.i.aimed():
		s.i.visit(string(r.Kind))
		return s.Store.Append(r)
	}
	return s.appended(r)
}

// appended is Append where a fault is aimed at.
func (s *store) appended(r session.Record) error {
	return s.meet(r.Kind, func() error { return s.Store.Append(r) })
}

func (s *store) write(kind session.RecordKind, do func() error) error {
	s.proc.enter()
	if s.i.op != point.StoreAppend || !s.i.expects() {
		return do()
	}
	return s.meet(kind, do)
}

func (s *store) meet(kind session.RecordKind, do func() error) error {
	return s.i.meetWrite(string(kind), &outside{
		ctx: context.Background(), method: "write " + string(kind), aim: s.proc.aim, do: do,
	})
}

func (s *store) Close() error {
	s.proc.enter()
	return s.Store.Close()
}

// rewriter is a store that can be written anew as well.
type rewriter struct {
	*store
	inner session.Rewriter
}

// Rewrite is a durable write like Append, named by its first record.
func (r *rewriter) Rewrite(records []session.Record) error {
	var kind session.RecordKind
	if len(records) > 0 {
		kind = records[0].Kind
	}
	return r.write(kind, func() error { return r.inner.Rewrite(records) })
}

func (r *rewriter) SetAside() (string, error) {
	r.proc.enter()
	return r.inner.SetAside()
}

// meetWrite is meet for a durable write, whose state is known before it is made. A torn write is
// made first and torn then.
func (i *Interposer) meetWrite(state string, o *outside) error {
	i.visit(state)
	hit := i.hits(nil, "")
	hit = i.hits(hit, state)
	for _, f := range hit {
		if f.fault.At.Phase == point.Before && f.fault.Kind != TearCache {
			if err, settled := i.before(f, o); settled {
				return err
			}
		}
	}
	err := o.do()
	for _, f := range hit {
		if f.fault.At.Phase == point.After || f.fault.Kind == TearCache {
			err = i.after(f, o, err)
		}
	}
	return err
}
