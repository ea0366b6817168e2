package oracle_test

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/oracle"
)

// mustComplete is a fault of a kind that struck somewhere in round 1 where the table demands the
// fault-free end, "" when there is no such place.
func mustComplete(k faults.Kind) string {
	for _, op := range faults.Ops() {
		for _, phase := range []string{"before", "after", "late"} {
			for _, state := range []string{"", ":streaming"} {
				text := fmt.Sprintf("%s at %s@1%s#1/%s", k, op, state, phase)
				f, err := faults.ParseFault(text)
				if err != nil {
					continue
				}
				if duty, _ := f.Duty(); duty == faults.Complete && op != point.ClosePage {
					return text
				}
			}
		}
	}
	return ""
}

// dawdles is a run that has two messages to send when the fault is over, and waits before the
// first.
func dawdles(fault string, wait time.Duration) *story {
	t := opened()
	t.strikes(fault)
	t.now += wait
	t.runs(1)
	t.closes(2)
	return t
}

// paced is a session on a real browser whose clock runs sixty times as fast as the machine's. Pi
// dawdles behind a cut connection for all that is allowed, and by more.
func paced(more time.Duration) *story {
	t := storyOn("chromium", oracle.Script{End: "done", Plans: 1, Pace: 60})
	t.starts("")
	t.hello()
	t.strikes(cut)
	t.now += 60*(20*time.Second+2*10*time.Second+oracle.Allowance(faults.Sever)) + more
	t.runs(1)
	t.closes(2)
	return t
}

// never are the kinds that, as they are without parameters, nowhere demand in a later round that
// the run completes: they stay, need a person, or leave the choice to the bridge.
var never = []faults.Kind{
	faults.KillBrowser, faults.FreezeBrowser, faults.NewerCache, faults.ForeignCache, faults.Captcha,
	faults.Logout, faults.RateLimit, faults.UsageCap, faults.AccountBlock, faults.ServerError,
	faults.NeverAnswers, faults.DropMessage, faults.EditHistory, faults.CutHistory,
	faults.MissingTurn, faults.AgentDies, faults.AgentMute, faults.Panic,
}

var _ = Describe("the time behind the last fault", func() {
	var none []faults.Kind
	for _, k := range faults.Kinds() {
		fault := mustComplete(k)
		if fault == "" {
			none = append(none, k)
			continue
		}
		It("is bounded behind "+fault, func() {
			// A start that may be due, two messages, and what the fault may cost.
			bound := 20*time.Second + 2*10*time.Second + oracle.Allowance(k)
			Expect(dawdles(fault, bound).judged()["converges"].Status).To(Equal(oracle.Pass))
			late := dawdles(fault, bound+time.Nanosecond).judged()["converges"]
			Expect(late.Status).To(Equal(oracle.Fail), "%v", late)
		})
	}

	It("is judged behind every kind that a run survives", func() { Expect(none).To(Equal(never)) })

	It("is the machine's on a clock that runs faster", func() {
		Expect(paced(0).judged()["converges"].Status).To(Equal(oracle.Pass))
		Expect(paced(time.Nanosecond).judged()["converges"].Status).To(Equal(oracle.Unknown))
	})

	It("holds a start of pi that came behind the fault", func() {
		restarted := func(wait time.Duration) oracle.Status {
			t := opened()
			t.strikes("kill-pi at wait.poll@1:streaming#1/before")
			t.now += wait
			t.starts(oracle.StartLed)
			t.runs(1)
			t.closes(2)
			return t.judged()["converges"].Status
		}
		bound := 2*20*time.Second + 2*10*time.Second + oracle.Allowance(faults.KillPi)
		Expect(restarted(bound)).To(Equal(oracle.Pass))
		Expect(restarted(bound + time.Nanosecond)).To(Equal(oracle.Fail))
	})
})
