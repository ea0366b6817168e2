package fakesite_test

import (
	"testing"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
)

// BenchmarkSession is the site's part of a session: a new site, HELLO, three ROUNDs.
func BenchmarkSession(b *testing.B) {
	for _, t := range []fakesite.Timing{fakesite.Instant(), fakesite.Typical()} {
		b.Run(t.Name, func(b *testing.B) { session(b, t) })
	}
}

func session(b *testing.B, timing fakesite.Timing) {
	script := threeRounds()
	texts := []string{offer().Hello()}
	probe := fakesite.New(fakesite.Config{Script: script})
	c, _, _ := probe.Submit(dawn, fakesite.Post{Text: texts[0]})
	prev := "-"
	for r := 1; r <= 3; r++ {
		f := at(r, prev)
		texts = append(texts, wire.NextRound(f, "npm test 全绿"))
		_, m, _ := probe.Submit(dawn, fakesite.Post{ConversationID: c.ID, Text: texts[r]})
		p, faults := wire.CheckPlan(m.Text, f)
		if len(faults) > 0 {
			b.Fatal(faults)
		}
		prev = p.Key
	}
	ids := []string{"m0", "m1", "m2", "m3"}
	b.ReportAllocs()
	for b.Loop() {
		s := fakesite.New(fakesite.Config{Script: script, Timing: timing, Entropy: clock.Seeded(1)})
		p, now := fakesite.Post{}, dawn
		for i, text := range texts {
			p.Text, p.MessageID = text, ids[i]
			c, m, why := s.Submit(now, p)
			if why != fakesite.Taken {
				b.Fatal(why)
			}
			p.ConversationID, p.ParentID, now = c.ID, m.ID, m.Course.Ends()
		}
	}
}

// BenchmarkProgress is one look at a streaming answer.
func BenchmarkProgress(b *testing.B) {
	s := fakesite.New(fakesite.Config{Timing: fakesite.Typical()})
	_, m, _ := s.Submit(dawn, fakesite.Post{Text: offer().Hello()})
	now := m.Course.TextFrom().Add(time.Second)
	b.ReportAllocs()
	for b.Loop() {
		m.At(now)
	}
}
