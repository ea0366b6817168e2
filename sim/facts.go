package sim

import (
	"strconv"
	"sync"
	"time"

	"bridgesim/bridge"
	bridgeagent "bridgesim/bridge/agent"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/history"
	"bridgesim/sim/truth"
)

// witness puts together what the world knows, at every verdict of the bridge.
//
//	site's ledger, record ──► scene ───┐
//	durable writes, cache faults ► journal ──► truth.Facts ──► "expected" row, "false" claims
//	calls, answers, model ──► eye ─────┤
//	agent's ledger, clock, faults ─────┘
//
// Nothing here asks the bridge, and nothing asks recovery.Decide.
type witness struct {
	w *World

	mu      sync.Mutex
	journal journal
	eye     eye
	life    int
	taken   bool              // this process has taken the session up again
	found   truth.Journal     // what this process found of the journal
	start   account           // what that said
	own     account           // what this process wrote since
	led     string            // whether it finds the session without a journal: a word of its start
	born    *truth.Place      // where the conversation was when it began, until its first verdict
	unborn  bool              // there was none when it began
	muted   bool              // by a fault
	died    []int             // rounds over which the agent died
	bug     bool              // a fault showed one of pi's own
	cut     bool              // the answer of the call under way was taken away
	missed  bool              // a person opened another chat behind the last look of pi
	read    bool              // the record could be read when pi asked for it last
	shown   *chain            // what the record held then; nil when nobody asked since a verdict
	torn    bool              // the record was edited while it was read
	texts   map[string]string // of answers that were edited, by their ids
	home    seat              // where pi stood when it intended its last message
	ends    int               // finished answers that it had read of by then, or by its last verdict
	stall   failure
}

// failure is what the world remembers between the first look at a failure and the verdict on it.
type failure struct {
	open     bool // the verdict before this one only looked
	down     bool
	spent    bool
	seat     seat        // where pi had the conversation when it came
	place    truth.Place // for a process that never had it
	opened   int         // tabs that pi had opened itself until then
	sessions int
}

// Verdict implements bridge.Hearer: the world's answer stands directly behind the bridge's note.
func (t *trace) Verdict(v recovery.Verdict, e recovery.Evidence) {
	if t.witness != nil {
		t.witness.verdict(v, e)
	}
}

var _ bridge.Hearer = (*trace)(nil)

// verdict logs the row that the world expects, and what of the evidence is false. What the world
// cannot know makes it silent, and the oracles say so.
func (x *witness) verdict(v recovery.Verdict, e recovery.Evidence) {
	f, known := x.facts(v.Act == recovery.Look)
	if !known || e.Failure == recovery.Bug && quiet(&f) {
		return // a bug of pi need not show outside it
	}
	row, why := truth.Expected(f)
	x.w.trace.add(history.Event{
		Lane: history.Verdict, Kind: "expected", Key: strconv.Itoa(row), Text: why,
	})
	for _, err := range contradictions(truth.Compatible(e, f)) {
		x.w.trace.add(history.Event{
			Lane: history.Verdict, Kind: "false", Key: strconv.Itoa(v.Row), Text: err.Error(),
		})
	}
}

// quiet: the world sees nothing that could have failed but pi itself.
func quiet(f *truth.Facts) bool {
	return !f.Bug && f.Line == truth.LineUp && f.Place == truth.SameDocument && !f.Behind &&
		(f.Turn == truth.Finished && !f.Unread || f.Turn == truth.NoMessage)
}

// contradictions takes a joined error apart.
func contradictions(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	return nil
}

// facts are what the world knows now. looks says that the verdict is not the last one on this
// failure.
func (x *witness) facts(looks bool) (f truth.Facts, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.eye == nil || x.missed {
		return f, false // nobody could know it any more, or yet
	}
	x.w.stage.Site(func(now time.Time, s *fakesite.Site) {
		sc := sceneOf(now, s)
		f.Memory = x.life == 0 || x.taken
		f.Bug = x.bug
		x.time(&f, now)
		x.talk(&f, &sc)
		x.work(&f, &sc)
		known = x.line(&f, &sc, looks)
	})
	x.bug, x.shown = false, nil
	if !looks { // a retry reads anew
		x.ends = x.eye.sight().ends
	}
	return f, known
}

