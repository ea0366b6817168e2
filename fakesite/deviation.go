package fakesite

import "slices"

// Deviation is one way in which the persona departs from the protocol, alone in an otherwise
// correct answer. "" is none.
type Deviation string

// Deviations of acknowledgements (HELLO, RESYNC; most of RESUME as well).
const (
	AckPlan       Deviation = "ack-plan"
	AckForgot     Deviation = "ack-forgot"
	AckNoBlock    Deviation = "ack-no-block"
	AckTwoBlocks  Deviation = "ack-two-blocks"
	AckUnclosed   Deviation = "ack-unclosed"
	AckGarbage    Deviation = "ack-garbage"
	AckNoHeader   Deviation = "ack-no-header"
	AckHeader     Deviation = "ack-header"
	AckType       Deviation = "ack-type"
	AckNoType     Deviation = "ack-no-type"
	AckSID        Deviation = "ack-sid"
	AckNoSID      Deviation = "ack-no-sid"
	AckHV         Deviation = "ack-hv"
	AckNoHV       Deviation = "ack-no-hv"
	AckCV         Deviation = "ack-cv"
	AckContract   Deviation = "ack-contract"
	AckNoContract Deviation = "ack-no-contract"
	AckCap        Deviation = "ack-cap"
	AckNoCap      Deviation = "ack-no-cap"
	AckNoFeatures Deviation = "ack-no-features"
	AckNoFrame    Deviation = "ack-no-frame"
	AckNoResume   Deviation = "ack-no-resume"
	AckNoRepair   Deviation = "ack-no-repair"
	AckNoNeedInfo Deviation = "ack-no-need_info"
	AckProse      Deviation = "ack-prose"
)

// Deviations of RESUME's acknowledgement.
const (
	ResumePlan    Deviation = "resume-plan"
	ResumeRefuses Deviation = "resume-refuses"
	ResumeCK      Deviation = "resume-ck"
	ResumeNoCK    Deviation = "resume-no-ck"
	ResumeNext    Deviation = "resume-next"
	ResumeNoNext  Deviation = "resume-no-next"
)

// Deviations of a PLAN.
const (
	PlanForgot     Deviation = "plan-forgot"
	PlanAck        Deviation = "plan-ack"
	PlanNoBlock    Deviation = "plan-no-block"
	PlanTwoBlocks  Deviation = "plan-two-blocks"
	PlanSplit      Deviation = "plan-split"
	PlanTextBefore Deviation = "plan-text-before"
	PlanTextAfter  Deviation = "plan-text-after"
	PlanUnclosed   Deviation = "plan-unclosed"
	PlanGarbage    Deviation = "plan-garbage"
	PlanUnknown    Deviation = "plan-unknown-section"
	PlanTwice      Deviation = "plan-section-twice"
	PlanNoHeader   Deviation = "plan-no-header"
	PlanHeader     Deviation = "plan-header"
	PlanNoFrame    Deviation = "plan-no-frame"
	PlanLateFrame  Deviation = "plan-late-frame"
	PlanSID        Deviation = "plan-sid"
	PlanRound      Deviation = "plan-round"
	PlanPrev       Deviation = "plan-prev"
	PlanQID        Deviation = "plan-qid"
	PlanNoDecision Deviation = "plan-no-decision"
	PlanDecision   Deviation = "plan-decision"
	PlanNoTask     Deviation = "plan-no-task"
	PlanNoGoal     Deviation = "plan-no-goal"
	PlanNoSteps    Deviation = "plan-no-steps"
	PlanNoFiles    Deviation = "plan-no-files"
	PlanNoCommands Deviation = "plan-no-commands"
	PlanNoRisks    Deviation = "plan-no-risks"
	PlanNoVerify   Deviation = "plan-no-verify"
	PlanEmptyGoal  Deviation = "plan-empty-goal"
)

// Harmless variations: they change how a line looks and not what it says.
const (
	CRLF          Deviation = "crlf"
	BOM           Deviation = "bom"
	NBSP          Deviation = "nbsp"
	TrailingSpace Deviation = "trailing-space"
	LanguageTag   Deviation = "language-tag"
	TildeFence    Deviation = "tilde-fence"
	NestedFence   Deviation = "nested-fence"
	WideColon     Deviation = "full-width-colon"
	SmartQuotes   Deviation = "smart-quotes"
	NoNotes       Deviation = "no-notes"
)

// Part is a kind of answer.
type Part string

