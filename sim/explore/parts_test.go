package explore

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

func poll(state string, step int) point.Address {
	return point.Address{Op: point.WaitPoll, Round: 1, State: state, Step: step}
}

// TestFoldKeepsTheClasses: of every loop the first, second and last poll stay, and at most one
// more; nothing is lost and nothing else is folded.
func TestFoldKeepsTheClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "polls")
		seed := rapid.Uint64().Draw(t, "seed")
		visits := []point.Address{{Op: point.SendSubmit, Round: 1, Step: 1}}
		for i := range n {
			visits = append(visits, poll("thinking", i+1))
		}
		kept, folded := fold(visits, seed)
		if len(kept)+len(folded) != len(visits) || len(folded) != max(n-4, 0) {
			t.Fatalf("%d kept, %d folded of %d", len(kept), len(folded), len(visits))
		}
		for _, want := range []point.Address{
			visits[0], visits[1], visits[min(2, n)], visits[n],
		} {
			if !slices.Contains(kept, want) {
				t.Fatalf("%s is folded", want)
			}
		}
		again, _ := fold(visits, seed)
		if !slices.Equal(kept, again) {
			t.Fatal("the seed does not decide")
		}
	})
}

// TestFewestIsMinimal: what is left holds, is a part of the whole, and needs each of its faults.
// The thing looked for is a set of faults that have to come together.
func TestFewestIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		var s faults.Schedule
		for i := range n {
			s = append(s, faults.Fault{Kind: faults.Sever, At: poll("", i+1)})
		}
		needed := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID).Draw(t, "needed")
		other := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID).Draw(t, "or")
		has := func(s faults.Schedule, set []int) bool {
			for _, i := range set {
				if !slices.ContainsFunc(s, func(f faults.Fault) bool { return f.At.Step == i+1 }) {
					return false
				}
			}
			return true
		}
		still := func(s faults.Schedule) (bool, error) { return has(s, needed) || has(s, other), nil }
		small, err := fewest(s, still)
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := still(small); !ok {
			t.Fatalf("%v does not hold", small)
		}
		for i := range small {
			if ok, _ := still(slices.Delete(slices.Clone(small), i, i+1)); ok {
				t.Fatalf("%v does not need its fault %d", small, i)
			}
		}
	})
}

var _ = Describe("shrinking", func() {
	parse := func(texts ...string) (s faults.Schedule) {
		for _, text := range texts {
			f, err := faults.ParseFault(text)
			Expect(err).NotTo(HaveOccurred())
			s = append(s, f)
		}
		return s
	}
	It("takes parameters and steps away", func() {
		s := parse("sever at wait.poll@1#9/before with how=fin",
			"delay at wait.poll@2:thinking#7/after with for=20s")
		small, err := plainest(s, func(s faults.Schedule) (bool, error) {
			return s[0].At.Step >= 3 && s[1].Params.For > 0, nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(small.String()).To(Equal("sever at wait.poll@1#4/before; " +
			"delay at wait.poll@2:thinking#1/after with for=20s"))
	})
	It("ends with the error of a run", func() {
		gone := errors.New("gone")
		no := func(faults.Schedule) (bool, error) { return false, gone }
		_, err := fewest(parse("sever at wait.poll@1#2/before"), no)
		Expect(err).To(MatchError(gone))
		_, err = plainest(parse("sever at wait.poll@1#2/before"), no)
		Expect(err).To(MatchError(gone))
	})
})

var _ = Describe("the choice of kinds", func() {
	names := func(words ...string) (out []string) {
		for _, k := range kinds(words...) {
			out = append(out, k.String())
		}
		return out
	}
	It("is the table without a word", func() {
		Expect(names()).To(HaveLen(len(faults.Kinds())))
	})
	It("knows families, kinds, parameters and what is taken away", func() {
		Expect(names("agent", "sever")).To(Equal([]string{"sever", "agent-dies", "agent-mute"}))
		Expect(names("wedge-tab with for=20s")).To(Equal([]string{"wedge-tab with for=20s"}))
		Expect(names("~agent")).To(HaveLen(len(faults.Kinds()) - 2))
		Expect(names("variants")).To(HaveLen(len(faults.Kinds()) + len(variants)))
		Expect(names("sever", "sever")).To(HaveLen(1))
	})
	It("refuses what is none", func() {
		for _, words := range [][]string{
			{"nothing"}, {"sever with colour=red"}, {"sever", "~sever"}, {"no with for=1s"},
		} {
			_, err := ParseKinds(words)
			Expect(err).To(MatchError(ErrKinds), "%v", words)
		}
	})
})

var _ = Describe("work in order", func() {
	It("takes results in order, whoever worked on them", func() {
		var got []int
		var running, most atomic.Int32
		err := inOrder(context.Background(), 500, 6,
			func(_ context.Context, _, i int) (int, error) {
				most.Store(max(most.Load(), running.Add(1)))
				defer running.Add(-1)
				return i * i, nil
			},
			func(i, r int) bool {
				Expect(r).To(Equal(i * i))
				got = append(got, i)
				return true
			})
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(HaveLen(500))
		Expect(slices.IsSorted(got)).To(BeTrue())
		Expect(most.Load()).To(BeNumerically("<=", 6))
	})
	It("ends with the error of a worker, and without a gap", func() {
		bad, taken := errors.New("bad"), 0
		err := inOrder(context.Background(), 100, 3,
			func(_ context.Context, _, i int) (int, error) {
				if i == 40 {
					return 0, bad
				}
				return i, nil
			},
			func(i, _ int) bool {
				Expect(i).To(Equal(taken))
				taken++
				return true
			})
		Expect(err).To(MatchError(bad))
		Expect(taken).To(BeNumerically("<=", 40))
	})
})
