package explore

import (
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/sim"
)

func TestExplore(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "explore")
}

const (
	shipped = "../../features/explore/sessions.feature"
	quick   = "@quick"
)

// sessions loads the shipped sessions with a tag; without one all of them.
func sessions(tags string) []Session {
	GinkgoHelper()
	all, err := Load(context.Background(), []string{shipped}, tags, 1)
	Expect(err).NotTo(HaveOccurred())
	return all
}

// kinds reads a choice of kinds.
func kinds(words ...string) []Kind {
	GinkgoHelper()
	k, err := ParseKinds(words)
	Expect(err).NotTo(HaveOccurred())
	return k
}

// explored explores on the model.
func explored(o Options) *Result {
	GinkgoHelper()
	o.Engine = sim.Virtual()
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Depth == 0 {
		o.Depth = 1
	}
	rep, err := Explore(context.Background(), o)
	Expect(err).NotTo(HaveOccurred())
	return rep
}
