package scenarios

import (
	"strconv"

	"bridgesim/bridge"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
)

// The names that sentences may hold. What a sentence names and nobody knows is a mistake of the
// feature.

// outcomes are the named ends of a run.
var outcomes = []bridge.Outcome{
	bridge.Done, bridge.Blocked, bridge.ProtocolViolation, bridge.HandshakeRefused, bridge.Boundary,
	bridge.BlockerShown, bridge.Manual, bridge.Thrown, bridge.Lost, bridge.Interrupted,
}

// records are the kinds of durable writes of pi's journal.
var records = []session.RecordKind{
	session.RecNew, session.RecTarget, session.RecConversation, session.RecIntent, session.RecSent,
	session.RecNotSent, session.RecAck, session.RecRefused, session.RecValidated, session.RecInvalid,
	session.RecExecuting, session.RecUnclaimed, session.RecSettled, session.RecCheckpoint,
	session.RecTerminal, session.RecRoundClosed, session.RecStopped, session.RecDisconnected,
	session.RecReconnected, session.RecUncertain, session.RecVersionLost, session.RecBudget,
	session.RecSnapshot,
}

// ours are the kinds of messages that pi writes.
var ours = []wire.Kind{
	wire.KindHello, wire.KindRound, wire.KindResume, wire.KindRepair, wire.KindResync,
}

func edgeNames() []string {
	var names []string
	for _, e := range session.Edges() {
		names = append(names, e.Name)
	}
	return names
}

func deviationNames() []fakesite.Deviation {
	var names []fakesite.Deviation
	for _, d := range fakesite.Deviations() {
		names = append(names, d.Name)
	}
	return names
}

func rowNumbers() []string {
	var names []string
	for _, r := range recovery.Rows() {
		names = append(names, strconv.Itoa(r.Number))
	}
	return names
}

// roundsIn checks a list of rounds in a sentence.
func roundsIn(words []string) error {
	for _, part := range split(words[0]) {
		if n, err := strconv.Atoi(part); err != nil || n < 1 {
			return &mistake{part + " is no round", `write the rounds such as "1, 2"`}
		}
	}
	return nil
}

// timeIn checks a length of time in a sentence.
func timeIn(words []string) error {
	_, err := duration(words[0])
	return err
}
