package faults_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// anyFault draws a fault that makes sense.
func anyFault(t *rapid.T) faults.Fault {
	var places []point.Address
	kind := rapid.SampledFrom(faults.Kinds()).Draw(t, "kind")
	info, _ := faults.Of(kind)
	faults.Each(func(i *faults.Info, a point.Address) {
		if i.Kind == kind {
			places = append(places, a)
		}
	})
	at := rapid.SampledFrom(places).Draw(t, "place")
	at.Round = rapid.IntRange(0, 10_000).Draw(t, "round")
	at.Step = rapid.IntRange(1, 1_000_000).Draw(t, "step")
	if states := faults.States(at.Op); states != nil && rapid.Bool().Draw(t, "any state") {
		at.State = rapid.SampledFrom(states).Draw(t, "state")
	}
	f := faults.Fault{Kind: kind, At: at}
	for _, p := range info.Params {
		if rapid.Bool().Draw(t, "give "+p.Name) {
			draw(t, &f.Params, p.Name)
		}
	}
	if kind == faults.SecondClient && f.Params.How != "" {
		f.Params.How = faults.HowType
		if f.Params.Text != "" {
			f.Params.How = faults.HowSend
		}
	}
	return f
}

func draw(t *rapid.T, p *faults.Params, name string) {
	switch name {
	case "how":
		p.How = rapid.SampledFrom([]string{"rst", "fin", "close"}).Draw(t, name)
	case "for":
		p.For = time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, name))
	case "code":
		p.Code = rapid.IntRange(1000, 4999).Draw(t, name)
	case "text":
		p.Text = rapid.StringN(0, 100, 400).Draw(t, name)
	case "back":
		p.Back = rapid.IntRange(0, 10_000).Draw(t, name)
	case "caps":
		p.Caps = rapid.SliceOfN(rapid.StringMatching(`[a-z.]{1,10}`), 1, 5).Draw(t, name)
	}
}

var _ = Describe("an address", func() {
	It("reads back as it is printed, for every place", func() {
		faults.Each(func(_ *faults.Info, a point.Address) {
			got, err := faults.ParseAddress(a.String())
			Expect(got, err).To(Equal(a))
		})
		got, err := faults.ParseAddress("send.submit@2#1/after")
		Expect(got, err).To(Equal(point.Address{
			Op: point.SendSubmit, Round: 2, Step: 1, Phase: point.After,
		}))
		got, err = faults.ParseAddress("wait.poll@2:streaming/late")
		Expect(got, err).To(Equal(point.Address{
			Op: point.WaitPoll, Round: 2, State: "streaming", Step: 1, Phase: point.Late,
		}))
	})
	DescribeTable(
		"says what is wrong with it",
		func(text, want string) {
			_, err := faults.ParseAddress(text)
			Expect(err).To(MatchError(faults.ErrSyntax))
			Expect(err.Error()).To(ContainSubstring(want))
		},
		Entry(nil, "", `operation "" is not known; want one of [attach.connect`),
		Entry(nil, "send.sumbit@1#1/after", `operation "send.sumbit" is not known`),
		Entry(nil, "send.submit#1/after", "want send.submit@ROUND"),
		Entry(nil, "send.submit@x#1/after", `round "x": want a whole number from 0 to 10000`),
		Entry(nil, "send.submit@-1#1/after", `round "-1"`),
		Entry(nil, "send.submit@01#1/after", `round "01"`),
		Entry(nil, "send.submit@1#0/after", `step "0": want a whole number from 1`),
		Entry(nil, "send.submit@1#9999999/after", `step "9999999"`),
		Entry(
			nil,
			"send.submit@1#1/during",
			`phase "during" is not known; want one of [before after late]`,
		),
		Entry(nil, "send.submit@1#1/", `phase ""`),
		Entry(nil, "send.submit@1:sent#1/after", "send.submit has no states"),
		Entry(
			nil,
			"wait.poll@1:stream#1/after",
			`state "stream" is not known; want one of [absent`,
		),
		Entry(nil, "wait.poll@1:#1/after", "a state is wanted behind the colon"),
	)
})

