package exchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	. "bridgesim/bridge/exchange"
)

func trip[E Entity](e E) ([]byte, func([]byte) error) {
	text, err := Encode(e)
	Expect(err).NotTo(HaveOccurred())
	back, err := Decode[E](text)
	Expect(err).NotTo(HaveOccurred())
	Expect(back).To(Equal(e))
	return text, func(b []byte) error { _, err := Decode[E](b); return err }
}

type sample struct {
	text   []byte
	decode func([]byte) error
}

func samples() []sample {
	of := func(text []byte, decode func([]byte) error) sample { return sample{text, decode} }
	return []sample{
		of(trip(Exchange{ExchangeID: ho, State: Closed, CreatedAt: past, ClosedAt: now})),
		of(trip(someMessage())), of(trip(far)), of(trip(someLease())), of(trip(someAttempt())),
		of(trip(someEvidence(SawRunning))), of(trip(someReconciliation(Delivered))),
		of(trip(someResult())), of(trip(someEvent())), of(trip(someDisposition())),
		of(trip(Receipt{
			ReceiptID: ids.New(ReceiptID), ExchangeID: ho, MessageID: msg, Endpoint: far,
			Kind: DuplicateSuppressed, CreatedAt: now,
		})),
		of(trip(Consumer{ConsumerID: "c", Label: "l", CreatedAt: past, LastSeenAt: now})),
		of(trip(ChatGPT())),
		of(trip(Grant{Action: Send, PrincipalID: "p", Scope: Scope{ExchangeID: ho}})),
	}
}

func fault(err error) InputFault {
	if e, ok := errors.AsType[*SchemaError](err); ok {
		return e.Fault
	}
	if e, ok := errors.AsType[*DigestInputError](err); ok {
		return e.Fault
	}
	return ""
}

// optional are the fields that may be missing.
var optional = []string{
	"closedAt", "instanceId", "idempotencyKey", "applicationEvidence", "label", "lastSeenAt",
	"digest", "length", "outcome", "capabilities", "payloadLength", "reason",
}

