package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// politeEnd is how long a browser may take to end on SIGTERM (43 ms were measured, F253).
	politeEnd = 5 * time.Second
	// removeLimit bounds the removal of the folder while dying children still write into it.
	removeLimit = 5 * time.Second
	buryLimit   = time.Second
	pause       = 10 * time.Millisecond
)

// Process is a running browser of ours.
type Process struct {
	endpoint string
	profile  string
	scratch  string
	output   output
	main     *os.Process
	starting <-chan struct{} // closed when the start has succeeded or failed
	pid      atomic.Int64
	stop     func() // ends chromedp's contexts and waits for the process
	wait     func() // waits for the process and its output

	closing   atomic.Bool
	closeOnce sync.Once
	done      chan struct{}
	removeErr error // valid after done
}

// Endpoint is "http://127.0.0.1:PORT". The browser's own address behind it is new at each start.
func (p *Process) Endpoint() string { return p.endpoint }

// Pid is the browser process; it leads the process group of all its children.
func (p *Process) Pid() int { return int(p.pid.Load()) }

// Profile is the user data folder.
func (p *Process) Profile() string { return p.profile }

// Done is closed when the process has ended and its temporary folder is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends sig to the browser and all its children: SIGSTOP freezes a browser, SIGCONT thaws
// it.
func (p *Process) Signal(sig syscall.Signal) error {
	select {
	case <-p.done:
		return os.ErrProcessDone
	default:
	}
	pid := p.Pid()
	if pid <= 0 {
		return os.ErrProcessDone
	}
	if err := syscall.Kill(-pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("signal %v to the browser's process group %d: %w", sig, pid, err)
	}
	return nil
}

// Kill ends the whole process tree at once, without a chance to write anything.
func (p *Process) Kill() error { return p.Signal(syscall.SIGKILL) }

// Close asks the browser to end, kills what does not within five seconds, waits for it and removes
// the temporary folder. A second Close waits for the first.
func (p *Process) Close() error {
	p.closeOnce.Do(func() {
		p.closing.Store(true)
		_ = p.main.Signal(syscall.SIGTERM) // it may have ended already
		// A frozen browser must run to take the signal.
		_ = p.Signal(syscall.SIGCONT)
		ctx, cancel := wall.WithTimeout(context.Background(), politeEnd)
		defer cancel()
		select {
		case <-p.done:
		case <-ctx.Done():
			_ = p.Kill()
		}
		p.stop()
	})
	<-p.done
	return p.removeErr
}

// supervise cleans up whatever ended the browser: Close, Kill, a crash, or the end of its context.
func (p *Process) supervise() {
	p.wait()
	p.bury()
	p.stop()
	p.removeErr = p.clean()
	close(p.done)
}

// bury kills the children that outlive their parent and waits until they are gone, as they may
// still write. The wait is bounded: where nobody reaps orphans, a dead one stays in its group for
// ever.
func (p *Process) bury() {
	ctx, cancel := wall.WithTimeout(context.Background(), buryLimit)
	defer cancel()
	for p.Kill() == nil && !p.groupGone() && wall.Sleep(ctx, pause) == nil {
	}
}

func (p *Process) groupGone() bool {
	return p.Pid() <= 0 || errors.Is(syscall.Kill(-p.Pid(), 0), syscall.ESRCH)
}

// abandon cleans up after a start that failed.
func (p *Process) abandon() {
	p.stop() // kills it, see prepare
	p.bury()
	_ = p.clean()
	close(p.done)
}

// clean removes the scratch folder. A dying child may still write into it, so it tries for a while.
func (p *Process) clean() error {
	ctx, cancel := wall.WithTimeout(context.Background(), removeLimit)
	defer cancel()
	for {
		err := os.RemoveAll(p.scratch)
		if err == nil {
			return nil
		}
		if wall.Sleep(ctx, pause) != nil {
			return fmt.Errorf("the browser's temporary folder: %w", err)
		}
	}
}
