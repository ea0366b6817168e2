package oracle_test

import (
	"errors"
	"slices"
	"sort"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

func TestOracle(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "oracle")
}

// broken are the stories in which exactly one promise is broken.
var broken = []struct {
	oracle, what string
	tell         func() *story
}{
	{"round-once", "a ROUND is sent again after a lost answer", func() *story {
		t := opened()
		p := t.planned(1, wire.DecisionContinue)
		id := t.sends(t.roundText(1))
		t.answers(id, planText(t.frame(1), wire.DecisionContinue, "npm test"))
		t.plans[1] = p
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"round-once", "a ROUND that the site refused is sent again", func() *story {
		t := opened()
		t.submits(t.roundText(1))
		t.ledger(fakesite.Entry{
			Kind: fakesite.Refused, Conversation: talk, MessageID: t.id(), Text: t.roundText(1),
			Refusal: fakesite.RefusedServer,
		})
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"message-once", "a RESUME with the same checkpoint and round", func() *story {
		t := opened()
		t.runs(1)
		ck := wire.Checkpoint{Round: 1, Key: t.prev}
		for range 2 {
			t.answers(t.sends(t.resumeText(ck, 2)), t.resumeAck(ck.String(), 2))
		}
		t.closes(2)
		return t
	}},
	{"message-once", "a second RESYNC in one episode", func() *story {
		t := opened()
		for range 2 {
			t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		}
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"hello-once", "HELLO is sent again after a drop", func() *story {
		t := opened()
		t.hello()
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"whole-messages", "half a message is sent", func() *story {
		t := opened()
		t.runs(1)
		t.answers(t.sends("# REPAIR pi-bridge/1\n"), "什么？")
		t.closes(2)
		return t
	}},
	{"whole-messages", "a text without header, and no person wrote it", func() *story {
		t := opened()
		t.arrives("你好")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"quiet", "the next ROUND while the answer is written", func() *story {
		t := opened()
		id := t.sends(t.roundText(1))
		text := planText(t.frame(1), wire.DecisionContinue, "npm test")
		t.thinks(id, text)
		t.read(1, text)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"durable-first", "a click without a durable intent", func() *story {
		t := opened()
		t.call(point.SendSubmit, "Input.dispatchMouseEvent")
		text := planText(t.frame(1), wire.DecisionContinue, "npm test")
		t.answers(t.arrives(t.roundText(1)), text)
		t.read(1, text)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"durable-first", "a plan handed over before it was journaled", func() *story {
		t := opened()
		p := t.planned(1, wire.DecisionContinue)
		t.claim(1, p.Key, p.Block)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"one-sid", "a new sid after a relaunch", func() *story {
		t := opened()
		t.runs(1)
		t.sid = "00000000deadbeef"
		t.hello()
		t.closes(2)
		return t
	}},
	{"one-sid", "a new sid although the record leads back to the session", func() *story {
		t := opened()
		t.runs(1)
		t.strikes(forget)
		t.world("killed", "pi", "")
		t.starts("")
		t.sid = "00000000deadbeef"
		t.hello()
		t.closes(2)
		return t
	}},
	{"round-once", "a ROUND is sent twice in the session after a lost one", func() *story {
		t := opened()
		t.strikes("lose-cache at wait.poll@0:finished#1/before")
		t.world("killed", "pi", "")
		t.starts("")
		t.sid, t.where = "00000000deadbeef", "conv-2"
		t.hello()
		t.planned(1, wire.DecisionContinue)
		id := t.sends(t.roundText(1))
		t.answers(id, planText(t.frame(1), wire.DecisionContinue, "npm test"))
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"one-conversation", "the next ROUND goes to another conversation", func() *story {
		t := opened()
		t.runs(1)
		t.where = "conv-2"
		t.closes(2)
		return t
	}},
	{"established", "a ROUND although the acknowledgement fails the gate", func() *story {
		t := newStory()
		t.starts("")
		t.answers(t.sends(t.helloText()), "好的，我们开始吧。")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"established", "a ROUND before any acknowledgement", func() *story {
		t := newStory()
		t.starts("")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"request-once", "the objective holds the request", func() *story {
		t := newStory()
		t.starts("")
		o := wire.NewOffer(sid, ask, "", wire.DefaultCapabilities(), wire.DefaultDenials())
		o.Objective = ask
		t.answers(t.sends(o.Hello()), t.ackText())
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"request-once", "ROUND 1 carries half of the request", func() *story {
		t := opened()
		text := planText(t.frame(1), wire.DecisionDone, "npm test")
		t.answers(t.sends(wire.FirstRound(t.frame(1), ask[:12])), text)
		t.read(1, text)
		t.endsAt(0)
		return t
	}},
	{"request-once", "a later ROUND carries it again", func() *story {
		t := opened()
		t.runs(1)
		t.answers(
			t.sends(wire.FirstRound(t.frame(2), ask)),
			planText(t.frame(2), wire.DecisionDone, "无"),
		)
		t.ends("done")
		return t
	}},
	{"frame-chain", "a round is skipped", func() *story {
		t := opened()
		t.runs(1)
		t.closes(3)
		return t
	}},
	{"frame-chain", "p= names a plan that is not settled", func() *story {
		t := opened()
		t.planned(1, wire.DecisionContinue)
		t.claims(1)
		t.prev = t.plans[1].Key
		t.planned(2, wire.DecisionDone)
		t.settles(1)
		t.ends("done")
		return t
	}},
	{"frame-chain", "p= stays behind a settled plan", func() *story {
		t := opened()
		t.runs(1)
		t.prev = wire.NoPlan
		t.closes(2)
		return t
	}},
	{"frame-chain", "RESUME goes on at a round that is settled", func() *story {
		t := opened()
		t.runs(1)
		ck := wire.Checkpoint{Round: 1, Key: t.prev}
		t.answers(t.sends(t.resumeText(ck, 1)), t.resumeAck(ck.String(), 1))
		t.closes(2)
		return t
	}},
	{"repair-remote", "a REPAIR of a valid plan: a capture failure of ours", func() *story {
		t := opened()
		t.planned(1, wire.DecisionContinue)
		t.repairs(1, wire.CodeBlocks)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"repair-bounded", "a third REPAIR", func() *story {
		t := opened()
		t.asks(1, "```\n# PLAN pi-bridge/1\n```")
		for range 2 {
			t.answers(
				t.sends(wire.RepairRound(t.frame(1), []wire.Code{wire.CodeFrame})),
				"```\n# PLAN pi-bridge/1\n```",
			)
		}
		t.repairs(1, wire.CodeFrame)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"static-text", "a RESUME with the contract", func() *story {
		t := opened()
		t.runs(1)
		ck := wire.Checkpoint{Round: 1, Key: t.prev}
		t.answers(t.sends(t.resumeText(ck, 2)+"\n\nCONTRACT:\n"+wire.Contract()), t.ackText())
		t.planned(2, wire.DecisionDone)
		t.ends("done")
		return t
	}},
	{"plan-once", "a plan is executed again after a restart", func() *story {
		t := opened()
		t.runs(1)
		t.claims(1)
		t.closes(2)
		return t
	}},
	{"word-for-word", "half of the plan is executed", func() *story {
		t := opened()
		p := t.planned(1, wire.DecisionContinue)
		t.journal(session.RecExecuting, 1, p.Key)
		t.claim(1, p.Key, p.Block[:len(p.Block)/2])
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"word-for-word", "a plan that nobody wrote", func() *story {
		t := opened()
		t.runs(1)
		t.journal(session.RecExecuting, 2, "0badc0de")
		t.claim(2, "0badc0de", "rm -rf")
		t.closes(2)
		return t
	}},
	{"denied-first", "a plan that needs the network is executed", func() *story {
		t := opened()
		text := planText(t.frame(1), wire.DecisionContinue, "curl https://example.org")
		t.asks(1, text)
		t.read(1, text)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"checkpoint-settled", "a checkpoint at PLAN", func() *story {
		t := opened()
		t.planned(1, wire.DecisionContinue)
		t.checkpoints(1)
		t.claims(1)
		t.settles(1)
		t.closes(2)
		return t
	}},
	{"checkpoint-monotonic", "the checkpoint goes back", func() *story {
		t := opened()
		t.runs(1)
		t.runs(2)
		t.journal(session.RecCheckpoint, 1, t.plans[1].Key)
		t.closes(3)
		return t
	}},
	{"done-terminal", "done becomes a checkpoint", func() *story {
		t := opened()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.journal(session.RecCheckpoint, 2, t.plans[2].Key)
		t.ends("done")
		return t
	}},
	{"done-terminal", "pi says done, the site never did", func() *story {
		t := opened()
		t.runs(1)
		t.ends("done")
		return t
	}},
	{"after-done", "a ROUND after done", func() *story {
		t := opened()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.asks(3, "好的。")
		t.ends("done")
		return t
	}},
	{"after-stop", "a click after the boundary", func() *story {
		t := storyOn("virtual", oracle.Script{End: "boundary", Plans: 1})
		t.starts("")
		t.hello()
		t.runs(1)
		t.outcome("boundary")
		t.submits(t.roundText(2))
		t.world("end", "boundary", "")
		return t
	}},
	{"after-stop", "a restart steps over the boundary", func() *story {
		t := storyOn("virtual", oracle.Script{End: "done", Plans: 1})
		t.starts("")
		t.hello()
		t.runs(1)
		t.outcome("boundary")
		t.starts("")
		t.closes(2)
		return t
	}},
	{"blocker", "a click after the guard showed a captcha", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.seen("captcha")
		t.submits(t.roundText(1))
		t.ends("blocker")
		return t
	}},
	{"never-clicked", "Regenerate is clicked", func() *story {
		t := opened()
		t.runs(1)
		t.add(
			history.Event{
				Lane: history.CDP,
				Kind: "clicked",
				Op:   point.SendSubmit,
				Key:  "regenerate",
			},
		)
		t.closes(2)
		return t
	}},
	{"never-clicked", "a click outside of any send", func() *story {
		t := opened()
		t.runs(1)
		t.call(point.WaitPoll, "Input.dispatchMouseEvent")
		t.closes(2)
		return t
	}},
	{"bug-stops", "a panic is answered with a new attach", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.strikes(crashes)
		t.call(point.Attach, "Target.attachToTarget")
		t.ends("thrown")
		return t
	}},
	{"bug-stops", "a crashed pi is started again by itself", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.world("panic", "", "")
		t.starts("")
		t.ends("thrown")
		return t
	}},
	{"forbidden", "a reload is answered with RESYNC (row 4)", func() *story {
		t := opened()
		t.verdict(4, 4, "continue: reload")
		t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"forbidden", "a plan is executed before RESYNC (row 8)", func() *story {
		t := opened()
		t.planned(1, wire.DecisionContinue)
		t.verdict(8, 8, "RESYNC: the ack is not provable")
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		t.closes(2)
		return t
	}},
	{"forbidden", "a reconnect loop after a blocker (row 12)", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.verdict(12, 12, "give up: captcha")
		t.call(point.Connect, "dial")
		t.ends("blocker")
		return t
	}},
	{"row", "a reload taken for a drop", func() *story {
		t := opened()
		t.verdict(3, 4, "continue: dropped")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"evidence", "the bridge says that the page is ours", func() *story {
		t := opened()
		t.verdict(3, 3, "continue: dropped")
		t.add(
			history.Event{
				Lane: history.Verdict,
				Kind: "false",
				Key:  "3",
				Text: "same: yes, the world says no",
			},
		)
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"named-end", "a hang without a deadline", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.world("end", "", "hang")
		return t
	}},
	{"named-end", "two outcomes", func() *story {
		t := quietRun()
		t.outcome("done")
		return t
	}},
	{"named-end", "it takes three days", func() *story {
		t := opened()
		t.runs(1)
		t.now += 72 * time.Hour
		t.closes(2)
		return t
	}},
	{"answer-kept", "the next ROUND over a plan that was never executed", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.planned(1, wire.DecisionContinue)
		t.strikes(cut)
		t.script("done")
		t.journal(session.RecRoundClosed, 1, "")
		t.closes(2)
		return t
	}},
	{"completes", "it gives up after a drop", func() *story {
		t := opened()
		t.strikes(cut)
		t.ends("manual")
		return t
	}},
	{"completes", "it ends as done with fewer plans", func() *story {
		t := opened()
		t.strikes(cut)
		t.closes(1)
		return t
	}},
	{"faults-reached", "a fault is never reached", func() *story {
		t := opened()
		t.fault("armed", cut, "")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"faults-reached", "a fault leaves no evidence", func() *story {
		t := opened()
		t.fault("armed", cut, "")
		t.fault("reached", cut, "")
		t.runs(1)
		t.closes(2)
		return t
	}},
}

// endsAt ends a run that says done in its first round.
func (t *story) endsAt(plans int) {
	events := t.log.Events()
	events[0].Round = plans
	t.ends("done")
}

// script rewrites the end that the script knows.
func (t *story) script(end string) { t.log.Events()[0].Key = end }

// repairs is a REPAIR that is answered with a valid plan.
func (t *story) repairs(round int, codes ...wire.Code) {
	text := planText(t.frame(round), wire.DecisionContinue, "npm run repaired")
	t.answers(t.sends(wire.RepairRound(t.frame(round), codes)), text)
	t.read(round, text)
}

// kept are stories in which every promise holds: the near misses.
var kept = []struct {
	what string
	tell func() *story
}{
	{"a quiet session", quietRun},
	{"a plan is repaired", func() *story {
		t := opened()
		t.asks(1, "```\n# PLAN pi-bridge/1\n```")
		t.repairs(1, wire.CodeFrame)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"two equal REPAIRs, each after a finished answer", func() *story {
		t := opened()
		t.asks(1, "```\n# PLAN pi-bridge/1\n```")
		t.answers(
			t.sends(wire.RepairRound(t.frame(1), []wire.Code{wire.CodeFrame})),
			"```\n# PLAN pi-bridge/1\n```",
		)
		t.repairs(1, wire.CodeFrame)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"a person writes between", func() *story {
		t := opened()
		t.world("tab-sent", "tab-1", "")
		t.arrives("你好")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"RESUME after a restart skips a plan that was refused", func() *story {
		t := opened()
		t.runs(1)
		t.world("killed", "pi", "")
		t.starts("")
		t.verdict(6, 6, "RESUME: restarted")
		ck := wire.Checkpoint{Round: 1, Key: t.prev}
		t.answers(t.sends(t.resumeText(ck, 2)), t.resumeAck(ck.String(), 2))
		t.closes(2)
		return t
	}},
	{"RESYNC twice, a checkpoint between", func() *story {
		t := opened()
		t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		t.runs(1)
		t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		t.closes(2)
		return t
	}},
	{"a reload and then a changed version: row 9 may RESYNC", func() *story {
		t := opened()
		t.verdict(4, 4, "continue: reload")
		t.verdict(9, 9, "RESYNC: caps changed")
		t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"a denied plan is refused and closed", func() *story {
		t := opened()
		t.asks(1, planText(t.frame(1), wire.DecisionContinue, "curl https://example.org"))
		t.journal(session.RecRoundClosed, 1, "")
		t.runs(2)
		t.closes(3)
		return t
	}},
	{"a lost cache is written up to where it was", func() *story {
		t := opened()
		t.runs(1)
		t.strikes(forget)
		t.world("killed", "pi", "")
		t.starts("")
		t.journal(session.RecCheckpoint, 1, t.plans[1].Key)
		t.closes(2)
		return t
	}},
	{"a blocker is lifted, then a person resumes", func() *story {
		t := opened()
		t.seen("captcha")
		t.outcome("blocker")
		t.world("blocker", "", "")
		t.starts("person")
		t.seen("")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"a cache lost before anything led back: a new session begins", func() *story {
		t := opened()
		t.strikes("lose-cache at wait.poll@0:finished#1/before")
		t.world("killed", "pi", "")
		t.starts("")
		t.sid, t.where = "00000000deadbeef", "conv-2"
		t.hello()
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"a boundary, then a person resumes with wider limits", func() *story {
		t := opened()
		t.runs(1)
		t.outcome("boundary")
		t.starts("person limits")
		t.closes(2)
		return t
	}},
	{"a click that waited fires after the outcome", func() *story {
		t := storyOn("virtual", oracle.Script{})
		t.starts("")
		t.hello()
		t.submits(t.roundText(1))
		t.verdict(13, 13, "give up: budget")
		t.outcome("manual")
		t.arrives(t.roundText(1))
		t.world("end", "manual", "")
		return t
	}},
	{"a look is not a choice of the row", func() *story {
		t := opened()
		t.verdict(3, 4, "look: the page is not known yet")
		t.verdict(4, 4, "continue: reload")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"giving up is right when a fault demands it", func() *story {
		t := opened()
		t.strikes(ended)
		t.verdict(13, 13, "give up: budget")
		t.ends("manual")
		return t
	}},
	{"a plan of the same round replaces the first", func() *story {
		t := opened()
		t.asks(1, "```\n# PLAN pi-bridge/1\n```")
		t.repairs(1, wire.CodeFrame)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.runs(2)
		t.closes(3)
		return t
	}},
}

func statuses(found map[string]oracle.Verdict, s oracle.Status) []string {
	var out []string
	for name, v := range found {
		if v.Status == s {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

var _ = Describe("the promises", func() {
	for _, b := range broken {
		It(b.oracle+" is broken: "+b.what, func() {
			t := b.tell()
			found := t.judged()
			Expect(statuses(found, oracle.Fail)).To(Equal([]string{b.oracle}), "%v", found)
			Expect(statuses(found, oracle.Unknown)).To(BeEmpty(), "%v", found)
			Expect(found[b.oracle].Message).NotTo(BeEmpty())
			Expect(found[b.oracle].Seqs).NotTo(BeEmpty())
			for _, seq := range found[b.oracle].Seqs {
				Expect(seq).To(And(BeNumerically(">", 0), BeNumerically("<=", t.log.Len())))
			}
		})
	}

	for _, k := range kept {
		It("all hold: "+k.what, func() {
			found := k.tell().judged()
			Expect(statuses(found, oracle.Fail)).To(BeEmpty(), "%v", found)
			Expect(statuses(found, oracle.Unknown)).To(BeEmpty(), "%v", found)
		})
	}

	It("none is idle", func() {
		for _, o := range oracle.All() {
			Expect(slices.ContainsFunc(broken, func(b struct {
				oracle, what string
				tell         func() *story
			},
			) bool {
				return b.oracle == o.Name
			})).To(BeTrue(), "no story breaks %s", o.Name)
		}
	})

	It("have one sentence and one name each", func() {
		names, sentences := map[string]bool{}, map[string]bool{}
		for _, o := range oracle.All() {
			Expect(names[o.Name]).To(BeFalse(), o.Name)
			Expect(sentences[o.Promise.Error()]).To(BeFalse(), o.Name)
			names[o.Name], sentences[o.Promise.Error()] = true, true
		}
	})

	It("give an error that keeps its kind", func() {
		c, err := oracle.NewCase(broken[0].tell().log.Header(), broken[0].tell().log.Events())
		Expect(err).NotTo(HaveOccurred())
		f := oracle.Judge(c)[0]
		Expect(errors.Is(f.Err(), oracle.ErrRoundTwice)).To(BeTrue())
		Expect(f.Err()).To(MatchError(ContainSubstring("ROUND 1 was sent twice")))
		Expect(oracle.Overall(oracle.Judge(c))).To(Equal(oracle.Fail))
	})
})

var _ = Describe("a history with less in it", func() {
	stories := func(f func(what string, t *story)) {
		for _, b := range broken {
			f(b.oracle+": "+b.what, b.tell())
		}
		for _, k := range kept {
			f(k.what, k.tell())
		}
	}

	It("is judged alike by its readings and by its bodies", func() {
		stories(func(what string, t *story) {
			full := t.judged()
			h, events := t.log.Header(), t.log.Events()
			Expect(
				judgedAlike(judge(h, without(events, true, false)), full),
			).To(BeEmpty(), "readings: %s", what)
			Expect(
				judgedAlike(judge(h, without(events, false, true)), full),
			).To(BeEmpty(), "bodies: %s", what)
		})
	})

	It("is never passed by what it does not hold", func() {
		stories(func(what string, t *story) {
			full := t.judged()
			blind := judge(t.log.Header(), without(t.log.Events(), true, true))
			for name, v := range blind {
				if full[name].Status == oracle.Fail {
					Expect(v.Status).NotTo(Equal(oracle.Pass), "%s, %s", name, what)
				}
			}
		})
	})

	DescribeTable("is unknown, not passed",
		func(name string, tell func() *story) {
			t := tell()
			Expect(t.judged()[name].Status).To(Equal(oracle.Unknown))
			c, err := oracle.NewCase(t.log.Header(), t.log.Events())
			Expect(err).NotTo(HaveOccurred())
			Expect(oracle.Overall(oracle.Judge(c))).To(Equal(oracle.Unknown))
		},
		Entry("no end", "named-end", func() *story {
			t := storyOn("virtual", oracle.Script{})
			t.starts("")
			return t
		}),
		Entry("no start", "named-end", func() *story {
			t := newStory()
			t.hello()
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("no expected row", "row", func() *story {
			t := opened()
			t.note(point.NoteVerdict, "3", "continue: dropped")
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("evidence that nobody looked at", "evidence", func() *story {
			t := opened()
			t.note(point.NoteVerdict, "3", "look: dropped")
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("a fault that no table knows", "completes", func() *story {
			t := opened()
			t.strikes("nonsense at nowhere")
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("a fault and no known end", "completes", func() *story {
			t := storyOn("virtual", oracle.Script{})
			t.starts("")
			t.hello()
			t.strikes(cut)
			t.closes(1)
			return t
		}),
		Entry("a moment that did not come on a real browser", "faults-reached", func() *story {
			t := storyOn("chromium", oracle.Script{End: "done"})
			t.starts("")
			t.hello()
			t.fault("armed", cut, "")
			t.closes(1)
			return t
		}),
		Entry("nobody watched the browser", "blocker", func() *story {
			t := storyOn("virtual", oracle.Script{End: "done"})
			t.starts("")
			t.journal(session.RecIntent, 0, "HELLO")
			t.answers(t.arrives(t.helloText()), t.ackText())
			t.journal(session.RecIntent, 1, "ROUND")
			text := planText(t.frame(1), wire.DecisionDone, "无")
			t.answers(t.arrives(t.roundText(1)), text)
			t.ends("done")
			return t
		}),
	)

	It("must be in order and not empty", func() {
		_, err := oracle.NewCase(history.Header{}, nil)
		Expect(err).To(MatchError(oracle.ErrHistory))
		_, err = oracle.NewCase(history.Header{}, []history.Event{{Seq: 2}, {Seq: 1}})
		Expect(err).To(MatchError(oracle.ErrHistory))
	})
})

// judgedAlike names the oracles whose status differs.
func judgedAlike(a, b map[string]oracle.Verdict) (differ []string) {
	for name, v := range a {
		if v.Status != b[name].Status {
			differ = append(differ, name+": "+v.Status.String()+" "+v.Message)
		}
	}
	sort.Strings(differ)
	return differ
}
