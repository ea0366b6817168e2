package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseMessageReadsTheSamples(t *testing.T) {
	o, f := sampleOffer(), sampleFrame()
	identity := Message{SID: o.SID, HV: 1, CV: 2, Contract: o.Contract, Cap: o.Cap}
	hello, hs, resume := identity, identity, identity
	hello.Kind, hello.QID = KindHello, o.QID
	resync := hello
	resync.Kind = KindResync
	hs.Kind = KindHS
	resume.Kind, resume.CK, resume.Next = KindResume, Checkpoint{3, sampleKey}, 4
	codes := []Code{CodeBlocks, CodeFrame}
	for _, c := range []struct {
		text string
		want Message
	}{
		{golden(t, "hello.txt"), hello},
		{o.Resync(), resync},
		{golden(t, "hs.txt"), hs},
		{golden(t, "resume.txt"), resume},
		{golden(t, "round.txt"), Message{
			Kind: KindRound, SID: f.SID, QID: f.QID, Frame: f,
			Receipt: "npm test 全绿",
		}},
		{golden(t, "repair.txt"), Message{
			Kind: KindRepair, SID: f.SID, QID: f.QID, Frame: f,
			Errors: codes,
		}},
	} {
		for name, text := range map[string]string{
			"plain": c.text, "crlf": strings.ReplaceAll(c.text, "\n",
				"\r\n"), "blank": "\ufeff\n" + c.text,
		} {
			got, err := ParseMessage(text)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s %s: got %+v, %v", c.want.Kind, name, got, err)
			}
		}
		if k, ok := HeaderOf(c.text); !ok || k != c.want.Kind {
			t.Errorf("HeaderOf: %s", k)
		}
	}
}

func TestParseMessageRefuses(t *testing.T) {
	o, f := sampleOffer(), sampleFrame()
	hello, resume := o.Hello(), o.Resume(Checkpoint{3, sampleKey}, 4)
	repair := RepairRound(f, []Code{CodeBlocks})
	for _, c := range []struct{ name, text, fault string }{
		{"a PLAN", planText(), "E_HEADER at 1:1"},
		{
			"HELLO without sid", replaceOnce(t, hello, "S: 9f83a7c1d42e650b\n", ""),
			"E_REQUIRED at 8:1",
		},
		{"HELLO with a long sid", replaceOnce(t, hello, "S: 9", "S: 99"), "E_PARSE at 2:4"},
		{"HELLO with HV twice", replaceOnce(t, hello, "HV: 1", "HV: 1\nHV: 1"), "E_PARSE at 4:1"},
		{
			"HELLO without tag", replaceOnce(t, hello, "CV: 2 p2.478d1ef2", "CV: 2"),
			"E_PARSE at 4:5",
		},
		{"HELLO with CK", replaceOnce(t, hello, "HV: 1", "CK: 0:-"), "E_PARSE at 3:1"},
		{"HELLO torn", hello[:600], "E_REQUIRED at 9:1"},
		{
			"HELLO with another action", replaceOnce(t, hello, "handshake-only", "go"),
			"E_PARSE at 9:9",
		},
		{"RESYNC of nothing", "# RESYNC pi-bridge/1\n", "E_HEADER at 1:1"},
		{"RESYNC of a ROUND", "# RESYNC pi-bridge/1\n\n" + NextRound(f, ""), "E_HEADER at 3:1"},
		{"RESUME with half a CK", replaceOnce(t, resume, "CK: 3", "CK: 0"), "E_PARSE at 6:5"},
		{"RESUME without NEXT", replaceOnce(t, resume, "\nNEXT: 4", ""), "E_REQUIRED at 6:1"},
		{"RESUME at 0", replaceOnce(t, resume, "NEXT: 4", "NEXT: 0"), "E_PARSE at 7:7"},
		{"ROUND without FRAME", "# ROUND pi-bridge/1", "E_FRAME at 1:1"},
		{"ROUND without body", "# ROUND pi-bridge/1\n" + f.String(), "E_REQUIRED at 2:1"},
		{
			"ROUND with a bad FRAME", replaceOnce(t, NextRound(f, ""), "r=2", "r=02"),
			"E_FRAME at 2:27",
		},
		{
			"ROUND with another heading", replaceOnce(t, NextRound(f, ""), "回执", "报告"),
			"E_PARSE at 4:1",
		},
		{"ROUND with an empty request", FirstRound(f, " \n"), "E_REQUIRED at 4:1"},
		{
			"REPAIR of an unknown code", replaceOnce(t, repair, "E_BLOCKS", "E_BLOKS"),
			"E_PARSE at 3:6",
		},
		{"REPAIR of nothing", replaceOnce(t, repair, "E_BLOCKS", ""), "E_REQUIRED at 3:1"},
		{
			"REPAIR without action", replaceOnce(t, repair, "\nACTION: resend-same-round", ""),
			"E_REQUIRED at 3:1",
		},
		{"REPAIR with more", repair + "\nNOTE: x", "E_PARSE at 5:1"},
		{"too large", strings.Repeat("a", MaxInput+1), "E_PARSE: the text is too large"},
	} {
		_, err := ParseMessage(c.text)
		var fault Fault
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), c.fault) {
			t.Errorf("%s: want %s, got %v", c.name, c.fault, err)
		}
	}
	for _, text := range []string{
		"", "\n", "你好", "# HELLO pi-bridge/2\n", "x\n" + hello,
		fenced(hello),
	} {
		if _, err := ParseMessage(text); !errors.Is(err, ErrNotOurs) {
			t.Errorf("%.20q: want ErrNotOurs, got %v", text, err)
		}
	}
}

