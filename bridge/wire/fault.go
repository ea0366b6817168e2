package wire

import (
	"cmp"
	"slices"
	"strconv"
)

// Fault is one thing that a reader refused, and where.
type Fault struct {
	Code Code
	// Line and Column are 1-based places in the text that was read; a column counts characters.
	// Line 0 means the text as a whole, for instance something that is absent.
	Line, Column int
	// Want and Got are what was expected there and what stood there (shortened when long).
	Want, Got string
	// Hint says in words what is wrong and, where that helps, what to write instead.
	Hint string
}

// Error is one line: code, place, hint, want and got.
func (f Fault) Error() string {
	s := string(f.Code)
	if f.Line > 0 {
		s += " at " + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
	}
	if f.Hint != "" {
		s += ": " + f.Hint
	}
	if f.Want != "" || f.Got != "" {
		s += ": want " + strconv.Quote(f.Want) + ", got " + strconv.Quote(f.Got)
	}
	return s
}

// maxFaults bounds one report. A reply with more faults needs no longer list, and the bound keeps
// the work linear on a megabyte of nonsense.
const maxFaults = 64

// sink collects faults up to the bound.
type sink []Fault

func (s *sink) add(f Fault) {
	if len(*s) < maxFaults {
		f.Got = quoteShort(f.Got)
		*s = append(*s, f)
	}
}

// sorted orders faults by place, then by the row of their code.
func (s sink) sorted() []Fault {
	slices.SortStableFunc(s, func(a, b Fault) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column, a.Code.rank()-b.Code.rank())
	})
	return s
}

// tooLarge is the answer of every reader to a text over [MaxInput].
func tooLarge(text string) Fault {
	return Fault{
		Code: CodeParse, Want: "at most " + strconv.Itoa(MaxInput) + " bytes",
		Got: strconv.Itoa(len(text)) + " bytes", Hint: "the text is too large to read",
	}
}
