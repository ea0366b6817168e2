package session

import (
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

var _ = Describe("a journal that is rebuilt", func() {
	var m *spy
	var tr *trace
	var j *Journal
	var records []Record

	BeforeEach(func() {
		tr = &trace{}
		m = &spy{Memory: NewMemory(), t: tr}
		var err error
		j, err = Open(m, &stopped{now: time.Unix(1, 0)}, tr)
		Expect(err).NotTo(HaveOccurred())
		records = []Record{
			born(),
			{Kind: RecConversation, Conversation: "c-1"},
			{Kind: RecDisconnected, Loss: "cache-lost"},
			{
				Kind: RecUncertain, Message: wire.KindRound, Round: 2, MessageID: "m-9",
				CK: wire.Checkpoint{Round: 1, Key: "a1b2c3d4"}, HV: 1, CV: 2,
				Contract: "p2.478d1ef2", Cap: "c1.5fc20bbe",
			},
		}
	})

	It("is one durable write, and folds to what the records alone come to", func() {
		Expect(j.Rebuild(records)).To(Succeed())
		Expect(tr.lines).To(Equal([]string{
			"store.append@2", "append snapshot", "edge@2 any-to-disconnected ",
		}))
		want, err := Fold(records)
		Expect(err).NotTo(HaveOccurred())
		Expect(*j.State()).To(Equal(want))
		again, err := Open(m, &stopped{}, tr)
		Expect(err).NotTo(HaveOccurred())
		Expect(*again.State()).To(Equal(want))
	})

	It("leaves nothing when the write fails, or its tail is torn", func() {
		m.fail = errors.New("no space")
		Expect(j.Rebuild(records)).To(MatchError(ErrStore))
		Expect(j.State().SID).To(BeEmpty())
		m.fail = nil
		Expect(j.Rebuild(records)).To(Succeed())
		m.Tear()
		again, err := Open(m, &stopped{}, tr)
		Expect(err).NotTo(HaveOccurred())
		Expect(again.State().SID).To(BeEmpty())
		Expect(again.Torn()).To(BeTrue())
	})

	It("keeps the laws, and writes nothing that breaks one", func() {
		records[3].CK.Round = 3
		Expect(j.Rebuild(records)).To(MatchError(ErrCheckpointBack))
		Expect(m.Len()).To(BeZero())
		Expect(j.Rebuild(records[1:])).To(MatchError(ErrNotBegun))
		Expect(j.Rebuild(records[:3])).To(Succeed())
		Expect(j.Rebuild(records[:3])).To(MatchError(ErrBegunTwice))
	})
})
