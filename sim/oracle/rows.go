package oracle

import (
	"errors"
	"fmt"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/faults"
)

// Promises about the decision table.
var (
	ErrForbidden = errors.New("an act breaks no forbidden cell of the row that matched")
	ErrRow       = errors.New("the row is not the bridge's to choose: it follows from what happened")
	ErrEvidence  = errors.New("the evidence of the bridge may be weaker than the world, never false")
)

// window is where one verdict holds: until the next one, or for a row that gives up until a process
// begins anew.
type window struct {
	*verdict
	from, to int
}

func forbidden(c *Case) Verdict {
	for i := range c.verdicts {
		v := &c.verdicts[i]
		rows := [2]int{v.row, v.expected}
		for n, row := range rows {
			if row < 1 || n == 1 && row == rows[0] {
				continue
			}
			if what, seq := c.broken(row, c.windowOf(i, row)); seq != 0 {
				return fail(fmt.Sprintf("row %d was matched, and %s", row, what), v.seq, seq)
			}
		}
	}
	return c.kept()
}

func (c *Case) windowOf(i, row int) window {
	v := &c.verdicts[i]
	w := window{v, v.seq, c.until(v.seq)}
	givesUp := row >= 10 && row <= 14
	if !givesUp && i+1 < len(c.verdicts) {
		w.to = min(w.to, c.verdicts[i+1].seq)
	}
	return w
}

// broken is what broke the forbidden cell of a row, and where; 0 when nothing did. Row 15 is a
// promise of its own.
func (c *Case) broken(row int, w window) (what string, seq int) {
	switch row {
	case 1:
		return c.firstSend(w, "a REPAIR blamed the other side", c.blames)
	case 2:
		return c.firstSend(w, "the round advanced", func(s *send) bool {
			return s.kind == wire.KindRound && c.openRound(s)
		})
	case 3:
		return c.firstSend(w, "a new HELLO was sent", c.helloAgain)
	case 4:
		return c.firstSend(w, "a reload was answered with RESYNC", func(s *send) bool {
			return s.kind == wire.KindResync && !c.versionLost(s.seq) && !c.forgotten(s)
		})
	case 5:
		return c.firstSend(w, "a new sid was created", func(s *send) bool {
			return s.sid != "" && s.sid != c.firstSID()
		})
	case 6:
		return c.replayed(w)
	case 7:
		return c.firstSend(w, "a plan was taken to have run", func(s *send) bool {
			return s.prev != "" && s.prev != wire.NoPlan && c.settledPlan(s.prev, s.seq) == nil
		})
	case 8:
		return c.beforeResync(w, "a new PLAN was executed first", false)
	case 9:
		return c.beforeResync(w, "the old ACK was taken to hold", true)
	case 10, 11, 14:
		return "the run went on", c.actedBetween(w.from, w.to)
	case 12, 13:
		return "the run tried on", c.wentOn(w.from, w.to)
	}
	return "", 0
}

// firstSend is the first message in the window for which is holds. What was clicked before the
// verdict and came late does not count.
func (c *Case) firstSend(w window, what string, is func(*send) bool) (string, int) {
	for i := range c.sends {
		s := &c.sends[i]
		if s.ours() && s.seq > w.from && s.seq < w.to && c.clickedAt(s) > w.from && is(s) {
			return what, s.seq
		}
	}
	return "", 0
}

// firstSID is the sid of the first message that has one; a person may have written before it.
func (c *Case) firstSID() string {
	for i := range c.sends {
		if c.sends[i].sid != "" {
			return c.sends[i].sid
		}
	}
	return ""
}

// clickedAt is the last click or key before a message; the message itself when none is known.
func (c *Case) clickedAt(s *send) int {
	at := s.seq
	for i := range c.acts {
		a := &c.acts[i]
		if a.seq > s.seq {
			break
		}
		if a.deed == press && a.key != "copy" {
			at = a.seq
		}
	}
	return at
}

// blames: a REPAIR of an answer that has no remote fault, or a ROUND that is sent again.
func (c *Case) blames(s *send) bool {
	for i := range c.sends {
		o := &c.sends[i]
		if o == s {
			return false
		}
		if s.kind == wire.KindRound && o.kind == s.kind && o.round == s.round {
			return true
		}
		if s.kind == wire.KindRepair && o.round == s.round && o.answer >= 0 &&
			c.held(o.answer, s).what == validPlan {
			return true
		}
	}
	return false
}

