package certify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"bridgesim/scenarios"
	"bridgesim/scenarios/coverage"
	"bridgesim/sim/explore"
	"bridgesim/sim/mutants"
)

// The exit codes of sim that a judge must know; cmd/sim has them all.
const (
	exitUsage       = 2
	exitEnvironment = 3
)

// most is how many breaches a finding lists; the evidence has them all.
const most = 20

func join(s []string) string { return strings.Join(s, ",") }

// unusable says why an output cannot be judged at all; ok is false then.
func unusable(o *Output, s Step) (f Finding, ok bool) {
	switch {
	case o == nil:
		return notVerified("it was stopped before this ran"), false
	case o.Missing != "":
		return notVerified(o.Missing), false
	case o.Broken != "":
		f = fail(o.Broken)
	case s.Tool == Subject && o.Exit == exitEnvironment:
		return notVerified(tail(string(o.Stderr), 400)), false
	case s.Tool == Subject && o.Exit == exitUsage:
		f = fail("it was refused: " + tail(string(o.Stderr), 400))
	case o.Exit < 0 || o.Exit > 4:
		f = fail(fmt.Sprintf("it ended with %d: %s", o.Exit, tail(string(o.Stderr), 400)))
	default:
		return Finding{}, true
	}
	f.Repro = []string{s.Line()}
	return f, false
}

// read decodes what a step printed.
func read(o *Output, s Step, into any) (f Finding, ok bool) {
	if f, ok := unusable(o, s); !ok {
		return f, false
	}
	if err := json.Unmarshal(o.Stdout, into); err != nil {
		f = fail("what it printed cannot be read: " + err.Error())
		if len(o.Stdout) == 0 && o.Exit != 0 {
			f = fail(fmt.Sprintf("it ended with %d: %s", o.Exit, tail(string(o.Stderr), 400)))
		}
		f.Repro = []string{s.Line()}
		return f, false
	}
	return Finding{}, true
}

// verdict is a pass, or a failure with the first breaches. What is red by its exit code alone has
// failed too: a judge that finds nothing does not overrule the command.
func verdict(o *Output, s Step, what string, found, repro []string, n map[string]int) Finding {
	f := pass(n)
	if len(found) == 0 && o.Exit != 0 {
		found = []string{fmt.Sprintf("the command ended with %d: %s", o.Exit,
			tail(string(o.Stderr), 400))}
	}
	if len(found) > 0 {
		f.Status, f.Reason = Fail, fmt.Sprintf("%d %s", len(found), what)
		f.Found, f.Repro = found[:min(most, len(found))], repro[:min(most, len(repro))]
		if len(f.Repro) == 0 {
			f.Repro = []string{s.Line()}
		}
	}
	return f
}

