package history_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/point"
	"bridgesim/sim/history"
)

// sample is a small history with every lane and awkward texts.
func sample(keepBodies bool) *history.Log {
	l := history.New(history.Header{Seed: 7, Engine: "virtual", Scenario: "sample", Schedule: "none"})
	l.KeepBodies = keepBodies
	for i := history.Bridge; i <= history.World; i++ {
		l.Append(history.Event{
			At: time.Duration(i) * 1500 * time.Millisecond, Lane: i, Kind: "kind-" + i.String(),
			Op: point.SendSubmit, Round: int(i) - 3, Key: "schlüssel\n", Text: `"quoted" <&> 轮次` + "\u2028",
			Body: strings.Repeat("body\r\n", int(i)%3),
		})
	}
	return l
}

// golden is the sum of sample. It is the same on every architecture; if a change of the record is
// meant, raise history.Version with it.
const golden = "40e9f9872b8fb4c0ba7658b23c6f69758b3e0d8243399aeefd3c4e8ede674755"

var _ = Describe("Log", func() {
	It("has one sum on every machine", func() {
		Expect(sample(false).Sum()).To(Equal(golden))
		Expect(sample(true).Sum()).To(Equal(golden), "bodies enter by digest")
	})

	It("hashes without keeping, and again after Reset", func() {
		l := sample(false)
		l.KeepEvents = false
		h := l.Header()
		for range 2 {
			l.Reset(h)
			for _, e := range sample(true).Events() {
				l.Append(e)
			}
			Expect(l.Sum()).To(Equal(golden))
			Expect(l.Events()).To(BeEmpty())
			Expect(l.Len()).To(Equal(8))
		}
		Expect(l.WriteNDJSON(&bytes.Buffer{})).To(MatchError(ContainSubstring("KeepEvents")))
	})

	It("lets the sum be asked for at any time", func() {
		a, b := history.New(history.Header{}), history.New(history.Header{})
		for i := range 1000 {
			e := history.Event{Lane: history.CDP, Kind: "k", Round: i}
			a.Append(e)
			b.Append(e)
			a.Sum()
		}
		Expect(a.Sum()).To(Equal(b.Sum()))
	})

	DescribeTable("changes its sum with every part of the identity and of an event",
		func(header func(*history.Header), event func(*history.Event)) {
			h := history.Header{Seed: 1, Engine: "virtual"}
			e := history.Event{Lane: history.Site, Kind: "received"}
			base := history.New(h)
			base.Append(e)
			header(&h)
			event(&e)
			other := history.New(h)
			other.Append(e)
			Expect(other.Sum()).NotTo(Equal(base.Sum()))
		},
		Entry("seed", func(h *history.Header) { h.Seed = 2 }, sameEvent),
		Entry("engine", func(h *history.Header) { h.Engine = "chromium" }, sameEvent),
		Entry("scenario", func(h *history.Header) { h.Scenario = "s" }, sameEvent),
		Entry("schedule", func(h *history.Header) { h.Schedule = "s" }, sameEvent),
		Entry("time", sameHeader, func(e *history.Event) { e.At = 1 }),
		Entry("lane", sameHeader, func(e *history.Event) { e.Lane = history.Agent }),
		Entry("kind", sameHeader, func(e *history.Event) { e.Kind = "answered" }),
		Entry("op", sameHeader, func(e *history.Event) { e.Op = point.Attach }),
		Entry("round", sameHeader, func(e *history.Event) { e.Round = 1 }),
		Entry("key", sameHeader, func(e *history.Event) { e.Key = "x" }),
		Entry("text", sameHeader, func(e *history.Event) { e.Text = "x" }),
		Entry("body", sameHeader, func(e *history.Event) { e.Body = "x" }),
	)

	It("does not hash the host", func() {
		a := history.New(history.Header{Seed: 1})
		b := history.New(history.Header{Seed: 1, Host: history.Host{
			Go: "go1", Arch: "386",
			Started: "now",
		}})
		Expect(a.Sum()).To(Equal(b.Sum()))
	})

	It("finds the first difference", func() {
		a, b := sample(true), sample(false)
		_, _, _, ok := history.FirstDifference(a, b)
		Expect(ok).To(BeFalse(), "kept bodies are no difference")
		a.Append(history.Event{Lane: history.World, Kind: "more"})
		i, ea, eb, ok := history.FirstDifference(a, b)
		Expect(ok).To(BeTrue())
		Expect(i).To(Equal(8))
		Expect(ea.String()).To(Equal("9 0s world more"))
		Expect(eb).To(Equal(history.Event{}))
		b.Append(history.Event{Lane: history.World, Kind: "other"})
		_, _, eb, _ = history.FirstDifference(a, b)
		Expect(eb.Kind).To(Equal("other"))
	})
})

