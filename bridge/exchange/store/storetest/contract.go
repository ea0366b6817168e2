// Package storetest is the contract of a store, as specs that every store runs.
package storetest

import (
	"errors"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/exchange/store"
)

// Contract adds the specs for a store. Open gives an empty one.
func Contract(name string, open func() store.Store) {
	Describe(name, func() {
		var s store.Store
		BeforeEach(func() { s = open() })
		whole(&s)
		kinds(&s)
		pages(&s)
		It("is closed when it was closed", func() {
			Expect(s.Close()).To(Succeed())
			Expect(s.Update(func(store.Tx) error { return nil })).To(MatchError(store.ErrClosed))
			Expect(s.View(func(store.Tx) error { return nil })).To(MatchError(store.ErrClosed))
		})
	})
}

func add(s store.Store, k store.Kind, id, owner, record string) error {
	return s.Update(func(tx store.Tx) error { return tx.Add(k, id, owner, []byte(record)) })
}

// look gives what one owner has, and the revision.
func look(s store.Store, k store.Kind, owner string) (out []string, revision int64) {
	Expect(s.View(func(tx store.Tx) error {
		records, err := tx.List(k, owner)
		for _, r := range records {
			out = append(out, string(r))
		}
		revision = tx.Revision()
		return err
	})).To(Succeed())
	return out, revision
}

func whole(s *store.Store) {
	It("commits a transaction whole and moves the revision by one", func() {
		Expect((*s).Update(func(tx store.Tx) error {
			Expect(tx.Revision()).To(Equal(int64(0)))
			return errors.Join(tx.Add(store.Messages, "m1", "x", []byte("1")),
				tx.Add(store.Messages, "m2", "x", []byte("2")),
				tx.Replace(store.Messages, "m1", []byte("3")))
		})).To(Succeed())
		got, revision := look(*s, store.Messages, "x")
		Expect(got).To(Equal([]string{"3", "2"}))
		Expect(revision).To(Equal(int64(1)))
	})
	It("keeps nothing of a transaction that failed, or that panicked", func() {
		Expect(add(*s, store.Messages, "m1", "x", "1")).To(Succeed())
		stop := errors.New("stop")
		half := func(end func() error) func(store.Tx) error {
			return func(tx store.Tx) error {
				Expect(tx.Replace(store.Messages, "m1", []byte("9"))).To(Succeed())
				Expect(tx.Add(store.Messages, "m2", "x", []byte("2"))).To(Succeed())
				return end()
			}
		}
		Expect((*s).Update(half(func() error { return stop }))).To(MatchError(stop))
		Expect(func() { _ = (*s).Update(half(func() error { panic("died") })) }).To(Panic())
		got, revision := look(*s, store.Messages, "x")
		Expect(got).To(Equal([]string{"1"}))
		Expect(revision).To(Equal(int64(1)))
		Expect(add(*s, store.Messages, "m2", "x", "2")).To(Succeed())
	})
	It("sees its own writes", func() {
		Expect((*s).Update(func(tx store.Tx) error {
			Expect(tx.Add(store.Events, "e1", "x", []byte("1"))).To(Succeed())
			Expect(tx.Read(store.Events, "e1")).To(Equal([]byte("1")))
			Expect(tx.List(store.Events, "x")).To(HaveLen(1))
			return nil
		})).To(Succeed())
	})
	It("is over when it is over", func() {
		var kept store.Tx
		Expect((*s).Update(func(tx store.Tx) error { kept = tx; return nil })).To(Succeed())
		Expect(kept.Add(store.Events, "e", "x", nil)).To(MatchError(store.ErrOver))
		_, err := kept.Read(store.Events, "e")
		Expect(err).To(MatchError(store.ErrOver))
	})
}

