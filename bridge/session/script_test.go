package session

import (
	"fmt"
	"time"

	"bridgesim/bridge/wire"
)

const (
	testSID = "9f83a7c1d42e650b"
	testQID = "e1db9b58"
)

var testVersion = Version{HV: 1, CV: 2, Contract: "p2.478d1ef2", Cap: "c1.5fc20bbe"}

// key is the planKey of a round's plan in tests.
func key(round int) string { return fmt.Sprintf("%08x", 0xa1b2c300+round) }

func ck(round int) wire.Checkpoint {
	if round == 0 {
		return wire.Checkpoint{}
	}
	return wire.Checkpoint{Round: round, Key: key(round)}
}

func versions(r Record) Record {
	v := testVersion
	r.HV, r.CV, r.Contract, r.Cap = v.HV, v.CV, v.Contract, v.Cap
	return r
}

func born() Record {
	return versions(Record{
		Kind: RecNew, SID: testSID, QID: testQID, Request: "示例请求", Objective: "示例目标",
		Capabilities: []string{"file.read", "shell.local"}, Denials: []string{"net"},
	})
}

func intent(k wire.Kind, round int) Record {
	return Record{
		Kind: RecIntent, Message: k, Round: round, Digest: "digest", Baseline: "turn-0",
		Token: "token", Document: "doc-1",
	}
}

func resumeAt(c wire.Checkpoint, next int) Record {
	r := intent(wire.KindResume, 0)
	r.CK, r.Next = c, next
	return r
}

func sent(k wire.Kind, round int) Record {
	return Record{Kind: RecSent, Message: k, Round: round, MessageID: "m-1"}
}

func notSent(k wire.Kind, round int) Record {
	return Record{Kind: RecNotSent, Message: k, Round: round, Document: "doc-1"}
}

func ack(k wire.Kind) Record {
	return versions(Record{Kind: RecAck, Message: k, Features: []string{"frame", "resume"}})
}

func ackResume(c wire.Checkpoint, next int) Record {
	r := ack(wire.KindResume)
	r.CK, r.Next = c, next
	return r
}

func refused(k wire.Kind, codes ...wire.Code) Record {
	return Record{Kind: RecRefused, Message: k, Codes: codes, Reason: "not the ack"}
}

func validated(round int, d wire.Decision) Record {
	return Record{
		Kind: RecValidated, Round: round, PlanKey: key(round), Decision: d, Plan: "# PLAN pi-bridge/1\n",
	}
}

func invalid(round int, codes ...wire.Code) Record {
	return Record{Kind: RecInvalid, Round: round, Codes: codes}
}

func about(k RecordKind, round int) Record {
	return Record{Kind: k, Round: round, PlanKey: key(round)}
}

func settled(round int) Record {
	r := about(RecSettled, round)
	r.Receipt = "npm test 全绿"
	return r
}

func stop(outcome string) Record {
	return Record{Kind: RecStopped, Outcome: outcome, Reason: "because"}
}

