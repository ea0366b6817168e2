package speed_test

import (
	"testing"

	"bridgesim/sim/speed"
)

// BenchmarkRun is one complete run with all oracles and the hash of its history, on a Runner.
func BenchmarkRun(b *testing.B) {
	b.Run("calm", func(b *testing.B) { run(b, playerOf(b, speed.Rounds(3))) })
	b.Run("polled", func(b *testing.B) { run(b, playerOf(b, speed.Polled(3))) })
	b.Run("struck", func(b *testing.B) { run(b, playerOf(b, struck(b)...)) })
}

func run(b *testing.B, p measured) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Play(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(p.cost.Events, "events/run")
	b.ReportMetric(p.cost.Calls, "CDP-calls/run")
}

// BenchmarkEmpty is the empty engine with as many events as a calm run.
func BenchmarkEmpty(b *testing.B) {
	p := playerOf(b, speed.Rounds(3))
	e := speed.NewEmpty()
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Run(int(p.cost.Events)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLong is a session of 64 rounds: what grows faster than the session shows here.
func BenchmarkLong(b *testing.B) { run(b, playerOf(b, speed.Polled(64))) }
