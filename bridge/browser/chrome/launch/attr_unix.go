//go:build unix && !linux

package launch

import "syscall"

// processAttributes gives the browser its own process group. Only Linux can tie its life to ours.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
