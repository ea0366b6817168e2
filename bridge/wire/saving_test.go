package wire

import (
	"strconv"
	"strings"
	"testing"
)

// driftRepair is the fixture "selector drift": one task in eight rounds, as a user would have it.
var driftRepair = struct {
	request  string
	receipts []string // of rounds 1 to 7, carried by rounds 2 to 8
}{
	request: "ChatGPT 网页改版后发送按钮的选择器失效了。请修复 src/page/selectors.ts，让它在新旧两版页面上都能工作，" +
		"补上测试，并保证 npm test 全绿。不要改动公开 API。",
	receipts: []string{
		"已读取 src/page/selectors.ts（142 行）：发送按钮按 aria-label 查找，新版页面的标签是本地化文本。",
		"已改为先按 data-testid 查找。npm test：41 通过，2 失败（composer.test.ts:88、composer.test.ts:103）。",
		"composer.test.ts:88 的夹具缺少 data-testid，已补上。npm test：42 通过，1 失败（composer.test.ts:103）。",
		"composer.test.ts:103 期望旧选择器优先；按方案改为期望新选择器优先。npm test：43 通过。",
		"新增 test/fixtures/page-2025.html 与 3 个用例。npm test：46 通过。npx tsc --noEmit 无错误。",
		"eslint 报 1 个警告：selectors.ts:57 未使用的变量 legacyLabel。已删除。npm test：46 通过。",
		"git diff --stat：4 files changed, 118 insertions(+), 23 deletions(-)。公开 API 未变。",
	},
}

// driftMessages are the messages that pi sends over the fixture.
func driftMessages() (o Offer, rounds []string) {
	o = NewOffer(sampleSID, driftRepair.request, "修复选择器漂移", DefaultCapabilities(), DefaultDenials())
	f := Frame{SID: o.SID, Round: 1, Prev: NoPlan, QID: o.QID}
	rounds = append(rounds, FirstRound(f, driftRepair.request))
	for i, receipt := range driftRepair.receipts {
		f.Round, f.Prev = i+2, PlanKey("plan "+strconv.Itoa(i+1))
		rounds = append(rounds, NextRound(f, receipt))
	}
	return o, rounds
}

// TestRoundsRepeatNothing: "The contract, the capabilities and the root request are not repeated".
func TestRoundsRepeatNothing(t *testing.T) {
	o, rounds := driftMessages()
	static := []string{
		Contract(), "## GOAL", "代码块规则", "DECISION", "CAPS", "DENY", "shell.local",
		strings.Join(o.Capabilities, ","), strings.Join(o.Denials, ","), o.Contract, o.Cap,
		driftRepair.request, RequestHeading,
	}
	for i, text := range rounds[1:] {
		for _, s := range static {
			if strings.Contains(text, s) {
				t.Errorf("ROUND %d holds %.30q", i+2, s)
			}
		}
		if m, err := ParseMessage(text); err != nil || m.Request != "" || m.Receipt == "" ||
			m.Frame.Round != i+2 {
			t.Errorf("ROUND %d: %+v %v", i+2, m, err)
		}
	}
	if n := strings.Count(strings.Join(append(rounds, o.Hello(), o.Resync()), "\n"),
		driftRepair.request); n != 1 {
		t.Errorf("the request is sent %d times, want exactly once per qid", n)
	}
}

// saving compares HELLO once and rounds with a wire that sends contract and capabilities again in
// each round.
func saving() (sent, resent int, ratio float64) {
	o, rounds := driftMessages()
	static := len(Contract()) + len("\n\nCAPS:\n") + len(strings.Join(o.Capabilities, ",")) +
		len("\n\nDENY:\n") + len(strings.Join(o.Denials, ",")) + len("\n\n")
	sent = len(o.Hello())
	for _, text := range rounds {
		sent += len(text)
		resent += len(text) + static
	}
	return sent, resent, 1 - float64(sent)/float64(resent)
}

// TestTokenSaving: the specification measured 59 % over 8 rounds of its own task. Ours is in bytes,
// over the fixture "selector drift".
func TestTokenSaving(t *testing.T) {
	sent, resent, ratio := saving()
	t.Logf("selector drift, 8 rounds: %d bytes instead of %d, %.1f %% saved", sent, resent,
		100*ratio)
	if ratio <= 0.5 {
		t.Errorf("saved %.1f %%, want more than 50 %%", 100*ratio)
	}
}

func BenchmarkTokenSaving(b *testing.B) {
	var ratio float64
	for b.Loop() {
		_, _, ratio = saving()
	}
	b.ReportMetric(100*ratio, "%saved")
}
