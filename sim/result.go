package sim

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/agent"
	"bridgesim/sim/oracle"
)

// Result is what a run left: the bridge's own report, and the ledgers that it cannot write.
type Result struct {
	World  *World
	Report bridge.Report
	Err    error // the bridge could not begin

	// Received are the messages in the site's ledger, in order.
	Received []Message
	// Executed is the agent's ledger.
	Executed []agent.Entry
	// Records is pi's journal as a later process would read it.
	Records []session.Record
	State   session.State
	// Edges are the transitions of the state machine, in order.
	Edges []string
	// Rows are the rows of the decision table that the bridge's verdicts took, in order, repeats left
	// out.
	Rows []int
	// Findings are the verdicts of all oracles, in their order.
	Findings []oracle.Finding
	// Unreached are the faults that never struck.
	Unreached []faults.Fault
}

// Message is one user message that the site received, and the answer that it gave.
type Message struct {
	wire.Message
	Text   string
	Answer string
	// Ours is false for text without a header of the protocol.
	Ours bool
}

// collect reads site, agent and store.
func (r *Result) collect() error {
	w := r.World
	w.stage.Site(func(_ time.Time, s *fakesite.Site) {
		for _, e := range s.Ledger().Received() {
			m := Message{Text: e.Text}
			if msg, err := w.trace.read.Message(e.Text); err == nil {
				m.Message, m.Ours = msg, true
			}
			if a := s.Ledger().Answer(e.MessageID); a != nil {
				m.Answer = a.Text
			}
			r.Received = append(r.Received, m)
		}
	})
	r.Executed = w.Agent.Ledger()
	r.Edges, r.Rows = w.trace.edges, w.trace.rows
	store, err := w.stage.Store()
	if err != nil {
		return fmt.Errorf("reading pi's journal after the run: %w", err)
	}
	defer store.Close()
	r.Records, _, err = store.Load()
	switch {
	case err != nil && r.Err != nil, errors.Is(err, session.ErrNoSession):
		return nil // pi refused to begin because of this journal, or left it lost
	case err != nil:
		return fmt.Errorf("reading pi's journal after the run: %w", err)
	}
	r.State, err = session.Fold(r.Records)
	return err
}

// judge asks every oracle about the history, and nothing else.
func (r *Result) judge() error {
	c := &r.World.kept.judge
	if err := c.Load(r.World.Log.Header(), r.World.Log.Events()); err != nil {
		return fmt.Errorf("judging the history: %w", err)
	}
	r.Findings = oracle.AppendJudge(r.Findings, c)
	return nil
}

// Broken joins the promises that the run broke; nil when it kept them.
func (r *Result) Broken() error {
	var errs []error
	for _, f := range r.Findings {
		errs = append(errs, f.Err())
	}
	return errors.Join(errs...)
}

// Places lists the addresses of an operation that the run passed, for a person who has to correct
// one.
func (r *Result) Places(op point.Op) string {
	var b strings.Builder
	for _, a := range r.World.places() {
		if a.Op == op {
			b.WriteString(" " + a.String())
		}
	}
	return strings.TrimSpace(b.String())
}

// Of returns the received messages of one kind, in order.
func (r *Result) Of(k wire.Kind) []Message {
	var out []Message
	for _, m := range r.Received {
		if m.Ours && m.Kind == k {
			out = append(out, m)
		}
	}
	return out
}

// PlanKey is the key of the last valid plan that the site wrote for a round, "" when it wrote none.
func (r *Result) PlanKey(round int) string {
	key := ""
	for _, m := range r.Received {
		if m.Ours && m.Frame.Round == round {
			if p, faults := wire.CheckPlan(m.Answer, m.Frame); len(faults) == 0 {
				key = p.Key
			}
		}
	}
	return key
}

// GateFailures are the conditions that an acknowledgement in the site's ledger fails for the offer
// that it answers, in order, each once.
func (r *Result) GateFailures() []wire.Condition {
	var out []wire.Condition
	for _, m := range r.Received {
		if m.Kind != wire.KindHello && m.Kind != wire.KindResync {
			continue
		}
		_, failed := wire.Gate(offerOf(m.Message), m.Answer)
		for _, f := range failed {
			if !has(out, f.Condition) {
				out = append(out, f.Condition)
			}
		}
	}
	return out
}

// offerOf rebuilds what a HELLO or RESYNC offered from its own text.
func offerOf(m wire.Message) wire.Offer {
	return wire.Offer{
		SID: m.SID, HV: m.HV, CV: m.CV, Contract: m.Contract, Cap: m.Cap, QID: m.QID,
		Features: wire.RequiredFeatures(),
	}
}

func has(list []wire.Condition, c wire.Condition) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}
