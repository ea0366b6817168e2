package sim

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/faults"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// scripted is a session of two plans with effects and a done, at the measured pace of the site.
func scripted(t *testing.T, schedule ...string) *Script {
	t.Helper()
	s := &Script{
		Name: t.Name(), Seed: 1, Timing: "typical",
		Persona: fakesite.Script{Rounds: []fakesite.RoundScript{
			{Round: 1, Moves: []fakesite.Move{{Decision: "continue", Commands: []string{"npm test"}}}},
			{Round: 2, Moves: []fakesite.Move{{Decision: "continue", Commands: []string{"npm test"}}}},
			{Round: 3, Moves: []fakesite.Move{{Decision: "done"}}},
		}},
	}
	for _, text := range schedule {
		f, err := faults.ParseFault(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Schedule = append(s.Schedule, f)
	}
	return s
}

// played builds a world, lets hear stand between the bridge and the world's tracer, and plays it.
func played(t *testing.T, s *Script, hear func(*trace) point.Tracer) *Result {
	t.Helper()
	r := NewRunner(Virtual())
	t.Cleanup(r.Close)
	w, err := r.build(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if hear != nil {
		w.interpose(hear(w.trace))
	}
	res, err := w.play(context.Background())
	if err = errors.Join(err, w.stage.Close()); err != nil {
		t.Fatal(err)
	}
	return res
}

// found is what an oracle says about a run.
func found(t *testing.T, r *Result, promise error) oracle.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if errors.Is(f.Oracle.Promise, promise) {
			return f
		}
	}
	t.Fatalf("no oracle judges %v", promise)
	return oracle.Finding{}
}

// TestTheWorldExpectsEveryRow plays one world for each row of the table and for none of them.
func TestTheWorldExpectsEveryRow(t *testing.T) {
	for _, c := range []struct {
		row      int
		why      string // in the world's words
		schedule []string
		edit     func(*Script)
	}{
		{0, "no row of the table fits", []string{"close-tab at send.submit@0#2/after"}, func(s *Script) {
			s.Options.NoAddress = true
		}},
		{1, "no source gives it whole", []string{
			"record-down at capture.record@1#1/before with for=40s",
			"copy-broken at capture.record@1#1/before",
		}, nil},
		{2, "no fresh, finished turn", nil, func(s *Script) {
			s.Persona.Rounds[0].Moves[0].Think = 50 * time.Minute
		}},
		{2, "no fresh, finished turn", []string{"drop-message at send.submit@1#2/before"}, nil},
		{3, "the line is gone", []string{"sever at send.submit@1#2/after"}, nil},
		{3, "the line is gone", []string{"half-open at send.guard@1#1/before"}, nil},
		{4, "the document was replaced", []string{"reload at wait.poll@1:streaming#1/before"}, nil},
		{4, "the document was replaced", []string{"crash-tab at wait.poll@1:streaming#1/before"}, nil},
		{5, "tab or browser are gone", []string{"close-tab at wait.poll@1:streaming#1/before"}, nil},
		{5, "tab or browser are gone", []string{"relaunch at wait.poll@1:streaming#1/before"}, nil},
		{6, "its journal is whole", []string{"kill-pi at store.append@2:sent#1/after"}, nil},
		{7, "the record's chain is whole", []string{"lose-cache at store.append@2:sent#1/after"}, nil},
		{8, "proves the ack", []string{"cut-stream at send.submit@0#2/before"}, nil},
		{9, "differ from the acknowledged ones", []string{
			"change-caps at store.append@1:checkpoint#1/after with caps=file.read",
		}, nil},
		{10, "the histories contradict each other", []string{
			"kill-pi at store.append@2:sent#1/after",
			"truncate-history at discover.record@2#1/before",
		}, nil},
		{11, "without a receipt", []string{"agent-dies at agent.start@1#1/after"}, nil},
		{11, "nobody can ask it", []string{
			"kill-pi at agent.start@1#1/after", "agent-mute at agent.lookup@1#1/before",
		}, nil},
		{12, "the page showed pi a blocker", []string{"captcha at send.guard@1#1/before"}, nil},
		{13, "the recovery budget is used up", []string{
			"kill-browser at wait.poll@1:streaming#1/before",
		}, nil},
		{14, "a boundary is reached", nil, func(s *Script) {
			s.Limits = bridge.Limits{PerRound: 5 * time.Minute}
			s.Persona.Rounds[0].Moves[0].Think = 50 * time.Minute
		}},
		{15, "a bug of pi struck", []string{
			"cdp-error at capture.record@1#1/before with code=-32601",
		}, nil},
	} {
		t.Run(strconv.Itoa(c.row)+" "+strings.Join(c.schedule, ","), func(t *testing.T) {
			s := scripted(t, c.schedule...)
			if c.edit != nil {
				c.edit(s)
			}
			r := played(t, s, nil)
			if len(r.Unreached) > 0 {
				t.Fatalf("never struck: %v", r.Unreached)
			}
			expects(t, r, c.row, c.why)
			for _, promise := range []error{oracle.ErrRow, oracle.ErrEvidence} {
				if f := found(t, r, promise); f.Status != oracle.Pass {
					t.Errorf("%s: %s %v", f.Oracle.Name, f.Message, f.Seqs)
				}
			}
		})
	}
}

