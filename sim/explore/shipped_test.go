package explore

import (
	"context"
	"maps"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/sim"
)

var _ = Describe("the shipped sessions", func() {
	It("are all there, and each can be explored", func() {
		o := Options{Sessions: sessions(""), Kinds: AllKinds(), Engine: sim.Virtual(), Depth: 1}
		p, err := newPlan(context.Background(), &o)
		Expect(err).NotTo(HaveOccurred())
		names := []string{}
		for _, s := range p.sessions {
			names = append(names, s.Name)
			Expect(s.runs).To(BeNumerically(">", 1000), s.Name)
		}
		Expect(names).To(ContainElements(
			"Quick", "REPAIR", "need_info", "blocked", "done after work", "RESUME after a restart",
			"RESYNC after an acknowledgement of another version", "REPAIR is forgotten, RESYNC",
			"Capabilities changed", "A boundary", "Two restarts",
			"A refused RESUME, and a refused RESYNC", "Many rounds", "A long answer",
		))
	})
	It("fold the long wait and no other", func() {
		o := Options{Kinds: AllKinds(), Engine: sim.Virtual(), Depth: 1}
		for _, s := range sessions("") {
			p, err := survey(context.Background(), newPlayer(&o), &s, &o)
			Expect(err).NotTo(HaveOccurred())
			if s.Name == "A long answer" {
				Expect(p.folded).To(BeNumerically(">", 500))
				Expect(len(p.points)).To(BeNumerically("<", 500))
			} else {
				Expect(p.folded).To(BeNumerically("<", 100), s.Name)
			}
		}
	})
	// Less than depth 1 of all of them, which "sim explore" plays: what is hit here is hit there.
	It("take all rows of the decision table", func() {
		var few []Session
		for _, s := range sessions("") {
			if slices.Contains([]string{"done after work", "A boundary", "Two restarts"}, s.Name) {
				few = append(few, s)
			}
		}
		Expect(few).To(HaveLen(3))
		rep := explored(Options{Sessions: few, Jobs: 2, Kinds: kinds(
			"sever", "reload", "relaunch", "kill-pi", "lose-cache", "change-caps", "foreign-cache",
			"agent-dies", "captcha", "panic", "kill-browser", "edit-history", "record-down", "never-answers",
			"cut-stream",
		)})
		Expect(slices.Sorted(maps.Keys(rep.Rows))).To(Equal(
			[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}))
	})
})
