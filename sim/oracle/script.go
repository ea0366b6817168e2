package oracle

import (
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
}

func (s *script) read(e *history.Event) {
	*s = script{seq: e.Seq, end: e.Key, plans: e.Round}
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
