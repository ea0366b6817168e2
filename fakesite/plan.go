package fakesite

import "strconv"

// writePlan writes a PLAN block for the frame of the choice.
func writePlan(c *choice) string {
	m := &c.move
	w := planSheet{sheet: sheet{dev: m.Deviate}, move: m, round: c.frame.r}
	w.decision = m.Decision
	switch {
	case w.decision != "":
	case c.final:
		w.decision = "done"
	default:
		w.decision = "continue"
	}
	w.Grow(planSize(m))
	w.open()
	w.header("PLAN", PlanNoHeader, PlanHeader)
	if w.dev != PlanLateFrame && w.dev != PlanNoFrame {
		w.frame(c.frame)
	}
	w.line("DECISION", w.decision, PlanNoDecision, PlanDecision,
		func(string) string { return "maybe" })
	w.task()
	if w.dev == PlanLateFrame {
		w.frame(c.frame)
	}
	if w.dev == PlanGarbage {
		w.puts("以下内容供参考\n")
	}
	w.sections()
	w.close()
	return w.String()
}

// planSize bounds the length of a plan, so that its builder grows once.
func planSize(m *Move) int {
	n := 640 + len(m.Task) + len(m.Goal) + len(m.Notes)
	for _, list := range [...][]string{m.Steps, m.Files, m.Commands, m.Risks, m.Verify} {
		for _, s := range list {
			n += len(s) + 6
		}
	}
	return n
}

type planSheet struct {
	sheet
	move     *Move
	round    int
	decision string
}

func (w *planSheet) frame(f frame) {
	switch w.dev {
	case PlanSID:
		f.s = otherDigest(f.s)
	case PlanRound:
		f.r++
	case PlanPrev:
		f.p = otherPrev(f.p)
	case PlanQID:
		f.q = otherDigest(f.q)
	}
	w.puts("FRAME: s=", f.s, " r=")
	w.number(f.r)
	w.puts(" p=", f.p, " q=", f.q, "\n")
}

func (w *planSheet) task() {
	switch {
	case w.dev == PlanNoTask:
	case w.move.Task != "":
		w.puts("TASK: ", w.move.Task, "\n")
	default:
		w.puts("TASK: round-")
		w.number(w.round)
		w.puts("\n")
	}
}

func (w *planSheet) sections() {
	m := w.move
	if w.section("GOAL", PlanNoGoal) && w.dev != PlanEmptyGoal {
		w.goal()
	}
	if w.section("STEPS", PlanNoSteps) {
		w.steps()
	}
	if w.dev == PlanSplit {
		w.puts("```\n\n```\n")
	}
	if w.section("FILES", PlanNoFiles) && !w.list(m.Files) {
		w.files()
	}
	if w.section("COMMANDS", PlanNoCommands) && !w.list(m.Commands) {
		w.commands()
	}
	if w.dev == PlanUnknown {
		w.puts("\n## SUMMARY\n一切顺利。\n")
	}
	if w.section("RISKS", PlanNoRisks) && !w.list(m.Risks) {
		w.risks()
	}
	if w.section("VERIFY", PlanNoVerify) && !w.list(m.Verify) {
		w.puts("- npm test 全绿\n")
	}
	if w.dev == PlanTwice {
		w.puts("\n## RISKS\n- 同上\n")
	}
	w.notes()
}

// section writes a heading, or reports that this section is left out.
func (w *planSheet) section(name string, none Deviation) bool {
	if w.dev == none {
		return false
	}
	w.puts("\n## ", name, "\n")
	return true
}

// list writes scripted entries; it is false when the script leaves them to the default.
func (w *planSheet) list(items []string) bool {
	if items == nil {
		return false
	}
	if len(items) == 0 {
		w.puts("- 无\n")
	}
	for _, s := range items {
		w.puts("- ", s, "\n")
	}
	return true
}

func (w *planSheet) goal() {
	if w.move.Goal != "" {
		w.puts(w.move.Goal, "\n")
		return
	}
	w.puts("完成第 ")
	w.number(w.round)
	switch w.decision {
	case "done":
		w.puts(" 轮的核对，目标已经达成。\n")
	case "blocked":
		w.puts(" 轮前需要的条件目前不具备。\n")
	default:
		w.puts(" 轮的工作。\n")
	}
}

func (w *planSheet) steps() {
	for i, s := range w.move.Steps {
		w.puts(strconv.Itoa(i+1), ". ", s, "\n")
	}
	switch {
	case len(w.move.Steps) > 0:
	case w.move.Steps != nil:
		w.puts("1. 无\n")
	case w.decision == "done":
		w.puts("1. 核对结果，无需再执行\n")
	case w.decision == "blocked":
		w.puts("1. 等待人工处理\n")
	case w.decision == "need_info":
		w.puts("1. 查看工作区状态\n2. 回报所得信息\n")
	default:
		w.puts("1. 写入本轮的改动\n2. 运行测试\n")
	}
}

func (w *planSheet) files() {
	if w.decision != "continue" {
		w.puts("- 无\n")
		return
	}
	w.puts("- src/round-")
	w.number(w.round)
	w.puts(".txt :: 写入第 ")
	w.number(w.round)
	w.puts(" 轮的结果\n")
}

func (w *planSheet) commands() {
	switch w.decision {
	case "continue":
		w.puts("- npm test\n")
	case "need_info":
		w.puts("- git status --short\n")
	default:
		w.puts("- 无\n")
	}
}

func (w *planSheet) risks() {
	if w.decision == "blocked" {
		w.puts("- 缺少需要由人提供的账号权限\n")
		return
	}
	w.puts("- 无\n")
}

func (w *planSheet) notes() {
	text := w.move.Notes
	if w.dev == NoNotes || (text == "" && w.dev != NestedFence) {
		return
	}
	w.puts("\n## NOTES\n")
	if text != "" {
		w.puts(text, "\n")
	}
	if w.dev == NestedFence {
		w.puts("参考输出：\n```sh\nnpm test\n```\n")
	}
}
