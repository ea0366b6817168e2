package certify

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
)

// Verify holds a certificate against its evidence, which lies in files, and against what is here
// now. It returns what differs, one line each; nothing means that the certificate still says the
// truth. That gates passed is not asked: see Statement.Passed.
func Verify(s *Statement, files fs.FS, present []Descriptor) (out []string) {
	out = append(out, differ(s.Subject, present)...)
	if !reflect.DeepEqual(s.Predicate.Configuration, configuration(s.Plan())) {
		out = append(out, "the gates of the profile are others than those of this version")
	}
	out = append(out, s.lists()...)
	intact := map[string]bool{}
	for _, g := range s.Predicate.Gates {
		for _, d := range g.Evidence {
			why, seen := "", intact[d.Name]
			if !seen {
				why = damaged(files, d)
				intact[d.Name] = true
			}
			if why != "" {
				out = append(out, why)
			}
		}
	}
	return append(out, s.judgedAgain(files)...)
}

// lists holds the result and the lists of names against the gates.
func (s *Statement) lists() (out []string) {
	p := s.Predicate
	p.count()
	if p.Result != s.Predicate.Result {
		out = append(out, fmt.Sprintf("the result says %s, and its gates say %s", s.Predicate.Result,
			p.Result))
	}
	for _, l := range []struct {
		name      string
		said, are []string
	}{
		{"passedTests", s.Predicate.PassedTests, p.PassedTests},
		{"warnedTests", s.Predicate.WarnedTests, p.WarnedTests},
		{"failedTests", s.Predicate.FailedTests, p.FailedTests},
	} {
		if !slices.Equal(l.said, l.are) {
			out = append(out, l.name+" does not name the gates that it should")
		}
	}
	return out
}

func damaged(files fs.FS, d Descriptor) string {
	if !fs.ValidPath(d.Name) {
		return fmt.Sprintf("evidence %q lies outside the certificate's folder", d.Name)
	}
	b, err := fs.ReadFile(files, d.Name)
	switch {
	case err != nil:
		return "evidence " + d.Name + " cannot be read: " + err.Error()
	case digest(b) != d.Digest["sha256"]:
		return "evidence " + d.Name + " was changed"
	}
	return ""
}

// judgedAgain judges the evidence with the gates of this version.
func (s *Statement) judgedAgain(files fs.FS) (out []string) {
	said := map[string]*Result{}
	for i := range s.Predicate.Gates {
		said[s.Predicate.Gates[i].Name] = &s.Predicate.Gates[i]
	}
	for _, g := range Gates(s.Plan()) {
		r := said[g.Name]
		if r == nil {
			out = append(out, "gate "+g.Name+" is missing")
			continue
		}
		delete(said, g.Name)
		if r.Required != g.Required {
			out = append(out, fmt.Sprintf("gate %s: required is %t, and must be %t", g.Name, r.Required,
				g.Required))
		}
		e := Evidence{}
		for _, step := range g.Steps {
			if o, err := kept(files, step); err == nil {
				e[step.Name] = o
			} else if r.Status != NotVerified {
				out = append(out, fmt.Sprintf("gate %s: its evidence cannot be read: %v", g.Name, err))
			}
		}
		var again Result
		again.take(g.Judge(e))
		if again.Status != r.Status || again.Reason != r.Reason {
			out = append(out, fmt.Sprintf("gate %s says %s %s, and its evidence says %s %s", g.Name,
				r.Status, r.Reason, again.Status, again.Reason))
		}
	}
	for name := range said {
		out = append(out, "gate "+name+" is none of the profile")
	}
	return out
}

func kept(files fs.FS, s Step) (*Output, error) {
	text, err := fs.ReadFile(files, "evidence/"+s.Name+".step.json")
	if err != nil {
		return nil, err
	}
	stdout, err := fs.ReadFile(files, "evidence/"+s.Name+".out")
	if err != nil {
		return nil, err
	}
	o, err := outputOf(text, stdout)
	return &o, err
}

// Compare lists what is worse in a newer certificate: a gate that passed and does not any more,
// one that is gone, one that looked at less.
func Compare(older, newer *Statement) (out []string) {
	now := map[string]*Result{}
	for i := range newer.Predicate.Gates {
		now[newer.Predicate.Gates[i].Name] = &newer.Predicate.Gates[i]
	}
	for i := range older.Predicate.Gates {
		was := &older.Predicate.Gates[i]
		is := now[was.Name]
		if is == nil {
			if was.Status == Pass {
				out = append(out, "gate "+was.Name+" passed, and is gone")
			}
			continue
		}
		if rank(is.Status) < rank(was.Status) {
			out = append(out, fmt.Sprintf("gate %s was %s, and is %s: %s", was.Name, was.Status, is.Status,
				is.Reason))
		}
		if was.Required && !is.Required {
			out = append(out, "gate "+was.Name+" is not required any more")
		}
		out = append(out, fewer(was, is)...)
	}
	return out
}

func rank(s Status) int {
	switch s {
	case Pass:
		return 2
	case NotVerified:
		return 1
	}
	return 0
}

// fewer names the numbers of a gate that fell. One that did not pass is named already.
func fewer(was, is *Result) (out []string) {
	if was.Status != Pass || is.Status != Pass {
		return nil
	}
	for name, n := range was.Numbers {
		if m := is.Numbers[name]; m < n {
			out = append(out, fmt.Sprintf("gate %s looked at %d %s, and looks at %d", was.Name, n, name, m))
		}
	}
	slices.Sort(out)
	return out
}
