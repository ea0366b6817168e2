package faults_test

import (
	. "github.com/onsi/ginkgo/v2"

	"bridgesim/faults"
)

var _ = Describe("the duty about the browser", func() {
	It("that is gone for good is to stop, once the budget is spent", func() {
		duties(
			faults.Stop,
			"kill-browser at wait.poll@1#1/before",
			"kill-browser at attach.connect@0#1/before",
			"freeze-browser at send.submit@1#1/after",
		)
		duties(faults.Complete, "kill-browser at detach.close@3#1/before",
			"freeze-browser at detach.close@3#1/after")
	})
	It("that comes back is to go on, as with a closed tab", func() {
		duties(
			faults.Complete,
			"relaunch at wait.poll@2#1/before",
			"relaunch at agent.poll@1#1/before",
			"relaunch at attach.connect@0#1/before",
			"freeze-browser at send.submit@1#2/after with for=3s",
		)
		duties(
			faults.Stop,
			"relaunch at send.submit@1#2/before",
			"relaunch at send.prove@0#1/before",
		)
	})
})