func lost() Record             { return Record{Kind: RecDisconnected, Loss: "socket"} }
func back(row int) Record      { return Record{Kind: RecReconnected, Row: row} }
func uncertain() Record        { return Record{Kind: RecUncertain} }
func versionLost() Record      { return versions(Record{Kind: RecVersionLost}) }
func closedRound(n int) Record { return Record{Kind: RecRoundClosed, Round: n, Reason: "no reply"} }
func budget() Record           { return Record{Kind: RecBudget, Row: 3} }
func seq(parts ...[]Record) []Record {
	var all []Record
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func list(r ...Record) []Record { return r }

// went is a message that was intended and proven sent.
func went(k wire.Kind, round int) []Record { return list(intent(k, round), sent(k, round)) }

// established is a session whose HELLO was acknowledged.
func established() []Record {
	return seq(list(born()), went(wire.KindHello, 0), list(ack(wire.KindHello)))
}

// ran is a round from ROUND to checkpoint.
func ran(round int) []Record {
	return seq(went(wire.KindRound, round), list(
		validated(round, wire.DecisionContinue), about(RecExecuting, round), settled(round),
		about(RecCheckpoint, round)))
}

// planned is an established session with a valid PLAN of round 1.
func planned(d wire.Decision) []Record {
	return seq(established(), went(wire.KindRound, 1), list(validated(1, d)))
}

// broken is an established session whose round 1 was answered wrongly, with n repairs answered
// wrongly as well.
func broken(n int) []Record {
	all := seq(established(), went(wire.KindRound, 1), list(invalid(1, wire.CodeBlocks)))
	for range n {
		all = seq(all, went(wire.KindRepair, 1), list(invalid(1, wire.CodeBlocks)))
	}
	return all
}

// quiet is a whole session without trouble: n rounds, the last one done.
func quiet(n int) []Record {
	all := established()
	for r := 1; r < n; r++ {
		all = seq(all, ran(r))
	}
	return seq(all, went(wire.KindRound, n), list(
		validated(n, wire.DecisionDone), about(RecTerminal, n)))
}

// adopted is what row 7 finds in a history: the last message of ours, its round and its `p=`.
func adopted(k wire.Kind, round int, c wire.Checkpoint) Record {
	return versions(Record{Kind: RecUncertain, Message: k, Round: round, CK: c})
}

func mustFold(records []Record) State {
	s, err := Fold(records)
	if err != nil {
		panic(err)
	}
	return s
}

// proposals is every kind of record, well filled for this state and also filled wrongly: what the
// exhaustive search and the random walk offer to the machine.
func proposals(s *State) []Record {
	at := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	all := list(
		born(), Record{Kind: RecSnapshot}, Record{Kind: RecTarget, TargetID: "t", OwnTarget: true},
		Record{Kind: RecConversation, Conversation: "c"}, Record{Kind: RecBudget, At: at, Row: 3},
		lost(), uncertain(), versionLost(), Record{Kind: "no-such-kind"}, resumeAt(ck(7), 9),
	)
	for row := range 9 {
		all = append(all, back(row))
	}
	for _, o := range []string{
		OutcomeDone, OutcomeRefused, OutcomeBlocked, OutcomeBoundary, OutcomeBlocker, OutcomeViolation,
		OutcomeManual, OutcomeThrown, "",
	} {
		all = append(all, stop(o))
	}
	for _, k := range wire.Kinds() {
		for round := range s.Round + 3 {
			all = append(all, intent(k, round), sent(k, round), notSent(k, round))
		}
		all = append(all, ack(k), refused(k), refused(k, wire.CodeContract),
			Record{Kind: RecAck, Message: k, HV: 9})
	}
	for next := range s.Round + 3 {
		all = append(all, resumeAt(s.Checkpoint, next), ackResume(s.Checkpoint, next))
	}
	for round := range s.Round + 2 {
		all = append(all, roundProposals(round)...)
	}
	return all
}

func roundProposals(round int) []Record {
	all := list(
		validated(round, wire.DecisionContinue), validated(round, wire.DecisionDone),
		validated(round, wire.DecisionBlocked), validated(round, wire.DecisionNeedInfo),
		validated(round, "maybe"), invalid(round, wire.CodeBlocks), invalid(round, wire.CodeVersion),
		invalid(round, wire.CodeCapture), about(RecExecuting, round), settled(round),
		about(RecCheckpoint, round), about(RecTerminal, round), closedRound(round),
		about(RecUnclaimed, round),
	)
	for _, k := range []wire.Kind{wire.KindHello, wire.KindRound, wire.KindRepair, wire.KindPlan} {
		for c := range round + 2 {
			r := adopted(k, round, ck(c))
			r.Repairs = min(round, 1)
			all = append(all, r)
		}
		known := adopted(k, round, ck(round-1))
		known.Next = round
		all = append(all, known, Record{Kind: RecUncertain, Message: k, Round: round})
	}
	return all
}