func TestParseFrame(t *testing.T) {
	f := sampleFrame()
	for _, line := range []string{
		f.String(), "  " + f.String() + "\t", strings.Replace(f.String(), ": ", "：", 1),
		strings.ReplaceAll(f.String(), "=", "＝"), strings.ReplaceAll(f.String(), " ", "\u00a0"),
		"FRAME: q=e1db9b58 p=a1b2c3d4 r=2 s=“9f83a7c1d42e650b”",
	} {
		if got, err := ParseFrame(line); err != nil || got != f {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
	}
	if got, err := ParseFrame("FRAME: s=9f83a7c1d42e650b r=1 p=– q=e1db9b58"); err != nil ||
		got.Prev != NoPlan {
		t.Errorf("typographic dash: %+v %v", got, err)
	}
	for line, want := range map[string]string{
		"":                              "1:1",
		"FRAME":                         "1:1",
		"FRAME: s=9f83a7c1d42e650b":     "1:1",
		"FRAME: s=9F83a7c1d42e650b r=2": "1:8",
		strings.Replace(f.String(), "r=2", "r=0", 1):     "1:27",
		strings.Replace(f.String(), "r=2", "r=-1", 1):    "1:27",
		strings.Replace(f.String(), "r=2", "r=2 x=", 1):  "1:31",
		strings.Replace(f.String(), "r=2", "r=2 r=3", 1): "1:31",
		strings.Replace(f.String(), "p=a", "p=", 1):      "1:31",
		f.String() + " ok": "1:53",
	} {
		_, err := ParseFrame(line)
		var fault Fault
		if !errors.As(err, &fault) || fault.Code != CodeFrame ||
			!strings.HasPrefix(err.Error(), "E_FRAME at "+want) {
			t.Errorf("%q: want a fault at %s, got %v", line, want, err)
		}
	}
}

func TestParseCheckpoint(t *testing.T) {
	for s, want := range map[string]Checkpoint{
		"0:-": {}, "3:a1b2c3d4": {3, sampleKey}, " 3：a1b2c3d4\u200b": {3, sampleKey},
	} {
		if got, err := ParseCheckpoint(s); err != nil || got != want {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{
		"", "0", "0:", "3:-", "0:a1b2c3d4", "-1:a1b2c3d4", "3:A1B2C3D4",
		"3:a1b2c3d4:", "03:a1b2c3d4",
	} {
		if got, err := ParseCheckpoint(s); err == nil {
			t.Errorf("%q passes as %v", s, got)
		}
	}
	if (Checkpoint{}).String() != "0:-" || (Checkpoint{}).Prev() != NoPlan ||
		(Checkpoint{3, "a"}).Prev() != "a" {
		t.Error("zero checkpoint")
	}
}

// The generators of the properties.
func hexText(n int) *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune("0123456789abcdef")), n, n, -1)
}

func frames() *rapid.Generator[Frame] {
	return rapid.Custom(func(t *rapid.T) Frame {
		f := Frame{SID: hexText(16).Draw(t, "s"), QID: hexText(8).Draw(t, "q"), Prev: NoPlan}
		f.Round = rapid.IntRange(1, 999_999_999).Draw(t, "r")
		if rapid.Bool().Draw(t, "has p") {
			f.Prev = hexText(8).Draw(t, "p")
		}
		return f
	})
}

