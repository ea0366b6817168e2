package faults_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/event"
)

// lab is an interposer between a client and a scripted browser that can be struck.
type lab struct {
	loop   *event.Loop
	i      *faults.Interposer
	b      *fakeBrowser
	events []string // "stage kind", in order
	full   []faults.Event
	site   *fakesite.Site
	memory *session.Memory
	agent  *fakeAgent
}

// start builds a lab for faults in the form of a schedule.
func start(faultTexts ...string) *lab {
	GinkgoHelper()
	var s faults.Schedule
	for _, text := range faultTexts {
		f, err := faults.ParseFault(text)
		Expect(err).NotTo(HaveOccurred())
		s = append(s, f)
	}
	l := &lab{
		loop: event.New(), b: &fakeBrowser{}, memory: session.NewMemory(), agent: &fakeAgent{},
		site: fakesite.New(fakesite.Config{}),
	}
	DeferCleanup(l.loop.Close)
	after := func(d time.Duration, f func()) { l.loop.After(d, f) }
	l.i = faults.New(s, l.b, l.hear, faults.Ports{
		Cache: faults.MemoryCache(l.memory), After: after, AfterReal: after,
		Site: func(f func(time.Time, *fakesite.Site)) { f(l.loop.Now(), l.site) },
	})
	return l
}

func (l *lab) hear(e faults.Event) {
	l.full = append(l.full, e)
	l.events = append(l.events, string(e.Stage)+" "+string(e.Fault.Kind))
}

// client is one process of pi with the ports that it was given.
type client struct {
	l      *lab
	i      *faults.Interposer
	clock  clock.Clock
	dialer browser.Dialer
	store  session.Store
	agent  agent.Agent
}

// run plays f as one process of pi; it returns the kill that ended it, or the crash.
func (l *lab) run(f func(c *client)) (killed *faults.Killed, crash error) {
	GinkgoHelper()
	var p *event.Proc
	p = l.loop.Spawn("pi", func() {
		killed = l.i.Survive(func() {
			f(&client{
				l: l, i: l.i, clock: l.i.Clock(l.loop.Clock(p)), dialer: l.i.Dialer(l.b),
				store: l.i.Store(l.memory), agent: l.i.Agent(l.agent),
			})
		})
	})
	Expect(l.loop.Run(event.Until{Proc: p, Bound: time.Hour})).To(Succeed())
	if c := p.Crash(); c != nil {
		return nil, c
	}
	return killed, nil
}

// quiet is run for a process that nothing ends.
func (l *lab) quiet(f func(c *client)) {
	GinkgoHelper()
	killed, crash := l.run(f)
	if crash != nil {
		Fail(fmt.Sprintf("%v\n%s", crash, crash.(*event.Crash).Stack))
	}
	Expect(killed).To(BeNil())
}

// deadline of every call of the client.
const deadline = 10 * time.Second

func (c *client) within() context.Context {
	ctx, _ := c.clock.WithTimeout(
		context.Background(),
		deadline,
	) //nolint:govet // it ends with the run
	return ctx
}

// attach dials and attaches under the operations of package point.
func (c *client) attach() browser.Session {
	GinkgoHelper()
	s, err := c.tryAttach()
	Expect(err).NotTo(HaveOccurred())
	return s
}

func (c *client) tryAttach() (browser.Session, error) {
	c.i.Op(point.Connect, 0)
	b, err := c.dialer.Dial(c.within())
	if err != nil {
		return nil, err
	}
	c.i.Op(point.Attach, 0)
	return b.Attach(c.within(), "tab-1")
}

// call makes one command under an operation.
func (c *client) call(s browser.Session, op point.Op, round int, method string) error {
	c.i.Op(op, round)
	return s.Call(c.within(), method, nil, nil)
}

// poll asks for the answer's state.
func (c *client) poll(s browser.Session, round int) (probe.AnswerState, error) {
	c.i.Op(point.WaitPoll, round)
	t, err := probe.Do(c.within(), s, probe.Turn, probe.TurnArgs{MessageID: "m"})
	return t.State, err
}

// fakeBrowser is dialer, browser, session and striker in one: it writes down what it saw, and what
// was struck shows as the real thing would show it.
type fakeBrowser struct {
	saw    []string
	states []probe.AnswerState // of the next polls
	turns  []probe.MountedTurn
	loss   browser.LossKind // what struck it
	silent bool
	refuse error // of the next strike
	events []browser.Event
	queued []browser.Event // that come with the next command
	closed int
	struck []string
	healed []string
	remote bool
	aims   []faults.Aim
}

func (b *fakeBrowser) lossOf(during string) error {
	if b.loss == "" {
		return nil
	}
	return &browser.Loss{Kind: b.loss, During: during, Cause: errors.New("struck")}
}

func (b *fakeBrowser) do(ctx context.Context, name string) error {
	if err := b.lossOf(name); err != nil {
		return err
	}
	if b.silent {
		return &browser.Loss{Kind: browser.Silent, During: name, Cause: ctx.Err()}
	}
	b.saw = append(b.saw, name)
	b.events = append(b.events, b.queued...)
	b.queued = nil
	return nil
}

func (b *fakeBrowser) Dial(ctx context.Context) (browser.Browser, error) {
	if err := b.do(ctx, "dial"); err != nil {
		return nil, err
	}
	return &fakeConn{b}, nil
}

