package wire

import "testing"

func BenchmarkHello(b *testing.B) {
	o := sampleOffer()
	b.ReportAllocs()
	for b.Loop() {
		_ = o.Hello()
	}
}

func BenchmarkNewOffer(b *testing.B) {
	caps, denials := DefaultCapabilities(), DefaultDenials()
	b.ReportAllocs()
	for b.Loop() {
		_ = NewOffer(sampleSID, sampleRequest, sampleLabel, caps, denials)
	}
}

func BenchmarkCheckPlan(b *testing.B) {
	reply, want := fenced(planText()), sampleFrame()
	b.ReportAllocs()
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		if _, faults := CheckPlan(reply, want); faults != nil {
			b.Fatal(faults)
		}
	}
}

func BenchmarkGate(b *testing.B) {
	o := sampleOffer()
	reply := fenced(o.HS())
	b.ReportAllocs()
	for b.Loop() {
		if _, failures := Gate(o, reply); failures != nil {
			b.Fatal(failures)
		}
	}
}

func BenchmarkBuildAndParse(b *testing.B) {
	f := sampleFrame()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseMessage(NextRound(f, "npm test 全绿")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseHello(b *testing.B) {
	hello := sampleOffer().Hello()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseMessage(hello); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeaderOf(b *testing.B) {
	hello := sampleOffer().Hello()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := HeaderOf(hello); !ok {
			b.Fatal("no header")
		}
	}
}

// TestCheckPlanAllocates bounds the cost of reading a normal plan.
func TestCheckPlanAllocates(t *testing.T) {
	reply, want := fenced(planText()), sampleFrame()
	if n := testing.AllocsPerRun(100, func() { CheckPlan(reply, want) }); n > 20 {
		t.Errorf("%v allocations, want at most 20", n)
	}
	o := sampleOffer()
	round := NextRound(want, "ok")
	if n := testing.AllocsPerRun(100, func() { _, _ = ParseMessage(round) }); n > 2 {
		t.Errorf("ParseMessage: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { Gate(o, fenced(golden(t, "hs.txt"))) }); n > 30 {
		t.Errorf("Gate: %v allocations", n)
	}
}
