package session

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
)

// Rewriter is a Store that can be written anew: when memory outlived the cache ("the cache is
// written anew", readings 11), or after a damaged journal was put aside. Both stores are one.
type Rewriter interface {
	Store
	// Rewrite replaces the journal by records, durably and in one step.
	Rewrite(records []Record) error
	// SetAside takes a journal that cannot be trusted out of the way without losing it, and returns
	// the name under which it is kept. The store is then empty.
	SetAside() (kept string, err error)
}

// Journal is a session in work: the state that the durable records fold to, and the only way to
// change it. A Journal belongs to one process and is not safe for concurrent use.
type Journal struct {
	store Store
	clock clock.Clock
	trace point.Tracer
	state State
	torn  bool
}

// Open loads the journal and folds it. A store without a session gives an empty state (SID ""),
// whose first record is RecNew. A journal whose checksums hold but whose records break a law is
// ErrCorrupt, like any other that cannot be trusted; ErrNewer, ErrForeign and ErrLocked stay.
func Open(store Store, c clock.Clock, tr point.Tracer) (*Journal, error) {
	records, torn, err := store.Load()
	if err != nil && !errors.Is(err, ErrNoSession) {
		return nil, fmt.Errorf("session: open journal: %w", err)
	}
	state, err := Fold(records)
	if err != nil {
		return nil, fmt.Errorf("session: open journal: %w: %w", ErrCorrupt, err)
	}
	return &Journal{store: store, clock: c, trace: tr, state: state, torn: torn}, nil
}

// State is the folded state. Readers look and do not touch; the next Write changes it.
func (j *Journal) State() *State { return &j.state }

// Torn tells whether Open dropped a torn last record: the act behind that write never began.
func (j *Journal) Torn() bool { return j.torn }

// Write makes one record durable and then visible. It stamps At, checks every law first, announces
// the durable write (point.StoreAppend), and changes the state only after the store has answered.
// An illegal record (LawError) writes nothing. A failed write (ErrStore) leaves the state as it
// was: the act that the record announces must not begin.
func (j *Journal) Write(r Record) error {
	r.At = j.clock.Now().UTC().Round(0)
	if err := r.cleanText(); err != nil {
		return fmt.Errorf("session: %s: %w", r.Kind, err)
	}
	id, err := j.state.judge(&r)
	if err != nil {
		return err
	}
	round := r.Round
	if round == 0 {
		round = j.state.Round
	}
	j.trace.Op(point.StoreAppend, round)
	if err := j.append(&r, id, round); err != nil {
		return fmt.Errorf("session: %w: %s: %w", ErrStore, r.Kind, err)
	}
	j.state.take(&r, id)
	j.note(&r, id, round)
	return nil
}

// append writes the record; into a cache that was lost meanwhile, the whole session.
func (j *Journal) append(r *Record, id edgeID, round int) error {
	err := j.store.Append(*r)
	anew, can := j.store.(Rewriter)
	if !errors.Is(err, ErrGone) || !can {
		return err
	}
	next := j.state.clone()
	next.take(r, id)
	lost := Record{Kind: RecSnapshot, At: r.At, SID: next.SID, Snapshot: &next}
	if err := anew.Rewrite([]Record{lost}); err != nil {
		return err
	}
	j.trace.Note(point.Note{
		Kind: point.NoteInfo, Round: round, Key: "journal", Text: "lost; written anew from memory",
	})
	return nil
}

func (j *Journal) note(r *Record, id edgeID, round int) {
	if id != noEdge {
		j.trace.Note(point.Note{Kind: point.NoteEdge, Round: round, Key: edges[id].Name})
	}
	switch r.Kind {
	case RecIntent, RecSent, RecNotSent:
		j.trace.Note(point.Note{
			Kind: point.NoteSend, Round: round, Key: string(j.state.Last.Send), Text: string(r.Message),
		})
	}
}

// cleanText keeps the promise that what is loaded is what was written. A receipt or a reason comes
// from programs and may hold stray bytes, which are replaced; everything else is refused.
func (r *Record) cleanText() error {
	r.Receipt = strings.ToValidUTF8(r.Receipt, string(utf8.RuneError))
	r.Reason = strings.ToValidUTF8(r.Reason, string(utf8.RuneError))
	for _, text := range [...]string{
		r.Request, r.Objective, r.Plan, r.TargetID, r.Conversation, r.Digest, r.Baseline, r.MessageID,
		r.Token, r.Document, r.Outcome, r.Loss, r.Contract, r.Cap,
	} {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%w: found %.40q", ErrText, text)
		}
	}
	for _, list := range [...][]string{r.Capabilities, r.Denials, r.Features} {
		for _, text := range list {
			if !utf8.ValidString(text) {
				return fmt.Errorf("%w: found %.40q", ErrText, text)
			}
		}
	}
	return nil
}
