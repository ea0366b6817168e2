package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

func TestPage(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "page")
}

// hours is a clock that moves only when somebody sleeps.
type hours struct{ now time.Time }

func (h *hours) Now() time.Time { return h.now }

func (h *hours) Sleep(ctx context.Context, d time.Duration) error {
	h.now = h.now.Add(max(d, 0))
	return ctx.Err()
}

func (h *hours) WithTimeout(
	ctx context.Context, _ time.Duration,
) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

// site is a scripted page: a small model of composer, fence and turns, with every answer open to a
// spec. It is a browser and its only session.
type site struct {
	clock *hours
	ops   []string // operations and calls, in order

	installed bool
	name      string // of the document; a new one each time the document is replaced
	attachErr error
	lost      error
	pages     []browser.TargetInfo
	opened    []string

	guard    probe.GuardState
	text     string // in the composer
	composer probe.ComposerState
	fence    probe.FenceState
	armed    string // the fenced text
	turns    []probe.MountedTurn
	tailLost bool // the baseline is not mounted
	events   []browser.Event
	record   probe.RecordState
	asked    []probe.RecordArgs
	shown    probe.TextState
	copied   probe.CopyState
	chunks   []string

	// before is called with each operation's name, before its call.
	before func(op string)
	// fail makes a call with this name fail.
	fail map[string]error
	// insert replaces what an insert does.
	insert func(text string)
	// posts is what a submit that reaches the page does; nil: the default.
	posts func()
	// look gives the answer of the n-th turn probe, from 0.
	look  func(n int) probe.TurnState
	looks int
	// read gives the record at the n-th read, from 0; nil: record.
	read func(n int) probe.RecordState
}

