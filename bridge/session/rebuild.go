package session

import (
	"fmt"

	"bridgesim/bridge/point"
)

// Rebuild begins an empty journal with a session that is known from elsewhere: the records that
// lead to it, each lawful behind those before it, become one durable write, a snapshot. A crash
// leaves nothing of it or all: half a session would be taken for one in which little was said so
// far.
func (j *Journal) Rebuild(records []Record) error {
	next := j.state.clone()
	ids := make([]edgeID, len(records))
	now := j.clock.Now().UTC().Round(0)
	for i := range records {
		r := &records[i]
		r.At = now
		if err := r.cleanText(); err != nil {
			return fmt.Errorf("session: %s: %w", r.Kind, err)
		}
		id, err := next.judge(r)
		if err != nil {
			return err
		}
		next.take(r, id)
		ids[i] = id
	}
	whole := Record{Kind: RecSnapshot, At: now, SID: next.SID, Snapshot: &next}
	if _, err := j.state.judge(&whole); err != nil {
		return err
	}
	j.trace.Op(point.StoreAppend, next.Round)
	if err := j.store.Append(whole); err != nil {
		return fmt.Errorf("session: %w: %s: %w", ErrStore, whole.Kind, err)
	}
	j.state.take(&whole, noEdge)
	for i := range records {
		j.note(&records[i], ids[i], next.Round)
	}
	return nil
}
