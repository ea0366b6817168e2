package sim

import (
	"errors"
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
)

// journal is pi's journal as the world keeps it: what became durable, line by line, and what faults
// took away again. It is written from the store's side of the port.
type journal struct {
	lines   []written
	corrupt bool
	foreign bool           // it is another session's
	live    account        // of the process that runs: what it found, and what it wrote since
	ever    account        // of all processes, whatever was lost
	lost    session.Record // the record that could not be appended to a journal that is gone
}

// written is one line with the account up to it.
type written struct {
	kind session.RecordKind
	sum  account
}

// account is what records add up to.
type account struct {
	sid          string
	began        time.Time
	target       browser.TargetID
	opened       int // tabs that pi opened itself
	conversation string
	acked        session.Version // of the last HELLO or RESYNC that was acknowledged
	ack          bool            // the last handshake's acknowledgement is journaled
	due          bool            // and the versions were lost since: a RESYNC follows
	hello        bool            // HELLO was proven sent

	attempts int
	episode  time.Time

	last, before outgoing
	answered     bool // what the last message was answered is journaled
	round, sent  int  // the last ROUND intended and not proven unsent; the last proven sent
	ck           int  // round of the checkpoint
	executing    string
	roundAt      time.Time // the running round's intent
	roundOver    time.Time // and its settlement or closing
}

// outgoing is one message of pi from its intent on.
type outgoing struct {
	kind   wire.Kind
	round  int
	ck     wire.Checkpoint
	next   int
	at     time.Time
	unsent bool // mechanically proven
	// pending: nothing in the journal proves yet what became of it
	pending bool
}

// open is the last message that went out or may have.
func (a *account) open() outgoing {
	if a.last.unsent {
		return a.before
	}
	return a.last
}

// take adds a record. Limits count from a line's own time, as pi counts them: on a machine's clock
// the moment at which the world saw the line is later.
func (a *account) take(r *session.Record, now time.Time) {
	switch r.Kind {
	case session.RecIntent:
		a.answered = false
	case session.RecAck, session.RecRefused, session.RecValidated, session.RecInvalid:
		a.answered = true
	}
	switch r.Kind {
	case session.RecNew:
		a.sid = r.SID
		if a.began.IsZero() {
			a.began = r.At
		}
	case session.RecSnapshot:
		a.rebuild(r)
	case session.RecTarget:
		a.target = browser.TargetID(r.TargetID)
		if r.OwnTarget {
			a.opened++
		}
	case session.RecConversation:
		a.conversation = r.Conversation
	case session.RecIntent:
		a.intend(r, now)
	case session.RecSent, session.RecNotSent:
		a.settle(r)
	case session.RecAck, session.RecVersionLost, session.RecUncertain:
		a.agree(r)
	case session.RecBudget:
		if a.attempts++; a.episode.IsZero() {
			a.episode = r.At
		}
	case session.RecExecuting:
		a.executing = r.PlanKey
	case session.RecUnclaimed:
		a.executing = ""
	case session.RecSettled, session.RecRoundClosed:
		a.roundOver = r.At
	case session.RecCheckpoint:
		a.ck, a.attempts, a.episode = r.Round, 0, time.Time{}
	}
}

// rebuild takes a session that begins with what was found out about it.
func (a *account) rebuild(r *session.Record) {
	s := r.Snapshot
	a.sid, a.target, a.conversation = s.SID, browser.TargetID(s.TargetID), s.Conversation
	if a.began.IsZero() {
		a.began = r.At
	}
	a.hello = s.Hello.Send == session.Sent
	a.round, a.sent, a.ck = s.LastRound(), s.LastRound(), s.Checkpoint.Round
	if s.Acked != (session.Version{}) {
		a.acked, a.ack = s.Acked, true
	}
}

func (a *account) intend(r *session.Record, now time.Time) {
	if !a.last.unsent {
		a.before = a.last
	}
	a.last = outgoing{
		kind: r.Message, round: r.Round, ck: r.CK, next: r.Next, at: now, pending: true,
	}
	switch r.Message {
	case wire.KindHello:
		a.ack, a.due = false, false
	case wire.KindResync:
		a.ack = false // it is due until it is out
	case wire.KindRound:
		if r.Round != a.round {
			a.roundAt = r.At
		}
		a.round, a.roundOver = r.Round, time.Time{}
	}
}

func (a *account) settle(r *session.Record) {
	a.last.pending = false
	if r.Kind == session.RecNotSent {
		a.last.unsent = true
		if r.Message == wire.KindRound {
			a.round = r.Round - 1
		}
		return
	}
	switch r.Message {
	case wire.KindHello:
		a.hello = true
	case wire.KindResync:
		a.due = false
	case wire.KindRound:
		a.sent = r.Round
	}
}

// agree takes what was acknowledged, in a reply or in the record that a lost journal is rebuilt
// from.
func (a *account) agree(r *session.Record) {
	switch {
	case r.Kind == session.RecVersionLost:
		a.due = true
		return
	case r.Kind == session.RecUncertain && r.Message != "":
		a.ck = r.CK.Round
		if r.Round > a.round {
			a.round, a.sent = r.Round, r.Round
		}
		a.hello = true
	}
	if r.Message == wire.KindResume || r.HV == 0 {
		return
	}
	a.acked = session.Version{HV: r.HV, CV: r.CV, Contract: r.Contract, Cap: r.Cap}
	a.ack = true
}

// append keeps a record that is durable now.
func (j *journal) append(r *session.Record, now time.Time) {
	if r.Kind == session.RecNew || r.Kind == session.RecSnapshot { // a journal begins
		j.lines, j.corrupt, j.foreign = j.lines[:0], false, false
	}
	j.live.take(r, now)
	j.ever.take(r, now)
	j.lines = append(j.lines, written{r.Kind, j.live})
}

// refused keeps the record that a lost journal did not take: what is written anew holds it.
func (j *journal) refused(r *session.Record, err error) {
	if errors.Is(err, session.ErrGone) {
		j.lost = *r
	}
}

// rewritten: the journal was written anew from memory.
func (j *journal) rewritten(now time.Time) {
	j.lines, j.corrupt = j.lines[:0], false
	lost := j.lost
	j.append(&lost, now)
}

// restart is the beginning of another process: it knows what the journal says.
func (j *journal) restart() {
	j.live = account{}
	if n := len(j.lines); n > 0 && !j.corrupt {
		j.live = j.lines[n-1].sum
	}
	if j.corrupt {
		j.lines = j.lines[:0]
	}
}

// strike does to the lines what a fault did to the journal.
func (j *journal) strike(f *faults.Fault) {
	switch f.Kind {
	case faults.LoseCache, faults.DropMemory:
		j.cut(len(j.lines))
	case faults.StaleCache:
		j.cut(f.Params.Back)
	case faults.TearCache:
		j.cut(1)
	case faults.CorruptCache:
		j.corrupt = true
	case faults.ForeignCache:
		j.foreign = true
		for i := range j.lines {
			j.lines[i].sum.sid = faults.OtherSID
		}
	}
}

func (j *journal) cut(n int) { j.lines = j.lines[:max(len(j.lines)-n, 0)] }
