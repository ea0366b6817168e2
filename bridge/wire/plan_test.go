package wire

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckPlanReadsAWholePlan(t *testing.T) {
	p, faults := CheckPlan(fenced(planText()), sampleFrame())
	if faults != nil {
		t.Fatal(faultText(faults))
	}
	if p.Frame != sampleFrame() || p.Decision != DecisionContinue ||
		p.Task != "fix-selector-drift" {
		t.Errorf("got %+v", p)
	}
	if p.Goal != "让选择器在改版后仍然找到发送按钮。" || p.Notes != "无" || !p.Effects() {
		t.Errorf("got %+v", p)
	}
	steps := []string{
		"读取 src/page/selectors.ts 的现有选择器", "改成按 data-testid 查找\n   - 保留旧选择器作为后备",
	}
	if !slices.Equal(p.Steps, steps) || !slices.Equal(p.Commands, []string{"npm test"}) {
		t.Errorf("got %q, %q", p.Steps, p.Commands)
	}
	if len(p.Files) != 2 || len(p.Risks) != 1 || len(p.Verify) != 1 {
		t.Errorf("got %+v", p)
	}
	if p.Block != planText() || p.Key != PlanKey(planText()) {
		t.Error("block or key differ")
	}
}

// faultCases change the whole plan in one place each.
var faultCases = []struct {
	name, old, text string
	codes           string // of REPAIR
	place           string // of the first fault, "line:column", "" for the whole reply
}{
	{"other wire version", "PLAN pi-bridge/1", "PLAN pi-bridge/2", "E_HEADER", "2:1"},
	{"no header", "# PLAN pi-bridge/1\n", "", "E_HEADER", "2:1"},
	{"an HS header", "# PLAN", "# HS", "E_HEADER", "2:1"},
	{"FRAME missing", sampleFrame().String() + "\n", "", "E_FRAME", ""},
	{"other sid", "s=9f83a7c1d42e650b", "s=9f83a7c1d42e650c", "E_FRAME", "3:8"},
	{"other round", "r=2", "r=3", "E_FRAME", "3:27"},
	{"other prev", "p=a1b2c3d4", "p=a1b2c3d5", "E_FRAME", "3:31"},
	{"no prev", "p=a1b2c3d4", "p=-", "E_FRAME", "3:31"},
	{"other qid", "q=e1db9b58", "q=e1db9b59", "E_FRAME", "3:42"},
	{"field of FRAME missing", " r=2", "", "E_FRAME", "3:1"},
	{"field of FRAME twice", "r=2", "r=2 r=2", "E_FRAME", "3:1"},
	{"FRAME twice", "DECISION", sampleFrame().String() + "\nDECISION", "E_PARSE", "4:1"},
	{"DECISION missing", "DECISION: continue\n", "", "E_DECISION", ""},
	{"DECISION empty", "DECISION: continue", "DECISION:", "E_DECISION", "4:1"},
	{"DECISION outside the enum", ": continue", ": maybe", "E_DECISION", "4:11"},
	{"DECISION is the template", ": continue", ": continue | done", "E_DECISION", "4:11"},
	{"DECISION twice", "TASK", "DECISION: done\nTASK", "E_PARSE", "5:1"},
	{"TASK missing", "TASK: fix-selector-drift\n", "", "E_REQUIRED", ""},
	{"TASK empty", "TASK: fix-selector-drift", "TASK: ", "E_REQUIRED", "5:1"},
	{"TASK twice", "\n\n## GOAL", "\nTASK: b\n\n## GOAL", "E_PARSE", "6:1"},
	{"GOAL missing", "## GOAL\n让选择器在改版后仍然找到发送按钮。\n", "", "E_REQUIRED", ""},
	{"GOAL empty", "让选择器在改版后仍然找到发送按钮。\n", "", "E_REQUIRED", "7:1"},
	{"STEPS renamed", "## STEPS", "## 步骤", "E_REQUIRED,E_PARSE", ""},
	{"COMMANDS empty", "- npm test\n", "", "E_REQUIRED", "19:1"},
	{"COMMANDS with an empty entry", "- npm test\n", "- \n", "E_REQUIRED", "19:1"},
	{"COMMANDS without marker", "- npm test\n", "npm test\n", "E_PARSE", "20:1"},
	{"RISKS missing", "## RISKS\n- 无\n", "", "E_REQUIRED", ""},
	{"VERIFY missing", "## VERIFY\n- npm test 全绿\n", "", "E_REQUIRED", ""},
	{"section twice", "## RISKS", "## FILES\n- a\n\n## RISKS", "E_PARSE", "22:1"},
	{"line that belongs to nothing", "\n## GOAL", "接下来：\n## GOAL", "E_PARSE", "6:1"},
	{"unknown field", "TASK", "NOTE: x\nTASK", "E_PARSE", "5:1"},
	{"text before the block", "```\n# PLAN", "好的：\n```\n# PLAN", "E_PARSE", "1:1"},
	{"text after the block", "无\n```", "无\n```\n需要我继续吗？", "E_PARSE", "31:1"},
	{"fence left open", "无\n```", "无", "E_PARSE", "1:1"},
	{"a second block", "无\n```", "无\n```\n\n```sh\nls\n```", "E_BLOCKS", "32:1"},
	{"split in two", "\n\n## RISKS", "\n```\n\n```\n## RISKS", "E_BLOCKS", "23:1"},
	{"second block before", "```\n# PLAN", "```sh\nls\n```\n\n```\n# PLAN", "E_BLOCKS", "5:1"},
	{
		"second block and other round", "# PLAN pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=2",
		"```\n```\n# PLAN pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=3", "E_BLOCKS,E_FRAME", "3:1",
	},
	{"nested block left open", "- npm test\n", "- npm test\n  ~~~\n", "E_REQUIRED,E_PARSE", ""},
}

