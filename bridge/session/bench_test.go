package session

import (
	"testing"
	"time"

	"bridgesim/bridge/point"
)

// BenchmarkMemorySession is a session of three rounds on the memory store: what the virtual engine
// pays for durability in one run.
func BenchmarkMemorySession(b *testing.B) {
	records := quiet(3)
	clk := &stopped{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	b.ReportAllocs()
	for b.Loop() {
		j, err := Open(NewMemory(), clk, point.Silent{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range records {
			if err := j.Write(records[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(records)), "records/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(records)), "ns/record")
}

// BenchmarkFold is what a restart pays.
func BenchmarkFold(b *testing.B) {
	records := quiet(3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fold(records); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFileAppend is one durable record in a folder: encode, write, fsync.
func BenchmarkFileAppend(b *testing.B) {
	s, err := OpenFolder(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if err := s.Append(born()); err != nil {
		b.Fatal(err)
	}
	r := settled(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Append(r); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWriteIsCheap holds the budget: at most two allocations per record.
func TestWriteIsCheap(t *testing.T) {
	records := quiet(3)
	clk := &stopped{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
	perSession := testing.AllocsPerRun(100, func() {
		j, err := Open(NewMemory(), clk, point.Silent{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			if err := j.Write(records[i]); err != nil {
				t.Fatal(err)
			}
		}
	})
	if most := 2 * float64(len(records)); perSession > most {
		t.Fatalf("%.0f allocations for %d records, at most %.0f", perSession, len(records), most)
	}
}
