package exchange_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "bridgesim/bridge/exchange"
)

// publisher may publish the sample result.
func publisher() Authorization {
	a := Authorization{PrincipalID: worker}
	a.Grants = []Grant{granted(Publication, Scope{
		ExchangeID: ho, MessageID: msg, AttemptID: att, Endpoint: far,
	})}
	return a
}

var _ = Describe("publication", func() {
	It("[42] takes an outcome that ends an execution and no other", func() {
		for _, o := range Outcomes {
			r := someResult()
			r.Runtime = o
			_, _, err := Publish(nil, r, publisher(), nil)
			if o == SawAccepted || o == SawRunning {
				Expect(err).To(MatchError(ErrNotSettled))
			} else {
				Expect(err).NotTo(HaveOccurred())
			}
		}
	})
	It("[43][44] replays an equal result and refuses another", func() {
		was := someResult()
		got, replayed, err := Publish(&was, someResult(), publisher(), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(replayed).To(BeTrue())
		Expect(got).To(Equal(was))
		other := someResult()
		other.Body, other.ResultDigest = "else", DigestBytes([]byte("else"))
		_, _, err = Publish(&was, other, publisher(), nil)
		Expect(err).To(MatchError(ErrConflict))
		Expect(err.Error()).NotTo(ContainSubstring("else"))
	})
	It("[45] hands out copies", func() {
		was := someResult()
		was.ApplicationEvidence = []byte(`{"a":1}`)
		got, _, err := Publish(nil, was, publisher(), nil)
		Expect(err).NotTo(HaveOccurred())
		was.ApplicationEvidence[2] = 'z'
		Expect(string(got.ApplicationEvidence)).To(Equal(`{"a":1}`))
		got.Snapshot().ApplicationEvidence[2] = 'y'
		Expect(string(got.ApplicationEvidence)).To(Equal(`{"a":1}`))
	})
	It("[48] refuses evidence that is not plain, at publish and at read", func() {
		for _, bad := range []string{`{"a":1e999}`, `{"a":1,"a":2}`, `{`, `undefined`, `[,1]`} {
			r := someResult()
			r.ApplicationEvidence = []byte(bad)
			_, _, err := Publish(nil, r, publisher(), nil)
			Expect(fault(err)).To(Equal(BadField), bad)
			good := string(text(someResult()))
			_, err = Decode[Result]([]byte(good[:len(good)-1] + `,"applicationEvidence":` + bad + `}`))
			Expect(fault(err)).NotTo(BeEmpty(), bad)
		}
	})
	It("[31] without its result, or with another one, RESULT_AVAILABLE is refused", func() {
		f := enough(rule(17))
		f.Result = nil
		Expect(refused(f, ResultAvailable)).To(Equal(NeedResult))
	})
	It("needs its grant and an active exchange", func() {
		_, _, err := Publish(nil, someResult(), Authorization{PrincipalID: worker}, nil)
		refusal, ok := errors.AsType[*Refusal](err)
		Expect(ok).To(BeTrue())
		Expect(refusal.Fact).To(Equal(NeedGrant))
		d := someDisposition()
		_, _, err = Publish(nil, someResult(), publisher(), &d)
		Expect(err).To(MatchError(ErrInactive))
	})
})

var _ = Describe("idempotent create", func() {
	var stored map[string]*Creation
	lookup := func(key string) (*Creation, error) { return stored[key], nil }
	BeforeEach(func() { stored = map[string]*Creation{} })
	k := Key{Namespace: "a", Key: "b:c"}

	It("[49][50] replays an equal request and refuses another", func() {
		digest, was, err := Repeat(map[string]any{"x": 1, "y": 2}, k, lookup)
		Expect(err).NotTo(HaveOccurred())
		Expect(was).To(BeNil())
		stored[k.Text()] = &Creation{Digest: digest, MessageID: msg}
		_, was, err = Repeat(map[string]any{"y": 2, "x": 1}, k, lookup)
		Expect(err).NotTo(HaveOccurred())
		Expect(was.MessageID).To(Equal(msg))
		_, was, err = Repeat(map[string]any{"y": 2, "x": 3}, k, lookup)
		Expect(was).To(BeNil())
		Expect(err).To(MatchError(ContainSubstring(IdempotencyKeyConflict)))
	})
	It("[52] two keys that are equal when written one after the other stay two", func() {
		Expect(k.Text()).NotTo(Equal(Key{Namespace: "a:b", Key: "c"}.Text()))
		Expect(Key{Namespace: `a","b`, Key: "c"}.Text()).NotTo(
			Equal(Key{Namespace: "a", Key: `b","c`}.Text()))
	})
	It("[53] a request without canonical form is refused before any lookup", func() {
		_, _, err := Repeat(func() {}, k, func(string) (*Creation, error) {
			Fail("looked up")
			return nil, nil
		})
		Expect(fault(err)).To(Equal(NotPlain))
	})
	It("[54] without a key nothing is looked up", func() {
		_, was, err := Repeat(1, Key{Namespace: "a"}, func(string) (*Creation, error) {
			Fail("looked up")
			return nil, nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(was).To(BeNil())
	})
})
