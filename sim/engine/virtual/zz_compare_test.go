package virtual_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/sim/engine/chromium"
)

type manual struct {
	mu  sync.Mutex
	now time.Time
	ch  chan struct{}
}

func (m *manual) Now() time.Time { m.mu.Lock(); defer m.mu.Unlock(); return m.now }
func (m *manual) Sleep(ctx context.Context, d time.Duration) error {
	m.mu.Lock()
	until := m.now.Add(d)
	m.mu.Unlock()
	for {
		m.mu.Lock()
		done, ch := !m.now.Before(until), m.ch
		m.mu.Unlock()
		if done {
			return ctx.Err()
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
func (m *manual) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}
func (m *manual) advance(d time.Duration) {
	m.mu.Lock()
	m.now = m.now.Add(d)
	close(m.ch)
	m.ch = make(chan struct{})
	m.mu.Unlock()
}

type cside struct {
	s       browser.Session
	advance func(time.Duration)
	do      func(func(*fakesite.Site))
	base    string
	out     []string
	repl    []string
}

func rec[A, R any](c *cside, label string, p probe.Probe[A, R], args A) R {
	r, err := probe.Do(context.Background(), c.s, p, args)
	b, _ := json.Marshal(r)
	c.out = append(c.out, fmt.Sprintf("%s %s: %s %v", label, p.Name, b, err))
	return r
}

func (c *cside) look(label, id string) {
	rec(c, label, probe.Guard, probe.None{})
	r, err := probe.Do(context.Background(), c.s, probe.Composer, probe.None{})
	if r.X != 0 {
		r.X, r.Y = 1, 1
	}
	b, _ := json.Marshal(r)
	c.out = append(c.out, fmt.Sprintf("%s composer: %s %v", label, b, err))
	rec(c, label, probe.Tail, probe.TailArgs{})
	t := rec(c, label, probe.Turn, probe.TurnArgs{MessageID: id})
	if t.MessageID != "" {
		rec(c, label, probe.Text, probe.MessageArgs{MessageID: t.MessageID})
		if t.State == probe.AnswerFinished {
			rec(c, label, probe.Copy, probe.MessageArgs{MessageID: t.MessageID})
		}
	}
	var conv string
	c.do(func(s *fakesite.Site) {
		if l := s.Conversations(); len(l) > 0 {
			conv = l[0].ID
		}
	})
	rec(c, label, probe.Record, probe.RecordArgs{Conversation: conv, After: id})
	rec(c, label, probe.Record, probe.RecordArgs{Conversation: conv})
}

func (c *cside) say(text string) string {
	ctx := context.Background()
	rec(c, "say", probe.Focus, probe.None{})
	rec(c, "say", probe.Empty, probe.None{})
	if err := c.s.Call(ctx, "Input.insertText", input.InsertTextParams{Text: text}, nil); err != nil {
		panic(err)
	}
	rec(c, "say", probe.Fence, probe.FenceArgs{Token: "t", Text: text})
	st, _ := probe.Do(ctx, c.s, probe.Composer, probe.None{})
	c.s.Drain(nil)
	for _, k := range []input.DispatchMouseEventType{"mousePressed", "mouseReleased"} {
		if err := c.s.Call(ctx, "Input.dispatchMouseEvent", input.DispatchMouseEventParams{
			Type: k, X: st.X, Y: st.Y, Button: "left", ClickCount: 1}, nil); err != nil {
			panic(err)
		}
	}
	id := ""
	for range 300 {
		for _, e := range c.s.Drain(nil) {
			if e.Kind == browser.MessagePosted {
				id = e.MessageID
			}
		}
		if id != "" || strings.HasPrefix(c.base, "https://chatgpt") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if id != "" {
		c.repl = append(c.repl, id, fmt.Sprintf("USER%d", len(c.repl)))
		if !strings.HasPrefix(c.base, "https://chatgpt") {
			for range 300 {
				n := 0
				c.do(func(s *fakesite.Site) { n = len(s.Ledger().Entries()) })
				ok := false
				c.do(func(s *fakesite.Site) {
					for _, e := range s.Ledger().Entries() {
						ok = ok || e.MessageID == id
					}
				})
				if ok {
					break
				}
				_ = n
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	c.advance(0)
	rec(c, "said", probe.Revoke, probe.None{})
	return id
}

func script(c *cside, text string, offsets []time.Duration, mid func(*fakesite.Site)) {
	if err := probe.DoInstall(context.Background(), c.s); err != nil {
		panic(err)
	}
	rec(c, "0", probe.Hello, probe.HelloArgs{Nonce: "n"})
	rec(c, "0", probe.Guard, probe.None{})
	c.advance(9100 * time.Millisecond)
	c.look("ready", "")
	id := c.say(text)
	at := time.Duration(0)
	for _, o := range offsets {
		c.advance(o - at)
		at = o
		c.look(o.String(), id)
	}
	if mid != nil {
		c.do(mid)
		c.advance(0)
		c.look("mid", id)
	}
	rec(c, "end", probe.Hello, probe.HelloArgs{Nonce: "n"})
}

func TestCompare(t *testing.T) {
	if os.Getenv("COMPARE") == "" {
		t.Skip()
	}
	pool := chromium.NewPool(chromium.Options{})
	defer pool.Close()
	type kase struct {
		name  string
		o     fakesite.Options
		say   string
		mid   func(*fakesite.Site)
		reply string
	}
	md := "# Title\n\nsome **bold *x*** text `code` with [l](https://a.b/c) and \\*esc\\* a  b\n two \nline\n\n- one\n- two\n  more\n\n  para\n  - deep\n\n1. a\n2. b\n\n> quote\n> more\n\n---\n\n```sh\nnpm test\n\n  x\n```\n\n~~~\ntilde ``` x\n~~~\n\n  ```go\n  ind\n    ent\n  ```\n* s\n\n`a``b` `` c`d `` `` ` `` 2 * 3 ** 4 ***x*** *a\n\nend"
	hello := offer().Hello()
	cases := []kase{
		{name: "default", say: hello}, {name: "md", say: hello, reply: md},
		{name: "mdcm", say: hello, reply: md, o: fakesite.Options{CodeView: "cm"}},
		{name: "article", say: hello, o: fakesite.Options{Family: "article"}},
		{name: "li", say: hello, o: fakesite.Options{Family: "li"}},
		{name: "b", say: hello, o: fakesite.Options{Family: "b"}},
		{name: "nobar", say: hello, o: fakesite.Options{NoBar: true}},
		{name: "early", say: hello, o: fakesite.Options{EarlyBar: true}},
		{name: "flicker", say: hello, o: fakesite.Options{StopFlicker: true}},
		{name: "nostop", say: hello, o: fakesite.Options{NoStop: true, OtherStop: true, AnswerNow: true}},
		{name: "transient", say: hello, o: fakesite.Options{Transient: true}},
		{name: "noaddress", say: hello, o: fakesite.Options{NoAddress: true}},
		{name: "userhtml", say: "# A b  c\n* d\n  e\n```\nx\n```\n", o: fakesite.Options{UserHTML: true, UserNotice: true}},
		{name: "userhtml2", say: "```\nx\ny\n```\n", o: fakesite.Options{UserHTML: true}},
		{name: "nested", say: hello, o: fakesite.Options{Nested: true}},
		{name: "draft", say: hello, o: fakesite.Options{DraftRestored: "draft "}},
		{name: "nbsp", say: "a  b   c    d\n  e", o: fakesite.Options{NBSP: true}},
		{name: "copybroken", say: hello, o: fakesite.Options{CopyBroken: true}},
		{name: "copystale", say: hello, o: fakesite.Options{CopyStale: true}},
		{name: "rec503", say: hello, o: fakesite.Options{RecordStatus: 503}},
		{name: "recempty", say: hello, o: fakesite.Options{RecordEmpty: true}},
		{name: "preamble", say: hello, o: fakesite.Options{Preamble: "let me **see**"}},
		{name: "canvas", say: hello, o: fakesite.Options{Canvas: true}},
		{name: "deferral", say: hello, o: fakesite.Options{Deferral: true, ChallengeScript: true}},
		{name: "approval", say: hello, o: fakesite.Options{ToolApproval: true}},
		{name: "failbefore", say: hello, o: fakesite.Options{Faults: fakesite.Faults{FailBefore: fakesite.Nth{1}}}},
		{name: "failmid", say: hello, o: fakesite.Options{Faults: fakesite.Faults{FailMid: fakesite.Nth{1}}}},
		{name: "failafter", say: hello, o: fakesite.Options{Faults: fakesite.Faults{FailAfter: fakesite.Nth{1}}}},
		{name: "500", say: hello, o: fakesite.Options{Faults: fakesite.Faults{ServerError: fakesite.Nth{1}}}},
		{name: "a500", say: hello, o: fakesite.Options{Faults: fakesite.Faults{Accepted500: fakesite.Nth{1}}}},
		{name: "dropped", say: hello, o: fakesite.Options{Faults: fakesite.Faults{Dropped: fakesite.Nth{1}}}},
		{name: "freeze", say: hello, o: fakesite.Options{Freeze: true}},
		{name: "lexical", say: hello, o: fakesite.Options{Editor: "lexical"}},
	}
	for _, b := range fakesite.Blockers() {
		cases = append(cases, kase{name: "block-" + string(b), say: hello, mid: func(s *fakesite.Site) { s.Block(b) }})
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			var persona fakesite.Script
			if k.reply != "" {
				persona.Handshake = []fakesite.Move{{Say: k.reply}}
			}
			newSite := func() *fakesite.Site {
				return fakesite.New(fakesite.Config{Script: persona, Timing: fakesite.Typical(), Options: k.o, Entropy: clock.Seeded(9)})
			}
			ms := time.Millisecond
			offsets := []time.Duration{0, 436 * ms, 437 * ms, 999 * ms, 1000 * ms, 2000 * ms, 3800 * ms, 3960 * ms, 4130 * ms, 5000 * ms, 5500 * ms, 6000 * ms, 7000 * ms, 30 * time.Second}
			// virtual
			w := newWorld(worldOptions{timing: fakesite.Typical(), site: k.o, script: persona, seed: 8})
			defer w.loop.Close()
			v := &cside{base: base}
			if err := w.run(func(c *client) {
				c.conn = must(c.port.Dial(background))
				c.s = must(c.conn.Attach(background, must(c.conn.Open(background, base+"/"))))
				v.s, v.advance, v.do = c.s, c.sleep, func(f func(*fakesite.Site)) { f(w.site) }
				script(v, k.say, offsets, k.mid)
			}); err != nil {
				t.Fatal(err)
			}
			// chromium
			site := newSite()
			m := &manual{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), ch: make(chan struct{})}
			srv, err := web.Start(web.Options{Site: site, Clock: m})
			if err != nil {
				t.Fatal(err)
			}
			defer srv.Close()
			ctx := context.Background()
			lease, err := pool.Acquire(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Close()
			b, err := lease.Dialer.Dial(ctx)
			if err != nil {
				t.Fatal(err)
			}
			id, err := b.Open(ctx, srv.URL()+"/")
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			s, err := b.Attach(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			x := &cside{s: s, base: srv.URL(), do: func(f func(*fakesite.Site)) { srv.Do(func(_ time.Time, s *fakesite.Site) { f(s) }) }}
			x.advance = func(d time.Duration) {
				m.advance(d)
				version := srv.Tick()
				for i := 0; ; i++ {
					var r struct {
						Result struct{ Value string }
					}
					err := s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "document.documentElement.dataset.fakeVersion||'0'", "returnByValue": true}, &r)
					var n int64
					fmt.Sscan(r.Result.Value, &n)
					if err == nil && n >= version {
						return
					}
					if i > 500 {
						t.Fatal("page does not follow", err, r, version)
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
			x.advance(0)
			script(x, k.say, offsets, k.mid)
			norm := func(c *cside, s string) string {
				for i := 0; i+1 < len(c.repl); i += 2 {
					s = strings.ReplaceAll(s, c.repl[i], c.repl[i+1])
				}
				c.do(func(s2 *fakesite.Site) {
					if l := s2.Conversations(); len(l) > 0 {
						if tid := l[0].TransientID; tid != "" {
							s = strings.ReplaceAll(s, tid, "TRANSIENT")
						}
					}
				})
				return strings.ReplaceAll(s, c.base, "BASE")
			}
			for i := range max(len(v.out), len(x.out)) {
				a, b := "", ""
				if i < len(v.out) {
					a = norm(v, v.out[i])
				}
				if i < len(x.out) {
					b = norm(x, x.out[i])
				}
				if a != b {
					t.Errorf("\nvirtual  %s\nchromium %s", a, b)
				}
			}
		})
	}
}