func newSite() *site {
	return &site{
		clock: &hours{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
		name:  "doc", fail: map[string]error{},
		guard:    probe.GuardState{LoggedIn: true, Composer: true},
		composer: probe.ComposerState{Hydrated: true, Send: true, Enabled: true, X: 10, Y: 20},
	}
}

func (s *site) config() page.Config {
	return page.Config{
		Clock: s.clock, Entropy: clock.Seeded(1), Tracer: s,
		Site: "https://chatgpt.com",
	}
}

// Op and Note make the site a tracer.
func (s *site) Op(op point.Op, _ int) {
	s.ops = append(s.ops, string(op))
	if s.before != nil {
		s.before(string(op))
	}
}

func (s *site) Note(point.Note) {}

func (s *site) Pages(context.Context) ([]browser.TargetInfo, error) { return s.pages, s.lost }

func (s *site) Open(_ context.Context, url string) (browser.TargetID, error) {
	s.opened = append(s.opened, url)
	return "new", s.lost
}

func (s *site) Attach(context.Context, browser.TargetID) (browser.Session, error) {
	if s.attachErr != nil {
		return nil, s.attachErr
	}
	return s, nil
}

func (s *site) CloseTarget(context.Context, browser.TargetID) error { return nil }
func (s *site) Lost() error                                         { return s.lost }
func (s *site) Close() error {
	s.ops = append(s.ops,
		"closed")
	return nil
}

func (s *site) Drain(dst []browser.Event) []browser.Event {
	dst = append(dst, s.events...)
	s.events = nil
	return dst
}

// replace gives the page a new document.
func (s *site) replace() {
	s.installed, s.name, s.fence, s.armed = false, s.name+"'", probe.FenceState{}, ""
}

// Call answers a call by the type of its parameters, as the virtual engine does.
func (s *site) Call(_ context.Context, method string, params, result any) error {
	name := method
	if e, ok := params.(probe.Evaluation); ok {
		name = e.ProbeName()
	}
	if err := s.fail[name]; err != nil {
		return err
	}
	switch a := params.(type) {
	case probe.Install:
		s.installed = true
	case input.InsertTextParams:
		s.chunks = append(s.chunks, a.Text)
		if s.insert != nil {
			s.insert(a.Text)
		} else {
			s.text += a.Text
		}
	case input.DispatchMouseEventParams:
		s.ops = append(s.ops, fmt.Sprintf("%s %v,%v", a.Type, a.X, a.Y))
		if a.Type == input.DispatchMouseEventTypeMouseReleased {
			s.submitted()
		}
	default:
		return s.probe(params, result)
	}
	return nil
}

func (s *site) submitted() {
	if !s.fence.Live || !wire.SameText(s.text, s.armed) || s.fence.Bound != s.guard.Conversation {
		return
	}
	s.fence.Live = false
	s.fence.Passed++
	if s.posts != nil {
		s.posts()
		return
	}
	s.events = append(s.events, browser.Event{
		Kind: browser.MessagePosted, MessageID: "m1", Text: s.text,
		RequestID: "r1",
	})
	s.mount("m1")
}

// mount shows our text as a turn of the user and empties the composer.
func (s *site) mount(id string) {
	lines := strings.SplitN(s.text, "\n", 3)
	head := strings.Join(lines[:min(2, len(lines))], "\n")
	s.turns = append(s.turns,
		probe.MountedTurn{TurnID: "t-" + id, MessageID: id, Role: "user", Head: head},
		probe.MountedTurn{TurnID: "request-" + id, Role: "assistant"})
	s.text = ""
}

func answer[R any](s *site, result any, value R) error {
	r, ok := result.(*probe.Reply[R])
	if !ok {
		return fmt.Errorf("the result is a %T, not the probe's reply", result)
	}
	if !s.installed {
		r.Missing = true
		return nil
	}
	b, err := json.Marshal(probe.Reply[R]{Value: value}) // fresh, as over the wire
	if err != nil {
		return err
	}
	return json.Unmarshal(b, r)
}

func (s *site) probe(params, result any) error {
	switch a := params.(type) {
	case *probe.Eval[probe.HelloArgs]:
		return answer(s, result, probe.Document{Name: s.name})
	case *probe.Eval[probe.FenceArgs]:
		s.armed = a.Args.Text
		s.fence = probe.FenceState{
			Present: true, Token: a.Args.Token, Bound: a.Args.Conversation,
			Live: !a.Args.Dead && a.Args.Conversation == s.guard.Conversation,
		}
		return answer(s, result, s.fenceState())
	case *probe.Eval[probe.TailArgs]:
		return answer(s, result, s.tail(a.Args))
	case *probe.Eval[probe.TurnArgs]:
		s.looks++
		return answer(s, result, s.look(s.looks-1))
	case *probe.Eval[probe.MessageArgs]:
		if a.Name == probe.Copy.Name {
			return answer(s, result, s.copied)
		}
		return answer(s, result, s.shown)
	case *probe.Eval[probe.RecordArgs]:
		s.asked = append(s.asked, a.Args)
		if s.read != nil {
			return answer(s, result, s.read(len(s.asked)-1))
		}
		return answer(s, result, s.record)
	case *probe.Eval[probe.None]:
		return s.plain(a.Name, result)
	}
	return fmt.Errorf("unknown call %T", params)
}

func (s *site) plain(name string, result any) error {
	switch name {
	case probe.Guard.Name:
		return answer(s, result, s.guard)
	case probe.Composer.Name:
		c := s.composer
		c.Text = s.text
		return answer(s, result, c)
	case probe.Empty.Name:
		s.text = ""
	case probe.Revoke.Name:
		s.fence.Live = false
		return answer(s, result, s.fenceState())
	case probe.Unfence.Name:
		s.fence = probe.FenceState{}
	}
	return answer(s, result, probe.Done{OK: true})
}

func (s *site) fenceState() probe.FenceState {
	f := s.fence
	f.Document, f.Composer, f.Conversation = s.name, s.text, s.guard.Conversation
	f.Holds = f.Present && wire.SameText(s.text, s.armed)
	return f
}

func (s *site) tail(a probe.TailArgs) probe.TailState {
	t := probe.TailState{Found: true, Turns: s.turns, Conversation: s.guard.Conversation}
	if a.After == "" {
		return t
	}
	for i, turn := range s.turns {
		if turn.MessageID == a.After || turn.TurnID == a.After {
			t.Turns = s.turns[i+1:]
			t.Found = !s.tailLost
			return t
		}
	}
	return probe.TailState{Conversation: s.guard.Conversation}
}

func (s *site) attach() *page.Page {
	GinkgoHelper()
	p, err := page.Attach(context.Background(), s, "tab", s.config())
	Expect(err).NotTo(HaveOccurred())
	s.ops = nil
	return p
}

// inChat puts the site into a conversation with one answered turn and pins the page to it.
func (s *site) inChat() *page.Page {
	GinkgoHelper()
	s.guard.Conversation = "abc"
	s.turns = []probe.MountedTurn{
		{TurnID: "t-0", MessageID: "m0", Role: "user", Head: "hi"},
		{TurnID: "t-0a", MessageID: "a0", Role: "assistant"},
	}
	p := s.attach()
	p.Pin("abc", "m0")
	return p
}

// count is how often an operation happened.
func (s *site) count(op string) int {
	n := 0
	for _, seen := range s.ops {
		if seen == op {
			n++
		}
	}
	return n
}

var (
	ctx    = context.Background()
	socket = &browser.Loss{Kind: browser.SocketLost}
)

func isSocketLoss(err error) bool {
	var l *browser.Loss
	return errors.As(err, &l) && l.Kind == browser.SocketLost
}

const (
	sid     = "9f83a7c1d42e650b"
	roundTx = "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58\n\n## 用户请求\n\nfix it"
)
