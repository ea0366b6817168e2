package faults

import (
	"fmt"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/session"
)

// process is one life of pi: the ports that it was given, and whether it is dead.
type process struct {
	clock  clock.Clock
	aim    Aim // what of it was last in use
	conns  []browser.Browser
	stores []session.Store
	dead   bool
	killed Killed
	by     *armed
}

// Killed is the sentinel that unwinds a killed pi. The world recovers exactly this one, at the root
// of the process, and starts pi again after Fault.Params.For with Fault.CapsOf.
type Killed struct{ Fault Fault }

// String explains the sentinel to who sees it where it should not be.
func (k Killed) String() string {
	return fmt.Sprintf(
		"faults: pi was killed by %s (only the root of its process may recover this)",
		k.Fault,
	)
}

// enter begins every port call of a process: a dead one changes nothing any more, whatever its
// deferred calls try.
func (p *process) enter() {
	if p.dead {
		panic(p.killed)
	}
}

// living is the process that ports are made for; after a death it is a new one. Only the world
// makes ports, so the first port after a death is the birth of the next process.
func (i *Interposer) living() *process {
	if !i.proc.dead {
		return i.proc
	}
	by := i.proc.by
	i.proc = &process{}
	if by != nil && i.stageOf(by) == Applied {
		i.say(by, Healed, by.fault.At, "pi was started again")
	}
	return i.proc
}

// kill ends the process inside its own call. What the kernel does for a dead process is done here:
// its sockets and its lock are closed. It does not return.
func (i *Interposer) kill(f *armed, evidence string) {
	p := i.proc
	conns := len(p.conns)
	for _, c := range p.conns {
		_ = c.Close() // a connection that is lost already is closed all the same
	}
	for _, s := range p.stores {
		_ = s.Close() // same
	}
	p.dead, p.killed, p.by = true, Killed{f.fault}, f
	if f.fault.Kind != KillPi && f.fault.Kind != ChangeCaps {
		what, err := i.strikeCache(f)
		if err != nil {
			i.miss(f, err)
			panic(p.killed)
		}
		evidence += "; " + what
	}
	i.applied(f, fmt.Sprintf("%s; %d connections were closed for it", evidence, conns))
	panic(p.killed)
}

// Survive runs one process of pi to its end and reports the kill that ended it, nil for an end of
// its own. Any other panic goes on with its stack as it was.
func (i *Interposer) Survive(f func()) (killed *Killed) {
	p := i.living()
	defer func() {
		if !p.dead {
			return // a panic of pi's own is not ours to recover
		}
		r := recover()
		if k, ok := r.(Killed); ok || r == nil {
			if !ok {
				k = p.killed // pi swallowed the sentinel; it is dead all the same
			}
			killed = &k
			return
		}
		panic(r)
	}()
	f()
	return nil
}
