package fakesite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
)

func threeRounds() fakesite.Script {
	return fakesite.Script{Rounds: []fakesite.RoundScript{{Round: 3}}}
}

var _ = Describe("The persona", func() {
	var d *dialogue
	BeforeEach(func() { d = talk(fakesite.Config{Script: threeRounds()}) })

	Describe("in a quiet session", func() {
		It("acknowledges, plans, and is done in the last scripted round", func() {
			_, failures := wire.Gate(offer(), d.hello())
			Expect(failures).To(BeEmpty())
			prev := "-"
			for r, want := range []wire.Decision{"continue", "continue", "done"} {
				p := d.plan(r+1, prev)
				Expect(p.Decision).To(Equal(want))
				Expect(p.Effects()).To(Equal(want == "continue"))
				Expect(p.Frame).To(Equal(at(r+1, prev)))
				prev = p.Key
			}
		})

		It("says the plan that the script writes", func() {
			move := fakesite.Move{
				Decision: "need_info", Task: "look", Goal: "看一看", Steps: []string{"甲", "乙"},
				Files: []string{"a.txt :: 新建"}, Commands: []string{}, Risks: []string{"慢"},
				Verify: []string{"看"}, Notes: "备注",
			}
			d = talk(fakesite.Config{Script: fakesite.Script{Rest: move}})
			d.hello()
			p := d.plan(1, "-")
			Expect(p.Decision).To(Equal(wire.DecisionNeedInfo))
			Expect([]string{p.Task, p.Goal, p.Notes}).To(Equal([]string{"look", "看一看", "备注"}))
			Expect(p.Steps).To(Equal(move.Steps))
			Expect(p.Files).To(Equal(move.Files))
			Expect(p.Commands).To(Equal([]string{"无"}))
			Expect(p.Risks).To(Equal(move.Risks))
			Expect(p.Verify).To(Equal(move.Verify))
		})

		It("gives a valid default plan for each decision, stopping ones without effects", func() {
			for _, decision := range wire.Decisions() {
				d = talk(fakesite.Config{
					Script: fakesite.Script{Rest: fakesite.Move{Decision: string(decision)}},
				})
				d.hello()
				p := d.plan(1, "-")
				Expect(p.Decision).To(Equal(decision))
				stops := decision == wire.DecisionDone || decision == wire.DecisionBlocked
				Expect(p.Effects()).To(Equal(!stops))
			}
		})

		It("says a scripted text word for word", func() {
			moves := []fakesite.Move{{Say: "```\nodd\n```"}}
			d = talk(fakesite.Config{Script: fakesite.Script{Handshake: moves}})
			Expect(d.hello()).To(Equal("```\nodd\n```"))
		})
	})

	Describe("without a contract", func() {
		It("chats with a person", func() {
			Expect(hasHeader(d.say("今天天气怎么样？"))).To(BeFalse())
			Expect(hasHeader(d.say("# HELLO pi-bridge/2\nS: " + sid))).To(BeFalse())
		})

		It("asks for the contract when no HELLO is in this conversation", func() {
			for _, text := range []string{
				wire.FirstRound(at(1, "-"), request), wire.RepairRound(at(1, "-"), wire.Codes()[:1]),
				offer().Resume(wire.Checkpoint{}, 1), "# HELLO pi-bridge/1", "# RESYNC pi-bridge/1",
			} {
				answer := d.say(text)
				Expect(answer).To(ContainSubstring("CONTRACT"))
				Expect(hasHeader(answer)).To(BeFalse())
			}
		})

		It("asks for the contract of a session that it does not know", func() {
			d.hello()
			f := at(1, "-")
			f.SID = "0000000000000000"
			Expect(d.round(f)).To(ContainSubstring("CONTRACT"))
			o := wire.NewOffer(f.SID, request, "", nil, nil)
			Expect(d.say(o.Resume(wire.Checkpoint{}, 1))).To(ContainSubstring("CONTRACT"))
			Expect(hasHeader(d.say(wire.RepairRound(at(1, "-"), nil)))).To(BeFalse(), "no round yet")
		})
	})

	DescribeTable("answers a FRAME that cannot be right with its own, field by field",
		func(change func(*wire.Frame)) {
			d.hello()
			first := d.plan(1, "-")
			right := at(2, first.Key)
			wrong := right
			change(&wrong)
			reply := d.round(wrong)
			valid(reply, right)
			_, faults := wire.CheckPlan(reply, wrong)
			Expect(codes(faults)).To(Equal([]string{"E_FRAME"}))
		},
		Entry("the round again", func(f *wire.Frame) { f.Round = 1 }),
		Entry("a jump", func(f *wire.Frame) { f.Round = 3 }),
		Entry("a plan that it never wrote", func(f *wire.Frame) { f.Prev = "00000000" }),
		Entry("another request", func(f *wire.Frame) { f.QID = "00000000" }),
	)

	It("asks about a missing FRAME and completes a torn one", func() {
		d.hello()
		Expect(d.say("# ROUND pi-bridge/1")).To(ContainSubstring("CONTRACT"))
		valid(d.say("# ROUND pi-bridge/1\nFRAME: s="+sid), at(1, "-"))
	})

	Describe("and the plan before", func() {
		It("may be an earlier one, and never goes back", func() {
			d.hello()
			one := d.plan(1, "-").Key
			d.plan(2, "-") // round 1 was not settled
			d.plan(3, one) // it was, round 2 was not
			_, faults := wire.CheckPlan(d.round(at(4, "-")), at(4, "-"))
			Expect(codes(faults)).To(Equal([]string{"E_FRAME"}))
		})

		It("does not go back to an earlier plan either", func() {
			d.hello()
			one := d.plan(1, "-").Key
			two := d.plan(2, one).Key
			d.plan(3, two)
			_, faults := wire.CheckPlan(d.round(at(4, one)), at(4, one))
			Expect(codes(faults)).To(Equal([]string{"E_FRAME"}))
		})

		It("is the last one of a repaired round", func() {
			d.hello()
			first := d.plan(1, "-").Key
			reply := d.say(wire.RepairRound(at(1, "-"), []wire.Code{wire.CodeParse}))
			second := valid(reply, at(1, "-")).Key
			Expect(second).To(Equal(first), "the same round gives the same plan")
			d.plan(2, second)
		})

		It("is none that was wrong on purpose", func() {
			moves := deviating(fakesite.PlanNoRisks)
			d = talk(fakesite.Config{
				Script: fakesite.Script{Rounds: []fakesite.RoundScript{{Round: 1, Moves: moves}}},
			})
			d.hello()
			bad, _ := wire.CheckPlan(d.round(at(1, "-")), at(1, "-"))
			f := at(2, bad.Key)
			_, faults := wire.CheckPlan(d.round(f), f)
			Expect(codes(faults)).To(Equal([]string{"E_FRAME"}))
		})
	})

	Describe("asked to REPAIR", func() {
		It("goes through the round's moves and then corrects", func() {
			moves := []fakesite.Move{
				{Deviate: fakesite.PlanSID}, {Deviate: fakesite.PlanForgot, Task: "the-task"},
			}
			d = talk(fakesite.Config{
				Script: fakesite.Script{Rounds: []fakesite.RoundScript{{Round: 1, Moves: moves}}},
			})
			d.hello()
			f := at(1, "-")
			_, faults := wire.CheckPlan(d.round(f), f)
			Expect(codes(faults)).To(Equal([]string{"E_FRAME"}))
			repair := wire.RepairRound(f, []wire.Code{wire.CodeFrame})
			Expect(hasHeader(d.say(repair))).To(BeFalse())
			Expect(valid(d.say(repair), f).Task).To(Equal("the-task"), "only the fault is gone")
			Expect(valid(d.say(repair), f).Task).To(Equal("the-task"))
		})

		It("keeps the FRAME that it had", func() {
			d.hello()
			d.plan(1, "-")
			f := at(2, "-")
			valid(d.say(wire.RepairRound(f, []wire.Code{wire.CodeFrame})), at(1, "-"))
		})
	})

	Describe("asked to RESUME", func() {
		var one, two string
		BeforeEach(func() {
			d.hello()
			one = d.plan(1, "-").Key
			two = d.plan(2, one).Key
		})
		accepted := func(ck wire.Checkpoint, next int) []string {
			_, failures := wire.GateResume(offer(), ck, next, d.say(offer().Resume(ck, next)))
			return conditions(failures)
		}

		It("agrees to what can be right", func() {
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 2)).To(BeEmpty())
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 3)).To(BeEmpty())
			Expect(accepted(wire.Checkpoint{Round: 2, Key: two}, 3)).To(BeEmpty())
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 3)).NotTo(BeEmpty(), "CK went back")
			d.plan(3, two)
		})

		It("goes on behind a round that was lost", func() {
			Expect(accepted(wire.Checkpoint{Round: 2, Key: two}, 4)).To(BeEmpty())
			d.plan(4, two)
			d.plan(5, two)
		})

		It("does not take a round twice, agreed or not", func() {
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 2)).To(BeEmpty())
			valid(d.round(at(2, one)), at(3, one)) // the round that is due, not the one asked for
		})

		It("names its own values instead of what cannot be right", func() {
			Expect(accepted(wire.Checkpoint{Round: 2, Key: one}, 3)).To(Equal([]string{"ck"}))
			Expect(accepted(wire.Checkpoint{Round: 1, Key: "00000000"}, 2)).To(Equal([]string{"ck", "next"}))
			Expect(accepted(wire.Checkpoint{}, 1)).To(Equal([]string{"ck", "next"}), "p was settled")
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 1)).To(Equal([]string{"next"}))
			Expect(accepted(wire.Checkpoint{Round: 1, Key: one}, 9)).To(Equal([]string{"next"}))
		})

		It("takes 0:- before any plan is settled", func() {
			d = talk(fakesite.Config{Script: threeRounds()})
			d.hello()
			Expect(accepted(wire.Checkpoint{}, 1)).To(BeEmpty())
			Expect(accepted(wire.Checkpoint{}, 2)).To(BeEmpty())
			d.plan(2, "-")
		})
	})

	Describe("told a contract again", func() {
		It("keeps the rounds of the same session", func() {
			d.hello()
			one := d.plan(1, "-").Key
			_, failures := wire.Gate(offer(), d.say(offer().Resync()))
			Expect(failures).To(BeEmpty())
			d.plan(2, one)
		})

		It("takes over changed versions", func() {
			d.hello()
			o := offer()
			o.Cap = "c1.00000000"
			_, failures := wire.Gate(o, d.say(o.Resync()))
			Expect(failures).To(BeEmpty())
		})

		It("begins anew for another session", func() {
			d.hello()
			d.plan(1, "-")
			o := wire.NewOffer("00000000000000aa", request, "", nil, nil)
			_, failures := wire.Gate(o, d.say(o.Hello()))
			Expect(failures).To(BeEmpty())
			f := wire.Frame{SID: o.SID, Round: 1, Prev: "-", QID: o.QID}
			valid(d.round(f), f)
		})
	})

	It("reads through the noise of an editor", func() {
		d.hello()
		text := "\uFEFF\r\n# ROUND\u00A0pi-bridge/1\r\nFRAME:\u00A0s=" + sid + "  r=1 p=- q=" +
			offer().QID + "\u00A0\r\n\r\n## 用户请求\r\n" + request
		valid(d.say(text), at(1, "-"))
	})

	It("believes what the record says now", func() {
		d.hello()
		one := d.plan(1, "-").Key
		d.plan(2, one)
		c := d.conv
		Expect(d.site.Truncate(c.ID, c.Messages[1].ID)).To(BeTrue())
		d.plan(1, "-") // nothing was planned as far as it knows
		Expect(d.site.Remove(c.ID, c.Messages[0].ID)).To(BeTrue())
		Expect(d.round(at(2, "-"))).To(ContainSubstring("CONTRACT"))
	})
})

