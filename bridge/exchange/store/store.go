// Package store is where the host keeps an exchange: the port, and a store in memory.
//
// A store knows kinds of records and nothing of their meaning. What it promises is what the host
// builds on: one transaction is done whole or not at all, sees nothing of another, and moves the
// revision by one; a record of an immutable kind is written once.
//
//	host ──Update(func(Tx))──► Store ◄── Memory        storetest.Contract holds every store
package store

import "errors"

// Kind is a kind of record.
type Kind string

// The kinds. What is not in Mutable is written once and stays.
const (
	Exchanges    Kind = "exchange"
	Messages     Kind = "message"
	Attempts     Kind = "attempt"
	Claims       Kind = "claim" // the latest lease of a message: the durable fencing token
	Evidence     Kind = "evidence"
	Results      Kind = "result"
	Receipts     Kind = "receipt"
	Events       Kind = "event"
	Dispositions Kind = "disposition"
	Creations    Kind = "creation" // what an idempotency key stands for
)

// Kinds lists them all; Mutable are those whose records change.
var (
	Kinds = []Kind{
		Exchanges, Messages, Attempts, Claims, Evidence, Results, Receipts, Events, Dispositions,
		Creations,
	}
	Mutable = []Kind{Exchanges, Messages, Attempts, Claims}
)

// What a store refuses.
var (
	ErrNone      = errors.New("store: no such record")
	ErrExists    = errors.New("store: the record exists")
	ErrImmutable = errors.New("store: records of this kind are written once")
	ErrReadOnly  = errors.New("store: a view writes nothing")
	ErrKind      = errors.New("store: no such kind of record")
	ErrOver      = errors.New("store: the transaction is over")
	ErrClosed    = errors.New("store: closed")
)

// Tx is one transaction. What it returns is a copy.
type Tx interface {
	// Revision is the number of transactions that were committed before this one.
	Revision() int64
	// Read gives a record, or ErrNone.
	Read(kind Kind, id string) ([]byte, error)
	// List gives the records of one owner in the order in which they were added.
	List(kind Kind, owner string) ([][]byte, error)
	// Add writes a new record, or fails with ErrExists.
	Add(kind Kind, id, owner string, record []byte) error
	// Replace writes a record of a mutable kind that is there already.
	Replace(kind Kind, id string, record []byte) error
}

// Store keeps records.
type Store interface {
	// Update runs one transaction and commits it when do returns nil; otherwise nothing happened,
	// and the error is do's. Updates come one after the other.
	Update(do func(Tx) error) error
	// View runs a transaction that only reads.
	View(do func(Tx) error) error
	Close() error
}
