package oracle

import (
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// deed is what a command does, as far as a promise asks.
type deed uint8

const (
	noDeed  deed = iota
	connect      // dial or attach
	typing       // text goes into the page
	press        // a click or a key
	shown        // a probe answer showed a blocker; text names it
	cleared      // a probe answer showed none any more
	control      // a control of the page was clicked; text names it
)

type act struct {
	seq  int
	deed deed
	op   point.Op
	key  string
	text string // of a press: the call before it
}

func deedOf(key string) deed {
	switch key {
	case "dial", "Target.attachToTarget":
		return connect
	case "Input.insertText", "empty":
		return typing
	case "Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "copy":
		return press
	}
	return noDeed
}

// looks: the text of an answer comes to the bridge by one of these.
func looks(key string) bool { return key == "record" || key == "text" || key == "copy" }

// sight tells the blockers in a probe's answer from the states of a turn.
func sight(text string) deed {
	switch probe.Blocker(text) {
	case probe.NoBlocker:
		return cleared
	case probe.BlockCaptcha, probe.BlockLogin, probe.BlockRateLimit, probe.BlockUsageCap,
		probe.BlockAccount:
		return shown
	}
	return noDeed
}
