package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"bridgesim/bridge"
	"bridgesim/bridge/point"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
	"bridgesim/sim/redact"
)

// Errors of a replay. A Divergence is none: it is what a replay is for.
var (
	// ErrNotReplayable: the history does not hold what passed through the ports.
	ErrNotReplayable = errors.New("the history cannot be replayed")
	// ErrRecording: what it holds of the ports makes no sense.
	ErrRecording = errors.New("the recording is broken")
)

// Divergence is the first event in which a replay differs from the recording.
type Divergence struct {
	// Recorded is what stands there; the zero Event when the recording has ended.
	Recorded history.Event
	// Made is what the bridge did instead; the zero Event when it ended or crashed.
	Made history.Event
	// Why says what differs, for a person.
	Why string
	// Before are the last events of the bridge in front of it, oldest first.
	Before []history.Event
	// Panic is the stack of a bridge that crashed; "" when it did not.
	Panic string
}

// Replayed is what a replay came to.
type Replayed struct {
	// Log is the history of the replay: that of the recording up to the divergence.
	Log *history.Log
	// Rows are the rows of the decision table that the bridge's verdicts took, repeats left out.
	Rows    []int
	Outcome bridge.Outcome // of the last process; "" when it could not begin
	Row     int            // with which it ended
	Lives   int
	Asked   int // questions that were asked again
	// Divergence is nil when the bridge did all over again what was recorded.
	Divergence *Divergence
	Findings   []oracle.Finding
}

// Player replays one recording.
type player struct {
	log    *history.Log
	events []history.Event
	next   int
	out    *history.Log

	op    point.Op
	round int
	asked int
	rows  []int
	dead  bool // the process has ended: nothing of it counts any more

	diverged *Divergence
	broken   error
	// numbers of connections and sessions are those of the recording
}

// stopped unwinds a process whose recording ends here.
type stopped struct{}

// Replay plays a recording with the bridge of this program. The error is ErrNotReplayable or
// ErrRecording. The same recording gives the same result, to the byte.
func Replay(log *history.Log) (*Replayed, error) {
	if err := replayable(log); err != nil {
		return nil, err
	}
	p := &player{log: log, events: log.Events(), out: history.New(log.Header())}
	p.out.KeepBodies = true
	res := &Replayed{Log: p.out}
	for p.diverged == nil && p.begins() {
		res.Lives++
		p.live(res)
	}
	if p.broken != nil {
		return nil, p.broken
	}
	if p.diverged == nil {
		p.world(len(p.events))
		p.compareEnd(res)
	}
	res.Rows, res.Asked, res.Divergence = p.rows, p.asked, p.diverged
	if p.diverged != nil {
		return res, nil
	}
	c, err := oracle.NewCase(p.out.Header(), oracle.FromBodies(p.out.Events()))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecording, err)
	}
	res.Findings = oracle.Judge(c)
	return res, nil
}

// replayable tells whether a history holds the ports, with their texts.
func replayable(log *history.Log) error {
	if log.Header().Recording == history.DigestsOnly {
		return fmt.Errorf("%w: it holds digests only, which is enough for judging and for its "+
			"schedule", ErrNotReplayable)
	}
	for _, e := range log.Events() {
		if e.Lane == history.Port && e.Kind == kindBegin {
			if e.Body == "" {
				return fmt.Errorf("%w: its texts are not in it", ErrNotReplayable)
			}
			return nil
		}
	}
	return fmt.Errorf("%w: it does not hold what passed through the ports of the bridge",
		ErrNotReplayable)
}

// begins goes on to the next process of the bridge.
func (p *player) begins() bool {
	for i := p.next; i < len(p.events); i++ {
		if !ofBridge(&p.events[i]) {
			continue
		}
		p.world(i)
		if e := &p.events[i]; e.Lane != history.Port || e.Kind != kindBegin {
			p.diverge(*e, history.Event{}, "the process of the bridge has ended, the recording goes on")
			return false
		}
		return true
	}
	return false
}

// world copies what the world did, up to an event.
func (p *player) world(to int) {
	for ; p.next < to; p.next++ {
		p.out.Append(p.events[p.next])
	}
}

// live is one process of the bridge.
func (p *player) live(res *Replayed) {
	e := p.events[p.next]
	var s settings
	if err := json.Unmarshal([]byte(e.Body), &s); err != nil {
		p.broken = fmt.Errorf("%w: event %d: the settings of a process: %w", ErrRecording, e.Seq, err)
		p.diverged = &Divergence{}
		return
	}
	p.world(p.next + 1)
	p.dead = false
	cfg := p.ports(&s)
	run := bridge.Run
	if s.Resume {
		run = bridge.Resume
	}
	defer p.survive(res)
	rep, err := run(context.Background(), cfg)
	_ = cfg.Store.Close() // its error is the world's to see, and recorded
	res.Outcome, res.Row = rep.Outcome, rep.Row
	if err != nil {
		res.Outcome = ""
	}
	p.dead = true
}

