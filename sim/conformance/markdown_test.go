package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// batch is how many texts one evaluation renders at most.
const batch = 200

// reading is what an arm reads from one text.
type reading struct {
	Text string
	Copy []string
}

// renderer renders texts with the page's own script in one document of the real browser:
// each as one turn that first showed a part of it, as a stream does.
const renderer = `(async (texts, code) => {
  const { TurnView } = await import("/assets/turns.js");
  const stage = document.createElement("div");
  document.querySelector(".thread").replaceChildren(stage);
  const out = [];
  for (const [i, text] of texts.entries()) {
    const id = "text-" + i;
    const turn = { key: "turn-" + id, n: i + 1, role: "assistant", id, state: "complete",
	bar: true, text };
    const view = new TurnView(turn, { family: "section", code }, () => {});
    stage.append(view.root);
    const half = text.slice(0, text.length / 2).replace(/[\uD800-\uDBFF]$/, "");
    view.show({ ...turn, state: "streaming", bar: false, text: half });
    view.show(turn);
    const read = __bridge.text({ messageId: id });
    const copy = await __bridge.copy({ messageId: id });
    if (!read.found || !read.bar || copy.failed)
      throw new Error("not rendered: " + JSON.stringify(text));
    out.push({ Text: read.text, Copy: copy.blocks });
    view.root.remove();
  }
  return out;
})(%s, %q)`

// TestMarkdownIsReadAlike: whatever a model may write, both arms read the same text and the same
// code.
func TestMarkdownIsReadAlike(t *testing.T) {
	pool := newPool(t)
	for _, view := range []string{"classic", "cm"} {
		t.Run(view, func(t *testing.T) {
			s := &State{Name: "markdown", Site: instant(fakesite.Options{CodeView: view}), Steps: steps(
				open("/"), acts("render", func(p *play) error {
					a, real := p.arm.(*chromiumArm)
					if real {
						rapid.Check(t, func(rt *rapid.T) { readAlike(rt, a, view) })
					}
					return nil
				}),
			)}
			if _, err := playChromium(context.Background(), pool, s); err != nil {
				t.Error(err)
			}
		})
	}
}

func readAlike(t *rapid.T, a *chromiumArm, view string) {
	texts := rapid.SliceOfN(markdownish, 1, batch).Draw(t, "texts")
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{"classic": "classic", "cm": "editor"}[view]
	page, err := evaluate[[]reading](a, 0, fmt.Sprintf(renderer, list, code))
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		model, err := readByModel(text, view)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range differ(Mismatch{State: "markdown", Probe: fmt.Sprintf("%q", text)}, model,
			page[i]) {
			t.Error(m)
		}
	}
}

// readByModel lets the model's site answer with the text.
func readByModel(text, view string) (r reading, err error) {
	if strings.TrimSpace(text) == "" {
		text = "x" // an empty Say is none
	}
	site := fakesite.Config{Script: saying(text), Options: fakesite.Options{CodeView: view}}
	_, err = playVirtual(&State{Name: "markdown", Site: site, Steps: steps(
		open("/"), enterText(hello), one("read", func(p *play) {
			id := last(p.known().answers)
			read := ask(p, probe.Text, probe.MessageArgs{MessageID: id})
			copied := ask(p, probe.Copy, probe.MessageArgs{MessageID: id})
			r = reading{read.Text, copied.Blocks}
		}),
	)})
	return r, err
}

// markdownish draws what models write, and what breaks readers: lines of every kind of block, put
// together in any order, indented, cut off and mixed.
var markdownish = rapid.Custom(func(t *rapid.T) string {
	lines := rapid.SliceOfN(line, 1, 12).Draw(t, "lines")
	text := strings.Join(lines, rapid.SampledFrom([]string{
		"\n", "\n", "\n", "\n\n", "\r\n",
		" \n",
	}).Draw(t, "break"))
	if rapid.IntRange(0, 5).Draw(t, "cut") == 0 && len(text) > 1 {
		cut := rapid.IntRange(1, len(text)-1).Draw(t, "at")
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	if strings.TrimFunc(text, space) == "" {
		return "x"
	}
	return text
})

func space(r rune) bool { return strings.ContainsRune(" \t\r\n\u00a0\ufeff\u3000\u2028", r) }

var line = rapid.Custom(func(t *rapid.T) string {
	indent := rapid.SampledFrom([]string{
		"", "", "", "", " ", "  ", "   ", "    ", "\t", "> ", ">",
		"- ", "   - ",
	}).Draw(t, "indent")
	mark := rapid.SampledFrom([]string{
		"", "", "", "# ", "## ", "###### ", "####### ", "#", "- ", "* ", "+ ", "1. ", "2) ", "10. ",
		"007. ", "1234567890. ",
		"-", "---", "***", "_ _ _", "- - -", "```", "```go", "````", "~~~", "~~~ js x", "``` `", "``",
		"> ", "> > ", ">- ", "| a | b |", "=== ", "-\u00a0", "\ufeff",
	}).Draw(t, "mark")
	return indent + mark + rapid.SampledFrom([]func(*rapid.T) string{
		phrase, phrase,
		nothing,
	}).Draw(t, "rest")(t)
})

func nothing(*rapid.T) string { return "" }

func phrase(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"word", "two words", "你好", "世界，", "😀", "`code`", "``a`b``", "`", "``", "` x `", "*em*",
		"**strong**", "***both***", "*", "**",
		"_low_", "[label](https://x.test/a)", "[](https://x.test)", "[x](y)",
		"[https://x.test](https://x.test)", "![i](https://x.test/i.png)",
		"[a `b` *c*](http://x.test/(d))", "\\*", "\\`", "\\", "  ", "\t", " ", "\u00a0", "<b>", "&amp;",
		"&", "#", "##", "|", "~~del~~", "1.", "-", ":：", "“q”",
		"$x$", "https://x.test/?a=1&b=*", "```", "\u2028", "e\u0301", "\u3000", "\ufeff", "\x00",
		"a\vb",
	}), 1, 6).Draw(t, "parts"), rapid.SampledFrom([]string{"", "", " "}).Draw(t, "glue"))
}
