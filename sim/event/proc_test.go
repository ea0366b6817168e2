package event_test

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/clock"
	"bridgesim/sim/event"
)

// anyKey is the key of a value that nobody asks for.
type anyKey struct{}

var _ = Describe("Proc", func() {
	var (
		l   *event.Loop
		log []string
	)
	say := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
	BeforeEach(func() {
		l, log = event.New(), nil
		DeferCleanup(func() { l.Close() })
	})

	// careful is a process that would do harm on its way down.
	careful := func(p *event.Proc, c clock.Clock) {
		defer say("end of stack")
		defer func() {
			say("defer runs")
			c.Now()
			say("HARM: Now answered")
		}()
		defer func() {
			p.Enter()
			say("HARM: a port was entered")
		}()
		for {
			say("works")
			_ = c.Sleep(background, second)
			say("woke")
		}
	}

	It("is unwound by a kill from an event; its ports are dead to its defers", func() {
		p := spawn(l, "pi", careful)
		l.After(1500*time.Millisecond, p.Kill)
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(log).To(Equal([]string{"works", "woke", "works", "defer runs", "end of stack"}))
		Expect(p.Killed()).To(BeTrue())
		Expect(p.Crash()).To(BeNil())
		Expect(l.Elapsed()).To(Equal(1500 * time.Millisecond))
		p.Kill() // does nothing
	})

	It("can be killed inside its own port call", func() {
		p := spawn(l, "pi", func(p *event.Proc, _ clock.Clock) {
			say("before")
			p.Kill()
			say("HARM: went on")
		})
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(log).To(Equal([]string{"before"}))
	})

	It("can be killed by another process, and before it ever ran", func() {
		victim := spawn(l, "victim", careful)
		var late *event.Proc
		killer := spawn(l, "killer", func(_ *event.Proc, c clock.Clock) {
			victim.Kill()
			late = spawn(l, "late", careful)
			late.Kill()
			_ = c.Sleep(background, second)
			say("killer lives")
		})
		Expect(l.Run(event.Until{Proc: killer})).To(Succeed())
		Expect(log).To(Equal([]string{"works", "defer runs", "end of stack", "killer lives"}))
		Expect(victim.Ended() && late.Ended()).To(BeTrue())
	})

	It("stays dead when somebody recovers the sentinel", func() {
		p := spawn(l, "stubborn", func(p *event.Proc, c clock.Clock) {
			func() {
				defer func() { say("recovered: %v", recover() != nil) }()
				_ = c.Sleep(background, second)
			}()
			c.Now()
			say("HARM")
		})
		l.After(0, p.Kill)
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(log).To(Equal([]string{"recovered: true"}))
	})

	It("keeps any other panic as a crash with its stack, and the world goes on", func() {
		p := spawn(l, "pi", func(*event.Proc, clock.Clock) { explode() })
		l.After(second, func() { say("world") })
		Expect(l.Run(event.Until{})).To(Succeed())
		Expect(log).To(Equal([]string{"world"}))
		Expect(p.Crash()).To(MatchError(`process "pi" panicked: invariant broken`))
		Expect(string(p.Crash().Stack)).To(ContainSubstring("explode"))
		Expect(p.Killed()).To(BeFalse())
	})

	It("takes the sentinel of another process for a crash", func() {
		other := spawn(l, "other", func(_ *event.Proc, c clock.Clock) { _ = c.Sleep(background, second) })
		p := spawn(l, "pi", func(*event.Proc, clock.Clock) { other.Kill(); other.Enter() })
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(p.Crash()).To(MatchError(ContainSubstring(`process "other" was killed`)))
	})

	It("refuses to sleep on the stack of another process", func() {
		one := spawn(l, "one", func(_ *event.Proc, c clock.Clock) { _ = c.Sleep(background, second) })
		two := spawn(l, "two", func(*event.Proc, clock.Clock) {
			_ = l.Clock(one).Sleep(background, time.Minute)
		})
		Expect(l.Run(event.Until{Proc: two})).To(Succeed())
		Expect(two.Crash()).To(MatchError(ContainSubstring("its own Clock")))
	})

	It("hangs until it is woken, with a deadline and without", func() {
		var got []error
		p := spawn(l, "pi", func(p *event.Proc, c clock.Clock) {
			got = append(got, p.Hang(background))
			say("%v", l.Elapsed())
			ctx, cancel := c.WithTimeout(background, time.Minute)
			defer cancel()
			got = append(got, p.Hang(ctx))
			say("%v", l.Elapsed())
			_ = c.Sleep(background, time.Hour)
			say("%v", l.Elapsed())
		})
		for _, at := range []time.Duration{second, 2 * second, 3 * second} {
			l.After(at, p.Wake)
		}
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(got).To(Equal([]error{nil, nil}))
		Expect(log).To(Equal([]string{"1s", "2s", "1h0m2s"}), "Wake does not end a Sleep")
	})

	It("hangs to its deadline, or until it is cancelled", func() {
		var got []error
		var cancel context.CancelFunc
		p := spawn(l, "pi", func(p *event.Proc, c clock.Clock) {
			ctx, stop := c.WithTimeout(background, 5*second)
			defer stop()
			got = append(got, p.Hang(ctx))
			say("%v", l.Elapsed())
			ctx, cancel = c.WithTimeout(background, time.Hour)
			got = append(got, p.Hang(ctx))
			say("%v", l.Elapsed())
		})
		l.After(7*second, func() { cancel() })
		Expect(l.Run(event.Until{Proc: p})).To(Succeed())
		Expect(got).To(Equal([]error{context.DeadlineExceeded, context.Canceled}))
		Expect(log).To(Equal([]string{"5s", "7s"}))
	})
})

