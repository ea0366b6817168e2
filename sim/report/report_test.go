package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
	"bridgesim/sim/report"
)

// evil is what stands in every text field of hostile.
const evil = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'"` +
	"<!--\u2028"

// hostile is a run with evil in every text that a history or a runner can bring.
func hostile() report.Run {
	l := history.New(history.Header{
		Seed: 1, Engine: evil, Scenario: evil, Schedule: evil,
		Host: history.Host{Go: evil, Arch: evil, Browser: evil, Started: evil},
	})
	l.KeepBodies = true
	for _, lane := range []history.Lane{
		history.Bridge, history.CDP, history.Site, history.Agent, history.Store, history.Fault,
		history.Verdict, history.World,
	} {
		kinds := map[history.Lane][]string{
			history.Bridge: {"verdict"}, history.Fault: {"armed", "applied"},
			history.Verdict: {"expected", "false"}, history.Site: {"received", "answered", "edited"},
		}[lane]
		for _, kind := range append(kinds, evil) {
			l.Append(history.Event{
				Lane: lane, Kind: kind, Op: point.Op(evil), Key: evil, Text: "c=" + evil + "; " + evil,
				Body: evil,
			})
		}
	}
	return report.Run{
		Name: evil, Feature: evil, Place: evil, Engine: evil, Status: report.Status(evil),
		Error: evil, Step: evil,
		Tags: []string{evil}, Missed: []string{evil}, Repeat: evil, History: evil, Log: l,
		Unjudged: evil,
		Findings: []oracle.Finding{{
			Oracle:  &oracle.Oracle{Name: evil, Promise: errors.New(evil)},
			Verdict: oracle.Verdict{Status: oracle.Fail, Message: evil, Seqs: []int{1}},
		}},
	}
}

// story is a small run: a fault that strikes, a decision, a conversation.
func story() *history.Log {
	l := history.New(history.Header{Seed: 3, Engine: "virtual", Scenario: "drops", Schedule: "s"})
	l.KeepBodies = true
	const fault = "sever at send.prove@1#1/before"
	for i, e := range []history.Event{
		{Lane: history.World, Kind: "script", Key: "done"},
		{Lane: history.Fault, Kind: "armed", Key: fault, Text: "it waits"},
		{Lane: history.CDP, Kind: "call", Op: point.SendSubmit, Key: "Input.dispatchMouseEvent"},
		{Lane: history.Site, Kind: "received", Key: "m1", Text: "c=abc ROUND s=1", Body: "the prompt"},
		{Lane: history.Site, Kind: "answered", Key: "m1", Text: "complete 5 plan", Body: "the answer"},
		{Lane: history.Site, Kind: "plan", Key: "p1", Text: "done", Body: "the plan"},
		{Lane: history.Fault, Kind: "reached", Key: fault, Text: "the bridge is there"},
		{Lane: history.Fault, Kind: "applied", Key: fault, Text: "1 connection"},
		{Lane: history.CDP, Kind: "failed", Key: "tail", Text: "socket-lost"},
		{Lane: history.Fault, Kind: "healed", Key: fault, Text: "it is over"},
		{
			Lane: history.Bridge, Kind: "verdict", Key: "3",
			Text: "continue; failure dropped, attached yes, also row 2, also row 6",
		},
		{Lane: history.Verdict, Kind: "expected", Key: "4", Text: "the document is new"},
		{Lane: history.Store, Kind: "append", Key: "sent"},
		{Lane: history.Agent, Kind: "claim", Key: "p1"},
	} {
		e.At = time.Duration(i) * time.Second
		l.Append(e)
	}
	return l
}

func storyRun() report.Run {
	return report.Run{
		Name: "drops", Feature: "recovery", Place: "x.feature:7", Engine: "virtual",
		Status: report.Failed, Error: "the session ends as \"stopped\"", Tags: []string{"@row-03"},
		Repeat: "sim run x.feature:7", Log: story(), Step: "the session ends as \"lost\"",
		Findings: []oracle.Finding{{
			Oracle:  &oracle.Oracle{Name: "one-send", Promise: errors.New("a message is sent once")},
			Verdict: oracle.Verdict{Status: oracle.Fail, Message: "it was sent twice", Seqs: []int{4, 9}},
		}},
	}
}

