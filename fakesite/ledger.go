package fakesite

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// EntryKind is the kind of a ledger entry.
type EntryKind string

// The kinds of entries.
const (
	Received EntryKind = "received" // a user message stands in the record
	Answered EntryKind = "answered" // the answer to it is decided; Text is what it will be
	Refused  EntryKind = "refused"  // a send was not taken
	Halted   EntryKind = "stopped"  // an answer was stopped; Text is what stood
	Dropped  EntryKind = "dropped"  // a send was told as taken and is in no record
)

// Entry is one line of the ledger.
type Entry struct {
	Seq          int // from 1
	At           time.Time
	Kind         EntryKind
	Conversation string // of a refused send what the client named, else the server's id
	MessageID    string // the user message
	AnswerID     string // of answered and stopped
	Text         string
	Refusal      Refusal

	// Of answered: how and when it ends by plan (Complete or Failed). Ends is zero and Ending is
	// Thinking when it never does, or not before an approval, which fills them in. A later stopped
	// entry with the same AnswerID supersedes both.
	Ending AnswerState
	Ends   time.Time

	ledger *Ledger
}

// Digest is the SHA-256 of Text in lower-case hexadecimal. It is made when it is first asked for:
// most runs never do.
func (e *Entry) Digest() string { return e.ledger.digest(e.Text) }

// Ledger is the site's own truth: what it received and what it answered, append-only. Nothing that
// happens to the record afterwards (Site.Edit, Remove, Truncate, Delete) changes it.
type Ledger struct {
	entries, received, answered []*Entry
	slab                        []Entry
	digests                     map[string]string
	watch                       func(*Entry)
}

// slabSize is how many entries are made at once; a session of three rounds has eight.
const slabSize = 8

// room is what a short session needs, in one allocation.
type room struct {
	slab               [slabSize]Entry
	entries            [slabSize]*Entry
	received, answered [slabSize / 2]*Entry
}

// Entries returns everything in order. The slice belongs to the ledger: read it only.
func (l *Ledger) Entries() []*Entry { return l.entries }

// Received returns the user messages that were taken, in order; duplicates count each time.
func (l *Ledger) Received() []*Entry { return l.received }

// Answers returns the answers in the order of their decisions.
func (l *Ledger) Answers() []*Entry { return l.answered }

// Answer returns the answer to a user message, nil when there is none.
func (l *Ledger) Answer(messageID string) *Entry {
	for i := len(l.answered) - 1; i >= 0; i-- {
		if l.answered[i].MessageID == messageID {
			return l.answered[i]
		}
	}
	return nil
}

// answer finds an answered entry by the answer's own id.
func (l *Ledger) answer(answerID string) *Entry {
	for i := len(l.answered) - 1; i >= 0; i-- {
		if l.answered[i].AnswerID == answerID {
			return l.answered[i]
		}
	}
	return nil
}

func (l *Ledger) add(e Entry) {
	switch {
	case l.entries == nil:
		r := &room{}
		l.slab, l.entries = r.slab[:0], r.entries[:0]
		l.received, l.answered = r.received[:0], r.answered[:0]
	case len(l.slab) == cap(l.slab):
		l.slab = make([]Entry, 0, slabSize)
	}
	e.Seq, e.ledger = len(l.entries)+1, l
	l.slab = append(l.slab, e)
	p := &l.slab[len(l.slab)-1]
	l.entries = append(l.entries, p)
	switch e.Kind {
	case Received:
		l.received = append(l.received, p)
	case Answered:
		l.answered = append(l.answered, p)
	}
	if l.watch != nil {
		l.watch(p)
	}
}

func (l *Ledger) digest(text string) string {
	if d, ok := l.digests[text]; ok {
		return d
	}
	sum := sha256.Sum256([]byte(text))
	d := hex.EncodeToString(sum[:])
	if l.digests == nil {
		l.digests = make(map[string]string, slabSize)
	}
	l.digests[text] = d
	return d
}
