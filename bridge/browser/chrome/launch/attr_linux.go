package launch

import "syscall"

// processAttributes gives the browser its own process group, so that a signal reaches the whole
// tree and Ctrl-C reaches only us, and lets the kernel kill it when we die.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
