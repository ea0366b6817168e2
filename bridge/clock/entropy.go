package clock

import (
	crand "crypto/rand"
	"encoding/hex"
	"math/rand/v2"
)

// Entropy fills byte slices: session ids, message ids, fence tokens, jitter.
type Entropy interface {
	// Read fills p whole; it cannot fail.
	Read(p []byte)
}

type system struct{}

// System returns the operating system's randomness.
func System() Entropy { return system{} }

func (system) Read(p []byte) {
	// crypto/rand.Read never returns an error since Go 1.24; it ends the program instead.
	_, _ = crand.Read(p)
}

type seeded struct{ pcg rand.PCG }

// Seeded returns a repeatable source: the same seed gives the same bytes on every machine.
func Seeded(seed uint64) Entropy {
	s := &seeded{}
	s.pcg.Seed(seed, seed^0x9e3779b97f4a7c15)
	return s
}

func (s *seeded) Read(p []byte) {
	for len(p) > 0 {
		v := s.pcg.Uint64()
		for i := 0; i < 8 && len(p) > 0; i++ {
			p[0] = byte(v)
			v >>= 8
			p = p[1:]
		}
	}
}

// fill is e.Read without letting p escape where the source is known.
func fill(e Entropy, p []byte) {
	if s, ok := e.(*seeded); ok {
		s.Read(p)
		return
	}
	b := make([]byte, len(p))
	e.Read(b)
	copy(p, b)
}

// Hex returns n random bytes as 2n lower-case hexadecimal digits.
func Hex(e Entropy, n int) string {
	var room [32]byte
	var digits [2 * len(room)]byte
	if n > len(room) {
		b := make([]byte, n)
		e.Read(b)
		return hex.EncodeToString(b)
	}
	fill(e, room[:n])
	hex.Encode(digits[:], room[:n])
	return string(digits[:2*n])
}

// UUID returns a random (version 4) UUID in its usual text form.
func UUID(e Entropy) string {
	var b [16]byte
	fill(e, b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	hex.Encode(out[0:8], b[0:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:36], b[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// Unit returns a number in [0, 1).
func Unit(e Entropy) float64 {
	var b [8]byte
	fill(e, b[:])
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return float64(v>>11) / (1 << 53)
}
