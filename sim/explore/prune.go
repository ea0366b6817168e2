package explore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/history"
)

// stoodFor tells whether another run, that is in the plan, stands for everything behind a first
// fault.
func (w *worker) stoodFor(ctx context.Context, first Strike, o *Outcome) (bool, error) {
	switch {
	case !w.prunes():
		return false, nil
	case w.traceless(first, o):
		return true, nil
	}
	other, ok := w.equal(first)
	if !ok {
		return false, nil
	}
	r := &trial{session: w.session, strikes: []Strike{other}}
	before, err := w.play(ctx, r.schedule(), nil)
	if err != nil {
		return false, err
	}
	return before.Tail == o.Tail && len(before.Broken) == len(o.Broken), nil
}

// equal is another first fault that leaves the same state behind, if there is one.
func (w *worker) equal(s Strike) (Strike, bool) {
	if twin(s) {
		s.Point.At.Phase = point.Before
		return s, true
	}
	return w.neighbour(s)
}

// neighbour tells of a fault in front of a call that is the same behind the call before it, for
// between the two pi did nothing that anybody else could see: pi dies, and what it knew is gone;
// or something happens beside it, and every answer that it got stays as it was.
func (w *worker) neighbour(s Strike) (Strike, bool) {
	p := &w.plan.sessions[w.unit.session]
	here := s.Point.At
	here.Phase = ""
	i := slices.Index(p.visits, here)
	if !between[s.Kind.Kind] || s.Point.At.Phase != point.Before || s.Point.Torn || i < 1 {
		return s, false
	}
	s.Point.At = p.visits[i-1]
	s.Point.At.Phase = point.After
	return s, slices.Contains(p.points, s.Point) && s.Point.takes(s.Kind)
}

// traceless tells of a fault that changed nothing at all. It found nothing to strike; or it
// touched one answer only, and everything that anybody did afterwards is what it was without the
// fault, at the same times: pi, which got the same answers, is in the same state, and so is the
// world, which got the same calls.
func (w *worker) traceless(first Strike, o *Outcome) bool {
	if f := o.Fates[len(o.Fates)-1]; f != Struck {
		return f == Missed
	}
	switch first.Kind.Kind {
	case faults.Repeat, faults.Reorder:
		return o.Whole == w.plan.sessions[w.unit.session].whole
	}
	return false
}

// twin tells of a fault behind a pure read that is the same in front of it: the read changes
// nothing, and its answer is lost both times. Not so a delay, where the answer comes, nor faults
// that leave the answer as it is: what it said is known then.
func twin(s Strike) bool {
	return s.Point.At.Phase == point.After && !s.Point.Torn && reads[s.Point.At.Op] &&
		losing[s.Kind.Kind]
}

// reads are the operations that change nothing, neither at the page nor in the world.
var reads = map[point.Op]bool{
	point.Ready: true, point.DiscoverTurns: true, point.DiscoverRead: true, point.GuardCheck: true,
	point.SendBaseline: true, point.SendReadBack: true, point.SendGuard: true,
	point.SendProve: true, point.WaitPoll: true, point.WaitRecord: true, point.CaptureText: true,
	point.CaptureRead: true,
}

// losing are the kinds that take the answer of the call away, with the connection, the page or
// pi.
var losing = map[faults.Kind]bool{
	faults.Sever: true, faults.HalfOpen: true, faults.DropCall: true, faults.Detach: true,
	faults.CloseTab: true, faults.CrashTab: true, faults.KillBrowser: true, faults.KillPi: true,
	faults.LoseCache: true, faults.CorruptCache: true, faults.StaleCache: true,
	faults.NewerCache: true, faults.ForeignCache: true, faults.ChangeCaps: true,
	faults.WedgeTab: true, faults.Dialog: true, faults.FreezeBrowser: true, faults.Relaunch: true,
}

// between are the kinds with which pi dies and is started again, and those that leave the answer
// of the call behind which they strike.
var between = map[faults.Kind]bool{
	faults.KillPi: true, faults.LoseCache: true, faults.CorruptCache: true, faults.StaleCache: true,
	faults.NewerCache: true, faults.ForeignCache: true, faults.ChangeCaps: true,
	faults.DropMemory: true, faults.SecondClient: true, faults.Switched: true,
	faults.Captcha: true, faults.Logout: true, faults.RateLimit: true, faults.UsageCap: true,
	faults.AccountBlock: true, faults.ServerError: true, faults.Accepted500: true,
	faults.CutStream: true, faults.NeverAnswers: true, faults.DropMessage: true,
	faults.EditHistory: true, faults.CutHistory: true, faults.MissingTurn: true,
	faults.CopyBroken: true, faults.CopyStale: true, faults.RecordDown: true,
}

// sums are over what happened: all of it, and what came after the last fault took effect. The
// steps of faults are left out: they name the phase. So are the lines of the call that was
// struck: in front of it they say that it failed, behind it that it was made.
func (o *Outcome) sums(events []history.Event) {
	whole, tail := sha256.New(), sha256.New()
	var b []byte
	var struck *history.Event // the fault whose call is still being told
	for i := range events {
		e := &events[i]
		if e.Lane == history.Fault {
			if faults.Stage(e.Kind) == faults.Applied {
				tail.Reset()
				struck = e
			}
			continue
		}
		b = record(b[:0], e)
		whole.Write(b) // a hash never fails
		if struck == nil || e.Lane != history.CDP || e.Op != struck.Op {
			struck = nil
			tail.Write(b)
		}
	}
	whole.Sum(o.Whole[:0])
	tail.Sum(o.Tail[:0])
}

// record is an event without its number. What happens to the world has no operation: it carries
// the one at which pi was.
func record(b []byte, e *history.Event) []byte {
	b = append(b, byte(e.Lane))
	b = binary.AppendVarint(b, int64(e.At))
	op := string(e.Op)
	if e.Lane == history.World {
		op = ""
	} else {
		b = binary.AppendVarint(b, int64(e.Round))
	}
	for _, s := range []string{e.Kind, op, e.Key, e.Text} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	return append(b, e.Digest[:]...)
}
