package session

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/wire"
)

// world is one place where a journal lives, as the contract sees it: it can be opened again and
// again, like by one process after another, and things can happen to it in between.
type world struct {
	open    func() Rewriter
	tear    func() // the last write was cut short
	corrupt func()
	clear   func()
	newer   func()
	age     func(n int)
	demand  func(s Rewriter, sid string)
}

func memoryWorld() world {
	m := NewMemory()
	return world{
		open: func() Rewriter { return m }, tear: m.Tear, corrupt: m.Corrupt, clear: m.Clear, age: m.Age,
		newer:  func() { m.SetVersion(Format + 1) },
		demand: func(_ Rewriter, sid string) { m.Demand(sid) },
	}
}

func folderWorld() world {
	dir := GinkgoT().TempDir()
	path := filepath.Join(dir, journalName)
	read := func() []byte {
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		return data
	}
	// As an editor or a backup does it: a new file under the old name.
	write := func(data []byte) {
		Expect(os.WriteFile(path+".copy", data, 0o600)).To(Succeed())
		Expect(os.Rename(path+".copy", path)).To(Succeed())
	}
	return world{
		open: func() Rewriter {
			s, err := OpenFolder(dir)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(s.Close)
			return s
		},
		tear: func() { data := read(); write(data[:len(data)-3]) },
		corrupt: func() {
			data := read()
			data[len(data)/2] ^= 0x20
			write(data)
		},
		clear: func() { Expect(os.Remove(path)).To(Succeed()) },
		newer: func() { write([]byte("pi-bridge-journal 2 and whatever comes\n")) },
		age: func(n int) {
			p, err := parse(path, read())
			Expect(err).NotTo(HaveOccurred())
			data, _ := journalOf(p.records[:n])
			write(data)
		},
		demand: func(s Rewriter, sid string) { s.(*FileStore).Demand(sid) },
	}
}

func appendAll(s Store, records []Record) {
	GinkgoHelper()
	for i := range records {
		Expect(s.Append(records[i])).To(Succeed())
	}
}

func loads(s Store) []Record {
	GinkgoHelper()
	records, torn, err := s.Load()
	Expect(err).NotTo(HaveOccurred())
	Expect(torn).To(BeFalse())
	return records
}

// contract is what every Store promises.
func contract(name string, build func() world) bool {
	return Describe("a store in "+name, func() {
		var w world
		var s Rewriter
		records := quiet(3)

		BeforeEach(func() {
			w = build()
			s = w.open()
		})
		reopen := func() {
			GinkgoHelper()
			Expect(s.Close()).To(Succeed())
			s = w.open()
		}

		It("has no session at first, and refuses to begin in the middle", func() {
			_, _, err := s.Load()
			Expect(err).To(MatchError(ErrNoSession))
			Expect(s.Append(budget())).To(MatchError(ErrGone))
			_, err = s.SetAside()
			Expect(err).To(MatchError(ErrNoSession))
		})

		It("keeps every record, in order, for the next process", func() {
			for i := range records {
				Expect(s.Append(records[i])).To(Succeed())
				if i%5 == 0 {
					reopen()
				}
				Expect(loads(s)).To(Equal(records[:i+1]))
			}
			reopen()
			Expect(loads(s)).To(Equal(records))
		})

		It("appends without a Load before", func() {
			appendAll(s, records[:4])
			reopen()
			appendAll(s, records[4:])
			Expect(loads(s)).To(Equal(records))
		})

		It("drops a torn end, says so, and goes on behind it", func() {
			appendAll(s, records[:6])
			Expect(s.Close()).To(Succeed())
			w.tear()
			s = w.open()
			got, torn, err := s.Load()
			Expect(err).NotTo(HaveOccurred())
			Expect(torn).To(BeTrue())
			Expect(got).To(Equal(records[:5]))
			appendAll(s, records[5:])
			reopen()
			Expect(loads(s)).To(Equal(records))
		})

		It("survives the tearing of its only record", func() {
			appendAll(s, records[:1])
			Expect(s.Close()).To(Succeed())
			w.tear()
			s = w.open()
			got, torn, err := s.Load()
			Expect(err).NotTo(HaveOccurred())
			Expect(torn).To(BeTrue())
			Expect(got).To(BeEmpty())
			appendAll(s, records)
			Expect(loads(s)).To(Equal(records))
		})

		It("refuses a damaged journal until it is put aside", func() {
			appendAll(s, records)
			Expect(s.Close()).To(Succeed())
			w.corrupt()
			s = w.open()
			_, _, err := s.Load()
			Expect(err).To(MatchError(ErrCorrupt))
			kept, err := s.SetAside()
			Expect(err).NotTo(HaveOccurred())
			Expect(kept).NotTo(BeEmpty())
			_, _, err = s.Load()
			Expect(err).To(MatchError(ErrNoSession))
			appendAll(s, records)
			Expect(loads(s)).To(Equal(records))
		})

		It("leaves a newer journal alone", func() {
			appendAll(s, records)
			Expect(s.Close()).To(Succeed())
			w.newer()
			s = w.open()
			_, _, err := s.Load()
			Expect(err).To(MatchError(ErrNewer))
			Expect(s.Append(budget())).To(MatchError(ErrNewer))
		})

		It("refuses the journal of another session when one is demanded", func() {
			appendAll(s, records)
			reopen()
			w.demand(s, "00000000000000ff")
			_, _, err := s.Load()
			Expect(err).To(MatchError(ErrForeign))
			Expect(err.Error()).To(ContainSubstring("00000000000000ff"))
			w.demand(s, testSID)
			Expect(loads(s)).To(Equal(records))
		})

		It("replaces a journal in one step", func() {
			appendAll(s, records)
			state := mustFold(records[:5])
			anew := list(Record{Kind: RecSnapshot, SID: testSID, Snapshot: &state},
				intent(wire.KindRound, 1))
			Expect(s.Rewrite(anew)).To(Succeed())
			Expect(loads(s)).To(Equal(anew))
			Expect(s.Append(sent(wire.KindRound, 1))).To(Succeed())
			reopen()
			Expect(loads(s)).To(HaveLen(3))
		})

		It("notices what happens to it while it is in use, and can be written anew", func() {
			for name, happen := range map[string]func(){
				"cleared": w.clear, "torn": w.tear, "corrupt": w.corrupt, "aged": func() { w.age(2) },
			} {
				By(name)
				Expect(s.Rewrite(records[:1])).To(Succeed())
				appendAll(s, records[1:5])
				happen()
				Expect(s.Append(records[5])).To(MatchError(ErrGone))
				Expect(s.Append(records[5])).To(MatchError(ErrGone), "and again")
				Expect(s.Rewrite(records[:6])).To(Succeed())
				appendAll(s, records[6:])
				reopen()
				Expect(loads(s)).To(Equal(records))
			}
		})

		It("goes back in time without a word when nobody is there", func() {
			appendAll(s, records)
			Expect(s.Close()).To(Succeed())
			w.age(4)
			s = w.open()
			Expect(loads(s)).To(Equal(records[:4]))
			appendAll(s, records[4:6])
			Expect(loads(s)).To(Equal(records[:6]))
		})
	})
}

var (
	_ = contract("memory", memoryWorld)
	_ = contract("a folder", folderWorld)
)
