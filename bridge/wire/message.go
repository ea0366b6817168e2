package wire

import (
	"errors"
	"slices"
	"strings"
)

// ErrNotOurs is returned for a text whose first non-blank line is no header of pi-bridge/1: a turn
// that a person wrote, or another wire version.
var ErrNotOurs = errors.New("wire: no pi-bridge/1 header")

// Message is what pi sent, read back from a conversation's history. Only the fields that its kind
// carries are set:
//
//	HELLO, RESYNC   SID HV CV Contract Cap QID
//	ROUND           SID QID Frame, and Request or Receipt
//	REPAIR          SID QID Frame Errors
//	RESUME          SID HV CV Contract Cap CK Next
//	HS              SID HV CV Contract Cap, and CK Next when it acknowledges a RESUME
type Message struct {
	Kind     Kind
	SID      string
	Frame    Frame
	CK       Checkpoint
	Next     int
	HV, CV   int
	Contract string
	Cap      string
	QID      string
	Errors   []Code
	// Request and Receipt are word for word what stands under the heading. Which of them a ROUND
	// carries is reported, not judged: that the request travels in ROUND 1 only is a law about
	// histories, and a history that breaks it must be readable to be convicted.
	Request, Receipt string
}

// ParseMessage reads a message with any kind of header but PLAN ([CheckPlan] reads that one). HS is
// ChatGPT's and is read here in its bare form, so that a transcript without fences can be walked.
//
// The error is [ErrNotOurs] without a header of this wire version, else a [Fault] with the first
// line that is wrong. A field that is missing, malformed, unknown or given twice refuses the whole
// message: a history that is half understood must not steer a recovery. A HELLO needs its ACTION
// line and its contract, else it was torn.
func ParseMessage(text string) (Message, error) {
	if len(text) > MaxInput {
		return Message{}, tooLarge(text)
	}
	r := messageReader{lines: scan(text)}
	if !r.nextSolid() {
		return Message{}, ErrNotOurs
	}
	kind, ok := parseHeader(r.tidied)
	if !ok {
		return Message{}, ErrNotOurs
	}
	r.m.Kind = kind
	if !r.read() {
		return Message{}, r.fault
	}
	return r.m, nil
}

type messageReader struct {
	lines
	tidied string // the current line
	m      Message
	fault  Fault
}

func (r *messageReader) nextSolid() bool {
	for r.next() {
		if r.tidied = tidy(r.line()); r.tidied != "" {
			return true
		}
	}
	return false
}

func (r *messageReader) read() bool {
	switch r.m.Kind {
	case KindRound:
		return r.frame() && r.body()
	case KindRepair:
		return r.frame() && r.repair()
	case KindResync:
		if !r.nextSolid() || r.tidied != KindHello.header() {
			return r.refuse(CodeHeader, KindHello.header(), r.tidied, "a RESYNC carries a HELLO")
		}
		return r.hello()
	case KindHello:
		return r.hello()
	case KindResume:
		return r.fields(fieldS, fieldHV, fieldCV, fieldCap, fieldCK, fieldNext)
	case KindHS:
		return r.fields(fieldType, fieldS, fieldHV, fieldCV, fieldCap)
	}
	return r.refuse(CodeHeader, "a message of pi", r.tidied, "a PLAN is a reply")
}

// refuse records the fault at the current line.
func (r *messageReader) refuse(code Code, want, got, hint string) bool {
	r.fault = Fault{
		Code: code, Line: r.no, Column: columnOf(r.line(), got),
		Want: want, Got: quoteShort(got), Hint: hint,
	}
	return false
}

func (r *messageReader) frame() bool {
	if !r.nextSolid() {
		return r.refuse(CodeFrame, "FRAME: s=… r=… p=… q=…", "", "the text ends before its FRAME")
	}
	f, err := ParseFrame(r.line())
	if err != nil {
		r.fault, _ = errors.AsType[Fault](err)
		r.fault.Line = r.no
		return false
	}
	r.m.Frame, r.m.SID, r.m.QID = f, f.SID, f.QID
	return true
}

const headings = RequestHeading + " or " + ReceiptHeading

// body reads a ROUND's heading; everything after that line is the user's or the agent's text.
func (r *messageReader) body() bool {
	if !r.nextSolid() {
		return r.refuse(CodeRequired, headings, "", "the ROUND has no body")
	}
	rest := r.text[min(r.pos, len(r.text)):]
	switch r.tidied {
	case RequestHeading:
		r.m.Request = rest
		if tidy(rest) == "" {
			return r.refuse(CodeRequired, "the request", "", "the request is empty")
		}
	case ReceiptHeading:
		r.m.Receipt = rest
	default:
		return r.refuse(CodeParse, headings, r.tidied, "unknown heading")
	}
	return true
}

const repairLines = "ERR and ACTION: " + repairAction

