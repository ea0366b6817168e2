package exchange_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "bridgesim/bridge/exchange"
)

// gaps are the invariants that have no test yet, each with what it waits for. One that has a test
// must leave the list.
var gaps = map[int]string{
	13: "the endpoint that calls an adapter, which does not exist yet",
	66: "the host, which keeps no later observations yet",
	75: "the control surface, which does not exist yet",
}

// elsewhere are the invariants whose test is a property with a name of its own.
var elsewhere = map[int]string{5: "TestIDsLoseNothing", 6: "TestIDsLoseNothing"}

var numbers = regexp.MustCompile(`^(\[\d+\])+ `)

// numbered reads which test carries which number, from the sources of this package and below.
func numbered(t *testing.T) (map[int][]string, []string) {
	found, funcs := map[int][]string{}, []string{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok {
				funcs = append(funcs, f.Name.Name)
			}
			for _, i := range carried(n) {
				found[i] = append(found[i], path)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, funcs
}

// carried are the numbers at the start of the name of an It or a table.
func carried(n ast.Node) (out []int) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return nil
	}
	name, ok := call.Fun.(*ast.Ident)
	text, isText := call.Args[0].(*ast.BasicLit)
	if !ok || !isText || name.Name != "It" && name.Name != "DescribeTable" {
		return nil
	}
	title, _ := strconv.Unquote(text.Value)
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(numbers.FindString(title), -1) {
		i, _ := strconv.Atoi(digits)
		out = append(out, i)
	}
	return out
}

func TestEveryInvariantHasATest(t *testing.T) {
	if len(Invariants) != 80 {
		t.Fatalf("%d invariants, want 79", len(Invariants)-1)
	}
	found, funcs := numbered(t)
	for i := 1; i < len(Invariants); i++ {
		tested := len(found[i]) > 0 || slices.Contains(funcs, elsewhere[i])
		switch {
		case Invariants[i] == "":
			t.Errorf("invariant %d has no sentence", i)
		case tested && gaps[i] != "":
			t.Errorf("invariant %d has a test (%v): take it out of the gaps", i, found[i])
		case !tested && gaps[i] == "":
			t.Errorf("invariant %d has no test: %s", i, Invariants[i])
		}
	}
	for i := range found {
		if i < 1 || i >= len(Invariants) {
			t.Errorf("%v: there is no invariant %d", found[i], i)
		}
	}
}

// live are the rules that stand for progress now; late are those that look back.
var (
	live = []int{2, 3, 6, 8, 10, 12, 15, 17, 19, 20, 21}
	late = []int{7, 9, 22, 23, 24}
)

