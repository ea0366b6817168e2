//go:build !unix

package speed

import "time"

var begin = time.Now()

// spent is wall time, where the system does not tell a process's own.
func spent() time.Duration { return time.Since(begin) }
