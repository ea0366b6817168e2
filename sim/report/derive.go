package report

import (
	"slices"
	"strconv"
	"strings"

	"bridgesim/faults"
	"bridgesim/sim/history"
)

// span is one fault of a run: the events of its stages, 0 where there is none.
type span struct {
	Fault   string `json:"fault"`
	Armed   int    `json:"armed"`
	Reached int    `json:"reached"`
	Applied int    `json:"applied"`
	Over    int    `json:"over"`  // healed
	Stays   int    `json:"stays"` // said to be permanent
	Missed  int    `json:"missed"`
	Says    string `json:"says"` // the evidence of the last stage
}

// slot is where a stage keeps its event.
func (s *span) slot(stage string) *int {
	switch faults.Stage(stage) {
	case faults.Armed:
		return &s.Armed
	case faults.Reached:
		return &s.Reached
	case faults.Applied:
		return &s.Applied
	case faults.Healed:
		return &s.Over
	case faults.Stays:
		return &s.Stays
	case faults.Missed:
		return &s.Missed
	}
	return nil
}

// spans puts the stages of each fault together. Two faults of one text take their stages in turn.
func spans(events []history.Event) []span {
	out := []span{}
	open := map[string][]int{} // places in out, by the fault's text
	for i := range events {
		e := &events[i]
		if e.Lane != history.Fault || (&span{}).slot(e.Kind) == nil {
			continue
		}
		k := slices.IndexFunc(open[e.Key], func(n int) bool { return *out[n].slot(e.Kind) == 0 })
		if k < 0 {
			k = len(open[e.Key])
			open[e.Key] = append(open[e.Key], len(out))
			out = append(out, span{Fault: e.Key})
		}
		s := &out[open[e.Key][k]]
		*s.slot(e.Kind), s.Says = e.Seq, e.Text
	}
	return out
}

// decision is one verdict of the bridge beside what the world expected.
type decision struct {
	Seq      int    `json:"seq"`
	Row      int    `json:"row"` // 0: none fits
	Act      string `json:"act"`
	Evidence string `json:"evidence"`
	Also     []int  `json:"also"` // rows that matched too
	Expected int    `json:"expected"`
	Why      string `json:"why"` // of what was expected; "" when the world did not say
	False    string `json:"false"`
}

// decisions reads the notes of the bridge's verdicts and what the world says behind each.
func decisions(events []history.Event) []decision {
	out := []decision{}
	for i := range events {
		e := &events[i]
		switch {
		case e.Lane == history.Bridge && e.Kind == "verdict":
			out = append(out, decided(e))
		case e.Lane != history.Verdict || len(out) == 0:
		case e.Kind == "expected":
			d := &out[len(out)-1]
			d.Expected, d.Why = number(e.Key), e.Text
		case e.Kind == "false":
			out[len(out)-1].False = e.Text
		}
	}
	return out
}

// alsoRow stands in a verdict's note in front of each row that matched too.
const alsoRow = ", also row "

func decided(e *history.Event) decision {
	d := decision{Seq: e.Seq, Row: number(e.Key), Also: []int{}}
	act, rest, _ := strings.Cut(e.Text, "; ")
	parts := strings.Split(rest, alsoRow)
	d.Act, d.Evidence = act, parts[0]
	for _, n := range parts[1:] {
		d.Also = append(d.Also, number(n))
	}
	return d
}

// number is a row as a note has it; 0 when it is none.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// rowsTaken are the rows of the bridge's verdicts, each once, in the order of the numbers.
func rowsTaken(ds []decision) []int {
	out := []int{}
	for _, d := range ds {
		if d.Row > 0 && !slices.Contains(out, d.Row) {
			out = append(out, d.Row)
		}
	}
	slices.Sort(out)
	return out
}

// turn is one thing that the site received or wrote, as the site has it.
type turn struct {
	Seq  int    `json:"seq"`
	Who  string `json:"who"` // "user", "site" or "note"
	Chat string `json:"chat"`
	Say  string `json:"say"` // what the site notes about it
}

// turns is the conversation as the site saw it.
func turns(events []history.Event) []turn {
	out := []turn{}
	chats := map[string]string{} // of each message
	for i := range events {
		e := &events[i]
		if e.Lane != history.Site || e.Kind == "plan" { // a plan is part of its answer
			continue
		}
		t := turn{Seq: e.Seq, Who: "note", Say: strings.TrimSpace(e.Kind + " " + e.Text)}
		switch e.Kind {
		case "received", "refused", "dropped":
			t.Who, chats[e.Key] = "user", chatOf(e.Text)
		case "answered":
			t.Who = "site"
		}
		t.Chat = chats[e.Key]
		out = append(out, t)
	}
	return out
}

// chatOf is the conversation that the site names in front of a message's reading.
func chatOf(text string) string {
	for _, word := range strings.Fields(text) {
		if id, ok := strings.CutPrefix(word, "c="); ok {
			return id
		}
	}
	return ""
}
