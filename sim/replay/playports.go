package replay

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/agent"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/sim/history"
)

// ports are those of one process.
func (p *player) ports(s *settings) bridge.Config {
	cfg := s.config()
	cfg.Clock, cfg.Entropy = &playClock{p}, &playChance{p}
	cfg.Agent, cfg.Browser = &playAgent{p}, &playDialer{p}
	cfg.Tracer = &playTracer{p}
	store := &playStore{p}
	cfg.Store = store
	if s.Rewriter {
		cfg.Store = &playRewriter{store}
	}
	return cfg
}

func port(kind, key string, body any) history.Event {
	e := history.Event{Lane: history.Port, Kind: kind, Key: key}
	if body != nil {
		e.Body = encode(body)
	}
	return e
}

// ask asks again, and gives what was answered then.
func (p *player) ask(key string, args any) json.RawMessage {
	p.made(port(kindAsk, key, args))
	p.asked++
	return json.RawMessage(p.made(port(kindAnswer, key, nil)).Body)
}

// call is ask with an answer that is a value or an error. What cannot be read ends the replay.
func (p *player) call(key string, args, to any) error {
	body := p.ask(key, args)
	if len(body) == 0 {
		return nil
	}
	var a answer
	p.must(json.Unmarshal(body, &a), key)
	if a.Error != nil {
		return a.Error.err()
	}
	if to != nil {
		p.must(restore(a.Value, to), key)
	}
	return nil
}

// must ends a replay whose recording cannot be read.
func (p *player) must(err error, what string) {
	if err == nil {
		return
	}
	if p.broken == nil {
		p.broken = fmt.Errorf("%w: event %d: the answer of %s: %w", ErrRecording,
			p.events[p.next-1].Seq, what, err)
	}
	p.diverge(p.events[p.next-1], history.Event{}, "the recording cannot be read")
	panic(stopped{})
}

type playTracer struct{ p *player }

func (t *playTracer) Op(op point.Op, round int) {
	t.p.enter()
	t.p.op, t.p.round = op, round
}

func (t *playTracer) Note(n point.Note) {
	t.p.made(history.Event{
		Lane: history.Bridge, Kind: string(n.Kind), Round: n.Round, Key: n.Key, Text: n.Text,
	})
	if n.Kind == point.NoteVerdict {
		t.p.verdict(n.Key)
	}
}

// verdict notes the row that a verdict took.
func (p *player) verdict(key string) {
	row, err := strconv.Atoi(key)
	if err != nil || row == 0 || len(p.rows) > 0 && p.rows[len(p.rows)-1] == row {
		return
	}
	p.rows = append(p.rows, row)
}

// playClock tells the recorded times.
type playClock struct{ p *player }

func (c *playClock) Now() time.Time {
	p := c.p
	p.enter()
	// What is asked for is a time, whichever: the key is the world's.
	e := port(kindNow, "", nil)
	if want := p.peek(); want != nil && want.Lane == history.Port && want.Kind == kindNow {
		e.Key = want.Key
	}
	n, err := strconv.ParseInt(p.made(e).Key, 10, 64)
	p.must(err, "the clock")
	return time.Unix(0, n).UTC()
}

// peek is the next event of the bridge in the recording; nil behind the last.
func (p *player) peek() *history.Event {
	for i := p.next; i < len(p.events); i++ {
		if ofBridge(&p.events[i]) {
			return &p.events[i]
		}
	}
	return nil
}

func (c *playClock) Sleep(_ context.Context, d time.Duration) error {
	return c.p.call("clock.sleep "+d.String(), nil, nil)
}

func (c *playClock) WithTimeout(
	ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc,
) {
	c.p.enter()
	return context.WithCancel(ctx) // whether a call came too late is recorded
}

type playChance struct{ p *player }

func (c *playChance) Read(b []byte) {
	p := c.p
	p.enter()
	e := port(kindChance, "", nil)
	if want := p.peek(); want != nil && want.Lane == history.Port && want.Kind == kindChance {
		e.Key = want.Key
	}
	drawn, err := hex.DecodeString(p.made(e).Key)
	if err == nil && len(drawn) != len(b) {
		err = fmt.Errorf("%d bytes were drawn, now %d are asked for", len(drawn), len(b))
	}
	p.must(err, "chance")
	copy(b, drawn)
}

