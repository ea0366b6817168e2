package history_test

import (
	"bytes"
	"testing"

	"bridgesim/bridge/point"
	"bridgesim/sim/history"
)

func BenchmarkAppend(b *testing.B) {
	l := history.New(history.Header{Seed: 1, Engine: "virtual"})
	body := string(make([]byte, 3000))
	e := history.Event{
		At: 12345678, Lane: history.CDP, Kind: "Runtime.evaluate", Op: point.WaitPoll, Round: 2,
		Key: "turn", Body: body,
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%200 == 0 {
			l.Reset(l.Header())
		}
		l.Append(e)
	}
}

func FuzzReadNDJSON(f *testing.F) {
	f.Add([]byte(`{"format":"bridgesim-history","version":1,"seed":"1","engine":"virtual"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := history.ReadNDJSON(bytes.NewReader(b)); (l == nil) == (err == nil) {
			t.Fatalf("log %v with error %v", l, err)
		}
	})
}
