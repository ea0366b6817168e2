//go:build !unix || solaris || aix

package session

import (
	"errors"
	"fmt"
	"io"
)

// take fails: without a lock that the kernel drops with its process, two bridges could share a
// session, and one prompt would be sent twice.
func (d *folder) take() (io.Closer, error) {
	return nil, fmt.Errorf("lock state folder %s: %w on this system", d.path, errors.ErrUnsupported)
}
