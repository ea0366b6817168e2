package wire

import (
	"slices"
	"strconv"
)

// Condition names one line of the establish gate. "All of these must hold before any task is sent";
// a half-established session is worse than none.
type Condition string

// The conditions, in the order in which they are judged.
const (
	CondBlock    Condition = "block"    // the ACK, and nothing beside it, in exactly one code block
	CondHeader   Condition = "header"   // header present and WIRE_ID matches
	CondType     Condition = "type"     // TYPE: ack
	CondSID      Condition = "sid"      // S equals the offered sid
	CondHV       Condition = "hv"       // HV equals the offered HV
	CondCV       Condition = "cv"       // the CV number matches
	CondContract Condition = "contract" // the contract hash matches
	CondCap      Condition = "cap"      // the capability hash matches
	CondFeature  Condition = "feature"  // every required feature is acknowledged (not in RESUME)
	CondCK       Condition = "ck"       // RESUME only: the same checkpoint
	CondNext     Condition = "next"     // RESUME only: the same round to go on at
)

// conditionCodes gives each condition the code of a value that is there and differs. HV, CV and the
// two hashes are the version domain, which is answered by RESYNC; the rest is remote, and at the
// first HELLO that means handshake_refused. (HS replies never get a REPAIR.)
var conditionCodes = [...]struct {
	condition Condition
	code      Code
}{
	{CondBlock, CodeBlocks},
	{CondHeader, CodeHeader},
	{CondType, CodeRequired},
	{CondSID, CodeFrame},
	{CondHV, CodeVersion},
	{CondCV, CodeContract},
	{CondContract, CodeContract},
	{CondCap, CodeContract},
	{CondFeature, CodeRequired},
	{CondCK, CodeFrame},
	{CondNext, CodeFrame},
}

// Conditions returns every condition in the order in which they are judged.
func Conditions() []Condition {
	all := make([]Condition, len(conditionCodes))
	for i := range conditionCodes {
		all[i] = conditionCodes[i].condition
	}
	return all
}

// Code is the code of a failure in which the value is there and differs. An absent value is
// [CodeRequired] under every condition but block and header: an HS without HV does not prove
// another version, and a reply that is no HS at all must not be met with RESYNC.
func (c Condition) Code() Code {
	for i := range conditionCodes {
		if conditionCodes[i].condition == c {
			return conditionCodes[i].code
		}
	}
	return ""
}

// Failure is one condition that does not hold.
type Failure struct {
	Condition Condition
	Code      Code
	Want, Got string // Got is "" when the value is absent
	// Line and Column are the place of what failed, as in [Fault]; 0 when it is absent.
	Line, Column int
}

// Error is one line: condition, code, want and got.
func (f Failure) Error() string {
	return "gate: " + string(f.Condition) + " (" + string(f.Code) + "): want " +
		strconv.Quote(f.Want) + ", got " + strconv.Quote(f.Got)
}

// FailureCodes returns the distinct codes of failures in the order of the table, for [Attribute].
func FailureCodes(failures []Failure) []Code {
	var codes []Code
	for _, f := range failures {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	slices.SortFunc(codes, func(a, b Code) int { return a.rank() - b.rank() })
	return codes
}

// Gate judges the answer to a HELLO or RESYNC: the session is established only when no failure
// comes back. It reports every condition that fails, and each missing feature apart. CK and NEXT
// are not looked at: a HELLO has none.
func Gate(o Offer, reply string) (Ack, []Failure) {
	r := readAck(reply)
	j := judge{reading: r}
	j.identity(o)
	for _, feature := range o.Features {
		if !slices.Contains(r.ack.Features, feature) {
			f := &r.set[fieldFeat]
			j.fail(CondFeature, Fault{
				Code: CodeRequired, Line: f.line, Column: f.column,
				Want: feature, Got: r.set.got(fieldFeat),
			})
		}
	}
	return r.ack, j.failures
}

// GateResume judges the answer to a RESUME: "TYPE: ack with S, HV, CV, CAP and the same CK and
// NEXT; anything else is an invalid RESUME ack". Features were acknowledged before and are not
// asked for again.
func GateResume(o Offer, ck Checkpoint, next int, reply string) (Ack, []Failure) {
	r := readAck(reply)
	j := judge{reading: r}
	j.identity(o)
	j.field(CondCK, fieldCK, ck.String(), r.ack.HasCK && r.ack.CK.String() == ck.String())
	j.field(CondNext, fieldNext, strconv.Itoa(next), r.ack.Next == next)
	return r.ack, j.failures
}

type judge struct {
	reading  *ackReading
	failures []Failure
}

func (j *judge) fail(c Condition, f Fault) {
	j.failures = append(j.failures, Failure{
		Condition: c, Code: f.Code, Want: f.Want, Got: f.Got, Line: f.Line, Column: f.Column,
	})
}

// field fails condition c, which rests on field id, unless it holds.
func (j *judge) field(c Condition, id fieldID, want string, holds bool) {
	j.value(c, id, want, j.reading.set.got(id), holds)
}

func (j *judge) value(c Condition, id fieldID, want, got string, holds bool) {
	if holds && j.reading.set[id].times == 1 {
		return
	}
	code := c.Code()
	if got == "" {
		code = CodeRequired
	}
	f := &j.reading.set[id]
	j.fail(c, Fault{Code: code, Line: f.line, Column: f.column, Want: want, Got: got})
}

// identity judges everything that all acknowledgements share.
func (j *judge) identity(o Offer) {
	r, a := j.reading, &j.reading.ack
	if r.block.Code != "" {
		j.fail(CondBlock, r.block)
	}
	if !r.header {
		j.fail(CondHeader, j.headerFault())
	}
	j.field(CondType, fieldType, "ack", a.Type == "ack")
	j.field(CondSID, fieldS, o.SID, a.SID == o.SID)
	j.field(CondHV, fieldHV, strconv.Itoa(o.HV), a.HV == o.HV)
	number, tag := j.contract()
	j.value(CondCV, fieldCV, strconv.Itoa(o.CV), number, a.CV == o.CV)
	j.value(CondContract, fieldCV, o.Contract, tag, a.Contract == o.Contract)
	j.field(CondCap, fieldCap, o.Cap, a.Cap == o.Cap)
}

// headerFault is what the reading said about the header. A reply that was too large was not read.
func (j *judge) headerFault() Fault {
	for _, f := range j.reading.faults {
		if f.Code == CodeHeader {
			return f
		}
	}
	return Fault{Code: CodeHeader, Want: KindHS.header()}
}

// contract is the CV line as found, number and tag apart.
func (j *judge) contract() (number, tag string) {
	set := &j.reading.set
	if set[fieldCV].times > 1 {
		return set.got(fieldCV), set.got(fieldCV)
	}
	number, tag = cutWord(set[fieldCV].value)
	return quoteShort(number), quoteShort(tidy(tag))
}
