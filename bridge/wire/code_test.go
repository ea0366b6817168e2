package wire

import (
	"slices"
	"strings"
	"testing"
)

// TestCodeTable is the specification's table once more, typed by hand.
func TestCodeTable(t *testing.T) {
	rows := []struct {
		code   Code
		domain Domain
		demand Demand
	}{
		{"E_BLOCKS", "remote", "REPAIR"},
		{"E_HEADER", "remote", "REPAIR"},
		{"E_FRAME", "remote", "REPAIR"},
		{"E_REQUIRED", "remote", "REPAIR"},
		{"E_DECISION", "remote", "REPAIR"},
		{"E_PARSE", "remote", "REPAIR"},
		{"E_VERSION", "version", "RESYNC"},
		{"E_CONTRACT", "version", "RESYNC"},
		{"E_CAPTURE", "local", "recapture"},
		{"E_SOURCE_UNCERTAIN", "local", "recapture"},
	}
	codes := Codes()
	if len(codes) != len(rows) {
		t.Fatalf("%d codes, the table has %d", len(codes), len(rows))
	}
	for i, r := range rows {
		c := codes[i]
		if c != r.code || c.Domain() != r.domain || c.Domain().Demand() != r.demand {
			t.Errorf("row %d: %s %s %s, want %v", i, c, c.Domain(), c.Domain().Demand(), r)
		}
		if c.Meaning() == "" || !c.Known() {
			t.Errorf("%s has no meaning", c)
		}
	}
	if c := Code("E_NEW"); c.Known() || c.Domain() != "" || c.Meaning() != "" ||
		c.Domain().Demand() != "" {
		t.Error("an unknown code has a domain")
	}
}

func TestAttribute(t *testing.T) {
	for _, c := range []struct {
		codes []Code
		want  Domain
	}{
		{nil, ""},
		{[]Code{"E_NEW"}, ""},
		{[]Code{CodeFrame, CodeBlocks}, DomainRemote},
		{[]Code{CodeFrame, CodeVersion, CodeBlocks}, DomainVersion},
		{[]Code{CodeContract, CodeCapture, CodeFrame}, DomainLocal},
	} {
		if got := Attribute(c.codes); got != c.want {
			t.Errorf("Attribute(%v) = %q, want %q", c.codes, got, c.want)
		}
	}
}

func TestFaultCodesAreTableOrder(t *testing.T) {
	got := FaultCodes([]Fault{
		{Code: CodeParse},
		{Code: CodeBlocks},
		{Code: CodeParse},
		{Code: CodeFrame},
	})
	if !slices.Equal(got, []Code{CodeBlocks, CodeFrame, CodeParse}) {
		t.Errorf("got %v", got)
	}
	if f := (Fault{Code: CodeFrame, Line: 2, Column: 7, Want: "r=2", Got: "r=3"}); f.Error() !=
		`E_FRAME at 2:7: want "r=2", got "r=3"` {
		t.Errorf("got %s", f.Error())
	}
}

func TestHeaderOf(t *testing.T) {
	for _, k := range Kinds() {
		for _, text := range []string{
			"# " + string(k) + " pi-bridge/1", "\ufeff\r\n \n#  " + string(k) +
				"\u00a0pi-bridge/1  \r\nx",
		} {
			if got, ok := HeaderOf(text); !ok || got != k {
				t.Errorf("HeaderOf(%q) = %q, %v", text, got, ok)
			}
		}
	}
	for _, text := range []string{
		"", "\n\n", "hello", "#HELLO pi-bridge/1", "## HELLO pi-bridge/1", "# HELLO pi-bridge/2",
		"# HELLO pi-bridge/11", "# hello pi-bridge/1", "# HALLO pi-bridge/1",
		"# HELLO", "x\n# HS pi-bridge/1",
	} {
		if k, ok := HeaderOf(text); ok {
			t.Errorf("HeaderOf(%q) = %s", text, k)
		}
	}
	if k, ok := ReplyHeader("好的：\n" + fenced(planText())); !ok || k != KindPlan {
		t.Error("ReplyHeader misses a header in a block")
	}
	if _, ok := ReplyHeader("抱歉，我不明白。" + strings.Repeat("x", 10)); ok {
		t.Error("ReplyHeader finds one in prose")
	}
}
