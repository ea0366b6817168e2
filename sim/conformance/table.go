package conformance

import (
	"strings"
	"time"

	"bridgesim/fakesite"
)

// Texts that states send and receive.
const (
	sid = "9f83a7c1d42e650b"

	hello = "# HELLO pi-bridge/1\nS: " + sid + "\nHV: 1\nCV: 2 p2.478d1ef2\nCAP: c1.5f3a9b0e\n" +
		"QID: e1db9b58\nREQ: frame,resume,repair,need_info\n\n## CONTRACT\n请按约定作答。\n\n\n\n```text\na  " +
		"b\n```"
	round = "# ROUND pi-bridge/1\nFRAME: s=" + sid + " r=1 p=- q=e1db9b58\n\n## 用户请求\n示例  请求"
	again = "# REPAIR pi-bridge/1\nFRAME: s=" + sid + " r=1 p=- q=e1db9b58\nERRORS: E_PARSE"
	back  = "# RESUME pi-bridge/1\nS: " + sid + "\nHV: 1\nCV: 2 p2.478d1ef2\nCAP: c1.5f3a9b0e\n" +
		"CK: 0:-\nNEXT: 1"

	story = "# 标题 One\n\nFirst *line* with `code`,\nsecond **line** — 你好，世界 😀\n\n```go\nfunc main() " +
		"{\n\tprintln(\"你好\")\n\n}\n```\n\n1. one\n2. two\n   - nested\n\n> quoted\n\nThe end of " +
		"[it](https://x.test/a).\n"
	short = "好的。"
	lines = "first line\n\n  indented  line\n```js\nlet a = 1;\n```\n\n\nlast"
)

// saying is a persona that answers every HELLO with one text.
func saying(text string) fakesite.Script {
	return fakesite.Script{Handshake: []fakesite.Move{
		{Say: text},
		{Say: text},
		{Say: text},
		{Say: text},
	}}
}

// typical has the measured times; story comes in a dozen pieces.
func typical(o fakesite.Options) fakesite.Config {
	return fakesite.Config{Timing: fakesite.Typical(), Script: saying(story), Options: o}
}

// instant has no waits.
func instant(o fakesite.Options) fakesite.Config {
	return fakesite.Config{Timing: fakesite.Instant(), Script: saying(story), Options: o}
}

// planning answers rounds as the persona does by itself, in typical time.
func planning(o fakesite.Options) fakesite.Config {
	return fakesite.Config{Timing: fakesite.Typical(), Options: o}
}

const hydrated = 10 * time.Second

func arrive() []Step { return once("arrive", open("/"), advance(hydrated)) }

// answered goes on until everything about an answer is over.
func answered() []Step { return untilEnd(3 * time.Second) }

// watched is one exchange, looked at in each of its moments.
func watched(text string) []Step {
	return steps(
		send(text), advance(436*time.Millisecond), advance(time.Millisecond),
		advance(563*time.Millisecond),
		untilText(-time.Millisecond), untilText(0), untilText(160*time.Millisecond),
		untilText(480*time.Millisecond),
		untilEnd(-time.Millisecond), untilEnd(0), untilEnd(299*time.Millisecond),
		untilEnd(300*time.Millisecond),
		write("next"), untilEnd(1999*time.Millisecond), untilEnd(2*time.Second), advance(time.Minute),
	)
}

// glanced is watched with fewer looks.
func glanced(text string) []Step {
	return steps(
		send(text), advance(time.Second), untilText(0), untilText(320*time.Millisecond),
		untilEnd(0), untilEnd(time.Second), advance(time.Minute),
	)
}

// States are all that the suite plays: every switch of the site, every blocker, family, fault and
// deviation, and every moment of a page.
func States() []State {
	var all []State
	for _, part := range [][]State{
		pageStates(), composerStates(), fenceStates(), sendStates(), answerStates(), markStates(),
		familyStates(), turnStates(), faultStates(), blockerStates(), recordStates(), copyStates(),
		deviationStates(),
	} {
		all = append(all, part...)
	}
	return all
}