func TestCheckPlanFaults(t *testing.T) {
	covered := map[Code]bool{}
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			reply := replaceOnce(t, fenced(planText()), c.old, c.text)
			_, faults := CheckPlan(reply, sampleFrame())
			if got := codeText(FaultCodes(faults)); got != c.codes {
				t.Fatalf("codes %s, want %s:\n%s", got, c.codes, faultText(faults))
			}
			if !strings.Contains(faultText(faults[:1]), "at "+c.place) && c.place != "" ||
				c.place == "" && faults[0].Line != 0 {
				t.Errorf("want the first at %q: %s", c.place, faultText(faults))
			}
			for _, f := range faults {
				covered[f.Code] = true
				if f.Hint == "" || f.Code.Domain() != DomainRemote {
					t.Errorf("poor report: %+v", f)
				}
			}
		})
	}
	for _, c := range Codes() {
		if c.Domain() == DomainRemote && !covered[c] {
			t.Errorf("no case gives %s", c)
		}
	}
}

func TestCheckPlanWithoutBlock(t *testing.T) {
	for _, c := range []struct{ reply, codes string }{
		{"", "E_BLOCKS,E_HEADER"},
		{"抱歉，我不明白。", "E_BLOCKS,E_HEADER"},
		{planText(), "E_BLOCKS"},
		{"方案如下：\n" + planText(), "E_BLOCKS"},
		{strings.Replace(planText(), "r=2", "r=3", 1), "E_BLOCKS,E_FRAME"},
		{fenced(""), "E_HEADER,E_FRAME,E_REQUIRED,E_DECISION"},
		{"```", "E_HEADER,E_FRAME,E_REQUIRED,E_DECISION,E_PARSE"},
		{strings.Repeat("a", MaxInput+1), "E_PARSE"},
	} {
		_, faults := CheckPlan(c.reply, sampleFrame())
		if got := codeText(FaultCodes(faults)); got != c.codes {
			t.Errorf("%.20q: %s, want %s:\n%s", c.reply, got, c.codes, faultText(faults))
		}
	}
}

// TestCheckPlanReportsEveryFault: four things wrong, four faults, in the order of the reply.
func TestCheckPlanReportsEveryFault(t *testing.T) {
	reply := "前言\n" + fenced(planText()) + "\n后记"
	reply = strings.NewReplacer("r=2", "r=3", "q=e1db9b58", "q=00000000", ": continue", ": go",
		"## RISKS\n- 无\n", "").Replace(reply)
	_, faults := CheckPlan(reply, sampleFrame())
	want := []struct {
		code         Code
		line, column int
	}{
		{CodeRequired, 0, 0},
		{CodeParse, 1, 1},
		{CodeFrame, 4, 27},
		{CodeFrame, 4, 42},
		{CodeDecision, 5, 11},
		{CodeParse, 30, 1},
	}
	if len(faults) != len(want) {
		t.Fatalf("got\n%s", faultText(faults))
	}
	for i, w := range want {
		if f := faults[i]; f.Code != w.code || f.Line != w.line || f.Column != w.column {
			t.Errorf("fault %d: want %v, got %s", i, w, f.Error())
		}
	}
}

