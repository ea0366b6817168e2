package exchange

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"bridgesim/bridge/clock"
)

// Prefix tells which entity an id belongs to. An id with another prefix is refused everywhere.
type Prefix string

// The prefixes. The first two are as old as version 1 of the protocol, whose ids stay valid.
const (
	ExchangeID Prefix = "ho_"
	ResultID   Prefix = "hr_"
	MessageID  Prefix = "msg_"
	AttemptID  Prefix = "att_"
	ReceiptID  Prefix = "rcpt_"
	EventID    Prefix = "evt_"
)

// Prefixes lists them all.
var Prefixes = []Prefix{ExchangeID, ResultID, MessageID, AttemptID, ReceiptID, EventID}

// ErrID is what every malformed id is.
var ErrID = errors.New("not an id of this kind")

// Ids mints ids from the two ports. An id depends on time and chance alone, never on a payload.
type Ids struct {
	Clock   clock.Clock
	Entropy clock.Entropy
}

// New returns a fresh id: the prefix and a ULID.
func (m Ids) New(p Prefix) string {
	var u ulid.ULID
	// Milliseconds of a year before 10889: SetTime cannot fail.
	_ = u.SetTime(ulid.Timestamp(m.Clock.Now()))
	var chance [10]byte
	m.Entropy.Read(chance[:])
	_ = u.SetEntropy(chance[:])
	return string(p) + u.String()
}

// IDParts are what an id is made of.
type IDParts struct {
	Time    time.Time
	Entropy [10]byte
}

// ParseID takes an id apart, without loss. It is as strict as the alphabet: upper case, no I, L, O
// or U, the whole id. A shortened form for the eye finds nothing.
func ParseID(p Prefix, id string) (IDParts, error) {
	text, ok := strings.CutPrefix(id, string(p))
	u, err := ulid.ParseStrict(text)
	if !ok || err != nil || u.String() != text {
		return IDParts{}, fmt.Errorf("%w: want %s and 26 characters of Crockford's alphabet",
			ErrID, p)
	}
	parts := IDParts{Time: ulid.Time(u.Time()).UTC()}
	copy(parts.Entropy[:], u.Entropy())
	return parts, nil
}
