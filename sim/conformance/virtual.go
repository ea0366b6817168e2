package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
	"bridgesim/sim/engine/virtual"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

const (
	virtualBase  = "https://chatgpt.com"
	virtualBound = 10_000 * time.Hour
)

// virtualArm plays on the model.
type virtualArm struct {
	ctx     context.Context
	loop    *event.Loop
	model   *fakesite.Site
	browser *virtual.Browser
	clock   clock.Clock
	conn    browser.Browser
	ids     []browser.TargetID
	pages   []browser.Session
	x, y    float64 // where a button was seen last; they all stand in one place
}

// playVirtual plays a state on the model, as one process of an event loop.
func playVirtual(s *State) (answers []Answer, err error) {
	loop := event.New()
	defer loop.Close()
	a := &virtualArm{ctx: context.Background(), loop: loop, model: fakesite.New(s.Site)}
	a.model.Block(s.Block)
	a.browser = virtual.New(virtual.Config{
		Loop: loop, Site: a.model, Log: history.New(history.Header{
			Engine:   "virtual",
			Scenario: s.Name,
		}),
		Entropy: clock.Seeded(2), SiteURL: virtualBase,
	})
	var p *event.Proc
	p = loop.Spawn("conformance", func() {
		a.clock = loop.Clock(p)
		if a.conn, err = a.browser.Dialer(p).Dial(a.ctx); err == nil {
			answers, err = run(a.ctx, a, s)
		}
	})
	ended := loop.Run(event.Until{Proc: p, Bound: virtualBound})
	if c := p.Crash(); c != nil {
		ended = errors.Join(c, errors.New(string(c.Stack)))
	}
	return answers, errors.Join(err, ended)
}

func (a *virtualArm) base() string                    { return virtualBase }
func (a *virtualArm) tabs() int                       { return len(a.pages) }
func (a *virtualArm) session(tab int) browser.Session { return a.pages[tab] }

func (a *virtualArm) answers(tab int, list []question) ([]any, error) {
	out := make([]any, len(list))
	for i := range list {
		if list[i].label == titleOf {
			out[i] = a.browser.Tabs()[tab].Title
			continue
		}
		var err error
		if out[i], err = list[i].ask(a.ctx, a.pages[tab]); err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].label, err)
		}
	}
	return out, nil
}

func (a *virtualArm) site(f func(time.Time, *fakesite.Site)) error {
	f(a.loop.Now(), a.model)
	return nil
}

func (a *virtualArm) advance(d time.Duration) error { return a.clock.Sleep(a.ctx, d) }

func (a *virtualArm) open(path string) error {
	id, err := a.conn.Open(a.ctx, virtualBase+path)
	if err != nil {
		return err
	}
	s, err := a.conn.Attach(a.ctx, id)
	if err != nil {
		return err
	}
	a.ids, a.pages = append(a.ids, id), append(a.pages, s)
	return probe.DoInstall(a.ctx, s)
}

func (a *virtualArm) load(tab int, path string) error {
	s := a.pages[tab]
	if _, err := browser.Call(a.ctx, s, page.Navigate,
		page.NavigateParams{URL: virtualBase + path}); err != nil {
		return err
	}
	return probe.DoInstall(a.ctx, s)
}

func (a *virtualArm) reload(tab int) error {
	s := a.pages[tab]
	if _, err := browser.Call(a.ctx, s, page.Reload, page.ReloadParams{}); err != nil {
		return err
	}
	return probe.DoInstall(a.ctx, s)
}

func (a *virtualArm) click(tab int, x, y float64) error {
	a.x, a.y = x, y
	return click(a.ctx, a.pages[tab], x, y)
}

func (a *virtualArm) enter(tab int, modifiers int64) error {
	return pressEnter(a.ctx, a.pages[tab], modifiers)
}

func (a *virtualArm) stop(tab int) error {
	if a.x == 0 {
		return errors.New("no button was seen yet: the state has to send by a click first")
	}
	return click(a.ctx, a.pages[tab], a.x, a.y)
}

func (a *virtualArm) follow(tab int, path string) error {
	return done("SwitchTab", a.browser.SwitchTab(a.ids[tab], path))
}

func (a *virtualArm) scroll(tab, direction int) error {
	return done("ScrollTab", a.browser.ScrollTab(a.ids[tab], direction))
}

func (a *virtualArm) choose(tab int, id string, which int) error {
	return done("ChooseInTab", a.browser.ChooseInTab(a.ids[tab], id, which))
}

func (a *virtualArm) dismiss(tab int) error {
	return done("DismissInTab", a.browser.DismissInTab(a.ids[tab]))
}

func done(act string, ok bool) error {
	if !ok {
		return fmt.Errorf("%s: the model has no such tab", act)
	}
	return nil
}

// click is a press and a release of the left button.
func click(ctx context.Context, s browser.Session, x, y float64) error {
	for _, kind := range []input.DispatchMouseEventType{
		input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased,
	} {
		if _, err := browser.Call(ctx, s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1,
		}); err != nil {
			return err
		}
	}
	return nil
}

func pressEnter(ctx context.Context, s browser.Session, modifiers int64) error {
	for _, kind := range []input.DispatchKeyEventType{
		input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp,
	} {
		p := input.DispatchKeyEventParams{
			Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Modifiers: modifiers,
		}
		if kind == input.DispatchKeyEventTypeKeyDown {
			p.Text = "\r"
		}
		if _, err := browser.Call(ctx, s, input.DispatchKeyEvent, p); err != nil {
			return err
		}
	}
	return nil
}
