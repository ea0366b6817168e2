package session

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

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

	It("takes back a plan that was never claimed: it may run, once, or its round be closed", func() {
		back := seq(working, list(lost(), about(RecUnclaimed, 1)))
		s := mustFold(back)
		Expect(s.Inner()).To(Equal(PhasePlan))
		Expect(s.Current().Executing).To(BeFalse())
		mustFold(seq(back, list(resumeAt(ck(0), 1), sent(wire.KindResume, 0), ackResume(ck(0), 1),
			about(RecExecuting, 1), settled(1), about(RecCheckpoint, 1))))
		mustFold(seq(back, list(closedRound(1), versionLost(), intent(wire.KindResync, 0))))
		mustFold(seq(back, list(stop(OutcomeBlocker))))
		_, err := Fold(seq(working, list(lost(), stop(OutcomeBlocker))))
		Expect(err).To(MatchError(ErrStopUnsettled))
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

	It("adopts a REPAIR that the history shows beyond the journal, while the round is open", func() {
		known := adopted(wire.KindRepair, 1, ck(0))
		known.Repairs, known.MessageID = 1, "m-repair"
		s := mustFold(seq(broken(0), list(lost(), known)))
		Expect(s.Last.Kind).To(Equal(wire.KindRepair))
		Expect(s.Last.MessageID).To(Equal("m-repair"))
		Expect(s.Current().Repairs).To(Equal(1))
		Expect(s.Inner()).To(Equal(PhaseRepair))
		s = mustFold(seq(good, list(lost(), known)))
		Expect(s.Current().Repairs).To(BeZero(), "a valid plan was read: no REPAIR follows")
		Expect(s.Inner()).To(Equal(PhasePlan))
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
