package probe_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/page/probe"
)

const tree = `{"current_node": "a2", "mapping": {
 "client-created-root": {"id": "client-created-root", "parent": null, "message": null},
 "s": {"id": "s", "parent": "client-created-root",
   "message": {"id": "s", "author": {"role": "system"},
   "content": {"content_type": "text", "parts": [""]}}},
 "u1": {"id": "u1", "parent": "s", "message": {"id": "u1", "author": {"role": "user"},
   "content": {"content_type": "text", "parts": ["hello"]}, "status": "finished_successfully"}},
 "th": {"id": "th", "parent": "u1",
   "message": {"id": "th", "author": {"role": "assistant"}, "recipient": "all",
   "content": {"content_type": "thoughts"}, "status": "finished_successfully"}},
 "c1": {"id": "c1", "parent": "th",
   "message": {"id": "c1", "author": {"role": "assistant"}, "recipient": "all",
   "channel": "commentary", "content": {"content_type": "text", "parts": ["Let me see."]},
   "status": "finished_successfully", "end_turn": false}},
 "t1": {"id": "t1", "parent": "c1",
   "message": {"id": "t1", "author": {"role": "assistant"}, "recipient": "python",
   "content": {"content_type": "text", "parts": ["code"]}, "status": "finished_successfully"}},
 "a1": {"id": "a1", "parent": "t1",
   "message": {"id": "a1", "author": {"role": "assistant"}, "recipient": "all",
   "channel": "final", "content": {"content_type": "text", "parts": ["whole"]},
   "status": "finished_successfully", "end_turn": true}},
 "other": {"id": "other", "parent": "u1",
   "message": {"id": "other", "author": {"role": "assistant"},
   "content": {"content_type": "text", "parts": ["another branch"]}}},
 "h": {"id": "h", "parent": "a1", "message": {"id": "h", "author": {"role": "user"},
   "metadata": {"is_visually_hidden_from_conversation": true},
   "content": {"content_type": "text", "parts": ["hidden"]}}},
 "u2": {"id": "u2", "parent": "h", "message": {"id": "u2", "author": {"role": "user"},
   "content": {"content_type": "multimodal_text", "parts": [{"asset": 1}, "again"]}}},
 "a2": {"id": "a2", "parent": "u2",
   "message": {"id": "a2", "author": {"role": "assistant"}, "recipient": "all",
   "channel": "final", "content": {"content_type": "text", "parts": ["half"]},
   "status": "in_progress", "end_turn": null}}}}`

// serve makes the server answer a session with a bearer and the record to who shows it.
func serve(session, record string) {
	s := needBrowser()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = func() (int, string) { return 200, session }
	s.record = func(bearer, id string) (int, string) {
		if bearer != "secret" || id != "abc" {
			return 404, `{"detail": "conversation_inaccessible"}`
		}
		return 200, record
	}
}

const loggedIn = `{"user": {"id": "u"}, "accessToken": "secret"}`

func recordOf(id, after string) probe.RecordState {
	GinkgoHelper()
	return do(open("/", "app"), probe.Record, probe.RecordArgs{Conversation: id, After: after})
}

var _ = Describe("record", func() {
	It("walks the current branch and keeps the chain over what it leaves out", func() {
		serve(loggedIn, tree)
		r := recordOf("abc", "")
		Expect(r).To(Equal(probe.RecordState{
			Status: 200, LoggedIn: true, Found: true, Complete: true,
			Messages: []probe.RecordedMessage{
				{ID: "u1", Role: "user", Text: "hello", Finished: true},
				{ID: "c1", Parent: "u1", Role: "assistant", Text: "Let me see."},
				{ID: "a1", Parent: "c1", Role: "assistant", Text: "whole", Finished: true, Final: true},
				{ID: "u2", Parent: "a1", Role: "user", Text: "again", Finished: true},
				{ID: "a2", Parent: "u2", Role: "assistant", Text: "half", Final: true},
			},
		}))
	})

	It("gives what comes after a message", func() {
		serve(loggedIn, tree)
		r := recordOf("abc", "u2")
		Expect(r.Found && r.Complete).To(BeTrue())
		Expect(r.Messages).To(HaveLen(1))
		Expect(r.Messages[0].ID).To(Equal("a2"))
		Expect(recordOf("abc", "other").Found).To(BeFalse(), "on another branch")
	})

	It("is not complete with a gap in the chain", func() {
		serve(loggedIn, strings.Replace(tree, `"u1": {`, `"lost": {`, 1))
		r := recordOf("abc", "")
		Expect(r.Complete).To(BeFalse())
		Expect(r.Messages[0].ID).To(Equal("c1"))
	})

	It("is not complete when empty", func() {
		serve(loggedIn, `{"mapping": {}, "current_node": null}`)
		r := recordOf("abc", "u1")
		Expect(r).To(Equal(probe.RecordState{
			Status: 200, LoggedIn: true,
			Messages: []probe.RecordedMessage{},
		}))
	})

	It("tells a logged-out, masked read from one of somebody", func() {
		serve(`{}`, tree)
		r := recordOf("abc", "")
		Expect(r.Status).To(Equal(404))
		Expect(r.LoggedIn).To(BeFalse())
		Expect(r.Messages).To(BeEmpty())
		serve(loggedIn, tree)
		r = recordOf("unknown", "")
		Expect(r.Status).To(Equal(404))
		Expect(r.LoggedIn).To(BeTrue())
	})

	It("proves nothing with a body that is no JSON", func() {
		serve(loggedIn, `<html>`)
		Expect(recordOf("abc", "").Status).To(BeZero())
	})
})
