package wire

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGolden holds every builder to the sample that the specification prints.
func TestGolden(t *testing.T) {
	o, f := sampleOffer(), sampleFrame()
	for _, c := range []struct{ file, got string }{
		{"hello.txt", o.Hello()},
		{"hs.txt", o.HS()},
		{"round.txt", NextRound(f, "npm test 全绿")},
		{"resume.txt", o.Resume(Checkpoint{Round: 3, Key: sampleKey}, 4)},
		{"repair.txt", RepairRound(f, []Code{CodeBlocks, CodeFrame})},
	} {
		if want := golden(t, c.file); c.got != want {
			t.Errorf("%s differs from the specification:\n%s", c.file, c.got)
		}
	}
	if got := o.Resync(); got != "# RESYNC pi-bridge/1\n\n"+golden(t, "hello.txt") {
		t.Errorf("RESYNC is not its header, a blank line and HELLO:\n%s", got)
	}
	want := "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58\n\n## 用户请求\n示例请求"
	if got := FirstRound(Frame{SID: sampleSID, Round: 1, QID: QID(sampleRequest)},
		sampleRequest); got != want {
		t.Errorf("ROUND 1:\n%s", got)
	}
}

func TestHashes(t *testing.T) {
	reversed := func(s []string) []string {
		out := make([]string, 0, len(s))
		for i := len(s) - 1; i >= 0; i-- {
			out = append(out, s[i])
		}
		return out
	}
	for _, c := range []struct{ name, got, want string }{
		{"contract", ContractTag(), "p2.478d1ef2"},
		{"capabilities", CapabilityTag(DefaultCapabilities(), DefaultDenials()), "c1.5fc20bbe"},
		{
			"order", CapabilityTag(reversed(DefaultCapabilities()), reversed(DefaultDenials())),
			"c1.5fc20bbe",
		},
		{"qid", QID(sampleRequest), "e1db9b58"},
		{"qid canonical", QID("\r\n 示例请求 \r\n\r\n"), "e1db9b58"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
	if PlanKey("a\r\nb  \n") != PlanKey("a\nb") {
		t.Error("PlanKey depends on line breaks")
	}
	if !strings.HasSuffix(Contract(), "# PLAN ${PROTOCOL_ID}，第二行必须是 FRAME 行，供 pi 做轮次关联。") {
		t.Error("the contract's placeholder is part of the hashed text")
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" \n\t\r\n", ""},
		{"a", "a"},
		{"a\r\nb\r\n", "a\nb"},
		{"a  \nb\t\n", "a\nb"},
		{"a\n\n\n\nb", "a\n\nb"},
		{"a\n \n\t\nb", "a\n\nb"},
		{"\n\n  a\n  b", "a\n  b"},
		{"好。\n好", "好。\n好"},
		{"a\u00a0\nb\u3000", "a\nb"},
	} {
		if got := Canonical(c.in); got != c.want {
			t.Errorf("Canonical(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCanonicalIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n\r\u00a0\u3000\u2003。好"))).Draw(t, "s")
		once := Canonical(s)
		if Canonical(once) != once {
			t.Fatalf("not idempotent on %q: %q", s, once)
		}
		if isCanonical(s) && naiveCanonical(s) != s {
			t.Fatalf("%q passes for canonical", s)
		}
		if naiveCanonical(s) != once {
			t.Fatalf("%q: got %q, the plain reading gives %q", s, once, naiveCanonical(s))
		}
	})
}

// naiveCanonical is the definition, sentence by sentence.
func naiveCanonical(s string) string {
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		line = strings.TrimRight(line, " \t\r\n\u00a0\u3000\u2003")
		if line == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func TestSameText(t *testing.T) {
	same := [][2]string{
		{"a b\nc", "a\u00a0b\r\nc\r\n"}, {"\ufeffa", "a"}, {"a\rb", "a\nb"}, {"a\n\n\nb", "a\n\nb"},
	}
	for _, c := range same {
		if !SameText(c[0], c[1]) {
			t.Errorf("%q and %q are the same text", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"a b", "ab"}, {"a", "a."}, {"a\u200db", "ab"}, {"", "a"}} {
		if SameText(c[0], c[1]) {
			t.Errorf("%q and %q are different texts", c[0], c[1])
		}
	}
}

// TestObjectiveIsNoQuestion: "a handshake turn must not contain anything that reads like a
// question" and never the request.
func TestObjectiveIsNoQuestion(t *testing.T) {
	for _, c := range []struct{ objective, want string }{
		{"", DefaultObjective},
		{sampleLabel, sampleLabel},
		{"  修复\n选择器 ", "修复 选择器"},
		{"为什么失败？", DefaultObjective},
		{"请处理：" + sampleRequest, DefaultObjective},
		{strings.Repeat("长", 81), DefaultObjective},
	} {
		o := NewOffer(sampleSID, sampleRequest, c.objective, nil, nil)
		if o.Objective != c.want {
			t.Errorf("objective %q became %q, want %q", c.objective, o.Objective, c.want)
		}
		if strings.Contains(o.Hello(), sampleRequest) {
			t.Errorf("HELLO holds the request for objective %q", c.objective)
		}
	}
}

// TestBuildersAllocate bounds the cost of building: simulations do it millions of times.
func TestBuildersAllocate(t *testing.T) {
	o, f := sampleOffer(), sampleFrame()
	for name, build := range map[string]func() string{
		"HELLO": o.Hello, "RESYNC": o.Resync, "FRAME": f.String,
		"RESUME": func() string { return o.Resume(Checkpoint{3, sampleKey}, 4) },
		"ROUND":  func() string { return NextRound(f, "ok") },
		"REPAIR": func() string {
			return RepairRound(f,
				[]Code{CodeSourceUncertain, CodeRequired})
		},
	} {
		if n := testing.AllocsPerRun(100, func() { _ = build() }); n > 1 {
			t.Errorf("%s: %v allocations, want 1", name, n)
		}
	}
}
