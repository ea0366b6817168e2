package sim

import (
	"strconv"
	"sync"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/agent"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// trace writes the history of one run: what the bridge tells, what it calls, what site and agent
// did.
//
//	bridge ──Op, Note──►┐
//	calls ──dialer─────►├─► trace ──► history.Log
//	site, agent ───────►┘
//
// A real engine calls from several goroutines, so the log is behind a lock; on the virtual engine
// the lock is never contended and the order is that of the loop.
type trace struct {
	mu    sync.Mutex
	log   *history.Log
	clock clock.Clock
	start time.Time
	read  *oracle.Reader

	at    func(op point.Op, round int) // of the stage; may be nil
	op    point.Op
	round int
	edges []string
	site  []history.Event // reused
	rows  []int           // of the bridge's verdicts

	witness *witness // nil: nobody says what a verdict should have been
}

// reset begins the trace of another run, in the same memory.
func (t *trace) reset() {
	*t = trace{edges: t.edges[:0], site: t.site[:0], rows: t.rows[:0], witness: t.witness}
}

// begin gives it what it writes to and reads with; before that nothing happens.
func (t *trace) begin(log *history.Log, c clock.Clock, r *oracle.Reader) {
	t.log, t.clock, t.start, t.read = log, c, c.Now(), r
}

var _ point.Tracer = (*trace)(nil)

// Op remembers the operation; the call that follows is logged with it.
func (t *trace) Op(op point.Op, round int) {
	if t.witness != nil {
		t.witness.calls(op)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.op, t.round = op, round
	if t.at != nil {
		t.at(op, round)
	}
}

// Note logs what the bridge says about itself.
func (t *trace) Note(n point.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch n.Kind {
	case point.NoteEdge:
		t.edges = append(t.edges, n.Key)
	case point.NoteVerdict:
		t.verdict(n)
	}
	t.append(history.Event{
		Lane: history.Bridge, Kind: string(n.Kind), Round: n.Round, Key: n.Key, Text: n.Text,
	})
}

// verdict notes the row that a verdict took; a verdict without a row only looks.
func (t *trace) verdict(n point.Note) {
	row, err := strconv.Atoi(n.Key)
	if err != nil || row == 0 || len(t.rows) > 0 && t.rows[len(t.rows)-1] == row {
		return
	}
	t.rows = append(t.rows, row)
}

// ledger writes what the site's ledger got, with its reading.
func (t *trace) ledger(e *fakesite.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.site = t.read.Site(t.site[:0], e, t.start)
	for _, ev := range t.site {
		op, round := t.op, ev.Round
		ev.Op = op
		if round == 0 {
			ev.Round = t.round
		}
		t.log.Append(ev)
	}
}

// store logs every record that became durable.
func (t *trace) store(s session.Store) session.Store {
	w := &loggedStore{s, t}
	if r, ok := s.(session.Rewriter); ok {
		return &loggedRewriter{w, r}
	}
	return w
}

type loggedStore struct {
	session.Store
	t *trace
}

func (s *loggedStore) Append(r session.Record) error {
	err := s.Store.Append(r)
	switch {
	case err == nil:
		s.t.durable(&r)
		s.t.witness.durable(&r)
	default:
		s.t.witness.refused(&r, err)
	}
	return err
}

// loggedRewriter is a store that can be written anew.
type loggedRewriter struct {
	*loggedStore
	inner session.Rewriter
}

func (s *loggedRewriter) Rewrite(records []session.Record) error {
	err := s.inner.Rewrite(records)
	if err == nil && len(records) > 0 {
		s.t.durable(&records[0])
		s.t.witness.rewritten()
	}
	return err
}

func (s *loggedRewriter) SetAside() (string, error) { return s.inner.SetAside() }

func (t *trace) durable(r *session.Record) {
	e := history.Event{Lane: history.Store, Kind: "append", Key: string(r.Kind), Round: r.Round}
	switch r.Kind {
	case session.RecIntent, session.RecSent, session.RecNotSent, session.RecAck, session.RecRefused:
		e.Text = string(r.Message)
		if r.Kind == session.RecIntent {
			e.Digest = digestOf(r.Digest)
		}
	case session.RecStopped:
		e.Text = r.Outcome
	case session.RecSnapshot:
		e.Text, e.Digest = snapshotWords(r.Snapshot), digestOf(r.Snapshot.Last.Digest)
	default:
		e.Text = r.PlanKey
	}
	t.add(e)
}

// digestOf reads the digest of the text that an intent names; zero when it names none.
func digestOf(text string) (d history.Digest) {
	if text == "" || d.UnmarshalText([]byte(text)) != nil {
		return history.Digest{} // not a digest: the law ErrDigest is another test's matter
	}
	return d
}

// claimed logs what the agent's ledger got.
func (t *trace) claimed(what string, e agent.Entry) {
	t.add(history.Event{Lane: history.Agent, Kind: what, Round: e.Round, Key: e.PlanKey, Body: e.Plan})
}

// struck logs one step of a fault.
func (t *trace) struck(e faults.Event) {
	t.witness.struck(&e)
	t.add(history.Event{
		Lane: history.Fault, Kind: string(e.Stage), Op: e.Address.Op, Round: e.Address.Round,
		Key: e.Fault.String(), Text: e.Evidence,
	})
	if e.Stage == faults.Applied && e.Fault.Kind == faults.EditHistory {
		t.witness.edited()
	}
}

// edited logs that the record holds other words as the answer to a message.
func (t *trace) edited(messageID, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.site = t.read.Edited(t.site[:0], messageID, text, t.clock.Now().Sub(t.start))
	for _, ev := range t.site {
		t.append(ev)
	}
}

// crashed logs a panic of pi: from here on nothing of it runs.
func (t *trace) crashed(bug *faults.Bug) {
	t.add(history.Event{Lane: history.World, Kind: "panic", Key: bug.Fault.String()})
}

// add logs an event of another part of the world.
func (t *trace) add(e history.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.append(e)
}

// append stamps and logs; the lock is held.
func (t *trace) append(e history.Event) {
	e.At = t.clock.Now().Sub(t.start)
	if e.Op == "" {
		e.Op = t.op
	}
	if e.Round == 0 {
		e.Round = t.round
	}
	t.log.Append(e)
}

// snapshotWords are what a journal that is written anew still says about the message that is out
// and about the plan that was handed over; of all else an oracle asks the records behind it.
func snapshotWords(s *session.State) string {
	words := "intent=" + string(s.Last.Kind)
	c := s.Current()
	if c == nil {
		return words
	}
	if c.Executing {
		words += " executing=" + c.PlanKey
	}
	if s.Terminal.Key != "" {
		words += " terminal=" + s.Terminal.Key
	}
	return words
}
