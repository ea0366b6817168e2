package trace_test

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/sim/trace"
)

// imported reads a fixture by detection.
func imported(name string) *trace.Log {
	GinkgoHelper()
	f, err := os.Open(filepath.Join("testdata", name))
	Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	l, err := trace.Import(name, f, "")
	Expect(err).NotTo(HaveOccurred())
	return l
}

func read(text, format string) (*trace.Log, error) {
	return trace.Import("x.log", strings.NewReader(text), format)
}

// found is what a fixture must come to.
type found struct {
	format     string
	entries    int
	strange    int
	what       trace.Break
	side       trace.Side
	sure       trace.Confidence
	line       int
	code       int64
	flying     string // the method of the first call under way, "" for none
	cameBack   string
	answer     string // what came back for that call
	stoppedAt  int    // the line where the log stops in the middle, 0 when it is whole
	disconnect bool
}

var _ = DescribeTable("Each log shows its disconnect",
	func(name string, want found) {
		l := imported(name)
		got := found{
			format: l.Format, entries: len(l.Entries), strange: l.NotUnderstood,
			disconnect: l.Disconnect() != nil,
		}
		if l.Stopped != nil {
			got.stoppedAt = l.Stopped.Line
		}
		if d := l.Disconnect(); d != nil {
			got.what, got.side, got.sure, got.line = d.Break, d.Side, d.Confidence, d.Line
			got.code, got.cameBack = d.Code, d.CameBack
			if len(d.InFlight) > 0 {
				got.flying, got.answer = d.InFlight[0].Method, d.InFlight[0].Answer
			}
			Expect(d.Reason).NotTo(BeEmpty())
		}
		want.disconnect = want.what != ""
		Expect(got).To(Equal(want))
	},
	Entry("T1, CRLF, 1006 while a click is under way", "t1-playwright-1006.log", found{
		format: "T1", entries: 8, what: trace.SocketLost, side: trace.SideUnknown, sure: trace.Certain,
		line: 9, code: 1006, flying: "Input.dispatchMouseEvent", cameBack: "code=1006 reason=",
	}),
	Entry("T1 of a terminal, a message cut, -32001 without a session", "t1-playwright-terminal.log",
		found{
			format: "T1", entries: 5, what: trace.SessionGone, side: trace.SideUnknown,
			sure: trace.Likely, line: 4, code: -32001, flying: "Runtime.evaluate",
			cameBack: "Session with given id not found.",
			answer:   "error -32001: Session with given id not found.",
		}),
	Entry("T1, the client closes the browser: no disconnect", "t1-playwright-own-close.log",
		found{format: "T1", entries: 2}),
	Entry("T1, cut in a message", "t1-playwright-cut.log", found{
		format: "T1", entries: 1, strange: 1, what: trace.LogEnds, side: trace.SideUnknown,
		sure: trace.Guess, line: 1, flying: "Page.enable", stoppedAt: 2,
	}),
	Entry("T2, three quotings, a crash, a cut message", "t2-puppeteer-crash.log", found{
		format: "T2", entries: 8, what: trace.TargetCrashed, side: trace.SideTarget,
		sure: trace.Certain, line: 14, code: 139, flying: "Runtime.evaluate",
		cameBack: "Inspector.targetCrashed",
	}),
	Entry("T2 behind docker compose, without a list, shortened by hand", "t2-puppeteer-docker.log",
		found{
			format: "T2", entries: 4, what: trace.Detached, side: trace.SideTarget,
			sure: trace.Certain, line: 4, flying: "Runtime.evaluate",
			cameBack: "Inspector.detached: Render process gone.",
		}),
	Entry("T3, three ages in one file", "t3-puppeteer-old.log", found{
		format: "T3", entries: 4, what: trace.TargetCrashed, side: trace.SideTarget,
		sure: trace.Certain, line: 2, flying: "Page.printToPDF", cameBack: "Inspector.targetCrashed",
	}),
	Entry("T4, empty lines, blanks, a paste that broke a line", "t4-chromedp-crash.log", found{
		format: "T4", entries: 7, what: trace.TargetCrashed, side: trace.SideTarget,
		sure: trace.Certain, line: 7, code: 133, flying: "Runtime.evaluate",
		cameBack: "Inspector.targetCrashed",
	}),
	Entry("T4 of logrus, only a hint", "t4-chromedp-canceled.log", found{
		format: "T4", entries: 4, what: trace.Reported, side: trace.SideUnknown, sure: trace.Guess,
		line: 4, flying: "Runtime.evaluate", cameBack: "context canceled",
	}),
	Entry("T5, short sessions put back", "t5-rod.log", found{
		format: "T5", entries: 7, what: trace.SessionGone, side: trace.SideUnknown,
		sure: trace.Likely, line: 5, code: -32001, flying: "Runtime.evaluate",
		cameBack: "Session with given id not found.",
		answer:   "error -32001: Session with given id not found.",
	}),
	Entry("T6, JSON over lines, the browser's own line", "t6-chromedriver.log", found{
		format: "T6", entries: 6, strange: 1, what: trace.Detached, side: trace.SideTarget,
		sure: trace.Certain, line: 17, flying: "Runtime.evaluate",
		cameBack: "Inspector.detached: target_closed",
	}),
	Entry("T6 of 2018, cut in its JSON", "t6-chromedriver-old-cut.log", found{
		format: "T6", entries: 5, strange: 1, what: trace.Reported, side: trace.SideUnknown,
		sure: trace.Guess, line: 10, flying: "Page.enable", stoppedAt: 11,
		cameBack: "Timed out receiving message from renderer: 0.100",
	}),
	Entry("T6, quit on purpose: no disconnect", "t6-chromedriver-quit.log",
		found{format: "T6", entries: 3}),
	Entry("T7, two connections with the same ids, a session of null", "t7-js-debug.log", found{
		format: "T7", entries: 4, what: trace.Detached, side: trace.SideUnknown, sure: trace.Likely,
		line: 6, flying: "Runtime.evaluate", cameBack: "Target.detachedFromTarget",
	}),
	Entry("T8, DevTools took the session", "t8-monitor.json", found{
		format: "T8", entries: 4, what: trace.Detached, side: trace.SideOther, sure: trace.Certain,
		line: 27, flying: "Runtime.evaluate", cameBack: "Inspector.detached: replaced_with_devtools",
	}),
	Entry("T8, cut", "t8-monitor-cut.json", found{
		format: "T8", entries: 3, strange: 1, what: trace.LogEnds, side: trace.SideUnknown,
		sure: trace.Guess, line: 17, flying: "Runtime.evaluate", stoppedAt: 32,
	}),
	Entry("T9 of Chrome, in seconds", "t9-chrome.har", found{
		format: "T9", entries: 2, strange: 1, what: trace.Detached, side: trace.SideUnknown,
		sure: trace.Likely, line: 40, flying: "Runtime.evaluate",
		cameBack: "Target.detachedFromTarget",
	}),
	Entry("T9 of Playwright, in milliseconds, on one line", "t9-playwright.har", found{
		format: "T9", entries: 2, strange: 1, what: trace.Detached, side: trace.SideUnknown,
		sure: trace.Likely, line: 1, flying: "Runtime.evaluate",
		cameBack: "Target.detachedFromTarget",
	}),
	Entry("T9, the attached frames", "t9-frames.jsonl", found{
		format: "T9", entries: 2, strange: 1, what: trace.Detached, side: trace.SideUnknown,
		sure: trace.Likely, line: 2, flying: "Runtime.evaluate",
		cameBack: "Target.detachedFromTarget",
	}),
	Entry("T10 of a killed browser, RST", "t10-netlog-rst-killed.json", found{
		format: "T10", entries: 4, strange: 1, what: trace.SocketLost, side: trace.SideUnknown,
		sure: trace.Certain, line: 6, code: -101, cameBack: "ERR_CONNECTION_RESET", stoppedAt: 8,
	}),
	Entry("T10, RST at the socket below", "t10-netlog-rst-below.json", found{
		format: "T10", entries: 3, strange: 1, what: trace.SocketLost, side: trace.SideUnknown,
		sure: trace.Certain, line: 7, code: -101, stoppedAt: 8,
		cameBack: "ERR_CONNECTION_RESET of a socket below (line 6) just before",
	}),
	Entry("T10, a close frame", "t10-netlog-close.json", found{
		format: "T10", entries: 3, what: trace.SocketLost, side: trace.SideUnknown,
		sure: trace.Certain, line: 5, cameBack: "after a close frame",
	}),
)

