package session

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

// namedEdges is the list of the readings, "Edges of the state machine", with its arrows as "-to-".
var namedEdges = strings.Fields(`
	new-to-hello-sent hello-sent-to-established hello-sent-to-refused established-to-round
	round-to-plan plan-to-executing executing-to-settled settled-to-round
	plan-to-closed plan-to-stopped plan-to-repair repair-to-plan repair-to-violation repair-to-resync
	any-to-disconnected disconnected-to-round disconnected-to-resume resume-to-round resume-to-resync
	resync-to-established uncertain-to-checkpoint-to-resume version-lost-to-resync
	any-to-manual any-to-stopped any-to-thrown`)

// shape is what tells two states apart for the machine; counters that only count are left out.
func shape(s *State) string {
	cur := RoundState{}
	if c := s.Current(); c != nil {
		cur = *c
		cur.Plan, cur.Receipt, cur.Message = "", "", Message{Send: c.Message.Send}
	}
	return fmt.Sprint(s.Phase, s.Before, s.Over, s.Round, s.Acked != Version{}, s.Checkpoint, s.Closed,
		s.Outcome, s.Hello.Send, s.Last.Kind, s.Last.Send, s.Last.Answered, s.Last.CK, s.Last.Next,
		cur, s.Resyncs > 0, s.Resumed, s.ResumeAcked)
}

// moved checks that a change of phase follows the edge that Apply named. It returns the pair that
// moved: of the phases themselves, or of the progress beneath an interruption.
func moved(before, after *State, e *Edge, r *Record) (from, to Phase, ok bool) {
	if e.Name == "" {
		return "", "", allowedWithoutEdge(before, after, r)
	}
	if !slices.Contains(e.On, r.Kind) || e.Message != "" && r.Message != e.Message {
		return "", "", false
	}
	pairs := [][2]Phase{{before.Phase, after.Phase}}
	if after.Phase == before.Phase { // beneath an interruption
		pairs = append(pairs, [2]Phase{before.Before, after.Before}, [2]Phase{before.Over, after.Before})
	}
	if after.Phase.Ended() {
		pairs = append(pairs, [2]Phase{before.Before, after.Phase})
	}
	for _, p := range pairs {
		if slices.Contains(e.From, p[0]) && slices.Contains(e.To, p[1]) {
			return p[0], p[1], true
		}
	}
	return "", "", false
}

// allowedWithoutEdge: a fact moves nothing. A journal begins; `uncertain` and `version-lost` are
// found, and what a history proves is adopted with the former. What never began is taken back.
func allowedWithoutEdge(before, after *State, r *Record) bool {
	same := before.Phase == after.Phase && before.Before == after.Before
	switch r.Kind {
	case RecNew:
		return before.Phase == "" && after.Phase == PhaseNew
	case RecUncertain:
		return after.Phase == PhaseUncertain
	case RecVersionLost:
		return after.Inner() == before.Inner() &&
			(after.Phase == PhaseVersionLost || same && before.unsent())
	case RecUnclaimed:
		return before.Inner() == PhaseExecuting && after.Inner() == PhasePlan &&
			before.Interrupted() == after.Interrupted() && !after.Current().Executing
	case RecIntent:
		return same && provenNotSent(before, r.Message)
	}
	return same
}

func provenNotSent(s *State, k wire.Kind) bool {
	switch k {
	case wire.KindHello:
		return s.Hello.Send == NotSent
	case wire.KindRound:
		return s.Current().Message.Send == NotSent
	case wire.KindRepair:
		return s.Phase == PhaseRepair && !s.Unfinished()
	}
	return s.Last.Kind == k && s.Last.Send == NotSent
}

var _ = Describe("the state machine", func() {
	It("has the edges of the specification and no other", func() {
		var names []string
		for _, e := range Edges() {
			names = append(names, e.Name)
			Expect(e.Name).To(MatchRegexp(`^[a-z]+(-[a-z]+)*$`))
			Expect(e.From).NotTo(BeEmpty())
			Expect(e.To).NotTo(BeEmpty())
			Expect(e.On).NotTo(BeEmpty())
		}
		Expect(names).To(Equal(namedEdges))
	})

	It("gives its table away by value", func() {
		Edges()[0].From[0] = "changed"
		Expect(Edges()[0].From[0]).To(Equal(PhaseNew))
	})

	It("moves by no other pair, from any reachable state by any record, and reaches every row",
		func() {
			search := newSearch()
			search.run()
			Expect(search.states).To(BeNumerically(">", 500))
			for _, e := range Edges() {
				for _, from := range e.From {
					Expect(search.left[e.Name]).To(HaveKey(from), "%s never leaves", e.Name)
				}
				for _, to := range e.To {
					Expect(search.reached[e.Name]).To(HaveKey(to), "%s never arrives", e.Name)
				}
			}
			for _, p := range Phases() {
				Expect(search.phases).To(HaveKey(p))
			}
			AddReportEntry(fmt.Sprintf("%d states, %d legal and %d illegal records",
				search.states, search.legal, search.illegal))
		})
})

// search visits every shape of state with at most one round, and tries every proposal in each; what
// leads to a second round is judged but not followed.
type search struct {
	offers                 map[wire.Checkpoint][]Record
	seen                   map[string]bool
	queue                  []State
	left, reached          map[string]map[Phase]bool
	phases                 map[Phase]bool
	states, legal, illegal int
}

