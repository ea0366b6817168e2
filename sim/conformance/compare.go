package conformance

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// Mismatch is one value that the arms do not agree about.
type Mismatch struct {
	State, Step, Probe, Field string
	Tab                       int
	Virtual, Chromium         any
}

// String tells where they differ and how.
func (m Mismatch) String() string {
	return fmt.Sprintf("state %q, step %q, tab %d, %s, %s:\n    virtual:  %#v\n    chromium: %#v",
		m.State, m.Step, m.Tab, m.Probe, m.Field, m.Virtual, m.Chromium)
}

// compare goes through two lists of answers, which should be the same.
func compare(state string, virtual, chromium []Answer) []Mismatch {
	var out []Mismatch
	for i := range max(len(virtual), len(chromium)) {
		if i >= len(virtual) || i >= len(chromium) {
			return append(out, Mismatch{
				State: state, Step: "end", Probe: "count of questions",
				Virtual: len(virtual), Chromium: len(chromium),
			})
		}
		v, c := &virtual[i], &chromium[i]
		m := Mismatch{State: state, Step: v.Step, Tab: v.Tab, Probe: v.Probe}
		if v.Probe != c.Probe || v.Tab != c.Tab || v.Step != c.Step {
			m.Field, m.Virtual, m.Chromium = "question", v.Probe, c.Probe
			return append(out, m) // what follows is not about the same things
		}
		out = append(out, differ(m, v.Value, c.Value)...)
	}
	return out
}

// differ lists the fields of two values that are not equal.
func differ(m Mismatch, virtual, chromium any) []Mismatch {
	r := &fields{like: m}
	cmp.Equal(virtual, chromium, cmp.Reporter(r))
	return r.found
}

// fields collects differences as cmp walks through two values.
type fields struct {
	path  cmp.Path
	like  Mismatch
	found []Mismatch
}

func (f *fields) PushStep(s cmp.PathStep) { f.path = append(f.path, s) }

func (f *fields) PopStep() { f.path = f.path[:len(f.path)-1] }

func (f *fields) Report(r cmp.Result) {
	if r.Equal() {
		return
	}
	m := f.like
	if m.Field = strings.TrimPrefix(f.path.GoString(), "root."); m.Field == "" {
		m.Field = "value"
	}
	v, c := f.path.Last().Values()
	if v.IsValid() {
		m.Virtual = v.Interface()
	}
	if c.IsValid() {
		m.Chromium = c.Interface()
	}
	f.found = append(f.found, m)
}