func scenariosPass(o *Output, s Step) Finding {
	var sum scenarios.Summary
	if f, ok := read(o, s, &sum); !ok {
		return f
	}
	var found, repro []string
	for i := range sum.Outcomes {
		if x := &sum.Outcomes[i]; x.Status != scenarios.Passed {
			found = append(found, fmt.Sprintf("%s:%d %s: %s: %s", x.URI, x.Line, x.Name, x.Status,
				firstLine(x.Error)))
			repro = append(repro, x.Repeat)
		}
	}
	if len(sum.Outcomes) == 0 {
		found = append(found, "nothing ran")
	}
	return verdict(o, s, "scenarios did not pass", found, repro,
		map[string]int{"scenarios": len(sum.Outcomes) - len(found)})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// promisesKept looks at what the oracles say, whatever the scenarios expect.
func promisesKept(o *Output, s Step) Finding {
	var sum scenarios.Summary
	if f, ok := read(o, s, &sum); !ok {
		return f
	}
	var found, repro []string
	judged := 0
	for i := range sum.Outcomes {
		x := &sum.Outcomes[i]
		switch {
		case len(x.Broken) > 0:
			found = append(found, fmt.Sprintf("%s:%d %s: broke %s", x.URI, x.Line, x.Name, join(x.Broken)))
			repro = append(repro, x.Repeat)
		case len(x.Unknown) > 0:
			found = append(found, fmt.Sprintf("%s:%d %s: nobody can judge %s", x.URI, x.Line, x.Name,
				join(x.Unknown)))
			repro = append(repro, x.Repeat)
		case x.Sum == "":
			found = append(found, fmt.Sprintf("%s:%d %s: it left no history", x.URI, x.Line, x.Name))
			repro = append(repro, x.Repeat)
		default:
			judged++
		}
	}
	if len(sum.Outcomes) == 0 {
		found = append(found, "nothing ran")
	}
	f := verdict(o, s, "runs broke a promise or could not be judged", found, repro,
		map[string]int{"runs": judged})
	if f.Status == Fail && len(found) == 0 {
		// Every run kept its promises: the scenarios' own gate says what was not as expected.
		return pass(f.Numbers)
	}
	return f
}

// coversTable demands that one table of the coverage has no hole.
func coversTable(o *Output, s Step, title string) Finding {
	var c coverage.Coverage
	if f, ok := read(o, s, &c); !ok {
		return f
	}
	at := slices.IndexFunc(c.Tables, func(t coverage.Table) bool { return t.Name == title })
	if at < 0 || len(c.Tables[at].Items) == 0 || len(c.Engines) == 0 {
		f := fail(fmt.Sprintf("nothing was counted for %q", title))
		f.Repro = []string{s.Line()}
		return f
	}
	var found []string
	for _, hole := range c.Holes {
		if strings.HasPrefix(hole, title+": ") {
			found = append(found, hole)
		}
	}
	for _, stranger := range c.Strangers {
		found = append(found, "a tag names nothing: "+stranger)
	}
	if len(found) == 0 {
		return pass(map[string]int{"items": len(c.Tables[at].Items)})
	}
	f := fail(fmt.Sprintf("%d holes", len(found)))
	f.Found, f.Repro = found[:min(most, len(found))], []string{s.Line()}
	return f
}

// sameSums holds two runs of the suite against each other.
func sameSums(a, b *Output, sa, sb Step) Finding {
	var one, two scenarios.Summary
	if f, ok := read(a, sa, &one); !ok {
		return f
	}
	if f, ok := read(b, sb, &two); !ok {
		return f
	}
	sums := map[string]string{}
	for i := range one.Outcomes {
		sums[one.Outcomes[i].Repeat] = one.Outcomes[i].Sum
	}
	var found, repro []string
	for i := range two.Outcomes {
		x := &two.Outcomes[i]
		if sum, ok := sums[x.Repeat]; !ok || sum != x.Sum || sum == "" {
			found = append(found, fmt.Sprintf("%s:%d %s: %.12s and %.12s", x.URI, x.Line, x.Name,
				orNone(sum), orNone(x.Sum)))
			repro = append(repro, x.Repeat)
		}
	}
	if len(one.Outcomes) != len(two.Outcomes) || len(one.Outcomes) == 0 {
		found = append(found, fmt.Sprintf("%d scenarios in one process, %d in the other",
			len(one.Outcomes), len(two.Outcomes)))
	}
	if len(found) == 0 {
		return pass(map[string]int{"histories": len(two.Outcomes)})
	}
	f := fail(fmt.Sprintf("%d histories differ", len(found)))
	f.Found, f.Repro = found[:min(most, len(found))], repro[:min(most, len(repro))]
	if len(f.Repro) == 0 {
		f.Repro = []string{sa.Line(), sb.Line()}
	}
	return f
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// agree holds the model's suite against the browser's.
func agree(model, real *Output, sm, sr Step) Finding {
	var a, b scenarios.Summary
	if f, ok := read(model, sm, &a); !ok {
		return f
	}
	if f, ok := read(real, sr, &b); !ok {
		return f
	}
	var found, repro []string
	for _, d := range scenarios.Compare(a, b) {
		found = append(found, fmt.Sprintf("%s:%d %s: %s; %s", d.URI, d.Line, d.Name, firstLine(d.First),
			firstLine(d.Second)))
		repro = append(repro, fmt.Sprintf("sim run --engine both %s:%d", d.URI, d.Line))
	}
	if len(a.Outcomes) == 0 || len(b.Outcomes) == 0 {
		found = append(found, "nothing ran on one of the engines")
	}
	if len(found) == 0 {
		return pass(map[string]int{"scenarios": len(b.Outcomes)})
	}
	f := fail(fmt.Sprintf("%d disagreements", len(found)))
	f.Found, f.Repro = found[:min(most, len(found))], repro[:min(most, len(repro))]
	return f
}

// explores demands a whole exploration without a violation. Where a budget is part of the plan,
// being stopped by it is no fault.
func explores(o *Output, s Step, budget bool) Finding {
	var r explore.Result
	if f, ok := read(o, s, &r); !ok {
		return f
	}
	if r.Tally == nil || r.Runs == 0 {
		f := fail("nothing was explored")
		f.Repro = []string{s.Line()}
		return f
	}
	n := map[string]int{"runs": r.Runs, "struck": r.Struck}
	f := pass(n)
	switch {
	case r.Violations > 0:
		f = Finding{Status: Fail, Numbers: n, Reason: fmt.Sprintf("%d of %d runs broke a promise: %s",
			r.Violations, r.Runs, tally(r.Promises))}
		f.classes(r.Classes)
	case r.Unknown > 0:
		f = Finding{Status: Fail, Numbers: n, Reason: fmt.Sprintf("%d of %d runs could not be judged",
			r.Unknown, r.Runs)}
		f.classes(r.Unjudged)
	case !budget && (r.Stopped != "" || r.Units.Done != r.Units.Planned):
		f = Finding{Status: Fail, Numbers: n, Reason: fmt.Sprintf("it is not whole: %d of %d parts %s",
			r.Units.Done, r.Units.Planned, r.Stopped)}
	}
	if f.Status == Fail && len(f.Repro) == 0 {
		f.Repro = []string{s.Line()}
	}
	return f
}

// tally is how many runs broke which promise, in the order of the names.
func tally(promises map[string]int) string {
	var out []string
	for name, n := range promises {
		out = append(out, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// classes lists what broke, the most frequent first, each as a feature that can be run.
func (f *Finding) classes(classes map[string]*explore.Class) {
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := classes[b].Runs - classes[a].Runs; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		if i == most {
			break
		}
		c := classes[name]
		f.Found = append(f.Found, fmt.Sprintf("%s by %s in %d runs, first in %s: %s", c.Promise, c.Kinds,
			c.Runs, c.First.Session, firstLine(c.First.Message)))
		if c.First.Feature == "" {
			continue
		}
		file := fmt.Sprintf("evidence/exploration-%02d.feature", i+1)
		f.Files = append(f.Files, File{Name: file, Content: []byte(c.First.Feature)})
		f.Repro = append(f.Repro, "sim run "+file)
	}
}

// event is one line of "go test -json".
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// testsPass demands that tests ran and all passed. A test that was skipped has shown nothing.
func testsPass(o *Output, s Step) Finding {
	if f, ok := unusable(o, s); !ok {
		return f
	}
	passed := 0
	var failed, skipped []string
	d := json.NewDecoder(bytes.NewReader(o.Stdout))
	for {
		var e event
		err := d.Decode(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			f := fail("what it printed cannot be read: " + err.Error())
			f.Repro = []string{s.Line()}
			return f
		}
		name := strings.TrimSpace(e.Package + " " + e.Test)
		switch {
		case e.Action == "fail" || e.Action == "build-fail":
			failed = append(failed, name)
		case e.Test == "":
		case e.Action == "pass":
			passed++
		case e.Action == "skip":
			skipped = append(skipped, name)
		}
	}
	n := map[string]int{"tests": passed}
	switch {
	case len(failed) > 0 || o.Exit != 0:
		return verdict(o, s, "tests or packages failed", failed, nil, n)
	case len(skipped) > 0:
		return notVerified(fmt.Sprintf("%d tests were skipped here, %s first", len(skipped), skipped[0]))
	case passed == 0:
		return notVerified("no test ran")
	}
	return pass(n)
}

// mutantsCaught demands a green control, a caught canary, and each mutant caught by its promise.
func mutantsCaught(o *Output, s Step, only []string) Finding {
	var rep mutants.Report
	if f, ok := read(o, s, &rep); !ok {
		return f
	}
	var found, repro []string
	killed := 0
	seen := map[string]bool{}
	for _, r := range rep.Results {
		seen[r.Name] = true
		switch r.Verdict {
		case mutants.Killed:
			killed++
		case mutants.Green:
		default:
			found = append(found, fmt.Sprintf("%s: %s (%s) %s", r.Verdict, r.Name, r.Promise,
				firstLine(r.Error)))
			repro = append(repro, "sim mutants --only "+r.Name)
		}
	}
	for _, name := range only {
		if !seen[name] {
			found = append(found, name+" was not judged")
		}
	}
	if len(rep.Results) < 3 {
		found = append(found, "control, canary and a mutant make three results at least")
	}
	return verdict(o, s, "wrong bridges were not caught as they must be", found, repro,
		map[string]int{"killed": killed})
}
