//go:build unix

package speed

import (
	"syscall"
	"time"
)

// spent is the time that this process has spent on all processors: on a machine that others use as
// well, wall time tells mostly of them. The collector's work is in it, wherever it runs.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // fails only on a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
