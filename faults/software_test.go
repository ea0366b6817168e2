package faults_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim/event"
)

var _ = Describe("a bug", func() {
	It("is a panic that is no kill, and says what and where", func() {
		l := start("panic at send.guard@1#1/after with text='index out of range'")
		killed, crash := l.run(func(c *client) { _ = c.call(c.attach(), point.SendGuard, 1, "x") })
		Expect(killed).To(BeNil())
		value := crash.(*event.Crash).Value
		Expect(value).To(BeAssignableToTypeOf(faults.Bug{}))
		Expect(
			crash,
		).To(MatchError(ContainSubstring("index out of range (planted at send.guard@1#1/after)")))
		Expect(string(crash.(*event.Crash).Stack)).To(ContainSubstring("software_test.go"))
		Expect(
			l.events,
		).To(Equal([]string{"armed panic", "reached panic", "applied panic", "stays panic"}))
	})
	It("is never taken for a network fault: the duty is to stop", func() {
		duties(
			faults.Stop,
			"panic at wait.poll@1#1/before",
			"panic at store.append@1:sent#1/before",
		)
	})
})
