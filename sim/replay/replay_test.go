package replay_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/faults"
	"bridgesim/scenarios"
	"bridgesim/sim"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
	"bridgesim/sim/replay"
)

const features = "../../features/"

// record plays one compiled scenario on an engine and keeps what a recording keeps.
func record(e sim.Engine, c *scenarios.Compiled) (*sim.Result, *history.Log, error) {
	script := c.Script
	if err := script.Learn(context.Background()); err != nil {
		return nil, nil, err
	}
	r := sim.NewRunner(e)
	defer r.Close()
	r.Ports = replay.NewRecorder().Ports
	res, err := r.Run(context.Background(), &script, nil)
	if err != nil {
		return res, nil, err
	}
	log, _ := replay.Keep(res.World.Log, &replay.Scenario{
		Name: c.Name, URI: c.URI, Line: c.Line, Seed: script.Seed, Given: c.Given,
		Schedule: script.Schedule,
	}, history.ForReplay)
	return res, log, nil
}

func compiled(path string) []scenarios.Compiled {
	GinkgoHelper()
	all, err := scenarios.Compile([]string{path}, "", 1)
	Expect(err).NotTo(HaveOccurred())
	Expect(all).NotTo(BeEmpty())
	return all
}

// severed is a recording of one cut socket on the virtual engine.
func severed() (*sim.Result, *history.Log) {
	GinkgoHelper()
	all := compiled(features + "recovery/row-03.feature:25")
	res, log, err := record(sim.Virtual(), &all[0])
	Expect(err).NotTo(HaveOccurred())
	return res, log
}

func written(l *history.Log) []byte {
	GinkgoHelper()
	var b bytes.Buffer
	Expect(l.WriteNDJSON(&b)).To(Succeed())
	return b.Bytes()
}

// again writes a log and reads it, as a file would.
func again(l *history.Log) *history.Log {
	GinkgoHelper()
	back, err := history.ReadNDJSON(bytes.NewReader(written(l)))
	Expect(err).NotTo(HaveOccurred())
	return back
}

// edited is a recording in which one event is another, with a sum that fits.
func edited(l *history.Log, edit func(i int, e *history.Event) (keep bool)) *history.Log {
	out := history.New(l.Header())
	out.KeepBodies = true
	for i, e := range l.Events() {
		if edit(i, &e) {
			out.Append(e) // which gives the digest of a body
		}
	}
	return out
}

// find is the index of the first event that holds.
func find(l *history.Log, holds func(*history.Event) bool) int {
	GinkgoHelper()
	for i := range l.Events() {
		if holds(&l.Events()[i]) {
			return i
		}
	}
	Fail("no such event")
	return -1
}

var _ = Describe("Replay", func() {
	It("does all of it again, whatever was recorded", func() {
		n, killed := 0, 0
		for _, path := range []string{
			"recovery", "lifecycle", "field/09-restart.feature", "field/10-encoding.feature",
		} {
			for _, c := range compiled(features + path) {
				res, log, err := record(sim.Virtual(), &c)
				Expect(err).NotTo(HaveOccurred(), c.URI)
				got, err := replay.Replay(again(log))
				Expect(err).NotTo(HaveOccurred(), "%s:%d", c.URI, c.Line)
				Expect(got.Divergence).To(BeNil(), "%s:%d", c.URI, c.Line)
				Expect(got.Log.Sum()).To(Equal(log.Sum()), "%s:%d", c.URI, c.Line)
				Expect(got.Rows).To(Equal(append([]int(nil), res.Rows...)), "%s:%d", c.URI, c.Line)
				Expect(got.Outcome).To(Equal(res.Report.Outcome), "%s:%d", c.URI, c.Line)
				n++
				if got.Lives > 1 {
					killed++
				}
			}
		}
		Expect(n).To(BeNumerically(">", 200))
		Expect(killed).To(BeNumerically(">", 20), "with processes that were killed")
	})

	It("has the history of the recording, byte for byte, and its verdicts", func() {
		res, log := severed()
		first, err := replay.Replay(log)
		Expect(err).NotTo(HaveOccurred())
		second, err := replay.Replay(again(log))
		Expect(err).NotTo(HaveOccurred())
		Expect(written(first.Log)).To(Equal(written(log)))
		Expect(written(second.Log)).To(Equal(written(log)))
		Expect(first.Rows).To(Equal([]int{3}))
		Expect(oracle.Overall(first.Findings)).To(Equal(oracle.Pass))
		Expect(oracle.Overall(res.Findings)).To(Equal(oracle.Pass))
		Expect(first.Asked).To(BeNumerically(">", 100))
	})

	It("leaves the run as it was: without a recorder the same events happen", func() {
		all := compiled(features + "recovery/row-03.feature:25")
		_, log, err := record(sim.Virtual(), &all[0])
		Expect(err).NotTo(HaveOccurred())
		script := all[0].Script
		Expect(script.Learn(context.Background())).To(Succeed())
		plain, err := sim.Run(context.Background(), sim.Virtual(), &script)
		Expect(err).NotTo(HaveOccurred())
		without := edited(log, func(_ int, e *history.Event) bool { return e.Lane != history.Port })
		for i, e := range plain.World.Log.Events() {
			got := without.Events()[i]
			Expect(got).To(Equal(e))
		}
		Expect(without.Len()).To(Equal(plain.World.Log.Len()))
	})
})

