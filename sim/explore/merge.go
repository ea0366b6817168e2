package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// ErrMerge says that reports are not the shards of one exploration.
var ErrMerge = errors.New("these reports are not the shards of one exploration")

// ReadReport reads the JSON of a report.
func ReadReport(r io.Reader) (*Result, error) {
	var rep Result
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	switch err := d.Decode(&rep); {
	case err != nil:
		return nil, fmt.Errorf("this is no report of an exploration: %w", err)
	case rep.Version != Version || rep.Tally == nil:
		return nil, fmt.Errorf("a report of version %d; this program reads version %d", rep.Version,
			Version)
	}
	return &rep, nil
}

// Merge adds the shards of one exploration, in any order. The sum is the report of the whole, to
// the byte. Errors are ErrMerge.
func Merge(shards []*Result) (*Result, error) {
	if len(shards) == 0 {
		return nil, fmt.Errorf("%w: there is none", ErrMerge)
	}
	whole := *shards[0]
	whole.Shard, whole.Stopped, whole.Units.Done, whole.Tally = nil, "", 0, newTally()
	there := map[int]bool{}
	for i, s := range shards {
		if err := fits(shards[0], s, i); err != nil {
			return nil, err
		}
		if there[s.Shard.I] {
			return nil, fmt.Errorf("%w: shard %s is there twice", ErrMerge, s.Shard)
		}
		there[s.Shard.I] = true
		whole.Units.Done += s.Units.Done
		if s.Stopped != "" {
			whole.Stopped = s.Stopped
		}
		whole.merge(s.Tally)
	}
	for i := range shards[0].Shard.N {
		if !there[i+1] {
			return nil, fmt.Errorf("%w: shard %d/%d is missing", ErrMerge, i+1, shards[0].Shard.N)
		}
	}
	return &whole, nil
}

// fits checks that two reports are of one plan.
func fits(first, s *Result, i int) error {
	if s.Shard == nil {
		return fmt.Errorf("%w: report %d is of a whole exploration", ErrMerge, i+1)
	}
	a, b := *first, *s
	a.Tally, b.Tally = nil, nil
	a.Stopped, b.Stopped = "", ""
	a.Units.Done, b.Units.Done = 0, 0
	a.Shard, b.Shard = &Shard{N: a.Shard.N}, &Shard{N: b.Shard.N}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	return fmt.Errorf("%w: reports 1 and %d differ in features, seed or flags", ErrMerge, i+1)
}
