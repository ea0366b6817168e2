package chromium

import (
	"context"
	"fmt"
	"time"

	"bridgesim/faults"
)

// LateLoop is how long the renderer is kept busy for a late effect; as measured, the effect comes
// about
// 2.5 s after the session is gone.
const LateLoop = 3 * time.Second

// Late keeps the renderer busy, lets the bridge send its command, waits until the relay has handed
// it to the browser, and ends the session. The command takes its effect when the loop ends.
func (s *Striker) Late(
	f faults.Fault, at faults.Aim, send func() error,
) (lost error, evidence string, err error) {
	info, known := faults.Of(f.Kind)
	if !known || f.Kind != faults.Sever && f.Kind != faults.Detach && info.Family != faults.Pi {
		return nil, "", errNoLate
	}
	if at.Target == "" || at.Browser == nil {
		return nil, "", errNoTab
	}
	ctx, cancel := s.bounded()
	defer cancel()
	g, w, err := s.grip(ctx, at.Target)
	if err != nil {
		return nil, "", err
	}
	busy, err := s.loop(ctx, g, w, LateLoop)
	if err != nil {
		return nil, "", err
	}
	ended := make(chan error, 1)
	before := s.relay.Passed()
	s.jobs.Go(func() { ended <- send() })
	cut := "the command did not pass"
	if err = s.relay.AwaitPassed(ctx, before); err == nil {
		cut, err = s.endSession(ctx, f, at)
	}
	if err != nil {
		_ = at.Browser.Close() // the call must end; nothing is known of its effect
	}
	lost = <-ended
	return lost, fmt.Sprintf(
		"%s for %s; the relay handed the command on; %s",
		busy,
		LateLoop,
		cut,
	), nil
}

// endSession ends the session under the command, by the fault's own means.
func (s *Striker) endSession(ctx context.Context, f faults.Fault, at faults.Aim) (string, error) {
	switch f.Kind {
	case faults.Sever:
		return s.sever(f)
	case faults.Detach:
		return s.detach(ctx, at)
	}
	return "the kernel closes the sockets of a dead pi", at.Browser.Close()
}