var _ = Describe("Divergence", func() {
	It("is the first question that the bridge does not ask any more", func() {
		_, log := severed()
		at := find(log, func(e *history.Event) bool { return strings.HasSuffix(e.Key, "call fence") })
		made := edited(log, func(i int, e *history.Event) bool {
			if i == at {
				e.Key = "s1.call something"
			}
			return true
		})
		got, err := replay.Replay(made)
		Expect(err).NotTo(HaveOccurred())
		d := got.Divergence
		Expect(d).NotTo(BeNil())
		Expect(d.Recorded.Seq).To(Equal(at + 1))
		Expect(d.Recorded.Key).To(Equal("s1.call something"))
		Expect(d.Made.Key).To(Equal("s1.call fence"))
		Expect(d.Why).To(Equal(`key: recorded "s1.call something", now "s1.call fence"`))
		Expect(d.Before).To(HaveLen(3))
		Expect(got.Log.Len()).To(Equal(at), "what is before it was played")
	})

	It("follows from an answer that is another", func() {
		_, log := severed()
		at := find(log, func(e *history.Event) bool {
			return e.Kind == "answer" && strings.Contains(e.Body, `"state":"finished"`)
		})
		made := edited(log, func(i int, e *history.Event) bool {
			if i == at {
				e.Body = strings.Replace(e.Body, `"state":"finished"`, `"state":"error"`, 1)
			}
			return true
		})
		got, err := replay.Replay(made)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Divergence).NotTo(BeNil())
		Expect(got.Divergence.Recorded.Seq).To(BeNumerically(">", at+1))
	})

	It("shows where the arguments differ", func() {
		_, log := severed()
		at := find(log, func(e *history.Event) bool {
			return e.Kind == "ask" && strings.HasSuffix(e.Key, "Input.insertText")
		})
		made := edited(log, func(i int, e *history.Event) bool {
			if i == at {
				e.Body = strings.Replace(e.Body, "CAPS", "CUPS", 1)
			}
			return true
		})
		got, err := replay.Replay(made)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Divergence.Recorded.Seq).To(Equal(at + 1))
		Expect(got.Divergence.Why).To(And(HavePrefix("arguments: recorded …"),
			ContainSubstring("CUPS"), ContainSubstring("CAPS")))
	})

	It("is an end that comes too early or too late", func() {
		_, log := severed()
		last := find(log, func(e *history.Event) bool { return strings.HasSuffix(e.Key, "close-target") })
		short := edited(log, func(i int, _ *history.Event) bool { return i < last })
		got, err := replay.Replay(short)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Divergence.Why).To(ContainSubstring("the recording has ended, the bridge goes on"))
		long := edited(log, func(int, *history.Event) bool { return true })
		long.Append(history.Event{Lane: history.Port, Kind: "ask", Key: "agent.poll"})
		got, err = replay.Replay(long)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Divergence.Why).To(ContainSubstring("has ended, the recording goes on"))
	})

	It("is a run that ends otherwise", func() {
		_, log := severed()
		made := edited(log, func(_ int, e *history.Event) bool {
			if e.Lane == history.World && e.Kind == "end" {
				e.Key = "manual"
			}
			return true
		})
		got, err := replay.Replay(made)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Divergence.Why).To(Equal(`the run ended as "done", recorded is "manual"`))
	})
})

var _ = Describe("What cannot be replayed", func() {
	It("is a history without ports, or without texts", func() {
		res, log := severed()
		plain := edited(log, func(_ int, e *history.Event) bool { return e.Lane != history.Port })
		_, err := replay.Replay(plain)
		Expect(err).To(MatchError(replay.ErrNotReplayable))
		digests, _ := replay.Keep(res.World.Log, nil, history.DigestsOnly)
		Expect(again(digests).Header().Recording).To(Equal(history.DigestsOnly), "it says so")
		Expect(string(written(digests))).NotTo(ContainSubstring(`"body"`))
		_, err = replay.Replay(digests)
		Expect(err).To(MatchError(ContainSubstring("digests only")))
		c, err := oracle.NewCase(digests.Header(), oracle.FromBodies(again(digests).Events()))
		Expect(err).NotTo(HaveOccurred())
		Expect(oracle.Overall(oracle.Judge(c))).NotTo(Equal(oracle.Fail), "it can be judged")
		plan, err := replay.ScheduleOf(digests)
		Expect(err).NotTo(HaveOccurred())
		Expect(plan.String()).To(HavePrefix("sever at send.prove@1#1/before"))
	})

	It("is a recording whose answers make no sense", func() {
		_, log := severed()
		at := find(log, func(e *history.Event) bool {
			return e.Kind == "answer" && strings.HasSuffix(e.Key, ".pages")
		})
		broken := edited(log, func(i int, e *history.Event) bool {
			if i == at {
				e.Body = `{"value":7}`
			}
			return true
		})
		_, err := replay.Replay(broken)
		Expect(err).To(MatchError(replay.ErrRecording))
		Expect(err).To(MatchError(ContainSubstring("b1.pages")))
	})
})

