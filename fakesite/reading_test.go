package fakesite

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bridgesim/bridge/wire"
)

// The persona's digest of a plan and the bridge's are two programs for one sentence.
func TestPlanKeyAgrees(t *testing.T) {
	lines := rapid.SliceOf(rapid.SampledFrom([]string{
		"", " ", "a", "a ", "\tb", "方案", "方案\u00A0", "\u3000", "x\r", "\r", "##  y \t",
	}))
	rapid.Check(t, func(t *rapid.T) {
		block := strings.Join(lines.Draw(t, "lines"), "\n")
		if got, want := planKey("```\n"+block+"\n```"), wire.PlanKey(block); got != want {
			t.Fatalf("key %s, bridge says %s", got, want)
		}
	})
}

func TestFirstBlock(t *testing.T) {
	for reply, want := range map[string]string{
		"```\na\n```":                   "a\n",
		"x\n~~~~ md\na\n~~~\n~~~~\nb":   "a\n~~~\n",
		"````\na\n```sh\nb\n```\n````":  "a\n```sh\nb\n```\n",
		"\uFEFF```\r\na\r\n```\r\ntail": "a\r\n",
		"```\na":                        "none",
		"``\na\n``":                     "none",
		"":                              "none",
	} {
		got, ok := firstBlock(reply)
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", reply, got, want)
		}
	}
}

// Any text at all gets an answer, and what the bridge writes is read as it was meant.
func FuzzReadMessage(f *testing.F) {
	o := wire.NewOffer("9f83a7c1d42e650b", "r", "", wire.DefaultCapabilities(), nil)
	fr := wire.Frame{SID: o.SID, Round: 2, Prev: "a1b2c3d4", QID: o.QID}
	f.Add(o.Hello())
	f.Add(o.Resync())
	f.Add(o.Resume(wire.Checkpoint{Round: 3, Key: "a1b2c3d4"}, 4))
	f.Add(wire.NextRound(fr, "ok"))
	f.Add(wire.RepairRound(fr, wire.Codes()))
	f.Fuzz(func(t *testing.T, text string) {
		r := readMessage(text)
		m, err := wire.ParseMessage(text)
		if err != nil {
			return
		}
		switch m.Kind {
		case wire.KindHello, wire.KindResync, wire.KindResume:
			if string(r.kind) != string(m.Kind) || len(r.sid) < len(m.SID) {
				t.Fatalf("read %+v of a %s", r, m.Kind)
			}
		case wire.KindRound, wire.KindRepair:
			if string(r.kind) != string(m.Kind) {
				t.Fatalf("read %+v of a %s", r, m.Kind)
			}
		}
	})
}

func TestReadFrame(t *testing.T) {
	want := frame{s: "a", r: 2, p: "-", q: "b"}
	for _, line := range []string{"FRAME: s=a r=2 p=- q=b", "FRAME:q=b\u00A0 p=- r=2\ts=a junk"} {
		if got := readFrame(line); got != want {
			t.Errorf("%q: got %+v", line, got)
		}
	}
	if got := readFrame("s=a r=2"); got != (frame{}) {
		t.Errorf("got %+v", got)
	}
}
