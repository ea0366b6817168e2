package truth

// rule is one row: the world's own words for it, and when it holds.
type rule struct {
	row  int
	why  string
	hold func(f *Facts) bool
}

// rules is the decision table in the order of readings 12: 15, 14, 12, 13, 10, 11, 9, 8, then 3, 4,
// 5 (transport gone) before 1, 2 (transport there), then 6, 7.
var rules = [...]rule{
	{15, "a bug of pi struck", func(f *Facts) bool { return f.Bug }},
	{14, "a boundary is reached", func(f *Facts) bool { return f.Boundary }},
	{12, "the page showed pi a blocker", func(f *Facts) bool { return f.Shown }},
	{13, "the recovery budget is used up, or RESYNC was refused as well", (*Facts).spent},
	{10, "the histories contradict each other and no memory decides", (*Facts).conflict},
	{11, "the agent's process is gone without a receipt, or nobody can ask it", (*Facts).doubt},
	{
		9,
		"the versions of pi differ from the acknowledged ones",
		func(f *Facts) bool { return f.Changed },
	},
	{
		8, "no memory, journal or record proves the ack, and identity and checkpoint are certain",
		func(f *Facts) bool { return !f.Known && f.Certain && f.Turn != NoMessage },
	},
	{3, "the line is gone, the document lives, pi remembers", func(f *Facts) bool {
		return f.lost() && f.Place == SameDocument
	}},
	{4, "the document was replaced, pi remembers", func(f *Facts) bool {
		return f.lost() && f.Place == NewDocument
	}},
	{
		5,
		"tab or browser are gone, the conversation has its address, pi remembers",
		func(f *Facts) bool {
			return f.lost() && f.Place == NoTab
		},
	},
	{1, "the answer is finished and no source gives it whole", func(f *Facts) bool {
		return f.there() && f.stall() == unreadable
	}},
	{2, "no fresh, finished turn is there yet", func(f *Facts) bool {
		return f.there() && (f.stall() == late || f.stall() == unproven)
	}},
	{2, "the page does not take the first message yet", func(f *Facts) bool {
		return f.there() && f.Turn == NoMessage
	}},
	{6, "pi was restarted, its journal is whole", func(f *Facts) bool {
		return !f.Memory && f.cached()
	}},
	{7, "pi was restarted without its journal, the record's chain is whole", func(f *Facts) bool {
		return !f.Memory && f.Journal <= JournalStale && !f.cached() && f.readable()
	}},
}

// lost: the transport failed under a pi that remembers.
func (f *Facts) lost() bool { return f.Memory && f.stall() == dropped }

// there: the transport is there, and so is our page.
func (f *Facts) there() bool { return f.Memory && f.Line == LineUp && f.Attached && f.Ours }

// Expected is the row that a bridge with perfect knowledge takes, and why. It is 0 when the facts
// fit no row: then a correct bridge leaves it to a person and names what is unlisted (readings 19).
func Expected(f Facts) (row int, why string) {
	for i := range rules {
		if rules[i].hold(&f) {
			return rules[i].row, rules[i].why
		}
	}
	return 0, "no row of the table fits"
}