func newSearch() *search {
	x := &search{
		seen: map[string]bool{}, left: map[string]map[Phase]bool{}, phases: map[Phase]bool{},
		reached: map[string]map[Phase]bool{}, queue: make([]State, 1),
		offers: map[wire.Checkpoint][]Record{},
	}
	for _, e := range edges {
		x.left[e.Name], x.reached[e.Name] = map[Phase]bool{}, map[Phase]bool{}
	}
	return x
}

func (x *search) run() {
	for len(x.queue) > 0 {
		s := x.queue[0]
		x.queue = x.queue[1:]
		x.states++
		x.phases[s.Phase] = true
		offers := x.proposals(&s)
		for i := range offers {
			x.try(&s, &offers[i])
		}
	}
}

// proposals depend on round and checkpoint only; at most one round each, so one key holds both.
func (x *search) proposals(s *State) []Record {
	k := wire.Checkpoint{Round: s.Round, Key: s.Checkpoint.Key}
	if x.offers[k] == nil {
		x.offers[k] = slices.DeleteFunc(proposals(s), func(r Record) bool { return r.Round > 2 })
	}
	return x.offers[k]
}

func (x *search) try(s *State, r *Record) {
	id, err := s.law(r)
	if err != nil {
		if x.illegal++; x.illegal%64 == 0 {
			refusesWhole(s, r)
		}
		return
	}
	x.legal++
	next := s.clone()
	next.take(r, id)
	from, to, ok := moved(s, &next, &edges[id], r)
	if !ok {
		Fail(fmt.Sprintf("not in the table: %s of %q from %s/%s to %s/%s by edge %q",
			r.Kind, r.Message, s.Phase, s.Before, next.Phase, next.Before, edges[id].Name))
	}
	x.left[edges[id].Name][from] = true
	x.reached[edges[id].Name][to] = true
	if next.Round > 1 {
		return
	}
	if k := shape(&next); !x.seen[k] {
		x.seen[k] = true
		x.queue = append(x.queue, next)
	}
}

// refusesWhole: an illegal record changes nothing.
func refusesWhole(s *State, r *Record) {
	next := s.clone()
	_, err := next.Apply(*r)
	if err == nil || !reflect.DeepEqual(next, s.clone()) {
		Fail(fmt.Sprintf("an illegal record changed the state: %v", err))
	}
}

// ways holds, for every edge, a session whose last record takes it.
var ways = map[string][]Record{
	"new-to-hello-sent":         list(born(), intent(wire.KindHello, 0)),
	"hello-sent-to-established": established(),
	"hello-sent-to-refused": seq(list(born()), went(wire.KindHello, 0),
		list(refused(wire.KindHello))),
	"established-to-round": seq(established(), list(intent(wire.KindRound, 1))),
	"round-to-plan":        planned(wire.DecisionNeedInfo),
	"plan-to-executing":    seq(planned(wire.DecisionNeedInfo), list(about(RecExecuting, 1))),
	"executing-to-settled": seq(planned(wire.DecisionContinue),
		list(about(RecExecuting, 1), settled(1))),
	"settled-to-round": seq(established(), ran(1), list(intent(wire.KindRound, 2))),
	"plan-to-closed":   quiet(3),
	"plan-to-stopped":  seq(planned(wire.DecisionBlocked), list(stop(OutcomeBlocked))),
	"plan-to-repair":   seq(broken(0), list(intent(wire.KindRepair, 1))),
	"repair-to-plan": seq(broken(0), went(wire.KindRepair, 1),
		list(validated(1, wire.DecisionContinue))),
	"repair-to-violation": seq(broken(2), list(stop(OutcomeViolation))),
	"repair-to-resync":    seq(broken(1), list(closedRound(1), intent(wire.KindResync, 0))),
	"any-to-disconnected": seq(established(), list(lost())),
	"disconnected-to-round": seq(established(), went(wire.KindRound, 1),
		list(lost(), budget(), back(3))),
	"disconnected-to-resume": seq(established(), ran(1), list(lost(), back(6), resumeAt(ck(1), 2))),
	"resume-to-round": seq(established(), ran(1), list(lost(), resumeAt(ck(1), 2),
		sent(wire.KindResume, 0), ackResume(ck(1), 2))),
	"resume-to-resync": seq(established(), ran(1), list(lost(), resumeAt(ck(1), 2),
		sent(wire.KindResume, 0), refused(wire.KindResume), intent(wire.KindResync, 0))),
	"resync-to-established": seq(established(), ran(1), list(versionLost()),
		went(wire.KindResync, 0), list(ack(wire.KindResync))),
	"uncertain-to-checkpoint-to-resume": seq(established(), ran(1), list(uncertain(),
		resumeAt(ck(1), 2))),
	"version-lost-to-resync": seq(established(), list(versionLost(), intent(wire.KindResync, 0))),
	"any-to-manual":          seq(established(), list(stop(OutcomeManual))),
	"any-to-stopped":         seq(established(), list(stop(OutcomeBoundary))),
	"any-to-thrown":          seq(established(), list(stop(OutcomeThrown))),
}

var _ = Describe("each edge", func() {
	for _, name := range namedEdges {
		It("is taken by its record: "+name, func() {
			way := ways[name]
			Expect(way).NotTo(BeEmpty())
			s := mustFold(way[:len(way)-1])
			edge, err := s.Apply(way[len(way)-1])
			Expect(err).NotTo(HaveOccurred())
			Expect(edge.Name).To(Equal(name))
		})
	}
})
