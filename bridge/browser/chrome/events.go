package chrome

import (
	"context"
	"net/http"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"bridgesim/bridge/browser"
)

// handle turns one event of the page into what the port knows. It runs on the reader and never
// waits. An event that cannot be read is dropped: it is no proof of anything.
func (s *Session) handle(msg *cdproto.Message) {
	switch msg.Method {
	case cdproto.EventInspectorTargetCrashed:
		s.crashed()
	case cdproto.EventInspectorTargetReloadedAfterCrash:
		s.mended()
	case cdproto.EventNetworkRequestWillBeSent:
		read(msg, s.requested)
	case cdproto.EventNetworkResponseReceived:
		read(msg, s.responded)
	case cdproto.EventNetworkLoadingFailed:
		read(msg, s.failed)
	case cdproto.EventNetworkLoadingFinished:
		read(msg, func(ev *network.EventLoadingFinished) { s.events.forget(string(ev.RequestID)) })
	case cdproto.EventPageFrameNavigated:
		read(msg, s.navigated)
	case cdproto.EventPageJavascriptDialogOpening:
		read(msg, func(ev *page.EventJavascriptDialogOpening) {
			s.events.add(browser.Event{Kind: browser.DialogOpened, URL: ev.URL})
		})
	}
}

func read[E any](msg *cdproto.Message, use func(*E)) {
	var ev E
	if decode(msg.Params, &ev) == nil {
		use(&ev)
	}
}

func (s *Session) navigated(ev *page.EventFrameNavigated) {
	if f := ev.Frame; f != nil && f.ParentID == "" {
		s.events.add(browser.Event{Kind: browser.Navigated, URL: f.URL + f.URLFragment})
	}
}

// requested reports a message that the page sends. A redirect of it is the same message.
func (s *Session) requested(ev *network.EventRequestWillBeSent) {
	r := ev.Request
	if r == nil || r.Method != http.MethodPost || !isConversation(r.URL) ||
		ev.RedirectResponse != nil {
		return
	}
	post := browser.Event{Kind: browser.MessagePosted, URL: r.URL, RequestID: string(ev.RequestID)}
	if len(r.PostDataEntries) > 0 || !r.HasPostData {
		s.events.post(withBody(post, bodyOf(r)))
		return
	}
	resolve := s.events.postLater(post)
	if resolve == nil {
		return // too many open questions: the event went out without its ids
	}
	s.conn.wg.Go(func() { resolve(withBody(post, s.postData(ev.RequestID))) })
}

// postData asks for the body of a request that was too long for its event.
func (s *Session) postData(id network.RequestID) []byte {
	ctx, cancel := wall.WithTimeout(context.WithoutCancel(s.conn.life), postDataLimit)
	defer cancel()
	var r network.GetRequestPostDataResult
	if s.Call(ctx, network.CommandGetRequestPostData,
		network.GetRequestPostDataParams{RequestID: id}, &r) != nil {
		return nil
	}
	return r.PostData
}

// responded reports a message that the site refused, and remembers the status of an answer.
func (s *Session) responded(ev *network.EventResponseReceived) {
	if ev.Response == nil {
		return
	}
	s.events.answered(string(ev.RequestID), int(ev.Response.Status))
}

// failed reports a message whose request ended early: status 0 when no answer began, and the status
// of the answer when it was cut off. A page that stops reading an answer that began has lost
// nothing.
func (s *Session) failed(ev *network.EventLoadingFailed) {
	s.events.ended(string(ev.RequestID), ev.Canceled)
}
