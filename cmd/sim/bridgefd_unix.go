//go:build unix

package main

import "syscall"

// closeOnExec keeps a descriptor from what this process starts.
func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
