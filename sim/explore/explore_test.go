package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim"
)

func asJSON(r *Result) string {
	GinkgoHelper()
	b, err := json.Marshal(r)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

var _ = Describe("depth 1", func() {
	// The sum is taken here from the table of faults and from the places alone, without the
	// package's points: one run for each phase of each visit, and a torn write once.
	It("plays exactly the sum over the places of the kinds that are available there", func() {
		for _, s := range sessions("") {
			if s.Name == "Many rounds" || s.Name == "A long answer" {
				continue // their wait loops fold; the others have none that is long enough
			}
			var visits []point.Address
			_, err := sim.RunVisited(context.Background(), sim.Virtual(), &s.Script,
				func(a point.Address) { visits = append(visits, a) })
			Expect(err).NotTo(HaveOccurred())
			want := 0
			for _, at := range visits {
				for _, info := range faults.Table() {
					n := 0
					for _, ph := range []point.Phase{point.Before, point.After, point.Late} {
						if info.Available(faults.EngineVirtual, at.Op, ph) {
							n++
						}
					}
					if info.Kind == faults.TearCache {
						n = min(n, 1)
					}
					want += n
				}
			}
			player := newPlayer(&Options{Engine: sim.Virtual()})
			p, err := survey(context.Background(), player, &s, &Options{Kinds: AllKinds()})
			Expect(err).NotTo(HaveOccurred())
			if p.folded == 0 {
				Expect(p.runs).To(Equal(want), s.Name)
			}
			if s.Name == "Quick" {
				Expect(p.folded).To(BeZero())
				rep := explored(Options{Sessions: []Session{s}, Jobs: 2})
				Expect(rep.Runs).To(Equal(want))
				Expect(rep.Struck + rep.Missed + rep.NotReached).To(Equal(want))
				cells := 0
				for _, row := range rep.Places {
					for _, c := range row {
						cells += c.Runs
					}
				}
				Expect(cells).To(Equal(want), "the map holds every run once")
			}
		}
	})
	It("gives the same result with any number of workers", func() {
		all := sessions(quick)
		o := Options{Sessions: all, Kinds: kinds("sever", "kill-pi", "tear-cache"), Jobs: 1}
		one := asJSON(explored(o))
		for _, jobs := range []int{2, 7} {
			o.Jobs = jobs
			Expect(asJSON(explored(o))).To(Equal(one))
		}
	})
	It("gives the same result in shards, added in any order", func() {
		o := Options{Sessions: sessions(quick), Kinds: kinds("transport"), Jobs: 2}
		whole := asJSON(explored(o))
		var shards []*Result
		for i := range 3 {
			o.Shard = Shard{I: i + 1, N: 3}
			text := asJSON(explored(o))
			Expect(text).NotTo(Equal(whole))
			r, err := ReadReport(strings.NewReader(text))
			Expect(err).NotTo(HaveOccurred())
			shards = append(shards, r)
		}
		slices.Reverse(shards)
		sum, err := Merge(shards)
		Expect(err).NotTo(HaveOccurred())
		Expect(asJSON(sum)).To(Equal(whole))
	})
	It("depends on the seed", func() {
		digest := func(seed uint64) Digest {
			all, err := Load(context.Background(), []string{shipped}, quick, seed)
			Expect(err).NotTo(HaveOccurred())
			return explored(Options{Sessions: all, Kinds: kinds("sever"), Seed: seed}).Digest
		}
		Expect(digest(1)).To(Equal(digest(1)))
		Expect(digest(1)).NotTo(Equal(digest(2)))
	})
	It("stops at its budget, and says so", func() {
		o := Options{
			Sessions: sessions(quick), Kinds: kinds("sever"), Engine: sim.Virtual(), Depth: 1, Budget: 10,
		}
		rep, err := Explore(context.Background(), o)
		Expect(err).To(MatchError(ErrStopped))
		Expect(rep.Stopped).To(Equal("out of budget"))
		Expect(rep.Runs).To(BeNumerically("~", 10, 3))
		Expect(rep.Units.Done).To(BeNumerically("<", rep.Units.Planned))
		o.Jobs = 5
		again, err := Explore(context.Background(), o)
		Expect(err).To(MatchError(ErrStopped))
		Expect(asJSON(again)).To(Equal(asJSON(rep)))
	})
	It("stops when it is interrupted, with what it has", func() {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		rep, err := Explore(ctx, Options{
			Sessions: sessions(quick), Kinds: kinds("sever"), Engine: sim.Virtual(), Depth: 1,
			Each: func(Progress) {
				if n++; n == 5 {
					cancel()
				}
			},
		})
		Expect(err).To(MatchError(ErrStopped))
		Expect(rep.Stopped).To(Equal("interrupted"))
		Expect(rep.Runs).To(BeNumerically(">=", 5))
	})
	It("tells of each session once, in order", func() {
		var ended []string
		explored(Options{
			Sessions: sessions("@quick,@row-13"), Kinds: kinds("kill-browser"), Jobs: 3,
			Each: func(p Progress) {
				if p.Ended != nil {
					ended = append(ended, p.Ended.Name)
					Expect(p.Plays).To(Equal(p.Ended.Runs))
				}
			},
		})
		Expect(ended).To(Equal([]string{"Quick", "A refused RESUME, and a refused RESYNC"}))
	})
	It("does not explore a session that breaks a promise, or whose fault never strikes", func() {
		s := sessions(quick)[0]
		f, err := faults.ParseFault("sever at wait.poll@9#1/before")
		Expect(err).NotTo(HaveOccurred())
		s.Script.Schedule = faults.Schedule{f}
		_, err = Explore(context.Background(), Options{Sessions: []Session{s}, Engine: sim.Virtual()})
		Expect(err).To(MatchError(ErrSession))

		s = sessions(quick)[0]
		s.Script.End = "blocked" // it ends as done, so it does not converge
		f, err = faults.ParseFault("sever at wait.poll@1#1/before")
		Expect(err).NotTo(HaveOccurred())
		s.Script.Schedule = faults.Schedule{f}
		_, err = Explore(context.Background(), Options{Sessions: []Session{s}, Engine: sim.Virtual()})
		Expect(err).To(MatchError(ErrBroken))
	})
})

var _ = Describe("merging", func() {
	shard := func(i, n int) *Result {
		return &Result{Version: Version, Seed: 1, Shard: &Shard{i, n}, Tally: newTally()}
	}
	DescribeTable("refuses what is not one exploration", func(reason string, shards ...*Result) {
		_, err := Merge(shards)
		Expect(err).To(MatchError(ErrMerge))
		Expect(err.Error()).To(ContainSubstring(reason))
	},
		Entry("nothing", "there is none"),
		Entry("a hole", "shard 2/3 is missing", shard(1, 3), shard(3, 3)),
		Entry("a double", "twice", shard(1, 2), shard(1, 2)),
		Entry("a whole one", "whole", &Result{Version: Version, Tally: newTally()}),
		Entry("another seed", "differ", shard(1, 2),
			&Result{Version: Version, Seed: 2, Shard: &Shard{2, 2}, Tally: newTally()}),
	)
	It("keeps the first violation of the plan, whatever the order of the shards", func() {
		a, b := shard(1, 2), shard(2, 2)
		a.book(a.Classes, "completes", "sever", Violation{At: Index{4, 0}, Name: "later"})
		b.book(b.Classes, "completes", "sever", Violation{At: Index{3, 7}, Name: "first"})
		b.book(b.Classes, "completes", "sever", Violation{At: Index{5, 0}, Name: "last"})
		for _, order := range [][]*Result{{a, b}, {b, a}} {
			var again []*Result
			for _, r := range order {
				copied, err := ReadReport(strings.NewReader(asJSON(r)))
				Expect(err).NotTo(HaveOccurred())
				again = append(again, copied)
			}
			sum, err := Merge(again)
			Expect(err).NotTo(HaveOccurred())
			Expect(sum.Classes).To(HaveLen(1))
			Expect(InOrder(sum.Classes)[0].First.Name).To(Equal("first"))
			Expect(InOrder(sum.Classes)[0].Runs).To(Equal(3))
		}
	})
	It("reads nothing but a report", func() {
		for _, text := range []string{"", "{}", "[]", `{"version":1}`, `{"version":99,"runs":1}`, "no"} {
			_, err := ReadReport(strings.NewReader(text))
			Expect(err).To(HaveOccurred(), text)
		}
	})
})

var _ = Describe("shards", func() {
	It("reads its own form", func() {
		for _, text := range []string{"1/1", "3/8"} {
			s, err := ParseShard(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(s.String()).To(Equal(text))
		}
		for _, text := range []string{"", "0/3", "4/3", "1", "1/", "a/b", "1/2x", "-1/2", "01/2", "1/0"} {
			_, err := ParseShard(text)
			Expect(err).To(HaveOccurred(), text)
		}
	})
	It("has every unit once", func() {
		for n := 1; n < 6; n++ {
			for unit := range 20 {
				had := 0
				for i := range n {
					if (Shard{i + 1, n}).has(unit) {
						had++
					}
				}
				Expect(had).To(Equal(1))
			}
		}
	})
})

var _ = Describe("the text of a report", func() {
	It("ends with the numbers, and shows what was broken", func() {
		rep := explored(Options{Sessions: sessions(quick), Kinds: kinds("sever", "tear-cache")})
		rep.book(rep.Classes, "completes", "sever", Violation{
			Session: "a.feature:3", Name: "Quick", Message: "two\nlines", Feature: "Feature: x\n",
		})
		rep.Violations++
		rep.cell("send.submit/before", "sever").Broken++
		var b bytes.Buffer
		Expect(rep.Print(&b)).To(Succeed())
		Expect(b.String()).To(SatisfyAll(
			ContainSubstring("VIOLATION  completes under sever, 1 run\n      a.feature:3  Quick\n"+
				"      two lines\n"),
			ContainSubstring("        | Feature: x\n"),
			MatchRegexp(`send.submit/before +!`),
			MatchRegexp(`store.append/torn +\.`),
			MatchRegexp(`row 5 +\.`),
			ContainSubstring("the sum over points of the kinds available there"),
			HaveSuffix("violations   1 in 1 classes\n"),
		))
	})
	It("fails where it cannot write", func() {
		rep := explored(Options{Sessions: sessions(quick), Kinds: kinds("kill-browser")})
		Expect(rep.Print(broken{})).To(MatchError(errBroken))
	})
})

type broken struct{}

var errBroken = errors.New("the pipe is gone")

func (broken) Write([]byte) (int, error) { return 0, errBroken }