func kinds(s *store.Store) {
	It("writes an immutable record once, and nothing twice under one id", func() {
		for _, k := range store.Kinds {
			Expect(add(*s, k, "id", "x", "1")).To(Succeed())
			Expect(add(*s, k, "id", "y", "2")).To(MatchError(store.ErrExists))
			err := (*s).Update(func(tx store.Tx) error { return tx.Replace(k, "id", []byte("3")) })
			want := []string{"3"}
			if !slices.Contains(store.Mutable, k) {
				Expect(err).To(MatchError(store.ErrImmutable))
				want = []string{"1"}
			}
			got, _ := look(*s, k, "x")
			Expect(got).To(Equal(want), string(k))
			other, _ := look(*s, k, "y")
			Expect(other).To(BeEmpty())
		}
	})
	It("says what is not there", func() {
		Expect((*s).Update(func(tx store.Tx) error {
			_, err := tx.Read(store.Messages, "m")
			Expect(err).To(MatchError(store.ErrNone))
			Expect(tx.Replace(store.Messages, "m", nil)).To(MatchError(store.ErrNone))
			Expect(tx.Add("secret", "m", "x", nil)).To(MatchError(store.ErrKind))
			return nil
		})).To(Succeed())
	})
	It("a view writes nothing", func() {
		Expect((*s).View(func(tx store.Tx) error {
			return tx.Add(store.Messages, "m", "x", nil)
		})).To(MatchError(store.ErrReadOnly))
		got, _ := look(*s, store.Messages, "x")
		Expect(got).To(BeEmpty())
	})
	It("takes and gives copies", func() {
		record := []byte("1")
		Expect((*s).Update(func(tx store.Tx) error {
			return tx.Add(store.Messages, "m", "x", record)
		})).To(Succeed())
		record[0] = '9'
		Expect((*s).View(func(tx store.Tx) error {
			got, err := tx.Read(store.Messages, "m")
			got[0] = '8'
			return err
		})).To(Succeed())
		got, _ := look(*s, store.Messages, "x")
		Expect(got).To(Equal([]string{"1"}))
	})
	It("keeps the order of addition", func() {
		var want []string
		for _, id := range []string{"c", "a", "b", "ä", "A"} {
			Expect(add(*s, store.Events, id, "x", id)).To(Succeed())
			Expect(add(*s, store.Events, id+"'", "y", id)).To(Succeed())
			want = append(want, id)
		}
		got, revision := look(*s, store.Events, "x")
		Expect(got).To(Equal(want))
		Expect(revision).To(Equal(int64(10)))
	})
}

func pages(s *store.Store) {
	page := func(tx store.Tx, after int64, limit int) (out []string, last int64) {
		items, err := tx.Page(store.Work, "x", after, limit)
		Expect(err).NotTo(HaveOccurred())
		for _, i := range items {
			Expect(i.Number).To(BeNumerically(">", after))
			out, last = append(out, string(i.Record)), i.Number
		}
		return out, last
	}
	It("gives pages in the order of addition, its own additions at their end", func() {
		for _, id := range []string{"c", "a", "b"} {
			Expect(add(*s, store.Work, id, "x", id)).To(Succeed())
		}
		Expect((*s).Update(func(tx store.Tx) error {
			Expect(tx.Add(store.Work, "0", "x", []byte("0"))).To(Succeed())
			first, last := page(tx, 0, 2)
			Expect(first).To(Equal([]string{"c", "a"}))
			second, last := page(tx, last, 2)
			Expect(second).To(Equal([]string{"b", "0"}))
			none, _ := page(tx, last, 2)
			Expect(none).To(BeEmpty())
			none, _ = page(tx, 0, 0)
			Expect(none).To(BeEmpty())
			return nil
		})).To(Succeed())
	})
	It("removes records of a passing kind, and no others", func() {
		for _, id := range []string{"c", "a", "b"} {
			Expect(add(*s, store.Work, id, "x", id)).To(Succeed())
		}
		Expect((*s).Update(func(tx store.Tx) error {
			Expect(tx.Remove(store.Work, "a")).To(Succeed())
			Expect(tx.Remove(store.Work, "a")).To(MatchError(store.ErrNone))
			_, err := tx.Read(store.Work, "a")
			Expect(err).To(MatchError(store.ErrNone))
			Expect(tx.Add(store.Work, "a", "x", []byte("A"))).To(Succeed())
			Expect(tx.Add(store.Work, "d", "x", []byte("d"))).To(Succeed())
			return tx.Remove(store.Work, "d")
		})).To(Succeed())
		got, _ := look(*s, store.Work, "x")
		Expect(got).To(Equal([]string{"c", "b", "A"}))
		for _, k := range store.Kinds {
			err := (*s).Update(func(tx store.Tx) error { return tx.Remove(k, "none") })
			want := store.ErrKept
			if slices.Contains(store.Passing, k) {
				want = store.ErrNone
			}
			Expect(err).To(MatchError(want), string(k))
		}
	})
	It("keeps a record whose removal was not committed", func() {
		Expect(add(*s, store.Work, "a", "x", "a")).To(Succeed())
		stop := errors.New("stop")
		Expect((*s).Update(func(tx store.Tx) error {
			Expect(tx.Remove(store.Work, "a")).To(Succeed())
			return stop
		})).To(MatchError(stop))
		got, _ := look(*s, store.Work, "x")
		Expect(got).To(Equal([]string{"a"}))
	})
}
