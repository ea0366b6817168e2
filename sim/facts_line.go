package sim

import (
	"time"

	"bridgesim/bridge/point"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/truth"
)

// line fills in what the world sees of connection, tab and document.
func (x *witness) line(f *truth.Facts, sc *scene, looks bool) (known bool) {
	s := x.eye.sight()
	chat := sc.id()
	f.Bug = f.Bug || s.wrong
	f.Shown, f.Attached, f.Behind = s.blocked, s.attached, s.behind
	x.came(&s, f.Spent, looks, chat)
	f.Line = truth.LineUp
	if x.stall.down {
		f.Line = truth.LineDown
	}
	if s.attached {
		if f.Ours, _, known = x.where(s.at, chat); !known {
			return false
		}
	}
	f.Place, known = x.place(sc, chat)
	return known
}

// again: the failure is the one of the verdict before, which only looked. Without a living
// session, or with one whose page never took text, the look itself failed; a blocker that shows is
// a failure of its own.
func (x *witness) again() bool {
	s := x.eye.sight()
	return x.stall.open && s.attached && !s.blocked &&
		(s.sessions == x.stall.sessions || s.seat == s.at)
}

// came takes in what the failure struck, if this verdict is on one of its own.
func (x *witness) came(s *sight, spent, looks bool, chat string) {
	if !x.again() {
		down := x.cut || s.lost
		if x.stall.open && s.sessions == x.stall.sessions { // nothing was attached to since
			down = down || x.stall.down
		}
		was := x.stall
		x.stall = failure{
			down: down, seat: s.seat, place: x.fresh(chat), opened: x.journal.live.opened, spent: spent,
		}
		if was.open && s.blocked { // it showed while pi looked for what was lost
			x.stall.seat, x.stall.place = was.seat, was.place
		}
		if x.born != nil { // what failed is the process before this one
			x.stall.seat, x.stall.place, x.born = seat{}, *x.born, nil
			if x.unborn && x.began(chat) {
				x.stall.place = truth.SameDocument
			}
		}
	}
	x.stall.open, x.stall.sessions, x.cut = looks, s.sessions, false
	x.torn = x.torn && looks
}

// where is the eye's answer, by readings 10: until an id is known the conversation is the document
// in which its first message was written.
func (x *witness) where(s seat, chat string) (tab, document, known bool) {
	if chat != "" || x.journal.ever.open().kind == "" {
		if tab, document, known = x.eye.where(s, chat); tab || !known {
			return tab, document, known
		}
	}
	if s != x.home || x.knowsID(chat) || chat != "" && !x.eye.posted(s) {
		return false, false, true
	}
	_, document, known = x.eye.where(s, "")
	return document, document, known
}

// began: what the process before this one clicked went out meanwhile, from where it was written,
// and began the conversation there.
func (x *witness) began(chat string) bool {
	if chat == "" || x.home.tab == "" {
		return false
	}
	_, document, known := x.eye.where(x.home, chat)
	return known && document
}

// fresh is the place for a process that never had the conversation: a tab shows it, or the tab that
// the journal names stands ready for it, or neither.
func (x *witness) fresh(chat string) truth.Place {
	shown, _ := x.eye.shows(chat)
	ready := false
	if t := x.journal.live.target; t != "" {
		ready, _, _ = x.eye.where(seat{tab: t}, chat)
	}
	if ready || shown && chat != "" {
		return truth.SameDocument
	}
	return truth.NoTab
}

// place is where the conversation is now, compared with where pi had it when the failure came.
func (x *witness) place(sc *scene, chat string) (truth.Place, bool) {
	if x.stall.seat.tab == "" && x.stall.place == truth.SameDocument {
		// It may be left while pi is still on its way to it. A tab that pi opened on that way is none
		// in which the conversation was.
		if x.stall.place = x.fresh(chat); x.journal.live.opened > x.stall.opened {
			x.stall.place = truth.NoTab
		}
	}
	at := x.stall.place
	if x.stall.seat.tab != "" {
		tab, document, known := x.where(x.stall.seat, chat)
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
	return x.knowsID(sc.id())
}

// strikeLine notes what a fault takes away that neither model nor wire show: one answer alone.
func (x *witness) strikeLine(f *faults.Fault) {
	if f.At.Op == point.DiscoverRead && f.At.Phase == point.Before {
		x.shown = nil // what is read now is what the fault left
	}
	switch f.Kind {
	case faults.CDPError:
		x.bug = f.Params.Code != -32000 && f.Params.Code != -32001
		x.cut = !x.bug
	case faults.DropCall, faults.Corrupt:
		x.cut = true
	case faults.Delay, faults.Stall:
		x.cut = f.Params.For >= x.w.stage.Tuning().Page.CallDeadline
	case faults.Reload, faults.Away: // with the document goes the script that was just put there
		x.cut = x.cut || f.At.Phase != point.Before || f.At.Op == point.Install
	default:
		x.cut = x.cut || f.At.Phase != point.Before && breaksLine(f.Kind)
	}
	polled := f.At.State != "" && f.At.Phase == point.Before && f.At.Op != point.StoreAppend
	if x.eye != nil && (x.cut || polled) {
		x.eye.forget()
	}
	x.missed = f.Kind == faults.Switched && f.At.Phase == point.After && !polled
	if w, ok := x.eye.(*wireEye); ok {
		w.strike(fateOf(f.Kind))
		if f.Kind == faults.Switched {
			w.leave()
		}
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

// calls hears that a further call to the browser begins: an answer that was missing before it was
// not missed.
func (x *witness) calls(op point.Op) {
	switch op {
	case point.StoreAppend, point.AgentStart, point.AgentPoll, point.AgentLookup, point.ClosePage:
		return
	}
	readable, shown := false, (*chain)(nil)
	if op == point.DiscoverRead {
		readable, shown = x.recorded()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cut, x.bug, x.missed = false, false, false
	if op == point.DiscoverRead {
		x.read, x.shown = readable, shown
	}
}

// recorded is the record as a reading of it finds it now.
func (x *witness) recorded() (readable bool, shown *chain) {
	x.w.stage.Site(func(now time.Time, s *fakesite.Site) {
		sc := sceneOf(now, s)
		k := sc.chain()
		readable, shown = sc.readable(), &k
	})
	return readable, shown
}

// wire is the eye of a process on a real browser; what faults did to the tab before it began is
// still so.
func (x *witness) wire(tabs *tabList) *wireEye {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := &wireEye{tabs: tabs}
	if before, ok := x.eye.(*wireEye); ok {
		e.struck, e.left = before.struck, before.left
	}
	return e
}