// helloAgain: a HELLO behind the first one. The first is not new: nothing had gone out before the
// loss.
func (c *Case) helloAgain(s *send) bool {
	for i := range c.sends {
		if o := &c.sends[i]; o.kind == wire.KindHello {
			return s.kind == wire.KindHello && o != s
		}
	}
	return false
}

// openRound: the turn before a message has no finished answer.
func (c *Case) openRound(s *send) bool {
	for i := len(c.sends) - 1; i >= 0; i-- {
		if o := &c.sends[i]; o.seq < s.seq && o.ours() {
			a := c.answerOf(o)
			return a == nil || a.known && !a.finished(s.at)
		}
	}
	return false
}

// forgotten: what a RESYNC answers is a REPAIR without any header of the protocol in its answer
// (readings 4), whatever happened to the page before.
func (c *Case) forgotten(resync *send) bool {
	for i := len(c.sends) - 1; i >= 0; i-- {
		s := &c.sends[i]
		if s.seq < resync.seq && (s.kind == wire.KindRound || s.kind == wire.KindRepair) {
			return s.kind == wire.KindRepair && s.answer >= 0 && c.held(s.answer, resync).headless
		}
	}
	return false
}

// versionLost: the versions changed before an event, so that RESYNC answers that.
func (c *Case) versionLost(before int) bool {
	for i := range c.records {
		if r := &c.records[i]; r.seq < before && r.kind == string(session.RecVersionLost) {
			return true
		}
	}
	for i := range c.verdicts {
		if v := &c.verdicts[i]; v.seq < before && (v.row == 9 || v.expected == 9) {
			return true
		}
	}
	return false
}

// replayed: a plan of the window was claimed before.
func (c *Case) replayed(w window) (string, int) {
	for i := range c.claims {
		t := &c.claims[i]
		if t.seq > w.from && t.seq < w.to && c.claimed(t.key, t.seq) != nil {
			return "a plan was replayed", t.seq
		}
	}
	return "", 0
}

// declaring: the last message before a verdict is a RESYNC, and pi has not changed since it went
// out.
func (c *Case) declaring(at int) bool {
	var last *send
	for i := range c.sends {
		if s := &c.sends[i]; s.seq < at && s.ours() {
			last = s
		}
	}
	if last == nil || last.kind != wire.KindResync {
		return false
	}
	for i := range c.faults {
		f := &c.faults[i]
		if f.kind == faults.ChangeCaps && f.applied > last.seq && f.applied < at {
			return false
		}
	}
	return true
}

// beforeResync: a plan was executed, or a ROUND sent, before RESYNC went out.
func (c *Case) beforeResync(w window, what string, rounds bool) (string, int) {
	to := w.to
	if c.declaring(w.from) {
		return "", 0
	}
	for i := range c.sends {
		s := &c.sends[i]
		if s.seq > w.from && s.seq < to && s.kind == wire.KindResync {
			to = s.seq
		}
	}
	for i := range c.claims {
		if t := &c.claims[i]; t.seq > w.from && t.seq < to {
			return what, t.seq
		}
	}
	if !rounds {
		return "", 0
	}
	return c.firstSend(window{w.verdict, w.from, to}, what, func(s *send) bool {
		return s.kind == wire.KindRound
	})
}

// rowByTruth compares every verdict that is final. While the act is to learn more, the bridge has
// not chosen yet.
func rowByTruth(c *Case) Verdict {
	doubt := pass()
	for i := range c.verdicts {
		v := &c.verdicts[i]
		switch {
		case v.look:
		case v.expected < 0 || v.row < 0:
			doubt = unknown("the history does not say which row the world expects", v.seq)
		case v.row != v.expected:
			return fail(
				fmt.Sprintf(
					"the bridge took row %d, the world says row %d: %s",
					v.row,
					v.expected,
					v.why,
				),
				v.seq,
				v.seqWorld,
			)
		}
	}
	return doubt
}

func evidenceTrue(c *Case) Verdict {
	doubt := pass()
	for i := range c.verdicts {
		v := &c.verdicts[i]
		switch {
		case len(v.lies) > 0:
			return fail(v.lies[0].text, v.seq, v.lies[0].seq)
		case v.expected < 0:
			doubt = unknown("the world did not look at the evidence of a verdict", v.seq)
		}
	}
	return doubt
}
