package explore

import (
	"context"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/sim"
)

// elsewhere is the model under another name; broken says that its machine fails.
type elsewhere struct {
	sim.Engine
	broken error
}

func (elsewhere) Name() string { return "chromium" }

func (e elsewhere) Stage(ctx context.Context, w *sim.World) (sim.Stage, error) {
	if e.broken != nil {
		return nil, e.broken
	}
	return e.Engine.Stage(ctx, w)
}

var _ = Describe("confirming on another engine", func() {
	options := func(words ...string) Options {
		return Options{
			Sessions: sessions(quick), Kinds: kinds(words...), Engine: sim.Virtual(), Seed: 3, Jobs: 2,
		}
	}
	It("draws a sample by the seed and compares", func() {
		var told []Confirmed
		c, err := Confirm(context.Background(), options("transport", "target"),
			elsewhere{Engine: sim.Virtual()}, 25, func(r Confirmed) { told = append(told, r) })
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Runs).To(HaveLen(25))
		Expect(told).To(Equal(c.Runs))
		Expect(c.Same).To(Equal(25))
		again, err := Confirm(context.Background(), options("transport", "target"),
			elsewhere{Engine: sim.Virtual()}, 25, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(again).To(Equal(c))
		o := options("transport", "target")
		o.Seed = 4
		other, err := Confirm(context.Background(), o, elsewhere{Engine: sim.Virtual()}, 25, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(other.Runs).NotTo(Equal(c.Runs))
	})
	It("takes all of a plan that is smaller, and the first poll of a wait only", func() {
		c, err := Confirm(context.Background(), options("drop"), elsewhere{Engine: sim.Virtual()}, 9999,
			nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Runs).To(HaveLen(c.Of))
		for _, r := range c.Runs {
			if at := r.Schedule[0].At; at.Op == point.WaitPoll {
				Expect(at.Step).To(Equal(1))
			}
		}
	})
	It("tells a machine that fails from a bridge that fails", func() {
		gone := errors.New("the browser is gone")
		c, err := Confirm(context.Background(), options("sever"),
			elsewhere{sim.Virtual(), gone}, 3, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Unknown).To(Equal(6), "as many again were drawn")
		Expect(c.Runs[0].Other).To(ContainSubstring("the browser is gone"))
	})
	It("sees a difference", func() {
		o := options("sever")
		o.also = nil
		s := o.Sessions[0]
		r := &trial{session: &s, strikes: nil}
		odd := newPlayer(&o)
		odd.also = func(o *Outcome) { o.End = "manual" }
		c, err := r.onBoth(context.Background(), [2]*player{newPlayer(&o), odd})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Status).To(Equal(Differ))
		odd.also = func(o *Outcome) { o.Fates = []Fate{Missed} }
		c, err = r.onBoth(context.Background(), [2]*player{newPlayer(&o), odd})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Status).To(Equal(Unclear))
	})
})
