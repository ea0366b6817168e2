//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// pair is a descriptor as --step-fd gets one, and its other end.
func pair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs = os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	t.Cleanup(func() {
		_ = ours.Close() // the test closes it as well
		_ = theirs.Close()
	})
	return ours, theirs
}
