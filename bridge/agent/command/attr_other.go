//go:build !unix

package command

import "os/exec"

// group leaves cmd as it is: only the process itself is killed.
func group(*exec.Cmd) {}

// detach leaves cmd as it is: the system knows no sessions.
func detach(*exec.Cmd) {}
