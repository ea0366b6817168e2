package fakesite_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
)

func drawTiming(t *rapid.T) fakesite.Timing {
	ms := func(name string, most int) time.Duration {
		return time.Duration(rapid.IntRange(0, most).Draw(t, name)) * time.Millisecond
	}
	return fakesite.Timing{
		FirstByte: ms("first", 50), Think: ms("think", 50), ThinkMost: ms("most", 90),
		Chunk: ms("chunk", 7), ChunkRunes: rapid.IntRange(0, 9).Draw(t, "runes"),
	}
}

func drawCourse(t *rapid.T) (*fakesite.Site, *fakesite.Message) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab方案😀\n`é")), 0, 60, -1).Draw(t, "text")
	move := fakesite.Move{
		Say:   text,
		Write: time.Duration(rapid.IntRange(0, 90).Draw(t, "write")) * time.Millisecond,
	}
	if text == "" {
		move.Say = "x"
	}
	var faults fakesite.Faults
	for _, f := range []*fakesite.Nth{&faults.FailMid, &faults.FailAfter, &faults.FailBefore} {
		if rapid.IntRange(0, 5).Draw(t, "fault") == 0 {
			*f = fakesite.Nth{1}
		}
	}
	s := fakesite.New(fakesite.Config{
		Script: fakesite.Script{Handshake: []fakesite.Move{move}}, Timing: drawTiming(t),
		Entropy: clock.Seeded(rapid.Uint64().Draw(t, "seed")),
		Options: fakesite.Options{
			PauseAt:  rapid.IntRange(0, 100).Draw(t, "at"),
			PauseFor: time.Duration(rapid.IntRange(0, 40).Draw(t, "gap")) * time.Millisecond, Faults: faults,
		},
	})
	_, m, _ := s.Submit(dawn, fakesite.Post{Text: offer().Hello()})
	return s, m
}

func rank(s fakesite.AnswerState) int {
	for i, v := range []fakesite.AnswerState{"waiting", "thinking", "streaming"} {
		if v == s {
			return i
		}
	}
	return 3
}

// sane checks one look at an answer.
func sane(t *rapid.T, m *fakesite.Message, p fakesite.Progress, now time.Time) {
	switch {
	case !utf8.ValidString(m.Text[:p.Shown]):
		t.Fatalf("half a character stands: %q", m.Text[:p.Shown])
	case p.State.Ended() != p.Next.IsZero():
		t.Fatalf("%v has next %v", p.State, p.Next)
	case !p.Next.IsZero() && !p.Next.After(now):
		t.Fatalf("next %v is not after %v", p.Next, now)
	case rank(p.State) < 2 && p.Shown != 0:
		t.Fatalf("%v shows text", p.State)
	}
}

// Walking from Next to Next meets every change: a course looked at in every microsecond step around
// them never differs from the last stop, text only grows, states only go on, and the end is Ends.
func TestCourseNextIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, m := drawCourse(t)
		now := dawn
		for stops := 0; ; stops++ {
			if stops > 500 {
				t.Fatal("the course does not end")
			}
			p := m.At(now)
			sane(t, m, p, now)
			if p.State.Ended() {
				if p.Shown != len(m.Text) || !now.Equal(m.Course.Ends()) || p.State != m.Course.Ending() {
					t.Fatalf("ended as %+v at %v, planned %v %v", p, now, m.Course.Ending(), m.Course.Ends())
				}
				return
			}
			quiet := p.Next.Sub(now)
			for _, d := range []time.Duration{1, quiet / 3, quiet / 2, quiet - 1} {
				if q := m.At(now.Add(d)); d < quiet && q != p {
					t.Fatalf("changed from %+v to %+v, %v before next", p, q, quiet-d)
				}
			}
			q := m.At(p.Next)
			if q.State == p.State && q.Shown == p.Shown {
				t.Fatalf("nothing changed at next: %+v", q)
			}
			if q.Shown < p.Shown || rank(q.State) < rank(p.State) {
				t.Fatalf("went back from %+v to %+v", p, q)
			}
			now = p.Next
		}
	})
}

// Stopping at any moment keeps exactly what stood, for ever.
func TestCourseStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := drawCourse(t)
		now := dawn.Add(time.Duration(rapid.IntRange(0, 300_000).Draw(t, "when")) * time.Microsecond)
		before, stood := m.At(now), m.TextAt(now)
		s.Stop(now, s.Conversations()[0].ID)
		after := m.At(now)
		switch {
		case m.TextAt(now) != stood || m.At(now.Add(time.Hour)) != after:
			t.Fatalf("stood %q, then %q", stood, m.TextAt(now))
		case before.State.Ended() && after != before:
			t.Fatalf("an ended answer became %+v", after)
		case !before.State.Ended() && (after.State != fakesite.Stopped || m.Text != stood):
			t.Fatalf("stopped as %+v with %q", after, m.Text)
		}
	})
}
