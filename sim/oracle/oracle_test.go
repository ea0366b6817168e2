package oracle_test

import (
	"errors"
	"fmt"
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
	"bridgesim/faults"
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
	{"whole-messages", "another text than the one that was meant is sent", func() *story {
		t := opened()
		t.runs(1)
		t.submits(t.roundText(2))
		t.answers(t.arrives(t.roundText(2)+"\n\n快点"), "什么？")
		t.closes(3)
		return t
	}},
	{"whole-messages", "a text without header, and no person wrote it", func() *story {
		t := opened()
		t.arrives("你好")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"blocker", "the button is pressed, and no look for a blocker came right before", func() *story {
		t := opened()
		t.runs(1)
		t.call(point.SendReadBack, "composer")
		t.call(point.SendSubmit, "Input.dispatchMouseEvent")
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
	{
		"forbidden", "a reload is answered with RESYNC while a ROUND was forgotten (row 4)",
		func() *story {
			t := opened()
			t.verdict(4, 4, "continue: reload")
			t.asks(1, "什么？")
			t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
			t.runs(2)
			t.closes(3)
			return t
		},
	},
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
	{"forbidden", "pi has changed again, and an earlier RESYNC is taken to do (row 9)", func() *story {
		t := opened()
		t.verdict(9, 9, "RESYNC: caps changed")
		id := t.sends("# RESYNC pi-bridge/1\n\n" + t.helloText())
		t.strikes("change-caps at wait.poll@1:streaming#1/before with caps=file.read")
		t.world("killed", "", "")
		t.starts("")
		t.verdict(9, 9, "RESYNC: caps changed")
		t.answers(id, t.ackText())
		t.runs(1)
		t.closes(2)
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
	{"completes", "it wastes its attempts on one fault", func() *story {
		t := opened()
		t.strikes(cut)
		for range 3 {
			t.journal(session.RecBudget, 1, "")
		}
		t.verdict(13, 13, "give up: budget")
		t.ends("manual")
		return t
	}},
	{"completes", "the attempts began anew at a checkpoint, and then one was wasted", func() *story {
		t := opened()
		t.loops(3)
		t.runs(1)
		t.loops(3)
		t.journal(session.RecBudget, 2, "")
		t.verdict(13, 13, "give up: budget")
		t.ends("manual")
		return t
	}},
	{"completes", "its attempts do not outlast an outage of some minutes", func() *story {
		t := opened()
		t.begins(down)
		for range 12 {
			t.now += time.Minute
			t.journal(session.RecBudget, 1, "")
		}
		t.verdict(13, 13, "give up: budget")
		t.ends("manual")
		return t
	}},
	{"completes", "a captcha comes behind the outcome, and the next process gives up", func() *story {
		t := opened()
		t.runs(1)
		t.outcome("interrupted")
		t.strikes("captcha at detach.close@1#1/after")
		t.starts("person")
		t.ends("blocker")
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
	{
		"repair-remote", "the record is edited behind the last look: the answer was a valid PLAN",
		func() *story {
			t := opened()
			id := t.sends(t.roundText(1))
			t.answers(id, planText(t.frame(1), wire.DecisionContinue, "npm test"))
			t.looks()
			t.edits(id, "(this message was edited)")
			t.repairs(1, wire.CodeHeader)
			t.claims(1)
			t.settles(1)
			t.checkpoints(1)
			t.closes(2)
			return t
		},
	},
	{"after-done", "the record is edited behind the last look: the answer was done", func() *story {
		t := opened()
		t.runs(1)
		id := t.sends(t.roundText(2))
		t.answers(id, planText(t.frame(2), wire.DecisionDone, "无"))
		t.looks()
		t.edits(id, "（已编辑）")
		t.resumes(1, 3)
		t.ends("done")
		return t
	}},
	{"after-done", "done was taken down, then the record was edited", func() *story {
		t := opened()
		t.runs(1)
		id := t.sends(t.roundText(2))
		text := planText(t.frame(2), wire.DecisionDone, "无")
		t.answers(id, text)
		t.looks()
		t.journal(session.RecTerminal, 2, t.read(2, text).Key)
		t.edits(id, "（已编辑）")
		t.looks()
		t.resumes(1, 3)
		t.ends("done")
		return t
	}},
	{"after-done", "the answer before was cut off, this one is whole", func() *story {
		t := opened()
		t.runs(1)
		t.brokeOff(2, wire.DecisionDone)
		t.resumes(1, 3)
		t.planned(3, wire.DecisionDone)
		t.resumes(1, 4)
		t.ends("done")
		return t
	}},
	{"done-terminal", "pi says done by an answer that was cut off", func() *story {
		t := opened()
		t.runs(1)
		t.brokeOff(2, wire.DecisionDone)
		t.ends("done")
		return t
	}},
	{"word-for-word", "a plan that was cut off is executed", func() *story {
		t := opened()
		t.runs(1)
		t.brokeOff(2, wire.DecisionContinue)
		t.claims(2)
		t.settles(2)
		t.checkpoints(2)
		t.closes(3)
		return t
	}},
	{"established", "a ROUND after an acknowledgement that was cut off", func() *story {
		t := newStory()
		t.starts("")
		id := t.sends(t.helloText())
		t.thinks(id, t.ackText())
		t.stops(id)
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"named-end", "a killed process names an outcome", func() *story {
		t := opened()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.world("killed", "", "")
		t.ends("done")
		return t
	}},
	{"named-end", "a process goes away without an outcome", func() *story {
		t := opened()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.starts("")
		t.ends("done")
		return t
	}},
	{
		"named-end", "the next process names another outcome than the one that closed the session",
		func() *story {
			t := storyOn("virtual", oracle.Script{})
			t.starts("")
			t.hello()
			t.runs(1)
			t.planned(2, wire.DecisionDone)
			t.outcome("done")
			t.world("killed", "", "")
			t.starts("")
			t.ends("manual")
			return t
		},
	},
	{"one-sid", "a click that was left behind lands, and nothing was lost but pi", func() *story {
		return leftBehind("kill-pi at send.submit@0#2/late", "", func(*story) {})
	}},
	{"one-sid", "the journal is lost, and an open tab leads back", func() *story {
		t := opened()
		t.strikes("lose-cache at wait.poll@0:finished#1/before")
		t.world("killed", "pi", "")
		t.starts(oracle.StartLed)
		t.sid = "00000000deadbeef"
		t.hello()
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"one-sid", "the new process goes on in the session that was left behind as well", func() *story {
		return leftBehind("lose-cache at send.submit@0#2/late", oracle.StartUnled, func(t *story) {
			t.sid = sid
			t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
			t.sid = "00000000deadbeef"
		})
	}},
	{"converges", "the line is back, and pi dawdles", func() *story {
		t := opened()
		t.strikes(cut)
		t.now += 2 * time.Minute
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"converges", "an outage of a minute is paid for with ten", func() *story {
		t := opened()
		t.begins(down)
		t.now += time.Minute
		t.fault("healed", down, "")
		t.now += 10 * time.Minute
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"converges", "a fault that stays need not be waited for", func() *story {
		t := opened()
		t.begins("copy-broken at wait.poll@1:streaming#1/before")
		t.fault("stays", "copy-broken at wait.poll@1:streaming#1/before", "it never heals")
		t.now += 3 * time.Minute
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

// resumes is a RESUME behind the last checkpoint, with its acknowledgement.
func (t *story) resumes(ck, next int) {
	at := wire.Checkpoint{Round: ck, Key: t.prev}
	t.answers(t.sends(t.resumeText(at, next)), t.resumeAck(at.String(), next))
}

// brokeOff is a ROUND whose answer, a plan, is stopped before it is whole.
func (t *story) brokeOff(round int, d wire.Decision) {
	text := planText(t.frame(round), d, "npm test")
	id := t.sends(t.roundText(round))
	t.thinks(id, text)
	t.now += thought / 2
	t.stops(id)
	t.read(round, text)
}

// loops: pi is killed at every start, and each process had taken its attempt.
func (t *story) loops(times int) {
	for range times {
		t.n++
		t.strikes(fmt.Sprintf("kill-pi at attach.pages@1#%d/before", t.n))
		t.world("killed", "", "")
		t.starts("")
		t.journal(session.RecBudget, 1, "")
	}
}

// last is the id of the last message.
func (t *story) last() string { return fmt.Sprintf("message-%d", t.n) }

// leftBehind: pi dies with its HELLO in a busy renderer; the click takes effect when the next
// process has begun, which says HELLO in a session of its own.
func leftBehind(fault, start string, then func(*story)) *story {
	t := newStory()
	t.starts("")
	t.call(point.Connect, "dial")
	t.submits(t.helloText())
	t.strikes(fault)
	t.world("killed", "pi", "")
	t.starts(start)
	t.call(point.Connect, "dial")
	t.world("late-effect", "tab-1", "Input.dispatchMouseEvent")
	t.answers(t.arrives(t.helloText()), t.ackText())
	t.sid = "00000000deadbeef"
	if start == oracle.StartUnled {
		t.where = "conv-2"
	}
	t.hello()
	then(t)
	t.runs(1)
	t.closes(2)
	return t
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
	{
		"a reload, and later a REPAIR is answered as if nobody knew the protocol (row 4)",
		func() *story {
			t := opened()
			t.verdict(4, 4, "continue: reload")
			t.asks(1, "什么？")
			t.answers(t.sends(wire.RepairRound(t.frame(1), []wire.Code{wire.CodeHeader})), "什么？")
			t.journal(session.RecRoundClosed, 1, "")
			t.answers(t.sends("# RESYNC pi-bridge/1\n\n"+t.helloText()), t.ackText())
			t.runs(2)
			t.closes(3)
			return t
		},
	},
	{"pi is killed while its RESYNC is on the way: it does not say it again (row 9)", func() *story {
		t := opened()
		t.verdict(9, 9, "RESYNC: caps changed")
		id := t.sends("# RESYNC pi-bridge/1\n\n" + t.helloText())
		t.world("killed", "", "")
		t.starts("")
		t.verdict(9, 9, "RESYNC: caps changed")
		t.answers(id, t.ackText())
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
	{"the record is edited before the first look: what stands there is repaired", func() *story {
		t := opened()
		id := t.sends(t.roundText(1))
		t.answers(id, planText(t.frame(1), wire.DecisionContinue, "npm test"))
		t.edits(id, "(this message was edited)")
		t.looks()
		t.verdict(1, 1, "retry: the sources do not agree")
		t.repairs(1, wire.CodeHeader)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"a REPAIR under row 1 of what the record holds by now", func() *story {
		t := opened()
		id := t.sends(t.roundText(1))
		t.answers(id, "```\n# PLAN pi-bridge/1\n```")
		t.looks()
		t.repairs(1, wire.CodeFrame)
		t.verdict(1, 1, "retry: copy is broken")
		t.looks()
		t.edits(t.last(), "```\n# PLAN pi-bridge/1\n```")
		t.looks()
		t.repairs(1, wire.CodeFrame)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"done is edited away before the first look", func() *story {
		t := opened()
		t.runs(1)
		id := t.sends(t.roundText(2))
		t.answers(id, planText(t.frame(2), wire.DecisionDone, "无"))
		t.edits(id, "(this message was edited)")
		t.looks()
		t.answers(t.sends(wire.RepairRound(t.frame(2), []wire.Code{wire.CodeHeader})),
			planText(t.frame(2), wire.DecisionDone, "npm test"))
		t.ends("done")
		return t
	}},
	{"a record is edited into another plan, and that one is executed", func() *story {
		t := opened()
		id := t.sends(t.roundText(1))
		t.answers(id, planText(t.frame(1), wire.DecisionContinue, "npm test"))
		other := planText(t.frame(1), wire.DecisionContinue, "npm run other")
		t.edits(id, other)
		t.looks()
		t.read(1, other)
		t.claims(1)
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"a done answer was cut off: it is none, and the next ROUND follows", func() *story {
		t := opened()
		t.runs(1)
		t.brokeOff(2, wire.DecisionDone)
		t.resumes(1, 3)
		t.closes(3)
		return t
	}},
	{
		"pi is killed while it puts its things away: the outcome stands, and is named again",
		func() *story {
			t := opened()
			t.runs(1)
			t.planned(2, wire.DecisionDone)
			t.journal(session.RecTerminal, 2, t.plans[2].Key)
			t.outcome("done")
			t.strikes("kill-pi at detach.close@2#1/after")
			t.world("killed", "", "")
			t.starts("")
			t.ends("done")
			return t
		},
	},
	{"a bug strikes while pi puts its things away", func() *story {
		t := storyOn("virtual", oracle.Script{End: "done", Plans: 1})
		t.starts("")
		t.hello()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.journal(session.RecTerminal, 2, t.plans[2].Key)
		t.outcome("done")
		t.strikes("panic at detach.close@2#1/before")
		t.world("panic", "", "")
		t.world("end", "thrown", "")
		return t
	}},
	{"the journal is of a newer version when pi starts again behind its outcome", func() *story {
		t := opened()
		t.runs(1)
		t.planned(2, wire.DecisionDone)
		t.outcome("done")
		t.strikes("newer-cache at detach.close@2#1/after")
		t.world("killed", "", "")
		t.starts("")
		t.world("end", oracle.RefusedToBegin, "")
		return t
	}},
	{
		"a click that was left behind lands when its journal is lost and a new session has begun",
		func() *story {
			return leftBehind("lose-cache at send.submit@0#2/late", oracle.StartUnled, func(*story) {})
		},
	},
	{"the same, where nobody looked what leads back", func() *story {
		return leftBehind("lose-cache at send.submit@0#2/late", "", func(*story) {})
	}},
	{"the journal is lost in a later round and no tab is left: a new session begins", func() *story {
		t := opened()
		t.strikes("close-tab at wait.poll@1:streaming#1/before")
		t.strikes("lose-cache at discover.turns@1#1/before")
		t.world("killed", "pi", "")
		t.starts(oracle.StartUnled)
		t.sid, t.where = "00000000deadbeef", "conv-2"
		t.hello()
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"the line is back, and pi is as well", func() *story {
		t := opened()
		t.strikes(cut)
		t.now += 30 * time.Second
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"the line is back, and the site takes an hour", func() *story {
		t := opened()
		t.strikes(cut)
		text := planText(t.frame(1), wire.DecisionContinue, "npm test")
		id := t.sends(t.roundText(1))
		t.ledger(fakesite.Entry{
			Kind: fakesite.Answered, Conversation: talk, MessageID: id, Text: text,
			Ending: fakesite.Complete, Ends: start.Add(t.now + time.Hour),
		})
		t.now += time.Hour
		t.read(1, text)
		t.claims(1)
		t.now += time.Hour
		t.settles(1)
		t.checkpoints(1)
		t.closes(2)
		return t
	}},
	{"an outage of a minute costs a pause of a minute", func() *story {
		t := opened()
		t.begins(down)
		t.now += time.Minute
		t.fault("healed", down, "")
		t.now += 80 * time.Second
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"the run is over before the fault is", func() *story {
		t := opened()
		t.begins("record-down at wait.poll@1:streaming#1/before with for=1h0m0s")
		t.runs(1)
		t.closes(2)
		return t
	}},
	{"an outage of a day is longer than any budget", func() *story {
		t := opened()
		t.begins("relaunch at wait.poll@1:streaming#1/before with for=24h0m0s")
		for range 12 {
			t.now += 5 * time.Minute
			t.journal(session.RecBudget, 1, "")
		}
		t.verdict(13, 13, "give up: budget")
		t.ends("manual")
		return t
	}},
	{"a captcha comes while a page that pi only looked into is closed", func() *story {
		t := opened()
		t.strikes("captcha at detach.close@1#1/after")
		t.ends("blocker")
		return t
	}},
	{"a crash loop: every attempt met a fault of its own", func() *story {
		t := opened()
		t.loops(3)
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

	DescribeTable("a run that the world had to end after a fault does not converge",
		func(how string) {
			t := opened()
			t.strikes(cut)
			t.world("end", "", how)
			Expect(t.judged()["converges"].Status).To(Equal(oracle.Fail))
		},
		Entry("it hangs", "hang"), Entry("it goes on and on", "bound"))

	It("bound the recovery from every kind of fault", func() {
		for _, k := range faults.Kinds() {
			Expect(oracle.Allowance(k)).To(BeNumerically(">", 0), string(k))
		}
		Expect(oracle.Allowance("nonsense")).To(BeZero())
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
		Entry("nobody knows when the fault was over", "converges", func() *story {
			t := opened()
			t.begins(cut)
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("a fault and no known end of the script", "converges", func() *story {
			t := storyOn("virtual", oracle.Script{})
			t.starts("")
			t.hello()
			t.strikes(cut)
			t.closes(1)
			return t
		}),
		Entry("the browser's own time on a fast clock", "converges", func() *story {
			t := storyOn("chromium", oracle.Script{End: "done", Plans: 1})
			t.starts("")
			t.hello()
			t.strikes(cut)
			t.now += 2 * time.Minute
			t.runs(1)
			t.closes(2)
			return t
		}),
		Entry("a machine that takes longer than the pace of its clock explains", "converges",
			func() *story { return paced(time.Nanosecond) }),
		Entry("the history stops", "converges", func() *story {
			t := opened()
			t.strikes(cut)
			t.runs(1)
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
