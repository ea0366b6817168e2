package wire

import (
	"slices"
	"strings"
	"testing"
)

// replaceOnce changes one place of a reply and fails when there is none.
func replaceOnce(t *testing.T, s, old, text string) string {
	t.Helper()
	if !strings.Contains(s, old) {
		t.Fatalf("%q is not in the reply", old)
	}
	return strings.Replace(s, old, text, 1)
}

// gateCases break one condition each.
var gateCases = []struct {
	name, old, text string
	condition       Condition
	code            Code
}{
	{"other wire version", "pi-bridge/1", "pi-bridge/2", CondHeader, CodeHeader},
	{"header of a PLAN", "# HS", "# PLAN", CondHeader, CodeHeader},
	{"no header", "# HS pi-bridge/1\n", "", CondHeader, CodeHeader},
	{"other type", "TYPE: ack", "TYPE: nack", CondType, CodeRequired},
	{"no type", "TYPE: ack\n", "", CondType, CodeRequired},
	{"other sid", "S: 9f83a7c1d42e650b", "S: 9f83a7c1d42e650c", CondSID, CodeFrame},
	{"sid in capitals", "S: 9f83a7c1d42e650b", "S: 9F83A7C1D42E650B", CondSID, CodeFrame},
	{"no sid", "S: 9f83a7c1d42e650b\n", "", CondSID, CodeRequired},
	{"two sids", "HV: 1", "HV: 1\nS: 9f83a7c1d42e650b", CondSID, CodeFrame},
	{"other HV", "HV: 1", "HV: 2", CondHV, CodeVersion},
	{"HV is no number", "HV: 1", "HV: one", CondHV, CodeVersion},
	{"no HV", "HV: 1\n", "", CondHV, CodeRequired},
	{"other CV number", "CV: 2 p2", "CV: 3 p2", CondCV, CodeContract},
	{"other contract hash", "p2.478d1ef2", "p2.478d1ef3", CondContract, CodeContract},
	{"no contract hash", "CV: 2 p2.478d1ef2", "CV: 2", CondContract, CodeRequired},
	{"other capability hash", "c1.5fc20bbe", "c1.00000000", CondCap, CodeContract},
	{"no capability hash", "CAP: c1.5fc20bbe\n", "", CondCap, CodeRequired},
	{"without frame", "FEAT: frame,", "FEAT: ", CondFeature, CodeRequired},
	{"without resume", "resume,", "", CondFeature, CodeRequired},
	{"without repair", "repair,", "", CondFeature, CodeRequired},
	{"without need_info", ",need_info", "", CondFeature, CodeRequired},
	{"text inside the block", "TYPE", "好的，确认如下\nTYPE", CondBlock, CodeParse},
}

func TestGateConditionsAlone(t *testing.T) {
	o := sampleOffer()
	hs := golden(t, "hs.txt")
	if _, failures := Gate(o, fenced(hs)); failures != nil {
		t.Fatalf("the sample HS fails: %v", failures)
	}
	covered := map[Condition]bool{}
	for _, c := range gateCases {
		t.Run(c.name, func(t *testing.T) {
			_, failures := Gate(o, fenced(replaceOnce(t, hs, c.old, c.text)))
			if len(failures) != 1 || failures[0].Condition != c.condition ||
				failures[0].Code != c.code {
				t.Errorf("want only %s with %s, got %v", c.condition, c.code, failures)
			}
		})
		covered[c.condition] = true
	}
	for name, reply := range map[string]string{
		"no block": hs, "two blocks": fenced(hs) + "\n" + fenced("x"), "prose first": "好的：\n\n" +
			hs,
	} {
		_, failures := Gate(o, reply)
		if len(failures) != 1 || failures[0].Condition != CondBlock ||
			failures[0].Code != CodeBlocks {
			t.Errorf("%s: got %v", name, failures)
		}
		covered[CondBlock] = true
	}
	if _, failures := Gate(o, "```\n"+hs); len(failures) != 1 || failures[0].Code != CodeParse {
		t.Errorf("open fence: got %v", failures)
	}
	for _, c := range Conditions() {
		if !covered[c] && c != CondCK && c != CondNext {
			t.Errorf("no case breaks %s alone", c)
		}
	}
}

// TestGateNamesEachFeature: one failure per feature that is missing.
func TestGateNamesEachFeature(t *testing.T) {
	hs := golden(t, "hs.txt")
	_, failures := Gate(sampleOffer(), fenced(replaceOnce(t, hs,
		"\nFEAT: frame,resume,repair,need_info", "")))
	var wants []string
	for _, f := range failures {
		if f.Condition != CondFeature || f.Code != CodeRequired {
			t.Errorf("unexpected %v", f)
		}
		wants = append(wants, f.Want)
	}
	if !slices.Equal(wants, RequiredFeatures()) {
		t.Errorf("got %v", wants)
	}
}

// TestGateRefusesThePlanSeenLive: ChatGPT answered a HELLO with a well-formed PLAN whose FRAME
// matched. That proves no version mismatch, so its domain must be remote: handshake_refused.
func TestGateRefusesThePlanSeenLive(t *testing.T) {
	for name, reply := range map[string]string{
		"plan": fenced(planText()), "prose": "好的，我来帮你。", "empty": "",
	} {
		_, failures := Gate(sampleOffer(), reply)
		if len(failures) == 0 {
			t.Fatalf("%s passes", name)
		}
		if d := Attribute(FailureCodes(failures)); d != DomainRemote {
			t.Errorf("%s: domain %s, failures %v", name, d, failures)
		}
	}
}

