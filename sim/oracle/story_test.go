package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

const (
	sid     = "9f83a7c1d42e650b"
	ask     = "给 README 加一节安装说明"
	talk    = "conv-1"
	thought = 2 * time.Second // from a message to the end of its answer
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// story writes a history by hand: every method appends what a world would log of one thing that
// happens. Texts are real, so that the readings of the world are tested with them.
type story struct {
	log    *history.Log
	reader *oracle.Reader
	now    time.Duration
	n      int
	where  string // the conversation
	sid    string
	prev   string // p=
	plans  map[int]wire.Plan
}

func newStory() *story { return storyOn("virtual", oracle.Script{End: "done", Plans: 1}) }

func storyOn(engine string, s oracle.Script) *story {
	t := &story{
		log:    history.New(history.Header{Seed: 1, Engine: engine}),
		reader: oracle.NewReader(ask, nil), where: talk, sid: sid, prev: wire.NoPlan,
		plans: map[int]wire.Plan{},
	}
	t.log.KeepBodies = true
	s.Request = ask
	if s.Views == nil {
		s.Views = []history.Lane{
			history.Bridge, history.CDP, history.Site, history.Agent, history.Store, history.Fault,
			history.Verdict,
		}
	}
	t.add(s.Event())
	return t
}

func (t *story) add(e history.Event) {
	e.At = t.now
	t.log.Append(e)
}

func (t *story) world(kind, key, text string) {
	t.add(history.Event{Lane: history.World, Kind: kind, Key: key, Text: text})
}

func (t *story) starts(text string) { t.world("start", "run", text) }

func (t *story) journal(kind session.RecordKind, round int, text string) {
	t.add(
		history.Event{
			Lane:  history.Store,
			Kind:  "append",
			Key:   string(kind),
			Round: round,
			Text:  text,
		},
	)
}

func (t *story) call(op point.Op, key string) {
	t.add(history.Event{Lane: history.CDP, Kind: "call", Op: op, Key: key})
}

func (t *story) seen(text string) {
	t.add(
		history.Event{Lane: history.CDP, Kind: "seen", Op: point.SendGuard, Key: "guard", Text: text},
	)
}

func (t *story) note(kind point.NoteKind, key, text string) {
	t.add(history.Event{Lane: history.Bridge, Kind: string(kind), Key: key, Text: text})
}

// verdict is a verdict of the bridge and what the world says to it.
func (t *story) verdict(row, expected int, text string) {
	t.note(point.NoteVerdict, fmt.Sprint(row), text)
	t.add(history.Event{
		Lane: history.Verdict, Kind: "expected", Key: fmt.Sprint(expected), Text: "by hand",
	})
}

func (t *story) fault(phase, kind, text string) {
	t.add(history.Event{Lane: history.Fault, Kind: phase, Key: kind, Text: text})
}

// planned faults, in the form of schedules.
const (
	cut     = "sever at wait.poll@1:streaming#1/before" // the bridge must complete
	down    = "relaunch at wait.poll@1:streaming#1/before with for=1m0s"
	forget  = "lose-cache at wait.poll@1:streaming#1/before"
	ended   = "kill-browser at wait.poll@1:streaming#1/before" // nobody starts it again
	crashes = "panic at wait.poll@1:streaming#1/before"
)

// strikes is a fault with its whole way.
func (t *story) strikes(fault string) {
	t.begins(fault)
	t.fault("healed", fault, "it happened once and does not go on")
}

// begins is a fault that strikes and is not over yet.
func (t *story) begins(fault string) {
	t.fault("armed", fault, "it waits for its address")
	t.fault("reached", fault, "")
	t.fault("applied", fault, "the socket ended with RST")
}

func (t *story) ledger(e fakesite.Entry) {
	e.At = start.Add(t.now)
	for _, ev := range t.reader.Site(nil, &e, start) {
		t.log.Append(ev)
	}
}

func (t *story) id() string { t.n++; return fmt.Sprintf("message-%d", t.n) }

// arrives: a message stands in the record, without anything that pi did for it. It returns its id.
func (t *story) arrives(text string) string {
	id := t.id()
	t.ledger(
		fakesite.Entry{Kind: fakesite.Received, Conversation: t.where, MessageID: id, Text: text},
	)
	return id
}

// sends is a whole send of pi: intent, typing, click, received.
func (t *story) sends(text string) string {
	t.submits(text)
	return t.arrives(text)
}

func (t *story) submits(text string) {
	m, _ := wire.ParseMessage(text)
	kind := m.Kind
	if kind == "" {
		kind, _ = wire.HeaderOf(text)
	}
	t.call(point.SendInsert, "Input.insertText")
	t.add(history.Event{
		Lane: history.Store, Kind: "append", Key: string(session.RecIntent), Round: m.Frame.Round,
		Text: string(kind), Digest: history.DigestOf(wire.Plain(text)),
	})
	t.call(point.SendGuard, "guard")
	t.call(point.SendSubmit, "Input.dispatchMouseEvent")
}

// answers: the site decides the answer to a message, which ends after its time; the clock goes on
// to that end.
func (t *story) answers(id, text string) { t.thinks(id, text); t.now += thought }

func (t *story) thinks(id, text string) {
	t.ledger(fakesite.Entry{
		Kind: fakesite.Answered, Conversation: t.where, MessageID: id, Text: text,
		Ending: fakesite.Complete, Ends: start.Add(t.now + thought),
	})
}

// edits: the record holds another text as the answer to a message from here on.
func (t *story) edits(id, text string) {
	for _, ev := range t.reader.Edited(nil, id, text, t.now) {
		t.log.Append(ev)
	}
}

// looks: the bridge reads the record.
func (t *story) looks() { t.call(point.CaptureRead, "record") }

// stops: the answer to a message ends where it stands.
func (t *story) stops(id string) {
	t.ledger(fakesite.Entry{Kind: fakesite.Halted, Conversation: t.where, MessageID: id, Text: "```"})
}

func (t *story) frame(round int) wire.Frame {
	return wire.Frame{SID: t.sid, Round: round, Prev: t.prev, QID: wire.QID(ask)}
}

func (t *story) helloText() string {
	return wire.NewOffer(t.sid, ask, "建立会话", wire.DefaultCapabilities(), wire.DefaultDenials()).
		Hello()
}

func (t *story) ackText() string {
	o := wire.NewOffer(t.sid, ask, "", wire.DefaultCapabilities(), wire.DefaultDenials())
	return fmt.Sprintf(
		"```\n# HS pi-bridge/1\nTYPE: ack\nS: %s\nHV: %d\nCV: %d %s\nCAP: %s\nFEAT: %s\n```",
		t.sid,
		o.HV,
		o.CV,
		o.Contract,
		o.Cap,
		strings.Join(wire.RequiredFeatures(), ","),
	)
}

func (t *story) resumeAck(ck string, next int) string {
	ack := t.ackText()
	return strings.Replace(ack, "FEAT: "+strings.Join(wire.RequiredFeatures(), ","),
		fmt.Sprintf("CK: %s\nNEXT: %d", ck, next), 1)
}

func (t *story) resumeText(ck wire.Checkpoint, next int) string {
	o := wire.NewOffer(t.sid, ask, "", wire.DefaultCapabilities(), wire.DefaultDenials())
	return fmt.Sprintf("# RESUME pi-bridge/1\nS: %s\nHV: %d\nCV: %d %s\nCAP: %s\nCK: %s\nNEXT: %d",
		t.sid, o.HV, o.CV, o.Contract, o.Cap, ck, next)
}

func (t *story) roundText(round int) string {
	if round == 1 {
		return wire.FirstRound(t.frame(1), ask)
	}
	return wire.NextRound(t.frame(round), "npm test 全绿")
}

func planText(f wire.Frame, decision wire.Decision, command string) string {
	return "```\n# PLAN pi-bridge/1\n" + f.String() + "\nDECISION: " + string(decision) +
		"\nTASK: fix-it\n\n## GOAL\n改好它。\n\n## STEPS\n1. 改\n\n## FILES\n- README.md :: 加一节\n\n" +
		"## COMMANDS\n- " + command + "\n\n## RISKS\n- 无\n\n## VERIFY\n- 测试\n```"
}

// hello opens the session, up to its valid acknowledgement.
func (t *story) hello() {
	id := t.sends(t.helloText())
	t.answers(id, t.ackText())
	t.journal(session.RecAck, 0, "HELLO")
}

// asks sends the ROUND and gives the answer.
func (t *story) asks(round int, answer string) {
	t.answers(t.sends(t.roundText(round)), answer)
}

// planned is a ROUND that is answered with a valid plan.
func (t *story) planned(round int, d wire.Decision) wire.Plan {
	text := planText(t.frame(round), d, "npm test")
	t.asks(round, text)
	return t.read(round, text)
}

func (t *story) read(round int, text string) wire.Plan {
	p, faults := wire.CheckPlan(text, t.frame(round))
	if len(faults) > 0 {
		panic(faults[0])
	}
	t.plans[round] = p
	return p
}

// claims hands the plan of a round to the agent.
func (t *story) claims(round int) {
	p := t.plans[round]
	t.journal(session.RecExecuting, round, p.Key)
	t.claim(round, p.Key, p.Block)
}

func (t *story) claim(round int, key, block string) {
	t.add(history.Event{Lane: history.Agent, Kind: "claim", Round: round, Key: key, Body: block})
}

func (t *story) settles(round int) {
	t.now += time.Second
	t.add(history.Event{Lane: history.Agent, Kind: "settled", Round: round, Key: t.plans[round].Key})
	t.journal(session.RecSettled, round, t.plans[round].Key)
}

func (t *story) checkpoints(round int) {
	t.journal(session.RecCheckpoint, round, t.plans[round].Key)
	t.prev = t.plans[round].Key
}

// runs is a whole round: asked, planned, executed, settled, confirmed.
func (t *story) runs(round int) {
	t.planned(round, wire.DecisionContinue)
	t.claims(round)
	t.settles(round)
	t.checkpoints(round)
}

// ends is the outcome of the process and of the run.
func (t *story) ends(outcome string) {
	t.outcome(outcome)
	t.world("end", outcome, "")
}

func (t *story) outcome(outcome string) { t.note(point.NoteOutcome, outcome, "") }

// closes is the last round and the end.
func (t *story) closes(round int) {
	t.planned(round, wire.DecisionDone)
	t.journal(session.RecTerminal, round, t.plans[round].Key)
	t.ends("done")
}

// opened is a session whose first round is to come.
func opened() *story {
	t := newStory()
	t.starts("")
	t.call(point.Connect, "dial")
	t.hello()
	return t
}

// quietRun is a session without any trouble.
func quietRun() *story {
	t := opened()
	t.runs(1)
	t.closes(2)
	return t
}

// judged asks all oracles about the events, and again about the same without bodies: the readings
// must be enough.
func (t *story) judged() map[string]oracle.Verdict { return judge(t.log.Header(), t.log.Events()) }

func judge(h history.Header, events []history.Event) map[string]oracle.Verdict {
	c, err := oracle.NewCase(h, events)
	if err != nil {
		panic(err)
	}
	out := map[string]oracle.Verdict{}
	for _, f := range oracle.Judge(c) {
		out[f.Oracle.Name] = f.Verdict
	}
	return out
}

// without takes bodies, or readings, or both out of a history.
func without(events []history.Event, bodies, readings bool) []history.Event {
	if readings {
		events = oracle.FromBodies(events)
	}
	var out []history.Event
	for _, e := range events {
		script := e.Lane == history.World && e.Kind == "script"
		if bodies && !script {
			e.Body = ""
		}
		out = append(out, e)
	}
	return out
}
