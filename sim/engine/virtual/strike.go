package virtual

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/faults"
)

// LateAfter is when a command takes its effect that waited in a busy renderer while its session
// went: about 2.5 s, as measured, or when a new session attaches, whose first read is ordered
// behind it.
const LateAfter = 2500 * time.Millisecond

// Striker does to the model what faults ask for. It is a Hook of the browser from the first fault
// on that bends commands.
//
//	faults.Interposer ──Strike──► acts of the browser (close, crash, kill, …)
//	                  ──Late────► Hook: the command is kept, its session ends,
//	                              its effect comes later
type Striker struct {
	b       *Browser
	opts    StrikerOptions
	prev    Hook
	hooked  bool
	dial    faults.Kind // what the next dial meets
	muted   []*Conn     // half-open
	stalled []stalled
	keep    func(c *Call) bool // takes the next command on a session for Late
	effects []*effect
	struck  []struck
}

// StrikerOptions say what the model's client does by itself.
type StrikerOptions struct {
	// Heartbeat is when the client finds out by itself that a socket is half-open; 0 = never, a
	// deadline of a call has to.
	Heartbeat time.Duration
}

var (
	_ faults.Striker = (*Striker)(nil)
	_ Hook           = (*Striker)(nil)
)

// NewStriker returns the striker of one browser.
func NewStriker(b *Browser, o StrikerOptions) *Striker { return &Striker{b: b, opts: o} }

// stalled is a connection on which nothing passes until a moment.
type stalled struct {
	conn  *Conn
	until time.Duration // since the epoch
}

// struck remembers a tab that a fault may have to let go.
type struck struct {
	kind faults.Kind
	tab  browser.TargetID
}

// effect is a command that takes effect when its session is gone.
type effect struct {
	call Call
	doc  Document
	done bool
}

var (
	errNoTab   = errors.New("there is no tab of the bridge to strike")
	errNoLate  = errors.New("this fault cannot leave a command behind")
	errNotJSON = errors.New("the browser's message is not JSON")
	errNothing = errors.New("the model has no such act")
)

// Remote is false: the model's losses show at once.
func (s *Striker) Remote() bool { return false }

// Strike carries out a fault; see faults.Striker.
func (s *Striker) Strike(f faults.Fault, at faults.Aim) (string, error) {
	switch f.Kind {
	case faults.Sever, faults.HalfOpen, faults.Stall, faults.Corrupt:
		return s.strikeLine(f, at)
	case faults.KillBrowser, faults.Relaunch:
		n := len(s.b.tabs)
		s.b.Kill()
		return fmt.Sprintf("the process is gone with %d tabs; a dial is refused", n), nil
	case faults.FreezeBrowser:
		s.b.Freeze()
		return "the process is stopped; a dial waits", nil
	}
	return s.strikeTab(f, at.Target)
}

// strikeLine strikes the connections of the bridge's client.
func (s *Striker) strikeLine(f faults.Fault, at faults.Aim) (string, error) {
	own, ok := at.Browser.(*Conn)
	if !ok || own.loss != nil {
		return s.strikeDial(f)
	}
	conns := s.connsOf(own.client)
	s.b.note("line-struck", string(f.Kind), f.Params.How)
	for _, c := range conns {
		switch f.Kind {
		case faults.Sever:
			c.drop()
		case faults.Corrupt:
			c.end(&browser.Loss{Kind: browser.SocketLost, Cause: errNotJSON})
		case faults.HalfOpen:
			s.mute(c)
		case faults.Stall:
			s.hook()
			s.stalled = append(s.stalled, stalled{c, s.b.loop.Elapsed() + f.Params.For})
		}
	}
	return fmt.Sprintf("%s: %d connections, %d are left", f.Kind, len(conns), len(s.b.conns)), nil
}

func (s *Striker) connsOf(c *Client) []*Conn {
	var own []*Conn
	for _, x := range s.b.conns {
		if x.client == c {
			own = append(own, x)
		}
	}
	return own
}

// strikeDial strikes a line that is not there yet: the next dial meets it.
func (s *Striker) strikeDial(f faults.Fault) (string, error) {
	if f.Kind != faults.Sever && f.Kind != faults.HalfOpen {
		return "", errors.New("there is no connection of the bridge to strike")
	}
	s.hook()
	s.dial = f.Kind
	return "the next dial meets it", nil
}