var _ = Describe("closed schemas", func() {
	It("[33][34] an unknown property in any entity is refused", func() {
		for _, s := range samples() {
			text := append([]byte(`{"bodyText":"x",`), s.text[1:]...)
			Expect(fault(s.decode(text))).To(Equal(UnknownField), string(text))
		}
	})
	It("a key that stands twice in any entity is refused", func() {
		for _, s := range samples() {
			name, _, _ := strings.Cut(string(s.text[1:]), ":")
			text := append([]byte("{"+name+":0,"), s.text[1:]...)
			Expect(fault(s.decode(text))).To(Equal(DuplicateKey), string(text))
		}
	})
	It("a field that is missing, or of another type, is refused", func() {
		for _, s := range samples() {
			var fields map[string]any
			Expect(json.Unmarshal(s.text, &fields)).To(Succeed())
			for name, value := range fields {
				fields[name] = []any{true}
				Expect(fault(s.decode(text(fields)))).NotTo(BeEmpty(), "%s of %s", name, s.text)
				delete(fields, name)
				if !slices.Contains(optional, name) {
					Expect(fault(s.decode(text(fields)))).To(Equal(BadField), "%s of %s", name, s.text)
				}
				fields[name] = value
			}
		}
	})
	DescribeTable("JSON that no entity is made of", func(text string, want InputFault) {
		_, err := Decode[Lease]([]byte(text))
		Expect(fault(err)).To(Equal(want), "%v", err)
		_, err = CanonicalText([]byte(text))
		Expect(fault(err)).To(Equal(want), "%v", err)
	},
		Entry("oversized", `{"a":"`+strings.Repeat("x", MaxBytes)+`"}`, Oversized),
		Entry("deep", strings.Repeat("[", 65)+strings.Repeat("]", 65), TooDeep),
		Entry("very deep", strings.Repeat("[", 100_000), TooDeep),
		Entry("a number without end", `{"fencingToken":1e999}`, NonFinite),
		Entry("NaN", `{"fencingToken":NaN}`, Malformed),
		Entry("two values", `{} {}`, Malformed),
		Entry("nothing", ``, Malformed),
		Entry("cut short", `{"a":`, Malformed),
		Entry("a duplicate far inside", `{"a":[{"b":1,"b":2}]}`, DuplicateKey),
		Entry("invalid UTF-8", "{\"a\":\"\xff\"}", Malformed),
	)
	DescribeTable("[35][36][38][39][40] one field out of its range", func(err error, field string) {
		e, ok := errors.AsType[*SchemaError](err)
		Expect(ok).To(BeTrue(), "%v", err)
		Expect(e.Field).To(Equal(field))
	},
		Entry("token 0", with(someLease(), func(l *Lease) { l.FencingToken = 0 }), "fencingToken"),
		Entry("token -1", with(someLease(), func(l *Lease) { l.FencingToken = -1 }), "fencingToken"),
		Entry("sequence 0", with(someEvent(), func(e *Event) { e.Sequence = 0 }), "sequence"),
		Entry("pending result", with(someResult(), func(r *Result) { r.Transport = Unreported }),
			"transport"),
		Entry("closed without time", with(Exchange{ExchangeID: ho, State: Closed, CreatedAt: now},
			func(*Exchange) {}), "closedAt"),
		Entry("open with a time of closing", with(
			Exchange{ExchangeID: ho, State: Open, CreatedAt: now, ClosedAt: now}, func(*Exchange) {}),
			"closedAt"),
		Entry("upper-case digest", with(someMessage(),
			func(m *Message) { m.PayloadDigest = strings.ToUpper(m.PayloadDigest) }), "payloadDigest"),
		Entry("digest of another body", with(someResult(), func(r *Result) { r.Body += "!" }),
			"resultDigest"),
		Entry("negative length", with(someMessage(), func(m *Message) { m.PayloadLength = -1 }),
			"payloadLength"),
		Entry("other spelling of a time", with(someMessage(),
			func(m *Message) { m.CreatedAt = "2026-11-30T12:00:00Z" }), "createdAt"),
	)
	It("a fraction is no fencing token and no sequence", func() {
		text, _ := Encode(someLease())
		_, err := Decode[Lease]([]byte(strings.Replace(string(text), `"fencingToken":3`,
			`"fencingToken":3.5`, 1)))
		Expect(fault(err)).To(Equal(BadField))
	})
	It("[8] there is no CONSUMED and no DELIVERED", func() {
		for _, s := range []State{"CONSUMED", "DELIVERED", ""} {
			m := someMessage()
			m.State = s
			Expect(Validate(m)).NotTo(Succeed())
		}
		Expect(States).To(HaveLen(12))
	})
	It("[37] an event has a place for ids, digest, length and outcome only", func() {
		Expect(fields(reflect.TypeFor[Event]())).To(ConsistOf("EventID", "ExchangeID", "Sequence",
			"Kind", "SubjectID", "CreatedAt", "Digest", "Length", "Outcome"))
		for _, bad := range []func(*Event){
			func(e *Event) { e.Outcome = "Dear ChatGPT, please" },
			func(e *Event) { e.SubjectID = "Dear ChatGPT, please" },
			func(e *Event) { e.Kind = "Dear ChatGPT, please" },
			func(e *Event) { e.Digest = "Dear ChatGPT, please" },
		} {
			Expect(with(someEvent(), bad)).To(HaveOccurred())
		}
	})
	It("[78] an error names the field and quotes nothing", func() {
		m := someMessage()
		m.PayloadDigest = "a secret"
		_, err := Decode[Message](text(m))
		Expect(err).To(MatchError(ContainSubstring("payloadDigest")))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
		_, err = Decode[Message]([]byte(`{"a secret":"a secret"}`))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	})
	It("[77][79] no entity has a field for credentials", func() {
		for _, s := range samples() {
			var fields map[string]any
			Expect(json.Unmarshal(s.text, &fields)).To(Succeed())
			for name := range fields {
				Expect(strings.ToLower(name)).NotTo(MatchRegexp(
					"password|secret|credential|apikey|cookie|environment|reasoning"))
			}
		}
		Expect(fields(reflect.TypeFor[EndpointRef]())).To(
			ConsistOf("Adapter", "EndpointID", "InstanceID"))
	})
	It("[41] application evidence is kept verbatim", func() {
		r := someResult()
		r.ApplicationEvidence = []byte(`{"b":[1,{"a":null}],"state":"CANCELLED"}`)
		text, err := Encode(r)
		Expect(err).NotTo(HaveOccurred())
		back, err := Decode[Result](text)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back.ApplicationEvidence)).To(Equal(string(r.ApplicationEvidence)))
	})
})