type fakeConn struct{ b *fakeBrowser }

func (c *fakeConn) Pages(ctx context.Context) ([]browser.TargetInfo, error) {
	return []browser.TargetInfo{{ID: "tab-1"}}, c.b.do(ctx, "pages")
}

func (c *fakeConn) Open(ctx context.Context, _ string) (browser.TargetID, error) {
	return "tab-2", c.b.do(ctx, "open")
}

func (c *fakeConn) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	if err := c.b.do(ctx, "attach "+string(id)); err != nil {
		return nil, err
	}
	return &fakeSession{c.b}, nil
}

func (c *fakeConn) CloseTarget(ctx context.Context, id browser.TargetID) error {
	return c.b.do(ctx, "close "+string(id))
}

func (c *fakeConn) Lost() error { return c.b.lossOf("") }

func (c *fakeConn) Close() error {
	c.b.closed++
	return nil
}

type fakeSession struct{ b *fakeBrowser }

func (s *fakeSession) Call(ctx context.Context, method string, params, result any) error {
	name := method
	if e, ok := params.(probe.Evaluation); ok {
		name = e.ProbeName()
	}
	if err := s.b.do(ctx, name); err != nil {
		return err
	}
	switch r := result.(type) {
	case *probe.Reply[probe.TurnState]:
		if len(s.b.states) > 0 {
			r.Value.State = s.b.states[0]
			if len(s.b.states) > 1 {
				s.b.states = s.b.states[1:]
			}
		}
	case *probe.Reply[probe.TailState]:
		r.Value.Turns = s.b.turns
	}
	return nil
}

func (s *fakeSession) Lost() error { return s.b.lossOf("") }

func (s *fakeSession) Drain(dst []browser.Event) []browser.Event {
	dst = append(dst, s.b.events...)
	s.b.events = nil
	return dst
}

func (s *fakeSession) Close() error {
	s.b.saw = append(s.b.saw, "detach")
	return nil
}

// shows is what the client finds of each fault that its striker does.
var shows = map[faults.Kind]browser.LossKind{
	faults.Sever: browser.SocketLost, faults.Corrupt: browser.SocketLost,
	faults.Detach: browser.SessionStale, faults.CloseTab: browser.TargetClosed,
	faults.CrashTab: browser.TargetCrashed, faults.KillBrowser: browser.SocketLost,
	faults.Relaunch: browser.SocketLost,
}

// silences are the faults after which nothing answers.
var silences = map[faults.Kind]bool{
	faults.HalfOpen: true, faults.WedgeTab: true, faults.Dialog: true, faults.FreezeBrowser: true,
}

func (b *fakeBrowser) Strike(f faults.Fault, at faults.Aim) (string, error) {
	if err := b.refuse; err != nil {
		return "", err
	}
	b.saw = append(b.saw, "STRUCK")
	b.struck = append(b.struck, string(f.Kind))
	b.aims = append(b.aims, at)
	if k, ok := shows[f.Kind]; ok {
		b.loss = k
	}
	b.silent = b.silent || silences[f.Kind]
	return "seen from outside", nil
}

func (b *fakeBrowser) Late(
	f faults.Fault, at faults.Aim, send func() error,
) (lost error, evidence string, err error) {
	if err := b.refuse; err != nil {
		return nil, "", err
	}
	if _, err := b.Strike(f, at); err != nil {
		return nil, "", err
	}
	kind := b.loss
	b.loss = ""
	_ = send() // its effect comes behind the strike
	b.loss = kind
	if b.loss == "" {
		b.loss = browser.SocketLost
	}
	return b.lossOf("the call"), "left behind", nil
}

func (b *fakeBrowser) Heal(f faults.Fault) (string, error) {
	b.healed = append(b.healed, string(f.Kind))
	b.silent = false
	return "mended", nil
}

func (b *fakeBrowser) Remote() bool { return b.remote }

// fakeAgent answers every question with its state.
type fakeAgent struct {
	state agent.State
	asked []string
}

func (a *fakeAgent) ask(what string) (agent.State, error) {
	a.asked = append(a.asked, what)
	return a.state, nil
}

func (a *fakeAgent) Start(context.Context, agent.Task) (agent.State, error) {
	if a.state.Status == "" {
		a.state.Status = agent.Running
	}
	return a.ask("start")
}

func (a *fakeAgent) Poll(context.Context, agent.Task) (agent.State, error) { return a.ask("poll") }

func (a *fakeAgent) Lookup(context.Context, agent.Task) (agent.State, error) {
	if a.state.Status == "" {
		a.state.Status = agent.Never
	}
	return a.ask("lookup")
}

// quietBrowser answers everything and remembers nothing.
type quietBrowser struct{ fakeBrowser }

func (b *quietBrowser) Dial(context.Context) (browser.Browser, error) {
	return &quietConn{fakeConn{&b.fakeBrowser}}, nil
}

type quietConn struct{ fakeConn }

func (c *quietConn) Attach(context.Context, browser.TargetID) (browser.Session, error) {
	return &quietSession{fakeSession{c.b}}, nil
}

type quietSession struct{ fakeSession }

func (quietSession) Call(context.Context, string, any, any) error { return nil }
