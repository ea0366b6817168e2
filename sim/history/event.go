package history

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"bridgesim/bridge/point"
)

// Lane says whose event it is.
type Lane uint8

// The lanes. Their numbers are part of the binary record: add at the end, never in between.
const (
	NoLane  Lane = iota
	Bridge       // what the bridge says about itself
	CDP          // a command of a client to the browser, or an event of the browser
	Site         // what the site received and answered: ground truth
	Agent        // what the local agent claimed and settled: ground truth
	Store        // a durable write
	Fault        // a fault struck
	Verdict      // an oracle judged
	World        // everything else: users, kills, restarts, limits
	Port         // what passed through the ports of the bridge, in a recording (sim/replay)
	laneEnd
)

var laneNames = [laneEnd]string{
	"", "bridge", "cdp", "site", "agent", "store", "fault", "verdict", "world", "port",
}

// String is the lane's name in NDJSON.
func (l Lane) String() string {
	if l >= laneEnd {
		return fmt.Sprintf("lane-%d", uint8(l))
	}
	return laneNames[l]
}

// MarshalText writes the lane's name.
func (l Lane) MarshalText() ([]byte, error) {
	if l == NoLane || l >= laneEnd {
		return nil, fmt.Errorf("lane %d has no name", uint8(l))
	}
	return []byte(laneNames[l]), nil
}

// UnmarshalText reads a lane's name.
func (l *Lane) UnmarshalText(b []byte) error {
	for i, name := range laneNames {
		if i > 0 && name == string(b) {
			*l = Lane(i)
			return nil
		}
	}
	return fmt.Errorf("lane %q is not known: expected one of %s", b, strings.Join(laneNames[1:], ", "))
}

// Digest is the SHA-256 of a text; zero when the event has none.
type Digest [sha256.Size]byte

// DigestOf returns the digest of a text.
func DigestOf(text string) Digest {
	var room [4 << 10]byte // a copy of a usual text stays on the stack
	return sha256.Sum256(append(room[:0], text...))
}

// IsZero tells whether there is no digest.
func (d Digest) IsZero() bool { return d == Digest{} }

// String is the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes 64 hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (d *Digest) UnmarshalText(b []byte) error {
	if len(b) != 2*len(d) {
		return fmt.Errorf("a digest has %d hexadecimal digits, this has %d", 2*len(d), len(b))
	}
	_, err := hex.Decode(d[:], b)
	return err
}

// Event is one line of a history. Fields that a kind does not use stay zero.
type Event struct {
	Seq    int           // position in the log from 1; given by Append
	At     time.Duration // since the start of the run
	Lane   Lane
	Kind   string   // what kind of thing happened, from the lane's vocabulary
	Op     point.Op // the bridge operation during which it happened
	Round  int      // the round of that operation
	Key    string   // the id, name or code that the event is about
	Text   string   // a short remark; part of the sum
	Digest Digest   // of Body, by Append; without one, of the text that the event names
	Body   string   // the payload; kept only when asked for, in the sum by its digest
}

// String is the event as one line for a person.
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %v %s %s", e.Seq, e.At, e.Lane, e.Kind)
	if e.Op != "" {
		fmt.Fprintf(&b, " %s@%d", e.Op, e.Round)
	}
	for _, s := range []string{e.Key, e.Text} {
		if s != "" {
			fmt.Fprintf(&b, " %q", s)
		}
	}
	if !e.Digest.IsZero() {
		fmt.Fprintf(&b, " body %s", e.Digest.String()[:8])
	}
	return b.String()
}