func pageStates() []State {
	fallback := typical(fakesite.Options{FallbackFor: 20 * time.Second})
	return []State{
		{Name: "a page hydrates", Site: typical(fakesite.Options{}), Steps: steps(
			open("/"), advance(2899*time.Millisecond), advance(time.Millisecond), focus(), insert("lost"),
			advance(6199*time.Millisecond), advance(time.Millisecond), insert("no focus"), renewed(),
		)},
		{Name: "only the fallback text area stands", Site: fallback, Steps: steps(
			open("/"), advance(10*time.Second), focus(), empty(), fence(hello),
			advance(12899*time.Millisecond),
			advance(time.Millisecond), write("text"), said(hello),
		)},
		{Name: "addresses", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), load("/?temporary-chat=true"), send("hi"), reload(), load("/c/"+unknown),
			send("hi"),
			load("/c/WEB:"+unknown), load("/?q=a%20b"), load("/auth/login"),
		)},
		{
			Name: "title and links", Site: instant(fakesite.Options{
				Title:     "Fakes & <titles>",
				OtherStop: true,
			}),
			Steps: steps(
				open("/"), send(hello), write("draft"), follow("/"), write(" more"), followChat(),
				send(hello),
			),
		},
		{
			Name: "another conversation is shown while a send waits for its commit",
			Site: typical(fakesite.Options{}),
			Steps: steps(
				arrive(), said(hello), send(hello), follow("/"), advance(time.Second), followChat(),
				advance(time.Minute),
			),
		},
		{Name: "reload in the middle of an answer", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), send(hello), advance(time.Second), untilText(160*time.Millisecond), loadChat(),
			advance(hydrated), renewed(),
		)},
		{
			Name: "reload while it thinks", Site: fakesite.Config{
				Timing: fakesite.SlowThinking(),
				Script: saying(story),
			},
			Steps: steps(
				arrive(), send(hello), advance(5*time.Second), renewed(), untilText(0), advance(time.Minute),
			),
		},
		{Name: "reload before the commit", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), send(hello), loadChat(), advance(hydrated), advance(time.Minute),
		)},
		{Name: "a second tab", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), send(hello), openChat(), advance(time.Second), advance(hydrated), onTab(1),
			write("from the other"),
			onTab(0), said(hello), onTab(1), press(), advance(time.Second), advance(time.Minute),
		)},
		{Name: "two tabs of one chat send at once", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), said(hello), openChat(), advance(hydrated), send("one"), onTab(0), send("two"),
			advance(time.Second), advance(time.Minute),
		)},
	}
}

func composerStates() []State {
	draft := fakesite.Options{
		DraftRestored: "old\ndraft", DraftAfter: time.Second,
		LateWipe: 2 * time.Second,
	}
	early := fakesite.Options{
		DraftRestored: "old draft", DraftAfter: 3 * time.Second,
		LateWipe: time.Second,
	}
	return []State{
		{Name: "texts in the composer", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), focus(), insert(" "), insert("\t"), empty(), insert("one"), insert(" more"),
			shiftEnter(), insert("two\n\nthree"),
			empty(), insert(lines), insert("\r\nx\ry\n"), empty(), insert("\n\n"),
			insert("😀 你好\u00a0\u202f\u2028z\ufeff"), empty(),
			insert(strings.Repeat("长文本 and more\n", 400)), empty(), insert("\u00a0"), empty(),
			shiftEnter(), shiftEnter(),
		)},
		{Name: "what is written is sent", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), send(lines), send("  padded \n"), send("a\u00a0b  c\tд"), send("\ttab"),
			write("two\nlines\n"), enter(), send(hello), enter(), shiftEnter(), press(),
		)},
		{Name: "no-break spaces", Site: instant(fakesite.Options{NBSP: true}), Steps: steps(
			open("/"), write("a  b   c    d \n  e"), fence("a  b   c    d \n  e"), press(), send(hello),
			write("x  "), insert(" y"), empty(),
		)},
		{Name: "a draft comes back, a late wipe takes it", Site: typical(draft), Steps: steps(
			arrive(), write("typed"), advance(99*time.Millisecond), advance(time.Millisecond),
			insert(" more"),
			advance(time.Second), write("again"), press(), advance(time.Minute), reload(),
			advance(20*time.Second),
		)},
		{Name: "a late wipe, then a draft", Site: typical(early), Steps: steps(
			arrive(), write("typed"), advance(100*time.Millisecond), write("again"),
			advance(2*time.Second), send(" x"), advance(time.Minute),
		)},
		{
			Name: "a draft at once, and another chat",
			Site: instant(fakesite.Options{DraftRestored: "draft"}),
			Steps: steps(
				open("/"), press(), follow("/"), write("x"), followChat(), reload(),
			),
		},
		{Name: "clicks that do nothing", Site: instant(fakesite.Options{SendNoop: 2}), Steps: steps(
			open("/"), write("one"), press(), press(), press(), write("two"), press(), reload(),
			write("three"), focus(), enter(),
		)},
	}
}

