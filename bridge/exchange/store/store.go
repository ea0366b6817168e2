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
	Payloads     Kind = "payload"  // the body of a message, which the message itself does not hold
	Grants       Kind = "grant"
	Sequences    Kind = "sequence" // the number of an exchange's last event
	Work         Kind = "work"     // an unfinished message, by the endpoint that it is for
	Proofs       Kind = "proof"    // one look at the other side, spent as one kind of evidence
	Findings     Kind = "finding"  // what reconciliation found
	Observations Kind = "observation"
	Consumers    Kind = "consumer"
)

// Kinds lists them all; Mutable are those whose records change, Passing those whose records go
// away.
var (
	Kinds = []Kind{
		Exchanges, Messages, Attempts, Claims, Evidence, Results, Receipts, Events, Dispositions,
		Creations, Payloads, Grants, Sequences, Work, Proofs, Findings, Observations, Consumers,
	}
	Mutable = []Kind{Exchanges, Messages, Attempts, Claims, Sequences, Consumers}
	Passing = []Kind{Work}
)

// What a store refuses.
var (
	ErrNone      = errors.New("store: no such record")
	ErrExists    = errors.New("store: the record exists")
	ErrImmutable = errors.New("store: records of this kind are written once")
	ErrKept      = errors.New("store: records of this kind are never removed")
	ErrReadOnly  = errors.New("store: a view writes nothing")
	ErrKind      = errors.New("store: no such kind of record")
	ErrOver      = errors.New("store: the transaction is over")
	ErrClosed    = errors.New("store: closed")
)

// Item is a record with its place in the order of addition.
type Item struct {
	Number int64
	Record []byte
}

// Tx is one transaction. What it returns is a copy.
type Tx interface {
	// Revision is the number of transactions that were committed before this one.
	Revision() int64
	// Read gives a record, or ErrNone.
	Read(kind Kind, id string) ([]byte, error)
	// List gives the records of one owner in the order in which they were added.
	List(kind Kind, owner string) ([][]byte, error)
	// Page gives at most limit of them, from the first one whose number is larger than after.
	Page(kind Kind, owner string, after int64, limit int) ([]Item, error)
	// Add writes a new record, or fails with ErrExists.
	Add(kind Kind, id, owner string, record []byte) error
	// Replace writes a record of a mutable kind that is there already.
	Replace(kind Kind, id string, record []byte) error
	// Remove takes a record of a passing kind away, or fails with ErrNone.
	Remove(kind Kind, id string) error
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