// time fills in what the clock decides.
func (x *witness) time(f *truth.Facts, now time.Time) {
	l, b := x.w.Script.Limits, bridge.DefaultBudgets()
	a, ever := &x.journal.live, &x.journal.ever
	over := ever.roundOver
	if over.IsZero() {
		over = now
	}
	f.Boundary = l.Wall > 0 && now.Sub(ever.began) >= l.Wall ||
		l.PerRound > 0 && !ever.roundAt.IsZero() && over.Sub(ever.roundAt) >= l.PerRound
	f.Spent = a.attempts >= b.Attempts || !a.episode.IsZero() && now.Sub(a.episode) >= b.Elapsed
	if x.again() {
		f.Spent = x.stall.spent // the attempt that helped was one of those allowed
	}
	x.stall.spent = f.Spent
}

// talk fills in what site and journal say about the conversation.
func (x *witness) talk(f *truth.Facts, sc *scene) {
	live, k := &x.journal.live, sc.chain()
	if x.shown != nil { // it may have changed behind the last read: nobody could know
		k = *x.shown
	}
	s := x.eye.sight()
	f.Turn = sc.turn(x.journal.ever.open(), s.ends > x.ends && !x.journal.ever.answered)
	f.Unproven = live.last.pending
	f.Unread = f.Turn == truth.Finished &&
		(x.torn || !sc.recorded() || sc.unread(x.knowsID(sc.id()) && !s.unread))
	if r := sc.last(); r != nil && f.Turn >= truth.Finished && r.Kind != wire.KindRound &&
		r.Kind != wire.KindRepair {
		f.Refused = x.journal.ever.answered && !live.due && !r.valid() // read, and nothing follows yet
		f.Resynced = f.Refused && r.Kind == wire.KindResync
	}
	f.Changed = live.acked != session.Version{} && live.acked != x.version(live.sid)
	if x.found == truth.JournalWhole && x.aged(&k) {
		x.found = truth.JournalStale // a click of the process before came late
	}
	f.Journal = x.found
	if f.Memory {
		f.Journal = truth.JournalWhole
		if len(x.journal.lines) == 0 {
			f.Journal = truth.JournalNone
		}
	}
	f.Record = x.record(sc, &k)
	held := f.Memory || f.Journal == truth.JournalWhole || k.broken == "" && k.hello
	f.Certain = held || f.Journal == truth.JournalStale || sc.last() == nil
	f.Known = x.acknowledged(f, sc, &k)
}

// knowsID: the server's id of the conversation was told to pi. That of another one, which a person
// opened in the tab, does not lead back.
func (x *witness) knowsID(chat string) bool {
	return x.journal.live.conversation != "" || chat != "" && x.eye.sight().named == chat
}

// version is what this process of pi would declare.
func (x *witness) version(sid string) session.Version {
	s := x.w.Script
	caps := x.w.caps
	if caps == nil {
		caps = s.Able()
	}
	o := wire.NewOffer(sid, s.Wanted(), s.Objective, caps, s.Denied())
	return session.Version{HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap}
}

// record is what a reader gets of the conversation's record, held against what pi knows to be sent.
func (x *witness) record(sc *scene, k *chain) truth.Record {
	live := &x.journal.live
	switch {
	case sc.last() == nil:
		return truth.RecordWhole // there is none yet
	case sc.chat == nil, !sc.readable() && !(x.read && !x.eye.sight().unread):
		return truth.RecordDown
	case k.broken != "", k.sid != "" && live.sid != "" && k.sid != live.sid:
		return truth.RecordClash
	case k.round < live.sent, live.hello && !k.hello:
		return truth.RecordBehind
	case !k.hello:
		return truth.RecordGaps
	}
	return truth.RecordWhole
}

