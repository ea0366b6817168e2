package oracle

import (
	"errors"
	"fmt"
	"strings"

	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// Promises about where a run stops.
var (
	ErrAfterStop = errors.New(
		"nothing is typed, clicked or executed after a boundary or a terminal: " +
			"recovery must not bypass it",
	)
	ErrBlocker = errors.New(
		"captcha, logout, rate limit, account: give up, and nothing is typed or clicked " +
			"after an answer that showed one",
	)
	ErrClicked = errors.New(
		"the controls Retry, Regenerate, Continue generating and Answer now are never clicked: " +
			"pi clicks Send",
	)
	ErrBugRetried = errors.New(
		"a software bug is never treated as a network fault: throw and stop automation",
	)
	ErrEnd = errors.New("every run ends in bounded time with exactly one named outcome")
)

// outcomes are the named ends of a run.
var outcomes = [...]string{
	session.OutcomeDone, session.OutcomeBlocked, session.OutcomeViolation, session.OutcomeRefused,
	session.OutcomeBoundary, session.OutcomeBlocker, session.OutcomeManual, session.OutcomeThrown,
	"lost", "interrupted", RefusedToBegin,
}

// RefusedToBegin is the end of a process of pi that will not work with what it was given (the
// journal of a newer program, another request); it reports no outcome of its own.
const RefusedToBegin = "refused to begin"

func named(outcome string) bool {
	for _, o := range outcomes {
		if o == outcome {
			return true
		}
	}
	return false
}

// closes tells whether no later process may go on after an outcome, whoever started it.
func closes(outcome string) bool {
	switch outcome {
	case session.OutcomeDone,
		session.OutcomeBlocked,
		session.OutcomeViolation,
		session.OutcomeRefused:
		return true
	}
	return false
}

// afterStop looks at acts, not at what the site received: a click that waited in a busy renderer
// may fire when its process is long gone.
func afterStop(c *Case) Verdict {
	for i := range c.ends {
		e := &c.ends[i]
		if !named(e.key) {
			continue // killed: it did not stop by itself
		}
		to := c.until(e.seq)
		if closes(e.key) || e.key == session.OutcomeBoundary && !c.widened(e.seq) {
			to = c.last + 1
		}
		if seq := c.actedBetween(e.seq, to); seq != 0 {
			return fail("the run went on after the outcome "+e.key, e.seq, seq)
		}
	}
	return pass()
}

// widened tells whether the next process has wider boundaries.
func (c *Case) widened(seq int) bool {
	s := c.startAfter(seq)
	return s != nil && strings.Contains(s.text, "limits")
}

// actedBetween is the first act on the page or start of a plan between two events, 0 without.
func (c *Case) actedBetween(from, to int) int {
	for i := range c.acts {
		if a := &c.acts[i]; a.seq > from && a.seq < to && a.touches() {
			return a.seq
		}
	}
	for i := range c.claims {
		if s := c.claims[i].seq; s > from && s < to {
			return s
		}
	}
	if !c.watched() {
		for i := range c.sends {
			if s := &c.sends[i]; s.seq > from && s.seq < to && s.ours() {
				return s.seq
			}
		}
	}
	return 0
}

// touches: text or a click reaches the page.
func (a *act) touches() bool { return a.deed == typing || a.deed == press }

// watched tells whether the history holds what was done to the browser.
func (c *Case) watched() bool {
	for i := range c.acts {
		if c.acts[i].touches() {
			return true
		}
	}
	return false
}

// guardProbe looks for a blocker, and is the last call before a click that sends (readings 24).
const guardProbe = "guard"

// blocker: once shown, it counts until a later process begins after the site lifted it. Revoking
// the fence, reading and closing stay allowed. And who presses a button has just looked for one.
func blocker(c *Case) Verdict {
	if !c.watched() && len(c.sends) > 0 {
		return unknown("the history does not hold what was done to the browser")
	}
	var stands *act
	for i := range c.acts {
		a := &c.acts[i]
		switch {
		case a.deed == press && a.op == point.SendSubmit && a.text != "" && a.text != guardProbe:
			return fail("the button was pressed behind a call that shows no blocker: "+a.text, a.seq)
		case a.deed == shown && stands == nil:
			stands = a
		case stands == nil || !a.touches() && a.deed != cleared:
		case c.resumed(stands.seq, a):
			stands = nil
		case a.touches():
			return fail(
				fmt.Sprintf("%s after an answer that showed %s", a.key, stands.text),
				stands.seq,
				a.seq,
			)
		}
	}
	return pass()
}

// resumed: a process began after the blocker was lifted, or a later process sees that it is gone.
func (c *Case) resumed(from int, a *act) bool {
	start := c.startAfter(from)
	if start == nil || start.seq > a.seq {
		return false
	}
	if a.deed == cleared {
		return true
	}
	for i := range c.blockers {
		b := &c.blockers[i]
		if b.key == "" && b.seq > from && b.seq < a.seq && c.startBetween(b.seq, a.seq) {
			return true
		}
	}
	return false
}

func (c *Case) startBetween(from, to int) bool {
	s := c.startAfter(from)
	return s != nil && s.seq < to
}

// neverClicked: the page tells which control was clicked; and a click of ours outside of a send has
// no place at all, whatever stood there.
func neverClicked(c *Case) Verdict {
	for i := range c.acts {
		a := &c.acts[i]
		switch {
		case a.deed == control && a.text != "send" && a.text != "stop":
			return fail("the control "+a.text+" was clicked", a.seq)
		case a.deed == press && a.op != "" && !clicks(a.op):
			return fail(fmt.Sprintf("%s during %s", a.key, a.op), a.seq)
		}
	}
	return pass()
}

func clicks(op point.Op) bool {
	return strings.HasPrefix(string(op), "send.") || op == point.CaptureCopy
}

// bugStops: after a panic, or a verdict of row 15, the process does nothing more but leave, and
// only a person starts the next one.
func bugStops(c *Case) Verdict {
	bug := c.bug()
	if bug == 0 {
		return pass()
	}
	start := c.startAfter(bug)
	if start != nil && !strings.Contains(start.text, "person") {
		return fail("automation started again after a bug", bug, start.seq)
	}
	if seq := c.wentOn(bug, c.until(bug)); seq != 0 {
		return fail("the run went on after a bug", bug, seq)
	}
	if start == nil && c.end.seq != 0 && c.end.key != session.OutcomeThrown {
		return fail("the run of a bug ended as "+c.end.key, bug, c.end.seq)
	}
	return pass()
}

// bug is the first event that shows a bug of pi, 0 without.
func (c *Case) bug() int {
	for i := range c.faults {
		if f := &c.faults[i]; f.kind == faults.Panic && f.applied != 0 {
			return f.applied
		}
	}
	for i := range c.ends {
		if c.ends[i].key == kindCrashed {
			return c.ends[i].seq
		}
	}
	for i := range c.verdicts {
		if v := &c.verdicts[i]; v.row == 15 || v.expected == 15 {
			return max(v.seq, v.seqWorld)
		}
	}
	return 0
}

// wentOn is the first act, connect or start of a plan between two events, 0 without.
func (c *Case) wentOn(from, to int) int {
	for i := range c.acts {
		if a := &c.acts[i]; a.seq > from && a.seq < to && (a.touches() || a.deed == connect) {
			return a.seq
		}
	}
	return c.actedBetween(from, to)
}

func namedEnd(c *Case) Verdict {
	switch e := &c.end; {
	case e.seq == 0:
		return unknown("the history stops before the end of the run", c.last)
	case e.text == "hang" || e.text == "bound":
		return fail("the world had to end the run: "+e.text, e.seq)
	case !named(e.key):
		return fail(fmt.Sprintf("%q is no named outcome", e.key), e.seq)
	case e.at > Bound:
		return fail(fmt.Sprintf("the run took %s, the bound is %s", e.at, Bound), e.seq)
	}
	if len(c.starts) == 0 {
		return unknown("the history does not say when a process of pi began")
	}
	if !c.views(history.Bridge) {
		return pass()
	}
	for i := range c.starts {
		begins := i == len(c.starts)-1 && c.end.key == RefusedToBegin
		if v := c.oneEnd(&c.starts[i], begins); v.Status != Pass {
			return v
		}
	}
	return c.sameEnd()
}

// oneEnd: a process names its outcome once, or something ends it before. What strikes it while it
// puts things away, with its outcome named, takes nothing back.
func (c *Case) oneEnd(s *mark, refused bool) Verdict {
	var outcome, struck *mark
	for i := range c.ends {
		e := &c.ends[i]
		switch {
		case e.seq < s.seq || e.seq > c.until(s.seq):
		case struck != nil:
			return fail("a process of pi that was ended from outside ends again", struck.seq, e.seq)
		case !e.named():
			struck = e
		case outcome != nil:
			return fail("a process of pi names two outcomes", outcome.seq, e.seq)
		default:
			outcome = e
		}
	}
	switch has := outcome != nil || struck != nil; {
	case refused && has:
		return fail("a process of pi that would not begin has an end", s.seq)
	case !refused && !has:
		return fail("a process of pi has no end", s.seq)
	}
	return pass()
}

// unreadable: a fault behind an event took what the journal says from the next process.
func (c *Case) unreadable(from int) bool {
	for i := range c.faults {
		f := &c.faults[i]
		foreign := f.kind == faults.NewerCache || f.kind == faults.ForeignCache
		if f.applied > from && (f.takesCache() || foreign) {
			return true
		}
	}
	return false
}

// named: pi said so itself; the other ends come from outside.
func (m *mark) named() bool { return m.key != kindKilled && m.key != kindCrashed }

// sameEnd: what closed the session is the outcome of the run, whoever asks again. Only a bug on the
// way out changes it, or a journal that cannot say so any more.
func (c *Case) sameEnd() Verdict {
	for i := range c.ends {
		e := &c.ends[i]
		thrown := c.end.key == session.OutcomeThrown && c.bug() > e.seq
		if closes(e.key) && c.end.key != e.key && !thrown && !c.unreadable(e.seq) {
			return fail(
				fmt.Sprintf("the run ended as %q, a process had closed it as %q", c.end.key, e.key),
				e.seq, c.end.seq,
			)
		}
	}
	return pass()
}