var _ = Describe("A script", func() {
	DescribeTable("is refused with a reason",
		func(s fakesite.Script, reason string) {
			Expect(s.Validate()).To(MatchError(ContainSubstring(reason)))
		},
		Entry("name", fakesite.Script{Rest: fakesite.Move{Deviate: "x"}}, `"x" is not known`),
		Entry("part", fakesite.Script{Handshake: deviating(fakesite.PlanSID)}, "handshake answer 1"),
		Entry("part", fakesite.Script{Resume: deviating(fakesite.AckNoFrame)}, "resume answer 1"),
		Entry("decision", fakesite.Script{Rest: fakesite.Move{Decision: "x"}}, `decision "x"`),
		Entry("round", fakesite.Script{Rounds: []fakesite.RoundScript{{}}}, "count from 1"),
		Entry("twice", fakesite.Script{
			Rounds: []fakesite.RoundScript{{Round: 2}, {Round: 2}},
		}, "each once"),
		Entry("move", fakesite.Script{
			Rounds: []fakesite.RoundScript{{Round: 2, Moves: deviating("y")}},
		}, "round 2, answer 1"),
	)

	It("is taken otherwise", func() {
		for _, info := range fakesite.Deviations() {
			s := threeRounds()
			switch info.Applies[0] {
			case fakesite.PartAck:
				s.Handshake = deviating(info.Name)
			case fakesite.PartResume:
				s.Resume = deviating(info.Name)
			default:
				s.Rounds[0].Moves = deviating(info.Name)
			}
			Expect(s.Validate()).To(Succeed())
		}
	})
})
