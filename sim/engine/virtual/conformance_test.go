package virtual_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
	"bridgesim/sim/engine/chromium"
)

// The model is not believed, it is checked: one script plays on the model and on the real page in a
// real Chromium, over two sites with one seed and clocks that are moved by hand, and every answer
// of every probe must be the same.
//
//	                 ┌─► probes ──► model ──────────────────► fakesite (seed 9)   ┐
//	script, offsets ─┤                                                           ├─ equal?
//	                 └─► probes ──► probe.js in Chromium ──► fakesite/web (seed 9)┘

// every asks for all cases. Package sim/conformance compares the same two, probe by probe, in more
// states; a third of these here is enough beside it in a plain "go test".
var every = flag.Bool("conformance.full", false, "play every case, not every third")

// A case of the conformance waits for its browser most of the time. The value is set, and the flag
// does not count as given: Ginkgo, which runs the other tests here, refuses it.
func TestMain(m *testing.M) {
	if err := flag.Lookup("test.parallel").Value.Set("4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// stagehand is one side: what a script needs of it.
type stagehand struct {
	s       browser.Session
	base    string
	advance func(time.Duration)
	site    func(func(*fakesite.Site))
	reload  func()
	// posted returns the message id of the send that a click brought about, "" for none.
	posted func() string

	lines []string
	ids   []string // message id of each send, "" when nothing went out; they differ between the sides
}

func (h *stagehand) say(format string, args ...any) {
	h.lines = append(h.lines, fmt.Sprintf(format, args...))
}

// probed makes one probe call and keeps its answer. Coordinates differ, so only their being there
// counts.
func probed[A, R any](h *stagehand, p probe.Probe[A, R], args A) R {
	r, err := probe.Do(background, h.s, p, args)
	kept := r
	if c, ok := any(&kept).(*probe.ComposerState); ok && c.X != 0 && c.Y != 0 {
		c.X, c.Y = 1, 1
	}
	text, jerr := json.Marshal(kept)
	if jerr != nil {
		panic(jerr)
	}
	h.say("  %s %s %v", p.Name, text, err)
	return r
}

// look asks everything.
func (h *stagehand) look(label, id string) {
	h.say("%s", label)
	probed(h, probe.Hello, probe.HelloArgs{Nonce: "n"})
	probed(h, probe.Guard, probe.None{})
	probed(h, probe.Composer, probe.None{})
	probed(h, probe.Tail, probe.TailArgs{})
	probed(h, probe.Tail, probe.TailArgs{After: id, Limit: 1})
	answer := probed(h, probe.Turn, probe.TurnArgs{MessageID: id})
	if answer.MessageID != "" {
		args := probe.MessageArgs{MessageID: answer.MessageID}
		probed(h, probe.Text, args)
		if answer.State == probe.AnswerFinished {
			probed(h, probe.Copy, args)
		}
	}
	conversation := ""
	h.site(func(s *fakesite.Site) {
		if l := s.Conversations(); len(l) > 0 {
			conversation = l[0].ID
		}
	})
	probed(h, probe.Record, probe.RecordArgs{Conversation: conversation})
	probed(h, probe.Record, probe.RecordArgs{Conversation: conversation, After: id})
}

func (h *stagehand) do(method string, params any) {
	if err := h.s.Call(background, method, params, nil); err != nil {
		panic(err)
	}
}

// send types, arms the fence and clicks.
func (h *stagehand) send(text string) string {
	h.say("send")
	probed(h, probe.Focus, probe.None{})
	probed(h, probe.Empty, probe.None{})
	h.do(input.CommandInsertText, input.InsertTextParams{Text: text})
	here := probed(h, probe.Guard, probe.None{}).Conversation
	probed(h, probe.Fence, probe.FenceArgs{Token: "t", Text: text, Conversation: here})
	c := probed(h, probe.Composer, probe.None{})
	for _, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
		h.do(input.CommandDispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: c.X, Y: c.Y, Button: input.MouseButtonLeft, ClickCount: 1,
		})
	}
	id := h.posted()
	h.ids = append(h.ids, id)
	h.advance(0)
	probed(h, probe.Revoke, probe.None{})
	return id
}

