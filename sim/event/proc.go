package event

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
)

type procState uint8

const (
	fresh   procState = iota // spawned, never resumed
	parked                   // in Sleep or Hang
	onStack                  // running, or below a process that it unwinds
	ended
)

// Proc is one process of the world: a pi, or a scripted client with its own flow.
type Proc struct {
	loop  *Loop
	name  string
	state procState
	dead  bool   // killed: every port raises the sentinel
	waits bool   // in Hang
	hangs bool   // ... without a deadline
	wake  uint64 // sequence of the wake that counts
	ctx   context.Context
	clock procClock
	crash *Crash

	thread *thread
}

// thread is a stack that processes run on, one after the other: a stack that has grown once need
// not grow again.
type thread struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	p     *Proc
	f     func()
}

func newThread() *thread {
	t := &thread{}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		for t.f != nil {
			t.p.root(t.f)
			t.p, t.f = nil, nil
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return t
}

// begin gives the process a stack.
func (p *Proc) begin(f func()) {
	l := p.loop
	p.thread = l.spare
	if l.spare = nil; p.thread == nil {
		p.thread = newThread()
	}
	p.thread.p, p.thread.f = p, f
}

// leave takes it back from one that ended.
func (p *Proc) leave() {
	t := p.thread
	if p.thread = nil; p.loop.spare == nil {
		p.loop.spare = t
		return
	}
	t.stop()
}

// Crash is a panic of the process's own, kept with its stack.
type Crash struct {
	Proc  string
	Value any
	Stack []byte
}

// Error tells which process panicked and with what.
func (c *Crash) Error() string { return fmt.Sprintf("process %q panicked: %v", c.Proc, c.Value) }

// killed is the sentinel that unwinds a killed process.
type killed struct{ p *Proc }

// String explains the sentinel to who sees it where it should not be.
func (k killed) String() string {
	return fmt.Sprintf("event: process %q was killed (only its root may recover this)", k.p.name)
}

// Spawn makes a process that runs f from the current time on, after what is due already.
func (l *Loop) Spawn(name string, f func()) *Proc {
	p := &Proc{loop: l, name: name}
	p.clock = procClock{loop: l, p: p}
	p.begin(f)
	l.procs = append(l.procs, p)
	p.wake = l.schedule(l.now, entry{p: p})
	return p
}

// root runs f and recovers the sentinel of this process, and only that; any other panic is a crash.
func (p *Proc) root(f func()) {
	defer func() {
		p.finish()
		r := recover()
		if k, ok := r.(killed); r == nil || ok && k.p == p {
			return
		}
		p.crash = &Crash{Proc: p.name, Value: r, Stack: debug.Stack()}
	}()
	f()
}

func (p *Proc) finish() {
	p.state, p.ctx, p.waits, p.hangs, p.wake = ended, nil, false, false, 0
	if i := slices.Index(p.loop.procs, p); i >= 0 {
		p.loop.procs = slices.Delete(p.loop.procs, i, i+1)
	}
}

// Name is the name given to Spawn.
func (p *Proc) Name() string { return p.name }

// Ended tells whether the process returned, crashed or was killed.
func (p *Proc) Ended() bool { return p.state == ended }

// Killed tells whether Kill struck it.
func (p *Proc) Killed() bool { return p.dead }

// Crash is the panic that ended the process, nil if there was none.
func (p *Proc) Crash() *Crash { return p.crash }

// Enter begins every port call of the process. It counts one step, and raises the sentinel when the
// process is dead, so that nothing which a dying process does reaches the world.
func (p *Proc) Enter() {
	if !p.dead && !p.loop.spend(p.name) {
		p.dead = true
	}
	if p.dead {
		panic(killed{p})
	}
}

// Kill ends the process at once, as SIGKILL would: its deferred calls run, but every port is dead.
// Called by the process itself it does not return. Killing an ended process does nothing.
func (p *Proc) Kill() {
	switch {
	case p.state == ended:
	case p.loop.running == p:
		p.dead = true
		panic(killed{p})
	case p.state == onStack:
		p.dead = true // it is below us and raises the sentinel at its next port call
	default:
		p.unwind()
	}
}

func (p *Proc) unwind() {
	p.dead = true
	started := p.state == parked
	outer := p.loop.running
	p.loop.running, p.state = p, onStack
	if started {
		p.thread.next() // park raises the sentinel, root comes to its end
	} else {
		p.thread.p, p.thread.f = nil, nil
		p.finish()
	}
	p.loop.running = outer
	p.leave()
}

// resume switches to the process until it parks or ends.
func (p *Proc) resume() {
	p.state, p.loop.running = onStack, p
	p.thread.next()
	p.loop.running = nil
	if p.state == ended {
		p.leave()
	}
}

// park switches back to the loop.
func (p *Proc) park(ctx context.Context) {
	if p.loop.running != p {
		panic("event: a process slept on the stack of another; each must use its own Clock")
	}
	p.state, p.ctx = parked, ctx
	p.thread.yield(struct{}{})
	p.state, p.ctx = onStack, nil
	if p.dead {
		panic(killed{p})
	}
}

// Hang is a call whose answer does not come. It returns nil after Wake, and the error of ctx when
// its deadline has come or it was cancelled. Without a deadline the process stands still until it
// is woken or killed, and a run that waits for it ends with ErrHang.
func (p *Proc) Hang(ctx context.Context) error {
	p.Enter()
	p.loop.check(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	p.waits = true
	if d, ok := ctx.Deadline(); ok {
		p.sleepUntil(ctx, int64(d.Sub(p.loop.epoch)))
	} else {
		p.hangs, p.wake = true, 0
		p.park(ctx)
	}
	p.waits, p.hangs = false, false
	return ctx.Err()
}

// Wake lets a Hang return now: its answer has come. A process that is not in Hang is left alone.
func (p *Proc) Wake() {
	if p.waits && p.state == parked {
		p.wake = p.loop.schedule(p.loop.now, entry{p: p})
	}
}
