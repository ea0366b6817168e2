package chrome

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
)

// codeInvalid is the protocol's code for parameters that name nothing, a closed tab above all
// (F210).
const codeInvalid = -32602

// Browser is one connection to a Chromium.
type Browser struct {
	conn    *conn
	address string
}

var _ browser.Browser = (*Browser)(nil)

// Pages lists the tabs of type page (F407), of the connection's browser context if it has one.
func (b *Browser) Pages(ctx context.Context) ([]browser.TargetInfo, error) {
	infos, err := b.conn.targets(ctx)
	if err != nil {
		return nil, err
	}
	pages := make([]browser.TargetInfo, 0, len(infos))
	for _, i := range infos {
		if i.Type == "page" && b.ours(i) {
			pages = append(pages, browser.TargetInfo{
				ID: browser.TargetID(i.TargetID), URL: i.URL, Title: i.Title, Attached: i.Attached,
			})
		}
	}
	return pages, nil
}

func (b *Browser) ours(i *target.Info) bool {
	id := b.conn.opt.contextID
	return id == "" || string(i.BrowserContextID) == id
}

// Open makes a tab in front and navigates it to url. In an own browser context it gets a window of
// its own: a new context has none, and a hidden tab runs its timers once a second (F507).
func (b *Browser) Open(ctx context.Context, url string) (browser.TargetID, error) {
	front, window := false, b.conn.opt.contextID != ""
	params := target.CreateTargetParams{
		URL: url, BrowserContextID: cdp.BrowserContextID(b.conn.opt.contextID), Background: &front,
	}
	if window {
		params.NewWindow = &window
	}
	var r target.CreateTargetResult
	err := b.Call(ctx, target.CommandCreateTarget, params, &r)
	return browser.TargetID(r.TargetID), err
}

// CloseTarget closes a tab; one that is not there is the loss TargetClosed. Whether the tab is the
// bridge's own is the caller's to know: it may come from an earlier connection.
func (b *Browser) CloseTarget(ctx context.Context, id browser.TargetID) error {
	err := b.Call(ctx, target.CommandCloseTarget,
		target.CloseTargetParams{TargetID: target.ID(id)}, nil)
	return noTarget(err, target.CommandCloseTarget)
}

// Alive asks the browser, not a page, for a sign of life. It tells the two silences apart: nil
// after a Silent call means that the tab is wedged; Silent means that the socket or the whole
// browser is.
func (b *Browser) Alive(ctx context.Context) error {
	return b.Call(ctx, cdpbrowser.CommandGetVersion, cdp.Empty{}, nil)
}

// Call sends a command to the browser itself, without a session. Commands that end the browser are
// refused: a borrowed browser is never closed (D34).
func (b *Browser) Call(ctx context.Context, method string, params, result any) error {
	switch method {
	case cdpbrowser.CommandClose, cdpbrowser.CommandCrash:
		return fmt.Errorf("%s is never sent: the browser may belong to a person", method)
	}
	return b.conn.command(ctx, nil, method, params, result)
}

// Address is the websocket address of this browser process; a restart makes it void (F260).
func (b *Browser) Address() string { return b.address }

// Lost is nil while the connection lives.
func (b *Browser) Lost() error { return b.conn.lost() }

// Close ends the connection and leaves every tab and the browser open. All calls end at once; it
// returns when the connection's goroutines have ended, after two seconds at most when the browser
// is silent. A second Close does nothing.
func (b *Browser) Close() error {
	b.conn.close()
	return nil
}

// noTarget turns the browser's answer for an unknown tab into the loss it means.
func noTarget(err error, method string) error {
	var e *cdproto.Error
	if errors.As(err, &e) && e.Code == codeInvalid {
		return &browser.Loss{Kind: browser.TargetClosed, During: method, Cause: e}
	}
	return err
}