// expects looks for a row that the world expected and the reason that it gave.
func expects(t *testing.T, r *Result, row int, why string) {
	t.Helper()
	for _, e := range r.World.Log.Events() {
		if e.Lane == history.Verdict && e.Kind == "expected" && e.Key == strconv.Itoa(row) &&
			strings.Contains(e.Text, why) {
			return
		}
	}
	t.Errorf("the world never expected row %d because %q:\n%s", row, why, r.Report)
}

// liar stands between an honest bridge and the world and bends what the bridge says.
type liar struct {
	*trace
	bend func(e *recovery.Evidence)
	row  string // of every verdict; "" = the honest one
}

func (l *liar) Verdict(v recovery.Verdict, e recovery.Evidence) {
	if l.bend != nil {
		l.bend(&e)
	}
	l.trace.Verdict(v, e)
}

func (l *liar) Note(n point.Note) {
	if n.Kind == point.NoteVerdict && l.row != "" {
		n.Key = l.row
	}
	l.trace.Note(n)
}

// TestAFalseClaimIsCaught lets each fact be claimed falsely in a run whose line was cut.
func TestAFalseClaimIsCaught(t *testing.T) {
	const cut = "sever at send.submit@1#2/after"
	for _, c := range []struct {
		what string
		bend func(e *recovery.Evidence)
	}{
		{"attached", func(e *recovery.Evidence) { e.Attached = not(e.Attached) }},
		{"memory is no", func(e *recovery.Evidence) { e.Memory = recovery.No }},
		{"cache is no", func(e *recovery.Evidence) { e.Cache = recovery.No }},
		{"history is no", func(e *recovery.Evidence) { e.History = recovery.No }},
		{"boundary is yes", func(e *recovery.Evidence) { e.Boundary = recovery.Yes }},
		{"blocker is yes", func(e *recovery.Evidence) { e.Blocker = recovery.Yes }},
		{"spent is yes", func(e *recovery.Evidence) { e.Spent = recovery.Yes }},
		{"conflict is yes", func(e *recovery.Evidence) { e.Conflict = recovery.Yes }},
		{"doubt is yes", func(e *recovery.Evidence) { e.Doubt = recovery.Yes }},
		{"changed is yes", func(e *recovery.Evidence) { e.Changed = recovery.Yes }},
		{"acked is no", func(e *recovery.Evidence) { e.Acked = recovery.No }},
		{"sure is no", func(e *recovery.Evidence) { e.Sure = recovery.No }},
		{"place is reloaded", func(e *recovery.Evidence) { e.Place = recovery.Reloaded }},
		{"place is relaunched", func(e *recovery.Evidence) { e.Place = recovery.Relaunched }},
		{"failure is bug", func(e *recovery.Evidence) { e.Failure = recovery.Bug }},
		{"failure is wait", func(e *recovery.Evidence) { e.Failure = recovery.Wait }},
		{"failure is capture", func(e *recovery.Evidence) { e.Failure = recovery.Capture }},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := played(t, scripted(t, cut), func(tr *trace) point.Tracer {
				return &liar{trace: tr, bend: c.bend}
			})
			f := found(t, r, oracle.ErrEvidence)
			if f.Status != oracle.Fail || !strings.Contains(f.Message, c.what) {
				t.Errorf("%s: %q", f.Status, f.Message)
			}
		})
	}
}

func not(f recovery.Fact) recovery.Fact {
	if f == recovery.Yes {
		return recovery.No
	}
	return recovery.Yes
}

// TestAWeakerBridgeIsNotFalse: to know less is no lie.
func TestAWeakerBridgeIsNotFalse(t *testing.T) {
	r := played(t, scripted(t, "sever at send.submit@1#2/after"), func(tr *trace) point.Tracer {
		return &liar{trace: tr, bend: func(e *recovery.Evidence) {
			*e = recovery.Evidence{Failure: e.Failure}
		}}
	})
	if f := found(t, r, oracle.ErrEvidence); f.Status != oracle.Pass {
		t.Errorf("%s: %q", f.Status, f.Message)
	}
}

