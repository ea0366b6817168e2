package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// The seeds of all targets: what each side writes, broken in the ways that replies are broken.
func fuzzSeeds() []string {
	o, f := sampleOffer(), sampleFrame()
	seeds := []string{
		"", "\r", "\ufeff", "```", "~~~~ x\n", "```\n```", "# PLAN pi-bridge/1",
		f.String(), "3:a1b2c3d4", "0:-",
		o.Hello(), o.Resync(), o.HS(), fenced(o.HS() + "\nCK: 3:a1b2c3d4\nNEXT: 4"),
		o.Resume(Checkpoint{3, sampleKey}, 4), NextRound(f, "ok"), FirstRound(f, "x"),
		RepairRound(f, Codes()), planText(), fenced(planText()),
		"  ```\r\n  # PLAN pi-bridge/1\r\n\t```",
		"````md\n" + planText() + "\n```sh\nls\n```\n````", strings.ReplaceAll(fenced(planText()),
			"\n", "\r\n"),
		"```\n## GOAL\n- \u00a0\n1、\u200b\n```\n：", "CV: 2  \u3000p2.478d1ef2",
		"FRAME：s＝“1” r=2 p=– q=",
		fenced(o.HS() + "\nCK: x\nNEXT: y"), fenced(o.HS() + "\nFEAT: frame"),
	}
	for _, c := range faultCases {
		seeds = append(seeds, strings.Replace(fenced(planText()), c.old, c.text, 1))
	}
	for _, c := range gateCases {
		seeds = append(seeds, strings.Replace(fenced(o.HS()), c.old, c.text, 1))
	}
	return seeds
}

func seed(f *testing.F) {
	for _, s := range fuzzSeeds() {
		f.Add(s)
	}
}

// checkFault: each fault has a known code and a place inside the text.
func checkFault(t *testing.T, text string, f Fault) {
	t.Helper()
	l := scan(text)
	for l.no < f.Line && l.next() {
	}
	width := utf8.RuneCountInString(l.line())
	switch {
	case !f.Code.Known(), f.Hint == "", f.Line < 0, f.Line > 0 && f.Column < 1:
		t.Errorf("poor fault %+v", f)
	case f.Line > 0 && (l.no != f.Line || f.Column > width+1):
		t.Errorf("fault outside the text (%d lines, line of %d): %+v", l.no, width, f)
	case len(f.Got) > maxQuote+len("…")+30:
		t.Errorf("fault quotes %d bytes", len(f.Got))
	}
	_ = f.Error()
}

func FuzzParseMessage(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMessage(text)
		k, ok := HeaderOf(text)
		var fault Fault
		switch {
		case err == nil && (!ok || k != m.Kind || !IsSID(m.SID)):
			t.Errorf("%+v for header %s %v", m, k, ok)
		case errors.Is(err, ErrNotOurs) && ok:
			t.Errorf("header %s is not ours", k)
		case errors.As(err, &fault):
			checkFault(t, text, fault)
		}
		if err == nil && m.Kind == KindRound && m.Request == "" {
			again, err := ParseMessage(NextRound(m.Frame, m.Receipt))
			if err != nil || again.Frame != m.Frame || again.Receipt != m.Receipt {
				t.Errorf("round trip: %+v, %v", again, err)
			}
		}
	})
}

func FuzzParseAck(f *testing.F) {
	seed(f)
	o := sampleOffer()
	f.Fuzz(func(t *testing.T, reply string) {
		ack, faults := ParseAck(reply)
		bad := false
		for _, fault := range faults {
			checkFault(t, reply, fault)
			resume := strings.HasPrefix(fault.Want, "CK:") || strings.HasPrefix(fault.Want, "NEXT:")
			bad = bad || !resume // which a HELLO does not ask for
		}
		_, failures := Gate(o, reply)
		if failures == nil && (bad || ack.SID != o.SID || ack.Contract != o.Contract ||
			ack.Cap != o.Cap) {
			t.Errorf("the gate opens for %+v with %s", ack, faultText(faults))
		}
		for _, x := range failures {
			if !x.Code.Known() || x.Want == "" {
				t.Errorf("poor failure %+v", x)
			}
		}
		if _, failures := GateResume(o, Checkpoint{3, sampleKey}, 4, reply); failures == nil &&
			!ack.HasCK {
			t.Error("RESUME is acknowledged without CK")
		}
	})
}

