package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// digestLen is the length of every digest on the wire, in hexadecimal digits.
const digestLen = 8

// Digest8 is the first eight lower-case hexadecimal digits of the SHA-256 of s as it is, UTF-8.
// Callers that hash protocol text pass it through [Canonical] first.
func Digest8(s string) string {
	sum := Sum(s)
	var digits [digestLen]byte
	hex.Encode(digits[:], sum[:digestLen/2])
	return string(digits[:])
}

// Sum is the SHA-256 of s as it is. A message is rarely longer than the room, and then no copy of
// it leaves the stack.
func Sum(s string) [sha256.Size]byte {
	var room [4 << 10]byte
	return sha256.Sum256(append(room[:0], s...))
}

// IsDigest8 reports whether s has the shape of a digest: eight lower-case hexadecimal digits.
func IsDigest8(s string) bool { return isHex(s, digestLen) }

// IsSID reports whether s has the shape of a session id: sixteen lower-case hexadecimal digits.
func IsSID(s string) bool { return isHex(s, 16) }

// ContractTag is the contract as one word, "p2.478d1ef2": version, then digest of the whole
// normative contract, code-block rules included, so changing those rules changes the tag.
func ContractTag() string { return contractTag() }

var contractTag = sync.OnceValue(func() string { return "p2." + Digest8(Canonical(contract)) })

// CapabilityTag is the digest of what pi can and must not do, "c1.5fc20bbe" for the defaults. Both
// lists are sorted before hashing, "so declaration order does not matter"; the arguments are not
// changed. The input is: capabilities, one a line, the line "--", denials, one a line.
func CapabilityTag(caps, denials []string) string {
	all := slices.Concat(caps, []string{"--"}, denials)
	slices.Sort(all[:len(caps)])
	slices.Sort(all[len(caps)+1:])
	text := strings.Join(all, "\n")
	return "c1." + Digest8(Canonical(text))
}

// QID is the digest of the user's original request in canonical form: `q` in every FRAME.
func QID(request string) string { return Digest8(Canonical(request)) }

// PlanKey is the digest of a PLAN: its block in canonical form, fences excluded. `p` and `CK` hold
// the key of the last plan that was validated, executed and settled. Take it from one source only,
// the conversation record: other sources differ in spaces and are compared with [SameText].
func PlanKey(block string) string { return Digest8(Canonical(block)) }
