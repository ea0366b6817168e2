package truth

import (
	"strings"

	"bridgesim/bridge/recovery"
)

// ReadEvidence reads the evidence back from a text that holds it as recovery.Evidence.String writes
// it, for example the note of a verdict; what stands in front of "failure " is skipped. It is false
// when a word is none of the evidence's: the world then knows nothing of it and says so.
func ReadEvidence(text string) (e recovery.Evidence, ok bool) {
	i := strings.Index(text, "failure ")
	if i < 0 {
		return e, false
	}
	rest := text[i:]
	for part := ""; rest != ""; {
		part, rest, _ = strings.Cut(rest, ", ")
		name, value, _ := strings.Cut(part, " ")
		if !take(&e, name, value) {
			return e, false
		}
	}
	return e, true
}

func take(e *recovery.Evidence, name, value string) bool {
	switch name {
	case "failure":
		for f := recovery.NoFailure; f <= recovery.Bug; f++ {
			if f.String() == value {
				e.Failure = f
				return true
			}
		}
		return false
	case "place":
		for p := recovery.Somewhere; p <= recovery.Nowhere; p++ {
			if p.String() == value {
				e.Place = p
				return true
			}
		}
		return false
	}
	to := factNamed(e, name)
	if to == nil {
		return false
	}
	switch value {
	case "yes":
		*to = recovery.Yes
	case "no":
		*to = recovery.No
	default:
		return false
	}
	return true
}

func factNamed(e *recovery.Evidence, name string) *recovery.Fact {
	switch name {
	case "attached":
		return &e.Attached
	case "same":
		return &e.Same
	case "memory":
		return &e.Memory
	case "cache":
		return &e.Cache
	case "history":
		return &e.History
	case "boundary":
		return &e.Boundary
	case "blocker":
		return &e.Blocker
	case "spent":
		return &e.Spent
	case "conflict":
		return &e.Conflict
	case "doubt":
		return &e.Doubt
	case "changed":
		return &e.Changed
	case "acked":
		return &e.Acked
	case "sure":
		return &e.Sure
	}
	return nil
}