type playAgent struct{ p *player }

func (a *playAgent) Start(_ context.Context, t agent.Task) (s agent.State, err error) {
	err = a.p.call("agent.start", t, &s)
	return s, err
}

func (a *playAgent) Poll(_ context.Context, t agent.Task) (s agent.State, err error) {
	err = a.p.call("agent.poll", t, &s)
	return s, err
}

func (a *playAgent) Lookup(_ context.Context, t agent.Task) (s agent.State, err error) {
	err = a.p.call("agent.lookup", t, &s)
	return s, err
}

type playStore struct{ p *player }

func (s *playStore) Load() ([]session.Record, bool, error) {
	var l loaded
	s.p.must(json.Unmarshal(s.p.ask("store.load", nil), &l), "store.load")
	return l.Records, l.Torn, l.Error.err()
}

func (s *playStore) Append(r session.Record) error { return s.p.call("store.append", r, nil) }

func (s *playStore) Close() error { return s.p.call("store.close", nil, nil) }

type playRewriter struct{ *playStore }

func (s *playRewriter) Rewrite(records []session.Record) error {
	return s.p.call("store.rewrite", records, nil)
}

func (s *playRewriter) SetAside() (kept string, err error) {
	err = s.p.call("store.set-aside", nil, &kept)
	return kept, err
}

type playDialer struct{ p *player }

func (d *playDialer) Dial(context.Context) (browser.Browser, error) {
	var got dialed
	if err := d.p.call("dial", nil, &got); err != nil {
		return nil, err
	}
	b := &playBrowser{d.p, "b" + strconv.Itoa(got.Number)}
	if got.Bare {
		return &playBareBrowser{b}, nil
	}
	return b, nil
}

type playBrowser struct {
	p    *player
	name string
}

func (b *playBrowser) Pages(context.Context) (pages []browser.TargetInfo, err error) {
	err = b.p.call(b.name+".pages", nil, &pages)
	return pages, err
}

func (b *playBrowser) Open(_ context.Context, url string) (id browser.TargetID, err error) {
	err = b.p.call(b.name+".open", url, &id)
	return id, err
}

func (b *playBrowser) Attach(_ context.Context, id browser.TargetID) (browser.Session, error) {
	return b.attach(".attach", id)
}

func (b *playBrowser) attach(what string, id browser.TargetID) (browser.Session, error) {
	n := 0
	if err := b.p.call(b.name+what, id, &n); err != nil {
		return nil, err
	}
	return &playSession{b.p, "s" + strconv.Itoa(n)}, nil
}

func (b *playBrowser) CloseTarget(_ context.Context, id browser.TargetID) error {
	return b.p.call(b.name+".close-target", id, nil)
}

func (b *playBrowser) Lost() error { return b.p.lost(b.name) }

func (b *playBrowser) Close() error { return b.p.call(b.name+".close", nil, nil) }

func (p *player) lost(name string) error {
	body := p.made(port(kindLost, name, nil)).Body
	if body == "" {
		return nil
	}
	var f failure
	p.must(json.Unmarshal([]byte(body), &f), name+".lost")
	return f.err()
}

type playBareBrowser struct{ *playBrowser }

func (b *playBareBrowser) AttachBare(
	_ context.Context, id browser.TargetID,
) (browser.Session, error) {
	return b.attach(".attach-bare", id)
}

type playSession struct {
	p    *player
	name string
}

func (s *playSession) Call(_ context.Context, method string, params, to any) error {
	return s.p.call(called(s.name, method, params), question(params), to)
}

func (s *playSession) Lost() error { return s.p.lost(s.name) }

func (s *playSession) Drain(dst []browser.Event) []browser.Event {
	body := s.p.made(port(kindDrained, s.name, nil)).Body
	if body == "" {
		return dst
	}
	var events []browser.Event
	s.p.must(json.Unmarshal([]byte(body), &events), s.name+".drain")
	return append(dst, events...)
}

func (s *playSession) Close() error { return s.p.call(s.name+".close", nil, nil) }
