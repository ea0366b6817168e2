package virtual_test

import (
	"math"
	"syscall"
	"testing"
	"time"

	"bridgesim/fakesite"
	"bridgesim/sim/event"
)

// cpu is the time that this process has spent on all processors. Wall time says little on a machine
// that others use as well.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func reportCPU(b *testing.B, from time.Duration) {
	b.ReportMetric(float64(cpu(b)-from)/float64(b.N), "cpu-ns/op")
}

// BenchmarkProbe is one poll of the answer, log and hash included. Budget: 0.5 µs.
func BenchmarkProbe(b *testing.B) {
	w := newWorld(worldOptions{timing: fakesite.SlowThinking()})
	defer w.loop.Close()
	w.log.KeepEvents = false
	b.ReportAllocs()
	n := 0
	var p *event.Proc
	p = w.loop.Spawn("client", func() {
		c := &client{w: w, p: p, c: w.loop.Clock(p), port: w.b.Dialer(p)}
		c.attach(base + "/")
		c.ready()
		id := c.send(offer().Hello())
		c.sleep(2 * time.Second)
		b.ResetTimer()
		from := cpu(b)
		for ; n < b.N; n++ {
			c.turn(id)
			if n%1000 == 0 {
				c.sleep(time.Nanosecond) // progress of time, or the loop calls it endless
			}
		}
		reportCPU(b, from)
		b.StopTimer()
	})
	if err := w.loop.Run(event.Until{Proc: p, Steps: math.MaxInt}); err != nil || p.Crash() != nil {
		b.Fatal(err, p.Crash())
	}
}

// BenchmarkConversation is HELLO and three rounds: world, site, persona, log and hash. Budget: 100
// µs and 400 allocations.
func BenchmarkConversation(b *testing.B) {
	b.ReportAllocs()
	events, from := 0, cpu(b)
	for b.Loop() {
		w := newWorld(worldOptions{timing: fakesite.Typical(), script: threeRounds})
		w.log.KeepEvents = false
		if err := w.run(func(c *client) { session(c) }); err != nil {
			b.Fatal(err)
		}
		w.log.Sum()
		events = w.log.Len()
		w.loop.Close()
	}
	b.ReportMetric(float64(events), "events")
	reportCPU(b, from)
}
