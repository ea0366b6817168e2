package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

const (
	journalName = "journal"
	tempName    = "journal.new"
	maxAside    = 100
)

// FileStore keeps a journal in a state folder:
//
//	DIR/lock         held while the store is open; one process per folder
//	DIR/journal      header and records, created by write, fsync, rename, fsync of the folder
//	DIR/journal.new  a journal in the making; left over only by a crash, and ignored
//	DIR/journal.asideN  what SetAside kept
//
// Each Append is one write and one fsync. A write that fails is cut off again before the next one;
// a failed fsync leaves the content of the disk unknown, so after it the store refuses to go on
// until the folder is opened again.
type FileStore struct {
	files  files
	lock   io.Closer
	dir    string
	demand string

	out    file // the journal, once it was written or is about to be
	size   int64
	sum    uint32
	loaded bool
	dirty  bool  // bytes after size must be cut off first
	broken error // the first failure after which the disk is unknown
}

var _ Rewriter = (*FileStore)(nil)

// OpenFolder opens dir as the state folder of one session, for its owner only, and locks it. A
// folder in use gives ErrLocked with the process that holds it.
func OpenFolder(dir string) (*FileStore, error) {
	d, err := openRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	lock, err := d.take()
	if err != nil {
		return nil, fmt.Errorf("session: %w", errors.Join(err, d.Close()))
	}
	return &FileStore{files: d, lock: lock, dir: d.path}, nil
}

// Path is where the journal is, for messages.
func (s *FileStore) Path() string { return filepath.Join(s.dir, journalName) }

// Demand makes Load refuse the journal of any other session; empty accepts all.
func (s *FileStore) Demand(sid string) { s.demand = sid }

// Load implements Store. It reads only; a torn end is cut off by the next Append.
func (s *FileStore) Load() (records []Record, torn bool, err error) {
	s.closeOut()
	s.loaded, s.dirty, s.broken, s.size, s.sum = false, false, nil, 0, 0
	data, err := s.files.Read(journalName, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		s.loaded = true
		return nil, false, fmt.Errorf("%s: %w", s.dir, ErrNoSession)
	}
	if err != nil {
		return nil, false, err
	}
	p, err := parse(s.Path(), data)
	if err != nil {
		return nil, false, err
	}
	if s.demand != "" && p.sid != s.demand {
		return nil, false, &PlaceError{
			File: s.Path(), Line: 1, Want: "session " + s.demand, Got: "session " + p.sid, Err: ErrForeign,
		}
	}
	s.loaded, s.dirty, s.size, s.sum = true, p.torn, p.good, p.sum
	if len(p.records) == 0 {
		s.size = 0 // nothing but a header: the first record writes the file anew
	}
	return p.records, p.torn, nil
}

// Append implements Store.
func (s *FileStore) Append(r Record) error {
	if err := s.ready(); err != nil {
		return err
	}
	if s.size == 0 {
		if r.Kind != RecNew && r.Kind != RecSnapshot {
			return ErrGone
		}
		return s.replace([]Record{r})
	}
	line, sum, err := appendLine(nil, s.sum, &r)
	if err != nil {
		return err
	}
	if s.size+int64(len(line)) > maxJournal {
		return ErrTooLarge
	}
	if err := s.reach(); err != nil {
		return err
	}
	return s.write(line, sum)
}

// ready makes sure that the store knows what the folder holds.
func (s *FileStore) ready() error {
	if s.broken != nil {
		return fmt.Errorf("a write failed before, open the folder again: %w", s.broken)
	}
	if s.loaded {
		return nil
	}
	if _, _, err := s.Load(); err != nil && !errors.Is(err, ErrNoSession) {
		return err
	}
	return nil
}

// reach opens the journal for writing, finds it as it was left, and cuts off a torn end.
func (s *FileStore) reach() error {
	if s.out == nil {
		out, err := s.files.Open(journalName)
		if errors.Is(err, fs.ErrNotExist) {
			return ErrGone
		}
		if err != nil {
			return err
		}
		s.out = out
	}
	same, size, err := s.files.Same(s.out, journalName)
	switch {
	case err != nil:
		return err
	case !same, size < s.size, size > s.size && !s.dirty:
		return ErrGone
	case !s.dirty:
		return nil
	}
	if err := s.out.Truncate(s.size); err != nil {
		return err
	}
	if err := s.out.Sync(); err != nil {
		return s.breakDown(err)
	}
	s.dirty = false
	return nil
}