var _ = Describe("Import", func() {
	It("has a fixture for every format of the table", func() {
		for _, f := range trace.Formats() {
			all, err := filepath.Glob(filepath.Join("testdata", strings.ToLower(f.ID)+"-*"))
			Expect(err).NotTo(HaveOccurred())
			Expect(all).NotTo(BeEmpty(), f.Name)
		}
	})

	It("joins replies to requests, and leaves nothing of a secret", func() {
		l, err := read(`2026-11-30T20:33:17.000Z pw:protocol SEND ► {"id":1,"method":"Page.enable"}
2026-11-30T20:33:17.100Z pw:protocol ◀ RECV {"id":1,"error":{"code":-32000,"message":`+
			`"Target closed, Cookie: sid=verysecret"}}
2026-11-30T20:33:17.200Z node: Authorization: Basic dmVyeXNlY3JldA==
`, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.Entries[1].Method).To(Equal("Page.enable"))
		Expect(l.Entries[1].Text).To(And(ContainSubstring("Target closed"),
			Not(ContainSubstring("verysecret"))))
		Expect(l.Strange).To(HaveLen(1))
		Expect(l.Strange[0].Text).NotTo(ContainSubstring("dmVye"))
	})

	It("rebuilds rod's sessions", func() {
		l := imported("t5-rod.log")
		Expect(l.Entries[3].Session).To(Equal("0123456789ABCDEF0123456789ABCDEF"))
		Expect(l.Entries[0].Session).To(BeEmpty())
	})

	It("keeps the ids of two connections apart", func() {
		l := imported("t7-js-debug.log")
		Expect(l.Disconnect().InFlight).To(HaveLen(1))
		Expect(l.Entries[2].Method).To(Equal("Runtime.enable"))
	})

	It("reads a closed tab as wanted when the client closed it", func() {
		closing := `-> {"id":1,"method":"Target.closeTarget","params":{"targetId":"T"}}` + "\n"
		end := `<- {"method":"Target.attachedToTarget","params":{"sessionId":"S",` +
			`"targetInfo":{"targetId":"T"}}}` + "\n%s" + `<- {"id":1,"result":{}}` + "\n" +
			`<- {"method":"Target.detachedFromTarget","params":{"sessionId":"S","targetId":"T"}}` + "\n"
		own, err := read(strings.Replace(end, "%s", closing, 1), "chromedp")
		Expect(err).NotTo(HaveOccurred())
		Expect(own.Losses).To(BeEmpty())
		other, err := read(strings.Replace(end, "%s", "", 1), "chromedp")
		Expect(err).NotTo(HaveOccurred())
		Expect(other.Losses).To(HaveLen(1))
	})
})

