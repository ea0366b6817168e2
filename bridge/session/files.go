package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// files is the small port under the file store: the few things that a disk does, so that a test can
// tear a write, lie about a sync, fill the disk, or cut the power between any two of them.
type files interface {
	// Read returns the whole file, or fs.ErrNotExist, or ErrTooLarge above limit.
	Read(name string, limit int64) ([]byte, error)
	// Create makes a new, empty file; an existing one is an error.
	Create(name string) (file, error)
	// Open opens an existing file for writing.
	Open(name string) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	// Same tells whether name still names f, and its size.
	Same(f file, name string) (same bool, size int64, err error)
	Exists(name string) (bool, error)
	// SyncDir makes creations, renames and removals durable.
	SyncDir() error
	Close() error
}

type file interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// folder is a real directory. Names cannot leave it (os.Root), and only regular files are opened: a
// symbolic link in the place of the journal is refused, whatever it points to.
type folder struct {
	root *os.Root
	path string
}

// openRoot opens dir as the state folder and creates it for its owner only.
func openRoot(dir string) (*folder, error) {
	if dir == "" {
		return nil, errors.New("state folder: no path given")
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("state folder %s: %w", dir, err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("state folder %s: %w", path, err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("state folder %s: %w", path, err)
	}
	if info, err := root.Stat("."); err != nil || info.Mode().Perm()&0o002 != 0 {
		return nil, errors.Join(
			fmt.Errorf("state folder %s: everybody may write to it; use chmod o-w", path), err, root.Close())
	}
	return &folder{root: root, path: path}, nil
}

func (d *folder) Read(name string, limit int64) ([]byte, error) {
	f, err := d.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(d.path, name), err)
	}
	return data, nil
}

func (d *folder) Create(name string) (file, error) {
	return asFile(d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600))
}

func (d *folder) Open(name string) (file, error) {
	return asFile(d.open(name, os.O_WRONLY))
}

// asFile keeps a nil *os.File from becoming a file that is not nil.
func asFile(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// open opens an existing regular file, and makes sure that it is the one that was looked at.
func (d *folder) open(name string, flag int) (*os.File, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(d.path, name)
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %s, not a regular file: %w", path, before.Mode().Type(), ErrForeign)
	}
	f, err := d.root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		return nil, errors.Join(fmt.Errorf("%s: replaced while it was opened: %w", path, ErrForeign), err,
			f.Close())
	}
	return f, nil
}

func (d *folder) Rename(from, to string) error { return d.root.Rename(from, to) }
func (d *folder) Remove(name string) error     { return d.root.Remove(name) }
func (d *folder) Close() error                 { return d.root.Close() }

func (d *folder) Same(f file, name string) (bool, int64, error) {
	at, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, err
	}
	have, err := f.(*os.File).Stat()
	if err != nil {
		return false, 0, err
	}
	return os.SameFile(at, have), at.Size(), nil
}

func (d *folder) Exists(name string) (bool, error) {
	_, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d *folder) SyncDir() error {
	dir, err := d.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
