package sim

import (
	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/truth"
)

// line fills in what the world sees of connection, tab and document.
func (x *witness) line(f *truth.Facts, sc *scene, looks bool) (known bool) {
	s := x.eye.sight()
	chat := ""
	if sc.chat != nil {
		chat = sc.chat.ID
	}
	f.Bug = f.Bug || s.wrong
	f.Shown, f.Attached, f.Behind = s.blocked, s.attached, s.behind
	x.came(&s, looks, chat)
	f.Line = truth.LineUp
	if x.stall.down {
		f.Line = truth.LineDown
	}
	if s.attached {
		if f.Ours, _, known = x.eye.where(s.at, chat); !known {
			return false
		}
	}
	f.Place, known = x.place(sc, chat)
	return known
}

// came decides whether this verdict is on a failure of its own or, after a look, still on the one
// before. Without a living session the look itself failed; a blocker that shows is a new failure.
func (x *witness) came(s *sight, looks bool, chat string) {
	again := x.stall.open && s.attached && !s.blocked
	if !again {
		down := x.cut || s.lost
		if x.stall.open && s.sessions == x.stall.sessions { // nothing was attached to since
			down = down || x.stall.down
		}
		x.stall = failure{down: down, seat: s.seat, place: x.fresh(chat)}
	}
	x.stall.open, x.stall.sessions, x.cut = looks, s.sessions, false
}

// fresh is the place for a process that never had the conversation: a tab shows it or none does.
func (x *witness) fresh(chat string) truth.Place {
	if yes, _ := x.eye.shows(chat); yes {
		return truth.SameDocument
	}
	return truth.NoTab
}

// place is where the conversation is now, compared with where pi had it when the failure came.
func (x *witness) place(sc *scene, chat string) (truth.Place, bool) {
	at := x.stall.place
	if x.stall.seat.tab != "" {
		tab, document, known := x.eye.where(x.stall.seat, chat)
		switch {
		case !known:
			return at, false
		case document:
			return truth.SameDocument, true
		case tab:
			return truth.NewDocument, true
		}
		at = truth.NoTab
	}
	if at == truth.NoTab && !x.leadsBack(sc) {
		at = truth.NoAddress
	}
	return at, true
}

// leadsBack: what pi was told is enough to find the conversation again.
func (x *witness) leadsBack(sc *scene) bool {
	switch {
	case sc.last() == nil:
		return x.journal.ever.open().kind == "" // a new chat is as good as the old one
	case sc.chat == nil || sc.chat.Temporary:
		return false
	}
	return x.knowsID()
}

// strikeLine notes what a fault takes away that neither model nor wire show: one answer alone.
func (x *witness) strikeLine(f *faults.Fault) {
	switch f.Kind {
	case faults.CDPError:
		x.bug = f.Params.Code != -32000 && f.Params.Code != -32001
		x.cut = !x.bug
	case faults.DropCall, faults.Corrupt:
		x.cut = true
	case faults.Delay, faults.Stall:
		x.cut = f.Params.For >= x.w.stage.Tuning().Page.CallDeadline
	default:
		x.cut = x.cut || f.At.Phase != point.Before && breaksLine(f.Kind)
	}
	if w, ok := x.eye.(*wireEye); ok {
		w.strike(fateOf(f.Kind))
	}
}

// breaksLine: the answer that was due goes with the thing that is struck.
func breaksLine(k faults.Kind) bool {
	switch k {
	case faults.Sever, faults.HalfOpen, faults.Detach, faults.CloseTab, faults.CrashTab,
		faults.WedgeTab, faults.Dialog, faults.KillBrowser, faults.Relaunch, faults.FreezeBrowser:
		return true
	}
	return false
}

// fateOf is what a fault makes of the tab.
func fateOf(k faults.Kind) fate {
	switch k {
	case faults.Reload, faults.CrashTab:
		return replaced
	case faults.CloseTab, faults.KillBrowser, faults.Relaunch, faults.Away, faults.Switched:
		return gone
	case faults.WedgeTab, faults.Dialog:
		return doubtful
	}
	return untouched
}

// calls hears that a further call to the browser begins: an answer that was missing before it was not
// missed.
func (x *witness) calls(op point.Op) {
	switch op {
	case point.StoreAppend, point.AgentStart, point.AgentPoll, point.AgentLookup, point.ClosePage:
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut, x.bug = false, false
}

// wire is the eye of a process on a real browser; what faults did to the tab before it began is still
// so.
func (x *witness) wire() *wireEye {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := &wireEye{}
	if before, ok := x.eye.(*wireEye); ok {
		e.struck = before.struck
	}
	return e
}