func sameEvent(*history.Event)   {}
func sameHeader(*history.Header) {}

var _ = Describe("NDJSON", func() {
	It("gives back what was written, for any history", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			name := rapid.StringMatching(`[a-z.-]{1,12}`)
			l := history.New(history.Header{
				Seed: rapid.Uint64().Draw(t, "seed"), Engine: name.Draw(t, "engine"),
				Scenario: rapid.String().Draw(t, "scenario"), Host: history.Host{Go: "go"},
			})
			l.KeepBodies = rapid.Bool().Draw(t, "bodies")
			for range rapid.IntRange(0, 20).Draw(t, "n") {
				l.Append(history.Event{
					At:   time.Duration(rapid.Int64().Draw(t, "at")),
					Lane: history.Lane(rapid.IntRange(1, 8).Draw(t, "lane")),
					Kind: name.Draw(t, "kind"), Op: point.Op(name.Draw(t, "op")),
					Round: rapid.IntRange(-1, 1<<30).Draw(t, "round"),
					Key:   string(rapid.SliceOf(rapid.Byte()).Draw(t, "key")),
					Text:  rapid.String().Draw(t, "text"),
					Body:  string(rapid.SliceOf(rapid.Byte()).Draw(t, "body")),
				})
			}
			var out bytes.Buffer
			if err := l.WriteNDJSON(&out); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			back, err := history.ReadNDJSON(&out)
			if err != nil {
				t.Fatal(err)
			}
			if back.Header() != l.Header() || back.Sum() != l.Sum() {
				t.Fatal("header or sum changed")
			}
			if fmt.Sprint(back.Events()) != fmt.Sprint(l.Events()) {
				t.Fatal("events changed")
			}
			var again bytes.Buffer
			if err := back.WriteNDJSON(&again); err != nil || again.String() != text {
				t.Fatalf("written again it differs: %v", err)
			}
		})
	})

	written := func() []string {
		var out bytes.Buffer
		Expect(sample(true).WriteNDJSON(&out)).To(Succeed())
		return strings.SplitAfter(out.String(), "\n")
	}

	DescribeTable("refuses what is not a whole history, naming line and expectation",
		func(edit func([]string) string, want error, texts ...string) {
			_, err := history.ReadNDJSON(strings.NewReader(edit(written())))
			Expect(err).To(MatchError(want))
			for _, s := range texts {
				Expect(err).To(MatchError(ContainSubstring(s)))
			}
		},
		Entry("nothing", func([]string) string { return "" }, history.ErrSyntax, "line 1",
			"expected a header"),
		Entry("not JSON", func(l []string) string { return l[0] + "what?\n" },
			history.ErrSyntax, "line 2", "expected an event"),
		Entry("another format", func([]string) string {
			return `{"format":"x","version":1,"seed":"1"}` +
				"\n"
		},
			history.ErrSyntax, "line 1", "bridgesim-history"),
		Entry("a newer version", func(l []string) string {
			return strings.Replace(l[0], `"version":1`, `"version":2`, 1)
		}, history.ErrSyntax, "line 1", "version 1", "version 2"),
		Entry("no end line", func(l []string) string { return strings.Join(l[:4], "") },
			history.ErrSyntax, "line 4", "end line"),
		Entry("cut in a line", func(l []string) string { return l[0] + l[1][:20] },
			history.ErrSyntax, "line 2", "line end"),
		Entry("a line missing", func(l []string) string { return l[0] + strings.Join(l[2:], "") },
			history.ErrSyntax, "line 2", "expected seq 1, found 2"),
		Entry("an unknown field", func(l []string) string {
			return l[0] + strings.Replace(l[1], `"seq"`, `"color":1,"seq"`, 1)
		}, history.ErrSyntax, "line 2", "color"),
		Entry("an unknown lane", func(l []string) string {
			return l[0] + strings.Replace(l[1], `"bridge"`, `"ridge"`, 1)
		}, history.ErrSyntax, "line 2", "expected one of bridge, cdp"),
		Entry("two values in a line",
			func(l []string) string { return l[0] + strings.TrimSpace(l[1]) + l[1] },
			history.ErrSyntax, "line 2", "alone"),
		Entry("a changed event", func(l []string) string {
			return strings.Replace(strings.Join(l, ""), `"round":1`, `"round":9`, 1)
		}, history.ErrSum, "line 10"),
		Entry("text behind the end", func(l []string) string { return strings.Join(l, "") + "{}\n" },
			history.ErrSyntax, "line 11", "nothing behind"),
		Entry("a line without end", func(l []string) string {
			return l[0] + strings.Repeat("x", history.MaxLine+1)
		}, history.ErrSyntax, "line 2", "at most"),
	)
})
