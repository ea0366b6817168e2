package speed

import (
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

// Empty is an engine that does nothing but make events.
type Empty struct {
	loop  *event.Loop
	log   *history.Log
	left  int
	draw  clock.Entropy
	drawn [8]byte
	step  func()
	sum   string
}

// NewEmpty returns an empty engine.
func NewEmpty() *Empty {
	e := &Empty{loop: event.New(), log: history.New(history.Header{})}
	e.step = e.event
	return e
}

// Run makes a run of so many events.
func (e *Empty) Run(events int) error {
	e.loop.Reset()
	e.log.Reset(history.Header{Engine: "empty"})
	e.draw, e.left = clock.Seeded(1), events
	e.loop.After(0, e.step)
	err := e.loop.Run(event.Until{})
	e.sum = e.log.Sum()
	return err
}

func (e *Empty) event() {
	b := &e.drawn
	e.draw.Read(b[:])
	e.log.Append(history.Event{
		At: e.loop.Elapsed(), Lane: history.CDP, Kind: "call", Op: "wait.poll", Round: 1, Key: "turn",
	})
	if e.left--; e.left > 0 {
		e.loop.After(time.Duration(b[0])*time.Millisecond, e.step)
	}
}
