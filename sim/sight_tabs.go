package sim

import (
	"context"
	"strings"
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/page"
)

// tabList asks a real browser for its tabs by a connection of the world's own: what the browser's
// own process says about a tab holds also when its renderer hangs, when pi's session is dead and
// when a person uses it.
//
//	pi ──session──► tab ◄── a person
//	world ──────────► browser process: which tabs there are, and what address each shows
type tabList struct {
	site     string
	dial     func() browser.Dialer // to the browser as it is now; it may have been started again
	patience time.Duration         // of one question; a frozen browser does not answer

	b browser.Browser // nil: not connected
}

// newTabList returns a list that connects when it is first asked.
func newTabList(site string, endpoint func() string, contextID string) *tabList {
	return &tabList{site: site, patience: 2 * time.Second, dial: func() browser.Dialer {
		var options []chrome.Option
		if contextID != "" {
			options = append(options, chrome.WithBrowserContext(contextID))
		}
		return chrome.NewDialer(endpoint(), options...)
	}}
}

// tabs are the tabs that there are. A browser whose process is gone has none; one that does not
// answer tells nothing, and known is false.
func (l *tabList) tabs() (list []browser.TargetInfo, known bool) {
	ctx, cancel := context.WithTimeout(context.Background(), l.patience)
	defer cancel()
	for range 2 { // the connection may be to a browser that was started again since
		if err := l.connect(ctx); err != nil {
			loss, lost := browser.AsLoss(err)
			return nil, lost && loss.Kind == browser.BrowserGone
		}
		list, err := l.b.Pages(ctx)
		if err == nil {
			return list, true
		}
		l.close()
	}
	return nil, false
}

func (l *tabList) connect(ctx context.Context) (err error) {
	if l.b == nil {
		l.b, err = l.dial().Dial(ctx)
	}
	return err
}

// close lets go of the browser; a later question connects again.
func (l *tabList) close() {
	if l.b != nil {
		_ = l.b.Close() // it was used for reading only
		l.b = nil
	}
}

// address is what a tab's address says about a conversation.
type address uint8

const (
	elsewhere address = iota // no page of the site, or another conversation
	silent                   // a page of the site that names no conversation yet, or no address at all
	ours
)

// shows reads the address of a tab.
func (l *tabList) shows(t *browser.TargetInfo, conversation string) address {
	id := page.ConversationOf(l.site, t.URL)
	switch {
	case t.URL == "": // a document is being replaced, and the browser has no address for the moment
		return silent
	case !strings.HasPrefix(t.URL, l.site):
		return elsewhere
	case !page.Durable(id):
		return silent
	case id == conversation:
		return ours
	}
	return elsewhere
}

// find looks for a tab.
func find(list []browser.TargetInfo, id browser.TargetID) *browser.TargetInfo {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}