func fields(t reflect.Type) (out []string) {
	for f := range t.Fields() {
		out = append(out, f.Name)
	}
	return out
}

func with[E Entity](e E, change func(*E)) error {
	change(&e)
	return Validate(e)
}

func text(v any) []byte {
	b, err := json.Marshal(v)
	Expect(err).NotTo(HaveOccurred())
	return b
}

var _ = Describe("ids", func() {
	It("[1][3][4] take exactly their prefix and a ULID", func() {
		const old = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
		for _, p := range Prefixes {
			_, err := ParseID(p, string(p)+old)
			Expect(err).NotTo(HaveOccurred())
			for _, bad := range []string{
				old, "x" + string(p) + old, string(p) + old[1:], string(p) + old + "0",
				string(p) + strings.ToLower(old), string(p) + "8" + old[1:], string(p) + "I" + old[1:],
				string(p) + "0L" + old[2:], string(p) + "0O" + old[2:], string(p) + "0U" + old[2:],
				string(p), "", string(p) + old[20:],
			} {
				_, err := ParseID(p, bad)
				Expect(err).To(MatchError(ErrID), bad)
			}
			for _, q := range Prefixes {
				_, err := ParseID(q, string(p)+old)
				Expect(err == nil).To(Equal(p == q), "%s as %s", p, q)
			}
		}
	})
})

type chance []byte

func (c chance) Read(p []byte) { copy(p, c) }

// TestIDsLoseNothing is invariants 5 and 6: time and chance come back, and nothing else went in.
func TestIDsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, 1<<48-1).Draw(t, "ms")
		random := rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "entropy")
		p := rapid.SampledFrom(Prefixes).Draw(t, "prefix")
		id := Ids{Clock: standing{at: time.UnixMilli(ms)}, Entropy: chance(random)}.New(p)
		parts, err := ParseID(p, id)
		if err != nil || parts.Time.UnixMilli() != ms || !slices.Equal(parts.Entropy[:], random) {
			t.Fatalf("%s: %v %v, want %d %x", id, parts, err, ms, random)
		}
	})
}

// TestDigestsKnowTheOrderOfArraysOnly is invariant 51.
func TestDigestsKnowTheOrderOfArraysOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOfN(rapid.String(), rapid.Int32(), 2, 9).Draw(t, "m")
		var one, two []string
		for k, v := range m {
			name, _ := json.Marshal(k)
			one = append(one, fmt.Sprintf("%s:%d", name, v))
		}
		two = slices.Clone(one)
		slices.Reverse(two)
		a, errA := CanonicalText([]byte("{" + strings.Join(one, ",") + "}"))
		b, errB := CanonicalText([]byte("{ " + strings.Join(two, " , ") + "}"))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Fatalf("%s %v\n%s %v", a, errA, b, errB)
		}
	})
}

var _ = Describe("canonical JSON", func() {
	It("[51] sorts keys and leaves arrays alone", func() {
		a, _ := Digest(map[string]any{"a": []any{1, 2}, "b": nil})
		b, _ := Digest(map[string]any{"b": nil, "a": []any{1.0, 2}})
		c, _ := Digest(map[string]any{"a": []any{2, 1}, "b": nil})
		Expect(a).To(And(Equal(b), HaveLen(64)))
		Expect(a).NotTo(Equal(c))
	})
	cycle := map[string]any{}
	cycle["self"] = []any{cycle}
	type ring struct{ Next *ring }
	pointers := &ring{}
	pointers.Next = pointers
	DescribeTable("[48][53] a value without canonical form is a DigestInputError",
		func(v any, want InputFault) {
			_, err := Digest(v)
			Expect(fault(err)).To(Equal(want), "%v", err)
			_, ok := errors.AsType[*DigestInputError](err)
			Expect(ok).To(BeTrue())
		},
		Entry("not a number", []any{math.NaN()}, NonFinite),
		Entry("without end", map[string]any{"a": math.Inf(-1)}, NonFinite),
		Entry("a cycle of maps", cycle, TooDeep),
		Entry("a cycle of pointers", pointers, TooDeep),
		Entry("a function", func() {}, NotPlain),
		Entry("a channel", []any{make(chan int)}, NotPlain),
		Entry("a complex number", 1i, NotPlain),
		Entry("a time", noon, NotPlain),
		Entry("a map with other keys", map[int]int{1: 1}, NotPlain),
	)
})