// survive ends a process that was unwound, by its recording or by itself.
func (p *player) survive(res *Replayed) {
	r := recover()
	p.dead = true
	switch r.(type) {
	case nil:
		return
	case stopped:
		res.Outcome, res.Row = bridge.Thrown, 15 // unless another process follows
		return
	}
	var at history.Event
	if p.next < len(p.events) {
		at = p.events[p.next]
	}
	p.diverge(at, history.Event{}, fmt.Sprintf("the bridge panicked: %v", r))
	p.diverged.Panic = string(debug.Stack())
}

// compareEnd holds the outcome of the last process against the recorded one.
func (p *player) compareEnd(res *Replayed) {
	for i := len(p.events) - 1; i >= 0; i-- {
		e := &p.events[i]
		if e.Lane != history.World || e.Kind != "end" {
			continue
		}
		want := e.Key
		if want == oracle.RefusedToBegin {
			want = ""
		}
		if got := string(res.Outcome); got != want {
			p.diverge(*e, history.Event{}, fmt.Sprintf("the run ended as %q, recorded is %q", got, e.Key))
		}
		return
	}
}

// diverge notes the first difference and ends the process.
func (p *player) diverge(recorded, made history.Event, why string) {
	if p.diverged != nil {
		return
	}
	p.diverged = &Divergence{Recorded: recorded, Made: made, Why: why, Before: p.before(3)}
	p.dead = true
}

// before are the last events of the bridge.
func (p *player) before(n int) (out []history.Event) {
	events := p.out.Events()
	for i := len(events) - 1; i >= 0 && len(out) < n; i-- {
		if e := &events[i]; ofBridge(e) && e.Kind != kindNow && e.Kind != kindLost {
			out = append([]history.Event{*e}, out...)
		}
	}
	return out
}

// enter begins every port: a process that has ended changes nothing any more.
func (p *player) enter() {
	if p.dead {
		panic(stopped{})
	}
}

// made takes what the bridge did: it must be what the recording has next. The recorded event comes
// back.
func (p *player) made(e history.Event) history.Event {
	p.enter()
	if e.Op == "" {
		e.Op = p.op
	}
	if e.Round == 0 {
		e.Round = p.round
	}
	e = clean(e)
	i := p.next
	for i < len(p.events) && !ofBridge(&p.events[i]) {
		i++
	}
	if i == len(p.events) {
		p.diverge(history.Event{}, e, "the recording has ended, the bridge goes on")
		panic(stopped{})
	}
	p.world(i)
	want := p.events[i]
	if why := differs(&want, &e); why != "" {
		p.diverge(want, e, why)
		panic(stopped{})
	}
	p.world(i + 1)
	if p.ends() {
		p.dead = true
		panic(stopped{})
	}
	return want
}

// ends tells whether the recorded process ended behind the last event: it was killed, or crashed.
func (p *player) ends() bool {
	for i := p.next; i < len(p.events); i++ {
		e := &p.events[i]
		if ofBridge(e) {
			return false
		}
		if e.Lane == history.World && (e.Kind == "killed" || e.Kind == "panic") {
			return true
		}
	}
	return false
}

// differs compares what stands in the recording with what was made, "" when it is the same. The
// time is the recording's.
func differs(want, got *history.Event) string {
	for _, f := range []struct{ name, want, got string }{
		{"operation", string(want.Op), string(got.Op)},
		{"lane", want.Lane.String(), got.Lane.String()},
		{"kind", want.Kind, got.Kind},
		{"key", want.Key, got.Key},
		{"round", strconv.Itoa(want.Round), strconv.Itoa(got.Round)},
		{"text", want.Text, got.Text},
		{"arguments", want.Body, got.Body},
	} {
		if f.name == "arguments" && answers(want) {
			continue // they come from the recording
		}
		if f.want != f.got {
			return fmt.Sprintf("%s: recorded %s, now %s", f.name, around(f.want, f.got),
				around(f.got, f.want))
		}
	}
	return ""
}

// answers are events whose body the world gives.
func answers(e *history.Event) bool {
	if e.Lane != history.Port {
		return false
	}
	switch e.Kind {
	case kindAnswer, kindLost, kindDrained:
		return true
	}
	return false
}

// around is a text, or the part of a long one where it differs from another.
func around(s, other string) string {
	const most = 120
	n := 0
	for n < len(s) && n < len(other) && s[n] == other[n] {
		n++
	}
	if len(s) <= most {
		return strconv.Quote(s)
	}
	from := max(0, n-30)
	cut := strings.ToValidUTF8(s[from:min(len(s), from+most)], "")
	return "…" + strconv.Quote(cut) + "…"
}

// spared are members of our own messages that are named like a secret and are none: the one-shot
// token that a fence compares.
var spared = []string{"token"}

// clean takes the secrets out of an event, the same way when it is recorded and when it is made.
func clean(e history.Event) history.Event {
	e.Key, _ = redact.Text(e.Key)
	e.Text, _ = redact.Text(e.Text)
	if e.Body == "" {
		return e
	}
	if e.Lane == history.Port {
		e.Body, _ = redact.JSON(e.Body, spared...)
	} else {
		e.Body, _ = redact.Text(e.Body)
	}
	return e
}
