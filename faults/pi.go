package faults

import (
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

const (
	rowSix = "row 6: journal, agent and record are cross-checked, and the last checkpoint is resumed"
	// rowSeven needs a HELLO of ours in a record that can be found.
	rowSeven = "row 7: the conversation's record has the whole chain, the agent says what ran"
)

// pis are the deaths of pi, and what they find when pi is started again. "for" is the time until
// then, on the world's clock.
var pis = []Info{
	{
		Kind: KillPi, Family: Pi,
		Sentence: "pi dies here and is started again",
		Params:   params(untilStart),
		Virtual:  "a sentinel panic unwinds pi; its ports are dead, its connections end",
		Chromium: "as on the model; its sockets are closed, as the kernel closes them",
		manner:   kills, where: anywhere, duty: always(Complete, rowSix),
	},
	{
		Kind: LoseCache, Family: Pi,
		Sentence: "pi dies; its journal is gone when it starts again",
		Params:   params(untilStart),
		Virtual:  "the store in memory is emptied",
		Chromium: "the journal's file is removed",
		manner:   kills, where: anywhere, duty: cacheLost,
	},
	{
		Kind: CorruptCache, Family: Pi,
		Sentence: "pi dies; a byte of its journal is wrong",
		Params:   params(untilStart),
		Virtual:  "the store in memory refuses to be read",
		Chromium: "a byte in the middle of the journal's file is changed",
		manner:   kills, where: anywhere, duty: cacheLost,
	},
	{
		Kind: StaleCache, Family: Pi,
		Sentence: "pi dies; its journal is an older copy",
		Params:   params(untilStart, Param{"back", "1", "how many records are missing at the end"}),
		Virtual:  "the store in memory forgets its last records",
		Chromium: "the last lines of the journal's file are cut off",
		defaults: Params{Back: 1}, manner: kills, where: anywhere, duty: cacheStale,
	},
	{
		Kind: TearCache, Family: Pi,
		Sentence: "pi dies in the middle of this durable write",
		Params:   params(untilStart),
		Virtual:  "the store in memory holds a torn last record",
		Chromium: "the last bytes of the journal's file are cut off",
		manner:   kills,
		where: func(p *place, ph point.Phase) bool {
			return p.class == writing && ph != point.Late
		},
		duty: always(Complete, "a torn tail: the act behind that write never began (readings 18)"),
	},
	{
		Kind: NewerCache, Family: Pi,
		Sentence: "pi dies; meanwhile a newer version wrote the journal",
		Params:   params(untilStart),
		Virtual:  "the store in memory claims a newer format",
		Chromium: "the journal's file names a newer format",
		manner:   kills, where: anywhere,
		duty: always(Stop, "a newer format: stop (readings 18)"),
	},
	{
		Kind: ForeignCache, Family: Pi,
		Sentence: "pi dies; its journal is that of another session when it starts again",
		Params:   params(untilStart),
		Virtual:  "the store in memory names another sid",
		Chromium: "the journal's file is written anew with another sid",
		manner:   kills, where: anywhere, duty: cacheForeign,
	},
	{
		Kind: ChangeCaps, Family: Pi,
		Sentence: "pi dies; it starts again with other capabilities",
		Params:   params(untilStart, Param{"caps", "file.read,file.write", "the new ones"}),
		Virtual:  "the world starts pi with them",
		Chromium: "the world starts pi with them",
		defaults: Params{Caps: []string{"file.read", "file.write"}}, manner: kills, where: anywhere,
		duty: always(Complete, "row 9: the static text is declared again before the next ROUND"),
	},
	{
		Kind: DropMemory, Family: Pi,
		Sentence: "the journal is removed while pi runs: its memory is left",
		Virtual:  "the store in memory is emptied",
		Chromium: "the journal's file is removed",
		manner:   forgets,
		where:    func(_ *place, ph point.Phase) bool { return ph != point.Late },
		duty: always(
			Complete,
			"with memory row 3, 4 or 5; the cache is written anew (readings 11)",
		),
	},
}

var untilStart = forParam("", "until pi is started again; none: at once")

// anywhere: pi can die at any operation. Late means that what it sent acts when it is gone.
func anywhere(p *place, ph point.Phase) bool { return ph != point.Late || p.class == acting }

func cacheLost(a point.Address, _ Params) (Duty, string) {
	if momentAt(a) == leaving ||
		a.Op == point.StoreAppend && a.State == string(session.RecTerminal) {
		return Either, "the session has ended: once its tab is closed as well nothing tells that it " +
			"was ever there, and the same request begins a new one"
	}
	if a.Round > 0 {
		return Complete, rowSeven
	}
	return Either, "before HELLO went out nothing was lost and a session begins; behind it only an " +
		"open tab whose record has our QID leads back, and the site gives it an address later " +
		"(readings 18)"
}

// cacheStale: a journal that lacks its last records is still one of our session.
func cacheStale(a point.Address, p Params) (Duty, string) {
	if a.Round == 0 || a.Op == point.StoreAppend && a.State == string(session.RecNew) {
		return Either, "in round 0 the missing record may be the identity or the intent of HELLO, " +
			"which only an addressed conversation shows"
	}
	return Complete, "history extends the journal by valid links: row 7 with the longer chain"
}

// cacheForeign: only the conversation tells that the journal is not its own.
func cacheForeign(a point.Address, _ Params) (Duty, string) {
	switch {
	case a.Round == 0:
		return Either, "until ROUND 1 went out there may be no record yet that names the right sid"
	case momentAt(a) == leaving, a.Op == point.StoreAppend && a.State == string(session.RecTerminal):
		return Either, "the session has ended: nothing is left to be done in either"
	}
	return Stop, "another sid: refuse (readings 18)"
}

// CapsOf are the capabilities with which pi starts again after this fault; nil = as before.
func (f Fault) CapsOf() []string {
	if f.Kind != ChangeCaps {
		return nil
	}
	return f.Filled().Params.Caps
}
