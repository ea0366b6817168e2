package fakesite

import (
	"strconv"
	"strings"
)

// text writes the answer.
func (c *choice) text() string {
	m := &c.move
	switch {
	case m.Say != "":
		return m.Say
	case c.part == "":
		return c.prose
	}
	return disguise(c.written(), m.Deviate)
}

// written is the answer before what only changes its looks.
func (c *choice) written() string {
	switch c.move.Deviate {
	case AckForgot, PlanForgot:
		return proseForgot
	case ResumeRefuses:
		return proseRefuse
	case AckPlan, ResumePlan:
		return writePlan(c)
	case PlanAck:
		return writeAck(c)
	}
	if c.part == PartPlan {
		return writePlan(c)
	}
	return writeAck(c)
}

// alternative is a second response that says the same in other words.
func (c *choice) alternative() string {
	other := *c
	if other.move.Say != "" {
		return other.move.Say + "\n"
	}
	other.move.Notes = "另一种写法，内容相同。"
	return other.text()
}

// sheet is the paper that an answer is written on.
type sheet struct {
	strings.Builder
	dev Deviation
}

func (w *sheet) puts(parts ...string) {
	for _, s := range parts {
		w.WriteString(s)
	}
}

func (w *sheet) number(n int) {
	var digits [20]byte
	w.Write(strconv.AppendInt(digits[:0], int64(n), 10))
}

// fence is the mark around the block.
func (w *sheet) fence() string {
	switch w.dev {
	case TildeFence:
		return "~~~"
	case NestedFence:
		return "````"
	}
	return "```"
}

func (w *sheet) open() {
	switch w.dev {
	case PlanNoBlock, AckNoBlock:
		return
	case PlanTextBefore:
		w.puts("好的，下面是本轮方案：\n\n")
	case AckProse:
		w.puts("收到，确认如下：\n\n")
	}
	w.puts(w.fence())
	if w.dev == LanguageTag {
		w.puts("markdown")
	}
	w.puts("\n")
}

func (w *sheet) close() {
	switch w.dev {
	case PlanNoBlock, AckNoBlock, PlanUnclosed, AckUnclosed:
		return
	}
	w.puts(w.fence())
	switch w.dev {
	case PlanTextAfter:
		w.puts("\n\n执行完成后请把结果发给我。")
	case AckProse:
		w.puts("\n\n可以开始了。")
	case PlanTwoBlocks, AckTwoBlocks:
		w.puts("\n\n```sh\nnpm test\n```")
	}
}

// header writes the first line of the block.
func (w *sheet) header(kind string, none, wrong Deviation) {
	switch w.dev {
	case none:
	case wrong:
		w.puts("# ", kind, " pi-bridge/2\n")
	default:
		w.puts("# ", kind, " pi-bridge/1\n")
	}
}

// line writes "KEY: value", or with the deviation none nothing, or with wrong another value.
func (w *sheet) line(key, value string, none, wrong Deviation, other func(string) string) {
	switch {
	case none != "" && w.dev == none:
		return
	case wrong != "" && w.dev == wrong:
		value = other(value)
	}
	w.puts(key, ": ", value, "\n")
}

func writeAck(c *choice) string {
	w := sheet{dev: c.move.Deviate}
	w.Grow(256)
	w.open()
	w.header("HS", AckNoHeader, AckHeader)
	w.line("TYPE", "ack", AckNoType, AckType, func(string) string { return "nack" })
	w.line("S", c.ack.sid, AckNoSID, AckSID, otherDigest)
	w.line("HV", c.ack.hv, AckNoHV, AckHV, otherNumber)
	if w.dev == AckGarbage {
		w.puts("（以上确认无误）\n")
	}
	w.contract(c.ack.cv)
	w.line("CAP", c.ack.cap, AckNoCap, AckCap, otherDigest)
	if c.part == PartResume {
		w.line("CK", c.ack.ck, ResumeNoCK, ResumeCK, otherCheckpoint)
		w.line("NEXT", c.ack.next, ResumeNoNext, ResumeNext, otherNumber)
	} else {
		w.features(c.req)
	}
	w.close()
	return w.String()
}

// contract writes the CV line, "2 p2.478d1ef2": number and hash can be wrong each alone.
func (w *sheet) contract(cv string) {
	if w.dev == AckCV {
		number, hash, _ := strings.Cut(cv, " ")
		cv = otherNumber(number) + " " + hash
	}
	w.line("CV", cv, AckNoContract, AckContract, otherDigest)
}

// features writes the FEAT line, with one feature left out or all of them.
func (w *sheet) features(req string) {
	missing := ""
	switch w.dev {
	case AckNoFeatures:
		return
	case AckNoFrame:
		missing = "frame"
	case AckNoResume:
		missing = "resume"
	case AckNoRepair:
		missing = "repair"
	case AckNoNeedInfo:
		missing = "need_info"
	}
	if missing != "" {
		req = without(req, missing)
	}
	w.puts("FEAT: ", req, "\n")
}

func without(list, item string) string {
	var kept []string
	for s := range strings.SplitSeq(list, ",") {
		if clean(s) != item {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, ",")
}

// otherDigest changes the last character of something that ends in a digest.
func otherDigest(s string) string {
	if s == "" {
		return "0"
	}
	if s[len(s)-1] == '0' {
		return s[:len(s)-1] + "1"
	}
	return s[:len(s)-1] + "0"
}

func otherNumber(s string) string {
	n, _ := strconv.Atoi(s)
	return strconv.Itoa(n + 1)
}

// otherPrev is a plan key that nobody wrote.
func otherPrev(p string) string {
	if p == "-" {
		return "0badc0de"
	}
	return otherDigest(p)
}

func otherCheckpoint(ck string) string {
	round, key, _ := strings.Cut(ck, ":")
	if key == "-" {
		return "1:0badc0de"
	}
	return round + ":" + otherDigest(key)
}
