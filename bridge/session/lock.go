//go:build unix && !solaris && !aix

package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockName is the file whose lock is the right to work with the folder. It is never removed: a lock
// on a removed file would let two processes in.
const lockName = "lock"

// take locks the folder for this process. The kernel drops the lock when the process ends in any
// way, so a killed pi leaves none behind.
func (d *folder) take() (io.Closer, error) {
	if info, err := d.root.Lstat(lockName); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %s, not a regular file: %w",
			filepath.Join(d.path, lockName), info.Mode().Type(), ErrForeign)
	}
	f, err := d.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock state folder %s: %w", d.path, err)
		}
		return nil, fmt.Errorf("state folder %s is held by %s: %w", d.path, holder(f), ErrLocked)
	}
	if err := sign(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock state folder %s: %w", d.path, err), f.Close())
	}
	return f, nil
}

// sign writes who holds the lock, for the message that a second opener gets.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// holder reads who holds the lock. It is told to a person and decides nothing.
func holder(f *os.File) string {
	var b [16]byte
	n, _ := f.ReadAt(b[:], 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return "another process"
	}
	return "process " + strconv.Itoa(pid)
}
