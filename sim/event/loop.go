package event

import (
	"strconv"
	"time"
)

// Epoch is where virtual time begins. It lies far from today, so a wall-clock deadline that leaks
// into a virtual run is noticed.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Limits that hold when Until names none.
const (
	DefaultSteps = 10_000_000 // events, resumes and port calls of one Run
	StallSteps   = 100_000    // the same, without any progress of time
)

const noBound = int64(1<<63 - 1)

// Loop orders a run. It is not safe for concurrent use: everything of a run happens inside Run.
type Loop struct {
	epoch time.Time
	now   int64
	seq   uint64
	queue queue

	procs   []*Proc // not ended, in order of Spawn
	running *Proc
	inRun   bool
	bound   int64
	steps   int // left of this Run
	stalled int // left until the time must have moved
	failed  *LimitError

	spare    *thread // for the next process
	contexts contexts
	clock    procClock // of the world
}

// New returns a loop at Epoch.
func New() *Loop {
	l := &Loop{}
	l.Reset()
	return l
}

// Reset kills what is left of the last run and starts anew at Epoch, keeping the buffers.
func (l *Loop) Reset() {
	l.killAll()
	clear(l.queue)
	*l = Loop{
		spare: l.spare,
		epoch: Epoch, queue: l.queue[:0], procs: l.procs[:0],
		bound: noBound, steps: DefaultSteps, stalled: StallSteps,
		contexts: contexts{all: l.contexts.all},
	}
	l.clock.loop = l
}

// Close kills every process that has not ended and gives their stacks back. A loop that is thrown
// away must be closed.
func (l *Loop) Close() {
	l.killAll()
	if l.spare != nil {
		l.spare.stop()
		l.spare = nil
	}
}

func (l *Loop) killAll() {
	for len(l.procs) > 0 {
		l.procs[len(l.procs)-1].Kill()
	}
}

// Now is the current virtual time.
func (l *Loop) Now() time.Time { return l.epoch.Add(time.Duration(l.now)) }

// Elapsed is the virtual time since Epoch.
func (l *Loop) Elapsed() time.Duration { return time.Duration(l.now) }

// At calls f at t, after everything that was scheduled for t before; a past t means now.
func (l *Loop) At(t time.Time, f func()) { l.schedule(int64(t.Sub(l.epoch)), entry{fn: f}) }

// After calls f when d has passed.
func (l *Loop) After(d time.Duration, f func()) { l.schedule(l.now+int64(d), entry{fn: f}) }

func (l *Loop) schedule(at int64, e entry) uint64 {
	l.seq++
	e.at, e.seq = max(at, l.now), l.seq
	l.queue.push(e)
	return e.seq
}

// Until says when Run returns. With neither Proc nor Done it runs until nothing is due any more.
type Until struct {
	Proc  *Proc         // ... when this process has ended
	Done  func() bool   // ... when this holds; asked after every step
	Bound time.Duration // ErrBound after this much virtual time since the epoch; 0 means none
	Steps int           // ErrSteps after so many steps; 0 means DefaultSteps
}

func (u *Until) met() bool {
	return u.Proc != nil && u.Proc.state == ended || u.Done != nil && u.Done()
}

// Run pops what is due, in order, until u is met. It returns nil then, and a *LimitError when a
// limit came first; a Run may follow and goes on where this one stopped. A process that crashed has
// ended; Proc.Crash tells.
func (l *Loop) Run(u Until) error {
	if l.inRun {
		panic("event: Run inside Run; an event or a process must not drive the loop")
	}
	l.begin(u)
	defer func() { l.inRun = false }()
	for {
		switch {
		case l.failed != nil:
			return l.failed
		case u.met():
			return nil
		case len(l.queue) == 0:
			return l.idle(u)
		case l.queue[0].at > l.bound:
			return l.atBound(u)
		}
		l.step()
	}
}

func (l *Loop) begin(u Until) {
	l.inRun, l.failed = true, nil
	l.bound = noBound
	if u.Bound > 0 {
		l.bound = int64(u.Bound)
	}
	l.steps, l.stalled = DefaultSteps, StallSteps
	if u.Steps > 0 {
		l.steps = u.Steps
	}
}

func (l *Loop) step() {
	if !l.spend("") {
		return
	}
	e := l.queue.pop()
	if e.p != nil && e.p.wake != e.seq {
		return // it ended, or another wake took the place of this one
	}
	l.advance(e.at)
	if e.p != nil {
		e.p.resume()
		return
	}
	e.fn()
}

func (l *Loop) advance(to int64) {
	if to > l.now {
		l.now = to
		l.stalled = StallSteps
	}
}

// spend counts one step and tells whether the run may go on.
func (l *Loop) spend(proc string) bool {
	l.steps--
	l.stalled--
	if l.steps >= 0 && l.stalled >= 0 {
		return true
	}
	what := "the budget of the run"
	if l.stalled < 0 {
		what = strconv.Itoa(StallSteps) + " steps without progress of time"
	}
	if l.failed == nil {
		l.failed = &LimitError{Kind: ErrSteps, At: l.Elapsed(), Proc: proc, What: what}
	}
	return false
}

func (l *Loop) idle(u Until) error {
	if p := l.hanging(u); p != nil {
		return l.hangError(p)
	}
	if u.Proc == nil && u.Done == nil {
		return nil
	}
	return &LimitError{Kind: ErrStuck, At: l.Elapsed(), What: "no event and no wake is scheduled"}
}

func (l *Loop) atBound(u Until) error {
	l.advance(l.bound)
	if p := l.hanging(u); p != nil {
		return l.hangError(p)
	}
	e := &LimitError{Kind: ErrBound, At: l.Elapsed(), What: "bound " + u.Bound.String()}
	if u.Proc != nil {
		e.Proc = u.Proc.name
	}
	return e
}

// hanging returns the awaited process, or without one any process, that hangs without a deadline.
func (l *Loop) hanging(u Until) *Proc {
	for _, p := range l.procs {
		if p.hangs && (u.Proc == nil || u.Proc == p) {
			return p
		}
	}
	return nil
}

func (l *Loop) hangError(p *Proc) error {
	return &LimitError{
		Kind: ErrHang, At: l.Elapsed(), Proc: p.name,
		What: "give every call a deadline with clock.WithTimeout",
	}
}
