package event_test

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/clock"
	"bridgesim/sim/event"
)

const second = time.Second

var background = context.Background()

// spawn starts a process that knows itself and its clock.
func spawn(l *event.Loop, name string, f func(p *event.Proc, c clock.Clock)) *event.Proc {
	var p *event.Proc
	p = l.Spawn(name, func() { f(p, l.Clock(p)) })
	return p
}

// walk calls f n times with a step of sleep behind each.
func walk(n int, step time.Duration, f func()) func(*event.Proc, clock.Clock) {
	return func(_ *event.Proc, c clock.Clock) {
		for range n {
			f()
			_ = c.Sleep(background, step)
		}
	}
}

var _ = Describe("Loop", func() {
	var (
		l   *event.Loop
		log []string
	)
	say := func(what string) { log = append(log, fmt.Sprintf("%v %s", l.Elapsed(), what)) }
	saying := func(what string) func() { return func() { say(what) } }
	BeforeEach(func() {
		l, log = event.New(), nil
		DeferCleanup(func() { l.Close() })
	})

	Describe("order", func() {
		It("runs events by time, and by order of scheduling at one time", func() {
			l.After(2*second, saying("c"))
			l.After(second, saying("a"))
			l.After(second, func() { say("b"); l.After(0, saying("b2")) })
			l.After(second, saying("b1"))
			l.At(l.Now().Add(-second), saying("the past is now"))
			Expect(l.Run(event.Until{})).To(Succeed())
			Expect(log).To(Equal([]string{"0s the past is now", "1s a", "1s b", "1s b1", "1s b2", "2s c"}))
			Expect(l.Now()).To(Equal(event.Epoch.Add(2 * second)))
		})

		It("lets processes and the world take turns", func() {
			spawn(l, "one", walk(3, second, saying("one")))
			spawn(l, "two", walk(2, 1500*time.Millisecond, saying("two")))
			l.After(second, saying("world"))
			Expect(l.Run(event.Until{})).To(Succeed())
			Expect(log).To(Equal([]string{
				"0s one", "0s two", "1s world", "1s one", "1.5s two", "2s one",
			}))
		})

		It("keeps (time, sequence) for any set of events", func() {
			rapid.Check(GinkgoT(), func(t *rapid.T) {
				l.Reset()
				delays := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 200).Draw(t, "delays")
				var got []int
				for i, d := range delays {
					l.After(time.Duration(d), func() { got = append(got, i) })
				}
				if err := l.Run(event.Until{}); err != nil {
					t.Fatal(err)
				}
				want := make([]int, len(delays))
				for i := range want {
					want[i] = i
				}
				sort.SliceStable(want, func(a, b int) bool { return delays[want[a]] < delays[want[b]] })
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("got %v, want %v", got, want)
				}
			})
		})

		It("only moves the time when nothing is due before the wake", func() {
			p := spawn(l, "alone", walk(4, second, func() {}))
			Expect(l.Run(event.Until{Proc: p, Steps: 6})).To(Succeed(), "4 sleeps, 1 resume")
			Expect(l.Elapsed()).To(Equal(4 * second))
		})
	})

	Describe("limits", func() {
		It("stops at the bound of virtual time and names it, and can go on", func() {
			p := spawn(l, "pi", walk(10, second, saying("x")))
			err := l.Run(event.Until{Proc: p, Bound: 2500 * time.Millisecond})
			Expect(err).To(MatchError(event.ErrBound))
			Expect(err).To(MatchError(ContainSubstring("2.5s")))
			Expect(err).To(MatchError(ContainSubstring(`"pi"`)))
			Expect(l.Elapsed()).To(Equal(2500 * time.Millisecond))
			Expect(log).To(HaveLen(3))
			Expect(p.Ended()).To(BeFalse())
			Expect(l.Run(event.Until{Proc: p})).To(Succeed())
			Expect(log).To(HaveLen(10))
		})

		It("ends a process that calls without progress of time", func() {
			p := spawn(l, "busy", func(_ *event.Proc, c clock.Clock) {
				for {
					c.Now()
				}
			})
			err := l.Run(event.Until{Proc: p, Bound: time.Hour})
			var limit *event.LimitError
			Expect(errors.As(err, &limit)).To(BeTrue())
			Expect(limit.Kind).To(Equal(event.ErrSteps))
			Expect(limit.Proc).To(Equal("busy"))
			Expect(limit.What).To(ContainSubstring("progress of time"))
			Expect(p.Ended()).To(BeTrue())
		})

		It("ends events that schedule each other at one time", func() {
			var again func()
			again = func() { l.After(0, again) }
			again()
			Expect(l.Run(event.Until{})).To(MatchError(event.ErrSteps))
		})

		It("ends a run that takes very small steps for ever", func() {
			p := spawn(l, "slow", func(_ *event.Proc, c clock.Clock) {
				for {
					_ = c.Sleep(background, 1)
				}
			})
			Expect(l.Run(event.Until{Proc: p, Steps: 1000})).To(MatchError(event.ErrSteps))
		})

		It("calls a hang without a deadline by its name, with and without other events", func() {
			p := spawn(l, "pi", func(p *event.Proc, _ clock.Clock) { _ = p.Hang(background) })
			Expect(l.Run(event.Until{Proc: p, Bound: time.Hour})).To(MatchError(event.ErrHang))
			spawn(l, "other", walk(10_000, second, func() {}))
			Expect(l.Run(event.Until{Proc: p, Bound: time.Hour})).To(MatchError(event.ErrHang))
		})

		It("says when nothing is due and the run is not done", func() {
			err := l.Run(event.Until{Done: func() bool { return false }})
			Expect(err).To(MatchError(event.ErrStuck))
		})

		It("refuses to be driven from inside", func() {
			l.After(0, func() { _ = l.Run(event.Until{}) })
			Expect(func() { _ = l.Run(event.Until{}) }).To(PanicWith(ContainSubstring("Run inside Run")))
			Expect(l.Run(event.Until{})).To(Succeed(), "the loop is usable again")
		})
	})

	It("starts anew after Reset", func() {
		p := spawn(l, "old", walk(10, second, saying("old")))
		Expect(l.Run(event.Until{Bound: second})).To(MatchError(event.ErrBound))
		l.Reset()
		Expect(p.Killed()).To(BeTrue())
		Expect(l.Elapsed()).To(BeZero())
		l.After(second, saying("new"))
		log = nil
		Expect(l.Run(event.Until{})).To(Succeed())
		Expect(log).To(Equal([]string{"1s new"}))
	})
})