// TestCheckPlanTolerance: noise around and inside a plan that changes nothing of what it says.
func TestCheckPlanTolerance(t *testing.T) {
	text := planText()
	indented := "   " + strings.ReplaceAll(text, "\n", "\n   ")
	for name, reply := range map[string]string{
		"crlf":           strings.ReplaceAll(fenced(text), "\n", "\r\n"),
		"cr":             strings.ReplaceAll(fenced(text), "\n", "\r"),
		"bom":            "\ufeff" + fenced(text),
		"bom in block":   fenced("\ufeff" + text),
		"nbsp":           strings.ReplaceAll(fenced(text), " ", "\u00a0"),
		"zero width":     strings.ReplaceAll(fenced(text), "## ", "## \u200b"),
		"trailing space": strings.ReplaceAll(fenced(text), "\n", " \t\n"),
		"language":       "```markdown\n" + text + "\n```",
		"tildes":         "~~~text\n" + text + "\n~~~",
		"long fence":     "````md\n" + text + "\n````",
		"nested fence": "````\n" + strings.Replace(text, "- npm test\n",
			"- 运行\n```sh\nnpm test\n## GOAL\n```\n", 1) + "\n````",
		"nested tildes": fenced(strings.Replace(text, "无", "无\n~~~\nls\n~~~", 1)),
		"wide colons": fenced(strings.NewReplacer("FRAME: ", "FRAME：", "DECISION: ",
			"DECISION：", "TASK: ", "TASK：").Replace(text)),
		"smart quotes": fenced(strings.Replace(text, ": continue", ": “continue”", 1)),
		"backticks":    fenced(strings.Replace(text, ": continue", ": `continue`", 1)),
		"indented":     "   ```\n" + indented + "\n   ```",
		"in a list": "     ```\n" + strings.ReplaceAll("     "+text, "\n", "\n     ") +
			"\n     ```",
		"blank lines": "\n\n```\n\n" + strings.ReplaceAll(text, "\n", "\n\n") + "\n\n```\n\n",
		"field order": fenced(strings.NewReplacer("DECISION: continue\n", "", "TASK:",
			"DECISION: continue\nTASK:").Replace(text)),
		"frame order": fenced(strings.Replace(text, "s=9f83a7c1d42e650b r=2",
			"r=2 s=9f83a7c1d42e650b", 1)),
		"no NOTES":      fenced(text[:strings.Index(text, "\n\n## NOTES")]),
		"empty NOTES":   fenced(strings.TrimSuffix(text, "无")),
		"bare 无":        fenced(strings.Replace(text, "- npm test\n", "无\n", 1)),
		"bare risk":     fenced(strings.Replace(text, "- 无", "没有风险", 1)),
		"chinese list":  fenced(strings.NewReplacer("1. ", "1、", "2. ", "2、").Replace(text)),
		"bullets":       fenced(strings.ReplaceAll(text, "\n- ", "\n* ")),
		"heading colon": fenced(strings.ReplaceAll(text, "## GOAL", "## GOAL：")),
		"indented code": fenced(strings.Replace(text, "- npm test\n",
			"- npm test\n\n    ## GOAL\n    ```\n", 1)),
	} {
		if p, faults := CheckPlan(reply, sampleFrame()); faults != nil {
			t.Errorf("%s:\n%s", name, faultText(faults))
		} else if p.Frame != sampleFrame() || len(p.Steps) != 2 || len(p.Commands) != 1 ||
			len(p.Files) != 2 {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
}

// TestFaultsInAnIndentedBlock: places are the reply's, also when indentation was taken away.
func TestFaultsInAnIndentedBlock(t *testing.T) {
	text := strings.Replace(planText(), ": continue", ": maybe", 1)
	reply := "  ```\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n  ```"
	_, faults := CheckPlan(reply, sampleFrame())
	if len(faults) != 1 || faults[0].Line != 4 || faults[0].Column != 13 {
		t.Errorf("got %s", faultText(faults))
	}
	p, _ := CheckPlan(reply, sampleFrame())
	if p.Block != text {
		t.Errorf("the indentation is part of the block:\n%s", p.Block)
	}
}

func TestEffects(t *testing.T) {
	for _, c := range []struct {
		files, commands []string
		want            bool
	}{
		{nil, nil, false},
		{[]string{"无"}, []string{"none"}, false},
		{[]string{"`无`。"}, []string{"None."}, false},
		{[]string{"无"}, []string{"none", "rm x"}, true},
		{[]string{"a.go :: 改"}, []string{"无"}, true},
		{[]string{"无"}, []string{"nonexistent"}, true},
	} {
		if got := (Plan{Files: c.files, Commands: c.commands}).Effects(); got != c.want {
			t.Errorf("%q %q: %v", c.files, c.commands, got)
		}
	}
}

func TestBlocks(t *testing.T) {
	got := Blocks("a\n```go x\nb\n\n```\n`````\n```\nc\n```\n`````\n" +
		"~~~\nd\n```\n   ~~~~  \n``` x`y\n```\ne")
	want := []Block{
		{Lang: "go", Text: "b\n", Line: 2, EndLine: 5, Fence: "```", Closed: true},
		{Text: "```\nc\n```", Line: 6, EndLine: 10, Fence: "`````", Closed: true},
		{Text: "d\n```", Line: 11, EndLine: 14, Fence: "~~~", Closed: true},
		{Text: "e", Line: 16, EndLine: 17, Fence: "```"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d blocks: %+v", len(got), got)
	}
	for i := range want {
		got[i].at, got[i].indent, got[i].column = 0, 0, 0
		if got[i] != want[i] {
			t.Errorf("block %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}
