package chrome

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
)

// maxPostData is the longest request body that comes with its event; a longer one is asked for.
var maxPostData int64 = 1 << 20

// setup is all that an attach sends on the new session, in order.
var setup = []struct {
	method string
	params any
}{
	// Tells of a crash that came before us (F228). First: the others get no reply from a crashed
	// tab.
	{inspector.CommandEnable, cdp.Empty{}},
	// MessagePosted and MessageFailed.
	{network.CommandEnable, network.EnableParams{MaxPostDataSize: &maxPostData}},
	// Navigated and DialogOpened; also the proof that the renderer answers (F241).
	{page.CommandEnable, page.EnableParams{}},
	// A tab behind another one still gets focus, timers and a visible state (F503). It ends with
	// us.
	{
		emulation.CommandSetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true},
	},
}

// Attach makes a new session on a tab. Losses: TargetClosed when there is no such tab,
// TargetCrashed when its renderer is gone, TargetWedged when the renderer does not answer but the
// browser does (a loop, a pending navigation, a dialog that nobody owns: F231, F303, F243), Silent
// when neither does. A tab that cannot be attached can be mended through AttachBare.
func (b *Browser) Attach(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	ctx, cancel := bounded(ctx, b.conn.opt.callTimeout)
	defer cancel()
	s, err := b.attach(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.setUp(ctx); err != nil {
		err = b.wedged(ctx, err)
		if !errors.Is(err, browser.ErrSilent) {
			_ = s.Close() // the reason of the failure is what the caller must hear
		}
		return nil, err
	}
	return s, nil
}

// AttachBare attaches without any set-up command: no events, no crash probe. It serves to mend a
// tab that Attach refuses, with the commands that the browser answers for the renderer:
// Page.reload, Page.navigate, Page.stopLoading (F233, F244, F303). Close it and Attach again
// afterwards.
func (b *Browser) AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error) {
	s, err := b.attach(ctx, id)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (b *Browser) attach(ctx context.Context, id browser.TargetID) (*Session, error) {
	const method = target.CommandAttachToTarget
	flat := true
	var s *Session
	var bad error
	p := &pending{method: method, arrived: func(msg *cdproto.Message) { s, bad = b.adopt(id, msg) }}
	msg, err := b.conn.roundTrip(ctx, p,
		target.AttachToTargetParams{TargetID: target.ID(id), Flatten: &flat})
	switch {
	case err != nil:
		return nil, err
	case msg.Error != nil:
		return nil, noTarget(fmt.Errorf("%s: %w", method, msg.Error), method)
	}
	return s, bad
}

// adopt makes the session before the reader takes the next message, so that no event of it is lost.
func (b *Browser) adopt(id browser.TargetID, msg *cdproto.Message) (*Session, error) {
	if msg.Error != nil {
		return nil, nil
	}
	var r target.AttachToTargetResult
	if err := decode(msg.Result, &r); err != nil || r.SessionID == "" {
		return nil, fmt.Errorf("%s: the reply names no session: %w",
			target.CommandAttachToTarget, errors.Join(err, errors.New("sessionId missing or unreadable")))
	}
	s := newSession(b.conn, r.SessionID, id)
	b.conn.mu.Lock()
	defer b.conn.mu.Unlock()
	if b.conn.loss != nil {
		s.endLocked(b.conn.loss)
		return s, nil
	}
	b.conn.sessions[s.id] = s
	return s, nil
}

func (s *Session) setUp(ctx context.Context) error {
	for _, step := range setup {
		sctx, cancel := wall.WithTimeout(ctx, s.conn.opt.attachTimeout)
		err := s.Call(sctx, step.method, step.params, nil)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// wedged turns a silent page into TargetWedged when the browser itself answers. The question has a
// deadline of its own, because the caller's may just have passed.
func (b *Browser) wedged(ctx context.Context, err error) error {
	loss, ok := browser.AsLoss(err)
	if !ok || loss.Kind != browser.Silent || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	actx, cancel := wall.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	if b.Alive(actx) != nil {
		return err
	}
	return &browser.Loss{Kind: browser.TargetWedged, During: loss.During, Cause: loss.Cause}
}
