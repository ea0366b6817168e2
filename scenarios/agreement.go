package scenarios

import (
	"fmt"
	"slices"
)

// Disagreement is one scenario that came out differently on two engines.
type Disagreement struct {
	URI    string
	Line   int
	Name   string
	First  string // how it came out on the first engine
	Second string
	// Unknown: a fault was not reached on one of them, or a promise could not be judged, so that
	// nothing was compared.
	Unknown bool
}

// Compare lines up two summaries of the same features. Two engines agree on a scenario when its
// status and the session's end are the same; a fault that never struck on one of them makes it
// unknown, which is no agreement.
func Compare(a, b Summary) []Disagreement {
	type key struct {
		uri  string
		line int
	}
	other := map[key]*Outcome{}
	for i := range b.Outcomes {
		o := &b.Outcomes[i]
		other[key{o.URI, o.Line}] = o
	}
	var out []Disagreement
	for i := range a.Outcomes {
		x := &a.Outcomes[i]
		y := other[key{x.URI, x.Line}]
		if y == nil {
			continue // a scenario of one engine only says why in its file
		}
		alike := slices.Equal(x.Missed, y.Missed)
		if alike && x.Status == y.Status && x.End == y.End && x.Status != Unknown {
			continue
		}
		out = append(out, Disagreement{
			URI: x.URI, Line: x.Line, Name: x.Name, First: x.verdict(), Second: y.verdict(),
			Unknown: !alike || x.Status == Unknown || y.Status == Unknown,
		})
	}
	return out
}

func (o *Outcome) verdict() string {
	s := fmt.Sprintf("%s on %s", o.Status, o.Engine)
	if o.End != "" {
		s += ", the session ended as " + o.End
	}
	if len(o.Missed) > 0 {
		s += fmt.Sprintf(", never reached: %v", o.Missed)
	}
	return s
}
