package oracle

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"bridgesim/bridge/wire"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// Bound is the time in which every run must end, restarts, back-off and slow answers included.
const Bound = 48 * time.Hour

// ErrHistory says that events are no history: they are empty or out of order.
var ErrHistory = errors.New("these events are no history of a run")

// Case is one run, indexed once for all oracles. It keeps no Body.
type Case struct {
	header history.Header
	script script
	last   int // seq of the last event

	sends    []send
	answers  []answer
	plans    []plan
	claims   []task
	settled  []task
	records  []record
	acts     []act
	starts   []mark // key: run or resume; text
	ends     []mark // of processes; key: the outcome noted, "killed" or "panic"
	verdicts []verdict
	faults   []struck
	blockers []mark
	end      mark
	person   bool // a person typed or sent, or another client did
	guessed  bool // texts were read without knowing the request

	first, later *Case // of a run that had to begin a new session: the one before, and the rest
}

// send is one user message that reached the site.
type send struct {
	words
	seq          int
	at           time.Duration
	id           string
	conversation string
	fate         fate
	known        bool // the reading is there
	answer       int  // index of its answer, -1 without
}

// answer is what the site wrote to a message.
type answer struct {
	replyWords
	seq    int
	ends   time.Duration
	ended  bool // it ends; false: never
	known  bool // end and reading are there
	ending string
	send   int
	plan   int // index of its plan, -1 without
}

// plan is a valid plan that the site wrote.
type plan struct {
	seq      int
	key      string
	round    int
	decision wire.Decision
	effects  bool
	needs    string
	digest   history.Digest
	answer   int  // -1 when the history does not say
	stopped  bool // before it was whole: the site never wrote it
}

// task is one entry of the agent's ledger.
type task struct {
	seq    int
	at     time.Duration
	round  int
	key    string
	digest history.Digest
}

// record is one durable line of the journal.
type record struct {
	seq   int
	kind  string
	round int
	text  string
}

// mark is an event of which only little counts.
type mark struct {
	seq  int
	at   time.Duration
	key  string
	text string
}

// verdict is one decision of the bridge, what the world says to it, and where it ends.
type verdict struct {
	seq      int
	row      int  // the bridge's; -1 when the key is no number
	look     bool // the act is to learn more, so the row is not final
	expected int  // by the world; -1 when it did not say
	why      string
	seqWorld int
	lies     []mark // what of the evidence is false
}

// NewCase indexes a history. The error wraps ErrHistory. Events that a world does not log today are
// no error: what rests on them becomes Unknown.
func NewCase(h history.Header, events []history.Event) (*Case, error) {
	c := &Case{
		sends: make([]send, 0, 12), answers: make([]answer, 0, 12), plans: make([]plan, 0, 8),
		acts: make([]act, 0, 48), records: make([]record, 0, 64),
	}
	return c, c.Load(h, events)
}

// Load takes another history into the same memory: a world that judges many runs keeps one Case.
// After an error the Case must not be judged.
func (c *Case) Load(h history.Header, events []history.Event) error {
	if len(events) == 0 {
		return fmt.Errorf("%w: there are none", ErrHistory)
	}
	c.reset(h)
	in := indexer{Case: c}
	for i := range events {
		e := &events[i]
		if e.Seq <= c.last {
			return fmt.Errorf("%w: event %d follows event %d", ErrHistory, e.Seq, c.last)
		}
		c.last = e.Seq
		in.take(e)
	}
	return c.split(events)
}

// split parts a run in which the first session was lost without a trace: its journal is gone, and the
// table of faults says that a new session is then as right as finding the old one. What holds for a
// session is judged for each of them.
func (c *Case) split(events []history.Event) error {
	at := c.rebirth()
	if at == 0 {
		return nil
	}
	i := slices.IndexFunc(events, func(e history.Event) bool { return e.Seq == at })
	rest := events[i:]
	if c.script.seq == events[0].Seq {
		rest = append([]history.Event{events[0]}, rest...)
	}
	var err, err2 error
	c.first, err = NewCase(c.header, events[:i])
	c.later, err2 = NewCase(c.header, rest)
	return errors.Join(err, err2)
}

// rebirth is the start of the process that may begin a new session, 0 when no process may.
func (c *Case) rebirth() int {
	for i := range c.faults {
		f := &c.faults[i]
		if f.applied == 0 || !f.takesCache() {
			continue
		}
		fault, err := faults.ParseFault(f.text)
		if err != nil {
			continue
		}
		start := c.startAfter(f.applied)
		if duty, _ := fault.Duty(); duty == faults.Either && start != nil && c.anew(start.seq) {
			return start.seq
		}
	}
	return 0
}

// anew tells whether the first message behind an event is the HELLO of another session.
func (c *Case) anew(seq int) bool {
	for i := range c.sends {
		if s := &c.sends[i]; s.seq > seq {
			return i > 0 && s.kind == wire.KindHello && s.sid != c.sends[0].sid
		}
	}
	return false
}

func (c *Case) reset(h history.Header) {
	*c = Case{
		header: h,
		sends:  c.sends[:0], answers: c.answers[:0], plans: c.plans[:0], claims: c.claims[:0],
		settled: c.settled[:0], records: c.records[:0], acts: c.acts[:0],
		starts: c.starts[:0], ends: c.ends[:0], verdicts: c.verdicts[:0], faults: c.faults[:0],
		blockers: c.blockers[:0],
	}
}

// views tells whether the world logs a lane. Without a script nobody knows, and it counts as logged.
func (c *Case) views(l history.Lane) bool {
	return c.script.seq == 0 || c.script.views&(1<<l) != 0
}

// unread is the first message of which the history holds neither reading nor body; nil when all are
// known.
func (c *Case) unread() *send {
	for i := range c.sends {
		if !c.sends[i].known {
			return &c.sends[i]
		}
	}
	return nil
}

// kept is Pass, or Unknown when a message cannot be read.
func (c *Case) kept() Verdict {
	if s := c.unread(); s != nil {
		return unknown("the history holds neither the text nor the reading of a message", s.seq)
	}
	return pass()
}

// answerOf is the answer to a send, nil without.
func (c *Case) answerOf(s *send) *answer {
	if s.answer < 0 {
		return nil
	}
	return &c.answers[s.answer]
}

// settledPlan finds the settlement of a plan before an event.
func (c *Case) settledPlan(key string, before int) *task {
	for i := range c.settled {
		if t := &c.settled[i]; t.key == key && t.seq < before {
			return t
		}
	}
	return nil
}

// claimed finds the claim of a plan before an event.
func (c *Case) claimed(key string, before int) *task {
	for i := range c.claims {
		if t := &c.claims[i]; t.key == key && t.seq < before {
			return t
		}
	}
	return nil
}

// planOf finds a valid plan of the site by its key.
func (c *Case) planOf(key string) *plan {
	for i := range c.plans {
		if c.plans[i].key == key {
			return &c.plans[i]
		}
	}
	return nil
}

// startAfter is the first start of a process behind an event, nil without.
func (c *Case) startAfter(seq int) *mark {
	for i := range c.starts {
		if c.starts[i].seq > seq {
			return &c.starts[i]
		}
	}
	return nil
}

// until is the seq of the first start behind an event, or one behind the last event.
func (c *Case) until(seq int) int {
	if s := c.startAfter(seq); s != nil {
		return s.seq
	}
	return c.last + 1
}
