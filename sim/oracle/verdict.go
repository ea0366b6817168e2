package oracle

import "fmt"

// Status is the value of a verdict. The zero value is Unknown: what nobody judged is not passed.
type Status uint8

// The three values.
const (
	Unknown Status = iota // the history cannot tell
	Pass                  // the promise was kept
	Fail                  // the promise was broken
)

// String is "unknown", "pass" or "fail".
func (s Status) String() string { return [...]string{"unknown", "pass", "fail"}[s] }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Verdict is what an oracle says about one run.
type Verdict struct {
	Status  Status
	Message string // what happened; "" for a plain pass
	Seqs    []int  // the events that it rests on
}

// Oracle is one promise with its judge.
type Oracle struct {
	Name    string // ASCII and stable, for reports and mutants
	Promise error  // sentinel; its text is the sentence of the specification
	Judge   func(*Case) Verdict

	run bool // it is about the run; the others are about a session
}

// of judges a run, session by session where the promise is about sessions.
func (o *Oracle) of(c *Case) Verdict {
	if c.later == nil || o.run {
		return o.Judge(c)
	}
	v := o.Judge(c.first)
	if v.Status == Fail {
		return v
	}
	if w := o.of(c.later); w.Status != Pass {
		return w
	}
	return v
}

// Finding is the verdict of one oracle.
type Finding struct {
	Oracle *Oracle
	Verdict
}

// Err is nil unless the promise was broken; then it wraps the promise and says how.
func (f Finding) Err() error {
	if f.Status != Fail {
		return nil
	}
	return fmt.Errorf("%w: %s (events %v)", f.Oracle.Promise, f.Message, f.Seqs)
}

// Judge asks every oracle, in the order of All.
func Judge(c *Case) []Finding { return AppendJudge(make([]Finding, 0, len(oracles)), c) }

// AppendJudge is Judge into memory that is there already.
func AppendJudge(found []Finding, c *Case) []Finding {
	for i := range oracles {
		found = append(found, Finding{&oracles[i], oracles[i].of(c)})
	}
	return found
}

// Overall is Fail when a promise was broken, else Unknown when one cannot be judged, else Pass.
// Without findings nothing was judged.
func Overall(found []Finding) Status {
	all := Unknown
	for i := range found {
		switch s := found[i].Status; {
		case s == Fail:
			return Fail
		case i == 0 || s == Unknown:
			all = s
		}
	}
	return all
}

func pass() Verdict { return Verdict{Status: Pass} }

func fail(message string, seqs ...int) Verdict {
	return Verdict{Status: Fail, Message: message, Seqs: seqs}
}

func unknown(message string, seqs ...int) Verdict {
	return Verdict{Status: Unknown, Message: message, Seqs: seqs}
}
