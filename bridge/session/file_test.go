package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// onDisk is a file store on a disk of the test.
func onDisk(d *disk) *FileStore { return &FileStore{files: d, dir: "/state"} }

func openFolder(dir string) *FileStore {
	GinkgoHelper()
	s, err := OpenFolder(dir)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(s.Close)
	return s
}

var _ = Describe("a state folder", func() {
	var dir, path string
	records := quiet(2)

	BeforeEach(func() {
		dir = filepath.Join(GinkgoT().TempDir(), "state", "one")
		path = filepath.Join(dir, journalName)
	})

	It("is made for its owner only, and so is the journal", func() {
		s := openFolder(dir)
		appendAll(s, records)
		Expect(s.Path()).To(Equal(path))
		for name, mode := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
			info, err := os.Stat(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(mode))
		}
		left, err := os.ReadDir(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(left).To(HaveLen(2), "journal and lock, no temporary file")
	})

	It("lets one process in; the second learns who holds it and what to do", func() {
		s := openFolder(dir)
		_, err := OpenFolder(dir)
		Expect(err).To(MatchError(ErrLocked))
		Expect(err.Error()).To(ContainSubstring(fmt.Sprintf("held by process %d", os.Getpid())))
		Expect(err.Error()).To(ContainSubstring(dir))
		Expect(err.Error()).To(ContainSubstring("wait for that process, or stop it"))
		Expect(s.Close()).To(Succeed())
		Expect(s.Close()).To(Succeed(), "twice is no error")
		openFolder(dir)
	})

	It("is free again, with every record, after its process was killed", func() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "SESSION_KILLED="+dir)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		Expect(errors.As(err, &exit)).To(BeTrue(), string(out))
		Expect(exit.Sys().(syscall.WaitStatus).Signal()).To(Equal(syscall.SIGKILL), string(out))
		Expect(loads(openFolder(dir))).To(Equal(records))
	})

	It("refuses a symbolic link in the place of journal or lock", func() {
		Expect(os.MkdirAll(dir, 0o700)).To(Succeed())
		target := filepath.Join(filepath.Dir(dir), "target")
		data, _ := journalOf(records)
		Expect(os.WriteFile(target, data, 0o600)).To(Succeed())
		Expect(os.Symlink(target, path)).To(Succeed())
		s := openFolder(dir)
		_, _, err := s.Load()
		Expect(err).To(MatchError(ErrForeign))
		Expect(err.Error()).To(ContainSubstring("not a regular file"))
		Expect(s.Append(records[0])).To(MatchError(ErrForeign))
		Expect(os.ReadFile(target)).To(Equal(data))
		Expect(s.Close()).To(Succeed())
		Expect(os.Remove(filepath.Join(dir, lockName))).To(Succeed())
		Expect(os.Symlink(target, filepath.Join(dir, lockName))).To(Succeed())
		_, err = OpenFolder(dir)
		Expect(err).To(MatchError(ErrForeign))
		Expect(os.ReadFile(target)).To(Equal(data))
	})

	It("refuses a folder that everybody may write to, no path, and a file", func() {
		Expect(os.MkdirAll(dir, 0o700)).To(Succeed())
		Expect(os.Chmod(dir, 0o777)).To(Succeed())
		_, err := OpenFolder(dir)
		Expect(err).To(MatchError(ContainSubstring("chmod o-w")))
		_, err = OpenFolder("")
		Expect(err).To(MatchError(ContainSubstring("no path given")))
		Expect(os.Chmod(dir, 0o700)).To(Succeed())
		Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		_, err = OpenFolder(path)
		Expect(err).To(HaveOccurred())
	})

	It("refuses a journal over the limit, before it reads it whole", func() {
		s := openFolder(dir)
		Expect(os.WriteFile(path, nil, 0o600)).To(Succeed())
		Expect(os.Truncate(path, maxJournal+1)).To(Succeed())
		_, _, err := s.Load()
		Expect(err).To(MatchError(ErrTooLarge))
		Expect(err.Error()).To(ContainSubstring(path))
	})

	It("keeps what was put aside, under the next free name", func() {
		s := openFolder(dir)
		for n := 1; n <= 3; n++ {
			appendAll(s, records[:n])
			kept, err := s.SetAside()
			Expect(err).NotTo(HaveOccurred())
			Expect(kept).To(Equal(fmt.Sprintf("%s.aside%d", path, n)))
			data, _ := journalOf(records[:n])
			Expect(os.ReadFile(kept)).To(Equal(data))
		}
	})

	It("writes nothing once it is closed", func() {
		s := openFolder(dir)
		appendAll(s, records[:1])
		Expect(s.Close()).To(Succeed())
		Expect(s.Append(records[1])).To(MatchError(os.ErrClosed))
	})

	It("puts aside a file that somebody else put in the place of its journal", func() {
		s := openFolder(dir)
		appendAll(s, records[:2])
		Expect(os.Remove(path)).To(Succeed())
		Expect(os.WriteFile(path, []byte("mine"), 0o600)).To(Succeed())
		Expect(s.Append(records[2])).To(MatchError(ErrGone))
		Expect(s.Rewrite(records[:3])).To(Succeed())
		Expect(os.ReadFile(path + ".aside1")).To(Equal([]byte("mine")))
		Expect(loads(s)).To(Equal(records[:3]))
	})
})