func fenceStates() []State {
	return []State{
		{Name: "the fence lets one act pass", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), fence(hello), revoke(), write(hello), fence(hello), press(), write(hello), press(),
			focus(), enter(),
			revoke(), press(), unfence(), press(),
		)},
		{Name: "the fence and Enter", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), write(hello), fence(hello), enter(), write(hello), enter(), shiftEnter(), enter(),
			revoke(), unfence(), enter(),
		)},
		{Name: "a dead fence", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), deadFence(hello), write(hello), press(), focus(), enter(), fence(hello), press(),
		)},
		{Name: "the fence and other texts", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), fence(hello), write("draft "+hello), press(), focus(), enter(), empty(),
			write("mine"), press(),
			write(hello+" \n\n"), press(), write(strings.Join(strings.SplitN(hello, "\n", 3)[:2], "\n")),
			press(),
		)},
		{Name: "the fence and a short text", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), fence("short"), write("a short text"), press(), write("short"), press(),
			write(" short\u00a0"), press(), enter(),
		)},
		{Name: "the fence under a blocker", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), write(hello), fence(hello), block(fakesite.BlockRate), focus(), enter(),
			block(fakesite.Unblocked), press(),
		)},
		{
			Name: "a click that does nothing spends the token",
			Site: instant(fakesite.Options{SendNoop: 1}),
			Steps: steps(
				open("/"), write(hello), fence(hello), press(), press(), fence(hello), press(),
			),
		},
		{Name: "the fence is for one conversation", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), said(hello), write(round), fence(round), follow("/"), press(), focus(), enter(),
			followChat(), press(), said(again),
		)},
		{Name: "the fence of a new chat", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), said(hello), follow("/"), write(round), fence(round), followChat(), press(),
			focus(), enter(), revoke(), follow("/"), press(),
		)},
		{Name: "the fence for another conversation", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), said(hello), write(round), fenceFor("", round), press(), fenceFor(unknown, round),
			press(), follow("/"), press(), fence(round), press(),
		)},
		{Name: "the fence and an address that comes", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), write(hello), fence(hello), press(), write(hello), fence(hello), advance(time.Minute),
			press(), revoke(),
		)},
		{Name: "the fence is for one composer", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), write(hello), fence(hello),
			option("Editor lexical", func(o *fakesite.Options) { o.Editor = "lexical" }),
			press(), fence(hello), press(),
		)},
		{Name: "a new document has no fence", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), write(hello), fence(hello), reload(), write(hello), press(), fence(hello),
			follow("/"), write(hello), press(),
		)},
	}
}

func sendStates() []State {
	never := typical(fakesite.Options{
		NoAddress: true,
		Faults:    fakesite.Faults{Never: fakesite.Nth{1}},
	})
	return []State{
		{
			Name: "one send, moment by moment", Site: typical(fakesite.Options{}),
			Steps: steps(arrive(), watched(hello), press(), advance(time.Minute)),
		},
		{
			Name: "a transient address", Site: typical(fakesite.Options{Transient: true}),
			Steps: steps(arrive(), watched(hello), renewed()),
		},
		{
			Name: "a transient address is loaded anew", Site: typical(fakesite.Options{Transient: true}),
			Steps: steps(
				arrive(), send(hello), advance(time.Second), renewed(), advance(time.Minute),
			),
		},
		{
			Name: "no address before the end", Site: typical(fakesite.Options{NoAddress: true}),
			Steps: steps(arrive(), watched(hello)),
		},
		{
			Name: "no address ever", Site: never,
			Steps: steps(arrive(), send(hello), advance(time.Hour), renewed()),
		},
		{
			Name:  "no address but a transient one",
			Site:  typical(fakesite.Options{NoAddress: true, Transient: true}),
			Steps: steps(arrive(), glanced(hello)),
		},
		{Name: "a temporary chat", Site: typical(fakesite.Options{}), Steps: steps(
			open("/?temporary-chat=true"), advance(hydrated), glanced(hello), said(hello), renewed(),
		)},
		{
			Name: "sends while an answer runs", Site: typical(fakesite.Options{NoStop: true}),
			Steps: steps(
				arrive(), send(hello), focus(), enter(), press(), advance(time.Second), send("early"),
				enter(),
				untilEnd(time.Second), press(), untilEnd(2*time.Second), press(), advance(time.Minute),
			),
		},
		{Name: "stop", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), send(hello), advance(time.Second), untilText(320*time.Millisecond), stop(),
			advance(299*time.Millisecond),
			advance(time.Millisecond), advance(time.Minute), said(hello),
		)},
		{Name: "stop before any text", Site: typical(fakesite.Options{}), Steps: steps(
			arrive(), send(hello), advance(2*time.Second), stop(), advance(time.Minute), renewed(),
		)},
		{Name: "a page that freezes", Site: typical(fakesite.Options{Freeze: true}), Steps: steps(
			arrive(), send(hello), advance(time.Second), insert(" more"), press(), empty(),
			advance(time.Minute), openChat(), advance(hydrated),
			onTab(0), loadChat(), advance(hydrated),
		)},
	}
}
