package conformance

import (
	"fmt"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// The steps. Each is a list, so that a script is written with steps(…).

func one(name string, do func(p *play)) []Step { return []Step{{Name: name, do: do}} }

func steps(parts ...[]Step) []Step {
	var out []Step
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

// once makes one step of several: nothing is asked in between.
func once(name string, parts ...[]Step) []Step {
	all := steps(parts...)
	return one(name, func(p *play) {
		for i := range all {
			all[i].do(p)
		}
	})
}

// acts are steps of the arm alone.
func acts(name string, do func(p *play) error) []Step {
	return one(name, func(p *play) {
		if p.err == nil {
			p.fail(do(p))
		}
	})
}

func open(path string) []Step {
	return acts("open "+path, func(p *play) error {
		p.tab = p.arm.tabs()
		return p.arm.open(path)
	})
}

func load(path string) []Step {
	return acts("load "+path, func(p *play) error { return p.arm.load(p.tab, path) })
}

// inChat makes a step of the address of the newest chat.
func inChat(name string, do func(p *play, path string) error) []Step {
	return acts(name, func(p *play) error {
		path := "/c/" + unknown
		p.site(func(_ time.Time, site *fakesite.Site) {
			if all := site.Conversations(); len(all) > 0 {
				path = "/c/" + all[0].ID
			}
		})
		return do(p, path)
	})
}

func loadChat() []Step {
	return inChat("load the chat", func(p *play,
		path string,
	) error {
		return p.arm.load(p.tab, path)
	})
}

func openChat() []Step {
	return inChat("open the chat in a new tab", func(p *play, path string) error {
		p.tab = p.arm.tabs()
		return p.arm.open(path)
	})
}

func reload() []Step {
	return acts("reload", func(p *play) error { return p.arm.reload(p.tab) })
}

// onTab makes the following steps act on another tab.
func onTab(tab int) []Step {
	return one(fmt.Sprintf("on tab %d", tab), func(p *play) { p.tab = tab })
}

func follow(path string) []Step {
	return acts("follow the link "+path, func(p *play) error { return p.arm.follow(p.tab, path) })
}

func followChat() []Step {
	return inChat("follow the link to the chat", func(p *play, path string) error {
		return p.arm.follow(p.tab, path)
	})
}

func focus() []Step {
	return one("focus", func(p *play) { ask(p, probe.Focus, probe.None{}) })
}

func empty() []Step {
	return one("empty", func(p *play) { ask(p, probe.Empty, probe.None{}) })
}

// fence arms the token for the conversation that the tab shows.
func fence(text string) []Step {
	return one("fence", func(p *play) { armFor(p, p.shown(), text) })
}

// fenceFor arms the token for a conversation, whatever the tab shows.
func fenceFor(conversation, text string) []Step {
	return one("fence for "+strconv.Quote(conversation), func(p *play) {
		armFor(p, conversation, text)
	})
}

func armFor(p *play, conversation, text string) {
	ask(p, probe.Fence, probe.FenceArgs{Token: "token", Text: text, Conversation: conversation})
}

// shown is the conversation that the tab shows.
func (p *play) shown() string { return ask(p, probe.Guard, probe.None{}).Conversation }

func revoke() []Step {
	return one("revoke", func(p *play) { ask(p, probe.Revoke, probe.None{}) })
}

func unfence() []Step {
	return one("unfence", func(p *play) { ask(p, probe.Unfence, probe.None{}) })
}

// insert types without looking for the focus.
func insert(text string) []Step {
	return acts(fmt.Sprintf("insert %q", head(text)), func(p *play) error {
		_, err := browser.Call(p.ctx, p.arm.session(p.tab), input.InsertText,
			input.InsertTextParams{Text: text})
		return err
	})
}

func head(text string) string {
	if r := []rune(text); len(r) > 24 {
		return string(r[:24]) + "…"
	}
	return text
}

// write types into the composer.
func write(text string) []Step {
	return once(fmt.Sprintf("write %q", head(text)), focus(), insert(text))
}

// press clicks where the send button stands, whether it is enabled or not.
func press() []Step {
	return acts("press send", func(p *play) error {
		c := ask(p, probe.Composer, probe.None{})
		if p.err != nil || c.X == 0 && c.Y == 0 {
			return p.err
		}
		return p.arm.click(p.tab, c.X, c.Y)
	})
}

func stop() []Step {
	return acts("press stop", func(p *play) error { return p.arm.stop(p.tab) })
}

const shift = 8 // of DispatchKeyEventParams.Modifiers

func enter() []Step {
	return acts("press Enter", func(p *play) error { return p.arm.enter(p.tab, 0) })
}

func shiftEnter() []Step {
	return acts("press Shift+Enter", func(p *play) error { return p.arm.enter(p.tab, shift) })
}

// send writes and clicks.
func send(text string) []Step { return steps(write(text), press()) }

func advance(d time.Duration) []Step {
	return acts("advance "+d.String(), func(p *play) error { return p.arm.advance(d) })
}

// until advances to a moment of the newest answer, and d beyond it.
func until(name string, moment func(m *fakesite.Message) time.Time, d time.Duration) []Step {
	return acts(fmt.Sprintf("until %s %+d ms", name, d.Milliseconds()), func(p *play) error {
		var wait time.Duration
		p.site(func(now time.Time, site *fakesite.Site) {
			if all := site.Conversations(); len(all) > 0 && all[0].Last() != nil {
				wait = moment(all[0].Last()).Add(d).Sub(now)
			}
		})
		return p.arm.advance(max(0, wait)) // an end that has passed, or never comes, is not waited for
	})
}

func untilText(d time.Duration) []Step {
	return until("the first text",
		func(m *fakesite.Message) time.Time { return m.Course.TextFrom() }, d)
}

func untilEnd(d time.Duration) []Step {
	return until("the end", func(m *fakesite.Message) time.Time { return m.Course.Ends() }, d)
}

func change(name string, f func(now time.Time, site *fakesite.Site)) []Step {
	return one(name, func(p *play) { p.site(f) })
}

func block(b fakesite.Blocker) []Step {
	return change("block "+string(b), func(_ time.Time, site *fakesite.Site) { site.Block(b) })
}

func option(name string, f func(o *fakesite.Options)) []Step {
	return change("set "+name, func(_ time.Time, site *fakesite.Site) { f(site.Options()) })
}

// onChat changes the newest conversation.
func onChat(name string, f func(now time.Time, site *fakesite.Site,
	c *fakesite.Conversation),
) []Step {
	return change(name, func(now time.Time, site *fakesite.Site) {
		if all := site.Conversations(); len(all) > 0 {
			f(now, site, all[0])
		}
	})
}

func scroll(direction int) []Step {
	return acts(fmt.Sprintf("scroll %+d", direction), func(p *play) error {
		return p.arm.scroll(p.tab, direction)
	})
}

func choose(which int) []Step {
	return acts(fmt.Sprintf("choose response %d", which), func(p *play) error {
		k := p.known()
		return p.arm.choose(p.tab, last(k.answers), which)
	})
}

func dismiss() []Step {
	return acts("dismiss the dialog", func(p *play) error { return p.arm.dismiss(p.tab) })
}

// deadFence puts the fence up without arming it.
func deadFence(text string) []Step {
	return one("dead fence", func(p *play) {
		ask(p, probe.Fence, probe.FenceArgs{
			Token: "token", Text: text, Conversation: p.shown(), Dead: true,
		})
	})
}

// enterText writes and sends in one step.
func enterText(text string) []Step { return once("send "+head(text), write(text), enter()) }

// said is one exchange to its end, looked at only then.
func said(text string) []Step {
	return once("said "+head(text), write(text), press(), advance(time.Second), answered())
}

// renewed is a reload and what comes of it.
func renewed() []Step { return once("renewed", reload(), advance(hydrated)) }
