package wire

import (
	"strconv"
	"strings"
)

// Checkpoint is "the last plan that was validated AND executed AND agent settled". The zero value
// means that there is none yet and prints "0:-".
type Checkpoint struct {
	Round int    // 0 without a checkpoint
	Key   string // eight hex digits; "" without a checkpoint
}

// String is the value of a CK line, "3:a1b2c3d4".
func (c Checkpoint) String() string { return strconv.Itoa(c.Round) + ":" + c.Prev() }

// Prev is what the next FRAME says in `p=`: the key, or [NoPlan].
func (c Checkpoint) Prev() string {
	if c.Key == "" {
		return NoPlan
	}
	return c.Key
}

// ParseCheckpoint reads "<round>:<key>" or "0:-" (the zero value). A round from 1 needs a key and
// round 0 has none: half a checkpoint proves nothing. The error is a [Fault] with [CodeFrame].
func ParseCheckpoint(s string) (Checkpoint, error) {
	if len(s) > MaxInput {
		return Checkpoint{}, tooLarge(s)
	}
	t := tidy(s)
	round, key, ok := strings.Cut(t, ":")
	if !ok {
		round, key, ok = strings.Cut(t, wideColon)
	}
	n, number := parseNumber(tidy(round))
	key = tidy(key)
	switch {
	case ok && number && n == 0 && key == NoPlan:
		return Checkpoint{}, nil
	case ok && number && n > 0 && IsDigest8(key):
		return Checkpoint{Round: n, Key: key}, nil
	}
	return Checkpoint{}, Fault{
		Code: CodeFrame, Line: 1, Column: columnOf(s, ""), Want: "<round>:<8 hex digits>, or 0:-",
		Got: quoteShort(t), Hint: "not a checkpoint",
	}
}