// TestKilled is the process that "is free again after its process was killed" starts.
func TestKilled(t *testing.T) {
	dir := os.Getenv("SESSION_KILLED")
	if dir == "" {
		t.Skip("runs only as a child of the state folder's specification")
	}
	s, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range quiet(2) {
		if err := s.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Kill(); err != nil {
		t.Fatal(err)
	}
	runtime.Goexit()
}

// story is a life of a store that uses every operation of the port. It returns how many records the
// store said were durable, and stops at the first error.
func story(s *FileStore, records []Record) (durable int) {
	for i := range records {
		if i == len(records)/2 {
			if s.Rewrite(records[:i+1]) != nil {
				return durable
			}
		} else if s.Append(records[i]) != nil {
			return durable
		}
		durable = i + 1
	}
	return durable
}

var _ = Describe("a folder's disk", func() {
	records := quiet(2)

	It("may lose its power in any operation: nothing durable is lost, nothing wrong is read", func() {
		whole := newDisk()
		Expect(story(onDisk(whole), records)).To(Equal(len(records)))
		Expect(whole.ops).To(BeNumerically(">", 2*len(records)))
		for cut := 1; cut <= whole.ops+1; cut++ {
			for _, how := range survivals() {
				d := newDisk()
				d.cutAt = cut
				durable := story(onDisk(d), records)
				after := onDisk(d.reboot(how))
				got, _, err := after.Load()
				where := fmt.Sprintf("cut at %d %v, %+v", cut, d.log[len(d.log)-1], how)
				if durable == 0 && errors.Is(err, ErrNoSession) {
					continue
				}
				Expect(err).NotTo(HaveOccurred(), where)
				Expect(len(got)).To(BeNumerically(">=", durable), where)
				Expect(isPrefix(got, records)).To(BeTrue(), where)
				for i := len(got); i < len(records); i++ {
					Expect(after.Append(records[i])).To(Succeed(), where)
				}
				Expect(loads(after)).To(Equal(records), where)
			}
		}
	})

	It("may lose its power while a torn end is being replaced", func() {
		data, ends := journalOf(records)
		for _, tail := range []string{
			"\x00", strings.Repeat("0", 5000),
			strings.Repeat("x", 2000) + "\n",
		} {
			for cut := 1; cut <= 12; cut++ {
				for _, how := range survivals() {
					d := newDisk()
					torn := append(bytes.Clone(data[:ends[3]]), tail...)
					in := &inode{now: bytes.Clone(torn), durable: bytes.Clone(torn)}
					d.now[journalName], d.durable[journalName] = in, in
					d.cutAt = cut
					s := onDisk(d)
					durable := 3
					for durable < len(records) && s.Append(records[durable]) == nil {
						durable++
					}
					got, _, err := onDisk(d.reboot(how)).Load()
					where := fmt.Sprintf("cut at %d %v, %+v", cut, d.log[len(d.log)-1], how)
					Expect(err).NotTo(HaveOccurred(), where)
					Expect(len(got)).To(BeNumerically(">=", durable), where)
					Expect(isPrefix(got, records)).To(BeTrue(), where)
				}
			}
		}
	})

	It("may fail any operation: the store says so and loses nothing", func() {
		whole := newDisk()
		story(onDisk(whole), records)
		for at := 1; at <= whole.ops; at++ {
			d := newDisk()
			d.fail[at] = syscall.EIO
			s := onDisk(d)
			durable := story(s, records)
			Expect(durable).To(BeNumerically("<", len(records)), "%s failed unnoticed", d.log[at-1])
			again := onDisk(d)
			got, _, err := again.Load()
			if durable == 0 && errors.Is(err, ErrNoSession) {
				continue
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(len(got)).To(BeNumerically(">=", durable))
			Expect(isPrefix(got, records)).To(BeTrue())
		}
	})

	It("may be full for a while: the half-written line is cut off before the next one", func() {
		d := newDisk()
		s := onDisk(d)
		appendAll(s, records[:3])
		d.fail[d.ops+1] = syscall.ENOSPC
		Expect(s.Append(records[3])).To(MatchError(syscall.ENOSPC))
		_, torn, err := onDisk(d).Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeTrue())
		appendAll(s, records[3:])
		Expect(loads(s)).To(Equal(records))
	})

	It("may fail to sync: nothing is trusted until the folder is opened again", func() {
		d := newDisk()
		s := onDisk(d)
		appendAll(s, records[:3])
		d.fail[d.ops+2] = syscall.EIO
		Expect(s.Append(records[3])).To(MatchError(syscall.EIO))
		Expect(s.Append(records[3])).To(MatchError(ContainSubstring("open the folder again")))
		Expect(len(loads(s))).To(BeNumerically(">=", 3))
	})

	It("that lies about its syncs loses records, and the journal still reads as a whole prefix",
		func() {
			d := newDisk()
			s := onDisk(d)
			appendAll(s, records[:3])
			d.lie = true
			appendAll(s, records[3:])
			for _, how := range survivals() {
				got, _, err := onDisk(d.reboot(how)).Load()
				Expect(err).NotTo(HaveOccurred())
				Expect(isPrefix(got, records)).To(BeTrue())
			}
		})

	It("cuts a torn end off durably before anything follows it", func() {
		data, ends := journalOf(records)
		for cut := ends[1]; cut < len(data); cut++ {
			d := newDisk()
			in := &inode{now: bytes.Clone(data[:cut]), durable: bytes.Clone(data[:cut])}
			d.now[journalName], d.durable[journalName] = in, in
			s := onDisk(d)
			got, _, err := s.Load()
			Expect(err).NotTo(HaveOccurred())
			appendAll(s, records[len(got):])
			Expect(d.now[journalName].durable).To(Equal(data), "byte %d", cut)
		}
	})

	It("has no room for a journal over the limit", func() {
		d := newDisk()
		s := onDisk(d)
		Expect(s.Append(records[0])).To(Succeed())
		big := settled(1)
		big.Receipt = strings.Repeat("x", maxLine-1024)
		var err error
		for range maxJournal/maxLine + 1 {
			if err = s.Append(big); err != nil {
				break
			}
		}
		Expect(err).To(MatchError(ErrTooLarge))
		_, torn, err := s.Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(torn).To(BeFalse())
	})
})
