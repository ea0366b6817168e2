package trace

import "fmt"

// nearby is how many entries behind a loss its consequences are looked for.
const nearby = 200

// add appends a loss, or makes it an echo of one that it follows from.
func (s *search) add(i int, e *Entry, n Loss) {
	n.Line, n.At, n.Socket, n.Session, n.Target = e.Line, e.At, e.Socket, e.Session, e.Target
	n.Code = e.Code
	if t := s.target[n.Session]; n.Target == "" && t != "" {
		n.Target = t
	}
	for k := len(s.found) - 1; k >= 0 && i-s.at[k] <= nearby; k-- {
		if s.follows(&n, &s.found[k]) {
			s.found[k].Echoes = append(s.found[k].Echoes, n.Line)
			if s.found[k].Code == 0 {
				s.found[k].Code = n.Code
			}
			return
		}
	}
	s.found = append(s.found, n)
	s.at = append(s.at, i)
}

// follows tells whether n is a consequence of a loss before it.
func (s *search) follows(n, before *Loss) bool {
	if n.Break == Reported || before.Break == SocketLost && n.Break == SessionGone {
		return true
	}
	same := n.Session != "" && n.Session == before.Session ||
		n.Target != "" && n.Target == before.Target ||
		n.Socket != "" && n.Socket == before.Socket && n.Break == SocketLost &&
			before.Break == SocketLost
	return same || n.Break == before.Break && n.Break == TargetCrashed &&
		(n.Session == "" || before.Session == "")
}

// end looks at the calls that are open where the log ends.
func (s *search) end() {
	last := len(s.log.Entries) - 1
	if last < 0 || len(s.found) > 0 {
		return
	}
	for i := last; i >= 0; i-- {
		e := &s.log.Entries[i]
		if e.Dir != Sent || !e.hasID || e.Kind != Request || s.answers[i] >= 0 || s.quit[e.Socket] {
			continue
		}
		e = &s.log.Entries[last]
		s.add(last, e, Loss{
			Break: LogEnds, Side: SideUnknown, Confidence: Guess,
			Reason: "calls have no answer where the log ends; it may be the log that was cut",
		})
		return
	}
}

// flights lists for each loss what was under way.
func (s *search) flights() {
	var open []int
	next := 0
	for i := range s.log.Entries {
		if e := &s.log.Entries[i]; e.Dir == Sent && e.hasID {
			open = append(open, i)
		}
		for next < len(s.found) && s.at[next] == i {
			open = s.under(&s.found[next], open, i)
			next++
		}
	}
	for i := range s.found {
		if s.found[i].InFlight == nil {
			s.found[i].InFlight = []Flight{}
		}
	}
}

// under fills in the calls under way at entry at, and returns those that are still open.
func (s *search) under(l *Loss, open []int, at int) []int {
	left := open[:0]
	for _, i := range open {
		answer := s.answers[i]
		if answer >= 0 && answer < at {
			continue
		}
		left = append(left, i)
		e := &s.log.Entries[i]
		if !concerns(l, e) {
			continue
		}
		if l.Open++; len(l.InFlight) < MaxFlights {
			l.InFlight = append(l.InFlight, s.flight(e, answer))
		}
	}
	return left
}

// concerns tells whether a call goes over what was lost.
func concerns(l *Loss, e *Entry) bool {
	if l.Socket != "" && e.Socket != l.Socket {
		return false
	}
	switch l.Break {
	case SocketLost, Reported, LogEnds:
		return true
	}
	return l.Session == "" || e.Session == l.Session
}

func (s *search) flight(e *Entry, answer int) Flight {
	f := Flight{Line: e.Line, ID: e.ID, Session: e.Session, Method: e.Method, At: e.At}
	if answer >= 0 {
		a := &s.log.Entries[answer]
		f.AnswerLine, f.Answer = a.Line, string(a.Kind)
		if a.Kind == Failure {
			f.Answer = fmt.Sprintf("error %d: %s", a.Code, a.Text)
		}
	}
	return f
}
