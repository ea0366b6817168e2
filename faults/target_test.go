package faults_test

import (
	. "github.com/onsi/ginkgo/v2"

	"bridgesim/faults"
)

var _ = Describe("the duty about the tab", func() {
	It("that is closed is to open the conversation again", func() {
		duties(faults.Complete, "close-tab at wait.poll@1:streaming#1/before",
			"close-tab at send.submit@1#2/after", "close-tab at send.prove@2#1/after",
			"close-tab at agent.poll@1#1/before", "close-tab at send.insert@1#1/after",
			"close-tab at attach.session@0#1/before", "close-tab at capture.record@0#1/before")
	})
	It(
		"that is closed between intent and submit is to stop: nothing proves it not sent any more",
		func() {
			duties(
				faults.Stop,
				"close-tab at send.submit@1#2/before",
				"close-tab at send.submit@1#1/after",
				"close-tab at send.guard@2#1/after",
				"crash-tab at send.submit@1#1/before",
				"reload at send.submit@1#2/before",
				"navigate-away at send.guard@1#1/before",
			)
		},
	)
	It("that is closed before a conversation id exists is to stop", func() {
		duties(
			faults.Stop,
			"close-tab at send.submit@0#2/after",
			"close-tab at send.prove@0#1/before",
			"navigate-away at send.prove@0#1/after",
			"close-tab at send.submit@0#1/before",
		)
	})
	It("that comes back is to go on where the same conversation is known", func() {
		duties(
			faults.Complete,
			"reload at wait.poll@1#1/before",
			"crash-tab at send.submit@1#2/after",
			"detach at send.submit@0#2/after",
			"detach at send.submit@1#2/late",
		)
		duties(
			faults.Either,
			"reload at send.submit@0#2/after",
			"crash-tab at wait.poll@0#1/before",
		)
	})
	It("that hangs depends on the cure, and on nothing when a time ends it", func() {
		duties(
			faults.Either,
			"wedge-tab at send.submit@1#1/before",
			"dialog at send.guard@1#1/before",
		)
		duties(
			faults.Complete,
			"wedge-tab at wait.poll@1#1/before",
			"dialog at wait.poll@1#1/before",
			"wedge-tab at send.submit@1#1/before with for=5s",
			"dialog at send.submit@1#2/before with for=5s",
			"wedge-tab at attach.ready@0#1/before",
		)
	})
	It("that somebody else uses is to complete, and to send nothing of theirs", func() {
		duties(faults.Complete, "second-client at send.submit@1#1/before",
			"second-client at wait.poll@1#1/before with text=hello",
			"switch-conversation at wait.poll@1#1/before")
		duties(faults.Either, "second-client at send.insert@1#1/after with text=hello",
			"switch-conversation at send.submit@1#1/before")
	})
})
