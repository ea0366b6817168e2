package virtual_test

import (
	"time"

	"bridgesim/fakesite"
)

// conformance is one case: a site, what is sent, and when to look, measured from the send.
type conformance struct {
	name  string
	o     fakesite.Options
	reply string // to the first message; "" = an acknowledgement
	send  []string
	at    []time.Duration
	then  func(*fakesite.Site)
	again bool // reload in the end
}

const ms = time.Millisecond

// wholeAnswer looks at each kind of moment in the life of an answer.
var wholeAnswer = []time.Duration{
	0, 436 * ms, 437 * ms, 999 * ms, 1000 * ms, 3799 * ms, 3800 * ms, 3960 * ms, 4120 * ms,
	5200 * ms, 5500 * ms, 7 * time.Second, 30 * time.Second,
}

// fewMoments are enough where the end is what matters.
var fewMoments = []time.Duration{500 * ms, 2 * time.Second, 3960 * ms, 30 * time.Second}

const everyMark = "# Title #\n\n" +
	"some **bold *x*** text `code` with [l](https://a.b/c) and \\*esc\\* a  b\n two \nline\n\n" +
	"- one\n- two\n  more\n\n  para\n  - deep\n\n1. a\n2. b\n\n> quote\n> more\n\n---\n\n" +
	"```sh\nnpm test\n\n  x\n```\n\n~~~\ntilde ``` x\n~~~\n\n  ```go\n  ind\n    ent\n  ```\n" +
	"* s\n\n`a``b` `` c`d `` `` ` `` 2 * 3 ** 4 ***x*** *a\n\nend"

func conformanceCases() []conformance {
	hello := []string{offer().Hello()}
	cases := []conformance{
		{name: "default", at: wholeAnswer, again: true},
		{name: "every mark", reply: everyMark, at: wholeAnswer},
		{name: "every mark, newer code view", reply: everyMark, o: fakesite.Options{CodeView: "cm"}},
		{name: "article", o: fakesite.Options{Family: "article"}},
		{name: "li", o: fakesite.Options{Family: "li"}},
		{name: "b", o: fakesite.Options{Family: "b"}},
		{name: "lexical", o: fakesite.Options{Editor: "lexical"}},
		{name: "no bar", o: fakesite.Options{NoBar: true}},
		{name: "early bar", o: fakesite.Options{EarlyBar: true}, at: wholeAnswer},
		{name: "stop flicker", o: fakesite.Options{StopFlicker: true}, at: wholeAnswer},
		{name: "no stop", o: fakesite.Options{NoStop: true, OtherStop: true, AnswerNow: true}},
		{name: "transient", o: fakesite.Options{Transient: true}, at: wholeAnswer, again: true},
		{name: "no address", o: fakesite.Options{NoAddress: true}},
		{
			name: "user turns as HTML", send: []string{"# A b  c\n* d\n  e\n```\nx\n```\n"},
			o: fakesite.Options{UserHTML: true, UserNotice: true},
		},
		{
			name: "user code as HTML", send: []string{"```\nx\ny\n```\n"},
			o: fakesite.Options{UserHTML: true},
		},
		{name: "nested", send: []string{"one", "two"}, o: fakesite.Options{Nested: true}},
		{name: "window", send: []string{"one", "two\n\nx", " three \ny ", "four"}, again: true},
		{name: "draft", o: fakesite.Options{DraftRestored: "draft ", DraftAfter: time.Second}},
		{name: "late wipe", o: fakesite.Options{LateWipe: time.Second}},
		{name: "fallback", o: fakesite.Options{FallbackFor: 20 * time.Second}},
		{name: "slow mount", o: fakesite.Options{MountSlow: true}, again: true},
		{name: "no-break spaces", send: []string{"a  b   c    d\n  e"}, o: fakesite.Options{NBSP: true}},
		{name: "send is dead once", send: []string{"one", "one"}, o: fakesite.Options{SendNoop: 1}},
		{name: "stale copy", send: []string{hello[0], "two"}, o: fakesite.Options{CopyStale: true}},
		{
			name: "broken copy", o: fakesite.Options{CopyBroken: true},
			at: []time.Duration{30 * time.Second},
		},
		{name: "record 503", o: fakesite.Options{RecordStatus: 503}},
		{name: "record empty", o: fakesite.Options{RecordEmpty: true}},
		{name: "preamble", o: fakesite.Options{Preamble: "let me **see**"}, at: wholeAnswer},
		{name: "canvas", o: fakesite.Options{Canvas: true}},
		{name: "pause", o: fakesite.Options{PauseAt: 50, PauseFor: time.Minute}},
		{name: "two responses", o: fakesite.Options{TwoResponses: true}, send: planned()},
		{
			name: "two responses in li", send: planned(),
			o: fakesite.Options{TwoResponses: true, Family: "li"},
		},
		{name: "continue", o: fakesite.Options{Continue: true}, send: planned()},
		{name: "deferral", o: fakesite.Options{Deferral: true, ChallengeScript: true}},
		{name: "approval", o: fakesite.Options{ToolApproval: true}, send: planned()},
		{name: "fails before", o: fakesite.Options{Faults: fakesite.Faults{FailBefore: fakesite.Nth{1}}}},
		{name: "fails mid", o: fakesite.Options{Faults: fakesite.Faults{FailMid: fakesite.Nth{1}}}},
		{name: "fails after", o: fakesite.Options{Faults: fakesite.Faults{FailAfter: fakesite.Nth{1}}}},
		{name: "never", o: fakesite.Options{Faults: fakesite.Faults{Never: fakesite.Nth{1}}}},
		{name: "500", o: fakesite.Options{Faults: fakesite.Faults{ServerError: fakesite.Nth{1}}}},
		{
			name: "500, accepted", again: true,
			o: fakesite.Options{Faults: fakesite.Faults{Accepted500: fakesite.Nth{1}}},
		},
		{
			name: "dropped", again: true,
			o: fakesite.Options{Faults: fakesite.Faults{Dropped: fakesite.Nth{1}}},
		},
		{name: "freeze", o: fakesite.Options{Freeze: true}, again: true},
		{
			name: "missing conversation", again: true,
			then: func(s *fakesite.Site) { s.Delete(s.Conversations()[0].ID) },
		},
	}
	for _, b := range fakesite.Blockers() {
		cases = append(cases, conformance{
			name: "blocker " + string(b), then: func(s *fakesite.Site) { s.Block(b) }, again: true,
		})
	}
	for i := range cases {
		c := &cases[i]
		if c.send == nil {
			c.send = hello
		}
		if c.at == nil {
			c.at = fewMoments
		}
	}
	return cases
}

// planned is a handshake and a first round, so that the answer is a plan.
func planned() []string {
	return []string{
		offer().Hello(),
		"# ROUND 1 pi-bridge/1\nFRAME: s=" + sid + " r=1 p=- q=e1db9b58\n\n## 用户请求\n示例请求",
	}
}
