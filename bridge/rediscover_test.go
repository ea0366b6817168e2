package bridge_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// openTab is one tab of a browser that only answers looks, and counts what is more than a look.
type openTab struct {
	browser.Session
	url     string
	draft   string // what the composer holds
	passed  int    // submits that its fence let through
	head    string // of the user's turn that it shows
	named   string // its conversation in the next look
	record  []probe.RecordedMessage
	revoked int
}

func (t *openTab) Close() error                              { return nil }
func (t *openTab) Lost() error                               { return nil }
func (t *openTab) Drain(dst []browser.Event) []browser.Event { return dst }

func (t *openTab) Call(_ context.Context, _ string, _, result any) error {
	switch r := result.(type) {
	case *probe.Reply[probe.Document]:
		r.Value.Name = t.url
	case *probe.Reply[probe.ComposerState]:
		r.Value.Text = t.draft
	case *probe.Reply[probe.FenceState]:
		t.revoked++
		r.Value.Passed = t.passed
	case *probe.Reply[probe.TailState]:
		if t.head != "" {
			r.Value.Turns = []probe.MountedTurn{{Role: "user", Head: t.head}}
		}
		r.Value.Conversation, t.named = t.named, "c-late"
	case *probe.Reply[probe.RecordState]:
		r.Value = probe.RecordState{
			Status: 200, LoggedIn: true, Found: true, Complete: true, Messages: t.record,
		}
	}
	return nil
}

// openTabs is a browser with these tabs and no way to open another: a session that begins is lost.
type openTabs struct {
	browser.Browser
	tabs []*openTab
}

func (b *openTabs) Dial(context.Context) (browser.Browser, error) { return b, nil }
func (b *openTabs) Lost() error                                   { return nil }
func (b *openTabs) Close() error                                  { return nil }

func (b *openTabs) Pages(context.Context) ([]browser.TargetInfo, error) {
	var all []browser.TargetInfo
	for _, t := range b.tabs {
		all = append(all, browser.TargetInfo{ID: browser.TargetID(t.url), URL: t.url})
	}
	return all, nil
}

func (b *openTabs) Attach(_ context.Context, id browser.TargetID) (browser.Session, error) {
	for _, t := range b.tabs {
		if t.url == string(id) {
			return t, nil
		}
	}
	return nil, &browser.Loss{Kind: browser.TargetClosed}
}

func (b *openTabs) Open(context.Context, string) (browser.TargetID, error) {
	return "", &browser.Loss{Kind: browser.BrowserGone}
}

var _ = Describe("A session whose journal is gone", func() {
	hello := func(request, sid string) string {
		return wire.NewOffer(sid, request, "", nil, nil).Hello()
	}
	resume := func(tabs ...*openTab) (bridge.Report, []session.Record) {
		GinkgoHelper()
		cfg := complete()
		cfg.Clock, cfg.Browser = clock.Scaled(100_000), &openTabs{tabs: tabs}
		report, err := bridge.Resume(context.Background(), cfg)
		Expect(err).NotTo(HaveOccurred())
		written, _, _ := cfg.Store.Load() // its error says that there is none
		return report, written
	}
	const mine, other = "9f83a7c1d42e650b", "0123456789abcdef"
	said := func(sid string) []probe.RecordedMessage {
		return []probe.RecordedMessage{{ID: "m1", Role: "user", Text: hello(complete().Request, sid)}}
	}

	It("is a person's choice when several open conversations hold its HELLO", func() {
		report, written := resume(
			&openTab{url: "https://chatgpt.com/c/a", record: said(mine)},
			&openTab{url: "https://chatgpt.com/c/b", record: said(other)},
		)
		Expect(report.Outcome).To(Equal(bridge.Manual))
		Expect(report.Row).To(Equal(10))
		Expect(report.Reason).To(HavePrefix("2 open conversations hold a HELLO for this request"))
		Expect(written).To(BeEmpty())
	})

	DescribeTable("waits for the address of a HELLO that went out in an open tab",
		func(t *openTab) {
			t.url, t.record = "https://chatgpt.com/", said(mine)
			_, written := resume(t)
			Expect(written[0].SID).To(Equal(mine))
			Expect(written[0].Snapshot.Conversation).To(Equal("c-late"))
		},
		Entry("which the tab shows", &openTab{head: "# HELLO pi-bridge/1"}),
		Entry("which passed the fence",
			&openTab{draft: hello(complete().Request, mine), passed: 1}),
	)

	It("begins anew when its HELLO never passed the fence, and sees to it that it never will", func() {
		t := &openTab{url: "https://chatgpt.com/", draft: hello(complete().Request, mine)}
		_, written := resume(t)
		Expect(written[0].Kind).To(Equal(session.RecNew))
		Expect(written[0].SID).NotTo(Equal(mine))
		Expect(t.revoked).To(Equal(1))
	})

	It("does not touch what somebody else types", func() {
		t := &openTab{url: "https://chatgpt.com/", draft: hello("又一个请求", other)}
		_, written := resume(t)
		Expect(written[0].Kind).To(Equal(session.RecNew))
		Expect(t.revoked).To(BeZero())
	})
})