// mute makes a connection half-open: the browser hears nothing of it and says nothing to it.
func (s *Striker) mute(c *Conn) {
	s.hook()
	s.muted = append(s.muted, c)
	c.deaf = true
	for _, x := range c.sessions {
		if i := slices.Index(x.tab.sessions, x); i >= 0 {
			x.tab.sessions = slices.Delete(x.tab.sessions, i, i+1)
		}
	}
	if s.opts.Heartbeat > 0 {
		s.b.loop.After(s.opts.Heartbeat, c.drop)
	}
}

// strikeTab strikes the tab that the bridge uses.
func (s *Striker) strikeTab(f faults.Fault, id browser.TargetID) (string, error) {
	t := s.b.tab(id)
	if t == nil {
		return "", errNoTab
	}
	s.struck = append(s.struck, struck{f.Kind, id})
	switch f.Kind {
	case faults.Detach:
		s.b.DetachTab(id)
		return fmt.Sprintf("tab %s lives, attached: %t", id, t.attached()), nil
	case faults.CloseTab:
		s.b.CloseTab(id)
		return fmt.Sprintf("tab %s is gone from the list of %d", id, len(s.b.tabs)), nil
	case faults.CrashTab:
		s.b.CrashTab(id)
		return fmt.Sprintf("tab %s has no renderer any more: %t", id, t.crashed), nil
	case faults.WedgeTab:
		s.b.WedgeTab(id, HangLoop)
		return fmt.Sprintf("the renderer of tab %s hangs: %s", id, t.hang), nil
	case faults.Dialog:
		s.hook()
		s.b.WedgeTab(id, HangDialog)
		return fmt.Sprintf("the renderer of tab %s hangs: %s", id, t.hang), nil
	}
	return s.strikePage(f, t)
}

// strikePage changes what the tab shows.
func (s *Striker) strikePage(f faults.Fault, t *tab) (string, error) {
	was := t.doc
	switch f.Kind {
	case faults.Reload:
		s.b.ReloadTab(t.id)
	case faults.Away:
		s.b.NavigateTab(t.id, f.Params.Text)
	case faults.Switched:
		s.b.SwitchTab(t.id, f.Params.Text)
	case faults.SecondClient:
		s.b.note("second-client", string(t.id), f.Params.Text)
		switch {
		case f.Params.How == faults.HowSend:
			return s.sendFrom(t, f.Params.Text)
		case f.Params.Text != "":
			s.b.TypeInTab(t.id, f.Params.Text)
		}
		return fmt.Sprintf("another client used tab %s", t.id), nil
	default:
		return "", fmt.Errorf("%s: %w", f.Kind, errNothing)
	}
	return fmt.Sprintf(
		"tab %s shows %s, in a new document: %t",
		t.id,
		t.doc.address(),
		t.doc != was,
	), nil
}

// sendFrom is a person who sends a text of their own, whatever stands in the composer.
func (s *Striker) sendFrom(t *tab, text string) (string, error) {
	t.doc.settle()
	t.doc.set("")
	before := s.b.seq
	s.b.TypeInTab(t.id, text)
	s.b.SendInTab(t.id)
	if s.b.seq == before {
		return "", fmt.Errorf("tab %s takes no message now", t.id)
	}
	return fmt.Sprintf("a person sent a message of their own in tab %s", t.id), nil
}

// Late keeps the bridge's next command on a session, ends the session, and lets the command take
// its effect when it is gone.
func (s *Striker) Late(
	f faults.Fault, at faults.Aim, send func() error,
) (lost error, evidence string, err error) {
	own, ok := at.Session.(*Session)
	if !ok || own.loss != nil {
		return nil, "", errNoTab
	}
	if i, known := faults.Of(f.Kind); !known || f.Kind != faults.Sever && f.Kind != faults.Detach &&
		i.Family != faults.Pi {
		return nil, "", errNoLate
	}
	s.hook()
	s.keep = func(c *Call) bool {
		if c.Session != own {
			return false
		}
		s.leave(c)
		s.b.note("line-struck", string(f.Kind), "a command is left behind")
		if f.Kind == faults.Detach {
			s.b.DetachTab(own.tab.id)
		} else {
			own.conn.drop()
		}
		c.Err = c.lost(own.loss)
		return true
	}
	lost = send()
	if s.keep != nil { // the command never came to the browser
		s.keep = nil
		return nil, "", fmt.Errorf("the command did not reach the browser: %w", lost)
	}
	return lost, "the command waits in a busy renderer, its session is gone", nil
}

