package faults

import (
	"slices"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

// class says what stands behind an operation. It decides what can strike there.
type class uint8

const (
	dialing  class = iota + 1 // the dial
	browsing                  // a command to the browser itself
	reading                   // a command to the page that changes nothing
	acting                    // a command to the page that changes something
	writing                   // a durable write
	working                   // a question to the agent
)

// place is one operation as an address can name it.
type place struct {
	op     point.Op
	class  class
	moment moment
	states []string // that a poll can see, or the records of a write; nil: addresses have no state
}

// What a poll for the proof of a send saw.
const (
	TurnFound   = "found"   // a turn of the user stands behind the baseline
	TurnMissing = "missing" // none does
)

// places are the operations of package point, in the order in which a quiet session meets them.
var places = []place{
	{op: point.Connect, class: dialing, moment: looking},
	{op: point.ListPages, class: browsing, moment: looking},
	{op: point.OpenPage, class: browsing, moment: looking},
	{op: point.Attach, class: browsing, moment: looking},
	{op: point.Install, class: acting, moment: looking},
	{op: point.Ready, class: reading, moment: looking},
	{op: point.Mend, class: acting, moment: looking},
	{op: point.DiscoverTurns, class: reading, moment: looking},
	{op: point.DiscoverRead, class: reading, moment: looking},
	{op: point.GuardCheck, class: reading, moment: free},
	{op: point.SendBaseline, class: reading, moment: free},
	{op: point.SendFocus, class: acting, moment: free},
	{op: point.SendEmpty, class: acting, moment: free},
	{op: point.SendInsert, class: acting, moment: free},
	{op: point.SendReadBack, class: reading, moment: around},
	{op: point.SendFence, class: acting, moment: around},
	{op: point.SendGuard, class: reading, moment: open},
	{op: point.SendSubmit, class: acting, moment: open},
	{
		op:     point.SendProve,
		class:  reading,
		moment: proving,
		states: []string{TurnFound, TurnMissing},
	},
	{op: point.SendRevoke, class: acting, moment: around},
	{op: point.WaitPoll, class: reading, moment: waiting, states: answerStates},
	{op: point.WaitRecord, class: reading, moment: waiting},
	{op: point.CaptureText, class: reading, moment: capturing},
	{op: point.CaptureCopy, class: reading, moment: capturing},
	{op: point.CaptureRead, class: reading, moment: capturing},
	{op: point.ClosePage, class: browsing, moment: leaving},
	{op: point.StoreAppend, class: writing, moment: journaling, states: recordKinds},
	{op: point.AgentStart, class: working, moment: executing},
	{op: point.AgentPoll, class: working, moment: executing, states: agentStates},
	{op: point.AgentLookup, class: working, moment: executing},
}

var answerStates = []string{
	string(probe.AnswerAbsent), string(probe.AnswerPlaceholder), string(probe.AnswerThinking),
	string(probe.AnswerStreaming), string(probe.AnswerFinished), string(probe.AnswerError),
	string(probe.AnswerUnmounted),
}

var agentStates = []string{
	string(agent.Never), string(agent.Running), string(agent.Started), string(agent.Settled),
	string(agent.NoAnswer),
}

var recordKinds = []string{
	string(session.RecNew), string(session.RecTarget), string(session.RecConversation),
	string(session.RecIntent), string(session.RecSent), string(session.RecNotSent),
	string(session.RecAck), string(session.RecRefused), string(session.RecValidated),
	string(session.RecInvalid), string(session.RecExecuting), string(session.RecUnclaimed),
	string(session.RecSettled), string(session.RecCheckpoint), string(session.RecTerminal),
	string(session.RecRoundClosed), string(session.RecStopped), string(session.RecDisconnected),
	string(session.RecReconnected), string(session.RecUncertain), string(session.RecVersionLost),
	string(session.RecBudget), string(session.RecSnapshot),
}

// placeOf finds an operation; nil when there is none of that name.
func placeOf(op point.Op) *place {
	for i := range places {
		if places[i].op == op {
			return &places[i]
		}
	}
	return nil
}

// Ops lists the operations that an address can name.
func Ops() []point.Op {
	out := make([]point.Op, len(places))
	for i := range places {
		out[i] = places[i].op
	}
	return out
}

// States lists what the polls of an operation can see; nil when its addresses have no state.
func States(op point.Op) []string {
	if p := placeOf(op); p != nil {
		return slices.Clone(p.states)
	}
	return nil
}

func (c class) in(list ...class) bool { return slices.Contains(list, c) }

// moment says what of ours is open while an operation is under way. It decides what the loss of the
// document, with its fence and composer, can cost.
type moment uint8

const (
	looking    moment = iota + 1 // at the start nothing; in a recovery whatever the first loss struck
	free                         // nothing: no intent is durable for the message that is being typed
	around                       // either side of the intent
	open                         // the intent is durable and the message was not submitted
	proving                      // it was submitted, and nobody has seen it yet
	waiting                      // it is proven sent
	capturing                    // its turn is over
	executing                    // the agent has the plan; no document matters
	journaling                   // the record decides
	leaving                      // nothing: the session has ended
)

// momentAt is the moment at an address. The click is pressed (odd steps of send.submit) and
// released (even ones); only the release submits.
func momentAt(a point.Address) moment {
	p := placeOf(a.Op)
	switch {
	case p == nil:
		return 0
	case a.Op != point.SendSubmit:
		return p.moment
	case a.Phase != point.Before && a.Step%2 == 0:
		return proving
	}
	return open
}