// write is the durable write: one write, one fsync.
func (s *FileStore) write(line []byte, sum uint32) error {
	if _, err := s.out.WriteAt(line, s.size); err != nil {
		s.dirty = true
		return err
	}
	if err := s.out.Sync(); err != nil {
		return s.breakDown(err)
	}
	s.size, s.sum = s.size+int64(len(line)), sum
	return nil
}

func (s *FileStore) breakDown(err error) error {
	s.broken = err
	return err
}

// Rewrite implements Rewriter. A journal that someone else put there meanwhile is kept aside.
func (s *FileStore) Rewrite(records []Record) error {
	if len(records) == 0 {
		return ErrNotBegun
	}
	if err := s.makeRoom(); err != nil {
		return err
	}
	return s.replace(records)
}

func (s *FileStore) makeRoom() error {
	if s.out != nil {
		if same, _, err := s.files.Same(s.out, journalName); err != nil || same {
			return err
		}
	}
	_, err := s.SetAside()
	if errors.Is(err, ErrNoSession) {
		return nil
	}
	return err
}

// replace writes a whole journal beside the old one and renames it over it. Until the rename is
// durable the old one counts, so that a crash leaves one or the other, never a part.
func (s *FileStore) replace(records []Record) error {
	data, sum := appendHeader(nil, records[0].SID)
	var err error
	for i := range records {
		if data, sum, err = appendLine(data, sum, &records[i]); err != nil {
			return err
		}
	}
	if len(data) > maxJournal {
		return ErrTooLarge
	}
	out, err := s.stage(data)
	if err != nil {
		return err
	}
	if err := s.files.Rename(tempName, journalName); err != nil {
		return errors.Join(err, out.Close())
	}
	s.closeOut()
	s.out = out
	if err := s.files.SyncDir(); err != nil {
		return s.breakDown(err)
	}
	s.loaded, s.dirty, s.broken, s.size, s.sum = true, false, nil, int64(len(data)), sum
	return nil
}

// stage writes data durably under the temporary name.
func (s *FileStore) stage(data []byte) (file, error) {
	if err := s.files.Remove(tempName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out, err := s.files.Create(tempName)
	if err != nil {
		return nil, err
	}
	if _, err := out.WriteAt(data, 0); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	if err := out.Sync(); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// SetAside implements Rewriter: it renames the journal to the first free journal.asideN.
func (s *FileStore) SetAside() (string, error) {
	there, err := s.files.Exists(journalName)
	if err != nil {
		return "", err
	}
	if !there {
		return "", fmt.Errorf("%s: %w", s.dir, ErrNoSession)
	}
	for n := 1; n <= maxAside; n++ {
		name := fmt.Sprintf("%s.aside%d", journalName, n)
		if taken, err := s.files.Exists(name); err != nil {
			return "", err
		} else if taken {
			continue
		}
		return s.moveAside(name)
	}
	return "", fmt.Errorf("%s: %d journals were put aside already; look at them and remove them",
		s.dir, maxAside)
}

func (s *FileStore) moveAside(name string) (string, error) {
	if err := s.files.Rename(journalName, name); err != nil {
		return "", err
	}
	s.closeOut()
	if err := s.files.SyncDir(); err != nil {
		return "", s.breakDown(err)
	}
	s.loaded, s.dirty, s.broken, s.size = true, false, nil, 0
	return filepath.Join(s.dir, name), nil
}

func (s *FileStore) closeOut() {
	if s.out != nil {
		_ = s.out.Close() // every write that counts was synced and checked
		s.out = nil
	}
}

// Close releases the lock. A closed store refuses to write.
func (s *FileStore) Close() error {
	s.closeOut()
	s.broken = fs.ErrClosed
	if s.lock == nil {
		return nil
	}
	err := errors.Join(s.lock.Close(), s.files.Close())
	s.lock = nil
	return err
}
