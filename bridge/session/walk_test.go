package session

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bridgesim/bridge/wire"
)

var testTime = time.Date(2000, 1, 1, 12, 0, 0, 123456789, time.UTC)

// ledger judges a walk by what the records say, without looking at the state that it checks.
type ledger struct {
	t        *rapid.T
	out      bool // a message is out and unanswered
	open     bool // the round is proven sent, and no plan of it is valid
	last     wire.Kind
	sends    map[int]int // ROUNDs that may have gone out, by round
	settled  map[int]bool
	executed map[int]int
	known    map[int]bool // rounds adopted from a history
	ck       int
	over     bool // done, blocked or another final end
	repairs  int
}

func (l *ledger) see(r *Record) {
	switch r.Kind {
	case RecIntent:
		l.intend(r)
	case RecSent:
		l.open = l.open || r.Message == wire.KindRound
	case RecNotSent:
		l.out = false
		if l.last == wire.KindRound {
			l.sends[r.Round]--
		}
		if l.last == wire.KindRepair {
			l.repairs--
		}
	case RecAck, RecRefused, RecInvalid:
		l.out, l.open = false, l.open && !r.Lost
	case RecRoundClosed:
		l.open = false
		if l.last == wire.KindRound || l.last == wire.KindRepair {
			l.out = false
		}
	case RecUncertain:
		l.adopt(r)
	case RecValidated:
		l.out, l.open = false, false
		l.over = r.Decision == wire.DecisionDone || r.Decision == wire.DecisionBlocked
	case RecExecuting:
		l.executed[r.Round]++
		l.must(l.executed[r.Round] == 1 && !l.over, "a plan runs once, and none after done")
	case RecUnclaimed:
		l.must(l.executed[r.Round] == 1 && !l.settled[r.Round], "what settled did run")
		l.executed[r.Round]--
	case RecSettled:
		l.must(l.executed[r.Round] == 1, "only an execution settles")
		l.settled[r.Round] = true
	case RecCheckpoint:
		l.must(l.settled[r.Round] && r.Round > l.ck && !l.over,
			"checkpoint = settled, rising, never done")
		l.ck = r.Round
	}
}

func (l *ledger) intend(r *Record) {
	l.must(!l.out, "no message goes out while an earlier one is unknown or unfinished")
	l.must(!l.over, "nothing is sent after done or blocked")
	l.out, l.last = true, r.Message
	switch r.Message {
	case wire.KindRound:
		l.sends[r.Round]++
		l.must(l.sends[r.Round] == 1 && !l.known[r.Round], "no ROUND is sent twice")
		l.repairs = 0
	case wire.KindRepair:
		l.repairs++
		l.must(l.repairs <= wire.MaxRepairs, "REPAIR is bounded")
	case wire.KindResume:
		l.must(r.CK.Round == l.ck && r.Next > l.ck, "RESUME goes to the checkpoint")
	}
}

func (l *ledger) adopt(r *Record) {
	if r.Message == "" {
		return
	}
	l.must(r.CK.Round >= l.ck, "the checkpoint never goes back")
	l.ck = r.CK.Round
	if r.Message == wire.KindHello {
		l.adoptHello(r)
		return
	}
	if l.sends[r.Round] > 0 || l.known[r.Round] {
		if r.Message == wire.KindRepair && r.Repairs > l.repairs && l.open {
			l.last, l.out, l.repairs = r.Message, true, r.Repairs
		}
		return
	}
	l.known[r.Round] = true
	l.last, l.out, l.repairs = r.Message, r.Round != r.CK.Round, r.Repairs
	l.open = true
}

func (l *ledger) adoptHello(r *Record) {
	switch {
	case l.last == "":
		l.last, l.out = wire.KindHello, r.HV == 0
	case l.last == wire.KindHello && r.HV != 0:
		l.out = false
	}
}

func (l *ledger) must(ok bool, promise string) {
	if !ok {
		l.t.Fatal(promise)
	}
}

// TestWalk walks the machine at random. Every accepted record keeps the promises of the ledger,
// every refused one changes nothing, and folding the accepted ones gives the same state.
func TestWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s State
		var taken []Record
		l := &ledger{
			t: t, sends: map[int]int{}, settled: map[int]bool{}, executed: map[int]int{},
			known: map[int]bool{},
		}
		steps := rapid.IntRange(1, 60).Draw(t, "steps")
		for range steps {
			r, ok := step(t, &s)
			if !ok {
				break
			}
			before := s.clone()
			if _, err := s.Apply(r); err != nil {
				if !reflect.DeepEqual(before, s) {
					t.Fatalf("%v changed the state", err)
				}
				continue
			}
			t.Logf("%s %s round %d ck %s next %d", r.Kind, r.Message, r.Round, r.CK, r.Next)
			taken = append(taken, r)
			l.see(&r)
			invariants(t, &before, &s)
		}
		again, err := Fold(taken)
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("fold differs: %v", err)
		}
	})
}

// step draws a legal record nine times in ten, otherwise any proposal.
func step(t *rapid.T, s *State) (Record, bool) {
	offers := proposals(s)
	if rapid.IntRange(0, 9).Draw(t, "any") > 0 {
		legal := offers[:0]
		for _, r := range offers {
			if _, err := s.judge(&r); err == nil && !ends(&r) {
				legal = append(legal, r)
			}
		}
		offers = legal
	}
	if len(offers) == 0 {
		return Record{}, false
	}
	return offers[rapid.IntRange(0, len(offers)-1).Draw(t, "record")], true
}

// ends keeps most walks long: the ends come from the other tenth.
func ends(r *Record) bool {
	return r.Kind == RecStopped || r.Kind == RecTerminal || r.Kind == RecRefused
}

func invariants(t *rapid.T, before, after *State) {
	t.Helper()
	if after.Checkpoint.Round < before.Checkpoint.Round || after.LastRound() < before.LastRound()-1 {
		t.Fatal("checkpoint or round went back")
	}
	if (after.Before == "") != (!after.Phase.Recovering() && !after.Phase.Ended() || after.Final()) {
		t.Fatalf("Before is %q in %s", after.Before, after.Phase)
	}
	if over := after.Over; over != "" && (!over.Recovering() || over == PhaseDisconnected) {
		t.Fatalf("Over is %q in %s", over, after.Phase)
	}
	if after.Next() <= after.Checkpoint.Round {
		t.Fatal("NEXT is not after the checkpoint")
	}
	if after.Resyncs < 0 || after.Resyncs > 1 || after.Resumes < 0 {
		t.Fatal("budgets")
	}
	if cur := after.Current(); cur != nil && (cur.Repairs < 0 || cur.Repairs > wire.MaxRepairs) {
		t.Fatal("repairs")
	}
}