func (r *messageReader) repair() bool {
	action := false
	for r.nextSolid() {
		key, value, ok := parseField(r.tidied)
		switch {
		case ok && key == "ERR" && r.m.Errors == nil:
			if !r.codes(value) {
				return false
			}
		case ok && key == "ACTION" && value == repairAction && !action:
			action = true
		default:
			return r.refuse(CodeParse, repairLines, r.tidied, "not a line of a REPAIR")
		}
	}
	if r.m.Errors == nil || !action {
		return r.refuse(CodeRequired, repairLines, "", "the REPAIR is not whole")
	}
	return true
}

func (r *messageReader) codes(value string) bool {
	for _, word := range splitList(value) {
		c := Code(word)
		if !c.Known() || slices.Contains(r.m.Errors, c) {
			return r.refuse(CodeParse, "each error code once", word, "unknown or repeated code")
		}
		r.m.Errors = append(r.m.Errors, c)
	}
	if r.m.Errors == nil {
		return r.refuse(CodeRequired, "at least one error code", "", "the REPAIR names no error")
	}
	return true
}

// hello reads the fields up to ACTION. What follows (note, lists, template, contract) repeats
// constants of the tags read before; only its last part is looked for, to tell a torn text.
func (r *messageReader) hello() bool {
	if !r.fields(fieldS, fieldHV, fieldCV, fieldCap, fieldQID, fieldReq, fieldAction) {
		return false
	}
	if !strings.Contains(r.text[min(r.pos, len(r.text)):], "CONTRACT:") {
		return r.refuse(CodeRequired, "CONTRACT:", "", "the HELLO is not whole")
	}
	return true
}

// fields reads "KEY: value" lines to the end of the text, or of HELLO's field block, and takes over
// the values. Keys of other kinds are refused like unknown ones.
func (r *messageReader) fields(required ...fieldID) bool {
	var set fieldSet
	for r.nextSolid() {
		key, value, ok := parseField(r.tidied)
		id, known := fieldNamed(key)
		if !ok || !known || !r.allowed(id, required) || set[id].times > 0 {
			return r.refuse(CodeParse, "each field of "+string(r.m.Kind)+" once", r.tidied,
				"not a field of this message, or repeated")
		}
		set.put(id, value, r.no, columnOf(r.line(), value))
		if id == fieldAction {
			break
		}
	}
	for _, id := range required {
		if set.absent(id) {
			return r.refuse(CodeRequired, fieldNames[id]+": …", "", "the field is missing")
		}
	}
	return r.take(&set)
}

// allowed: an HS may carry features (HELLO) or a checkpoint (RESUME) beyond its required fields.
func (r *messageReader) allowed(id fieldID, required []fieldID) bool {
	if r.m.Kind == KindHS && (id == fieldFeat || id == fieldCK || id == fieldNext) {
		return true
	}
	return slices.Contains(required, id)
}

// take moves the values into the message, each only in its exact shape.
func (r *messageReader) take(set *fieldSet) bool {
	m := &r.m
	var hv, cv bool
	m.SID, m.Cap, m.QID = set[fieldS].value, set[fieldCap].value, set[fieldQID].value
	m.HV, hv = set.number(fieldHV)
	m.CV, cv, m.Contract = set.contract()
	action := set[fieldAction].value
	kind := set[fieldType].value
	switch {
	case !IsSID(m.SID):
		return r.malformed(set, fieldS, "16 lower-case hex digits")
	case !hv:
		return r.malformed(set, fieldHV, "a number")
	case !cv || !isTag(m.Contract, 'p'):
		return r.malformed(set, fieldCV, "<number> p<number>.<8 hex digits>")
	case !isTag(m.Cap, 'c'):
		return r.malformed(set, fieldCap, "c<number>.<8 hex digits>")
	case m.QID != "" && !IsDigest8(m.QID):
		return r.malformed(set, fieldQID, "8 lower-case hex digits")
	case kind != "" && kind != "ack":
		return r.malformed(set, fieldType, "ack")
	case action != "" && action != "handshake-only":
		return r.malformed(set, fieldAction, "handshake-only")
	}
	return r.takeCheckpoint(set)
}

func (r *messageReader) takeCheckpoint(set *fieldSet) bool {
	if set.absent(fieldCK) && set.absent(fieldNext) {
		return true
	}
	ck, err := ParseCheckpoint(set[fieldCK].value)
	if err != nil {
		return r.malformed(set, fieldCK, "<round>:<8 hex digits>, or 0:-")
	}
	next, ok := set.number(fieldNext)
	if !ok || next < 1 {
		return r.malformed(set, fieldNext, "a round from 1")
	}
	r.m.CK, r.m.Next = ck, next
	return true
}

func (r *messageReader) malformed(set *fieldSet, id fieldID, want string) bool {
	f := &set[id]
	r.fault = Fault{
		Code: CodeParse, Line: f.line, Column: f.column,
		Want: fieldNames[id] + ": " + want, Got: set.got(id), Hint: "the value is malformed",
	}
	return false
}

// isTag reports the shape "p2.478d1ef2": letter, number, dot, digest.
func isTag(s string, letter byte) bool {
	if len(s) < 3+digestLen || s[0] != letter {
		return false
	}
	dot := len(s) - digestLen - 1
	_, ok := parseNumber(s[1:dot])
	return ok && s[dot] == '.' && IsDigest8(s[dot+1:])
}
