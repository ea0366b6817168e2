package speed

import (
	"context"
	"errors"
	"fmt"

	"bridgesim/bridge"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim"
	"bridgesim/sim/history"
)

// Rounds is a whole session: HELLO, n-1 plans that are executed, and a last ROUND that is answered
// with done. Without waits of the site.
func Rounds(n int) *sim.Script {
	s := &sim.Script{
		Name: fmt.Sprintf("%d rounds", n), Seed: 1, End: string(bridge.Done), Plans: n - 1,
		Timing: "instant", Limits: bridge.Limits{Rounds: n},
	}
	for i := 1; i <= n; i++ {
		decision := "continue"
		if i == n {
			decision = "done"
		}
		s.Persona.Rounds = append(s.Persona.Rounds, fakesite.RoundScript{
			Round: i, Moves: []fakesite.Move{{Decision: decision}},
		})
	}
	return s
}

// Polled is Rounds at the pace that was measured on the real site: most of its calls are polls.
func Polled(n int) *sim.Script {
	s := Rounds(n)
	s.Timing = "typical"
	return s
}

// struck are faults of each family at different places of three rounds; each run has one.
var struck = []string{
	"sever at send.submit@1#2/after",
	"kill-pi at store.append@2:checkpoint#1/after",
	"reload at wait.poll@2#1/before",
	"delay at capture.record@1#1/before with for=2s",
	"close-tab at capture.dom@2#1/after",
	"cdp-error at guard.check@1#1/before with code=-32000",
	"sever at attach.ready@0#1/before",
	"kill-pi at agent.start@1#1/after",
	"crash-tab at wait.poll@3#1/before",
	"half-open at send.guard@1#1/before",
}

// Struck are whole sessions of three rounds with one fault each, recovery included.
func Struck() ([]*sim.Script, error) {
	var out []*sim.Script
	for _, text := range struck {
		f, err := faults.ParseFault(text)
		if err != nil {
			return nil, err
		}
		s := Rounds(3)
		s.Schedule = faults.Schedule{f}
		out = append(out, s)
	}
	return out, nil
}

// Cost is what one run of scripts takes, on average over them.
type Cost struct {
	Calls  float64 // CDP commands
	Events float64 // of the history
}

// Player plays scripts in turn on one Runner.
type Player struct {
	runner  *sim.Runner
	scripts []*sim.Script
	next    int
	sum     string
}

// NewPlayer checks that each script runs to its end and keeps all promises.
func NewPlayer(scripts ...*sim.Script) (*Player, Cost, error) {
	p := &Player{runner: sim.NewRunner(sim.Virtual()), scripts: scripts}
	var c Cost
	for range scripts {
		r, err := p.Play()
		if err == nil {
			err = errors.Join(r.Err, r.Broken())
		}
		if err == nil && (len(r.Unreached) > 0 || string(r.Report.Outcome) != r.World.Script.End) {
			err = fmt.Errorf("%s; not reached: %v", r.Report, r.Unreached)
		}
		if err != nil {
			p.Close()
			return nil, c, fmt.Errorf("%s, %s: %w", r.World.Script.Name, r.World.Script.Schedule, err)
		}
		c.Events += float64(r.World.Log.Len()) / float64(len(scripts))
		c.Calls += float64(calls(r.World.Log)) / float64(len(scripts))
	}
	return p, c, nil
}

func calls(l *history.Log) (n int) {
	for _, e := range l.Events() {
		if e.Lane == history.CDP && e.Kind == "call" {
			n++
		}
	}
	return n
}

// Close ends the player.
func (p *Player) Close() { p.runner.Close() }

// Play makes the next run, with all oracles and the hash of its history.
func (p *Player) Play() (*sim.Result, error) {
	s := p.scripts[p.next]
	p.next = (p.next + 1) % len(p.scripts)
	r, err := p.runner.Run(context.Background(), s, nil)
	if err == nil {
		p.sum = r.World.Log.Sum()
	}
	return r, err
}