var _ = Describe("Keep", func() {
	It("leaves no secret, in no lane and no field", func() {
		secrets := []string{"verysecret1", "verysecret2", "verysecret3", "verysecret4"}
		l := history.New(history.Header{Seed: 1, Engine: "virtual"})
		l.KeepBodies = true
		for lane := history.Bridge; lane <= history.Port; lane++ {
			l.Append(history.Event{
				Lane: lane, Kind: "answer",
				Key:  "Authorization: Basic verysecret1",
				Text: "cookie: sid=verysecret2",
				Body: `{"value":{"headers":{"Set-Cookie":"sid=verysecret3"},` +
					`"text":"Bearer verysecret4verysecret4"}}`,
			})
		}
		for _, what := range []history.Recording{history.ForReplay, history.DigestsOnly} {
			kept, n := replay.Keep(l, &replay.Scenario{
				Name: "cookie: sid=verysecret1", Given: []string{"password=verysecret2"},
			}, what)
			Expect(n).To(BeNumerically(">=", 8))
			text := string(written(kept))
			for _, s := range secrets {
				if s == "verysecret2" { // a word of a step that has no name of a secret's form
					text = strings.ReplaceAll(text, "password=verysecret2", "")
				}
				Expect(text).NotTo(ContainSubstring(s), "%s %s", what, s)
			}
			again(kept)
		}
	})

	It("says when a run depends on a secret, because then it does not play back", func() {
		all := compiled(features + "recovery/row-03.feature:25")
		all[0].Script.Request = "put Authorization: Basic dmVyeXNlY3JldA== into the config"
		_, log, err := record(sim.Virtual(), &all[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(written(log))).NotTo(ContainSubstring("dmVyeXNlY3JldA"))
		Expect(replay.Check(log)).To(MatchError(replay.ErrChanged))
	})
})

var _ = Describe("Schedules", func() {
	It("come back from a header, also with separators in their texts", func() {
		plan := faults.Schedule{}
		for _, s := range []string{
			"sever at send.submit@2#1/after with how=fin",
			"cdp-error at wait.poll@1#2/before with code=-32000 text='one; two; three at four'",
			"crash-tab at wait.poll@1:streaming#1/after",
		} {
			f, err := faults.ParseFault(s)
			Expect(err).NotTo(HaveOccurred())
			plan = append(plan, f)
		}
		l := history.New(history.Header{Schedule: plan.String()})
		Expect(replay.ScheduleOf(l)).To(Equal(plan))
		_, err := replay.ScheduleOf(history.New(history.Header{Schedule: "sever somewhere"}))
		Expect(err).To(MatchError(replay.ErrRecording))
	})

	It("are cut down to the disconnects", func() {
		plan := faults.Schedule{{Kind: faults.Sever}, {Kind: faults.Captcha}, {Kind: faults.CrashTab}}
		kept, left := replay.Disconnects(plan)
		Expect(kept).To(HaveLen(2))
		Expect(left).To(HaveLen(1))
	})

	It("become a feature that runs and gives the same run", func() {
		res, log := severed()
		s, ok, err := replay.ScenarioOf(log)
		Expect(ok).To(BeTrue())
		Expect(err).NotTo(HaveOccurred())
		text := replay.Feature(s, s.Schedule, []string{"every fault struck"})
		path := filepath.Join(GinkgoT().TempDir(), "recorded.feature")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		sum, err := scenarios.Run(context.Background(), scenarios.Options{
			Paths: []string{path}, Engine: sim.Virtual(), Seed: 1, Jobs: 1,
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Passed).To(Equal(1))
		Expect(sum.Outcomes[0].Rows).To(Equal(res.Rows))
	})
})

// TestRealDisconnectReplays records a cut socket on a real browser, and plays it back without one:
// twice, equal to the byte, with the same row and the same verdicts.
func TestRealDisconnectReplays(t *testing.T) {
	launchtest.Require(t)
	RegisterTestingT(t)
	all := compiled(features + "recovery/row-03.feature:25")
	engine := sim.Chromium(sim.ChromiumOptions{})
	res, log, err := record(engine, &all[0])
	if cerr := engine.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	var texts [2][]byte
	for i := range texts {
		got, err := replay.Replay(again(log))
		if err != nil {
			t.Fatal(err)
		}
		Expect(got.Divergence).To(BeNil())
		Expect(got.Rows).To(Equal([]int{3}))
		Expect(got.Rows).To(Equal(res.Rows))
		Expect(got.Outcome).To(Equal(res.Report.Outcome))
		Expect(oracle.Overall(got.Findings)).To(Equal(oracle.Overall(res.Findings)))
		texts[i] = written(got.Log)
	}
	Expect(texts[0]).To(Equal(texts[1]))
	Expect(texts[0]).To(Equal(written(log)))
}
