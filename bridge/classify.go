package bridge

import (
	"errors"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/recovery"
)

// stall is what an error means before anything was looked at: the specification's
// classifyStallError. Types and codes decide, never texts.
type stall struct {
	failure  recovery.Failure
	attached recovery.Fact // whether the session can still be used
	blocker  recovery.Fact
	doubt    recovery.Fact
	acked    recovery.Fact // No: no acknowledgement can be proven
	place    recovery.Place
	loss     string // for the journal
}

// classify turns an error into a stall. What it does not know is a bug: automation stops loudly.
func classify(err error) stall {
	var unsettled *Unsettled
	var protocol *cdproto.Error
	loss, lost := browser.AsLoss(err)
	switch {
	case lost:
		return stall{failure: recovery.Dropped, attached: recovery.No, loss: string(loss.Kind)}
	case errors.Is(err, page.ErrBlocked):
		return stall{failure: recovery.Wait, attached: recovery.Yes, blocker: recovery.Yes}
	case errors.Is(err, page.ErrDocument), errors.Is(err, probe.ErrNoProbe):
		return stall{failure: recovery.Dropped, attached: recovery.No, loss: "document-replaced"}
	case errors.Is(err, page.ErrConversationChanged):
		return stall{failure: recovery.Dropped, attached: recovery.No, loss: "conversation-changed"}
	case errors.Is(err, page.ErrUnproven):
		return stall{failure: recovery.Unproven, attached: recovery.Yes}
	case errors.Is(err, page.ErrStillRunning):
		return stall{failure: recovery.Wait, attached: recovery.Yes}
	case errors.Is(err, errLeft):
		return stall{failure: recovery.Wait, attached: recovery.No}
	case errors.Is(err, page.ErrNotReady), errors.Is(err, page.ErrPageUnknown),
		errors.Is(err, page.ErrUnseen):
		return stall{failure: recovery.Wait, attached: recovery.Yes}
	case errors.Is(err, page.ErrReadBack):
		return stall{failure: recovery.Unproven, attached: recovery.Yes}
	case isCapture(err):
		return stall{failure: recovery.Capture, attached: recovery.Yes}
	case errors.As(err, &unsettled):
		return stall{failure: recovery.NoFailure, doubt: unsettledDoubt(unsettled)}
	case errors.Is(err, errNoAck):
		return stall{failure: recovery.Refusal, attached: recovery.Yes, acked: recovery.No}
	case errors.Is(err, errChanged):
		return stall{failure: recovery.NoFailure, attached: recovery.Yes}
	case errors.Is(err, errNowhere):
		return stall{
			failure: recovery.Dropped, attached: recovery.No, place: recovery.Nowhere, loss: "nowhere",
		}
	case errors.As(err, &protocol) && protocol.Code == codeStale:
		return stall{
			failure: recovery.Dropped, attached: recovery.No, loss: string(browser.SessionStale),
		}
	case errors.As(err, &protocol) && protocol.Code == codeServer:
		return stall{failure: recovery.Dropped, attached: recovery.No, loss: "protocol-error"}
	}
	return stall{failure: recovery.Bug}
}

// codeServer is Chromium's code for "this cannot be done now": a context that is gone, a navigation
// under way. Every other code means that our command was wrong.
const codeServer = -32000

// codeStale is its code for a session id that it does not know: an attach that came too late gives
// it, and so does a reply that no session could be found for (D90).
const codeStale = -32001

func isCapture(err error) bool {
	var capture *page.CaptureError
	return errors.As(err, &capture)
}

// unsettledDoubt: an agent that is merely slow has not lost anything.
func unsettledDoubt(u *Unsettled) recovery.Fact {
	if u.Status == agent.Started || u.Status == agent.NoAnswer {
		return recovery.Yes
	}
	return recovery.No
}

// errNowhere: the conversation has no address, and the tab that held it is gone.
var errNowhere = errors.New("the conversation cannot be found again: it never had an address")
