package event_test

import (
	"context"
	"math"
	"testing"
	"time"

	"bridgesim/sim/event"
)

// BenchmarkEvent is one push and one pop among 64 entries. Anchor: 112 ns with container/heap.
func BenchmarkEvent(b *testing.B) {
	l := event.New()
	defer l.Close()
	left := b.N
	var again func()
	again = func() {
		if left--; left > 0 {
			l.After(time.Duration(left&63)+1, again)
		}
	}
	for range 64 {
		l.After(time.Nanosecond, again)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if err := l.Run(event.Until{Steps: math.MaxInt}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRun200 is an empty run of 200 events. Anchor: 23 µs.
func BenchmarkRun200(b *testing.B) {
	l := event.New()
	defer l.Close()
	nothing := func() {}
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		for i := range 200 {
			l.After(time.Duration(i%17)*time.Millisecond, nothing)
		}
		if err := l.Run(event.Until{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSwitch is one Sleep with a switch to the loop and back. Anchor: 61 ns a switch.
func BenchmarkSwitch(b *testing.B) {
	l := event.New()
	defer l.Close()
	for range 2 { // two processes in step: neither can just advance the time
		spawn(l, "p", walk(b.N/2+1, time.Millisecond, func() {}))
	}
	b.ReportAllocs()
	b.ResetTimer()
	if err := l.Run(event.Until{Steps: math.MaxInt}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSpawn is a process that does nothing.
func BenchmarkSpawn(b *testing.B) {
	l := event.New()
	defer l.Close()
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p := l.Spawn("p", func() {})
		if err := l.Run(event.Until{Proc: p}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTimeout is what every CDP call pays for its deadline.
func BenchmarkTimeout(b *testing.B) {
	l := event.New()
	defer l.Close()
	c := l.Clock(nil)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		t, cancel := c.WithTimeout(ctx, time.Second)
		_ = t.Err()
		cancel()
	}
}
