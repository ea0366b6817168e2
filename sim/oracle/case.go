package oracle

import (
	"errors"
	"fmt"
	"strings"
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
	edits    []edit
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
	text         history.Digest // as Plain gives it; zero when the history does not say
	fate         fate
	known        bool // the reading is there
	answer       int  // index of its answer, -1 without
	looked       int  // seq of the last look at an answer's text before it, 0 without
	late         bool // a click whose session was gone took effect and sent it
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

// edit is a change of the record behind everybody's back: from here on the site holds another
// answer than the one that it wrote.
type edit struct {
	replyWords
	seq    int
	answer int
	plan   int // index of the plan that stands there now, -1 without
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
	stopped  bool // it broke off, by a stop or an error: nobody may take it for an answer
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
	seq    int
	kind   string
	round  int
	text   string
	digest history.Digest // of the text that an intent is about, zero when it is not said
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
	at       time.Duration
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

// split parts a run in which the first session was lost without a trace: its journal is gone,
// nothing leads back to it, and a new session is the only honest thing. What holds for a session is
// judged for each of them; a message that the dead process left behind belongs to the session that
// it names.
func (c *Case) split(events []history.Event) error {
	at := c.rebirth()
	if at == 0 {
		return nil
	}
	var first, later []history.Event
	if c.script.seq == events[0].Seq {
		later = append(later, events[0])
	}
	old := false // the last event of the site is of a message that was left behind
	for i := range events {
		e := &events[i]
		if e.Lane == history.Site && e.Kind != kindPlan {
			old = c.leftBehind(e.Key, at)
		}
		if e.Seq < at || e.Lane == history.Site && old {
			first = append(first, *e)
		} else {
			later = append(later, *e)
		}
	}
	var err, err2 error
	c.first, err = NewCase(c.header, first)
	c.later, err2 = NewCase(c.header, later)
	return errors.Join(err, err2)
}

// rebirth is the start of the process that may begin a new session, 0 when no process may.
func (c *Case) rebirth() int {
	for i := range c.faults {
		f := &c.faults[i]
		if f.applied == 0 || !f.takesCache() {
			continue
		}
		start := c.startAfter(f.applied)
		if start != nil && !f.leadsBack(start) && c.anew(start.seq) {
			return start.seq
		}
	}
	return 0
}

// leadsBack: a process that finds no journal finds its session all the same. Its start says so;
// where the world did not look, the table of faults says what is possible at best.
func (f *struck) leadsBack(start *mark) bool {
	for word := range strings.FieldsSeq(start.text) {
		switch word {
		case StartLed:
			return true
		case StartUnled:
			return false
		}
	}
	fault, err := faults.ParseFault(f.text)
	if err != nil {
		return true
	}
	duty, _ := fault.Duty()
	return duty != faults.Either
}

// anew tells whether the first message of the process that began at an event is the HELLO of
// another session than the one before.
func (c *Case) anew(start int) bool {
	for i := range c.sends {
		s := &c.sends[i]
		if s.seq > start && !c.behind(s, start) {
			return i > 0 && s.kind == wire.KindHello && s.sid != c.sends[0].sid
		}
	}
	return false
}

// leftBehind tells whether a message came behind the start of a process that did not send it.
func (c *Case) leftBehind(id string, start int) bool {
	for i := range c.sends {
		if s := &c.sends[i]; s.id == id {
			return s.seq > start && c.behind(s, start)
		}
	}
	return false
}

// behind: it was clicked before the start, or the world saw a click of somebody dead take effect.
func (c *Case) behind(s *send, start int) bool { return s.late || c.clickedAt(s) < start }

func (c *Case) reset(h history.Header) {
	*c = Case{
		header: h,
		sends:  c.sends[:0], answers: c.answers[:0], edits: c.edits[:0], plans: c.plans[:0],
		claims: c.claims[:0], settled: c.settled[:0], records: c.records[:0], acts: c.acts[:0],
		starts: c.starts[:0], ends: c.ends[:0], verdicts: c.verdicts[:0], faults: c.faults[:0],
		blockers: c.blockers[:0],
	}
}

// views tells whether the world logs a lane. Without a script nobody knows, and it counts as
// logged.
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

// version is one text of an answer, as the site held it for a while.
type version struct {
	*replyWords
	plan  int // index of its plan, -1 without
	known bool
}

// held is what the site held of an answer when the bridge last looked before a message: that is
// what the message rests on. It is not known when the record was edited and nobody logged the
// looks.
func (c *Case) held(i int, s *send) version {
	a := &c.answers[i]
	v := version{&a.replyWords, a.plan, a.what != unread}
	for k := range c.edits {
		switch e := &c.edits[k]; {
		case e.answer != i || e.seq > s.seq:
		case s.looked == 0:
			v.known = false
		case e.seq < s.looked:
			v = version{&e.replyWords, e.plan, e.what != unread}
		}
	}
	return v
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

// planOf finds a valid plan of the site by its key: one that it wrote whole, if there is one.
func (c *Case) planOf(key string) (found *plan) {
	for i := range c.plans {
		if p := &c.plans[i]; p.key == key && (found == nil || found.stopped) {
			found = p
		}
	}
	return found
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
