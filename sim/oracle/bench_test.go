package oracle_test

import (
	"syscall"
	"testing"
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/fakesite"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// calmSession is a history of about 200 events: three rounds with the calls that pi makes for them.
func calmSession() *story {
	t := opened()
	for round := 1; round <= 3; round++ {
		for range 16 {
			t.call(point.WaitPoll, probe.Turn.Name)
		}
		t.seen("streaming")
		t.runs(round)
		for range 28 {
			t.call(point.SendReadBack, probe.Composer.Name)
		}
	}
	t.strikes(cut)
	t.verdict(3, 3, "continue: dropped")
	t.closes(4)
	return t
}

// cpu is the time that this process has spent on all processors. Wall time says little on a machine
// that others use as well.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkJudge is the index and all oracles of one run after the other, as exploration does it.
// Budget: 30 µs for 200 events, no allocation.
func BenchmarkJudge(b *testing.B) {
	t := calmSession()
	h, events := t.log.Header(), without(t.log.Events(), true, false)
	c, err := oracle.NewCase(h, events)
	if err != nil {
		b.Fatal(err)
	}
	var found []oracle.Finding
	b.ReportAllocs()
	from := cpu(b)
	for b.Loop() {
		if err := c.Load(h, events); err != nil {
			b.Fatal(err)
		}
		found = oracle.AppendJudge(found[:0], c)
		if s := oracle.Overall(found); s != oracle.Pass {
			b.Fatal(s)
		}
	}
	b.ReportMetric(float64(cpu(b)-from)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(len(events)), "events")
}

// BenchmarkJudgeOnce judges a single run.
func BenchmarkJudgeOnce(b *testing.B) {
	t := calmSession()
	h, events := t.log.Header(), without(t.log.Events(), true, false)
	b.ReportAllocs()
	for b.Loop() {
		c, err := oracle.NewCase(h, events)
		if err != nil {
			b.Fatal(err)
		}
		if s := oracle.Overall(oracle.Judge(c)); s != oracle.Pass {
			b.Fatal(s)
		}
	}
	b.ReportMetric(float64(len(events)), "events")
}

// BenchmarkJudgeByBodies is an old history without readings: everything is parsed again.
func BenchmarkJudgeByBodies(b *testing.B) {
	t := calmSession()
	h, events := t.log.Header(), without(t.log.Events(), false, true)
	b.ReportAllocs()
	for b.Loop() {
		c, err := oracle.NewCase(h, events)
		if err != nil {
			b.Fatal(err)
		}
		if s := oracle.Overall(oracle.Judge(c)); s != oracle.Pass {
			b.Fatal(s)
		}
	}
}

// BenchmarkReader is what a world pays for the readings of one exchange that it has seen before.
func BenchmarkReader(b *testing.B) {
	t := newStory()
	now := start.Add(time.Second)
	sent := fakesite.Entry{
		Kind:         fakesite.Received,
		At:           now,
		Conversation: talk,
		MessageID:    "m",
		Text:         t.roundText(1),
	}
	wrote := fakesite.Entry{
		Kind: fakesite.Answered, At: now, Conversation: talk, MessageID: "m", Ending: fakesite.Complete,
		Ends: now,
		Text: planText(t.frame(1), "continue", "npm test"),
	}
	r := oracle.NewReader(ask, nil)
	var buf []history.Event
	b.ReportAllocs()
	for b.Loop() {
		r.Reset()
		buf = r.Site(buf[:0], &sent, start)
		buf = r.Site(buf, &wrote, start)
	}
}
