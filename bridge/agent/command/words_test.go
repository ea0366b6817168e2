package command_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge/agent/command"
)

var _ = DescribeTable("Words", func(line string, want ...string) {
	Expect(command.Words(line)).To(Equal(want))
},
	Entry(nil, "sim", "sim"),
	Entry(nil, " sim  agent\t--takes\n2s ", "sim", "agent", "--takes", "2s"),
	Entry(nil, `sim --ledger '/my files/x'`, "sim", "--ledger", "/my files/x"),
	Entry(nil, `a"b c"'d e'f ''`, "ab cd ef", ""),
	Entry(nil, `"a \"b\" \n \\"`, `a "b" \n \`),
	Entry(nil, `'a \ b' c\ d \'`, `a \ b`, "c d", "'"),
	Entry("nothing of a shell", "x $HOME `id` $(id) a;b &c |d >e *", "x", "$HOME", "`id`", "$(id)",
		"a;b",
		"&c", "|d", ">e", "*"),
)

var _ = DescribeTable("Words refuses", func(line, want string) {
	_, err := command.Words(line)
	Expect(err).To(MatchError(ContainSubstring(want)))
},
	Entry(nil, "", "got nothing"),
	Entry(nil, " \t\n", "got nothing"),
	Entry(nil, "a 'b", "not closed"),
	Entry(nil, `a "b\"`, "not closed"),
	Entry(nil, `a \`, "last backslash"),
)

// TestWordsUndoQuoting: what a shell's quoting makes one word is that word again.
func TestWordsUndoQuoting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "words")
		quoted := make([]string, len(want))
		for i, w := range want {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		got, err := command.Words(strings.Join(quoted, " "))
		if err != nil || strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}