var _ = Describe("a fault", func() {
	It("reads back as it is printed, as text and as JSON, for any fault that makes sense", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			f := anyFault(t)
			if err := f.Validate(); err != nil {
				t.Fatal(err)
			}
			back, err := faults.ParseFault(f.String())
			if err != nil || back.String() != f.String() {
				t.Fatalf("%s reads back as %s: %v", f, back, err)
			}
			data, err := json.Marshal(faults.Schedule{f, f})
			if err != nil {
				t.Fatal(err)
			}
			s, err := faults.ParseSchedule(data)
			if err != nil || len(s) != 2 || s[1].String() != f.String() {
				t.Fatalf("%s reads back as %v: %v", data, s, err)
			}
			again, err := json.Marshal(s)
			if err != nil || string(again) != string(data) {
				t.Fatalf("%s was written again as %s", data, again)
			}
		})
	})
	It("is one line of Gherkin", func() {
		f := faults.Fault{
			Kind: faults.Sever, At: point.Address{
				Op: point.SendSubmit, Round: 2, Step: 1,
				Phase: point.After,
			},
			Params: faults.Params{How: "close", Code: 1001},
		}
		Expect(f.String()).To(Equal("sever at send.submit@2#1/after with how=close code=1001"))
		f = faults.Fault{
			Kind:   faults.EditHistory,
			At:     f.At,
			Params: faults.Params{Text: `it's "so"` + "\n"},
		}
		Expect(
			f.String(),
		).To(Equal(`edit-history at send.submit@2#1/after with text='it\'s \qso\q\n'`))
		Expect(f.String()).NotTo(ContainSubstring(`"`), "a step of Gherkin quotes it")
	})
	DescribeTable(
		"says what is wrong with it",
		func(text, want string) {
			_, err := faults.ParseFault(text)
			Expect(err).To(MatchError(faults.ErrSyntax))
			Expect(err.Error()).To(ContainSubstring(want))
		},
		Entry(nil, "sever", "want KIND at ADDRESS"),
		Entry(
			nil,
			"severe at send.submit@1#1/after",
			`kind "severe" is not known; want one of [sever`,
		),
		Entry(nil, "sever at send.submit@1#1", "want a phase"),
		Entry(
			nil,
			"sever at store.append@1:sent#1/after",
			"sever cannot strike at store.append/after",
		),
		Entry(nil, "corrupt at wait.poll@1#1/before", "corrupt cannot strike at wait.poll/before"),
		Entry(nil, "sever at send.submit@1#1/after with", `phase "after with" is not known`),
		Entry(nil, "sever at send.submit@1#1/after with how", "want NAME=VALUE"),
		Entry(nil, "sever at send.submit@1#1/after with how=", "a value is missing"),
		Entry(nil, "sever at send.submit@1#1/after with how=slam", "want rst, fin or close"),
		Entry(nil, "second-client at send.submit@1#1/after with how=fin text=x", "want type or send"),
		Entry(nil, "second-client at send.submit@1#1/after with how=send", "it needs a text"),
		Entry(nil, "sever at send.submit@1#1/after with how=fin how=rst", "given twice"),
		Entry(
			nil,
			"sever at send.submit@1#1/after with color=red",
			"want one of [how for code text back caps]",
		),
		Entry(
			nil,
			"sever at send.submit@1#1/after with for=3s",
			`sever reads no parameter "for"; it reads how, code`,
		),
		Entry(nil, "reload at send.submit@1#1/after with text=x", "it reads none"),
		Entry(
			nil,
			"sever at send.submit@1#1/after with how=close code=7",
			"a close code is 1000 to 4999",
		),
		Entry(nil, "delay at send.submit@1#1/after with for=3", `want a time such as "3s"`),
		Entry(nil, "delay at send.submit@1#1/after with for=-3s", "for=-3s: want 0 to 48h"),
		Entry(nil, "delay at send.submit@1#1/after with for=49h", "want 0 to 48h"),
		Entry(nil, "stale-cache at send.submit@1#1/after with back=-1", "want 1 to 10000"),
		Entry(nil, "change-caps at send.submit@1#1/after with caps=a,B", `capability "B"`),
		Entry(nil, "panic at send.submit@1#1/after with text='open", "closing quote is missing"),
		Entry(
			nil,
			"panic at send.submit@1#1/after with text="+strings.Repeat("x", 5000),
			"at most 4096",
		),
	)
})

var _ = Describe("a schedule", func() {
	DescribeTable(
		"in JSON says what is wrong with it, and takes nothing of it",
		func(data, want string) {
			s, err := faults.ParseSchedule([]byte(data))
			Expect(err).To(MatchError(faults.ErrSyntax))
			Expect(err.Error()).To(ContainSubstring(want))
			Expect(s).To(BeNil())
		},
		Entry(nil, `{}`, "a schedule is a JSON list of faults"),
		Entry(nil, `[{"kind":"sever","at":"x@1#1/after"}]`, `operation "x"`),
		Entry(nil, `[{"kind":"sever","at":"send.submit@1#1/after","color":1}]`, "color"),
		Entry(
			nil,
			`[{"kind":"delay","at":"send.submit@1#1/after","params":{"for":"soon"}}]`,
			`for="soon"`,
		),
		Entry(
			nil,
			`[{"kind":"delay","at":"send.submit@1#1/after"},{"kind":"x","at":"send.submit@1#1/after"}]`,
			"fault 2: ",
		),
		Entry(nil, "["+strings.TrimSuffix(strings.Repeat(
			`{"kind":"sever","at":"send.submit@1#1/after"},`,
			65,
		), ",")+"]", "at most 64 are taken"),
		Entry(nil, `["`+strings.Repeat("x", 3<<20)+`"]`, "bytes"),
	)
	It("prints in one line", func() {
		s, err := faults.ParseSchedule([]byte(`[{"kind":"sever","at":"send.submit@1#1/after"},
			{"kind":"stall","at":"wait.poll@1:absent#2/before","params":{"for":"5s"}}]`))
		Expect(err).NotTo(HaveOccurred())
		Expect(s.String()).To(Equal(
			"sever at send.submit@1#1/after; stall at wait.poll@1:absent#2/before with for=5s"))
		Expect(faults.Schedule(nil).String()).To(BeEmpty())
	})
})
