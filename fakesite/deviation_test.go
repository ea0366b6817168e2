package fakesite_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
)

func deviating(d fakesite.Deviation) []fakesite.Move {
	return []fakesite.Move{{Deviate: d}}
}

// verdict lets the persona deviate in one kind of answer and has the bridge's reader judge it: the
// answer as it deviates, and the next one of the same kind, which must be faultless.
func verdict(part fakesite.Part, name fakesite.Deviation) (first, second []string) {
	switch part {
	case fakesite.PartAck:
		d := talk(fakesite.Config{Script: fakesite.Script{Handshake: deviating(name)}})
		_, failed := wire.Gate(offer(), d.hello())
		_, again := wire.Gate(offer(), d.say(offer().Resync()))
		return conditions(failed), conditions(again)
	case fakesite.PartResume:
		d := talk(fakesite.Config{Script: fakesite.Script{Resume: deviating(name)}})
		d.hello()
		ck := wire.Checkpoint{Round: 1, Key: d.plan(1, "-").Key}
		_, failed := wire.GateResume(offer(), ck, 2, d.say(offer().Resume(ck, 2)))
		_, again := wire.GateResume(offer(), ck, 2, d.say(offer().Resume(ck, 2)))
		return conditions(failed), conditions(again)
	}
	d := talk(fakesite.Config{Script: fakesite.Script{
		Rounds: []fakesite.RoundScript{{Round: 2, Moves: deviating(name)}, {Round: 3}},
	}})
	d.hello()
	f := at(2, d.plan(1, "-").Key)
	p, faults := wire.CheckPlan(d.round(f), f)
	fixed, rest := wire.CheckPlan(d.say(wire.RepairRound(f, []wire.Code{wire.CodeParse})), f)
	key := fixed.Key
	if len(faults) == 0 {
		Expect(p.Decision).To(Equal(wire.DecisionContinue))
	}
	if len(rest) == 0 {
		d.plan(3, key) // the persona knows its own plan by the bridge's key
	}
	return codes(faults), codes(rest)
}

var _ = Describe("Deviations", func() {
	for _, info := range fakesite.Deviations() {
		for _, part := range info.Applies {
			It(string(part)+" "+string(info.Name)+" "+info.Sentence, func() {
				first, second := verdict(part, info.Name)
				Expect(first).To(Equal(info.Expect))
				Expect(second).To(BeEmpty())
			})
		}
	}

	It("are harmless exactly when nothing is expected of a reader", func() {
		row, ok := fakesite.DeviationByName(fakesite.SmartQuotes)
		Expect(ok).To(BeTrue())
		Expect(row.Harmless()).To(BeTrue())
		row, _ = fakesite.DeviationByName(fakesite.PlanSID)
		Expect(row.Harmless()).To(BeFalse())
		_, ok = fakesite.DeviationByName("no-such")
		Expect(ok).To(BeFalse())
	})

	It("have one name each, and change the text of the answer", func() {
		var names []fakesite.Deviation
		for _, info := range fakesite.Deviations() {
			Expect(names).NotTo(ContainElement(info.Name))
			names = append(names, info.Name)
			Expect(deviated(info)).NotTo(Equal(deviated(fakesite.DeviationInfo{Applies: info.Applies})))
		}
	})

	It("reach every remote code of a PLAN and every condition of the gate", func() {
		var all []string
		for _, info := range fakesite.Deviations() {
			all = append(all, info.Expect...)
		}
		for _, c := range wire.Codes() {
			if c.Domain() == wire.DomainRemote {
				Expect(all).To(ContainElement(string(c)))
			}
		}
		for _, c := range wire.Conditions() {
			Expect(all).To(ContainElement(string(c)))
		}
	})
})

// deviated is the answer of the first part that a deviation applies to; "no-notes" needs notes.
func deviated(info fakesite.DeviationInfo) string {
	moves := []fakesite.Move{{Deviate: info.Name, Notes: "补充"}}
	s := fakesite.Script{Handshake: moves, Resume: moves}
	s.Rounds = []fakesite.RoundScript{{Round: 1, Moves: moves}}
	d := talk(fakesite.Config{Script: s})
	ack := d.hello()
	switch {
	case slices.Contains(info.Applies, fakesite.PartAck):
		return ack
	case slices.Contains(info.Applies, fakesite.PartResume):
		return d.say(offer().Resume(wire.Checkpoint{}, 1))
	}
	return d.round(at(1, "-"))
}