var _ = Describe("Times", func() {
	basis := func(l *trace.Log) (out []trace.Basis) {
		for _, e := range l.Entries {
			out = append(out, e.At.Basis)
		}
		return out
	}
	same := func(l *trace.Log, b trace.Basis) {
		GinkgoHelper()
		Expect(basis(l)).To(HaveEach(b))
	}

	It("are taken from where they stand", func() {
		at := func(l *trace.Log, i int) string { return l.Entries[i].At.At.Format(time.RFC3339Nano) }
		Expect(at(imported("t1-playwright-1006.log"), 6)).To(Equal("2026-11-30T20:33:17.015Z"))
		Expect(at(imported("t6-chromedriver.log"), 0)).To(Equal("2025-12-01T14:40:00.1Z"))
		Expect(at(imported("t6-chromedriver-old-cut.log"), 1)).To(Equal("2026-12-01T06:00:00.100001Z"))
		Expect(at(imported("t9-chrome.har"), 0)).To(Equal("2025-12-01T14:40:00.25Z"))
		Expect(at(imported("t9-playwright.har"), 0)).To(Equal("2025-12-01T14:40:00.25Z"))
		Expect(at(imported("t10-netlog-rst-killed.json"), 2)).To(Equal("2025-12-01T14:40:00.5Z"))
	})

	It("say what they rest on", func() {
		same(imported("t1-playwright-1006.log"), trace.Wall)
		same(imported("t1-playwright-terminal.log"), trace.Relative)
		same(imported("t6-chromedriver-old-cut.log"), trace.Local)
		same(imported("t8-monitor.json"), trace.NoTime)
	})

	It("are never guessed: one line without its counter, and the rest is unknown", func() {
		l, err := read(`  pw:protocol SEND ► {"id":1,"method":"Page.enable"} +0ms
  pw:protocol ◀ RECV {"id":1,"result":{}} +5ms
  pw:protocol SEND ► {"id":2,"method":"Page.enable"}
  pw:protocol ◀ RECV {"id":2,"result":{}} +7ms
`, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(basis(l)).To(Equal([]trace.Basis{
			trace.Relative, trace.Relative, trace.NoTime, trace.NoTime,
		}))
		_, ok := l.Span()
		Expect(ok).To(BeTrue())
	})

	It("of two counters are none", func() {
		l, err := read("  puppeteer:protocol:SEND ► [ '{\"id\":1,\"method\":\"Page.enable\"}' ] +0ms\n"+
			"  puppeteer:protocol:RECV ◀ [ '{\"id\":1,\"result\":{}}' ] +3ms\n", "")
		Expect(err).NotTo(HaveOccurred())
		same(l, trace.NoTime)
		_, ok := l.Span()
		Expect(ok).To(BeFalse())
	})
})

var _ = DescribeTable("What cannot be read names file, line and what was expected",
	func(text, format string, kind error, words ...string) {
		l, err := read(text, format)
		Expect(l).To(BeNil())
		Expect(err).To(MatchError(kind))
		for _, w := range words {
			Expect(err).To(MatchError(ContainSubstring(w)))
		}
	},
	Entry("nothing", "", "", trace.ErrSyntax, "x.log:1", "empty", "expected a log"),
	Entry("something else", "hello\nworld\n", "", trace.ErrFormat, "x.log:1", "playwright, puppeteer"),
	Entry("a format that is not known", "x", "nolog", trace.ErrFormat, `"nolog"`, "chromedp"),
	Entry("UTF-16", "\xff\xfep\x00w\x00", "", trace.ErrSyntax, "UTF-16", "expected UTF-8"),
	Entry("gzip", "\x1f\x8b\x08xx", "", trace.ErrSyntax, "gzip"),
	Entry("another browser",
		"\n  pw:protocol SEND ► {\"id\":1,\"method\":\"Playwright.enable\"}\n", "",
		trace.ErrSyntax, "x.log:2", "Firefox or WebKit"),
	Entry("cut in the only message", "pw:protocol SEND ► {\"id\":1,", "", trace.ErrSyntax,
		"x.log:1", "the log stops"),
	Entry("a list without messages", `[{"a":1}]`, "monitor", trace.ErrSyntax, "x.log:1",
		"an id or a method"),
	Entry("a netlog without constants", "{\"constants\":{}}\n", "", trace.ErrSyntax, "x.log:1",
		"logEventTypes"),
	Entry("a HAR without frames", `{"log":{"creator":{},"entries":[]}}`, "", trace.ErrSyntax,
		"x.log:1", "a message of HAR"),
	Entry("a line over the limit", "pw:protocol SEND ► "+strings.Repeat("x", trace.MaxLine+1), "",
		trace.ErrLimit, "x.log:1", "more than"),
)

var _ = Describe("A log with bad lines", func() {
	It("lists them with line and expectation, and reads the rest", func() {
		l, err := read(`noise
-> {"id":1,"method":"Page.enable"}
<- {"id":1,
-> {"id":2,"method":"Page.disable"}
<- {"neither":true}
<- {"id":2,"result":{}}
`, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(l.Entries).To(HaveLen(3))
		var lines []int
		for _, s := range l.Strange {
			lines = append(lines, s.Line)
			Expect(s.Want).NotTo(BeEmpty())
		}
		Expect(lines).To(Equal([]int{1, 3, 5}))
		Expect(l.NotUnderstood).To(Equal(3))
	})
})

var _ = Describe("Schedule", func() {
	It("places each disconnect where it can strike, and says what is assumed", func() {
		all, err := filepath.Glob("testdata/t*")
		Expect(err).NotTo(HaveOccurred())
		n := 0
		for _, path := range all {
			if strings.Contains(path, "webkit") {
				continue
			}
			for _, s := range imported(filepath.Base(path)).Schedule(trace.Likely) {
				Expect(s.Fault.Validate()).To(Succeed(), path)
				Expect(s.Assumed).NotTo(BeEmpty())
				n++
			}
		}
		Expect(n).To(BeNumerically(">=", 18))
		got := imported("t1-playwright-1006.log").Schedule(trace.Certain)
		Expect(got).To(HaveLen(1))
		Expect(got[0].Fault.String()).To(Equal("sever at send.submit@1#1/after with how=rst"))
	})
})
