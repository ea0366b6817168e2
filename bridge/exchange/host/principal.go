package host

import (
	"errors"
	"fmt"

	"bridgesim/bridge/exchange"
)

// Principal is somebody whom the host knows: who they are, which endpoint they speak as and serve,
// and which actions they may be granted at all. It is no grant: those are made for one exchange,
// message or attempt, from what is stored about it.
type Principal struct {
	ID  string               `json:"id"`
	As  exchange.EndpointRef `json:"as"`
	May []exchange.Action    `json:"may"`
}

// Directory tells who stands behind a token.
type Directory interface {
	Authenticate(token string) (Principal, bool)
}

// Entry is one line of a Roll. It holds the digest of a token, and never the token.
type Entry struct {
	TokenDigest string    `json:"tokenDigest"`
	Principal   Principal `json:"principal"`
}

// Roll is a directory that is known whole.
type Roll map[string]Principal // by the digest of a token

// ErrRoll is a roll with a line that cannot be.
var ErrRoll = errors.New("host: the roll of principals")

// NewRoll checks the lines: each token and each principal once, endpoints without an incarnation.
func NewRoll(entries []Entry) (Roll, error) {
	roll, ids := Roll{}, map[string]bool{}
	for i, e := range entries {
		_, twice := roll[e.TokenDigest]
		switch {
		case len(e.TokenDigest) != 64 || twice:
			return nil, fmt.Errorf("%w: line %d: want a SHA-256 that no other line has", ErrRoll, i+1)
		case e.Principal.ID == "" || ids[e.Principal.ID]:
			return nil, fmt.Errorf("%w: line %d: want an id that no other line has", ErrRoll, i+1)
		case e.Principal.As.InstanceID != "" || exchange.Validate(e.Principal.As) != nil:
			return nil, fmt.Errorf("%w: line %d: want an endpoint without incarnation", ErrRoll, i+1)
		}
		roll[e.TokenDigest], ids[e.Principal.ID] = e.Principal, true
	}
	return roll, nil
}

// Authenticate finds the principal of a token.
func (r Roll) Authenticate(token string) (Principal, bool) {
	p, ok := r[exchange.DigestBytes([]byte(token))]
	return p, ok && token != ""
}
