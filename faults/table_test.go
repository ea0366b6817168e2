package faults_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stringConstants reads the string constants of a type from a package's source.
func stringConstants(path, typ string) []string {
	GinkgoHelper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	Expect(err).NotTo(HaveOccurred())
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := v.Type.(*ast.Ident); ok && id.Name == typ {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			Expect(err).NotTo(HaveOccurred())
			out = append(out, text)
		}
		return true
	})
	return out
}

// golden compares with a file of testdata.
func golden(name, text string) {
	GinkgoHelper()
	path := "testdata/" + name
	if *update {
		Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	Expect(text).To(Equal(string(want)), "run go test ./faults -update and read the difference")
}

var rounds = []int{0, 1}

var _ = Describe("the table", func() {
	It("has one line for every kind of the vocabulary", func() {
		var kinds []string
		for _, k := range faults.Kinds() {
			kinds = append(kinds, string(k))
		}
		Expect(kinds).To(ConsistOf(stringConstants("fault.go", "Kind")))
	})
	It("knows every operation of package point", func() {
		var ops []string
		for _, o := range faults.Ops() {
			ops = append(ops, string(o))
		}
		Expect(ops).To(ConsistOf(stringConstants("../bridge/point/point.go", "Op")))
	})
	It("knows every kind of durable record and every state of an answer", func() {
		Expect(faults.States(point.StoreAppend)).
			To(ConsistOf(stringConstants("../bridge/session/record.go", "RecordKind")))
		Expect(faults.States(point.WaitPoll)).
			To(ConsistOf(stringConstants("../bridge/page/probe/probe.go", "AnswerState")))
		Expect(faults.States(point.AgentPoll)).
			To(ConsistOf(stringConstants("../bridge/agent/agent.go", "Status")))
	})
	It("says of every kind what it is, and how it is done on both engines", func() {
		for _, i := range faults.Table() {
			Expect(i.Sentence).NotTo(BeEmpty(), "%s", i.Kind)
			Expect(i.Virtual).NotTo(BeEmpty(), "%s", i.Kind)
			Expect(i.Chromium).NotTo(BeEmpty(), "%s", i.Kind)
			for _, p := range i.Params {
				Expect(faults.ParamNames).To(ContainElement(p.Name))
				Expect(p.Meaning).NotTo(BeEmpty(), "%s %s", i.Kind, p.Name)
			}
		}
	})
	It("prints its defaults as they are", func() {
		for _, i := range faults.Table() {
			printed := map[string]string{}
			for _, p := range i.Params {
				text, err := faults.TextOf(p.Name, p.Default)
				Expect(err).NotTo(HaveOccurred())
				printed[p.Name] = text
			}
			for _, name := range faults.ParamNames {
				Expect(i.Default(name)).To(Equal(printed[name]), "%s %s", i.Kind, name)
			}
		}
	})
	It("lets every kind strike somewhere, on both engines alike", func() {
		for _, i := range faults.Table() {
			n := 0
			for _, op := range faults.Ops() {
				for _, ph := range faults.Phases {
					v := i.Available(faults.EngineVirtual, op, ph)
					Expect(
						i.Available(faults.EngineChromium, op, ph),
					).To(Equal(v), "%s %s/%s", i.Kind, op, ph)
					Expect(i.Available("elsewhere", op, ph)).To(BeFalse())
					if v {
						n++
					}
				}
			}
			Expect(n).To(BeNumerically(">", 0), "%s", i.Kind)
			Expect(i.Available(faults.EngineVirtual, "no.such", point.Before)).To(BeFalse())
		}
	})
	It("decides every cell, with a reason", func() {
		type cell struct {
			kind  faults.Kind
			phase point.Phase
			round int
		}
		strikes := map[cell]bool{}
		faults.Each(func(i *faults.Info, a point.Address) {
			if faults.Quiet(a.Op, a.Round) {
				strikes[cell{i.Kind, a.Phase, a.Round}] = true
			}
		})
		for _, i := range faults.Table() {
			for _, ph := range faults.Phases {
				for _, r := range rounds {
					duty, why := i.Duty(ph, r)
					Expect(why).NotTo(BeEmpty())
					if strikes[cell{i.Kind, ph, r}] {
						Expect(
							duty,
						).To(BeElementOf(faults.Complete, faults.Stop, faults.Either), "%s %s %d", i.Kind, ph, r)
					} else {
						Expect(duty).To(BeEmpty(), "%s %s %d", i.Kind, ph, r)
					}
				}
			}
		}
	})
	It("decides every place of every cell, with a reason", func() {
		faults.Each(func(i *faults.Info, a point.Address) {
			duty, why := i.DutyAt(a, faults.Params{})
			Expect(
				duty,
			).To(BeElementOf(faults.Complete, faults.Stop, faults.Either), "%s at %s", i.Kind, a)
			Expect(why).NotTo(BeEmpty(), "%s at %s", i.Kind, a)
		})
	})
	It("lists the cells and the places where both are right", func() {
		var b strings.Builder
		b.WriteString("# Kinds x phases x rounds where a correct bridge may complete or stop.\n")
		for _, i := range faults.Table() {
			for _, ph := range faults.Phases {
				for _, r := range rounds {
					if duty, why := i.Duty(ph, r); duty == faults.Either {
						fmt.Fprintf(&b, "%s %s round %d: %s\n", i.Kind, ph, r, why)
					}
				}
			}
		}
		b.WriteString("\n# Single places where both are right.\n")
		places(&b, faults.Either)
		golden("either.txt", b.String())
	})
	It("lists the places where a correct bridge stops", func() {
		var b strings.Builder
		places(&b, faults.Stop)
		golden("stop.txt", b.String())
	})
	It("never stops where only the line was struck", func() {
		faults.Each(func(i *faults.Info, a point.Address) {
			if i.Family == faults.Transport {
				duty, _ := i.DutyAt(a, faults.Params{})
				Expect(duty).NotTo(Equal(faults.Stop), "%s at %s", i.Kind, a)
			}
		})
	})
	It("says that permanent faults are permanent, and that a time ends them", func() {
		at := point.Address{Op: point.WaitPoll, Round: 1, Step: 1, Phase: point.Before}
		for kind, want := range map[faults.Kind]bool{
			faults.KillBrowser: true, faults.Relaunch: false, faults.FreezeBrowser: true,
			faults.Captcha: true, faults.Sever: false,
			faults.RecordDown: false, faults.KillPi: false, faults.WedgeTab: true, faults.AgentDies: true,
			faults.CutHistory: true,
		} {
			Expect(faults.Fault{Kind: kind, At: at}.Permanent()).To(Equal(want), "%s", kind)
		}
		frozen := faults.Fault{Kind: faults.FreezeBrowser, At: at, Params: faults.Params{For: 1}}
		Expect(frozen.Permanent()).To(BeFalse())
		duty, _ := frozen.Duty()
		Expect(duty).To(Equal(faults.Complete))
	})
})

// places writes the places of one duty, grouped by kind and reason.
func places(b *strings.Builder, d faults.Duty) {
	groups := map[string][]string{}
	var order []string
	faults.Each(func(i *faults.Info, a point.Address) {
		duty, why := i.DutyAt(a, faults.Params{})
		if duty != d {
			return
		}
		key := string(i.Kind) + ": " + why
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], a.String())
	})
	for _, key := range order {
		fmt.Fprintf(b, "%s\n    %s\n", key, strings.Join(groups[key], "\n    "))
	}
}
