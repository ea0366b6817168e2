package session

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"

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
		{ErrIdentity, roundSent, with(validated(1, wire.DecisionDone),
			func(r *Record) { r.PlanKey = "?" })},
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
	"ErrUnclaimed": {
		{ErrUnclaimed, good, about(RecUnclaimed, 1)},
		{ErrUnclaimed, saved, about(RecUnclaimed, 1)},
		{ErrUnclaimed, seq(working, list(settled(1))), about(RecUnclaimed, 1)},
		{ErrUnclaimed, seq(working, list(about(RecUnclaimed, 1))), about(RecUnclaimed, 1)},
		{ErrWrongRound, working, with(about(RecUnclaimed, 1), func(r *Record) { r.PlanKey = key(9) })},
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