func checkpoints() *rapid.Generator[Checkpoint] {
	return rapid.Custom(func(t *rapid.T) Checkpoint {
		if rapid.Bool().Draw(t, "none") {
			return Checkpoint{}
		}
		return Checkpoint{
			rapid.IntRange(1, 999_999_999).Draw(t, "round"),
			hexText(8).Draw(t, "key"),
		}
	})
}

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frames().Draw(t, "f")
		if got, err := ParseFrame(f.String()); err != nil || got != f {
			t.Fatalf("%v: %v, %v", f, got, err)
		}
		c := checkpoints().Draw(t, "c")
		if got, err := ParseCheckpoint(c.String()); err != nil || got != c {
			t.Fatalf("%v: %v, %v", c, got, err)
		}
	})
}

func TestMessageRoundTrip(t *testing.T) {
	names := rapid.SliceOf(rapid.StringMatching(`[a-z]{1,8}\.[a-z]{1,8}`))
	rapid.Check(t, func(t *rapid.T) {
		f, ck := frames().Draw(t, "f"), checkpoints().Draw(t, "ck")
		body := rapid.String().Draw(t, "body")
		next := rapid.IntRange(1, 1000).Draw(t, "next")
		o := NewOffer(f.SID, body, rapid.String().Draw(t, "objective"), names.Draw(t, "caps"),
			names.Draw(t, "denials"))
		codes := rapid.SliceOfNDistinct(rapid.SampledFrom(Codes()), 1, -1, rapid.ID).Draw(t,
			"codes")

		identity := Message{
			Kind: KindHello, SID: o.SID, HV: o.HV, CV: o.CV, Contract: o.Contract,
			Cap: o.Cap, QID: o.QID,
		}
		expect(t, o.Hello(), identity)
		identity.Kind = KindResync
		expect(t, o.Resync(), identity)
		identity.Kind, identity.QID, identity.CK, identity.Next = KindResume, "", ck, next
		expect(t, o.Resume(ck, next), identity)
		framed := Message{Kind: KindRound, SID: f.SID, QID: f.QID, Frame: f, Receipt: body}
		expect(t, NextRound(f, body), framed)
		framed.Receipt, framed.Request = "", "请"+body
		expect(t, FirstRound(f, "请"+body), framed)
		expect(t, RepairRound(f, codes), Message{
			Kind: KindRepair, SID: f.SID, QID: f.QID,
			Frame: f, Errors: codes,
		})
		if _, failures := Gate(o, fenced(o.HS())); failures != nil {
			t.Fatalf("the offer's own HS fails: %v", failures)
		}
	})
}

func expect(t *rapid.T, text string, want Message) {
	t.Helper()
	if got, err := ParseMessage(text); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\ngot  %+v, %v\nwant %+v", text, got, err, want)
	}
}

// TestPlanRoundTrip builds plans with random sections: no faults, and the entries come back.
func TestPlanRoundTrip(t *testing.T) {
	entry := rapid.StringMatching(`[a-z无步][a-z0-9 ./:\-#*无一二步骤，。]{0,30}[a-z一]`)
	entries := rapid.SliceOfN(entry, 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		f := frames().Draw(t, "f")
		want := Plan{
			Frame: f, Decision: rapid.SampledFrom(Decisions()).Draw(t,
				"d"), Task: hexText(5).Draw(t, "task"),
			Goal: entry.Draw(t, "goal"), Steps: entries.Draw(t, "steps"), Files: entries.Draw(t,
				"files"),
			Commands: entries.Draw(t, "commands"), Risks: entries.Draw(t,
				"risks"), Verify: entries.Draw(t, "verify"),
		}
		if rapid.Bool().Draw(t, "notes") {
			want.Notes = entry.Draw(t, "note")
		}
		want.Block = render(want)
		want.Key = PlanKey(want.Block)
		got, faults := CheckPlan(fenced(want.Block), f)
		if faults != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n%s\ngot  %+v\nwant %+v", want.Block, faultText(faults), got, want)
		}
	})
}

func render(p Plan) string {
	var b strings.Builder
	b.WriteString("# PLAN pi-bridge/1\n" + p.Frame.String() + "\nDECISION: " +
		string(p.Decision) + "\nTASK: " + p.Task)
	b.WriteString("\n\n## GOAL\n" + p.Goal)
	for _, s := range []struct {
		name   string
		marker string
		items  []string
	}{
		{"STEPS", "1. ", p.Steps},
		{"FILES", "- ", p.Files},
		{"COMMANDS", "- ", p.Commands},
		{"RISKS", "- ", p.Risks},
		{"VERIFY", "- ", p.Verify},
	} {
		b.WriteString("\n\n## " + s.name)
		for _, item := range s.items {
			b.WriteString("\n" + s.marker + item)
		}
	}
	if p.Notes != "" {
		b.WriteString("\n\n## NOTES\n" + p.Notes)
	}
	return b.String()
}
