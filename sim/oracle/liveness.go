package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"bridgesim/faults"
)

// ErrConverge is safety, then liveness: faults may delay a run without end, but once the last one
// is over and nothing is left that a correct bridge may stop for, the run comes to its end, and
// soon.
var ErrConverge = errors.New("after the last fault heals, a run that must complete does so " +
	"within what its script needs and what the recovery may take")

// converges measures from the moment at which the last fault struck or healed:
//
//	last fault ──────────────────────────────────────────────► end
//	  ├ answers and executions under way or still to come      what the script needs
//	  ├ each start, each message                               what pi needs without any fault
//	  └ allowance of each fault                                what its row may cost
//
// Whether it completes is a promise of its own; here only the time counts.
func converges(c *Case) Verdict {
	switch demanded, v := c.duty(); {
	case v.Status == Unknown:
		return v
	case !demanded || !c.struckBefore(c.last+1):
		return pass()
	case c.end.seq == 0:
		return unknown("the history stops before the end of the run", c.last)
	case c.end.text == "hang" || c.end.text == "bound":
		return fail("the world had to end the run: "+c.end.text, c.lastFault(), c.end.seq)
	case c.script.end == "":
		return unknown("nobody knows the end of the fault-free run", c.script.seq)
	case c.end.key != c.script.end:
		return pass()
	}
	from, seq := c.quietFrom()
	switch {
	case seq != 0:
		return unknown("the history does not say when the fault was over", seq)
	case from >= c.end.at:
		return pass() // it did not have to wait for that
	}
	if a := c.endless(); a != nil {
		return unknown("the history does not say when the answer ended", a.seq)
	}
	return c.inTime(from)
}

func (c *Case) inTime(from time.Duration) Verdict {
	spent := c.end.at - from
	// What pi and its browser do takes the machine's time, at the pace of the world's clock.
	needed, allowed := c.needs(from), c.allowed(from)*time.Duration(max(c.script.pace, 1))
	if spent <= needed+allowed {
		return pass()
	}
	message := fmt.Sprintf("the run ended %s after the last fault was over; its script needed %s, "+
		"pi and the recovery may take %s", spent, needed, allowed)
	if c.header.Engine != faults.EngineVirtual { // a busy machine is no fault of pi's
		return unknown(message, c.lastFault(), c.end.seq)
	}
	return fail(message, c.lastFault(), c.end.seq)
}

// quietFrom is the moment from which on no fault changes anything any more; seq names a fault of
// which the history does not say whether it is over, 0 when there is none.
func (c *Case) quietFrom() (from time.Duration, seq int) {
	for i := range c.faults {
		f := &c.faults[i]
		switch {
		case f.applied == 0:
		case f.over != 0:
			from = max(from, f.last)
		case c.header.Engine == faults.EngineVirtual && f.at+f.lasts() > c.end.at:
			from = max(from, f.at+f.lasts()) // the run ended first
		default:
			return 0, f.applied
		}
	}
	return from, 0
}

// lasts is how long the fault was to last, by its schedule; 0 when it was over at once.
func (f *struck) lasts() time.Duration {
	fault, err := faults.ParseFault(f.text)
	if err != nil {
		return 0
	}
	return fault.Filled().Params.For
}

// endless is an answer whose end the history does not tell, nil without.
func (c *Case) endless() *answer {
	for i := range c.answers {
		if !c.answers[i].known {
			return &c.answers[i]
		}
	}
	return nil
}

// span is a stretch of time that belongs to the other side.
type span struct{ from, to time.Duration }

// needs is the time from a moment on in which the site wrote or the agent worked: no bridge can
// make it shorter.
func (c *Case) needs(from time.Duration) (sum time.Duration) {
	spans := make([]span, 0, len(c.answers)+len(c.claims))
	for i := range c.answers {
		if a := &c.answers[i]; a.ended {
			spans = append(spans, span{c.sends[a.send].at, a.ends})
		}
	}
	for i := range c.claims {
		t := &c.claims[i]
		if done := c.settledPlan(t.key, c.last+1); done != nil {
			spans = append(spans, span{t.at, done.at})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for _, s := range spans {
		s.from, s.to = max(s.from, from), min(s.to, c.end.at)
		if s.to > s.from {
			sum, from = sum+s.to-s.from, s.to
		}
	}
	return sum
}

// What pi itself needs, whatever went wrong: a start opens a page that has to load; a message waits
// for composer and button, its proof, and the look that sees the end of its answer.
const (
	perStart   = 20 * time.Second
	perMessage = 10 * time.Second
)

// allowed is what pi and its recovery may take from a moment on.
func (c *Case) allowed(from time.Duration) time.Duration {
	sum := time.Duration(perStart)
	for i := range c.starts {
		if c.starts[i].at > from {
			sum += perStart
		}
	}
	for i := range c.sends {
		if c.sends[i].at >= from {
			sum += perMessage
		}
	}
	for i := range c.faults {
		if f := &c.faults[i]; f.applied != 0 {
			sum += f.allowance()
		}
	}
	return sum
}
