package scenarios_test

import (
	"context"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
)

// BenchmarkSuite is every feature on the virtual engine, files read and checked anew each time.
func BenchmarkSuite(b *testing.B) {
	b.ReportAllocs()
	ran := 0
	for b.Loop() {
		sum, err := scenarios.Run(context.Background(), scenarios.Options{
			Paths: []string{features}, Engine: sim.Virtual(), Seed: 1, Jobs: 1,
		})
		if err != nil || sum.Failed > 0 || sum.Passed == 0 {
			b.Fatalf("%d passed, %d failed: %v", sum.Passed, sum.Failed, err)
		}
		ran += sum.Passed
	}
	b.ReportMetric(float64(ran)/b.Elapsed().Seconds(), "scenarios/s")
}
