//go:build linux

package killloop

import (
	"fmt"
	"strings"

	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

// judgeSafe holds what must be true of every run, however it ended: nothing was sent twice, nothing
// was executed twice, and what was executed is word for word what the site wrote.
func (w *world) judgeSafe() {
	w.t.Helper()
	seen := map[string]bool{}
	keys := map[string]string{} // of the plans that the site wrote → their text
	sid := ""
	for _, e := range w.received() {
		m, err := wire.ParseMessage(e.Text)
		w.Expect(err).NotTo(HaveOccurred(), "the site received what is no message: %.80q", e.Text)
		if sid == "" {
			sid = m.SID
		}
		w.Expect(m.SID).To(Equal(sid), "the sid changed")
		name := messageName(&m)
		w.Expect(seen).NotTo(HaveKey(name), "sent twice")
		seen[name] = true
		if plan, faults := wire.CheckPlan(w.answer(e.MessageID), m.Frame); len(faults) == 0 {
			keys[plan.Key] = plan.Block
		}
	}
	w.judgeAgent(sid, keys)
	w.judgeContinuity()
}

// judgeContinuity: a process that took up a session sends its first ROUND only behind RESUME,
// unless it said HELLO itself (readings 10), or what it would say is what the RESUME before the
// open round said already: the same CK and NEXT are not repeated (readings 16).
func (w *world) judgeContinuity() {
	w.t.Helper()
	var behind, resumed wire.Message
	for _, e := range w.received() {
		m, err := wire.ParseMessage(e.Text)
		w.Expect(err).NotTo(HaveOccurred())
		if by := w.sender(&m); m.Kind == wire.KindRound && by > 1 {
			open := behind.Kind == wire.KindRound || behind.Kind == wire.KindRepair
			said := open && resumed.Next == behind.Frame.Round || behind.Kind == wire.KindResync
			w.Expect(said || behind.Kind == wire.KindResume || w.sender(&behind) == by).To(BeTrue(),
				"process %d sent ROUND %d behind %q of process %d", by, m.Frame.Round, behind.Kind,
				w.sender(&behind))
		}
		if m.Kind == wire.KindResume {
			resumed = m
		}
		behind = m
	}
}

// sender is the number of the process that sent a message: the last that meant to, from 1.
func (w *world) sender(m *wire.Message) (process int) {
	for i, end := range w.ends {
		for _, e := range end.events {
			if e.Record == "intent" && e.Message == string(m.Kind) &&
				(m.Kind != wire.KindRound || e.Round == m.Frame.Round) {
				process = i + 1
			}
		}
	}
	return process
}

// messageName names a message so that two of one name are one message sent twice.
func messageName(m *wire.Message) string {
	switch m.Kind {
	case wire.KindRound:
		return fmt.Sprintf("ROUND %d", m.Frame.Round)
	case wire.KindRepair:
		return fmt.Sprintf("REPAIR %d", m.Frame.Round)
	case wire.KindResume:
		return fmt.Sprintf("RESUME %s NEXT %d", m.CK, m.Next)
	}
	return string(m.Kind)
}

// judgeAgent holds the agent's ledger against what the site wrote.
func (w *world) judgeAgent(sid string, keys map[string]string) {
	w.t.Helper()
	claimed, err := w.ledger.Claimed()
	w.Expect(err).NotTo(HaveOccurred())
	for _, c := range claimed {
		w.Expect(c.SID).To(Equal(sid))
		w.Expect(c.Plan).To(Equal(keys[c.PlanKey]), "executed what the site did not write")
	}
	done := map[string]bool{}
	effects, err := w.ledger.Effects()
	w.Expect(err).NotTo(HaveOccurred())
	for _, e := range effects {
		name := fmt.Sprintf("round %d, plan %s, effect %d", e.Round, e.Key, e.N)
		w.Expect(done).NotTo(HaveKey(name), "executed twice")
		done[name] = true
	}
}

// judgeDone holds what must be true of a session that reached its end: every message went out once,
// the request and the receipt arrived, and the plan was executed whole.
func (w *world) judgeDone() {
	w.t.Helper()
	goal := w.part.goal()
	end := w.ends[len(w.ends)-1]
	w.Expect(end.code).To(Equal(goal.code))
	w.Expect(end.stdout).To(HavePrefix(goal.report))
	var names []string
	var rounds []wire.Message
	for _, e := range w.received() {
		m, err := wire.ParseMessage(e.Text)
		w.Expect(err).NotTo(HaveOccurred())
		w.Expect(m.Kind == wire.KindRound && m.Frame.Round == 1).
			To(Equal(strings.Contains(e.Text, request)), "the request travels once, in ROUND 1")
		if m.Kind == wire.KindRound {
			rounds = append(rounds, m)
		}
		if m.Kind != wire.KindResume { // each process may say once where it stands
			names = append(names, messageName(&m))
		}
	}
	w.Expect(names).To(Equal(goal.names), "lost, or too much")
	effects, err := w.ledger.Effects()
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(effects).To(HaveLen(goal.effects), "the plan was not executed whole, or another one was")
	if len(rounds) < 2 {
		return
	}
	w.Expect(rounds[1].Receipt).To(ContainSubstring(goal.receipt), "the receipt was lost")
	if goal.effects > 0 {
		w.Expect(rounds[1].Frame.Prev).To(Equal(effects[0].Key))
	}
}
