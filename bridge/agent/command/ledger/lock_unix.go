//go:build unix && !solaris && !aix

package ledger

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hold locks the file of a claim for the life of this process. The file is not inherited by what
// the process starts, so an orphan of it does not keep the claim alive.
func hold(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// isHeld tells whether the claimant lives. Several may ask at the same time.
func isHeld(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
