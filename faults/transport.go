package faults

import (
	"time"

	"bridgesim/bridge/point"
)

const (
	rowThree = "row 3: browser, tab and conversation live and pi remembers; re-attach, look, go on"
	oneReply = "one answer is missing and nothing else is: the page says what became of the command"
)

// The ways in which a socket ends.
const (
	HowReset = "rst"   // reset by the other side
	HowFin   = "fin"   // ended in order, without a close frame
	HowClose = "close" // a close frame with Params.Code
)

// transport are the faults of the line between bridge and browser.
var transport = []Info{
	{
		Kind: Sever, Family: Transport,
		Sentence: "the socket ends; browser, tab and document stay as they are (F101 to F104)",
		Params: params(Param{"how", HowReset, "rst, fin or close"},
			Param{"code", "1011", "of the close frame, with how=close"}),
		Virtual:  "every connection of the client ends with socket-lost",
		Chromium: "the relay resets or ends its sockets, or sends a close frame between two frames",
		defaults: Params{How: HowReset, Code: 1011}, manner: breaks,
		where: lateToo, duty: always(Complete, rowThree),
	},
	{
		Kind: HalfOpen, Family: Transport,
		Sentence: "the socket stays open and nothing comes any more, in either direction",
		Virtual: "commands of the connection are swallowed and its sessions hear nothing; the client's " +
			"heartbeat, if it has one, ends it",
		Chromium: "the relay swallows the bytes of its open sockets and keeps them open",
		manner:   breaks, where: withBrowser,
		duty: always(
			Complete,
			rowThree+"; silence proves nothing, so the loss is found by a deadline",
		),
	},
	{
		Kind: Stall, Family: Transport,
		Sentence: "nothing comes for a while, then everything, in order",
		Params:   params(forParam("3s", "real seconds: deadlines of calls are never scaled")),
		Virtual: "commands of the client's connections wait; those whose caller gave up act all the " +
			"same",
		Chromium: "the relay holds the bytes of its open sockets back and lets them go",
		defaults: Params{For: 3 * time.Second}, manner: leaves,
		where: func(p *place, ph point.Phase) bool { return withBrowser(p, ph) && p.class != dialing },
		duty:  always(Complete, "nothing is lost; a deadline that passes is row 3"),
	},
	{
		Kind: Delay, Family: Transport,
		Sentence: "this one command (before) or its answer (after) comes late",
		Params:   params(forParam("2s", "real seconds: deadlines of calls are never scaled")),
		Virtual:  "the interposer waits; a command whose caller gave up meanwhile is never written",
		Chromium: "the interposer waits, as on the model",
		defaults: Params{For: 2 * time.Second}, manner: bends,
		where: func(p *place, ph point.Phase) bool { return onWire(p, ph) || dials(p, ph) },
		duty:  always(Complete, "nothing is lost; a deadline that passes is row 3"),
	},
	{
		Kind: DropCall, Family: Transport,
		Sentence: "this one command (before) or its answer (after) is lost and nobody says so (F602)",
		Virtual:  "the interposer swallows it; the call runs into its deadline: silent",
		Chromium: "the interposer swallows it, as on the model",
		manner:   bends,
		where:    func(p *place, ph point.Phase) bool { return onWire(p, ph) || dials(p, ph) },
		duty:     always(Complete, oneReply),
	},
	{
		Kind: Repeat, Family: Transport,
		Sentence: "the answer and the events that came with it come twice",
		Virtual:  "the interposer hands the events out twice; the model has no frames",
		Chromium: "the relay sends its last frame again, the interposer hands the events out twice",
		manner:   bends, where: afterOnPage,
		duty: always(
			Complete,
			"an answer whose call is over, or an event that is known, means nothing",
		),
	},
	{
		Kind: Reorder, Family: Transport,
		Sentence: "the events that follow an answer come before it, the last one first",
		Virtual:  "the interposer hands the events out before the answer and turned round",
		Chromium: "the interposer does it, as on the model",
		manner:   bends, where: afterOnPage,
		duty: always(Complete, "no verdict hangs on the order of events"),
	},
	{
		Kind: Corrupt, Family: Transport,
		Sentence: "the answer is not JSON",
		Virtual:  "the connection ends: nobody can tell whose answer it was",
		Chromium: "the relay sends a frame that is no JSON; the client ends the connection",
		manner:   breaks,
		where:    func(p *place, ph point.Phase) bool { return onWire(p, ph) && ph == point.After },
		duty:     always(Complete, rowThree),
	},
	{
		Kind: CDPError, Family: Transport,
		Sentence: "the answer is a protocol error; the command was refused (before) or done (after)",
		Params: params(Param{"code", "-32000", "of the error"},
			Param{"text", "Inspected target navigated or closed", "of the error"}),
		Virtual:  "the interposer gives the error in place of the answer",
		Chromium: "the interposer does it, as on the model",
		defaults: Params{Code: codeServer, Text: "Inspected target navigated or closed"},
		manner:   bends, where: onWire, duty: cdpErrorDuty,
	},
}

// Codes of the protocol's errors.
const (
	codeServer = -32000
	codeStale  = -32001
)

// dials: a dial is neither a command nor a frame, and its answer can be late or missing all the
// same.
func dials(p *place, ph point.Phase) bool { return p.class == dialing && ph != point.Late }

func afterOnPage(p *place, ph point.Phase) bool {
	return ph == point.After && p.class.in(reading, acting)
}

// cdpErrorDuty: a void session or a document that went is a stall; what else the protocol refuses
// is a mistake of the caller (row 15).
func cdpErrorDuty(a point.Address, p Params) (Duty, string) {
	switch {
	case momentAt(a) == leaving:
		return Complete, "nothing depends on how the tab is left"
	case p.Code == codeStale:
		return Complete, rowThree
	case p.Code != codeServer:
		return Stop, "row 15: a command that the protocol refuses is a bug of ours"
	case placeOf(a.Op).class == browsing:
		return Either, "the browser gives -32000 for a mistake of the caller as well: as a stall it is " +
			"row 3, as a bug row 15"
	}
	return Complete, "the code of a document that went: " + oneReply
}