func TestGateResume(t *testing.T) {
	o, ck := sampleOffer(), Checkpoint{Round: 3, Key: sampleKey}
	hs := replaceOnce(t, golden(t, "hs.txt"), "\nFEAT: frame,resume,repair,need_info", "") +
		"\nCK: 3:a1b2c3d4\nNEXT: 4"
	ack, failures := GateResume(o, ck, 4, fenced(hs))
	if failures != nil || ack.CK != ck || !ack.HasCK || ack.Next != 4 {
		t.Fatalf("a RESUME ack without FEAT fails: %v %+v", failures, ack)
	}
	for _, c := range []struct {
		name, old, text string
		condition       Condition
		code            Code
	}{
		{"other round", "CK: 3", "CK: 2", CondCK, CodeFrame},
		{"other key", "3:a1b2c3d4", "3:a1b2c3d5", CondCK, CodeFrame},
		{"no CK", "CK: 3:a1b2c3d4\n", "", CondCK, CodeRequired},
		{"half a CK", "3:a1b2c3d4", "3:-", CondCK, CodeFrame},
		{"other NEXT", "NEXT: 4", "NEXT: 5", CondNext, CodeFrame},
		{"no NEXT", "\nNEXT: 4", "", CondNext, CodeRequired},
		{"other HV", "HV: 1", "HV: 2", CondHV, CodeVersion},
		{"other cap", "c1.5", "c1.6", CondCap, CodeContract},
	} {
		_, failures := GateResume(o, ck, 4, fenced(replaceOnce(t, hs, c.old, c.text)))
		if len(failures) != 1 || failures[0].Condition != c.condition ||
			failures[0].Code != c.code {
			t.Errorf("%s: want only %s with %s, got %v", c.name, c.condition, c.code, failures)
		}
	}
	none := replaceOnce(t, replaceOnce(t, hs, "3:a1b2c3d4", "0:-"), "NEXT: 4", "NEXT: 1")
	if _, failures := GateResume(o, Checkpoint{}, 1, fenced(none)); failures != nil {
		t.Errorf("0:- fails: %v", failures)
	}
}

// TestAckTolerance: noise that does not change what was acknowledged.
func TestAckTolerance(t *testing.T) {
	hs := golden(t, "hs.txt")
	for name, reply := range map[string]string{
		"crlf":           strings.ReplaceAll(fenced(hs), "\n", "\r\n"),
		"cr":             strings.ReplaceAll(fenced(hs), "\n", "\r"),
		"bom":            "\ufeff" + fenced(hs),
		"nbsp":           strings.ReplaceAll(fenced(hs), ": ", ":\u00a0"),
		"zero width":     strings.ReplaceAll(fenced(hs), ": ", ":\u200b "),
		"language":       "```text\n" + hs + "\n```",
		"tildes":         "~~~\n" + hs + "\n~~~",
		"long fence":     "`````\n" + hs + "\n`````",
		"indented":       "   ```\n" + strings.ReplaceAll("   "+hs, "\n", "\n   ") + "\n   ```",
		"trailing space": strings.ReplaceAll(fenced(hs), "\n", "  \n"),
		"wide colon":     "```\n" + strings.ReplaceAll(hs, ": ", "：") + "\n```",
		"wide comma":     fenced(strings.ReplaceAll(hs, ",", "，")),
		"smart quotes": fenced(strings.Replace(hs, "S: 9f83a7c1d42e650b",
			"S: “9f83a7c1d42e650b”", 1)),
		"spaced list":       fenced(strings.ReplaceAll(hs, ",", ", ")),
		"prose around":      "好的：\n\n" + fenced(hs) + "\n\n期待任务。",
		"blank lines":       fenced(strings.ReplaceAll(hs, "\n", "\n\n")),
		"copied QID":        fenced(hs + "\nQID: e1db9b58"),
		"more features":     fenced(hs + ",stream"),
		"field order":       fenced(strings.Replace(hs, "TYPE: ack\n", "", 1) + "\nTYPE: ack"),
		"closing is longer": "```\n" + hs + "\n`````",
	} {
		if _, failures := Gate(sampleOffer(), reply); failures != nil {
			t.Errorf("%s: %v", name, failures)
		}
		if _, faults := ParseAck(reply); faults != nil {
			t.Errorf("%s: %s", name, faultText(faults))
		}
	}
}

func TestParseAckPlaces(t *testing.T) {
	hs := golden(t, "hs.txt")
	reply := "好的\n" + fenced(replaceOnce(t, hs, "HV: 1", "HV: eins"))
	_, faults := ParseAck(reply)
	want := `E_VERSION at 6:5: the value is malformed: want "HV: a number", got "eins"`
	if got := faultText(faults); got != want {
		t.Errorf("got %s", got)
	}
	if _, faults := ParseAck(strings.Repeat("x", MaxInput+1)); codeText(FaultCodes(faults)) == "" {
		t.Error("an oversized reply passes")
	}
}
