package chrome

import (
	"strconv"
	"testing"

	"bridgesim/bridge/browser"
)

func ids(events []browser.Event) (out []string) {
	for _, e := range events {
		out = append(out, string(e.Kind)+" "+e.MessageID+" "+strconv.Itoa(e.Status))
	}
	return out
}

func wantEvents(t *testing.T, got []browser.Event, want ...string) {
	t.Helper()
	have := ids(got)
	if len(have) != len(want) {
		t.Fatalf("events %q, want %q", have, want)
	}
	for i := range want {
		if have[i] != want[i] {
			t.Fatalf("event %d is %q, want %q", i, have[i], want[i])
		}
	}
}

func TestQueueDropsTheOldestAndCounts(t *testing.T) {
	var q eventQueue
	for i := range eventRing + 3 {
		q.add(browser.Event{Kind: browser.Navigated, Status: i})
	}
	got := q.drain(nil)
	if len(got) != eventRing || q.dropped() != 3 {
		t.Fatalf("%d events kept, %d dropped; want %d and 3", len(got), q.dropped(), eventRing)
	}
	if got[0].Status != 3 || got[eventRing-1].Status != eventRing+2 {
		t.Fatalf("kept %d to %d", got[0].Status, got[eventRing-1].Status)
	}
	if left := q.drain(nil); len(left) != 0 {
		t.Fatalf("a second drain gives %d events", len(left))
	}
}

func TestQueueHoldsBackBehindAnOpenQuestion(t *testing.T) {
	var q eventQueue
	post := browser.Event{Kind: browser.MessagePosted, RequestID: "r"}
	q.add(browser.Event{Kind: browser.Navigated})
	fill := q.postLater(post)
	q.answered("r", 503)
	wantEvents(t, q.drain(nil), "navigated  0")
	post.MessageID = "m"
	fill(post)
	wantEvents(t, q.drain(nil), "message-posted m 0", "message-failed m 503")
}

func TestQueueFollowsABoundedNumberOfPosts(t *testing.T) {
	var q eventQueue
	for i := range maxPosts + 1 {
		q.post(browser.Event{Kind: browser.MessagePosted, RequestID: strconv.Itoa(i)})
	}
	_ = q.drain(nil)
	q.ended("0", false)
	q.ended("1", false)
	q.ended("1", false)
	wantEvents(t, q.drain(nil), "message-failed  0")
}

func TestQueueAsksForABoundedNumberOfBodies(t *testing.T) {
	var q eventQueue
	var fill func(browser.Event)
	for range maxInquiry {
		if fill = q.postLater(browser.Event{RequestID: "r"}); fill == nil {
			t.Fatal("refused below the bound")
		}
	}
	if q.postLater(browser.Event{RequestID: "r"}) != nil {
		t.Fatal("accepted beyond the bound")
	}
	fill(browser.Event{})
	if q.postLater(browser.Event{RequestID: "r"}) == nil {
		t.Fatal("an answered question still counts")
	}
}

func TestIsConversation(t *testing.T) {
	for address, want := range map[string]bool{
		"https://chatgpt.com/backend-api/conversation":               true,
		"https://chatgpt.com/backend-api/f/conversation":             true,
		"http://127.0.0.1:1/base/backend-api/f/conversation?x=1#y":   true,
		"https://chatgpt.com/backend-api/conversation/init":          false,
		"https://chatgpt.com/backend-api/f/conversation/prepare":     false,
		"https://chatgpt.com/backend-api/conversations":              false,
		"https://chatgpt.com/x?u=/backend-api/conversation":          false,
		"https://chatgpt.com/my-backend-api/conversation":            false,
		"http://%zz/backend-api/conversation":                        false,
		"https://chatgpt.com/backend-api/f/f/conversation":           false,
		"https://chatgpt.com/backend-api/f/conversation/experiments": false,
	} {
		if got := isConversation(address); got != want {
			t.Errorf("isConversation(%q) = %v", address, got)
		}
	}
}

func TestWithBodyTakesTheUsersMessage(t *testing.T) {
	for body, want := range map[string]browser.Event{
		`{"messages":[{"id":"a"}]}`: {MessageID: "a"},
		`{"conversation_id":"c","messages":[{"id":"s","author":{"role":"system"}},
			{"id":"u","author":{"role":"user"}}]}`: {MessageID: "u", ConversationID: "c"},
		`{"conversation_id":null,"messages":[]}`: {},
		`{"messages":[{"id":7}]}`:                {},
		`[]`:                                     {},
		``:                                       {},
	} {
		if got := withBody(browser.Event{}, []byte(body)); got != want {
			t.Errorf("withBody(%s) = %+v, want %+v", body, got, want)
		}
	}
}
