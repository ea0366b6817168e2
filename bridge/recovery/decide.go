package recovery

// Verdict is what a failure means.
type Verdict struct {
	Row       int   // the row that was taken; 0 when no row fits
	Also      []int // every other row that matched, in the order of asking
	Act       Act
	Forbidden Deed // what any matched row forbids, as readings 12 bounds it
	Reason    string
}

// Decide takes the first row that matches. Evidence that fits no row is left to a person, unless
// looking can still tell more.
func Decide(e Evidence) Verdict {
	var v Verdict
	for _, n := range order {
		row := &table[n-1]
		if !row.Match(&e) {
			continue
		}
		if v.Row != 0 {
			v.Also = append(v.Also, n)
			v.Forbidden |= bounded(v.Row, row)
			continue
		}
		v.Row, v.Act, v.Forbidden = n, row.Act, row.Forbidden
		v.Reason = row.Failure
		if row.Needs != nil && row.Needs(&e) != Yes {
			v.Act = Look
		}
	}
	if v.Row == 0 {
		return unlisted(e)
	}
	return v
}

// bounded is what a further matched row forbids to the act of the row taken. "No RESYNC" (4) and "No
// new HELLO" (3) forbid answering a reload or a drop with it; they do not bind row 9.
func bounded(taken int, row *Row) Deed {
	switch {
	case taken == 9 && row.Number == 4:
		return row.Forbidden &^ SendResync
	case taken == 9 && row.Number == 3:
		return row.Forbidden &^ NewHello
	}
	return row.Forbidden
}

// unlisted is the verdict on evidence that fits no row: while something can still be found out, look;
// then give up, naming what is unlisted (readings 19).
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
