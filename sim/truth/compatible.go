package truth

import (
	"errors"
	"fmt"

	"bridgesim/bridge/recovery"
)

// ErrFalse is wrapped by every contradiction between the bridge's evidence and the world.
var ErrFalse = errors.New("the bridge's evidence is false")

// claim is one fact of the evidence with what the world knows about it.
type claim struct {
	name  string
	said  recovery.Fact
	world bool
}

// Compatible compares the bridge's evidence with the world: what is unknown to the bridge is never
// wrong, what it is sure of must be so. All contradictions come back, joined; each wraps ErrFalse.
func Compatible(e recovery.Evidence, f Facts) error {
	var errs []error
	for _, c := range claims(&e, &f) {
		if c.said != recovery.Unknown && c.said != recovery.Of(c.world) {
			errs = append(errs, fmt.Errorf("%w: %s is %s, the world says %s",
				ErrFalse, c.name, c.said, recovery.Of(c.world)))
		}
	}
	if !f.agreesPlace(e.Place) {
		errs = append(errs, fmt.Errorf("%w: the place is %s, the world says %s",
			ErrFalse, e.Place, placeNames[f.Place]))
	}
	if !f.agreesFailure(e.Failure) {
		errs = append(errs, fmt.Errorf("%w: the failure is %s, the world saw %s",
			ErrFalse, e.Failure, stallNames[f.stall()]))
	}
	return errors.Join(errs...)
}

// claims lines up the facts. Some are only claimed one way: "no conflict" by a bridge that has
// memory is right whatever the record says, because memory outranks it (readings 11).
func claims(e *recovery.Evidence, f *Facts) []claim {
	list := []claim{
		{"attached", e.Attached, f.Attached},
		{"memory", e.Memory, f.Memory},
		{"cache", e.Cache, f.cached()},
		{"boundary", e.Boundary, f.Boundary},
		{"blocker", e.Blocker, f.Shown},
		{"spent", e.Spent, f.spent()},
		{"conflict", e.Conflict, f.conflict()},
		{"doubt", e.Doubt, f.doubt()},
		{"changed", e.Changed, f.Changed},
		{"acked", e.Acked, f.Known},
		{"sure", e.Sure, f.Certain},
	}
	if f.Attached {
		list = append(list, claim{"same", e.Same, f.Ours})
	}
	// A record that cannot be read now may have been read a moment ago: only a wrong "yes" about one
	// that is not whole, or a wrong "no" about one that is, contradicts it.
	if f.Record != RecordDown {
		list = append(list, claim{"history", e.History, f.readable()})
	}
	return list
}

var placeNames = [...]string{"same document", "new document", "no tab", "no address"}

func (f *Facts) agreesPlace(p recovery.Place) bool {
	switch p {
	case recovery.SameTab:
		return f.Place == SameDocument
	case recovery.Reloaded:
		return f.Place == NewDocument
	case recovery.Relaunched:
		return f.Place == NoTab
	case recovery.Nowhere:
		return f.Place == NoAddress
	}
	return true
}

var stallNames = [...]string{
	"no failure", "a bug", "an invalid ack", "a lost line", "a message that no record holds",
	"an unfinished turn", "sources that give no whole reply",
}

// waits: pi waits for the page itself, before its first message or before a blocker or a boundary.
func (f *Facts) waits() bool { return f.Turn == NoMessage || f.Shown || f.Boundary }

// left: a person opened another conversation over one that nothing leads back to, or before a
// message was sent at all, and the line stands.
func (f *Facts) left() bool {
	return f.Line == LineUp && (f.Place == NoAddress || f.Place == NoTab && f.Turn == NoMessage)
}

// agreesFailure: a bridge may see less of a failure (a wait that ran out where in truth the sources
// are broken), never another one (a drop where the line stands, a bug taken for a drop).
func (f *Facts) agreesFailure(said recovery.Failure) bool {
	is := f.stall()
	switch said {
	case recovery.NoFailure:
		return is != bug
	case recovery.Bug:
		return is == bug
	case recovery.Dropped:
		return is == dropped
	case recovery.Refusal:
		return f.Refused && is != bug
	case recovery.Capture:
		return is == unreadable || is == late
	case recovery.Wait:
		return is == late || is == unreadable || is == unproven || is == nothing && f.waits() ||
			f.Shown && f.Attached || // whatever was lost before, a page is there and a blocker stands in it
			f.left() // a page that shows nothing looks like one that does not show it yet
	case recovery.Unproven:
		return f.Turn != NoMessage && is != bug
	}
	return false
}
