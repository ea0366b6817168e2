package session

import (
	"context"
	"fmt"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

// stopped is a clock that shows the time it is given.
type stopped struct{ now time.Time }

func (c *stopped) Now() time.Time { return c.now }
func (c *stopped) Sleep(_ context.Context,
	d time.Duration,
) error {
	c.now = c.now.Add(d)
	return nil
}

func (c *stopped) WithTimeout(
	ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc,
) {
	return ctx, func() {}
}

// trace writes down what a journal does, in order.
type trace struct{ lines []string }

func (t *trace) Op(op point.Op, round int) {
	t.lines = append(t.lines, fmt.Sprintf("%s@%d", op, round))
}

func (t *trace) Note(n point.Note) {
	t.lines = append(t.lines, fmt.Sprintf("%s@%d %s %s", n.Kind, n.Round, n.Key, n.Text))
}

// spy is a store that shows when it was written to.
type spy struct {
	*Memory
	t    *trace
	fail error
}

func (s *spy) Append(r Record) error {
	s.t.lines = append(s.t.lines, "append "+string(r.Kind))
	if s.fail != nil {
		return s.fail
	}
	return s.Memory.Append(r)
}

var _ = Describe("a journal", func() {
	var m *spy
	var tr *trace
	var clk *stopped

	BeforeEach(func() {
		tr = &trace{}
		m = &spy{Memory: NewMemory(), t: tr}
		clk = &stopped{now: time.Date(2000, 1, 1, 1, 0, 0, 0, time.FixedZone("CET", 3600))}
	})
	open := func() *Journal {
		GinkgoHelper()
		j, err := Open(m, clk, tr)
		Expect(err).NotTo(HaveOccurred())
		return j
	}
	write := func(j *Journal, records []Record) {
		GinkgoHelper()
		for _, r := range records {
			Expect(j.Write(r)).To(Succeed())
		}
	}

	It("is empty where no session is", func() {
		j := open()
		Expect(*j.State()).To(Equal(State{}))
		Expect(j.Torn()).To(BeFalse())
	})

	It("announces a write, writes, and only then tells what changed", func() {
		j := open()
		write(j, established())
		tr.lines = nil
		write(j, went(wire.KindRound, 1))
		Expect(tr.lines).To(Equal([]string{
			"store.append@1", "append intent", "edge@1 established-to-round ", "send@1 unknown ROUND",
			"store.append@1", "append sent", "send@1 sent ROUND",
		}))
		tr.lines = nil
		write(j, list(lost()))
		Expect(tr.lines).To(Equal([]string{
			"store.append@1", "append disconnected", "edge@1 any-to-disconnected ",
		}))
	})

	It("stamps the time, without a zone and as it will be read back", func() {
		j := open()
		write(j, list(born()))
		Expect(loads(m)[0].At).To(Equal(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)))
	})

	It("knows after any crash what the last process knew", func() {
		records := quiet(3)
		for n := range records {
			m = &spy{Memory: NewMemory(), t: tr}
			j := open()
			write(j, records[:n])
			Expect(*open().State()).To(Equal(*j.State()))
			again := open()
			write(again, records[n:])
			Expect(again.State().Phase).To(Equal(PhaseClosed))
		}
	})

	It("writes nothing that breaks a law", func() {
		j := open()
		write(j, established())
		before := j.State().clone()
		tr.lines = nil
		Expect(j.Write(about(RecCheckpoint, 1))).To(MatchError(ErrCheckpointUnsettled))
		Expect(tr.lines).To(BeEmpty())
		Expect(*j.State()).To(Equal(before))
	})

	It("keeps its state when the store fails, and says that the act must not begin", func() {
		j := open()
		write(j, established())
		before := j.State().clone()
		m.fail = syscall.ENOSPC
		err := j.Write(intent(wire.KindRound, 1))
		Expect(err).To(MatchError(ErrStore))
		Expect(err).To(MatchError(syscall.ENOSPC))
		Expect(*j.State()).To(Equal(before))
		Expect(tr.lines[len(tr.lines)-1]).To(Equal("append intent"), "no note of what did not happen")
		m.fail = nil
		Expect(j.Write(intent(wire.KindRound, 1))).To(Succeed())
	})

	It("says that the last record was torn, and has not happened", func() {
		write(open(), roundSent)
		m.Tear()
		j := open()
		Expect(j.Torn()).To(BeTrue())
		Expect(j.State().Pending()).To(BeTrue())
	})

	It("passes on why a store cannot be trusted", func() {
		write(open(), established())
		m.Corrupt()
		_, err := Open(m, clk, tr)
		Expect(err).To(MatchError(ErrCorrupt))
		m.SetVersion(Format + 1)
		_, err = Open(m, clk, tr)
		Expect(err).To(MatchError(ErrNewer))
	})

	It("does not trust records that break a law, whatever their checksums say", func() {
		appendAll(m, seq(established(), list(about(RecCheckpoint, 1))))
		_, err := Open(m, clk, tr)
		Expect(err).To(MatchError(ErrCorrupt))
		Expect(err).To(MatchError(ErrCheckpointUnsettled))
		Expect(err).To(MatchError(ContainSubstring("record 5")))
	})

	It("writes the cache anew when only memory still has the session", func() {
		for name, happen := range map[string]func(){
			"cleared": m.Clear, "corrupt": m.Corrupt, "torn": m.Tear, "aged": func() { m.Age(3) },
		} {
			By(name)
			m.Clear()
			j := open()
			write(j, roundSent)
			happen()
			tr.lines = nil
			Expect(j.Write(validated(1, wire.DecisionContinue))).To(Succeed())
			Expect(tr.lines).To(ContainElement(HavePrefix("info@1 journal lost")))
			again := open()
			Expect(*again.State()).To(Equal(*j.State()))
			write(again, list(about(RecExecuting, 1), settled(1)))
			Expect(j.State().Current().Executing).To(BeFalse(), "two processes share no state")
		}
	})

	It("keeps its state when the cache is lost and cannot be written anew", func() {
		j := open()
		write(j, roundSent)
		before := j.State().clone()
		m.Clear()
		m.Full(true)
		Expect(j.Write(validated(1, wire.DecisionContinue))).To(MatchError(ErrStore))
		Expect(*j.State()).To(Equal(before))
	})

	It("replaces stray bytes in a receipt, and refuses them in what must come back word for word",
		func() {
			j := open()
			write(j, working)
			r := settled(1)
			r.Receipt = "ok \xff\xfe done"
			Expect(j.Write(r)).To(Succeed())
			Expect(j.State().Current().Receipt).To(Equal("ok \uFFFD done"))
			bad := Record{Kind: RecTarget, TargetID: "\xff"}
			Expect(j.Write(bad)).To(MatchError(ErrText))
			bad = versionLost()
			bad.Features = []string{"\xff"}
			Expect(j.Write(bad)).To(MatchError(ErrText))
		})
})
