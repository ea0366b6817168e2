package certify_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/scenarios"
	"bridgesim/sim/certify"
)

var _ = Describe("Verify", func() {
	var l *lab
	var st *certify.Statement
	BeforeEach(func() {
		l = newLab()
		st = l.made(certify.CI)
	})
	verify := func() string { return strings.Join(certify.Verify(st, l.files, subjects()), "\n") }

	It("finds nothing where nothing was changed, also after reading the file", func() {
		Expect(verify()).To(BeEmpty())
		text, err := st.Write()
		Expect(err).NotTo(HaveOccurred())
		st, err = certify.Read(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(verify()).To(BeEmpty())
	})

	It("finds nothing wrong with an honest failure, or with what was not verified", func() {
		l = newLab()
		l.change("explore-1", 1, broken)
		l.steps["wire-goldens"].Missing = "no Go"
		st = l.made(certify.CI)
		Expect(verify()).To(BeEmpty())
	})

	DescribeTable("names what differs", func(change func(), want string) {
		change()
		Expect(verify()).To(ContainSubstring(want))
	},
		Entry("a changed feature", func() { replace(st, "feature features/sub/b.feature", "0") },
			"feature features/sub/b.feature is another one"),
		Entry("a feature that is gone", func() { rename(st, "feature features/a.feature", "feature x") },
			"feature x is not there any more"),
		Entry("a new feature", func() { rename(st, "feature features/a.feature", "feature x") },
			"feature features/a.feature was not certified"),
		Entry("another binary", func() { replace(st, "binary sim", "0") }, "binary sim is another one"),
		Entry("another commit", func() {
			at(st, "module bridgesim v1").Digest = map[string]string{"sha256": "0", "gitCommit": "def"}
		}, "certified commit def, here commit abc"),
		Entry("another table", func() { replace(st, "table error codes", "0") },
			"table error codes is another one"),
		Entry("changed evidence", func() {
			l.files["evidence/explore-1.out"].Data = []byte("{}")
		}, "evidence evidence/explore-1.out was changed"),
		Entry("evidence that is gone", func() { delete(l.files, "evidence/suite.out") },
			"evidence evidence/suite.out cannot be read"),
		Entry("evidence from elsewhere", func() { st.Predicate.Gates[0].Evidence[0].Name = "../x" },
			"lies outside"),
		Entry("a result that its gates do not give",
			func() { st.Predicate.Gates[0].Status = certify.Fail },
			"the result says PASSED, and its gates say FAILED"),
		Entry("a list that its gates do not give", func() { st.Predicate.PassedTests = nil },
			"passedTests does not name"),
		Entry("a gate that is left out", func() { st.Predicate.Gates = st.Predicate.Gates[1:] },
			"gate scenarios is missing"),
		Entry("a gate that nobody knows", func() { st.Predicate.Gates[0].Name = "mine" },
			"gate mine is none of the profile"),
		Entry("a gate that is not required any more", func() { st.Predicate.Gates[0].Required = false },
			"gate scenarios: required is false"),
		Entry("other gates", func() { st.Predicate.Configuration[0].Digest["sha256"] = "0" },
			"the gates of the profile are others"),
		Entry("the other profile", func() { st.Predicate.Profile = certify.Release },
			"gate kill-loops is missing"),
	)

	It("judges the evidence again: a failure that was written over is named", func() {
		l = newLab()
		l.change("explore-1", 1, broken)
		st = l.made(certify.CI)
		text, err := st.Write()
		Expect(err).NotTo(HaveOccurred())
		for old, forged := range map[string]string{
			`"status": "FAIL"`: `"status": "PASS"`, `"result": "FAILED"`: `"result": "PASSED"`,
		} {
			Expect(string(text)).To(ContainSubstring(old))
			text = bytes.ReplaceAll(text, []byte(old), []byte(forged))
		}
		st, err = certify.Read(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(verify()).To(MatchRegexp(`gate exploration says PASS .*, and its evidence says FAIL`))
	})
})

// at is a subject of a certificate.
func at(st *certify.Statement, name string) *certify.Descriptor {
	GinkgoHelper()
	for i := range st.Subject {
		if st.Subject[i].Name == name {
			return &st.Subject[i]
		}
	}
	Fail("no subject " + name)
	return nil
}

func replace(st *certify.Statement, name, sum string) {
	at(st, name).Digest = map[string]string{"sha256": sum}
}

func rename(st *certify.Statement, name, to string) { at(st, name).Name = to }

var _ = Describe("Compare", func() {
	It("says nothing of two equal certificates, or of a better one", func() {
		red := newLab()
		red.change("explore-1", 1, broken)
		good := newLab().made(certify.CI)
		Expect(certify.Compare(good, newLab().made(certify.CI))).To(BeEmpty())
		Expect(certify.Compare(red.made(certify.CI), good)).To(BeEmpty())
	})

	It("lists what is worse", func() {
		l := newLab()
		l.change("explore-1", 1, broken)
		l.steps["wire-goldens"].Missing = "no Go"
		l.change("exchange-table", 0, `{"Action":"pass","Package":"p","Test":"T"}`)
		old := newLab()
		old.change("exchange-table", 0, `{"Action":"pass","Test":"A"}{"Action":"pass","Test":"B"}`)
		newer := l.made(certify.CI)
		newer.Predicate.Gates = newer.Predicate.Gates[1:]
		Expect(certify.Compare(old.made(certify.CI), newer)).To(ConsistOf(
			"gate scenarios passed, and is gone",
			"gate exploration was PASS, and is FAIL: 3 of 10 runs broke a promise: row 3",
			"gate wire-goldens was PASS, and is NOT_VERIFIED: no Go",
			"gate exchange-table looked at 2 tests, and looks at 1",
		))
	})
})

var _ = Describe("The certificate", func() {
	evil := `</code><script>alert(1)</script>]]>|` + "\x00\n"
	red := func() *certify.Statement {
		l := newLab()
		l.change("suite", 1, suite("virtual", func(o *scenarios.Outcome) {
			o.Status, o.Error, o.Name, o.Repeat = scenarios.Failed, evil, evil, evil
		}))
		l.steps["suite-chromium"].Exit = 3
		l.steps["suite-chromium"].Stderr = []byte(evil)
		return l.made(certify.Release)
	}

	It("is an in-toto Statement with a test result", func() {
		text, err := red().Write()
		Expect(err).NotTo(HaveOccurred())
		var m map[string]any
		Expect(json.Unmarshal(text, &m)).To(Succeed())
		Expect(m["_type"]).To(Equal("https://in-toto.io/Statement/v1"))
		Expect(m["predicateType"]).To(Equal("https://in-toto.io/attestation/test-result/v0.1"))
		p := m["predicate"].(map[string]any)
		Expect(p["result"]).To(Equal("FAILED"))
		Expect(p["configuration"]).To(HaveLen(1))
		Expect(p["failedTests"]).To(ContainElement("scenarios"))
		Expect(p["warnedTests"]).To(ContainElement("scenarios-chromium"))
		for _, s := range m["subject"].([]any) {
			Expect(s.(map[string]any)["digest"]).NotTo(BeEmpty())
		}
	})

	It("is refused when it is something else", func() {
		for _, text := range []string{
			"", "{}", `{"_type":"x"}`, `{"_type":"https://in-toto.io/Statement/v1"}`,
			`{"_type":"https://in-toto.io/Statement/v1",
			"predicateType":"https://in-toto.io/attestation/test-result/v0.1","predicate":{}}`,
		} {
			_, err := certify.Read([]byte(text))
			Expect(err).To(MatchError(certify.ErrStatement))
		}
	})

	It("escapes what comes from outside, on the page", func() {
		var out bytes.Buffer
		Expect(red().WriteHTML(&out)).To(Succeed())
		Expect(out.String()).NotTo(ContainSubstring("<script"))
		Expect(out.String()).To(ContainSubstring("&lt;script&gt;alert(1)"))
		Expect(out.String()).To(ContainSubstring("NOT VERIFIED"))
		Expect(out.String()).NotTo(MatchRegexp(`(src|href)="(https?:|//)`))
	})

	It("is JUnit XML in which what is not verified is no pass", func() {
		var out bytes.Buffer
		Expect(red().WriteJUnit(&out)).To(Succeed())
		var s struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		}
		Expect(xml.Unmarshal(out.Bytes(), &s)).To(Succeed())
		Expect(s.Tests).To(Equal(len(certify.Gates(plan(certify.Release)))))
		Expect(s.Failures).To(Equal(2), "scenarios and determinism")
		Expect(s.Errors).To(BeNumerically(">=", 3), "chromium, agreement, interop")
		Expect(s.Skipped).To(Equal(1), "container is not required")
		Expect(s.Cases[0].Failure).NotTo(BeNil())
	})

	It("is a summary that steers no renderer", func() {
		var out bytes.Buffer
		Expect(red().WriteSummary(&out)).To(Succeed())
		Expect(out.String()).To(HavePrefix("## Certificate, profile release: FAILED\n"))
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "|") {
				Expect(strings.Count(line, "|")).To(Equal(5), line)
				Expect(line).NotTo(ContainSubstring("<script"))
			}
		}
	})
})

