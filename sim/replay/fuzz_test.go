package replay_test

import (
	"bytes"
	"testing"

	"bridgesim/scenarios"
	"bridgesim/sim"
	"bridgesim/sim/history"
	"bridgesim/sim/replay"
)

// FuzzReplay changes one event of a recording, with a sum that fits. A replay ends, with a result
// or a named error, and never grows beyond the recording.
func FuzzReplay(f *testing.F) {
	all, err := scenarios.Compile([]string{features + "recovery/row-03.feature:25"}, "", 1)
	if err != nil {
		f.Fatal(err)
	}
	_, log, err := record(sim.Virtual(), &all[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(3), uint8(0), "x")
	f.Add(uint16(20), uint8(1), `{"value":null}`)
	f.Add(uint16(1), uint8(1), `{"resume":true,"request":"r","site":"s"}`)
	f.Add(uint16(40), uint8(2), "")
	f.Fuzz(func(t *testing.T, at uint16, field uint8, text string) {
		made := edited(log, func(i int, e *history.Event) bool {
			if i != int(at)%log.Len() {
				return true
			}
			switch field % 5 {
			case 0:
				e.Key = text
			case 1:
				e.Body = text
			case 2:
				return false
			case 3:
				e.Kind = text
			default:
				e.Lane = history.Lane(1 + at%9)
			}
			return true
		})
		res, err := replay.Replay(made)
		if (res == nil) == (err == nil) {
			t.Fatalf("result %v with error %v", res, err)
		}
		if res != nil && res.Log.Len() > made.Len() {
			t.Fatalf("%d events became %d", made.Len(), res.Log.Len())
		}
	})
}

// FuzzRecording reads any bytes as a recording, replays what can be, and asks for its schedule.
func FuzzRecording(f *testing.F) {
	f.Add([]byte(`{"format":"bridgesim-history","version":1,"seed":"1","engine":"virtual"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := history.ReadNDJSON(bytes.NewReader(b))
		if err != nil {
			return
		}
		if res, err := replay.Replay(l); (res == nil) == (err == nil) {
			t.Fatalf("result %v with error %v", res, err)
		}
		_, _ = replay.ScheduleOf(l)
	})
}
