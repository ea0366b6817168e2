package chromium

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"
)

// watch hears the events of the control connection: the evidence that comes from outside the
// bridge.
type watch struct {
	mu     sync.Mutex
	first  int // number of events that were let go
	events []*cdproto.Message
	news   chan struct{} // closed and replaced at each event
}

// maxEvents bounds what is kept of a page that talks without end.
const maxEvents = 4096

func newWatch() *watch { return &watch{news: make(chan struct{})} }

// hear is a chrome.FrameLog.
func (w *watch) hear(dir byte, msg *cdproto.Message) {
	if dir != '<' || msg.Method == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) == maxEvents {
		w.events, w.first = w.events[1:], w.first+1
	}
	w.events = append(w.events, msg)
	close(w.news)
	w.news = make(chan struct{})
}

// mark is the place behind the last event so far.
func (w *watch) mark() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.first + len(w.events)
}

// since returns the events behind a mark, and what to wait for when none of them will do.
func (w *watch) since(mark int) ([]*cdproto.Message, int, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	from := max(mark-w.first, 0)
	return w.events[min(from, len(w.events)):], w.first + len(w.events), w.news
}

// await waits for an event behind a mark whose parameters f accepts.
func await[E any](
	ctx context.Context, w *watch, mark int, method cdproto.MethodType, f func(*E) bool,
) (*E, error) {
	for {
		events, end, news := w.since(mark)
		for _, msg := range events {
			if msg.Method != method {
				continue
			}
			e := new(E)
			if jsonv2.Unmarshal(msg.Params, e, chromedp.DefaultUnmarshalOptions) == nil && f(e) {
				return e, nil
			}
		}
		mark = end
		select {
		case <-news:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("the browser did not report %s", method), ctx.Err())
		}
	}
}
