package wire

// DefaultObjective is HELLO's label when the caller has none: it does not read as a question.
const DefaultObjective = "建立 pi-bridge 会话"

// RequiredFeatures returns what the other side must acknowledge, in a fresh slice.
func RequiredFeatures() []string {
	return []string{"frame", "resume", "repair", "need_info"}
}

// DefaultCapabilities returns what pi can do, in declaration order, in a fresh slice.
func DefaultCapabilities() []string {
	return []string{"file.read", "file.write", "shell.local", "test.repo", "git.local"}
}

// DefaultDenials returns what pi must not do, in a fresh slice. They are spelled out because "you
// have a shell" is what makes a model propose curl: shell.local does not imply the network.
func DefaultDenials() []string {
	return []string{"net", "gui", "account", "remote.config", "remote.api"}
}

// Contract is the normative text that HELLO carries and [ContractTag] hashes, without a final line
// break.
func Contract() string { return contract }

// contract is printed in the specification's HELLO sample. The placeholder in its last line was
// never filled in by the original; it is part of the hashed text and stays.
const contract = `# PLAN pi-bridge/1
FRAME: s=<sid> r=<round> p=<prev-plan-key> q=<qid>
DECISION: continue | done | blocked | need_info
TASK: <短标识，如 fix-selector-drift>

## GOAL
一句话说明本轮要达成的目标。

## STEPS
1. 步骤一（可执行、单一职责）
2. 步骤二

## FILES
- <相对路径> :: <要做什么改动>

## COMMANDS
- <要执行的命令，没有就写 无>

## RISKS
- <风险或不确定点，没有就写 无>

## VERIFY
- <如何验证本轮成功了>

## NOTES
<可选补充>

## 代码块规则
- 整个回复只允许有 1 个代码块，就是承载上面这份方案的那一个。
- 方案里要给出代码、命令或配置时，写在这个块内部（缩进或行内反引号），不要另开代码块。
- 不要把一份方案拆成多个代码块：复制按钮一次只能取到其中一块，pi 会拿到残缺的方案。
- 块内首行必须是 # PLAN ${PROTOCOL_ID}，第二行必须是 FRAME 行，供 pi 做轮次关联。`
