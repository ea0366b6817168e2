// Package review reads one reply of ChatGPT as a bridge has to and tells a person everything that
// is wrong with it: the code, whose fault it is, what that demands, and where it stands.
//
//	reply ──► PLAN? ──► wire.CheckPlan ──┐
//	     └──► HS?   ──► wire.Gate ───────┴──► Review ──► lines for people, JSON for tools
//
// The judgement is package wire's; here it is only put side by side.
package review

import (
	"bridgesim/bridge/wire"
)

// Kind is what a reply is read as.
type Kind string

// The two kinds of reply, and the one that looks at the reply's own header.
const (
	Auto Kind = ""
	Plan Kind = "plan"
	Ack  Kind = "ack"
)

// Expected is what the reply is held against.
type Expected struct {
	Kind Kind
	// Frame is the FRAME that the round was sent with. Without it everything but the correlation is
	// checked: the reply's own values must have their shape.
	Frame *wire.Frame
	// Resume is what a RESUME said; nil when the acknowledgement answers HELLO or RESYNC.
	Resume *Resume
	// Capabilities and Denials are what HELLO declared; their tag stands in an acknowledgement.
	Capabilities, Denials []string
}

// Resume is the part of a RESUME that its acknowledgement repeats.
type Resume struct {
	Checkpoint wire.Checkpoint
	Next       int
}

// Finding is one fault with its attribution.
type Finding struct {
	Code   wire.Code   `json:"code"`
	Domain wire.Domain `json:"domain"`
	Action string      `json:"action"` // what the domain demands: REPAIR, RESYNC, recapture, …
	// Condition is the line of the establish gate that fails; only in acknowledgements.
	Condition wire.Condition `json:"condition,omitempty"`
	// Line and Column are 1-based; 0 when the fault belongs to the reply as a whole.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Hint   string `json:"hint"`
	Want   string `json:"want"`
	Got    string `json:"got"`
}

// Review is the verdict on one reply.
type Review struct {
	Kind     Kind      `json:"kind"`
	OK       bool      `json:"ok"`
	Findings []Finding `json:"faults"` // by place for a PLAN, by gate condition for an HS

	// Domain is the one that decides when there are several: local before version before remote.
	Domain wire.Domain `json:"domain,omitempty"`
	Action string      `json:"action,omitempty"`
	Codes  []wire.Code `json:"codes,omitempty"` // distinct, in the order of the specification

	// What a good PLAN says.
	SID      string        `json:"sid,omitempty"`
	Round    int           `json:"round,omitempty"`
	Decision wire.Decision `json:"decision,omitempty"`
	Task     string        `json:"task,omitempty"`
	Key      string        `json:"planKey,omitempty"`
}

// Of judges a reply.
func Of(reply string, want Expected) Review {
	kind := want.Kind
	if kind == Auto {
		kind = Plan
		if header, ok := wire.ReplyHeader(reply); ok && header == wire.KindHS {
			kind = Ack
		}
	}
	if kind == Ack {
		return ofAck(reply, want)
	}
	return ofPlan(reply, want.Frame)
}

// ofPlan reads the reply twice when no FRAME is given: once for its own FRAME, then against it.
func ofPlan(reply string, frame *wire.Frame) Review {
	if frame == nil {
		plan, _ := wire.CheckPlan(reply, wire.Frame{})
		own := shaped(plan.Frame)
		frame = &own
	}
	plan, faults := wire.CheckPlan(reply, *frame)
	r := Review{
		Kind: Plan, SID: plan.Frame.SID, Round: plan.Frame.Round, Decision: plan.Decision,
		Task: plan.Task, Key: plan.Key,
	}
	for _, f := range faults {
		r.Findings = append(r.Findings, Finding{
			Code: f.Code, Domain: f.Code.Domain(), Action: string(f.Code.Domain().Demand()),
			Line: f.Line, Column: f.Column, Hint: f.Hint, Want: f.Want, Got: f.Got,
		})
	}
	r.conclude(wire.FaultCodes(faults), func(d wire.Domain) string { return string(d.Demand()) })
	return r
}

// shaped replaces what has no shape by its description: held against it, the field is reported at
// its place with that description as what was wanted.
func shaped(f wire.Frame) wire.Frame {
	f.Round = max(f.Round, 1)
	if !wire.IsSID(f.SID) {
		f.SID = "<16 lower-case hex digits>"
	}
	if f.Prev != wire.NoPlan && !wire.IsDigest8(f.Prev) {
		f.Prev = "<8 lower-case hex digits, or ->"
	}
	if !wire.IsDigest8(f.QID) {
		f.QID = "<8 lower-case hex digits>"
	}
	return f
}

func ofAck(reply string, want Expected) Review {
	ack, failures := gate(reply, want)
	r := Review{Kind: Ack, SID: ack.SID}
	action := ackAction(want.Resume != nil)
	for _, f := range failures {
		r.Findings = append(r.Findings, Finding{
			Code: f.Code, Domain: f.Code.Domain(), Action: action(f.Code.Domain()),
			Condition: f.Condition, Line: f.Line, Column: f.Column,
			Hint: hint(f), Want: f.Want, Got: f.Got,
		})
	}
	r.conclude(wire.FailureCodes(failures), action)
	return r
}

func gate(reply string, want Expected) (wire.Ack, []wire.Failure) {
	sid := ""
	if want.Frame != nil {
		sid = want.Frame.SID
	} else {
		ack, _ := wire.ParseAck(reply)
		sid = shaped(wire.Frame{SID: ack.SID}).SID
	}
	offer := wire.NewOffer(sid, "", "", want.Capabilities, want.Denials)
	if want.Resume != nil {
		return wire.GateResume(offer, want.Resume.Checkpoint, want.Resume.Next, reply)
	}
	return wire.Gate(offer, reply)
}

func hint(f wire.Failure) string {
	if f.Got == "" {
		return "gate condition " + string(f.Condition) + ": the value is missing"
	}
	return "gate condition " + string(f.Condition) + " does not hold"
}

// ackAction knows that HS replies never get a REPAIR: a refused HELLO ends the session, and an
// invalid RESUME acknowledgement is answered with RESYNC, once.
func ackAction(resume bool) func(wire.Domain) string {
	return func(d wire.Domain) string {
		switch {
		case d != wire.DomainRemote:
			return string(d.Demand())
		case resume:
			return string(wire.DemandResync)
		}
		return "handshake_refused"
	}
}

func (r *Review) conclude(codes []wire.Code, action func(wire.Domain) string) {
	r.OK = len(r.Findings) == 0
	if r.OK {
		r.Findings = []Finding{} // an empty list in JSON, not null
		return
	}
	r.Codes, r.Domain = codes, wire.Attribute(codes)
	r.Action = action(r.Domain)
}
