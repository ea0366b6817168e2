package bridge

import (
	"context"
	"fmt"
	"strings"

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
		return r.j.Write(session.Record{
			Kind: session.RecVersionLost, Reason: "the capabilities or the contract changed",
			HV: r.offer.HV, CV: r.offer.CV, Contract: r.offer.Contract, Cap: r.offer.Cap,
		})
	}
	frame := r.frame(s.Round + 1)
	return r.send(ctx, r.roundText(frame), session.Record{
		Kind: session.RecIntent, Message: wire.KindRound, Round: frame.Round,
	})
}

// frame is the FRAME of a round: p is the last plan that was validated, executed and settled.
func (r *relay) frame(round int) wire.Frame {
	s := r.state()
	return wire.Frame{SID: s.SID, Round: round, Prev: s.Checkpoint.Prev(), QID: s.QID}
}

// roundText is the request in the first round and the receipt in every later one: the request
// travels in full exactly once per qid.
func (r *relay) roundText(f wire.Frame) string {
	c := r.state().Current()
	if c == nil {
		return wire.FirstRound(f, r.state().Request)
	}
	return wire.NextRound(f, c.Receipt)
}

// awaitPlan waits for the reply to ROUND or REPAIR and judges it whole: every fault, not the first.
func (r *relay) awaitPlan(ctx context.Context) error {
	reply, err := r.reply(ctx)
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

// invalid records what was wrong. A REPAIR that is again answered without any header of the protocol
// shows that the other side lost the context: RESYNC, and the round is closed (readings 4).
func (r *relay) invalid(round int, reply string, faults []wire.Fault) error {
	codes := distinct(faults)
	r.note(point.NotePlan, "-", joinCodes(codes))
	lost := r.state().Phase == session.PhaseRepair && !strings.Contains(reply, wire.ID)
	err := r.j.Write(session.Record{
		Kind: session.RecInvalid, Round: round, Codes: codes, Reason: faults[0].Error(),
	})
	if err != nil || !lost {
		return err
	}
	return r.j.Write(session.Record{
		Kind: session.RecRoundClosed, Round: round, Receipt: lostContext,
		Reason: "a REPAIR was answered without any pi-bridge header",
	})
}

// lostContext is what the next ROUND reports about a round that RESYNC cut off.
const lostContext = "上一轮没有可执行的方案：协议上下文丢失，已重新声明合同。未执行任何内容。"

// sayRepair asks for the same round again, at most MAX_REPAIRS times; nothing is executed. In a round
// that was closed for lost context it is a RESYNC that goes out.
func (r *relay) sayRepair(ctx context.Context) error {
	c := r.state().Current()
	if c.Closed {
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
