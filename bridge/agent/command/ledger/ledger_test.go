package ledger_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/agent/command/ledger"
	"bridgesim/bridge/wire"
)

const plan = "# PLAN pi-bridge/1\n一步\n"

func task() agent.Task {
	return agent.Task{SID: "9f83a7c1d42e650b", Round: 1, PlanKey: wire.PlanKey(plan), Plan: plan}
}

func opened(t *testing.T) (*WithT, *ledger.Ledger, string) {
	t.Helper()
	g, dir := NewWithT(t), t.TempDir()
	l, err := ledger.Open(dir)
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { g.Expect(l.Close()).To(Succeed()) })
	return g, l, dir
}

// TestLife is one plan's way, and what every step looks like from outside.
func TestLife(t *testing.T) {
	g, l, _ := opened(t)
	g.Expect(l.Lookup(task())).To(Equal(agent.State{Status: agent.Never}))
	c, err := l.Claim(task())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(l.Lookup(task())).To(Equal(agent.State{Status: agent.Running}))
	g.Expect(c.Effect("one\ntwo")).To(Succeed())
	g.Expect(c.Effect("three")).To(Succeed())
	g.Expect(c.Settle(" done\nwell \n")).To(Succeed())
	g.Expect(c.Release()).To(Succeed())
	g.Expect(l.Lookup(task())).To(Equal(agent.State{Status: agent.Settled, Receipt: "done\nwell"}))
	g.Expect(l.Effects()).To(Equal([]ledger.Effect{
		{SID: task().SID, Round: 1, Key: task().PlanKey, N: 1, Text: "one\ntwo"},
		{SID: task().SID, Round: 1, Key: task().PlanKey, N: 2, Text: "three"},
	}))
	g.Expect(l.Claimed()).To(Equal([]agent.Task{task()}))
	again, err := l.Claim(task())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(again).To(BeNil())
}

// TestGone: a claimant that is gone without a receipt leaves "started", for ever.
func TestGone(t *testing.T) {
	g, l, _ := opened(t)
	c, err := l.Claim(task())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Release()).To(Succeed())
	g.Expect(l.Lookup(task())).To(Equal(agent.State{Status: agent.Started}))
	again, err := l.Claim(task())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(again).To(BeNil())
}

// TestOneClaim: of many claimants one gets it, and nobody ever sees a claim without a living
// holder.
func TestOneClaim(t *testing.T) {
	g, l, dir := opened(t)
	var got atomic.Int32
	var wg sync.WaitGroup
	var seen sync.Map
	for range 16 {
		wg.Go(func() {
			c, err := l.Claim(task())
			if err != nil {
				t.Error(err)
			}
			if c != nil {
				got.Add(1)
				t.Cleanup(func() { g.Expect(c.Release()).To(Succeed()) })
			}
		})
		wg.Go(func() {
			st, err := l.Lookup(task())
			if err != nil {
				t.Error(err)
			}
			seen.Store(st.Status, true)
		})
	}
	wg.Wait()
	g.Expect(got.Load()).To(Equal(int32(1)))
	_, started := seen.Load(agent.Started)
	g.Expect(started).To(BeFalse())
	g.Expect(filepath.Glob(filepath.Join(dir, ".new-*"))).To(BeEmpty())
}

// TestRefusals: a plan that is not the one that was judged, and names that are none, touch nothing.
func TestRefusals(t *testing.T) {
	g, l, dir := opened(t)
	other := task()
	other.Plan += "- rm -rf /\n"
	_, err := l.Claim(other)
	g.Expect(err).To(MatchError(ledger.ErrKey))
	for _, bad := range []agent.Task{
		{SID: "../x", Round: 1, PlanKey: task().PlanKey},
		{SID: task().SID, Round: -1, PlanKey: task().PlanKey},
		{SID: task().SID, Round: 1, PlanKey: "/"},
	} {
		_, err := l.Claim(bad)
		g.Expect(err).To(HaveOccurred())
		_, err = l.Lookup(bad)
		g.Expect(err).To(HaveOccurred())
	}
	g.Expect(os.ReadDir(dir)).To(BeEmpty())
}

// TestTornEffect: a line that a crash cut off is no effect.
func TestTornEffect(t *testing.T) {
	g, l, dir := opened(t)
	c, err := l.Claim(task())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Effect("one")).To(Succeed())
	g.Expect(c.Release()).To(Succeed())
	f, err := os.OpenFile(filepath.Join(dir, "effects"), os.O_WRONLY|os.O_APPEND, 0)
	g.Expect(err).NotTo(HaveOccurred())
	_, err = f.WriteString(`{"sid":"9f83`)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(f.Close()).To(Succeed())
	g.Expect(l.Effects()).To(HaveLen(1))
}
