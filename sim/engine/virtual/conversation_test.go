package virtual_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

// threeRounds is a persona that plans twice and is done in round 3.
var threeRounds = fakesite.Script{Rounds: []fakesite.RoundScript{{
	Round: 3,
	Moves: []fakesite.Move{{}},
}}}

// session plays HELLO and three ROUNDs by probe calls alone and returns what was read.
func session(c *client) (texts []string, blocks []string) {
	c.attach(base + "/")
	c.ready()
	o := offer()
	key := wire.NoPlan
	message := o.Hello()
	for round := 1; ; round++ {
		id := c.send(message)
		end := c.answer(id)
		args := probe.MessageArgs{MessageID: end.MessageID}
		texts = append(texts, ask(c, probe.Text, args).Text)
		blocks = append(blocks, ask(c, probe.Copy, args).Blocks...)
		record := ask(c, probe.Record, probe.RecordArgs{Conversation: end.Conversation, After: id})
		if len(record.Messages) != 1 || !record.Messages[0].Finished {
			panic("the record does not hold the finished answer alone")
		}
		if round > 3 {
			return texts, blocks
		}
		frame := wire.Frame{SID: sid, Round: round, Prev: key, QID: wire.QID(request)}
		if round > 1 {
			key = wire.PlanKey(blocks[len(blocks)-1])
			frame.Prev = key
			message = wire.NextRound(frame, "done")
			continue
		}
		message = wire.FirstRound(frame, request)
	}
}

var _ = Describe("a whole conversation", func() {
	typical := worldOptions{timing: fakesite.Typical(), script: threeRounds}

	It("gets the acknowledgement and three plans, by probes alone", func() {
		w := newWorld(typical)
		defer w.loop.Close()
		var texts, blocks []string
		Expect(w.run(func(c *client) { texts, blocks = session(c) })).To(Succeed())

		_, failed := wire.Gate(offer(), texts[0])
		Expect(failed).To(BeEmpty())
		key := wire.NoPlan
		for round := 1; round <= 3; round++ {
			frame := wire.Frame{SID: sid, Round: round, Prev: key, QID: wire.QID(request)}
			plan, faults := wire.CheckPlan(texts[round], frame)
			Expect(faults).To(BeEmpty(), texts[round])
			Expect(plan.Key).To(Equal(wire.PlanKey(blocks[round])), "copy and text agree")
			key = plan.Key
			Expect(string(plan.Decision)).To(Equal([]string{"continue", "continue", "done"}[round-1]))
		}
		Expect(w.site.Ledger().Received()).To(HaveLen(4))
		Expect(w.site.Ledger().Answers()).To(HaveLen(4))
	})

	It("logs every command with its site events, in order of time", func() {
		w := newWorld(typical)
		defer w.loop.Close()
		Expect(w.run(func(c *client) { session(c) })).To(Succeed())
		var calls, received, answered int
		last := time.Duration(0)
		for _, e := range w.log.Events() {
			Expect(e.At).To(BeNumerically(">=", last))
			last = e.At
			switch {
			case e.Lane == history.CDP && e.Kind == "call":
				calls++
			case e.Lane == history.Site && e.Kind == "received":
				received++
				Expect(e.Digest).To(Equal(history.DigestOf(w.site.Ledger().Received()[received-1].Text)))
			case e.Lane == history.Site && e.Kind == "answered":
				answered++
			}
		}
		Expect(calls).To(BeNumerically(">", 60))
		Expect([]int{received, answered}).To(Equal([]int{4, 4}))
		Expect(last).To(BeNumerically("<", time.Minute))
	})

	It("has one history for one seed, over 20,000 repeats and any GOMAXPROCS", func() {
		sums := map[string]bool{}
		before := runtime.GOMAXPROCS(0)
		defer runtime.GOMAXPROCS(before)
		for _, procs := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(procs)
			for range repeats() / 3 {
				sums[playSum(7)] = true
			}
		}
		Expect(sums).To(HaveLen(1))
		Expect(sums).NotTo(HaveKey(playSum(8)), "another seed is another run")
	})

	It("has the same history in another process", func() {
		cmd := exec.Command(os.Args[0], "-test.run=TestPrintSum")
		cmd.Env = append(os.Environ(), "VIRTUAL_PRINT_SUM=1", "GOMAXPROCS=1", "GOGC=20")
		out, err := cmd.Output()
		Expect(err).NotTo(HaveOccurred())
		Expect(string(out)).To(ContainSubstring("sum " + playSum(7) + "\n"))
	})
})

// playSum plays the conversation and returns the sum of its history.
func playSum(seed uint64) string {
	w := newWorld(worldOptions{timing: fakesite.Typical(), script: threeRounds, seed: seed})
	defer w.loop.Close()
	w.log.KeepEvents = false
	if err := w.run(func(c *client) { session(c) }); err != nil {
		panic(err)
	}
	return w.log.Sum()
}

// TestPrintSum is the other process of the spec above.
func TestPrintSum(t *testing.T) {
	if os.Getenv("VIRTUAL_PRINT_SUM") == "" {
		t.Skip("only as a child process of the spec about two processes")
	}
	fmt.Printf("sum %s\n", playSum(7))
}

// repeats is 20,000, and fewer where the race detector makes each one fifty times as slow.
func repeats() int {
	if raceEnabled {
		return 300
	}
	return 20_001
}

var _ = Describe("two clients", func() {
	It("share tab, document and script, and have sessions of their own", func() {
		w := newWorld(worldOptions{})
		defer w.loop.Close()
		play := func(name string, f func(*client)) *event.Proc {
			var p *event.Proc
			p = w.loop.Spawn(name, func() {
				f(&client{w: w, p: p, c: w.loop.Clock(p), port: w.b.Dialer(p)})
			})
			return p
		}
		var seen []string
		first := play("first", func(c *client) {
			c.attach(base + "/")
			c.sleep(time.Second)
			seen = append(seen, "first: "+c.hello("x").Name)
			c.sleep(time.Hour)
		})
		second := play("second", func(c *client) {
			c.sleep(500 * time.Millisecond)
			c.conn = must(c.port.Dial(background))
			pages := must(c.conn.Pages(background))
			Expect(pages).To(HaveLen(1))
			Expect(pages[0].Attached).To(BeTrue())
			c.s = must(c.conn.Attach(background, pages[0].ID))
			seen = append(seen, "second: "+c.hello("y").Name)
			c.sleep(2 * time.Second)
			first.Kill()
			seen = append(seen, "alone: "+c.hello("y").Name)
			Expect(c.s.Close()).To(Succeed())
			Expect(must(c.conn.Pages(background))[0].Attached).To(BeFalse(), "a dead client is not attached")
		})
		Expect(w.loop.Run(event.Until{Proc: second})).To(Succeed())
		Expect(second.Crash()).To(BeNil())
		Expect(seen).To(Equal([]string{"second: doc-1", "first: doc-1", "alone: doc-1"}))
	})
})
