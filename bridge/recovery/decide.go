package recovery

// Verdict is what a failure means.
type Verdict struct {
	Row       int   // the row that was taken; 0 when no row fits
	Also      []int // every other row that matched, in the order of asking
	Act       Act
	Forbidden Deed // what any matched row forbids, as readings 12 bounds it
	Reason    string
}

// rows is a set of row numbers.
type rows uint16

func (r rows) has(n int) bool { return r&(1<<n) != 0 }

// matched is the set of rows that apply.
func matched(e *Evidence) rows {
	var r rows
	for i := range table {
		if table[i].Match(e) {
			r |= 1 << table[i].Number
		}
	}
	return r
}

// first is the row that is asked first among those that matched, 0 when none did.
func (r rows) first() int {
	for _, n := range order {
		if r.has(n) {
			return n
		}
	}
	return 0
}

// chosen is what the row taken does with this evidence.
func (e *Evidence) chosen(n int) Act {
	row := &table[n-1]
	if row.Needs != nil && row.Needs(e) != Yes {
		return Look
	}
	return row.Act
}

// forbidden is what the matched rows forbid to the row taken.
func (r rows) forbidden(taken int) Deed {
	var d Deed
	for i := range table {
		if r.has(table[i].Number) {
			d |= bounded(taken, &table[i])
		}
	}
	return d
}

// Decide takes the first row that matches. Evidence that fits no row is left to a person, unless
// looking can still tell more.
func Decide(e Evidence) Verdict {
	m := matched(&e)
	taken := m.first()
	if taken == 0 {
		return unlisted(e)
	}
	v := Verdict{
		Row: taken, Act: e.chosen(taken), Forbidden: m.forbidden(taken), Reason: table[taken-1].Failure,
	}
	for _, n := range order {
		if n != taken && m.has(n) {
			v.Also = append(v.Also, n)
		}
	}
	return v
}

// bounded is what a further matched row forbids to the act of the row taken. "No RESYNC" (4) and
// "No new HELLO" (3) forbid answering a reload or a drop with it; they do not bind row 9.
func bounded(taken int, row *Row) Deed {
	switch {
	case taken == 9 && row.Number == 4:
		return row.Forbidden &^ SendResync
	case taken == 9 && row.Number == 3:
		return row.Forbidden &^ NewHello
	}
	return row.Forbidden
}

// unlisted is the verdict on evidence that fits no row: while something can still be found out,
// look; then give up, naming what is unlisted (readings 19).
func unlisted(e Evidence) Verdict {
	v := Verdict{Act: GiveUp, Reason: "no row of the table fits: " + e.String()}
	if open(&e) {
		v.Act, v.Reason = Look, "more must be known before a row fits"
	}
	return v
}

// open tells whether a fact that decides between the rows is still unknown.
func open(e *Evidence) bool {
	if e.Place == Nowhere {
		return false
	}
	return e.Place == Somewhere || e.Attached == Unknown || e.Same == Unknown ||
		e.Memory == Unknown || e.Cache == Unknown || e.Memory == No && e.History == Unknown
}
