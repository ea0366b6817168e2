package wire

import (
	"strconv"
	"strings"
)

// Decision is ChatGPT's verdict on the task.
type Decision string

// The four decisions. "need_info" is executed like "continue" (its steps gather information);
// "done" is terminal; "blocked" depends on something outside pi's capabilities.
const (
	DecisionContinue Decision = "continue"
	DecisionDone     Decision = "done"
	DecisionBlocked  Decision = "blocked"
	DecisionNeedInfo Decision = "need_info"
)

// Decisions returns the enumeration in the order of the contract.
func Decisions() []Decision {
	return []Decision{DecisionContinue, DecisionDone, DecisionBlocked, DecisionNeedInfo}
}

// Plan is a PLAN as it was read. It may be acted on only when [CheckPlan] found no fault.
type Plan struct {
	Frame    Frame
	Decision Decision
	Task     string // short identifier
	Goal     string
	// List sections, one entry an item, markers removed. An item that goes on over several lines,
	// or holds a nested code block, keeps its line breaks.
	Steps, Files, Commands, Risks, Verify []string
	Notes                                 string // the only optional section
	// Block is the text of the code block, fences excluded, as written: what Key is made from and
	// what the agent executes word for word. The fields above are a reading of it.
	Block string
	Key   string // [PlanKey] of Block
}

// Effects reports whether the plan asks pi to run or change something: COMMANDS or FILES hold
// anything but 无 or none. A plan without effects can be dropped without having run.
func (p Plan) Effects() bool { return anyEffect(p.Commands) || anyEffect(p.Files) }

func anyEffect(items []string) bool { return FirstEffect(items) != "" }

// FirstEffect is the first entry of FILES or COMMANDS that says something; "" when all say 无 or
// none.
func FirstEffect(items []string) string {
	for _, s := range items {
		if !isNone(s) {
			return s
		}
	}
	return ""
}

// isNone reads an entry that says "nothing here": the contract's 无, or none in any case.
func isNone(item string) bool {
	t := unquote(strings.TrimRight(unquote(item), ".。"))
	return t == "无" || strings.EqualFold(t, "none")
}

// CheckPlan reads the PLAN in a reply and reports every fault, sorted by place and then by code.
// Without a fault the plan is protocol truth: one code block with "nothing outside it", the header,
// the FRAME that was asked for, every required part. How each sentence became a code:
//
//	E_BLOCKS    no code block, or several
//	E_HEADER    the block does not start with "# PLAN pi-bridge/1"
//	E_FRAME     no FRAME on the second line, or one of s, r, p, q differs: one fault per field
//	E_DECISION  DECISION absent, empty or outside the enumeration
//	E_REQUIRED  TASK or a section absent or empty, one fault each (NOTES is optional)
//	E_PARSE     text outside the block, fence left open, unknown or repeated section or field,
//	            line that belongs to nothing, reply over MaxInput
//
// The order of fields and sections is free. In FILES and COMMANDS every entry needs a list marker,
// since a guess there is executed; elsewhere a plain line is an entry.
//
// With several blocks the first with a PLAN header is read, and nothing is called absent: it may
// stand in another block. Without a block a bare PLAN is read, to name its other faults; a reply
// that has no PLAN header at all is E_BLOCKS and E_HEADER.
func CheckPlan(reply string, want Frame) (Plan, []Fault) {
	r := planReader{want: want}
	if len(reply) > MaxInput {
		return Plan{}, []Fault{tooLarge(reply)}
	}
	blocks, outside := split(reply)
	if len(blocks) == 0 && !hasHeader(reply, KindPlan) {
		r.faults.add(blockCount(blocks))
		r.faults.add(Fault{
			Code: CodeHeader, Want: KindPlan.header(), Got: firstOf(outside),
			Hint: "the reply holds no PLAN",
		})
		return Plan{}, r.faults.sorted()
	}
	r.choose(reply, blocks, outside)
	r.read()
	r.plan.Key = PlanKey(r.plan.Block)
	return r.plan, r.faults.sorted()
}

// ReadPlan reads the text of one block, fences excluded, as a journal keeps it. The faults are
// those of CheckPlan without the ones about blocks, with places in the block: a block that was
// valid before is valid again, and gives the same Plan.
func ReadPlan(block string, want Frame) (Plan, []Fault) {
	if len(block) > MaxInput {
		return Plan{}, []Fault{tooLarge(block)}
	}
	r := planReader{want: want}
	r.plan.Block, r.cursor = block, bareCursor(block, 0)
	r.read()
	r.plan.Key = PlanKey(block)
	return r.plan, r.faults.sorted()
}

func hasHeader(reply string, k Kind) bool {
	text, _ := bare(reply, k)
	got, ok := HeaderOf(text)
	return ok && got == k
}

func firstOf(outside []place) string {
	if len(outside) == 0 {
		return ""
	}
	return outside[0].text
}

func blockCount(blocks []Block) Fault {
	f := Fault{Code: CodeBlocks, Want: "1 code block", Got: strconv.Itoa(len(blocks))}
	f.Hint = "the whole plan stands in exactly one code block"
	if len(blocks) > 1 {
		f.Line, f.Column = blocks[1].Line, blocks[1].column
	}
	return f
}

// choose picks the text to read and judges what is around it.
func (r *planReader) choose(reply string, blocks []Block, outside []place) {
	if len(blocks) != 1 {
		r.faults.add(blockCount(blocks))
	}
	if len(blocks) == 0 {
		text, base := bare(reply, KindPlan)
		r.plan.Block, r.cursor = text, bareCursor(text, base)
		return
	}
	r.several = len(blocks) > 1
	b := &blocks[headed(blocks, KindPlan)]
	r.plan.Block, r.cursor = b.Text, b.cursor(reply)
	for i := range blocks {
		if !blocks[i].Closed {
			r.faults.add(unclosed(blocks[i]))
		}
	}
	for _, p := range outside {
		r.faults.add(Fault{
			Code: CodeParse, Line: p.line, Column: p.column, Want: "nothing outside the code block",
			Got: p.text, Hint: "text outside the code block",
		})
	}
}