// acknowledged: the acknowledgement that was given is held by memory, journal or record; or none is
// due yet.
func (x *witness) acknowledged(f *truth.Facts, sc *scene, k *chain) bool {
	live, g := &x.journal.live, sc.greeting()
	switch {
	case g == nil || g.ended == "" || live.due:
		return true
	case !g.valid():
		return f.Memory && g == sc.last() && !x.journal.ever.answered // pi has not read it yet
	}
	return f.Memory || f.Journal == truth.JournalWhole || live.ack || k.broken == "" && k.acked
}

// work fills in what the agent's ledger says about the last plan.
func (x *witness) work(f *truth.Facts, sc *scene) {
	p := sc.plan()
	if p == nil {
		return
	}
	f.Effects = p.Effects()
	for _, e := range x.w.Agent.Ledger() {
		if e.PlanKey == p.Key {
			f.Agent = x.status(e.Round, e.Status(sc.now))
		}
	}
	// A journal that can be trusted and does not name the plan proves that it was never handed
	// over.
	trusted := f.Memory || f.Journal == truth.JournalWhole
	asked := !trusted || x.journal.live.executing == p.Key
	f.Mute = asked && (x.muted || x.w.Agent.Mute(p.Frame.Round))
}

func (x *witness) status(round int, s bridgeagent.Status) truth.Agent {
	for _, r := range x.died {
		if r == round {
			return truth.Gone
		}
	}
	switch s {
	case bridgeagent.Settled:
		return truth.Settled
	case bridgeagent.Running:
		return truth.Working
	}
	return truth.Gone
}

// aged: the record extends by valid links what was found, beyond what this process did itself.
func (x *witness) aged(k *chain) bool {
	return k.broken == "" &&
		(k.round > max(x.start.round, x.own.round) || k.ck > max(x.start.ck, x.own.ck))
}

// durable hears of every durable record.
func (x *witness) durable(r *session.Record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.journal.append(r, x.w.stage.WorldClock().Now())
	x.taking(r)
	if r.Kind == session.RecIntent || r.Kind == session.RecCheckpoint {
		x.own.take(r, time.Time{})
	}
	if r.Kind == session.RecIntent && x.eye != nil {
		s := x.eye.sight()
		x.home, x.ends = s.seat, s.ends
	}
}

// taking: a record of this life shows that the process holds the session.
func (x *witness) taking(r *session.Record) {
	switch r.Kind {
	case session.RecNew:
		x.taken = !x.known(r.SID)
	case session.RecAck, session.RecRefused: // RESUME was said and answered, in whatever way
		x.taken = x.taken || r.Message == wire.KindResume
	case session.RecReconnected, session.RecVersionLost:
		x.taken = true
	}
}

// known tells whether the site has heard of a session.
func (x *witness) known(sid string) (yes bool) {
	x.w.stage.Site(func(now time.Time, s *fakesite.Site) {
		for _, r := range sceneOf(now, s).got {
			yes = yes || r.SID == sid
		}
	})
	return yes
}

// refused and rewritten hear of a journal that is gone and of its new copy.
func (x *witness) refused(r *session.Record, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.journal.refused(r, err)
}

func (x *witness) rewritten() {
	x.mu.Lock()
	defer x.mu.Unlock()
	lost := x.journal.lost
	x.journal.rewritten(x.w.stage.WorldClock().Now())
	x.taking(&lost)
}

// struck hears of every step of every fault.
func (x *witness) struck(e *faults.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f := &e.Fault
	switch {
	case f.Kind == faults.AgentMute && e.Stage == faults.Applied:
		x.muted = true
	case f.Kind == faults.AgentMute && e.Stage == faults.Healed:
		x.muted = f.Params.For == 0
	case e.Stage != faults.Applied:
	case f.Kind == faults.EditHistory:
		x.torn = true
	case f.Kind == faults.AgentDies:
		x.died = append(x.died, f.At.Round)
	default:
		x.journal.strike(f)
		x.strikeLine(f)
	}
}
