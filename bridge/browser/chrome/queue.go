package chrome

import (
	"net/http"
	"sync"

	"bridgesim/bridge/browser"
)

// Bounds against a page that sends without end.
const (
	maxPosts   = 256 // conversation requests followed at one time; the oldest is let go
	maxInquiry = 32  // bodies asked for at one time
)

// eventQueue keeps the events of a session in order of arrival until they are drained.
//
//	reader ──add, post──► [ev][ev][…][ev] ──drain──► bridge
//	                          └ a place whose body is still asked for; drain stops there
type eventQueue struct {
	mu        sync.Mutex
	places    []*place
	lost      int
	posts     []followed
	inquiries int
}

type place struct {
	ev   browser.Event
	open bool
	post *place // of a failure: the message that failed, which names its ids
}

// event is the place's event with all that is known now.
func (p *place) event() browser.Event {
	ev := p.ev
	if p.post != nil {
		ev.MessageID, ev.ConversationID = p.post.ev.MessageID, p.post.ev.ConversationID
	}
	return ev
}

// followed is a conversation request that has not ended.
type followed struct {
	post   *place
	status int // of the answer, 0 before it began
}

func (q *eventQueue) add(ev browser.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.addLocked(ev)
}

func (q *eventQueue) addLocked(ev browser.Event) *place {
	if len(q.places) >= eventRing {
		q.places[0] = nil
		q.places = q.places[1:]
		q.lost++
	}
	p := &place{ev: ev}
	q.places = append(q.places, p)
	return p
}

func (q *eventQueue) post(ev browser.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.followLocked(ev)
}

func (q *eventQueue) followLocked(ev browser.Event) *place {
	p := q.addLocked(ev)
	if len(q.posts) >= maxPosts {
		q.posts = q.posts[1:]
	}
	q.posts = append(q.posts, followed{post: p})
	return p
}

// postLater keeps a place for ev, which the returned function fills. It is nil when too many are
// open; then ev is in the queue as it is.
func (q *eventQueue) postLater(ev browser.Event) func(browser.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.followLocked(ev)
	if q.inquiries >= maxInquiry {
		return nil
	}
	q.inquiries++
	p.open = true
	return func(full browser.Event) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.inquiries--
		p.ev, p.open = full, false
	}
}

func (q *eventQueue) find(requestID string) int {
	for i := range q.posts {
		if q.posts[i].post.ev.RequestID == requestID {
			return i
		}
	}
	return -1
}

func (q *eventQueue) takeLocked(requestID string) (followed, bool) {
	i := q.find(requestID)
	if i < 0 {
		return followed{}, false
	}
	f := q.posts[i]
	q.posts = append(q.posts[:i], q.posts[i+1:]...)
	return f, true
}

// answered takes the status of a request that is followed; one that refuses it is its end.
func (q *eventQueue) answered(requestID string, status int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.find(requestID)
	if i < 0 {
		return
	}
	q.posts[i].status = status
	if status >= http.StatusBadRequest {
		q.failLocked(requestID)
	}
}

// ended takes the early end of a request, by the network or by the page itself.
func (q *eventQueue) ended(requestID string, byPage bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.find(requestID); i >= 0 && byPage && q.posts[i].status != 0 {
		q.takeLocked(requestID)
		return
	}
	q.failLocked(requestID)
}

// failLocked adds MessageFailed for a request that is followed.
func (q *eventQueue) failLocked(requestID string) {
	f, ok := q.takeLocked(requestID)
	if !ok {
		return
	}
	ev := f.post.ev
	ev.Kind, ev.Status = browser.MessageFailed, f.status
	q.addLocked(ev).post = f.post
}

func (q *eventQueue) forget(requestID string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.takeLocked(requestID)
}

func (q *eventQueue) drain(dst []browser.Event) []browser.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.places) && !q.places[n].open {
		dst = append(dst, q.places[n].event())
		n++
	}
	if q.places = q.places[n:]; len(q.places) == 0 {
		q.places = nil
	}
	return dst
}

func (q *eventQueue) dropped() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost
}
