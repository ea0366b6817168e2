package replay

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/agent"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/session"
	"bridgesim/sim/history"
)

// Recorder writes down what passes through the ports of the processes of one run.
type Recorder struct {
	note func(history.Event)
	// numbers of the last connection and the last session
	conns, sessions int
	// asking: a question is out; dead: it never came back, and the process asked another one. What it
	// does then unwinds it, and is not recorded.
	asking, dead bool
}

// NewRecorder returns a recorder for one run. Where it writes comes with each process.
func NewRecorder() *Recorder { return &Recorder{} }

// Ports puts the recorder between one process of a bridge and its ports: the place that
// sim.Runner.Ports names. note must stamp the event and append it.
func (r *Recorder) Ports(
	life int, cfg bridge.Config, note func(history.Event),
) bridge.Config {
	r.note, r.asking, r.dead = note, false, false
	s := settingsOf(&cfg, life > 0)
	inner, rewrites := cfg.Store.(session.Rewriter)
	s.Rewriter = rewrites
	r.event(kindBegin, strconv.Itoa(life), s)
	cfg.Clock = &recClock{cfg.Clock, r}
	cfg.Entropy = &recChance{cfg.Entropy, r}
	cfg.Agent = &recAgent{cfg.Agent, r}
	cfg.Browser = &recDialer{cfg.Browser, r}
	store := &recStore{cfg.Store, r}
	cfg.Store = store
	if rewrites {
		cfg.Store = &recRewriter{store, inner}
	}
	return cfg
}

func (r *Recorder) event(kind, key string, body any) {
	if r.asking {
		r.dead = r.dead || kind != kindAnswer
		r.asking = false
	}
	if r.dead {
		return
	}
	e := history.Event{Lane: history.Port, Kind: kind, Key: key}
	if body != nil {
		e.Body = encode(body)
	}
	r.note(e)
}

// ask writes a question before it is asked: what ends the process inside it leaves no answer.
func (r *Recorder) ask(key string, args any) {
	r.event(kindAsk, key, args)
	r.asking = true
}

// answer writes what came back.
func (r *Recorder) answer(key string, value any, err error) {
	a := answer{Error: failureOf(err)}
	if err == nil && value != nil {
		a.Value = json.RawMessage(encode(value))
	}
	if a.Value == nil && a.Error == nil {
		r.event(kindAnswer, key, nil)
		return
	}
	r.event(kindAnswer, key, a)
}

type recClock struct {
	clock.Clock
	r *Recorder
}

func (c *recClock) Now() time.Time {
	t := c.Clock.Now()
	c.r.event(kindNow, strconv.FormatInt(t.UnixNano(), 10), nil)
	return t
}

func (c *recClock) Sleep(ctx context.Context, d time.Duration) error {
	key := "clock.sleep " + d.String()
	c.r.ask(key, nil)
	err := c.Clock.Sleep(ctx, d)
	c.r.answer(key, nil, err)
	return err
}

type recChance struct {
	inner clock.Entropy
	r     *Recorder
}

func (c *recChance) Read(p []byte) {
	c.inner.Read(p)
	c.r.event(kindChance, hex.EncodeToString(p), nil)
}

type recAgent struct {
	inner agent.Agent
	r     *Recorder
}

func (a *recAgent) Start(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.call(ctx, "agent.start", t, a.inner.Start)
}

func (a *recAgent) Poll(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.call(ctx, "agent.poll", t, a.inner.Poll)
}

func (a *recAgent) Lookup(ctx context.Context, t agent.Task) (agent.State, error) {
	return a.call(ctx, "agent.lookup", t, a.inner.Lookup)
}

func (a *recAgent) call(
	ctx context.Context, key string, t agent.Task,
	do func(context.Context, agent.Task) (agent.State, error),
) (agent.State, error) {
	a.r.ask(key, t)
	s, err := do(ctx, t)
	a.r.answer(key, s, err)
	return s, err
}

type recStore struct {
	inner session.Store
	r     *Recorder
}

// loaded is the answer of Load; torn comes with an error as well.
type loaded struct {
	Records []session.Record `json:"records"`
	Torn    bool             `json:"torn,omitempty"`
	Error   *failure         `json:"error,omitempty"`
}

func (s *recStore) Load() ([]session.Record, bool, error) {
	s.r.ask("store.load", nil)
	records, torn, err := s.inner.Load()
	s.r.event(kindAnswer, "store.load", loaded{records, torn, failureOf(err)})
	return records, torn, err
}

func (s *recStore) Append(rec session.Record) error {
	s.r.ask("store.append", rec)
	err := s.inner.Append(rec)
	s.r.answer("store.append", nil, err)
	return err
}

func (s *recStore) Close() error {
	s.r.ask("store.close", nil)
	err := s.inner.Close()
	s.r.answer("store.close", nil, err)
	return err
}

type recRewriter struct {
	*recStore
	inner session.Rewriter
}

func (s *recRewriter) Rewrite(records []session.Record) error {
	s.r.ask("store.rewrite", records)
	err := s.inner.Rewrite(records)
	s.r.answer("store.rewrite", nil, err)
	return err
}

func (s *recRewriter) SetAside() (string, error) {
	s.r.ask("store.set-aside", nil)
	kept, err := s.inner.SetAside()
	s.r.answer("store.set-aside", kept, err)
	return kept, err
}
