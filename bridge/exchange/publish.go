package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Why a result is not published.
var (
	ErrNotSettled = errors.New("exchange: a result needs an outcome that ends the execution")
	ErrConflict   = errors.New("exchange: another result has this id or belongs to this message")
)

// Publish accepts a result once. The same one again gives the record that is there (replayed);
// another one under its id is a conflict. Publishing sends nothing, closes nothing and moves no
// message: that is rule 17, which loads what was published.
func Publish(
	was *Result, r Result, who Authorization, d *ExchangeDisposition,
) (record Result, replayed bool, err error) {
	scope := Scope{
		ExchangeID: r.ExchangeID, MessageID: r.MessageID, AttemptID: r.AttemptID, Endpoint: r.Source,
	}
	switch {
	case AssertExchangeActive(d) != nil:
		return Result{}, false, ErrInactive
	case !who.Permits(Publication, scope):
		return Result{}, false, &Refusal{
			From: Settled, To: ResultAvailable, Rule: 17, Fact: NeedGrant, Action: Publication,
		}
	case !slices.Contains(SettlementGrade, r.Runtime):
		return Result{}, false, fmt.Errorf("%w, not %s", ErrNotSettled, r.Runtime)
	}
	if err := Validate(r); err != nil {
		return Result{}, false, err
	}
	if was == nil {
		return r.Snapshot(), false, nil
	}
	if same, err := equal(*was, r); err != nil || !same {
		return Result{}, false, errors.Join(ErrConflict, err)
	}
	return was.Snapshot(), true, nil
}

// Snapshot is a copy: nothing that is done to it reaches the record.
func (r Result) Snapshot() Result {
	r.ApplicationEvidence = bytes.Clone(r.ApplicationEvidence)
	return r
}

func equal[E Entity](a, b E) (bool, error) {
	x, errX := Encode(a)
	y, errY := Encode(b)
	return bytes.Equal(x, y), errors.Join(errX, errY)
}
