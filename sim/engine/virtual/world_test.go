package virtual_test

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/engine/virtual"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

const base = "https://chatgpt.com"

var background = context.Background()

// world is a browser over a site, for one test.
type world struct {
	loop *event.Loop
	site *fakesite.Site
	log  *history.Log
	b    *virtual.Browser
}

type worldOptions struct {
	timing fakesite.Timing
	site   fakesite.Options
	script fakesite.Script
	seed   uint64
}

func newWorld(o worldOptions) *world {
	return newWorldOf(fakesite.New(fakesite.Config{
		Script: o.script, Timing: o.timing, Options: o.site, Entropy: clock.Seeded(o.seed + 1),
	}), o.seed)
}

func newWorldOf(site *fakesite.Site, seed uint64) *world {
	w := &world{
		loop: event.New(), site: site, log: history.New(history.Header{Seed: seed, Engine: "virtual"}),
	}
	w.b = virtual.New(virtual.Config{
		Loop: w.loop, Site: w.site, Log: w.log, Entropy: clock.Seeded(seed + 2), SiteURL: base,
	})
	return w
}

// client is one process with its connection and session.
type client struct {
	w    *world
	p    *event.Proc
	c    clock.Clock
	port *virtual.Client
	conn browser.Browser
	s    browser.Session
}

// run plays f in a process of its own to its end; a panic of f comes back.
func (w *world) run(f func(c *client)) error {
	var p *event.Proc
	p = w.loop.Spawn("client", func() {
		f(&client{w: w, p: p, c: w.loop.Clock(p), port: w.b.Dialer(p)})
	})
	err := w.loop.Run(event.Until{Proc: p, Bound: 100 * time.Hour})
	if c := p.Crash(); c != nil {
		return errors.Join(err, c, errors.New(string(c.Stack)))
	}
	return err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// attach dials, opens url in a new tab, attaches and installs the probe.
func (c *client) attach(url string) browser.TargetID {
	c.conn = must(c.port.Dial(background))
	id := must(c.conn.Open(background, url))
	c.s = must(c.conn.Attach(background, id))
	c.install()
	return id
}

func (c *client) install() {
	if err := probe.DoInstall(background, c.s); err != nil {
		panic(err)
	}
	c.hello("doc-1")
}

func ask[A, R any](c *client, p probe.Probe[A, R], args A) R {
	return must(probe.Do(background, c.s, p, args))
}

func (c *client) hello(nonce string) probe.Document {
	return ask(c, probe.Hello, probe.HelloArgs{Nonce: nonce})
}

func (c *client) sleep(d time.Duration) {
	if err := c.c.Sleep(background, d); err != nil {
		panic(err)
	}
}

// ready waits for the composer.
func (c *client) ready() {
	for !ask(c, probe.Guard, probe.None{}).Composer {
		c.sleep(500 * time.Millisecond)
	}
}

func (c *client) insert(text string) {
	must(browser.Call(background, c.s, input.InsertText, input.InsertTextParams{Text: text}))
}

func (c *client) mouse(kind input.DispatchMouseEventType, x, y float64) {
	must(browser.Call(background, c.s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1,
	}))
}

func (c *client) click(x, y float64) {
	c.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	c.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
}

func (c *client) enter(modifiers int64) {
	must(browser.Call(background, c.s, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Text: "\r", Modifiers: modifiers,
	}))
}

func (c *client) composer() probe.ComposerState { return ask(c, probe.Composer, probe.None{}) }

func (c *client) turn(id string) probe.TurnState {
	return ask(c, probe.Turn, probe.TurnArgs{MessageID: id})
}

// typed puts text into the empty composer.
func (c *client) typed(text string) {
	ask(c, probe.Focus, probe.None{})
	ask(c, probe.Empty, probe.None{})
	c.insert(text)
}

// send types, arms the fence, clicks and returns the message id from the page's own request.
func (c *client) send(text string) string {
	c.typed(text)
	b := c.composer()
	for !b.Enabled {
		c.sleep(time.Second)
		b = c.composer()
	}
	ask(c, probe.Fence, probe.FenceArgs{
		Token: "t", Text: text, Conversation: ask(c, probe.Guard, probe.None{}).Conversation,
	})
	c.click(b.X, b.Y)
	for _, e := range c.s.Drain(nil) {
		if e.Kind == browser.MessagePosted {
			return e.MessageID
		}
	}
	return ""
}

// answer waits for the end of the answer to a message.
func (c *client) answer(id string) probe.TurnState {
	for {
		t := c.turn(id)
		if t.State == probe.AnswerFinished || t.State == probe.AnswerError {
			return t
		}
		c.sleep(time.Second)
	}
}

const (
	sid     = "9f83a7c1d42e650b"
	request = "示例请求"
)

func offer() wire.Offer {
	return wire.NewOffer(sid, request, "示例目标", wire.DefaultCapabilities(), wire.DefaultDenials())
}
