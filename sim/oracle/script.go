package oracle

import (
	"strconv"
	"strings"

	"bridgesim/bridge/wire"
	"bridgesim/sim/history"
)

// Script is what a world knows about a run before it begins: the content of the "script" event.
type Script struct {
	Request string
	Denials []string // nil: the defaults
	End     string   // outcome of the fault-free run; "" when nobody knows it
	Plans   int      // plans that the fault-free run executes
	// Views are the lanes that the world logs. A subject that is not our bridge has no store lane,
	// and promises about its journal are then judged only as far as the wire shows them.
	Views []history.Lane
	// Pace is how many seconds pass in the world in one of the machine's; 0 is 1. A browser that is
	// not a model does not hurry with the world's clock.
	Pace int
}

// Event is the first event of a history.
func (s Script) Event() history.Event {
	var b strings.Builder
	denials := s.Denials
	if denials == nil {
		denials = wire.DefaultDenials()
	}
	b.WriteString("q=" + wire.QID(s.Request) + " deny=" + strings.Join(denials, ",") + " views=")
	for i, l := range s.Views {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(l.String())
	}
	if s.Pace > 1 {
		b.WriteString(" pace=" + strconv.Itoa(s.Pace))
	}
	return history.Event{
		Lane: history.World, Kind: kindScript, Key: s.End, Round: s.Plans, Text: b.String(),
		Body: s.Request,
	}
}

// Words of a start: whether a process that finds no journal finds its session all the same.
const (
	StartLed   = "led"
	StartUnled = "unled"
)

// script is the event as a Case keeps it.
type script struct {
	seq   int
	end   string
	plans int
	qid   string
	deny  string
	views uint16 // bits by lane
	pace  int    // at least 1
}

func (s *script) read(e *history.Event) {
	*s = script{seq: e.Seq, end: e.Key, plans: e.Round, pace: 1}
	text := e.Text
	for word := ""; text != ""; {
		word, text, _ = strings.Cut(text, " ")
		switch name, value, _ := strings.Cut(word, "="); name {
		case "q":
			s.qid = value
		case "deny":
			s.deny = value
		case "views":
			s.views = viewsOf(value)
		case "pace":
			if n, err := strconv.Atoi(value); err == nil && n > 1 {
				s.pace = n
			}
		}
	}
}

// denied are the denials, nil when the event does not say.
func (s *script) denied() []string {
	if s.seq == 0 {
		return nil
	}
	return strings.Split(s.deny, ",")
}

func viewsOf(list string) (bits uint16) {
	for name := ""; list != ""; {
		name, list, _ = strings.Cut(list, ",")
		for l := history.NoLane + 1; l <= history.World; l++ {
			if l.String() == name {
				bits |= 1 << l
			}
		}
	}
	return bits
}
