package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

// watcher hears what the bridge does and passes it on three ways:
//
//	bridge ──Op, Note──► watcher ─► standard error   progress for a person
//	store ──Append─────►    │     ─► --events-fd     everything, one JSON object a line
//	                        └─────► --step-fd        address out, one byte in, then the act begins
//
// A durable write is told by the store and not by the bridge, because only the store knows the
// record, and when it is durable.
type watcher struct {
	errs   io.Writer
	clock  clock.Clock
	events *json.Encoder // nil: nobody listens, or nobody does any more
	step   *os.File      // same
	stop   context.CancelFunc
	seen   map[point.Address]int
	round  int // of the durable write that comes next
}

// watcher opens the descriptors.
func (f *bridgeFlags) watcher(errs io.Writer) (*watcher, error) {
	w := &watcher{errs: errs, clock: clock.Wall(), seen: map[point.Address]int{}}
	events, err := inherited("--events-fd", f.eventsFD)
	if err != nil {
		return nil, err
	}
	if events != nil {
		w.events = json.NewEncoder(events)
		w.events.SetEscapeHTML(false)
	}
	w.step, err = inherited("--step-fd", f.stepFD)
	return w, err
}

// until is ctx that also ends when the tracer at --step-fd goes away.
func (w *watcher) until(ctx context.Context) context.Context {
	ctx, w.stop = context.WithCancel(ctx)
	return ctx
}

// inherited is a descriptor that the parent opened; nil for 0. What the bridge starts does not get
// it.
func inherited(flag string, fd int) (*os.File, error) {
	if fd == 0 {
		return nil, nil
	}
	if fd < 3 {
		return nil, usage("want an inherited descriptor from 3", "%s: %d is taken", flag, fd)
	}
	f := os.NewFile(uintptr(fd), flag)
	if f != nil {
		if _, err := f.Stat(); err == nil {
			closeOnExec(fd)
			return f, nil
		}
	}
	return nil, usage("want an inherited descriptor", "%s: %d is not open", flag, fd)
}

// event is one line of --events-fd.
type event struct {
	At      time.Time   `json:"at"`
	Op      point.Op    `json:"op,omitempty"`
	Phase   point.Phase `json:"phase,omitempty"`
	Note    string      `json:"note,omitempty"`
	Round   int         `json:"round"`
	Record  string      `json:"record,omitempty"`
	Message string      `json:"message,omitempty"`
	Key     string      `json:"key,omitempty"`
	Text    string      `json:"text,omitempty"`
}

func (w *watcher) emit(e event) {
	if w.events == nil {
		return
	}
	e.At = w.clock.Now()
	if w.events.Encode(e) != nil {
		w.events = nil // the reader left; the session is worth more
	}
}

// Op implements point.Tracer.
func (w *watcher) Op(op point.Op, round int) {
	if op == point.StoreAppend {
		w.round = round // the store goes on
		return
	}
	w.emit(event{Op: op, Phase: point.Before, Round: round})
	w.await(point.Address{Op: op, Round: round, Phase: point.Before}, "")
}

// Note implements point.Tracer.
func (w *watcher) Note(n point.Note) {
	w.emit(event{Note: string(n.Kind), Round: n.Round, Key: n.Key, Text: n.Text})
	if line := progressLine(n); line != "" {
		say(w.errs, "%s", line)
	}
}

func (w *watcher) tell(why string) { say(w.errs, "%s", why) }

// await writes an address, and behind a blank the message that a record is about, and waits for a
// byte. When the tracer is gone the run is interrupted: nobody wants it any more.
func (w *watcher) await(a point.Address, message string) {
	if w.step == nil {
		return
	}
	key := a
	if a.Phase == point.After {
		key.Phase = point.Before // both phases of a place have one number
	} else {
		w.seen[key]++
	}
	a.Step = w.seen[key]
	_, err := fmt.Fprintln(w.step, strings.TrimSpace(a.String()+" "+message))
	if err == nil {
		var b [1]byte
		_, err = io.ReadFull(w.step, b[:])
	}
	if err != nil {
		w.step = nil
		w.stop()
	}
}

// store watches a store.
func (w *watcher) store(s *session.FileStore) *watchedStore { return &watchedStore{s, w} }

type watchedStore struct {
	*session.FileStore
	w *watcher
}

var _ session.Rewriter = (*watchedStore)(nil)

func (s *watchedStore) Append(r session.Record) error {
	return s.w.write(&r, func() error { return s.FileStore.Append(r) })
}

func (s *watchedStore) Rewrite(records []session.Record) error {
	return s.w.write(&records[0], func() error { return s.FileStore.Rewrite(records) })
}

// write stands around one durable write.
func (w *watcher) write(r *session.Record, f func() error) error {
	at := point.Address{
		Op: point.StoreAppend, Round: w.round, State: string(r.Kind), Phase: point.Before,
	}
	e := event{
		Op: at.Op, Phase: at.Phase, Round: at.Round, Record: string(r.Kind), Message: string(r.Message),
	}
	w.emit(e)
	w.await(at, string(r.Message))
	if err := f(); err != nil {
		return err
	}
	at.Phase, e.Phase = point.After, point.After
	w.emit(e)
	w.await(at, string(r.Message))
	return nil
}

// progressLine is a note in the words of a person, "" for one that says nothing to him.
func progressLine(n point.Note) string {
	at := ""
	if n.Round > 0 {
		at = fmt.Sprintf("round %d: ", n.Round)
	}
	switch n.Kind {
	case point.NoteEdge:
		if words := edgeWords[n.Key]; words != "" {
			return at + words
		}
	case point.NoteSend:
		switch session.SendState(n.Key) {
		case session.Sent:
			return at + n.Text + " is sent"
		case session.NotSent:
			return at + n.Text + " did not go out, and cannot any more"
		}
	case point.NotePlan:
		if n.Key == "-" {
			return at + "the reply is no valid plan: " + n.Text
		}
		return at + "plan " + n.Key + " says " + n.Text
	case point.NoteVerdict:
		act, _, _ := strings.Cut(n.Text, ";")
		return at + "trouble, row " + n.Key + " of the decision table: " + act
	case point.NoteInfo:
		return at + strings.TrimPrefix(n.Key+": "+n.Text, ": ")
	}
	return ""
}

// edgeWords are the transitions that a person waits for.
var edgeWords = map[string]string{
	"hello-sent-to-established": "the handshake is acknowledged",
	"hello-sent-to-refused":     "the handshake is refused",
	"plan-to-executing":         "the agent gets the plan",
	"executing-to-settled":      "the agent has settled",
	"any-to-disconnected":       "the line is lost",
	"disconnected-to-round":     "the line is back",
	"resume-to-round":           "RESUME is acknowledged",
	"resync-to-established":     "RESYNC is acknowledged",
	"plan-to-closed":            "the goal is achieved",
	"plan-to-stopped":           "the plan is blocked",
	"any-to-manual":             "a person must decide",
	"any-to-stopped":            "stopped",
	"any-to-thrown":             "a bug: automation stops",
}