func explode() { panic("invariant broken") }

var _ = Describe("Clock", func() {
	var l *event.Loop
	BeforeEach(func() {
		l = event.New()
		DeferCleanup(func() { l.Close() })
	})
	// inside runs f in a process and returns its crash.
	inside := func(f func(p *event.Proc, c clock.Clock)) *event.Crash {
		p := spawn(l, "pi", f)
		Expect(l.Run(event.Until{Proc: p, Bound: time.Hour})).To(Succeed())
		return p.Crash()
	}

	It("sleeps no longer than the context lives", func() {
		Expect(inside(func(_ *event.Proc, c clock.Clock) {
			ctx, cancel := c.WithTimeout(background, second)
			inner, cancelInner := c.WithTimeout(ctx, time.Minute)
			defer cancelInner()
			end, _ := inner.Deadline()
			Expect(end).To(Equal(event.Epoch.Add(second)))
			Expect(inner.Err()).NotTo(HaveOccurred())
			Expect(c.Sleep(inner, time.Minute)).To(MatchError(context.DeadlineExceeded))
			Expect(l.Elapsed()).To(Equal(second))
			Expect(c.Sleep(inner, time.Minute)).To(MatchError(context.DeadlineExceeded))
			cancel()
			Expect(ctx.Err()).To(MatchError(context.DeadlineExceeded), "the first error stays")
		})).To(BeNil())
	})

	It("passes a parent's cancellation and values on", func() {
		type key struct{}
		Expect(inside(func(_ *event.Proc, c clock.Clock) {
			ctx, cancel := c.WithTimeout(context.WithValue(background, key{}, 7), time.Minute)
			child := context.WithValue(ctx, anyKey{}, "v")
			cancel()
			Expect(c.Sleep(child, second)).To(MatchError(context.Canceled))
			Expect(child.Value(key{})).To(Equal(7))
			Expect(l.Elapsed()).To(BeZero())
		})).To(BeNil())
	})

	It("panics on Done", func() {
		Expect(inside(func(_ *event.Proc, c clock.Clock) {
			ctx, cancel := c.WithTimeout(background, second)
			defer cancel()
			<-ctx.Done()
		})).To(MatchError(ContainSubstring("never waits on a channel")))
	})

	It("panics on a wall-clock deadline, wrapped or not", func() {
		real, cancel := context.WithTimeout(background, time.Hour)
		defer cancel()
		for _, ctx := range []context.Context{real, context.WithValue(real, anyKey{}, 1)} {
			Expect(inside(func(_ *event.Proc, c clock.Clock) { _ = c.Sleep(ctx, second) })).
				To(MatchError(ContainSubstring("wall-clock deadline")))
			Expect(inside(func(_ *event.Proc, c clock.Clock) { c.WithTimeout(ctx, second) })).
				To(MatchError(ContainSubstring("wall-clock deadline")))
		}
	})

	It("lets the world tell the time and never sleep", func() {
		c := l.Clock(nil)
		Expect(c.Now()).To(Equal(event.Epoch))
		Expect(func() { _ = c.Sleep(background, second) }).To(PanicWith(ContainSubstring("never sleeps")))
	})
})