// The kinds of answers that a deviation can apply to.
const (
	PartAck    Part = "ack"
	PartResume Part = "resume"
	PartPlan   Part = "plan"
)

// DeviationInfo is one row of the table of deviations.
type DeviationInfo struct {
	Name    Deviation
	Applies []Part
	// Expect is exactly what a correct reader reports: of a plan the error codes (E_…), of an
	// acknowledgement the conditions of the establish gate that fail. Empty when harmless.
	Expect   []string
	Sentence string
}

// Harmless reports whether a tolerant reader takes the answer as it is.
func (d DeviationInfo) Harmless() bool { return len(d.Expect) == 0 }

var (
	ackOnly     = []Part{PartAck}
	resumeOnly  = []Part{PartResume}
	planOnly    = []Part{PartPlan}
	ackOrResume = []Part{PartAck, PartResume}
	anyPart     = []Part{PartAck, PartResume, PartPlan}
)

func one(code string) []string { return []string{code} }

// deviations is the table. No row is of E_VERSION and E_CONTRACT in a PLAN: the contract gives a
// PLAN no place for a version, so the version domain shows in acknowledgements only (hv, cv,
// contract, cap). E_CAPTURE and E_SOURCE_UNCERTAIN are the bridge's own, and no persona can cause
// them.
var deviations = []DeviationInfo{
	{
		AckPlan, ackOnly,
		[]string{"header", "type", "sid", "hv", "cv", "contract", "cap", "feature"},
		"answers the handshake with a well-formed PLAN instead of an ACK",
	},
	{
		AckForgot, ackOnly,
		[]string{"block", "header", "type", "sid", "hv", "cv", "contract", "cap", "feature"},
		"answers in prose, without any pi-bridge header",
	},
	{AckNoBlock, ackOrResume, one("block"), "writes the ACK without a code block"},
	{AckTwoBlocks, ackOrResume, one("block"), "adds a second code block"},
	{AckUnclosed, ackOrResume, one("block"), "does not close the code block"},
	{AckGarbage, ackOrResume, one("block"), "puts a line into the block that is no field"},
	{AckNoHeader, ackOrResume, one("header"), "leaves out the header"},
	{AckHeader, ackOrResume, one("header"), "names another wire version in the header"},
	{AckType, ackOrResume, one("type"), "says TYPE: nack"},
	{AckNoType, ackOrResume, one("type"), "leaves out TYPE"},
	{AckSID, ackOrResume, one("sid"), "names another session"},
	{AckNoSID, ackOrResume, one("sid"), "leaves out S"},
	{AckHV, ackOrResume, one("hv"), "names another handshake version"},
	{AckNoHV, ackOrResume, one("hv"), "leaves out HV"},
	{AckCV, ackOrResume, one("cv"), "names another number of the plan contract"},
	{AckContract, ackOrResume, one("contract"), "names another hash of the plan contract"},
	{AckNoContract, ackOrResume, []string{"cv", "contract"}, "leaves out CV"},
	{AckCap, ackOrResume, one("cap"), "names another hash of the capabilities"},
	{AckNoCap, ackOrResume, one("cap"), "leaves out CAP"},
	{AckNoFeatures, ackOnly, one("feature"), "leaves out FEAT"},
	{AckNoFrame, ackOnly, one("feature"), "does not acknowledge the feature frame"},
	{AckNoResume, ackOnly, one("feature"), "does not acknowledge the feature resume"},
	{AckNoRepair, ackOnly, one("feature"), "does not acknowledge the feature repair"},
	{AckNoNeedInfo, ackOnly, one("feature"), "does not acknowledge the feature need_info"},
	{AckProse, ackOrResume, nil, "writes prose around the code block of the ACK"},

	{
		ResumePlan, resumeOnly,
		[]string{"header", "type", "sid", "hv", "cv", "contract", "cap", "ck", "next"},
		"answers RESUME with a PLAN",
	},
	{
		ResumeRefuses, resumeOnly,
		[]string{"block", "header", "type", "sid", "hv", "cv", "contract", "cap", "ck", "next"},
		"refuses to resume, in prose",
	},
	{ResumeCK, resumeOnly, one("ck"), "names another checkpoint"},
	{ResumeNoCK, resumeOnly, one("ck"), "leaves out CK"},
	{ResumeNext, resumeOnly, one("next"), "names another round to go on at"},
	{ResumeNoNext, resumeOnly, one("next"), "leaves out NEXT"},

	{
		PlanForgot, planOnly,
		[]string{"E_BLOCKS", "E_HEADER"},
		"has forgotten the protocol: prose, no pi-bridge header",
	},
	{
		PlanAck, planOnly,
		[]string{"E_HEADER", "E_FRAME", "E_REQUIRED", "E_DECISION", "E_PARSE"},
		"answers a round with the acknowledgement again",
	},
	{PlanNoBlock, planOnly, one("E_BLOCKS"), "writes the plan without a code block"},
	{PlanTwoBlocks, planOnly, one("E_BLOCKS"), "adds a second code block with the commands"},
	{PlanSplit, planOnly, one("E_BLOCKS"), "splits the plan into two code blocks"},
	{PlanTextBefore, planOnly, one("E_PARSE"), "writes a sentence before the code block"},
	{PlanTextAfter, planOnly, one("E_PARSE"), "writes a sentence after the code block"},
	{PlanUnclosed, planOnly, one("E_PARSE"), "does not close the code block"},
	{PlanGarbage, planOnly, one("E_PARSE"), "puts a line between the fields that belongs to nothing"},
	{PlanUnknown, planOnly, one("E_PARSE"), "adds a section that the contract does not have"},
	{PlanTwice, planOnly, one("E_PARSE"), "gives RISKS twice"},
	{PlanNoHeader, planOnly, one("E_HEADER"), "leaves out the header"},
	{PlanHeader, planOnly, one("E_HEADER"), "names another wire version in the header"},
	{PlanNoFrame, planOnly, one("E_FRAME"), "leaves out FRAME"},
	{PlanLateFrame, planOnly, one("E_FRAME"), "puts FRAME behind TASK instead of on the second line"},
	{PlanSID, planOnly, one("E_FRAME"), "names another session in FRAME"},
	{PlanRound, planOnly, one("E_FRAME"), "names the next round in FRAME"},
	{PlanPrev, planOnly, one("E_FRAME"), "names another previous plan in FRAME"},
	{PlanQID, planOnly, one("E_FRAME"), "names another request in FRAME"},
	{PlanNoDecision, planOnly, one("E_DECISION"), "leaves out DECISION"},
	{PlanDecision, planOnly, one("E_DECISION"), "decides outside the enumeration"},
	{PlanNoTask, planOnly, one("E_REQUIRED"), "leaves out TASK"},
	{PlanNoGoal, planOnly, one("E_REQUIRED"), "leaves out GOAL"},
	{PlanNoSteps, planOnly, one("E_REQUIRED"), "leaves out STEPS"},
	{PlanNoFiles, planOnly, one("E_REQUIRED"), "leaves out FILES"},
	{PlanNoCommands, planOnly, one("E_REQUIRED"), "leaves out COMMANDS"},
	{PlanNoRisks, planOnly, one("E_REQUIRED"), "leaves out RISKS"},
	{PlanNoVerify, planOnly, one("E_REQUIRED"), "leaves out VERIFY"},
	{PlanEmptyGoal, planOnly, one("E_REQUIRED"), "gives GOAL without text"},

	{CRLF, anyPart, nil, "ends its lines with CR LF"},
	{BOM, anyPart, nil, "starts with a byte order mark"},
	{NBSP, anyPart, nil, "has no-break spaces where spaces belong"},
	{TrailingSpace, anyPart, nil, "has white space at the ends of its lines"},
	{LanguageTag, anyPart, nil, "names a language behind the opening fence"},
	{TildeFence, anyPart, nil, "fences with tildes"},
	{NestedFence, planOnly, nil, "uses a longer fence and holds a shorter one in NOTES"},
	{WideColon, anyPart, nil, "writes full-width colons"},
	{SmartQuotes, anyPart, nil, "puts typographic quotes around values"},
	{NoNotes, planOnly, nil, "leaves out NOTES, the one optional section"},
}

// Deviations returns the table of all deviations, in its order.
func Deviations() []DeviationInfo { return slices.Clone(deviations) }

// DeviationByName finds a row of the table.
func DeviationByName(name Deviation) (DeviationInfo, bool) {
	for i := range deviations {
		if deviations[i].Name == name {
			return deviations[i], true
		}
	}
	return DeviationInfo{}, false
}

// harmless: none, or a row without expectations. An unknown name counts as harmful.
func (d Deviation) harmless() bool {
	if d == "" {
		return true
	}
	info, ok := DeviationByName(d)
	return ok && info.Harmless()
}
