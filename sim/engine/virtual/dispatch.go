package virtual

import (
	"fmt"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/sim/history"
)

// perform carries out a command on a page. The browser process itself answers some of them, also
// while the renderer is gone or hangs (F226, F232); the renderer answers the others.
func (s *Session) perform(c *Call) error {
	t := s.tab
	switch c.Method {
	case page.CommandReload:
		return c.navigated(t.reload())
	case page.CommandNavigate:
		return c.navigate(t)
	case page.CommandStopLoading:
		if t.hang == HangNavigation {
			t.free()
		}
		return nil
	case runtime.CommandTerminateExecution:
		if t.hang == HangLoop && s.born < t.hungAt { // a session from before the loop (F233)
			t.free()
			return nil
		}
	case page.CommandBringToFront:
		return nil
	}
	switch {
	case t.crashed:
		return c.lost(&browser.Loss{Kind: browser.TargetCrashed, Cause: errCrashed})
	case t.hang != NoHang:
		return errBusy
	}
	return t.dispatch(c)
}

func (c *Call) navigate(t *tab) error {
	p, ok := c.Params.(page.NavigateParams)
	if !ok {
		return c.wrongParams("page.NavigateParams")
	}
	if err := c.navigated(t.navigate(p.URL)); err != nil {
		return err
	}
	if r, ok := c.Result.(*page.NavigateResult); ok {
		r.FrameID = cdp.FrameID(t.id) // F105
	}
	return nil
}

func (c *Call) navigated(e *cdproto.Error) error {
	switch e {
	case nil:
		return nil
	case errNoAnswer:
		return errMute
	}
	return fmt.Errorf("%s: %w", c.Method, e)
}

func (c *Call) wrongParams(want string) error {
	return fmt.Errorf("%s: %w", c.Method, &cdproto.Error{
		Code:    -32602,
		Message: fmt.Sprintf("Invalid parameters: want %s by value, got %T", want, c.Params),
	})
}

// dispatch carries out a command in the renderer.
func (t *tab) dispatch(c *Call) error {
	switch c.Method {
	case probe.MethodEvaluate:
		return t.evaluate(c)
	case input.CommandInsertText:
		p, ok := c.Params.(input.InsertTextParams)
		if !ok {
			return c.wrongParams("input.InsertTextParams")
		}
		t.doc.insert(p.Text)
	case input.CommandDispatchMouseEvent:
		p, ok := c.Params.(input.DispatchMouseEventParams)
		if !ok {
			return c.wrongParams("input.DispatchMouseEventParams")
		}
		c.clicked(t.doc.mouse(&p))
	case input.CommandDispatchKeyEvent:
		p, ok := c.Params.(input.DispatchKeyEventParams)
		if !ok {
			return c.wrongParams("input.DispatchKeyEventParams")
		}
		t.doc.key(&p)
	case inspector.CommandEnable, network.CommandEnable, page.CommandEnable, runtime.CommandEnable,
		emulation.CommandSetFocusEmulationEnabled, page.CommandSetLifecycleEventsEnabled:
	default:
		return fmt.Errorf("%s: %w", c.Method, &cdproto.Error{
			Code: -32601, Message: fmt.Sprintf("'%s' wasn't found", c.Method),
		})
	}
	return nil
}

// evaluate answers a probe from the document, in the form that Reply has.
func (t *tab) evaluate(c *Call) error {
	d := t.doc
	switch p := c.Params.(type) {
	case probe.Install:
		d.script = true
		return nil
	case *probe.Eval[probe.None]:
		return d.plain(c, p.Name)
	case *probe.Eval[probe.HelloArgs]:
		return answer(c, d, p.Args, (*document).hello)
	case *probe.Eval[probe.FenceArgs]:
		return answer(c, d, p.Args, (*document).arm)
	case *probe.Eval[probe.TailArgs]:
		return answer(c, d, p.Args, (*document).tail)
	case *probe.Eval[probe.TurnArgs]:
		return answer(c, d, p.Args, (*document).turnState)
	case *probe.Eval[probe.RecordArgs]:
		return answer(c, d, p.Args, (*document).record)
	case *probe.Eval[probe.MessageArgs]:
		if p.Name == probe.Copy.Name {
			return answer(c, d, p.Args, (*document).copy)
		}
		return answer(c, d, p.Args, (*document).textState)
	}
	return c.wrongParams("probe.Eval")
}

// plain answers the probes that take no argument.
func (d *document) plain(c *Call, name string) error {
	switch name {
	case probe.Guard.Name:
		return answer(c, d, probe.None{}, (*document).guard)
	case probe.Composer.Name:
		return answer(c, d, probe.None{}, (*document).composer)
	case probe.Focus.Name:
		return answer(c, d, probe.None{}, (*document).focus)
	case probe.Empty.Name:
		return answer(c, d, probe.None{}, (*document).empty)
	case probe.Revoke.Name:
		return answer(c, d, probe.None{}, (*document).revoke)
	case probe.Unfence.Name:
		return answer(c, d, probe.None{}, (*document).unfence)
	}
	return c.wrongParams("a probe that exists")
}

// answer makes one reply. A result of another type than the probe's is a bug of the caller.
func answer[A, R any](c *Call, d *document, args A, f func(*document, A) R) error {
	reply, ok := c.Result.(*probe.Reply[R])
	if c.Result != nil && !ok {
		panic(fmt.Sprintf("virtual: probe %q gives %T, the caller wants %T", c.Probe, reply, c.Result))
	}
	if !d.script {
		if reply != nil {
			*reply = probe.Reply[R]{Missing: true}
		}
		return nil
	}
	d.settle()
	value := f(d, args)
	if reply != nil {
		*reply = probe.Reply[R]{Value: value}
		c.saw(any(&reply.Value))
		c.sighted(d, any(&reply.Value))
	}
	return nil
}

// clicked logs which control a click of the client met. A disabled button and the voice button that
// stands in an empty composer do nothing.
func (c *Call) clicked(what control) {
	name := ""
	switch what {
	case sendButton:
		name = "send"
	case stopButton:
		name = "stop"
	default:
		return
	}
	b := c.Client.b
	b.log.Append(history.Event{
		At: b.loop.Elapsed(), Lane: history.CDP, Kind: "clicked", Op: c.Op, Round: c.Round, Key: name,
	})
}

// saw logs what a poll found, each state of a session once: an oracle asks what a bridge knew.
func (c *Call) saw(value any) {
	if c.Session == nil {
		return
	}
	seen := &c.Session.seen
	switch v := value.(type) {
	case *probe.GuardState:
		c.see(&seen.blocker, string(v.Blocker))
	case *probe.TurnState:
		c.see(&seen.state, string(v.State))
		c.see(&seen.blocker, string(v.Blocker))
	}
}

func (c *Call) see(last *string, now string) {
	if *last == now {
		return
	}
	*last = now
	b := c.Client.b
	b.log.Append(history.Event{
		At: b.loop.Elapsed(), Lane: history.CDP, Kind: "seen", Op: c.Op, Round: c.Round,
		Key: c.Name(), Text: now,
	})
}