// leave books a command whose effect is to come.
func (s *Striker) leave(c *Call) {
	e := &effect{call: *c, doc: c.Document()}
	s.effects = append(s.effects, e)
	s.b.loop.After(LateAfter, func() { s.happen(e) })
}

// happen lets a command that was left behind take its effect, once.
func (s *Striker) happen(e *effect) {
	if e.done {
		return
	}
	e.done = true
	s.b.note("late-effect", string(e.call.Session.tab.id), e.call.Name())
	e.call.Apply(e.doc)
}

// Heal undoes a fault whose time is over.
func (s *Striker) Heal(f faults.Fault) (string, error) {
	switch f.Kind {
	case faults.Stall:
		s.stalled = nil
		return "everything that was held back has passed", nil
	case faults.Relaunch:
		s.b.Relaunch()
		return "the browser takes a dial again", nil
	case faults.FreezeBrowser:
		if !s.b.frozen {
			return "the process goes on already", nil
		}
		s.b.Thaw()
		return "the process goes on", nil
	case faults.WedgeTab, faults.Dialog:
		return s.free(f.Kind)
	}
	return "", fmt.Errorf("%s: %w", f.Kind, errNothing)
}

func (s *Striker) free(k faults.Kind) (string, error) {
	for _, x := range s.struck {
		if t := s.b.tab(x.tab); x.kind == k && t != nil && t.hang != NoHang {
			s.b.FreeTab(x.tab)
		}
	}
	return "the renderer answers", nil
}

// hook puts the striker between clients and browser.
func (s *Striker) hook() {
	if !s.hooked {
		s.hooked, s.prev = true, s.b.cfg.Hook
		s.b.SetHook(s)
	}
}

// Before implements Hook.
func (s *Striker) Before(c *Call) bool {
	if s.prev != nil && s.prev.Before(c) {
		return true
	}
	switch {
	case s.keep != nil && c.Session != nil && s.keep(c):
		s.keep = nil
		return true
	case c.Method == methodDial && s.dial != "":
		return s.meetDial(c)
	case c.Conn == nil:
		return false
	case slices.Contains(s.muted, c.Conn):
		c.Err = c.Hang()
		return true
	case ignored(c):
		return true
	}
	return s.waits(c)
}

// ignored: while a dialog stands the browser answers clicks and keys with success and drops them
// for good; only what goes to the renderer waits (measured by this package's sister in
// sim/engine/chromium).
func ignored(c *Call) bool {
	return c.Session != nil && c.Session.loss == nil && c.Session.tab.hang == HangDialog &&
		(c.Method == input.CommandDispatchMouseEvent || c.Method == input.CommandDispatchKeyEvent)
}

// meetDial is a dial that finds its line struck.
func (s *Striker) meetDial(c *Call) bool {
	kind := s.dial
	s.dial = ""
	if kind == faults.HalfOpen {
		c.Err = c.Hang()
	} else {
		c.Err = c.lost(&browser.Loss{Kind: browser.SocketLost, Cause: syscall.ECONNRESET})
	}
	return true
}

// waits holds a command back while its connection stalls. One whose caller gives up meanwhile
// arrives all the same: it was written.
func (s *Striker) waits(c *Call) bool {
	i := slices.IndexFunc(s.stalled, func(x stalled) bool { return x.conn == c.Conn })
	if i < 0 {
		return false
	}
	left := s.stalled[i].until - s.b.loop.Elapsed()
	if left <= 0 {
		return false
	}
	if end, has := c.Ctx.Deadline(); has && end.Sub(s.b.now()) < left {
		written, doc := *c, c.Document()
		s.b.loop.After(left, func() { written.Apply(doc) })
		c.Err = c.Hang()
		return true
	}
	_ = s.b.loop.Clock(c.Proc()).Sleep(c.Ctx, left) // its error shows at the command itself
	return false
}

// After implements Hook.
func (s *Striker) After(c *Call) {
	if s.prev != nil {
		s.prev.After(c)
	}
	if c.Method != methodAttach || c.Err != nil {
		return
	}
	p, ok := c.Params.(attachParams)
	for _, e := range s.effects {
		if ok && e.call.Session.tab.id == p.id {
			s.happen(e)
		}
	}
}