var _ = Describe("Subjects", func() {
	It("name module, binary, tables and every feature file", func() {
		var names []string
		for _, d := range subjects() {
			names = append(names, d.Name)
		}
		Expect(names).To(ContainElements("module bridgesim v1", "binary sim",
			"table rows of the decision table", "feature features/a.feature",
			"feature features/sub/b.feature"))
		Expect(names).NotTo(ContainElement(ContainSubstring("readme")))
	})

	It("refuse a folder without features, and tables that are none", func() {
		empty := certify.Of{Coverage: []byte("{}"), Features: fstest.MapFS{}, Name: "f"}
		_, err := certify.Subjects(empty)
		Expect(err).To(MatchError("no feature lies in f"))
		_, err = certify.Subjects(certify.Of{Coverage: []byte("?"), Features: fstest.MapFS{}})
		Expect(err).To(MatchError(ContainSubstring("reading the tables")))
	})
})

var _ = Describe("Sample", func() {
	It("is drawn by the seed alone", func() {
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		one := certify.Sample("1", 3, names)
		Expect(one).To(HaveLen(3))
		backward := []string{"h", "g", "f", "e", "d", "c", "b", "a"}
		Expect(certify.Sample("1", 3, backward)).To(Equal(one))
		differs := false
		for i := range 5 {
			other := certify.Sample(fmt.Sprint(i+2), 3, names)
			differs = differs || fmt.Sprint(other) != fmt.Sprint(one)
		}
		Expect(differs).To(BeTrue())
		Expect(certify.Sample("1", 20, names)).To(HaveLen(8))
	})
})
