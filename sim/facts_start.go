package sim

import (
	"slices"
	"time"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/oracle"
	"bridgesim/sim/truth"
)

// begin is the start of a process of pi.
func (x *witness) begin(life int, e eye) {
	x.mu.Lock()
	defer x.mu.Unlock()
	found := x.journal.corrupt
	x.journal.restart()
	x.life, x.eye, x.taken, x.cut, x.bug, x.stall = life, e, false, false, false, failure{}
	x.read, x.shown = false, nil
	x.start, x.own = x.journal.live, account{}
	x.found, x.born, x.led = truth.JournalWhole, nil, ""
	switch {
	case found:
		x.found = truth.JournalCorrupt
	case x.journal.foreign:
		x.found = truth.JournalForeign
	case len(x.journal.lines) == 0:
		x.found = truth.JournalNone
	}
	if life > 0 {
		x.look()
	}
}

// look is how the process finds things: the journal whole or an older copy, the conversation in a
// tab or in none.
func (x *witness) look() {
	x.w.stage.Site(func(now time.Time, s *fakesite.Site) {
		sc := sceneOf(now, s)
		chat := sc.id()
		if k := sc.chain(); x.found == truth.JournalWhole && x.aged(&k) {
			x.found = truth.JournalStale
		}
		if x.found == truth.JournalForeign && !x.greets(s) {
			// No record names another session: from here on this is the one.
			x.found, x.journal.foreign = truth.JournalWhole, false
		}
		at := x.fresh(chat)
		x.born, x.unborn = &at, sc.chat == nil
		x.led = x.leads(now, s)
	})
}

// leads tells by a word of a start whether this process finds the session without a journal: it is
// told the conversation, or an open tab shows one, at its address, whose record has a HELLO for the
// request (readings 18). It is "" when nobody outside the browser can say.
func (x *witness) leads(now time.Time, s *fakesite.Site) string {
	if x.w.Script.Later.Named {
		return oracle.StartLed
	}
	for _, c := range s.Conversations() {
		path, _ := s.Address(c, now)
		if path != "/c/"+c.ID || !greeted(c, wire.QID(x.w.Script.Wanted())) {
			continue
		}
		switch shown, known := x.eye.shows(c.ID); {
		case !known:
			return ""
		case shown:
			return oracle.StartLed
		}
	}
	return oracle.StartUnled
}

// greets: some record holds a HELLO for the request.
func (x *witness) greets(s *fakesite.Site) bool {
	return slices.ContainsFunc(s.Conversations(), func(c *fakesite.Conversation) bool {
		return greeted(c, wire.QID(x.w.Script.Wanted()))
	})
}

// greeted: the record holds a HELLO for a request.
func greeted(c *fakesite.Conversation, qid string) bool {
	for _, m := range c.Messages {
		msg, err := wire.ParseMessage(m.Text)
		if m.Role == fakesite.User && err == nil && msg.Kind == wire.KindHello && msg.QID == qid {
			return true
		}
	}
	return false
}
