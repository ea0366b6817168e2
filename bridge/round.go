package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// nextRound sends the ROUND after the last settled one, unless a boundary, a changed version or an
// unfinished checkpoint comes first.
func (r *relay) nextRound(ctx context.Context) error {
	s := r.state()
	if c := s.Current(); c != nil && c.Settled && s.Checkpoint.Round != c.Round {
		return r.checkpoint(c)
	}
	if why := r.boundary(); why != "" {
		return r.stop(Boundary, 14, why)
	}
	if r.versionChanged() {
		return errChanged
	}
	frame := r.frame(s.LastRound() + 1)
	return r.send(ctx, r.roundText(frame), session.Record{
		Kind: session.RecIntent, Message: wire.KindRound, Round: frame.Round,
	})
}

// errChanged is no failure: HV, CV and CAP are checked before every ROUND, and row 9 says what to
// do.
var errChanged = errors.New("the contract or the capabilities are not those that were acknowledged")

// frame is the FRAME of a round: p is the last plan that was validated, executed and settled.
func (r *relay) frame(round int) wire.Frame {
	s := r.state()
	return wire.Frame{SID: s.SID, Round: round, Prev: s.Checkpoint.Prev(), QID: s.QID}
}

// roundText is the request in the first round and the receipt in every later one: the request
// travels in full exactly once per qid.
func (r *relay) roundText(f wire.Frame) string {
	if f.Round == 1 {
		return wire.FirstRound(f, r.state().Request)
	}
	return wire.NextRound(f, r.receipt(f.Round-1))
}

// receipt is what pi reports about a round.
func (r *relay) receipt(round int) string {
	for _, c := range r.state().Rounds {
		if c.Round == round && c.Receipt != "" {
			return c.Receipt
		}
	}
	return unknownReceipt
}

// unknownReceipt stands for a receipt that was lost together with the journal.
const unknownReceipt = "上一轮已执行完毕；执行回执随本地缓存丢失，无法复述。"

// awaitPlan waits for the reply to ROUND or REPAIR and judges it whole: every fault, not the first.
func (r *relay) awaitPlan(ctx context.Context) error {
	if c := r.state().Current(); c.Closed {
		return r.nextRound(ctx)
	}
	reply, err := r.reply(ctx)
	if failed := (*page.AnswerError)(nil); errors.As(err, &failed) {
		return r.unanswered(failed)
	}
	if err != nil {
		return err
	}
	round := r.state().Round
	plan, faults := wire.CheckPlan(reply.Text, r.frame(round))
	if len(faults) > 0 {
		return r.invalid(round, reply.Text, faults)
	}
	r.note(point.NotePlan, plan.Key, string(plan.Decision))
	return r.j.Write(session.Record{
		Kind: session.RecValidated, Round: round,
		PlanKey: plan.Key, Decision: plan.Decision, Plan: plan.Block,
	})
}

// unanswered closes a round whose turn ended without a whole reply. Its ROUND is never sent again;
// in flight nothing can be resumed, so RESUME says where pi stands and the next round is r+1
// (readings 15).
func (r *relay) unanswered(why error) error {
	err := r.j.Write(session.Record{
		Kind: session.RecRoundClosed, Round: r.state().Round, Receipt: unansweredRound,
		Reason: why.Error(),
	})
	if err != nil {
		return err
	}
	return r.j.Write(session.Record{
		Kind:   session.RecUncertain,
		Reason: "a turn ended without a reply",
	})
}

// unansweredRound is what the next ROUND reports about it.
const unansweredRound = "上一轮没有收到完整的方案（回复中断），未执行任何内容。请重新给出方案。"

// invalid records what was wrong. A REPAIR that is again answered without any header of the
// protocol shows that the other side lost the context: RESYNC, and the round is closed (readings
// 4).
func (r *relay) invalid(round int, reply string, faults []wire.Fault) error {
	codes := distinct(faults)
	r.note(point.NotePlan, "-", joinCodes(codes))
	rec := session.Record{
		Kind: session.RecInvalid, Round: round, Codes: codes, Reason: faults[0].Error(),
	}
	if _, headed := wire.ReplyHeader(reply); !headed && r.state().Inner() == session.PhaseRepair {
		rec.Lost, rec.Receipt = true, lostContext
	}
	return r.j.Write(rec)
}

// lostContext is what the next ROUND reports about a round that RESYNC cut off.
const lostContext = "上一轮没有可执行的方案：协议上下文丢失，已重新声明合同。未执行任何内容。"

// sayRepair asks for the same round again, at most MAX_REPAIRS times; nothing is executed. In a
// round that was closed for lost context it is a RESYNC that goes out.
func (r *relay) sayRepair(ctx context.Context) error {
	c := r.state().Current()
	switch {
	case c.Closed && r.state().Resyncs > 0:
		return r.stop(Manual, 13, "the context was lost again after a RESYNC in this episode")
	case c.Closed:
		return r.sayResync(ctx)
	}
	if c.Repairs >= wire.MaxRepairs {
		return r.stop(ProtocolViolation, 0, fmt.Sprintf(
			"round %d was repaired %d times and still has %s", c.Round, c.Repairs, joinCodes(c.Codes)))
	}
	return r.send(ctx, wire.RepairRound(r.frame(c.Round), c.Codes), session.Record{
		Kind: session.RecIntent, Message: wire.KindRepair, Round: c.Round,
	})
}

func distinct(faults []wire.Fault) []wire.Code {
	var codes []wire.Code
	for _, code := range wire.Codes() {
		for _, f := range faults {
			if f.Code == code {
				codes = append(codes, code)
				break
			}
		}
	}
	return codes
}

func joinCodes(codes []wire.Code) string {
	parts := make([]string, len(codes))
	for i, c := range codes {
		parts[i] = string(c)
	}
	return strings.Join(parts, ",")
}
