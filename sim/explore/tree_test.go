package explore

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim"
)

// never is an oracle that no single fault breaks: it wants no run in which two rows were taken.
func never(a, b int) func(*Outcome) {
	return func(o *Outcome) {
		if o.Rows.has(a) && o.Rows.has(b) {
			o.Broken = append(o.Broken, Breach{"unlucky", "both rows"})
		}
	}
}

// refused is the shortest session that there is: the handshake is refused.
func refused() []Session {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "refused.feature")
	Expect(os.WriteFile(path, []byte(`Feature: Sessions
  Scenario: Refused
    Given the acknowledgement deviates by "ack-sid"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
`), 0o600)).To(Succeed())
	s, err := Load(context.Background(), []string{path}, "", 1)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// classes are the keys of what was found, with the kinds only.
func classes(r *Result) []string { return slices.Sorted(maps.Keys(r.Classes)) }

var _ = Describe("depth 2", func() {
	DescribeTable("finds with pruning what it finds without, and leaves out what it says",
		func(class string, also func(*Outcome), units int, words ...string) {
			o := Options{
				Sessions: refused(), Kinds: kinds(words...), Depth: 2, Jobs: 2, also: also, units: units,
			}
			pruned := explored(o)
			o.NoPrune = true
			all := explored(o)
			Expect(all.Pruned).To(BeZero())
			Expect(pruned.Pruned).To(BeNumerically(">", all.Runs/6))
			Expect(pruned.Runs + pruned.Pruned).To(Equal(all.Runs))
			Expect(classes(all)).To(ContainElement(class))
			Expect(classes(pruned)).To(Equal(classes(all)))
			Expect(slices.Sorted(maps.Keys(pruned.Edges))).To(Equal(slices.Sorted(maps.Keys(all.Edges))))
			Expect(slices.Sorted(maps.Keys(pruned.Rows))).To(Equal(slices.Sorted(maps.Keys(all.Rows))))
		},
		Entry("twins and traceless faults", "unlucky under sever + sever", never(3, 5), 0,
			"sever", "reorder"),
		Entry("deaths of pi", "unlucky under kill-pi + close-tab", never(5, 6), 60,
			"kill-pi", "close-tab"),
		Entry("what happens beside pi", "unlucky under sever + captcha", never(3, 12), 60,
			"captcha", "sever"),
	)
	It("takes second faults from the run with the first one, its recovery included", func() {
		s := sessions(quick)[0]
		w := (&plan{
			opts: &Options{Kinds: kinds("sever"), Engine: sim.Virtual()}, sessions: []planned{{Session: &s}},
			units: []unit{{}},
		}).workOn(newPlayer(&Options{Engine: sim.Virtual()}), 0)
		var base, with []point.Address
		_, err := w.play(context.Background(), nil, func(a point.Address) { base = append(base, a) })
		Expect(err).NotTo(HaveOccurred())
		f, err := faults.ParseFault("sever at guard.check@1#1/before")
		Expect(err).NotTo(HaveOccurred())
		_, err = w.play(context.Background(), faults.Schedule{f},
			func(a point.Address) { with = append(with, a) })
		Expect(err).NotTo(HaveOccurred())
		behind := w.behind(with, Point{At: f.At})
		Expect(behind[0].String()).To(Equal("guard.check@1#1/after"))
		alone := 0
		for _, p := range behind {
			at := p.At
			at.Phase = ""
			Expect(with).To(ContainElement(at))
			if !slices.Contains(base, at) {
				alone++
			}
		}
		Expect(alone).To(BeNumerically(">", 5), "places that only the recovery has")
	})
	It("may take a loss before and after a pure read as one", func() {
		names := []string{}
		for kind := range losing {
			names = append(names, string(kind))
		}
		for _, s := range sessions("@quick,@row-13") {
			o := Options{Kinds: kinds(names...), Engine: sim.Virtual(), Depth: 2}
			p, err := survey(context.Background(), newPlayer(&o), &s, &o)
			Expect(err).NotTo(HaveOccurred())
			w := (&plan{opts: &o, sessions: []planned{p}, units: []unit{{}}}).workOn(newPlayer(&o), 0)
			n := 0
			for _, at := range p.points {
				for k := range o.Kinds {
					strike := Strike{at, &o.Kinds[k]}
					if !at.takes(strike.Kind) || !twin(strike) {
						continue
					}
					play := func(ph point.Phase) *Outcome {
						one := strike
						one.Point.At.Phase = ph
						r := &trial{session: w.session, strikes: []Strike{one}}
						out, err := w.play(context.Background(), r.schedule(), nil)
						Expect(err).NotTo(HaveOccurred())
						return out
					}
					before, after := play(point.Before), play(point.After)
					Expect(before.Tail).To(Equal(after.Tail), "%s at %s", strike.Kind, at)
					Expect(before.Broken).To(Equal(after.Broken), "%s at %s", strike.Kind, at)
					n++
				}
			}
			Expect(n).To(BeNumerically(">", 100), s.Name)
		}
	})
})

var _ = Describe("a swarm", func() {
	It("plays as many mixes as it is told, the same ones with any workers and in shards", func() {
		o := Options{Sessions: sessions(quick), Kinds: kinds("transport", "target"), Swarm: 20, Jobs: 1}
		one := explored(o)
		Expect(one.Runs).To(Equal(20))
		o.Jobs = 3
		Expect(asJSON(explored(o))).To(Equal(asJSON(one)))
		var shards []*Result
		for i := range 2 {
			o.Shard = Shard{i + 1, 2}
			shards = append(shards, explored(o))
		}
		sum, err := Merge(shards)
		Expect(err).NotTo(HaveOccurred())
		Expect(asJSON(sum)).To(Equal(asJSON(one)))
		o.Shard, o.Seed = Shard{}, 2
		Expect(explored(o).Digest).NotTo(Equal(one.Digest))
	})
	It("mixes many faults, and leaves whole families out", func() {
		s := sessions(quick)
		o := Options{Sessions: s, Kinds: AllKinds(), Swarm: 40, Engine: sim.Virtual()}
		p, err := newPlan(context.Background(), &o)
		Expect(err).NotTo(HaveOccurred())
		w := p.workOn(newPlayer(&o), 0)
		most, families := 0, map[faults.Family]int{}
		for n := range 40 {
			strikes, err := w.mix(context.Background(), n)
			Expect(err).NotTo(HaveOccurred())
			most = max(most, len(strikes))
			seen := map[faults.Family]bool{}
			for _, s := range strikes {
				seen[s.Kind.info.Family] = true
			}
			for f := range seen {
				families[f]++
			}
		}
		Expect(most).To(BeNumerically(">=", 6))
		for _, f := range []faults.Family{faults.Transport, faults.Target, faults.Pi, faults.SiteFault} {
			Expect(families[f]).To(BeNumerically("~", 15, 12), string(f))
		}
	})
	It("shrinks what it finds", func() {
		o := Options{
			Sessions: sessions(quick), Kinds: kinds("transport", "target"), Swarm: 60, also: never(3, 4),
		}
		rep := explored(o)
		var c *Class
		for _, each := range InOrder(rep.Classes) {
			if each.Promise == "unlucky" {
				c = each
				break
			}
		}
		Expect(c).NotTo(BeNil())
		Expect(len(c.First.Schedule)).To(BeNumerically("<=", 2))
		Expect(len(c.First.Found)).To(BeNumerically(">", len(c.First.Schedule)))
	})
})
