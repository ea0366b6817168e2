package faults_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
	"bridgesim/faults"
)

var task = agent.Task{SID: testSID, Round: 1, PlanKey: "a1b2c3d4", Plan: "plan"}

// start, poll and look ask the agent under their operations.
func (c *client) start() agent.Status {
	GinkgoHelper()
	c.i.Op(point.AgentStart, 1)
	st, err := c.agent.Start(c.within(), task)
	Expect(err).NotTo(HaveOccurred())
	return st.Status
}

func (c *client) ask(t agent.Task) agent.Status {
	GinkgoHelper()
	c.i.Op(point.AgentPoll, t.Round)
	st, err := c.agent.Poll(c.within(), t)
	Expect(err).NotTo(HaveOccurred())
	return st.Status
}

func (c *client) look() agent.Status {
	GinkgoHelper()
	c.i.Op(point.AgentLookup, 1)
	st, err := c.agent.Lookup(c.within(), task)
	Expect(err).NotTo(HaveOccurred())
	return st.Status
}

var _ = Describe("a fault of the agent", func() {
	It("that dies leaves a claim without a receipt, also for the next process of pi", func() {
		for _, text := range []string{
			"agent-dies at agent.start@1#1/after", "agent-dies at agent.poll@1:running#1/before",
			"agent-dies at agent.poll@1#1/after",
		} {
			l := start(text)
			other := task
			other.Round = 2
			l.quiet(func(c *client) {
				c.start()
				Expect(c.ask(task)).To(Equal(agent.Started), text)
				Expect(c.ask(other)).To(Equal(agent.Running), "another plan is not concerned")
			})
			l.quiet(func(c *client) { Expect(c.look()).To(Equal(agent.Started)) })
			Expect(l.events[3]).To(Equal("stays agent-dies"))
		}
	})
	It("that has its receipt already cannot die over the plan", func() {
		l := start("agent-dies at agent.poll@1#1/after")
		l.agent.state = agent.State{Status: agent.Settled, Receipt: "done"}
		l.quiet(func(c *client) { Expect(c.ask(task)).To(Equal(agent.Settled)) })
		Expect(l.events[2]).To(Equal("missed agent-dies"))
	})
	It("that is mute answers nothing, until it is not", func() {
		l := start("agent-mute at agent.poll@1:running#2/after with for=1m")
		l.quiet(func(c *client) {
			Expect(c.start()).To(Equal(agent.Running))
			Expect(c.ask(task)).To(Equal(agent.Running))
			Expect(c.ask(task)).To(Equal(agent.NoAnswer))
			Expect(c.look()).To(Equal(agent.NoAnswer))
			_ = c.clock.Sleep(GinkgoT().Context(), 2*time.Minute)
			Expect(c.ask(task)).To(Equal(agent.Running))
		})
		Expect(l.events[3]).To(Equal("healed agent-mute"))
	})
	It("is not the browser's: a cut socket leaves its answer alone", func() {
		l := start("sever at agent.poll@1#1/after")
		l.quiet(func(c *client) {
			s := c.attach()
			c.start()
			Expect(c.ask(task)).To(Equal(agent.Running))
			Expect(s.Lost()).To(MatchError(browser.ErrSocketLost))
		})
	})
	It("outlives a killed pi", func() {
		l := start("kill-pi at agent.start@1#1/after")
		killed, _ := l.run(func(c *client) { c.start() })
		Expect(killed).NotTo(BeNil())
		Expect(l.agent.asked).To(Equal([]string{"start"}))
		l.quiet(func(c *client) { Expect(c.look()).To(Equal(agent.Running)) })
	})
})

var _ = Describe("the duty about the agent", func() {
	It("that died or is mute for good is row 11", func() {
		duties(
			faults.Stop,
			"agent-dies at agent.poll@1#1/before",
			"agent-mute at agent.lookup@1#1/before",
		)
		duties(faults.Either, "agent-mute at agent.poll@1#1/before with for=1m")
	})
})
