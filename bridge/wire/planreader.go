package wire

import "strconv"

// planReader reads the text of one block in a single pass, line by line:
//
//	atHeader ──► atFrame ──► inFields ──(first "## ")──► inSections
type planReader struct {
	cursor
	want    Frame
	plan    Plan
	faults  sink
	several bool // one of several blocks: what is absent here may stand in another

	state  planState
	nested fence // open code block inside the plan; no text when there is none
	opened [2]int
	tidied string // the current line
	indent int    // its leading columns

	framed, decided bool
	seen            [partCount]bool
	headings        [partCount][2]int // where each section starts

	section  part // noPart in an unknown or repeated one
	stray    int  // last line that was refused; a run of them is one fault
	content  bool // the section has text
	entry    bool // an item, or the text of the section, is open
	depth    int  // leading columns of the open item
	from, to int  // its extent in the block
	items    []string
	first    int // index in items of the section's first one
}

type planState uint8

const (
	atHeader planState = iota
	atFrame
	inFields
	inSections
)

// read goes over the whole block and then asks for what did not come.
func (r *planReader) read() {
	r.section, r.stray = noPart, -1
	for r.next() {
		line := r.line()
		if r.nested.text != "" {
			r.nestedLine(line)
			continue
		}
		if r.tidied = tidy(line); r.tidied == "" {
			continue
		}
		_, r.indent = lead(line)
		r.solidLine(line)
	}
	if r.nested.text != "" {
		r.faults.add(Fault{
			Code: CodeParse, Line: r.opened[0], Column: r.opened[1],
			Want: "a closing " + r.nested.text, Got: "the end of the block",
			Hint: "the code block inside the plan is not closed",
		})
	}
	r.endSection()
	r.finish()
}

// solidLine dispatches a line that is neither blank nor in a nested code block. Four columns in, a
// line opens nothing, whatever it looks like: that is where the contract puts code.
func (r *planReader) solidLine(line string) {
	if r.state == atHeader && r.header() {
		return
	}
	if r.indent < 4 {
		if f, ok := openFence(line); ok {
			r.nested = f
			r.opened[0], r.opened[1] = r.place("")
			r.fencedContent()
			return
		}
		if name, ok := heading(r.tidied); ok {
			r.openSection(name)
			return
		}
	}
	if r.state != inSections {
		r.fieldLine()
		return
	}
	r.sectionLine(line)
}

// fault refuses something on the current line. A part of the line, when given, is the place.
func (r *planReader) fault(code Code, part, want, got, hint string) {
	line, column := r.place(part)
	r.faults.add(Fault{Code: code, Line: line, Column: column, Want: want, Got: got, Hint: hint})
}

// refuseLine refuses the whole current line; of a run of such lines only the first is reported.
func (r *planReader) refuseLine(want, hint string) {
	if r.stray != r.no-1 {
		r.fault(CodeParse, "", want, r.tidied, hint)
	}
	r.stray = r.no
}

// header reads the first line. A wrong one is used up, unless it is already a later part: then the
// header is missing and the line is read as what it is.
func (r *planReader) header() bool {
	r.state = atFrame
	k, ok := parseHeader(r.tidied)
	if ok && k == KindPlan {
		return true
	}
	r.fault(CodeHeader, "", KindPlan.header(), r.tidied, "missing or wrong header")
	key, _, field := parseField(r.tidied)
	_, section := heading(r.tidied)
	later := section || field && (key == "FRAME" || key == "DECISION" || key == "TASK")
	return !later
}

// fieldLine reads a line before the first section.
func (r *planReader) fieldLine() {
	second := r.state <= atFrame
	r.state = inFields
	key, value, ok := parseField(r.tidied)
	switch {
	case ok && key == "FRAME":
		r.frame(value, second)
	case ok && key == "DECISION":
		r.decision(value)
	case ok && key == "TASK":
		r.task(value)
	default:
		r.refuseLine("FRAME, DECISION, TASK or a section", "the line belongs to nothing")
	}
}

// frame compares the FRAME with the one that was asked for, field by field.
func (r *planReader) frame(value string, second bool) {
	if r.framed {
		r.fault(CodeParse, "", "one FRAME", r.tidied, "FRAME is given twice")
		return
	}
	r.framed = true
	if !second {
		r.fault(CodeFrame, "", "FRAME on the second line", r.tidied, "FRAME comes too late")
	}
	tokens, bad := scanFrame(value)
	if bad.Hint != "" {
		r.fault(bad.Code, bad.Got, bad.Want, bad.Got, bad.Hint)
	}
	r.plan.Frame = tokens.frame()
	if r.plan.Frame == (Frame{r.want.SID, r.want.Round, r.want.prev(), r.want.QID}) {
		return
	}
	wants := [frameFields]string{
		r.want.SID, strconv.Itoa(r.want.Round), r.want.prev(), r.want.QID,
	}
	for i, want := range wants {
		if tokens[i].value == want {
			continue
		}
		name := frameShape[i].letter
		hint := "FRAME field " + name + " does not match this round"
		if tokens[i].text == "" {
			hint = "FRAME field " + name + " is missing"
		}
		r.fault(CodeFrame, tokens[i].text, name+"="+want, tokens[i].text, hint)
	}
}

const decisionEnum = "continue | done | blocked | need_info"

func (r *planReader) decision(value string) {
	if r.decided {
		r.fault(CodeParse, "", "one DECISION", r.tidied, "DECISION is given twice")
		return
	}
	r.decided = true
	switch d := Decision(value); d {
	case DecisionContinue, DecisionDone, DecisionBlocked, DecisionNeedInfo:
		r.plan.Decision = d
	default:
		r.fault(CodeDecision, value, decisionEnum, value, "DECISION is outside the enumeration")
	}
}

func (r *planReader) task(value string) {
	if r.seen[partTask] {
		r.fault(CodeParse, "", "one TASK", r.tidied, "TASK is given twice")
		return
	}
	r.seen[partTask] = true
	r.plan.Task = value
	if value == "" {
		r.fault(CodeRequired, "", partTask.label(), "", "TASK is empty")
	}
}

// finish reports what is absent. It has no place, but for FRAME, which belongs on the second line.
func (r *planReader) finish() {
	if r.several {
		return
	}
	if r.state == atHeader {
		r.absent(CodeHeader, KindPlan.header(), "the code block is empty")
	}
	if !r.framed {
		r.absent(CodeFrame, "FRAME: s=… r=… p=… q=…", "FRAME is missing")
	}
	if !r.decided {
		r.absent(CodeDecision, "DECISION: "+decisionEnum, "DECISION is missing")
	}
	for p := range partCount {
		if !r.seen[p] && !parts[p].optional {
			r.absent(CodeRequired, p.label(), parts[p].name+" is missing")
		}
	}
}

func (r *planReader) absent(code Code, want, hint string) {
	r.faults.add(Fault{Code: code, Want: want, Hint: hint})
}
