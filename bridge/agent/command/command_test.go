package command_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/agent/command/ledger"
	"bridgesim/bridge/clock"
)

var _ = Describe("A command agent", func() {
	var (
		dir, folder string
		told        []string
		ctx         context.Context
	)

	BeforeEach(func() {
		dir, folder, told, ctx = GinkgoT().TempDir(), GinkgoT().TempDir(), nil, context.Background()
	})

	configured := func(conduct string) command.Config {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		return command.Config{
			Words: []string{self, asAgent, conduct, dir}, Dir: folder, Clock: clock.Wall(),
			AskLimit: 20 * time.Second, ClaimLimit: 20 * time.Second,
			Tell: func(why string) { told = append(told, why) },
		}
	}
	made := func(conduct string) *command.Agent {
		GinkgoHelper()
		a, err := command.New(configured(conduct))
		Expect(err).NotTo(HaveOccurred())
		return a
	}
	release := func() { Expect(os.WriteFile(filepath.Join(dir, "go"), nil, 0o600)).To(Succeed()) }
	status := func(a *command.Agent, t agent.Task) func() agent.Status {
		return func() agent.Status {
			st, err := a.Poll(ctx, t)
			Expect(err).NotTo(HaveOccurred())
			return st.Status
		}
	}
	effects := func() []ledger.Effect {
		GinkgoHelper()
		l, err := ledger.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		defer l.Close()
		all, err := l.Effects()
		Expect(err).NotTo(HaveOccurred())
		return all
	}

	It("goes from never through running to settled, with the receipt word for word", func() {
		a := made("works")
		Expect(a.Lookup(ctx, task(1))).To(Equal(agent.State{Status: agent.Never}))
		Expect(a.Start(ctx, task(1))).To(Equal(agent.State{Status: agent.Running}))
		Expect(a.Poll(ctx, task(1))).To(Equal(agent.State{Status: agent.Running}))
		Expect(a.Lookup(ctx, task(2))).To(Equal(agent.State{Status: agent.Never}))
		release()
		Eventually(status(a, task(1))).WithTimeout(20 * time.Second).Should(Equal(agent.Settled))
		Expect(a.Lookup(ctx, task(1))).To(Equal(
			agent.State{Status: agent.Settled, Receipt: "第一行\n第二行"}))
		Expect(a.Start(ctx, task(1))).To(HaveField("Status", agent.Settled))
		Expect(effects()).To(HaveLen(1))
		Expect(told).To(BeEmpty())
	})

	It("hands over the task word for word, in a file", func() {
		a := made("works")
		release()
		_, err := a.Start(ctx, task(1))
		Expect(err).NotTo(HaveOccurred())
		text, err := os.ReadFile(filepath.Join(folder, "9f83a7c1d42e650b-1-"+task(1).PlanKey+".task"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(Equal(
			"SID: 9f83a7c1d42e650b\nROUND: 1\nKEY: " + task(1).PlanKey + "\n\n" + plan))
	})

	It("says started when the process is gone without a receipt, also to the next pi", func() {
		a := made("dies")
		Expect(a.Start(ctx, task(1))).To(HaveField("Status", agent.Running))
		release()
		Eventually(status(a, task(1))).WithTimeout(20 * time.Second).Should(Equal(agent.Started))
		Expect(made("works").Start(ctx, task(1))).To(HaveField("Status", agent.Started))
		Expect(effects()).To(HaveLen(1))
	})

	It("starts at most once, however many pis start it at the same time", func() {
		var wg sync.WaitGroup
		states := make([]agent.State, 4)
		for i := range states {
			cfg := configured("works")
			cfg.Tell = nil
			a, err := command.New(cfg)
			Expect(err).NotTo(HaveOccurred())
			wg.Go(func() {
				defer GinkgoRecover()
				var err error
				states[i], err = a.Start(ctx, task(1))
				Expect(err).NotTo(HaveOccurred())
			})
		}
		wg.Wait()
		Expect(states).To(HaveEach(agent.State{Status: agent.Running}))
		release()
		Eventually(status(made("works"),
			task(1))).WithTimeout(20 * time.Second).Should(Equal(agent.Settled))
		Expect(effects()).To(HaveLen(1))
	})

	It("executes nothing when the text does not have the key", func() {
		t := task(1)
		t.Plan += "- rm -rf /"
		Expect(made("works").Start(ctx, t)).To(Equal(agent.State{Status: agent.Never}))
		Expect(told).To(ConsistOf(ContainSubstring("does not have the key")))
		Expect(effects()).To(BeEmpty())
	})

	It("tells why a program ended without a claim", func() {
		Expect(made("refuses").Start(ctx, task(1))).To(Equal(agent.State{Status: agent.Never}))
		Expect(told).To(ConsistOf("the agent ended without a claim: exit status 7: I will not"))
	})

	It("gives no answer about a program that neither claims nor ends", func() {
		cfg := configured("sleeps")
		cfg.ClaimLimit = 200 * time.Millisecond
		pid := filepath.Join(dir, "pid")
		cfg.Words = []string{
			"/bin/sh", "-c",
			`if [ "$1" = lookup ]; then echo never; else echo $$ >"$0"; exec sleep 600; fi`, pid,
		}
		a, err := command.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.Start(ctx, task(1))).To(Equal(agent.State{Status: agent.NoAnswer}))
		Expect(told).To(ConsistOf(ContainSubstring("claimed nothing within 200ms")))
		kill(pid)
	})

	DescribeTable("takes for no answer",
		func(conduct, why string) {
			cfg := configured(conduct)
			if conduct == "hangs" {
				cfg.AskLimit = 300 * time.Millisecond
			}
			a, err := command.New(cfg)
			Expect(err).NotTo(HaveOccurred())
			Expect(a.Lookup(ctx, task(1))).To(Equal(agent.State{Status: agent.NoAnswer}))
			Expect(a.Start(ctx, task(1))).To(Equal(agent.State{Status: agent.NoAnswer}))
			Expect(told).To(HaveLen(2))
			Expect(told[0]).To(And(HavePrefix("lookup of round 1 had no answer: "), ContainSubstring(why)))
			Expect(effects()).To(BeEmpty())
		},
		Entry("another word", "garbage", `got "perhaps\n"`),
		Entry("a receipt that is no text", "binary", "got"),
		Entry("a remark behind never", "chatty", `got "never\nmind\n"`),
		Entry("nothing", "silent", `got ""`),
		Entry("more than the limit", "huge", "more than 1048576 bytes"),
		Entry("another exit code, whatever it printed", "fails", "exit status 3\nthe disk is on fire"),
		Entry("no end within the limit", "hangs", "did not end within 300ms"),
	)

	It("gives no answer, and executes nothing, when the program is gone", func() {
		cfg := configured("works")
		cfg.Words[0] = filepath.Join(dir, "program")
		Expect(os.WriteFile(cfg.Words[0], []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
		a, err := command.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.Remove(cfg.Words[0])).To(Succeed())
		Expect(a.Start(ctx, task(1))).To(Equal(agent.State{Status: agent.NoAnswer}))
	})

	It("ends with its context, and says so by its error", func() {
		short, cancel := context.WithCancel(ctx)
		cancel()
		_, err := made("works").Lookup(short, task(1))
		Expect(err).To(MatchError(context.Canceled))
	})

	It("refuses a task whose parts could be anything but digits", func() {
		for _, t := range []agent.Task{
			{SID: "../../../../etc/", Round: 1, PlanKey: "a1b2c3d4"},
			{SID: "9f83a7c1d42e650b", Round: 0, PlanKey: "a1b2c3d4"},
			{SID: "9f83a7c1d42e650b", Round: 1, PlanKey: "--ledger"},
		} {
			_, err := made("works").Start(ctx, t)
			Expect(err).To(HaveOccurred())
		}
	})

	DescribeTable("cannot be made from", func(words ...string) {
		cfg := configured("works")
		cfg.Words = words
		_, err := command.New(cfg)
		Expect(err).To(MatchError(command.ErrProgram))
	},
		Entry("a program that is not there", "/nowhere/agent"),
		Entry("a name that PATH does not have", "no-such-agent-anywhere"),
		Entry("a folder", "/tmp"),
	)
})

var _ = Describe("A task", func() {
	It("reads back as it was written", func() {
		for _, p := range []string{"", "one", "two\n\nlines\n", "\nSID: x\n", "中文 \t\r\n"} {
			t := agent.Task{SID: "9f83a7c1d42e650b", Round: 12, PlanKey: "a1b2c3d4", Plan: p}
			Expect(command.ReadTask(strings.NewReader(command.TaskText(t)))).To(Equal(t))
		}
	})

	DescribeTable("is refused", func(text, want string) {
		_, err := command.ReadTask(strings.NewReader(text))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("empty", "", `line 1: want "SID: "`),
		Entry("without a round", "SID: 9f83a7c1d42e650b\nKEY: a1b2c3d4\n\nx", `line 2: want "ROUND: "`),
		Entry("without an empty line", "SID: 9f83a7c1d42e650b\nROUND: 1\nKEY: a1b2c3d4\nx", "line 4"),
		Entry("a path for a sid", "SID: ../x\nROUND: 1\nKEY: a1b2c3d4\n\nx", "sid"),
		Entry("round zero", "SID: 9f83a7c1d42e650b\nROUND: 0\nKEY: a1b2c3d4\n\nx", "round"),
		Entry("a round with a sign", "SID: 9f83a7c1d42e650b\nROUND: +1\nKEY: a1b2c3d4\n\nx", "round"),
		Entry("no text", "SID: \xff\n", "UTF-8"),
		Entry("too long", strings.Repeat("x", command.MaxTask+1), "longer"),
	)
})
