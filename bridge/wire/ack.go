package wire

import "strconv"

// Ack is an HS as it was read; a value that is absent, malformed or given twice is zero.
type Ack struct {
	Type, SID string
	HV, CV    int
	Contract  string // contract tag after the CV number
	Cap       string
	Features  []string
	CK        Checkpoint
	HasCK     bool // a well-formed CK line was there; it tells "0:-" from none
	Next      int
	Raw       string // text of the block that was read; the whole reply when there was no block
}

// ParseAck reads the acknowledgement in a reply. It reports every deviation of form: block count,
// fence left open, header, fields that are absent, malformed or doubled, lines that are no field.
// The values are read as far as they go even then. Whether they match an offer is [Gate]'s
// question; FEAT, CK and NEXT may be absent here, because only the offer says which are due.
//
// Fields that HS does not have (a QID that was copied along) are ignored, and so is text outside
// the block: neither changes what was acknowledged. Text inside it that is no field is refused.
func ParseAck(reply string) (Ack, []Fault) {
	r := readAck(reply)
	return r.ack, r.faults.sorted()
}

// ackReading is an Ack with what the gate needs to name the condition that failed.
type ackReading struct {
	ack    Ack
	set    fieldSet
	faults sink

	block  Fault  // why CondBlock fails; no code when it holds
	header bool   // the header is right
	first  string // what stands in the header's place
	cursor cursor
}

func readAck(reply string) *ackReading {
	r := &ackReading{}
	if len(reply) > MaxInput {
		r.refuseBlock(tooLarge(reply))
		return r
	}
	blocks, _ := split(reply)
	r.choose(reply, blocks)
	r.lines()
	r.values()
	return r
}

// choose picks the text to read and judges the block count. Among several blocks it is the first
// with an HS header; without a block, the reply from such a header on. The reply is refused in
// either case, the reading only tells what else is wrong.
func (r *ackReading) choose(reply string, blocks []Block) {
	if len(blocks) != 1 {
		f := Fault{Code: CodeBlocks, Want: "1 code block", Got: strconv.Itoa(len(blocks))}
		f.Hint = "the ACK stands in exactly one code block"
		r.refuseBlock(f)
	}
	if len(blocks) == 0 {
		text, base := bare(reply, KindHS)
		r.ack.Raw, r.cursor = text, bareCursor(text, base)
		return
	}
	b := &blocks[headed(blocks, KindHS)]
	r.ack.Raw, r.cursor = b.Text, b.cursor(reply)
	if !b.Closed {
		r.refuseBlock(unclosed(*b))
	}
}

func (r *ackReading) refuseBlock(f Fault) {
	if r.block.Code == "" {
		r.block = f
	}
	r.faults.add(f)
}

// headed is the index of the first block whose header is of kind k, or 0.
func headed(blocks []Block, k Kind) int {
	if len(blocks) > 1 {
		for i := range blocks {
			if got, ok := HeaderOf(blocks[i].Text); ok && got == k {
				return i
			}
		}
	}
	return 0
}

// bare is the part of a reply without blocks that starts at a header of kind k, and the number of
// the line before; without such a header, the whole reply.
func bare(reply string, k Kind) (text string, base int) {
	l := scan(reply)
	for l.next() {
		if got, ok := parseHeader(tidy(l.line())); ok && got == k {
			return reply[l.start:], l.no - 1
		}
	}
	return reply, 0
}

func unclosed(b Block) Fault {
	return Fault{
		Code: CodeParse, Line: b.Line, Column: b.column, Want: "a closing " + b.Fence,
		Got: "the end of the text", Hint: "the code block is not closed",
	}
}

// lines reads header and fields.
func (r *ackReading) lines() {
	c := &r.cursor
	stray := false
	for c.next() {
		t := tidy(c.line())
		if t == "" {
			continue
		}
		if r.first == "" && r.readHeader(t) {
			continue
		}
		key, value, ok := parseField(t)
		if id, known := fieldNamed(key); known {
			line, column := c.place(value)
			r.set.put(id, value, line, column)
		}
		if !ok && r.header && !stray {
			stray = true // one report for all of them; without its header the text is no ACK at all
			r.refuseStray(t)
		}
	}
	if r.first == "" {
		r.refuseHeader(0, 0)
	}
}

func (r *ackReading) refuseStray(t string) {
	f := Fault{Code: CodeParse, Want: "KEY: value", Got: t}
	f.Hint = "the block holds a line that is no field"
	f.Line, f.Column = r.cursor.place("")
	r.refuseBlock(f)
}

func (r *ackReading) refuseHeader(line, column int) {
	r.faults.add(Fault{
		Code: CodeHeader, Line: line, Column: column, Want: KindHS.header(), Got: r.first,
		Hint: "missing or wrong header",
	})
}

// readHeader reports whether the first line is used up: a header, right or wrong, and no field.
func (r *ackReading) readHeader(t string) bool {
	r.first = t
	k, ok := parseHeader(t)
	if r.header = k == KindHS; !r.header {
		r.refuseHeader(r.cursor.place(""))
	}
	_, _, field := parseField(t)
	return ok || !field
}

// values fills the Ack from the fields and reports those without their shape.
func (r *ackReading) values() {
	a, set := &r.ack, &r.set
	var hv, cv, next bool
	a.Type, _ = set.once(fieldType)
	a.SID, _ = set.once(fieldS)
	a.HV, hv = set.number(fieldHV)
	a.CV, cv, a.Contract = set.contract()
	a.Cap, _ = set.once(fieldCap)
	a.Next, next = set.number(fieldNext)
	if v, ok := set.once(fieldFeat); ok {
		a.Features = splitList(v)
	}
	if v, ok := set.once(fieldCK); ok {
		ck, err := ParseCheckpoint(v)
		a.CK, a.HasCK = ck, err == nil
	}
	cvOK := cv && isTag(a.Contract, 'p')
	ckOK := a.HasCK || set[fieldCK].times == 0
	r.demand(fieldType, CodeRequired, "ack", a.Type == "ack")
	r.demand(fieldS, CodeFrame, "16 lower-case hex digits", IsSID(a.SID))
	r.demand(fieldHV, CodeVersion, "a number", hv)
	r.demand(fieldCV, CodeContract, "<number> p<number>.<8 hex digits>", cvOK)
	r.demand(fieldCap, CodeContract, "c<number>.<8 hex digits>", isTag(a.Cap, 'c'))
	r.demand(fieldFeat, CodeRequired, "features", set[fieldFeat].times <= 1)
	r.demand(fieldCK, CodeFrame, "<round>:<8 hex digits>, or 0:-", ckOK)
	r.demand(fieldNext, CodeFrame, "a round", next || set[fieldNext].times == 0)
}

// demand reports field id unless ok: E_REQUIRED when it is absent, else the given code.
func (r *ackReading) demand(id fieldID, code Code, want string, ok bool) {
	if ok {
		return
	}
	f := &r.set[id]
	hint := "the value is malformed"
	switch {
	case f.times > 1:
		hint = "the field is given more than once"
	case r.set.absent(id):
		code, hint = CodeRequired, "the field is missing"
	}
	r.faults.add(Fault{
		Code: code, Line: f.line, Column: f.column,
		Want: fieldNames[id] + ": " + want, Got: f.value, Hint: hint,
	})
}