func rendered(runs ...report.Run) string {
	GinkgoHelper()
	var out bytes.Buffer
	Expect(report.Write(&out, report.Report{Title: "a title", Runs: runs})).To(Succeed())
	return out.String()
}

// dataOf reads what the page holds of the n-th run.
func dataOf(page string, n int) (d struct {
	Spans []struct {
		Fault                                        string
		Armed, Reached, Applied, Over, Stays, Missed int
		Says                                         string
	}
	Decisions []struct {
		Seq, Row, Expected int
		Act, Evidence, Why string
		Also               []int
	}
	Turns []struct {
		Seq            int
		Who, Chat, Say string
	}
	Promises []struct{ Name, Status string }
	Texts    []string
	Events   []int64
},
) {
	GinkgoHelper()
	_, rest, ok := strings.Cut(page, fmt.Sprintf(`<script type="application/json" id="data-%d">`, n))
	Expect(ok).To(BeTrue())
	text, _, _ := strings.Cut(rest, "</script>")
	Expect(json.Unmarshal([]byte(text), &d)).To(Succeed())
	return d
}

var _ = Describe("Write", func() {
	It("puts the stages of each fault together", func() {
		d := dataOf(rendered(storyRun()), 1)
		Expect(d.Spans).To(HaveLen(1))
		s := d.Spans[0]
		Expect([]int{s.Armed, s.Reached, s.Applied, s.Over, s.Stays, s.Missed}).
			To(Equal([]int{2, 7, 8, 10, 0, 0}))
		Expect(s.Says).To(Equal("it is over"))
	})

	It("keeps two faults of one text apart", func() {
		l := history.New(history.Header{Engine: "virtual"})
		for _, kind := range []string{"armed", "armed", "reached", "applied", "reached", "missed"} {
			l.Append(history.Event{Lane: history.Fault, Kind: kind, Key: "same"})
		}
		d := dataOf(rendered(report.Run{Log: l}), 1)
		Expect(d.Spans).To(HaveLen(2))
		Expect(d.Spans[0].Reached).To(Equal(3))
		Expect(d.Spans[1].Reached).To(Equal(5))
	})

	It("shows a decision with what also matched and what the world expected", func() {
		d := dataOf(rendered(storyRun()), 1).Decisions
		Expect(d).To(HaveLen(1))
		Expect(d[0].Row).To(Equal(3))
		Expect(d[0].Act).To(Equal("continue"))
		Expect(d[0].Evidence).To(Equal("failure dropped, attached yes"))
		Expect(d[0].Also).To(Equal([]int{2, 6}))
		Expect(d[0].Expected).To(Equal(4))
		Expect(d[0].Why).To(Equal("the document is new"))
	})

	It("tells the conversation as the site saw it, an answer with its plan once", func() {
		d := dataOf(rendered(storyRun()), 1).Turns
		Expect(d).To(HaveLen(2))
		Expect(d[0].Who).To(Equal("user"))
		Expect(d[0].Chat).To(Equal("abc"))
		Expect(d[1].Who).To(Equal("site"))
		Expect(d[1].Chat).To(Equal("abc"), "an answer belongs to the conversation of its message")
	})

	It("keeps every text once and gives every event", func() {
		d := dataOf(rendered(storyRun()), 1)
		Expect(d.Events).To(HaveLen(9 * story().Len()))
		seen := map[string]bool{}
		for _, s := range d.Texts {
			Expect(seen[s]).To(BeFalse(), "%q stands there twice", s)
			seen[s] = true
		}
		Expect(seen).To(HaveKey("the prompt"))
	})

	It("counts rows by engine and outcome", func() {
		other := storyRun()
		other.Engine, other.Status = "chromium", report.Passed
		page := rendered(storyRun(), storyRun(), other)
		Expect(page).To(ContainSubstring(
			`<a href="#runs/row-3/virtual"><span class="failed">2 failed</span>`))
		Expect(page).To(ContainSubstring(
			`<a href="#runs/row-3/chromium"><span class="passed">1 passed</span>`))
		Expect(page).NotTo(ContainSubstring(`#runs/row-4/`), "expected is not taken")
	})

	It("shows runs that left nothing", func() {
		page := rendered(report.Run{Name: "gone", Status: report.Aborted}.Judged())
		Expect(page).To(ContainSubstring("<b>1</b> aborted"))
		Expect(page).To(ContainSubstring("the run left no history"))
		Expect(rendered()).To(ContainSubstring("of 0 runs"))
	})

	It("lets no text of a history become markup", func() {
		page := rendered(hostile())
		clean := rendered(storyRun())
		Expect(strings.Count(page, "<script")).To(Equal(strings.Count(clean, "<script")))
		Expect(strings.Count(page, "</script")).To(Equal(strings.Count(clean, "</script")))
		Expect(page).NotTo(ContainSubstring("<img"))
		Expect(page).NotTo(ContainSubstring("<!--"))
		d := dataOf(page, 1)
		Expect(d.Texts).To(ContainElement(evil), "it is there as text")
	})

	It("shows maps, and escapes them", func() {
		var out bytes.Buffer
		Expect(report.Write(&out, report.Report{Grids: []report.Grid{{
			Title: evil, Note: evil, Columns: []string{evil, "sever"},
			Rows: []report.GridRow{{Name: evil, Note: evil, Squares: []report.Square{
				{}, {Text: "7/2", Says: evil, Heat: 3, Bad: true},
			}}},
		}}})).To(Succeed())
		Expect(out.String()).To(ContainSubstring(`<td class="heat-3 broke" title="&lt;/script&gt;`))
		Expect(out.String()).To(ContainSubstring(">7/2</td>"))
		Expect(out.String()).To(ContainSubstring(`<td class="heat-0"></td>`))
		clean := rendered()
		Expect(strings.Count(out.String(), "<script")).To(Equal(strings.Count(clean, "<script")))
		Expect(out.String()).NotTo(ContainSubstring("<img"))
	})

	DescribeTable("tells heat by the number of digits", func(n, of, heat int) {
		Expect(report.HeatOf(n, of)).To(Equal(heat))
	},
		Entry(nil, 0, 100, 0), Entry(nil, 1, 100, 1), Entry(nil, 5, 100, 2), Entry(nil, 20, 100, 3),
		Entry(nil, 100, 100, 4), Entry(nil, 200, 100, 4), Entry(nil, 5, 0, 0), Entry(nil, 1, 1, 1),
	)

	It("names no address that could be loaded", func() {
		page := rendered(storyRun())
		Expect(regexp.MustCompile(`(src|href)="[^#"]`).FindString(page)).To(BeEmpty())
		Expect(page).NotTo(MatchRegexp(`https?://|url\(|@import`))
		Expect(page).To(MatchRegexp(
			`Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-`))
	})

	It("is the same for the same runs", func() {
		one, two := rendered(storyRun(), hostile()), rendered(storyRun(), hostile())
		Expect(one == two).To(BeTrue())
	})

	It("gives back the error of its writer", func() {
		err := report.Write(full{}, report.Report{Runs: []report.Run{storyRun()}})
		Expect(err).To(MatchError(errFull))
	})
})

var _ = Describe("OfHistory", func() {
	It("takes the status from the promises", func() {
		r := report.OfHistory("x.ndjson", story())
		Expect(r.Status).NotTo(Equal(report.Passed), "this story breaks promises or cannot be judged")
		Expect(r.Findings).NotTo(BeEmpty())
		Expect(r.Name).To(Equal("drops"))
	})

	It("is unknown where nothing can be judged", func() {
		r := report.OfHistory("x.ndjson", history.New(history.Header{Engine: "virtual"}))
		Expect(r.Status).To(Equal(report.Unknown))
		Expect(r.Error).To(ContainSubstring("cannot be judged"))
	})
})

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
