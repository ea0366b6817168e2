package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/exchange/store"
	"bridgesim/bridge/exchange/store/sqlite"
	"bridgesim/bridge/exchange/store/storetest"
)

func TestSQLite(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "bridge/exchange/store/sqlite")
}

func open(path string) *sqlite.Store {
	s, err := sqlite.Open(path)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(s.Close)
	return s
}

var _ = func() bool {
	storetest.Contract("a SQLite file", func() store.Store {
		return open(filepath.Join(GinkgoT().TempDir(), "exchange #1?.db"))
	})
	return true
}()

var _ = Describe("the file", func() {
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "exchange.db") })

	fill := func() {
		s, err := sqlite.Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Update(func(tx store.Tx) error {
			return tx.Add(store.Events, "e", "x", make([]byte, 100_000))
		})).To(Succeed())
		Expect(s.Close()).To(Succeed())
	}
	run := func(statement string) {
		db, err := sql.Open("sqlite", path)
		Expect(err).NotTo(HaveOccurred())
		_, err = db.Exec(statement)
		Expect(err).NotTo(HaveOccurred())
		Expect(db.Close()).To(Succeed())
	}
	refused := func(want error) {
		before, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		_, err = sqlite.Open(path)
		Expect(err).To(MatchError(want))
		after, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(after).To(Equal(before))
	}
	It("holds what was committed when it is opened again", func() {
		fill()
		Expect(open(path).View(func(tx store.Tx) error {
			Expect(tx.Revision()).To(Equal(int64(1)))
			_, err := tx.Read(store.Events, "e")
			return err
		})).To(Succeed())
	})
	It("is refused, and untouched, when it is another program's", func() {
		run("CREATE TABLE somebody (s TEXT)")
		refused(sqlite.ErrForeign)
	})
	It("is refused, and untouched, when it is no database", func() {
		Expect(os.WriteFile(path, []byte("Dear diary, this is a text, no database at all."), 0o600)).
			To(Succeed())
		refused(sqlite.ErrForeign)
	})
	It("is refused, and untouched, when a newer program wrote it", func() {
		fill()
		run("PRAGMA user_version = 99")
		refused(sqlite.ErrNewer)
	})
	It("is refused, and untouched, when it is damaged", func() {
		fill()
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		for i := 4096; i < 5*4096; i++ {
			data[i] ^= 0x5a
		}
		Expect(os.WriteFile(path, data, 0o600)).To(Succeed())
		refused(sqlite.ErrCorrupt)
	})
})
