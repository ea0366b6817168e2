package wire

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The values of the specification's samples.
const (
	sampleSID     = "9f83a7c1d42e650b"
	sampleRequest = "示例请求"
	sampleLabel   = "示例目标"
	sampleKey     = "a1b2c3d4"
)

func sampleOffer() Offer {
	return NewOffer(sampleSID, sampleRequest, sampleLabel, DefaultCapabilities(), DefaultDenials())
}

func sampleFrame() Frame {
	return Frame{SID: sampleSID, Round: 2, Prev: sampleKey, QID: QID(sampleRequest)}
}

func golden(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func fenced(s string) string { return "```\n" + s + "\n```" }

// planText is a whole PLAN for the sample frame.
func planText() string {
	return `# PLAN pi-bridge/1
` + sampleFrame().String() + `
DECISION: continue
TASK: fix-selector-drift

## GOAL
让选择器在改版后仍然找到发送按钮。

## STEPS
1. 读取 src/page/selectors.ts 的现有选择器
2. 改成按 data-testid 查找
   - 保留旧选择器作为后备

## FILES
- src/page/selectors.ts :: 改用 data-testid
- test/selectors.test.ts :: 加一个改版页面的用例

## COMMANDS
- npm test

## RISKS
- 无

## VERIFY
- npm test 全绿

## NOTES
无`
}

func faultText(faults []Fault) string {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

func codeText(codes []Code) string {
	words := make([]string, len(codes))
	for i, c := range codes {
		words[i] = string(c)
	}
	return strings.Join(words, ",")
}
