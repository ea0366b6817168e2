package browser

import (
	"errors"
	"fmt"
)

// LossKind says what is gone. Telling them apart is the point: each needs another act.
type LossKind string

// The kinds of loss, from the inside out.
const (
	SessionStale  LossKind = "session-stale"  // -32001: this session id is void, the tab may live
	TargetClosed  LossKind = "target-closed"  // the tab is gone
	TargetCrashed LossKind = "target-crashed" // the renderer is gone, tab and session live (F225)
	TargetWedged  LossKind = "target-wedged"  // the renderer does not answer, the browser does
	SocketLost    LossKind = "socket-lost"    // the connection ended; browser and tab may live
	BrowserGone   LossKind = "browser-gone"   // nothing listens at the endpoint
	Silent        LossKind = "silent"         // a deadline passed without an answer: nothing is proven
)

// Sentinels for errors.Is; each Loss matches the one of its kind.
var (
	ErrSessionStale  = errors.New("the session id is void")
	ErrTargetClosed  = errors.New("the tab was closed")
	ErrTargetCrashed = errors.New("the tab's renderer crashed")
	ErrTargetWedged  = errors.New("the tab's renderer does not answer")
	ErrSocketLost    = errors.New("the connection to the browser was lost")
	ErrBrowserGone   = errors.New("the browser is gone")
	ErrSilent        = errors.New("the browser did not answer in time")
)

var lossSentinel = map[LossKind]error{
	SessionStale: ErrSessionStale, TargetClosed: ErrTargetClosed, TargetCrashed: ErrTargetCrashed,
	TargetWedged: ErrTargetWedged, SocketLost: ErrSocketLost, BrowserGone: ErrBrowserGone,
	Silent: ErrSilent,
}

// Loss is the typed end of a session, a connection or a wait.
type Loss struct {
	Kind LossKind
	// During is the command in flight, empty when none was.
	During string
	// Cause is what the transport or the browser said; nil when it said nothing.
	Cause error
}

// Error tells what was lost, during what and why.
func (l *Loss) Error() string {
	msg := lossSentinel[l.Kind].Error()
	if l.During != "" {
		msg = fmt.Sprintf("%s during %s", msg, l.During)
	}
	if l.Cause != nil {
		msg = fmt.Sprintf("%s: %v", msg, l.Cause)
	}
	return msg
}

// Is matches the sentinel of the loss's kind.
func (l *Loss) Is(target error) bool { return target == lossSentinel[l.Kind] }

// Unwrap gives the cause.
func (l *Loss) Unwrap() error { return l.Cause }

// AsLoss returns the *Loss inside err, if there is one.
func AsLoss(err error) (*Loss, bool) {
	return errors.AsType[*Loss](err)
}