func (h *stagehand) install() {
	if err := probe.DoInstall(background, h.s); err != nil {
		panic(err)
	}
}

// normal is a line without what differs for a good reason.
func (h *stagehand) normal(i int) string {
	if i >= len(h.lines) {
		return "(nothing)"
	}
	line := strings.ReplaceAll(h.lines[i], h.base, "BASE")
	for n, id := range h.ids {
		if id != "" {
			line = strings.ReplaceAll(line, id, fmt.Sprintf("USER-%d", n+1))
		}
	}
	h.site(func(s *fakesite.Site) {
		for _, c := range s.Conversations() {
			if c.TransientID != "" {
				line = strings.ReplaceAll(line, c.TransientID, "TRANSIENT")
			}
		}
	})
	return line
}

func (c *conformance) siteOf() *fakesite.Site {
	var script fakesite.Script
	if c.reply != "" {
		script.Handshake = []fakesite.Move{{Say: c.reply}}
	}
	return fakesite.New(fakesite.Config{
		Script: script, Timing: fakesite.Typical(), Options: c.o, Entropy: clock.Seeded(9),
	})
}

// play is the script: the same on both sides.
func (c *conformance) play(h *stagehand) {
	h.install()
	h.look("loading", "")
	h.advance(9100 * ms)
	h.look("ready", "")
	if c.o.FallbackFor > 0 {
		h.advance(c.o.FallbackFor)
	}
	id := ""
	for _, text := range c.send {
		id = h.send(text)
		done := time.Duration(0)
		for _, at := range c.at {
			h.advance(at - done)
			done = at
			h.look("after "+at.String(), id)
		}
	}
	if c.then != nil {
		h.site(c.then)
		h.advance(0)
		h.look("then", id)
	}
	if c.again {
		h.reload()
		h.install()
		h.look("loading again", id)
		h.advance(9600 * ms)
		h.look("ready again", id)
		h.advance(time.Minute)
		h.look("in the end", id)
	}
}

func (c *conformance) onModel(t *testing.T) *stagehand {
	w := newWorldOf(c.siteOf(), 8)
	t.Cleanup(w.loop.Close)
	h := &stagehand{base: base, site: func(f func(*fakesite.Site)) { f(w.site) }}
	err := w.run(func(cl *client) {
		cl.conn = must(cl.port.Dial(background))
		tab := must(cl.conn.Open(background, base+"/"))
		cl.s = must(cl.conn.Attach(background, tab))
		h.s, h.advance = cl.s, cl.sleep
		h.reload = func() { w.b.ReloadTab(tab) }
		h.posted = func() string {
			for _, e := range cl.s.Drain(nil) {
				if e.Kind == browser.MessagePosted {
					return e.MessageID
				}
			}
			return ""
		}
		c.play(h)
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestModelConformsToThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the model is not compared with a real browser")
	}
	pool := chromium.NewPool(chromium.Options{})
	t.Cleanup(func() { _ = pool.Close() })
	launchtest.Require(t)
	played := 0
	for i, c := range conformanceCases() {
		if !*every && i%3 != 0 {
			continue
		}
		played++
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := c.onModel(t)
			page := c.onChromium(t, pool, model)
			differences := 0
			for i := range max(len(model.lines), len(page.lines)) {
				m, p := model.normal(i), page.normal(i)
				if !strings.HasPrefix(m, "  ") {
					t.Logf("%s", m)
				}
				if m == p {
					continue
				}
				t.Errorf("\nmodel %s\npage  %s", m, p)
				if differences++; differences == 5 {
					t.Fatal("further differences are not shown")
				}
			}
		})
	}
	t.Logf("%d of %d cases", played, len(conformanceCases()))
}
