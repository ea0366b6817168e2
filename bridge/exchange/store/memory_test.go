package store_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/exchange/store"
	"bridgesim/bridge/exchange/store/storetest"
)

func TestStore(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "bridge/exchange/store")
}

var _ = func() bool {
	storetest.Contract("memory", func() store.Store { return store.NewMemory() })
	return true
}()