// TestAWrongRowIsCaught: the row is not the bridge's to choose.
func TestAWrongRowIsCaught(t *testing.T) {
	for _, row := range []string{"0", "2", "4", "5", "6", "13"} {
		r := played(t, scripted(t, "sever at send.submit@1#2/after"), func(tr *trace) point.Tracer {
			return &liar{trace: tr, row: row}
		})
		if f := found(t, r, oracle.ErrRow); f.Status != oracle.Fail {
			t.Errorf("row %s in place of 3: %s %q", row, f.Status, f.Message)
		}
	}
}

// TestABudgetOutlivesItsJournal: what was spent is counted by the world, whatever is written anew.
func TestABudgetOutlivesItsJournal(t *testing.T) {
	r := played(t, scripted(t,
		"sever at send.submit@1#2/after", "drop-cache at wait.poll@1:streaming#1/before",
		"sever at wait.poll@1:streaming#2/before",
	), nil)
	j := &r.World.trace.witness.journal
	n := 0
	for _, rec := range r.Records {
		if rec.Kind == "budget" {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("the journal that was written anew holds %d attempts, want the later one alone", n)
	}
	for i := range j.lines {
		if j.lines[i].kind == "budget" && j.lines[i].sum.attempts < 2 {
			t.Errorf("the world counts %d attempts", j.lines[i].sum.attempts)
		}
	}
}

// TestTheRecordIsFollowed reads conversations that readings 17 allow and forbid.
func TestTheRecordIsFollowed(t *testing.T) {
	sid := "9f83a7c1d42e650b"
	round := func(r int, prev string) wire.Message {
		return wire.Message{
			Kind: wire.KindRound, SID: sid,
			Frame: wire.Frame{SID: sid, Round: r, Prev: prev, QID: "e1db9b58"},
		}
	}
	hello := wire.Message{Kind: wire.KindHello, SID: sid}
	other := hello
	other.SID = "0000000000000000"
	for _, c := range []struct {
		what   string
		links  []wire.Message
		broken string
	}{
		{"one round", []wire.Message{hello, round(1, wire.NoPlan)}, ""},
		{"a round that skips a plan", []wire.Message{
			hello, round(1, wire.NoPlan), round(2, wire.NoPlan),
		}, ""},
		{"a beginning in the middle", []wire.Message{round(4, "a1b2c3d4")}, ""},
		{"a jump", []wire.Message{hello, round(1, wire.NoPlan), round(3, wire.NoPlan)}, "a jump"},
		{"a regression", []wire.Message{
			hello, round(1, wire.NoPlan), round(1, wire.NoPlan),
		}, "round 1 after round 1"},
		{"a plan that nobody wrote", []wire.Message{
			hello, round(1, wire.NoPlan), round(2, "a1b2c3d4"),
		}, "p=a1b2c3d4"},
		{"a second HELLO", []wire.Message{hello, hello}, "a second HELLO"},
		{"another sid", []wire.Message{hello, other}, "another sid"},
	} {
		var k chain
		for i := range c.links {
			if k.broken == "" {
				k.link(&c.links[i], "")
			}
		}
		if (k.broken == "") != (c.broken == "") || !strings.Contains(k.broken, c.broken) {
			t.Errorf("%s: %q, want %q", c.what, k.broken, c.broken)
		}
	}
}

// TestBridgeAndWorldAgreeEverywhere strikes at every place that a session passes and asks only
// what the world is asked: does the row follow from what happened, and is no claim false?
func TestBridgeAndWorldAgreeEverywhere(t *testing.T) {
	kinds := []faults.Kind{
		faults.Sever, faults.HalfOpen, faults.CloseTab, faults.CrashTab, faults.Reload, faults.Relaunch,
		faults.KillPi, faults.LoseCache, faults.StaleCache, faults.DropMemory, faults.ChangeCaps,
		faults.Captcha, faults.Accepted500, faults.RecordDown, faults.AgentDies,
	}
	quiet := scripted(t, "panic at capture.copy@9#1/before") // a place that no session passes
	seen := map[string]bool{}
	for _, at := range played(t, quiet, nil).World.places() {
		at.Step = min(at.Step, 2)
		for _, phase := range []point.Phase{point.Before, point.After, point.Late} {
			at.Phase = phase
			for _, kind := range kinds {
				f := faults.Fault{Kind: kind, At: at}
				info, _ := faults.Of(kind)
				if seen[f.String()] || !info.Available(Virtual().Name(), at.Op, phase) {
					continue
				}
				seen[f.String()] = true
				agree(t, f)
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d places were struck", len(seen))
	}
}

func agree(t *testing.T, f faults.Fault) {
	t.Helper()
	s := scripted(t)
	s.Schedule = faults.Schedule{f}
	r := played(t, s, nil)
	for _, promise := range []error{oracle.ErrRow, oracle.ErrEvidence} {
		if v := found(t, r, promise); v.Status != oracle.Pass {
			t.Errorf("%s: %s is %s: %s %v", f, v.Oracle.Name, v.Status, v.Message, v.Seqs)
		}
	}
}
