package fakesite

import (
	"fmt"
	"time"
)

// Timing is how fast the site is. All durations are on the site's clock; the zero value is instant.
type Timing struct {
	Name string

	// Of a page load.
	Load    time.Duration // navigation → readyState complete (the bare shell)
	Hydrate time.Duration // readyState complete → composer and mounted turns, in one commit

	// Of a send, from the POST on.
	Commit  time.Duration // POST → user turn and placeholder mounted, composer cleared, stop shown
	Address time.Duration // POST of a new chat → the address is /c/<id>

	// Of an answer.
	FirstByte  time.Duration // POST → Thinking (the stream's first bytes)
	Think      time.Duration // Thinking → first text
	ThinkMost  time.Duration // longer than Think: drawn evenly between Think and this
	Chunk      time.Duration // between two pieces of text
	ChunkRunes int           // characters in one piece; 0 = the whole text at once
	Bar        time.Duration // end of the text → action bar
	Reenable   time.Duration // end of the text → the Send button works again
}

// Instant is a site without waits: an answer is complete in the moment of its POST.
func Instant() Timing { return Timing{Name: "instant"} }

// Typical has the numbers that were measured on the live site: readyState complete at 2.9 s and the
// composer at 9.1 s, 0.44 s from POST to the mounted turn, the address at 3.8 s, a short answer
// whole at about 6.9 s in some twenty pieces.
func Typical() Timing {
	return Timing{
		Name: "typical",
		Load: 2900 * time.Millisecond, Hydrate: 6200 * time.Millisecond,
		Commit: 437 * time.Millisecond, Address: 3800 * time.Millisecond,
		FirstByte: time.Second, Think: 2800 * time.Millisecond,
		Chunk: 160 * time.Millisecond, ChunkRunes: 20,
		Bar: 300 * time.Millisecond, Reenable: 2 * time.Second,
	}
}

// SlowThinking is Typical with the 11 to 20 minutes without text that thinking models take.
func SlowThinking() Timing {
	t := Typical()
	t.Name = "slow-thinking"
	t.Think, t.ThinkMost = 11*time.Minute, 20*time.Minute
	return t
}

// TimingNames lists what TimingByName knows.
func TimingNames() []string { return []string{"instant", "typical", "slow-thinking"} }

// TimingByName returns a named timing; "" is typical.
func TimingByName(name string) (Timing, error) {
	switch name {
	case "instant":
		return Instant(), nil
	case "", "typical":
		return Typical(), nil
	case "slow-thinking":
		return SlowThinking(), nil
	}
	return Timing{}, fmt.Errorf("timing %q is not known: use one of %q", name, TimingNames())
}
