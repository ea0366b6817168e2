// Package browser is the port through which a bridge speaks to a browser: the Chrome DevTools
// Protocol, cut down to what a bridge needs, with every loss named.
//
//	page operations ──Call──► Session ──► chrome: thin client over a websocket
//	                ◄─Drain──         └─► sim/engine/virtual: a model, in process
//	                ◄─Lost───
//
// Losses are polled and events are drained; nothing here blocks on a channel, so the same page code
// runs on the single-threaded virtual engine and on a real browser.
package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
)

// TargetID names a tab. It survives reloads and the loss of a connection (F101).
type TargetID string

// TargetInfo is one page of the browser; other target types are filtered out (F407).
type TargetInfo struct {
	ID       TargetID
	URL      string
	Title    string
	Attached bool
}

// Session is one attached page.
type Session interface {
	// Call sends one command and fills result. A protocol error is a *cdproto.Error; a loss is a
	// *Loss; a deadline of ctx that ends the wait is a *Loss of kind Silent.
	Call(ctx context.Context, method string, params, result any) error
	// Lost is nil while the session lives, and the *Loss that ended it after that.
	Lost() error
	// Drain appends the events that arrived since the last call, in order of arrival.
	Drain(dst []Event) []Event
	// Close detaches and leaves the tab as it is. It takes no deadline and bounds itself: leaving
	// waits for nobody.
	Close() error
}

// Browser is one connection to a browser.
type Browser interface {
	// Pages lists the tabs in the order the browser gives.
	Pages(ctx context.Context) ([]TargetInfo, error)
	// Open makes a new tab in the bridge's browser context and navigates it to url.
	Open(ctx context.Context, url string) (TargetID, error)
	// Attach makes a new session on a tab. Ids of earlier sessions are void.
	Attach(ctx context.Context, id TargetID) (Session, error)
	// CloseTarget closes a tab; only one that the bridge opened (readings 23).
	CloseTarget(ctx context.Context, id TargetID) error
	// Lost is nil while the connection lives.
	Lost() error
	// Close ends the connection and leaves every tab open. It never closes a borrowed browser (D34).
	Close() error
}

// Dialer connects to a browser, resolving its endpoint anew each time (F260).
type Dialer interface {
	Dial(ctx context.Context) (Browser, error)
}

// EventKind is the kind of an Event.
type EventKind string

// Events that a bridge uses. Everything else the browser says is dropped.
const (
	// MessagePosted: the page sent a conversation request; MessageID is the client's id in it, Text
	// what it says. It is the strongest proof of a send: request, DOM and record hold the same id.
	MessagePosted EventKind = "message-posted"
	// MessageFailed: that request ended without an answer or with status >= 400.
	MessageFailed EventKind = "message-failed"
	// Navigated: the main frame has a new document; injected scripts are gone.
	Navigated EventKind = "navigated"
	// DialogOpened: a native dialog stands; every renderer command waits until it is answered.
	DialogOpened EventKind = "dialog-opened"
)

// Event is something that the browser said unasked.
type Event struct {
	Kind           EventKind
	URL            string
	MessageID      string
	Text           string // of the message that was posted; "" when the request could not be read
	ConversationID string
	Status         int
	RequestID      string
}

// Call sends one typed command of cdproto.
func Call[P, R any](ctx context.Context, s Session, c cdp.Command[P, R], params P) (R, error) {
	var r R
	err := s.Call(ctx, c.Method, params, &r)
	return r, err
}
