package review_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
	"bridgesim/cmd/sim/review"
)

func TestReview(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "review")
}

const (
	sid  = "9f83a7c1d42e650b"
	plan = "# PLAN pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=2 p=a1b2c3d4 q=e1db9b58\n" +
		"DECISION: done\nTASK: t\n\n## GOAL\ng\n\n## STEPS\n1. s\n\n## FILES\n- 无\n\n" +
		"## COMMANDS\n- 无\n\n## RISKS\n- 无\n\n## VERIFY\n- v\n"
)

func fenced(text string) string { return "```\n" + text + "\n```\n" }

func declared() review.Expected {
	return review.Expected{
		Capabilities: wire.DefaultCapabilities(), Denials: wire.DefaultDenials(),
	}
}

func ack() string {
	e := declared()
	return wire.NewOffer(sid, "x", "", e.Capabilities, e.Denials).HS()
}

var _ = Describe("a PLAN", func() {
	It("passes against its own FRAME", func() {
		r := review.Of(fenced(plan), declared())
		Expect(r.OK).To(BeTrue(), r.Text("reply"))
		Expect(r.Kind).To(Equal(review.Plan))
		Expect(r.Round).To(Equal(2))
		Expect(r.Key).To(Equal(wire.PlanKey(plan)))
	})

	DescribeTable("is held against the FRAME that was sent, field by field",
		func(change func(*wire.Frame), want string) {
			f := wire.Frame{SID: sid, Round: 2, Prev: "a1b2c3d4", QID: "e1db9b58"}
			change(&f)
			e := declared()
			e.Frame = &f
			r := review.Of(fenced(plan), e)
			Expect(r.Findings).To(HaveLen(1))
			Expect(r.Findings[0]).To(And(
				HaveField("Code", wire.CodeFrame), HaveField("Domain", wire.DomainRemote),
				HaveField("Action", "REPAIR"), HaveField("Line", 3), HaveField("Want", want)))
		},
		Entry("s", func(f *wire.Frame) { f.SID = "0000000000000000" }, "s=0000000000000000"),
		Entry("r", func(f *wire.Frame) { f.Round = 3 }, "r=3"),
		Entry("p", func(f *wire.Frame) { f.Prev = "-" }, "p=-"),
		Entry("q", func(f *wire.Frame) { f.QID = "00000000" }, "q=00000000"),
	)

	DescribeTable("must have a FRAME in shape even when nothing is known about the round",
		func(old, bad, want string) {
			r := review.Of(fenced(strings.Replace(plan, old, bad, 1)), declared())
			Expect(r.Findings).To(HaveLen(1), r.Text("reply"))
			Expect(r.Findings[0]).To(And(HaveField("Code", wire.CodeFrame), HaveField("Want", want)))
		},
		Entry("s", "s=9f", "s=XX", "s=<16 lower-case hex digits>"),
		Entry("r", "r=2", "r=0", "r=1"),
		Entry("p", "p=a1b2c3d4", "p=none", "p=<8 lower-case hex digits, or ->"),
		Entry("q", "q=e1db9b58", "q=", "q=<8 lower-case hex digits>"),
	)
})

var _ = Describe("an acknowledgement", func() {
	It("is recognised by its header and passes", func() {
		r := review.Of(fenced(ack()), declared())
		Expect(r.OK).To(BeTrue(), r.Text("reply"))
		Expect(r.Kind).To(Equal(review.Ack))
		Expect(r.SID).To(Equal(sid))
	})

	DescribeTable("names the condition of the gate, its place and what it demands",
		func(old, bad string, condition wire.Condition, code wire.Code, action string, line int) {
			e := declared()
			e.Kind = review.Ack
			r := review.Of(fenced(strings.Replace(ack(), old, bad, 1)), e)
			Expect(r.Findings).To(HaveLen(1), r.Text("reply"))
			Expect(r.Findings[0]).To(And(HaveField("Condition", condition), HaveField("Code", code),
				HaveField("Action", action), HaveField("Line", line)))
			Expect(r.Action).To(Equal(action))
		},
		Entry("HV", "HV: 1", "HV: 2", wire.CondHV, wire.CodeVersion, "RESYNC", 5),
		Entry("CV", "CV: 2", "CV: 1", wire.CondCV, wire.CodeContract, "RESYNC", 6),
		Entry("hash", "p2.478", "p2.479", wire.CondContract, wire.CodeContract, "RESYNC", 6),
		Entry("CAP", "c1.5", "c1.6", wire.CondCap, wire.CodeContract, "RESYNC", 7),
		Entry("FEAT", ",resume", "", wire.CondFeature, wire.CodeRequired, "handshake_refused", 8),
		Entry("type", "ack", "nack", wire.CondType, wire.CodeRequired, "handshake_refused", 3),
		Entry("no sid", "S: "+sid+"\n", "", wire.CondSID, wire.CodeRequired, "handshake_refused", 0),
		Entry("header", "# HS pi-bridge/1", "# HS pi-bridge/2", wire.CondHeader, wire.CodeHeader,
			"handshake_refused", 2),
	)

	It("of a RESUME repeats CK and NEXT; an invalid one is answered with RESYNC", func() {
		e := declared()
		e.Kind = review.Ack
		e.Resume = &review.Resume{Checkpoint: wire.Checkpoint{Round: 3, Key: "a1b2c3d4"}, Next: 4}
		good := ack() + "\nCK: 3:a1b2c3d4\nNEXT: 4"
		Expect(review.Of(fenced(good), e).OK).To(BeTrue())
		r := review.Of(fenced(strings.Replace(good, "NEXT: 4", "NEXT: 5", 1)), e)
		Expect(r.Findings).To(HaveLen(1))
		Expect(r.Findings[0]).To(And(HaveField("Condition", wire.CondNext), HaveField("Line", 10)))
		Expect(r.Action).To(Equal("RESYNC"))
	})
})

// The review is total: whatever a reply holds, it ends, is OK or has findings, and prints nothing
// that steers a terminal.
func FuzzOf(f *testing.F) {
	f.Add(fenced(plan), "")
	f.Add(fenced(ack()), "ack")
	f.Add("\x1b]0;x\x07", "plan")
	f.Fuzz(func(t *testing.T, reply, kind string) {
		if kind != "ack" && kind != "plan" {
			kind = ""
		}
		e := declared()
		e.Kind = review.Kind(kind)
		r := review.Of(reply, e)
		text := r.Text("reply")
		if r.OK != (len(r.Findings) == 0) || r.OK != strings.HasPrefix(text, "reply: ok: ") {
			t.Fatalf("verdict and findings differ: %+v", r)
		}
		if strings.ContainsAny(text, "\x1b\x07\r") {
			t.Fatalf("control characters: %q", text)
		}
		if !r.OK && (r.Domain == "" || r.Action == "") {
			t.Fatalf("no attribution: %+v", r)
		}
	})
}
