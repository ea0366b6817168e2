package session

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

// broke is one way to break a law: a legal history, and the record that must be refused.
type broke struct {
	law   error
	after []Record
	by    Record
}

func with(r Record, change func(*Record)) Record {
	change(&r)
	return r
}

var (
	roundOut  = seq(established(), list(intent(wire.KindRound, 1)))
	roundSent = seq(established(), went(wire.KindRound, 1))
	good      = planned(wire.DecisionContinue)
	done      = planned(wire.DecisionDone)
	blocked   = planned(wire.DecisionBlocked)
	working   = seq(good, list(about(RecExecuting, 1)))
	worked    = seq(working, list(settled(1)))
	saved     = seq(worked, list(about(RecCheckpoint, 1)))
	resumed   = seq(saved, list(lost(), resumeAt(ck(1), 2), sent(wire.KindResume, 0)))
)

// broken laws, each by its name in errors.go.
var breaches = map[string][]broke{
	"ErrNoEdge": {
		{ErrNoEdge, saved, back(3)},
		{ErrNoEdge, good, validated(1, wire.DecisionContinue)},
		{ErrNoEdge, saved, resumeAt(ck(1), 2)},
		{ErrNoEdge, saved, intent(wire.KindResync, 0)},
		{ErrNoEdge, seq(saved, list(lost())), intent(wire.KindRound, 2)},
		{ErrNoEdge, seq(saved, list(versionLost())), intent(wire.KindRound, 2)},
		{ErrNoEdge, seq(saved, list(versionLost())), resumeAt(ck(1), 2)},
		{ErrNoEdge, seq(saved, list(versionLost(), lost())), resumeAt(ck(1), 2)},
		{ErrNoEdge, seq(saved, list(versionLost())), uncertain()},
		{ErrNoEdge, seq(list(born()), list(lost())), intent(wire.KindHello, 0)},
	},
	"ErrKind": {{ErrKind, saved, Record{Kind: "no-such-kind"}}},
	"ErrNotBegun": {
		{ErrNotBegun, nil, intent(wire.KindHello, 0)},
		{ErrNotBegun, nil, uncertain()},
	},
	"ErrBegunTwice": {
		{ErrBegunTwice, saved, born()},
		{ErrBegunTwice, saved, Record{Kind: RecSnapshot, Snapshot: &State{SID: testSID}}},
	},
	"ErrIdentity": {
		{ErrIdentity, nil, with(born(), func(r *Record) { r.SID = "9F83A7C1D42E650B" })},
		{ErrIdentity, nil, with(born(), func(r *Record) { r.QID = "" })},
		{ErrIdentity, nil, Record{Kind: RecSnapshot}},
		{ErrIdentity, nil, Record{Kind: RecSnapshot, Snapshot: &State{SID: testSID, QID: testQID}}},
		{ErrIdentity, established(), Record{Kind: RecTarget}},
		{ErrIdentity, established(), Record{Kind: RecConversation}},
		{ErrIdentity, roundSent, with(validated(1, wire.DecisionDone), func(r *Record) { r.PlanKey = "?" })},
	},
	"ErrAfterTerminal": {
		{ErrAfterTerminal, quiet(2), intent(wire.KindRound, 3)},
		{ErrAfterTerminal, quiet(1), lost()},
		{ErrAfterTerminal, quiet(1), stop(OutcomeManual)},
		{ErrAfterTerminal, seq(blocked, list(stop(OutcomeBlocked))), lost()},
		{ErrAfterTerminal, ways["repair-to-violation"], lost()},
		{ErrAfterTerminal, ways["hello-sent-to-refused"], intent(wire.KindHello, 0)},
	},
	"ErrParked": {
		{ErrParked, seq(saved, list(stop(OutcomeBlocker))), intent(wire.KindRound, 2)},
		{ErrParked, seq(saved, list(stop(OutcomeManual))), back(3)},
		{ErrParked, seq(saved, list(stop(OutcomeThrown))), stop(OutcomeManual)},
	},
	"ErrPending": {
		{ErrPending, roundOut, intent(wire.KindRound, 2)},
		{ErrPending, roundOut, intent(wire.KindRound, 1)},
		{ErrPending, roundOut, intent(wire.KindRepair, 1)},
		{ErrPending, seq(roundOut, list(lost())), resumeAt(ck(0), 1)},
		{ErrPending, seq(roundOut, list(versionLost())), intent(wire.KindResync, 0)},
		{ErrPending, list(born(), intent(wire.KindHello, 0)), intent(wire.KindHello, 0)},
		{ErrPending, roundOut, closedRound(1)},
	},
	"ErrUnfinished": {
		{ErrUnfinished, roundSent, intent(wire.KindRound, 2)},
		{ErrUnfinished, seq(roundSent, list(lost())), resumeAt(ck(0), 1)},
		{ErrUnfinished, resumed, intent(wire.KindResync, 0)},
		{ErrUnfinished, resumed, uncertain()},
	},
	"ErrDigest": {
		{ErrDigest, saved, with(intent(wire.KindRound, 2), func(r *Record) { r.Digest = "" })},
	},
	"ErrHelloTwice": {{ErrHelloTwice, established(), intent(wire.KindHello, 0)}},
	"ErrNoAck": {
		{ErrNoAck, seq(list(born()), went(wire.KindHello, 0),
			list(refused(wire.KindHello, wire.CodeContract))), intent(wire.KindRound, 1)},
		{ErrNoAck, list(born()), intent(wire.KindRound, 1)},
		{ErrNoAck, list(born(), lost()), resumeAt(ck(0), 1)},
	},
	"ErrGate": {
		{
			ErrGate, seq(list(born()), went(wire.KindHello, 0)),
			with(ack(wire.KindHello), func(r *Record) { r.HV = 2 }),
		},
		{
			ErrGate, seq(list(born()), went(wire.KindHello, 0)),
			with(ack(wire.KindHello), func(r *Record) { r.Contract = "p2.00000000" }),
		},
		{
			ErrGate, seq(established(), list(versionLost()), went(wire.KindResync, 0)),
			with(ack(wire.KindResync), func(r *Record) { r.Cap = "c1.00000000" }),
		},
	},
	"ErrRoundTwice": {
		{ErrRoundTwice, good, intent(wire.KindRound, 1)},
		{ErrRoundTwice, saved, intent(wire.KindRound, 1)},
		{ErrRoundTwice, seq(roundSent, list(closedRound(1))), intent(wire.KindRound, 1)},
		{ErrRoundTwice, seq(saved, list(versionLost()), went(wire.KindResync, 0),
			list(ack(wire.KindResync))), intent(wire.KindRound, 1)},
	},
	"ErrRoundNotAdvancing": {
		{ErrRoundNotAdvancing, established(), intent(wire.KindRound, 2)},
		{ErrRoundNotAdvancing, saved, intent(wire.KindRound, 3)},
		{ErrRoundNotAdvancing, saved, adopted(wire.KindHello, 0, ck(0))},
		{ErrRoundNotAdvancing, seq(saved, went(wire.KindRound, 2)), adopted(wire.KindRound, 1, ck(1))},
	},
	"ErrRoundOpen": {
		{ErrRoundOpen, good, intent(wire.KindRound, 2)},
		{ErrRoundOpen, broken(0), intent(wire.KindRound, 2)},
		{ErrRoundOpen, broken(1), intent(wire.KindResync, 0)},
	},
	"ErrRoundClosed": {
		{ErrRoundClosed, seq(good, list(closedRound(1))), about(RecExecuting, 1)},
		{ErrRoundClosed, seq(roundSent, list(closedRound(1))), validated(1, wire.DecisionContinue)},
		{ErrRoundClosed, seq(broken(1), list(closedRound(1))), intent(wire.KindRepair, 1)},
		{ErrRoundClosed, seq(roundSent, list(closedRound(1))), closedRound(1)},
	},
	"ErrWrongRound": {
		{ErrWrongRound, roundSent, validated(2, wire.DecisionContinue)},
		{ErrWrongRound, roundOut, sent(wire.KindRound, 2)},
		{ErrWrongRound, roundOut, sent(wire.KindRepair, 1)},
		{ErrWrongRound, list(born()), sent(wire.KindHello, 0)},
		{ErrWrongRound, good, with(about(RecExecuting, 1), func(r *Record) { r.PlanKey = key(9) })},
		{ErrWrongRound, working, with(settled(1), func(r *Record) { r.PlanKey = key(9) })},
		{ErrWrongRound, worked, with(about(RecCheckpoint, 1), func(r *Record) { r.PlanKey = key(9) })},
		{ErrWrongRound, done, with(about(RecTerminal, 1), func(r *Record) { r.PlanKey = key(9) })},
		{ErrWrongRound, roundSent, ack(wire.KindHello)},
		{ErrWrongRound, saved, intent(wire.KindPlan, 2)},
		{ErrWrongRound, roundSent, refused(wire.KindRound)},
	},
	"ErrCheckpointFirst": {
		{ErrCheckpointFirst, worked, intent(wire.KindRound, 2)},
		{ErrCheckpointFirst, seq(working, list(lost())), resumeAt(ck(0), 1)},
		{ErrCheckpointFirst, working, closedRound(1)},
	},
	"ErrRepairBound": {
		{ErrRepairBound, broken(2), intent(wire.KindRepair, 1)},
		{ErrRepairBound, list(born()), with(adopted(wire.KindRepair, 1, ck(0)),
			func(r *Record) { r.Repairs = 3 })},
	},
	"ErrRepairDomain": {
		{
			ErrRepairDomain, seq(roundSent, list(invalid(1, wire.CodeContract))),
			intent(wire.KindRepair, 1),
		},
		{ErrRepairDomain, good, intent(wire.KindRepair, 1)},
	},
	"ErrLocalFault": {
		{ErrLocalFault, roundSent, invalid(1, wire.CodeCapture)},
		{ErrLocalFault, roundSent, invalid(1, wire.CodeBlocks, wire.CodeSourceUncertain)},
		{ErrLocalFault, roundSent, invalid(1)},
	},
	"ErrViolationEarly": {
		{ErrViolationEarly, broken(1), stop(OutcomeViolation)},
		{ErrViolationEarly, established(), stop(OutcomeViolation)},
	},
	"ErrResumeCheckpoint": {
		{ErrResumeCheckpoint, seq(saved, list(lost())), resumeAt(ck(0), 2)},
		{ErrResumeCheckpoint, seq(good, list(lost())), resumeAt(ck(1), 2)},
	},
	"ErrReplay": {
		{ErrReplay, seq(saved, list(lost())), resumeAt(ck(1), 1)},
		{ErrReplay, seq(established(), list(lost())), resumeAt(ck(0), 0)},
	},
	"ErrResumeNext": {
		{ErrResumeNext, seq(saved, list(lost())), resumeAt(ck(1), 3)},
		{ErrResumeNext, seq(good, list(lost())), resumeAt(ck(0), 2)},
		{ErrResumeNext, seq(roundSent, list(closedRound(1), lost())), resumeAt(ck(0), 1)},
	},
	"ErrResumeTwice": {
		{ErrResumeTwice, seq(resumed, list(ackResume(ck(1), 2), lost())), resumeAt(ck(1), 2)},
		{ErrResumeTwice, seq(resumed, list(refused(wire.KindResume), lost())), resumeAt(ck(1), 2)},
	},
	"ErrResumeAck": {
		{ErrResumeAck, resumed, ackResume(ck(1), 3)},
		{ErrResumeAck, resumed, ackResume(ck(0), 2)},
	},
	"ErrResyncBound": {
		{ErrResyncBound, seq(saved, list(versionLost()), went(wire.KindResync, 0),
			list(ack(wire.KindResync), versionLost())), intent(wire.KindResync, 0)},
	},
	"ErrSendBack": {
		{ErrSendBack, roundSent, notSent(wire.KindRound, 1)},
		{ErrSendBack, seq(roundOut, list(notSent(wire.KindRound, 1))), sent(wire.KindRound, 1)},
		{ErrSendBack, seq(roundOut, list(notSent(wire.KindRound, 1))), notSent(wire.KindRound, 1)},
	},
	"ErrProof": {
		{ErrProof, roundOut, with(notSent(wire.KindRound, 1), func(r *Record) { r.Document = "doc-2" })},
	},
	"ErrUnproven": {
		{ErrUnproven, roundOut, validated(1, wire.DecisionContinue)},
		{ErrUnproven, list(born(), intent(wire.KindHello, 0)), ack(wire.KindHello)},
		{ErrUnproven, established(), ack(wire.KindHello)},
		{ErrUnproven, seq(roundOut, list(notSent(wire.KindRound, 1))), closedRound(1)},
	},
	"ErrDecision": {{ErrDecision, roundSent, validated(1, "maybe")}},
	"ErrExecuteInvalid": {
		{ErrExecuteInvalid, broken(0), about(RecExecuting, 1)},
		{ErrExecuteInvalid, roundSent, about(RecExecuting, 1)},
	},
	"ErrExecuteFirst": {
		{ErrExecuteFirst, seq(good, list(versionLost())), about(RecExecuting, 1)},
		{
			ErrExecuteFirst, seq(good, list(versionLost(), intent(wire.KindResync, 0))),
			about(RecExecuting, 1),
		},
		{ErrExecuteFirst, seq(good, list(lost(), resumeAt(ck(0), 1))), about(RecExecuting, 1)},
	},
	"ErrAfterDecision": {
		{ErrAfterDecision, done, intent(wire.KindRound, 2)},
		{ErrAfterDecision, done, about(RecExecuting, 1)},
		{ErrAfterDecision, done, closedRound(1)},
		{ErrAfterDecision, seq(done, list(lost())), resumeAt(ck(0), 1)},
		{ErrAfterDecision, seq(done, list(versionLost())), intent(wire.KindResync, 0)},
		{ErrAfterDecision, blocked, intent(wire.KindRound, 2)},
		{ErrAfterDecision, blocked, about(RecExecuting, 1)},
		{ErrAfterDecision, done, adopted(wire.KindRound, 2, ck(1))},
	},
	"ErrCheckpointUnsettled": {
		{ErrCheckpointUnsettled, established(), about(RecCheckpoint, 1)},
		{ErrCheckpointUnsettled, good, about(RecCheckpoint, 1)},
		{ErrCheckpointUnsettled, working, about(RecCheckpoint, 1)},
		{ErrCheckpointUnsettled, saved, about(RecCheckpoint, 1)},
		{ErrCheckpointUnsettled, good, adopted(wire.KindRound, 1, ck(1))},
	},
	"ErrDoneFolded": {
		{ErrDoneFolded, done, about(RecCheckpoint, 1)},
		{ErrDoneFolded, seq(done, list(lost())), about(RecCheckpoint, 1)},
	},
	"ErrTerminalNotDone": {
		{ErrTerminalNotDone, good, about(RecTerminal, 1)},
		{ErrTerminalNotDone, blocked, about(RecTerminal, 1)},
		{ErrTerminalNotDone, established(), about(RecTerminal, 1)},
	},
	"ErrCheckpointBack": {
		{ErrCheckpointBack, saved, adopted(wire.KindRound, 2, ck(0))},
		{ErrCheckpointBack, saved, with(adopted(wire.KindRound, 2, ck(1)),
			func(r *Record) { r.CK.Key = key(9) })},
		{ErrCheckpointBack, list(born()), adopted(wire.KindRound, 1, ck(2))},
	},
	"ErrNotBlocked": {{ErrNotBlocked, good, stop(OutcomeBlocked)}},
	"ErrStopUnsettled": {
		{ErrStopUnsettled, working, stop(OutcomeBlocker)},
		{ErrStopUnsettled, seq(working, list(lost())), stop(OutcomeBoundary)},
	},
	"ErrOutcome": {
		{ErrOutcome, saved, stop("tired")},
		{ErrOutcome, good, stop(OutcomeDone)},
	},
	"ErrRow": {
		{ErrRow, seq(saved, list(lost())), back(0)},
		{ErrRow, seq(saved, list(lost())), back(8)},
	},
}