var _ = Describe("the lifecycle", func() {
	It("[12] a grant for something else permits nothing", func() {
		full := Scope{ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, OwnerID: worker}
		for _, change := range []func(*Scope){
			func(s *Scope) { s.ExchangeID = ids.New(ExchangeID) },
			func(s *Scope) { s.MessageID = ids.New(MessageID) },
			func(s *Scope) { s.AttemptID = ids.New(AttemptID) },
			func(s *Scope) { s.Endpoint.InstanceID = "i2" },
			func(s *Scope) { s.Endpoint.InstanceID = "" },
		} {
			f := enough(rule(15))
			other := full
			change(&other)
			f.Authorization.Grants = []Grant{granted(SettlementReport, other)}
			Expect(refused(f, Settled)).To(Equal(NeedGrant))
		}
	})
	It("[14][15] DISPATCHING becomes ACCEPTED by both facts and by neither alone", func() {
		f := enough(rule(8))
		f.Evidence = nil
		Expect(refused(f, Accepted)).To(Equal(NeedEvidence))
		for _, t := range []Transport{Unreported, Ambiguous, NoEffect} {
			f = enough(rule(8))
			f.Attempt.Transport = t
			Expect(refused(f, Accepted)).To(Equal(NeedTransport))
		}
	})
	It("[16] evidence of anything else is refused by every rule that needs some", func() {
		for _, r := range Rules {
			if len(r.Outcomes) == 0 {
				continue
			}
			for _, change := range []func(*RuntimeEvidence){
				func(e *RuntimeEvidence) { e.ExchangeID = ids.New(ExchangeID) },
				func(e *RuntimeEvidence) { e.MessageID = ids.New(MessageID) },
				func(e *RuntimeEvidence) { e.AttemptID = ids.New(AttemptID) },
				func(e *RuntimeEvidence) { e.Endpoint = us },
			} {
				f := enough(r)
				change(f.Evidence)
				Expect(refused(f, r.To)).To(Equal(NeedOwnEvidence))
			}
		}
	})
	It("[17][20] a claim of somebody else, or a later one, ends live progress", func() {
		for _, n := range append(slices.Clone(live), 4, 18) {
			for _, change := range []func(*Lease){
				func(l *Lease) { l.ConsumerID = "x" }, func(l *Lease) { l.InstanceID = "x" },
				func(l *Lease) { l.FencingToken++ },
			} {
				f := enough(rule(n))
				change(f.CurrentLease)
				Expect(refused(f, rule(n).To)).To(Equal(NeedSameClaim), "rule %d", n)
			}
		}
	})
	It("[18] an expired lease permits no live progress", func() {
		for _, n := range live {
			f := enough(rule(n))
			f.Attempt.Lease.ExpiresAt, f.CurrentLease.ExpiresAt = past, past
			Expect(refused(f, rule(n).To)).To(Equal(NeedUnexpired), "rule %d", n)
		}
	})
	It("an unstarted attempt can be cancelled after its lease: else it had no end", func() {
		for _, n := range []int{4, 18} {
			f := enough(rule(n))
			f.Attempt.Lease.ExpiresAt, f.CurrentLease.ExpiresAt = past, past
			_, err := Check(f, Cancelled)
			Expect(err).NotTo(HaveOccurred(), "rule %d", n)
		}
	})
	It("[19] an expired lease, or a lost one, permits quarantine and reconciliation", func() {
		for _, n := range late {
			f := enough(rule(n))
			f.Attempt.Lease.ExpiresAt = past
			_, err := Check(f, rule(n).To)
			Expect(err).NotTo(HaveOccurred(), "rule %d", n)
		}
	})
	It("[21] a time that cannot be read is refused", func() {
		for _, bad := range []Instant{"", "now", "2026-11-30", "2026-11-30T12:00:00.123+00:00"} {
			f := enough(rule(6))
			f.Now = bad
			Expect(refused(f, Dispatching)).To(Equal(NeedNow))
			f = enough(rule(6))
			f.Attempt.Lease.ExpiresAt = bad
			Expect(refused(f, Dispatching)).To(Equal(NeedRecordedLease))
			f = enough(rule(12))
			f.Evidence.ObservedAt = bad
			Expect(refused(f, Running)).To(Equal(NeedOwnEvidence))
		}
	})
	It("[22] an attempt that never started and yet has a fate is refused everywhere", func() {
		for _, r := range Rules {
			for _, t := range []Transport{Delivered, Ambiguous, NoEffect} {
				f := enough(r)
				a := someAttempt()
				a.Transport = t
				f.Attempt = &a
				f.Authorization = everything()
				Expect(refused(f, r.To)).To(BeElementOf(NeedConsistent, NeedNoAttempt))
			}
		}
	})
	It("[23] what started is not given back to the queue", func() {
		for _, t := range []Transport{Unreported, Ambiguous} {
			f := enough(rule(3))
			f.Attempt.Dispatch, f.Attempt.Transport = Started, t
			Expect(refused(f, Queued)).To(Equal(NeedDispatch))
			f = enough(rule(7))
			f.Attempt.Transport = t
			_, err := Check(f, DeliveryUnknown)
			Expect(err).NotTo(HaveOccurred())
		}
	})
	It("[24] FAILED needs the proof that nothing happened", func() {
		for _, n := range []int{10, 21, 24} {
			for _, t := range []Transport{Unreported, Ambiguous, Delivered} {
				f := enough(rule(n))
				f.Attempt.Transport = t
				Expect(refused(f, Failed)).To(Equal(NeedTransport))
			}
		}
	})
	It("[25][26] DELIVERY_UNKNOWN leads to ACCEPTED and FAILED, for nobody elsewhere", func() {
		f := enough(rule(23))
		f.Authorization = everything()
		for _, to := range States {
			if to == Accepted || to == Failed {
				continue
			}
			Expect(refused(f, to)).To(Equal(NeedShape))
		}
	})
	It("[27] a queued cancel refuses an attempt that started", func() {
		for _, t := range []Transport{Unreported, Delivered, Ambiguous, NoEffect} {
			f := enough(rule(25))
			a := someAttempt()
			a.Dispatch, a.Transport = Started, t
			f.Attempt = &a
			Expect(refused(f, Cancelled)).To(Equal(NeedDispatch))
		}
	})
	It("[28][29] who may ask for a cancellation cannot confirm one", func() {
		for _, n := range []int{4, 18, 19} {
			f := enough(rule(n))
			f.Authorization.Grants = []Grant{granted(Cancel, Scope{ExchangeID: ho, MessageID: msg})}
			Expect(refused(f, Cancelled)).To(Equal(NeedGrant))
		}
		for i := range 2 {
			f := enough(rule(19))
			f.Authorization.Grants = f.Authorization.Grants[i : i+1]
			Expect(refused(f, Cancelled)).To(Equal(NeedGrant))
		}
	})
	It("[30] cancelling what did not start refuses runtime evidence", func() {
		for _, n := range []int{4, 18, 25} {
			f := enough(rule(n))
			e := someEvidence(SawCancelled)
			f.Evidence = &e
			Expect(refused(f, Cancelled)).To(Equal(NeedNoEvidence))
		}
	})
	It("[70][74][76] the catalogues are closed and disjoint", func() {
		full := Scope{ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far, OwnerID: "o"}
		all := slices.Concat(ControlOperations, OwnerOperations, EndpointOperations)
		Expect(all).To(HaveLen(16))
		slices.Sort(all)
		Expect(slices.Compact(slices.Clone(all))).To(Equal(all))
		for _, a := range append(all, "exchange_own", "") {
			g := granted(a, full)
			Expect(Validate(g) == nil).To(Equal(a != "exchange_own" && a != ""), string(a))
		}
		f := enough(rule(6))
		f.Authorization = everything()
		f.Authorization.Grants = f.Authorization.Grants[:len(ControlOperations)]
		Expect(refused(f, Dispatching)).To(Equal(NeedGrant))
	})
	It("[71][72] a declaration is no fact of the guard, and what it leaves out is unknown", func() {
		Expect(ChatGPT().Capabilities.FollowUp.Or()).To(Equal(Unknown))
		Expect(ChatGPT().Capabilities.Cancellation.Or()).To(Equal(Unsupported))
		f := enough(rule(8))
		f.Authorization.Grants = nil
		Expect(refused(f, Accepted)).To(Equal(NeedGrant))
	})
	It("[73] who may report a delivery may not report the runtime", func() {
		f := enough(rule(8))
		f.Authorization.Grants = f.Authorization.Grants[:1]
		Expect(f.Authorization.Grants[0].Action).To(Equal(DeliveryReport))
		_, err := Check(f, Accepted)
		Expect(err).To(MatchError(ContainSubstring(string(RuntimeProgress))))
	})
})