func FuzzCheckPlan(f *testing.F) {
	seed(f)
	want := sampleFrame()
	f.Fuzz(func(t *testing.T, reply string) {
		p, faults := CheckPlan(reply, want)
		for i, fault := range faults {
			checkFault(t, reply, fault)
			if i > 0 && fault.Line < faults[i-1].Line {
				t.Errorf("faults are not sorted:\n%s", faultText(faults))
			}
		}
		if len(faults) > maxFaults {
			t.Errorf("%d faults", len(faults))
		}
		if faults != nil {
			return
		}
		if p.Frame != want || p.Decision == "" || p.Task == "" || p.Goal == "" ||
			len(p.Steps) == 0 ||
			len(p.Files) == 0 || len(p.Commands) == 0 || len(p.Risks) == 0 || len(p.Verify) == 0 ||
			p.Key != PlanKey(p.Block) || len(Blocks(reply)) != 1 {
			t.Errorf("passes: %+v", p)
		}
		if q, faults := ReadPlan(p.Block, want); faults != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("from the journal: %+v\n%s", q, faultText(faults))
		}
		// A sound block is sound in a clean reply of its own.
		fence := "```"
		for strings.Contains(p.Block, fence) {
			fence += "`"
		}
		if q, faults := CheckPlan(fence+"\n"+p.Block+"\n"+fence, want); faults != nil ||
			q.Key != p.Key {
			t.Errorf("alone the block fails:\n%s", faultText(faults))
		}
	})
}

func FuzzParseFrame(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, line string) {
		frame, err := ParseFrame(line)
		if err != nil {
			var fault Fault
			if !errors.As(err, &fault) || fault.Line > 1 {
				t.Errorf("%v", err)
			}
			return
		}
		if again, err := ParseFrame(frame.String()); err != nil || again != frame {
			t.Errorf("round trip: %+v, %v", again, err)
		}
	})
}

func FuzzCheckpoint(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCheckpoint(s)
		if err != nil {
			return
		}
		if again, err := ParseCheckpoint(c.String()); err != nil || again != c ||
			(c.Round == 0) != (c.Key == "") {
			t.Errorf("round trip: %+v, %v", again, err)
		}
	})
}

func FuzzBlocks(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, reply string) {
		last := 0
		for i, b := range Blocks(reply) {
			if b.Line <= last || b.EndLine < b.Line || len(b.Fence) < 3 || !b.Closed &&
				i != len(Blocks(reply))-1 {
				t.Errorf("block %d: %+v", i, b)
			}
			last = b.EndLine
		}
		if utf8.ValidString(reply) && tidy(tidy(reply)) != tidy(reply) {
			t.Errorf("tidy is not idempotent on %q", reply)
		}
		if c := Canonical(reply); Canonical(c) != c || !SameText(reply, c) &&
			!strings.ContainsAny(reply, "\r") {
			t.Errorf("canonical form of %q", reply)
		}
	})
}

// TestLinearTime reads much of each shape that would be quadratic in a careless reader: seconds
// then would be hours. Go's test timeout is the judge.
func TestLinearTime(t *testing.T) {
	for _, unit := range []string{
		"\r", "\n", "`", "```\n", "```\n```\n", "~~~ a\n", "a\n", "a:", "A: b\n", "S: b\n",
		"s=1 ", "，", ",",
		"\u200b", "\u00a0", "## \n", "## GOAL\n", "- \n", "- a\n", "1. a\n  b\n", "\ufeff",
		"# HS pi-bridge/1\n",
		"# PLAN pi-bridge/1\n", "\xe2", "\xff",
	} {
		body := strings.Repeat(unit, MaxInput/16/len(unit))
		for _, head := range []string{
			"", "```\n# PLAN pi-bridge/1\n", "```\n# PLAN pi-bridge/1\nFRAME: ",
			"# HELLO pi-bridge/1\n",
			"# REPAIR pi-bridge/1\n" + sampleFrame().String() +
				"\nERR: ", "```\n# HS pi-bridge/1\nFEAT: ",
			"  ```\n# PLAN pi-bridge/1\n## COMMANDS\n",
		} {
			text := head + body
			CheckPlan(text, sampleFrame())
			ParseAck(text)
			_, _ = ParseMessage(text)
			_, _ = ParseFrame(text)
			_, _ = ParseCheckpoint(text)
			Blocks(text)
			HeaderOf(text)
			Canonical(text)
			SameText(text, text+" ")
		}
	}
}
