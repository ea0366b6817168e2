//go:build !unix || solaris || aix

package ledger

import (
	"errors"
	"os"
)

// hold fails: without a lock that the kernel drops with its process nobody could tell running from
// started.
func hold(*os.File) error { return errors.ErrUnsupported }

func isHeld(*os.File) (bool, error) { return false, errors.ErrUnsupported }