// lawNames reads the names of the laws: the first var block of errors.go.
func lawNames() []string {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		panic(err)
	}
	var names []string
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
		return names
	}
	return nil
}

var _ = Describe("the laws", func() {
	It("are all broken at least once below", func() {
		Expect(lawNames()).NotTo(BeEmpty())
		for _, name := range lawNames() {
			Expect(breaches).To(HaveKey(name))
		}
		Expect(breaches).To(HaveLen(len(lawNames())))
	})

	for _, name := range lawNames() {
		It(name, func() {
			for i, b := range breaches[name] {
				s := mustFold(b.after)
				before := s.clone()
				edge, err := s.Apply(b.by)
				Expect(err).To(MatchError(b.law), "case %d", i)
				Expect(edge).To(Equal(Edge{}))
				Expect(s).To(Equal(before), "an illegal record changes nothing")
				var law *LawError
				Expect(errors.As(err, &law)).To(BeTrue())
				Expect(err.Error()).To(ContainSubstring(b.law.Error()))
				Expect(err.Error()).To(ContainSubstring(string(b.by.Kind)))
			}
		})
	}
})

var _ = Describe("a session", func() {
	It("goes from HELLO to done", func() {
		s := mustFold(quiet(3))
		Expect(s.Phase).To(Equal(PhaseClosed))
		Expect(s.Closed).To(BeTrue())
		Expect(s.Outcome).To(Equal(OutcomeDone))
		Expect(s.Checkpoint).To(Equal(ck(2)))
		Expect(s.Terminal).To(Equal(ck(3)))
		Expect(s.Final()).To(BeTrue())
	})

	It("sends a ROUND again that is proven not sent, and only then", func() {
		s := mustFold(seq(roundOut, list(notSent(wire.KindRound, 1))))
		Expect(s.LastRound()).To(Equal(0))
		Expect(s.Next()).To(Equal(1))
		Expect(s.Apply(intent(wire.KindRound, 1))).To(Equal(Edge{}))
		Expect(s.Pending()).To(BeTrue())
		Expect(s.Rounds).To(HaveLen(1))
	})

	It("gives back a REPAIR, RESUME or RESYNC that did not go out", func() {
		s := mustFold(seq(broken(1), list(intent(wire.KindRepair, 1), notSent(wire.KindRepair, 1))))
		Expect(s.Current().Repairs).To(Equal(1))
		Expect(s.Apply(intent(wire.KindRepair, 1))).To(Equal(Edge{}))
		s = mustFold(seq(saved, list(lost(), resumeAt(ck(1), 2), notSent(wire.KindResume, 0),
			resumeAt(ck(1), 2))))
		Expect(s.Resumes).To(Equal(1))
		s = mustFold(seq(saved, list(versionLost(), intent(wire.KindResync, 0),
			notSent(wire.KindResync, 0), intent(wire.KindResync, 0))))
		Expect(s.Resyncs).To(Equal(1))
	})

	It("counts attempts from the first, and a checkpoint resets the budgets", func() {
		first := budget()
		first.At = testTime
		s := mustFold(seq(working, list(first, budget(), lost(), back(3))))
		Expect(s.Attempts).To(Equal(2))
		Expect(s.EpisodeStart).To(Equal(testTime))
		s = mustFold(seq(saved, list(first, lost(), resumeAt(ck(1), 2), sent(wire.KindResume, 0),
			ackResume(ck(1), 2)), ran(2)))
		Expect(s.Attempts + s.Resumes + s.Resyncs).To(BeZero())
		Expect(s.EpisodeStart.IsZero()).To(BeTrue())
	})

	It("goes on after a closed round with the next number, and keeps the checkpoint", func() {
		refusedPlan := seq(saved, went(wire.KindRound, 2), list(
			validated(2, wire.DecisionContinue), closedRound(2)))
		s := mustFold(refusedPlan)
		Expect(s.Next()).To(Equal(3))
		edge, err := s.Apply(intent(wire.KindRound, 3))
		Expect(err).NotTo(HaveOccurred())
		Expect(edge.Name).To(Equal("settled-to-round"))
		Expect(s.Checkpoint).To(Equal(ck(1)))
	})

	It("settles and is checkpointed while the line is down", func() {
		s := mustFold(seq(working, list(lost(), settled(1), about(RecCheckpoint, 1))))
		Expect(s.Phase).To(Equal(PhaseDisconnected))
		Expect(s.Inner()).To(Equal(PhaseSettled))
		Expect(s.Checkpoint).To(Equal(ck(1)))
	})

	It("reads HELLO's ack after a restart, then owes RESUME 0:- NEXT 1", func() {
		s := mustFold(seq(list(born()), went(wire.KindHello, 0), list(lost(), back(6))))
		Expect(s.Phase).To(Equal(PhaseDisconnected))
		for _, r := range list(ack(wire.KindHello), resumeAt(ck(0), 1), sent(wire.KindResume, 0),
			ackResume(ck(0), 1), intent(wire.KindRound, 1)) {
			_, err := s.Apply(r)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(s.Phase).To(Equal(PhaseRound))
	})

	It("sends HELLO after a restart when it never went out", func() {
		s := mustFold(list(born(), intent(wire.KindHello, 0), lost(), notSent(wire.KindHello, 0),
			back(6)))
		Expect(s.Apply(intent(wire.KindHello, 0))).To(Equal(Edge{}))
	})

	It("does not repeat a RESUME that was acknowledged before a further restart", func() {
		s := mustFold(seq(resumed, list(ackResume(ck(1), 2), lost())))
		Expect(s.ResumeDone()).To(BeTrue())
		edge, err := s.Apply(back(6))
		Expect(err).NotTo(HaveOccurred())
		Expect(edge.Name).To(Equal("disconnected-to-round"))
		Expect(s.Phase).To(Equal(PhaseSettled))
	})

	It("returns to a RESUME that was out when the line went", func() {
		s := mustFold(seq(resumed, list(lost(), back(6))))
		Expect(s.Phase).To(Equal(PhaseResume))
		_, err := s.Apply(ackResume(ck(1), 2))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Phase).To(Equal(PhaseSettled))
	})

	It("consumes an unexecuted PLAN after RESUME, once", func() {
		s := mustFold(seq(good, list(lost(), resumeAt(ck(0), 1), sent(wire.KindResume, 0),
			ackResume(ck(0), 1), about(RecExecuting, 1))))
		Expect(s.Phase).To(Equal(PhaseExecuting))
	})

	It("offers again after a lost version, and accepts only what it offered", func() {
		newer := versionLost()
		newer.Cap = "c1.00000000"
		again := ack(wire.KindResync)
		again.Cap = newer.Cap
		s := mustFold(seq(saved, list(newer), went(wire.KindResync, 0), list(again)))
		Expect(s.Phase).To(Equal(PhaseEstablished))
		Expect(s.Acked).To(Equal(s.Offered))
		Expect(s.Checkpoint).To(Equal(ck(1)), "RESYNC keeps the checkpoint")
		Expect(s.Apply(intent(wire.KindRound, 2))).To(HaveField("Name", "established-to-round"))
	})

	It("redeclares itself when HELLO was refused for its version", func() {
		s := mustFold(seq(list(born()), went(wire.KindHello, 0), list(
			refused(wire.KindHello, wire.CodeContract), versionLost()),
			went(wire.KindResync, 0), list(ack(wire.KindResync), intent(wire.KindRound, 1))))
		Expect(s.Phase).To(Equal(PhaseRound))
	})

	It("offers other capabilities before HELLO without a RESYNC", func() {
		other := versionLost()
		other.Cap, other.Capabilities = "c1.00000000", []string{"file.read"}
		s := mustFold(list(born(), intent(wire.KindHello, 0), notSent(wire.KindHello, 0), other))
		Expect(s.Phase).To(Equal(PhaseHelloSent))
		Expect(s.Offered.Cap).To(Equal(other.Cap))
		Expect(s.Capabilities).To(Equal(other.Capabilities))
		Expect(s.Apply(intent(wire.KindHello, 0))).To(Equal(Edge{}))
	})

	It("closes a round that a lost version cut off, and goes on with the next", func() {
		s := mustFold(seq(good, list(closedRound(1), versionLost()), went(wire.KindResync, 0),
			list(ack(wire.KindResync))))
		Expect(s.Phase).To(Equal(PhaseEstablished))
		Expect(s.Apply(intent(wire.KindRound, 2))).To(HaveField("Name", "established-to-round"))
	})

	It("consumes the PLAN that was there before a RESYNC", func() {
		s := mustFold(seq(good, list(versionLost()), went(wire.KindResync, 0),
			list(ack(wire.KindResync))))
		Expect(s.Phase).To(Equal(PhasePlan))
		Expect(s.Apply(about(RecExecuting, 1))).To(HaveField("Name", "plan-to-executing"))
	})

	It("goes on after a person helped", func() {
		for _, o := range []string{OutcomeBlocker, OutcomeBoundary, OutcomeManual, OutcomeThrown} {
			s := mustFold(seq(saved, list(stop(o))))
			Expect(s.Outcome).To(Equal(o))
			Expect(s.Final()).To(BeFalse())
			_, err := s.Apply(lost())
			Expect(err).NotTo(HaveOccurred())
			Expect(s.Outcome).To(BeEmpty())
			Expect(s.Apply(resumeAt(ck(1), 2))).To(HaveField("Name", "disconnected-to-resume"))
		}
	})

	It("adopts from a history what the cache has lost", func() {
		s := mustFold(list(born(), adopted(wire.KindRound, 4, ck(3))))
		Expect(s.Phase).To(Equal(PhaseUncertain))
		Expect(s.Inner()).To(Equal(PhaseRound))
		Expect(s.Checkpoint).To(Equal(ck(3)))
		Expect(s.LastRound()).To(Equal(4))
		Expect(s.Unfinished()).To(BeTrue())
		for _, r := range list(validated(4, wire.DecisionContinue), resumeAt(ck(3), 4),
			sent(wire.KindResume, 0), ackResume(ck(3), 4), about(RecExecuting, 4)) {
			_, err := s.Apply(r)
			Expect(err).NotTo(HaveOccurred())
		}
	})

	It("adopts a longer chain over a stale cache, and a HELLO alone", func() {
		s := mustFold(seq(roundOut, list(lost(), adopted(wire.KindRound, 3, ck(2)))))
		Expect(s.Checkpoint).To(Equal(ck(2)))
		Expect(s.Round).To(Equal(3))
		s = mustFold(list(born(), with(adopted(wire.KindHello, 0, ck(0)), func(r *Record) { r.HV = 0 })))
		Expect(s.Inner()).To(Equal(PhaseHelloSent))
		Expect(s.Apply(ack(wire.KindHello))).To(HaveField("Name", "hello-sent-to-established"))
	})

	It("believes a history that shows what was held for not sent", func() {
		s := mustFold(seq(roundOut, list(notSent(wire.KindRound, 1), lost(),
			adopted(wire.KindRound, 1, ck(0)))))
		Expect(s.LastRound()).To(Equal(1))
		Expect(s.Current().Message.Send).To(Equal(Sent))
	})

	It("adopts a RESUME that the history shows as acknowledged", func() {
		known := adopted(wire.KindRound, 2, ck(1))
		known.Next = 2
		s := mustFold(list(born(), known, validated(2, wire.DecisionContinue)))
		Expect(s.ResumeDone()).To(BeTrue())
		_, err := s.Apply(resumeAt(ck(1), 2))
		Expect(err).To(MatchError(ErrResumeTwice))
		for _, r := range list(lost(), back(7), about(RecExecuting, 2)) {
			_, err := s.Apply(r)
			Expect(err).NotTo(HaveOccurred())
		}
	})

	It("restores a snapshot and shares nothing with it", func() {
		state := mustFold(good)
		snap := Record{Kind: RecSnapshot, SID: testSID, Snapshot: &state}
		s := mustFold(list(snap))
		Expect(s).To(Equal(state))
		_, err := s.Apply(about(RecExecuting, 1))
		Expect(err).NotTo(HaveOccurred())
		Expect(state.Current().Executing).To(BeFalse())
	})

	It("names the record that a fold stumbles over", func() {
		_, err := Fold(slices.Concat(established(), list(about(RecCheckpoint, 1))))
		Expect(err).To(MatchError(ContainSubstring("record 5")))
		Expect(err).To(MatchError(ErrCheckpointUnsettled))
	})
})
