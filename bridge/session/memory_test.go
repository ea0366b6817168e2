package session

import (
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("memory", func() {
	var m *Memory
	records := quiet(2)

	BeforeEach(func() { m = NewMemory() })

	It("loses in a crash what a lying disk did not sync", func() {
		appendAll(m, records[:3])
		m.DropSyncs(true)
		appendAll(m, records[3:])
		Expect(loads(m)).To(Equal(records), "a killed process loses nothing")
		m.Crash()
		Expect(m.Len()).To(Equal(3))
		Expect(loads(m)).To(Equal(records[:3]))
		m.DropSyncs(false)
		appendAll(m, records[3:])
		m.Crash()
		Expect(loads(m)).To(Equal(records))
	})

	It("makes durable what was written when the disk stops lying", func() {
		m.DropSyncs(true)
		appendAll(m, records)
		m.DropSyncs(false)
		m.Crash()
		Expect(loads(m)).To(Equal(records))
	})

	It("can be full", func() {
		appendAll(m, records[:2])
		m.Full(true)
		Expect(m.Append(records[2])).To(MatchError(syscall.ENOSPC))
		Expect(m.Rewrite(records[:2])).To(MatchError(syscall.ENOSPC))
		m.Full(false)
		appendAll(m, records[2:])
		Expect(loads(m)).To(Equal(records))
	})

	It("changes nothing that was loaded before", func() {
		appendAll(m, records)
		before := loads(m)
		m.Age(2)
		Expect(loads(m)).To(Equal(records[:2]))
		appendAll(m, list(budget(), budget()))
		Expect(before).To(Equal(records))
	})

	It("is not harmed when there is nothing to harm", func() {
		m.Tear()
		m.Corrupt()
		m.Age(5)
		m.Crash()
		_, _, err := m.Load()
		Expect(err).To(MatchError(ErrNoSession))
		appendAll(m, records)
		m.Age(-1)
		_, _, err = m.Load()
		Expect(err).To(MatchError(ErrNoSession))
	})
})
