package chromium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/clock"
)

// wall bounds what a real machine does; it is never scaled.
var wall = clock.Wall()

// stateLimit bounds the wait for a state of the process that a signal has asked for.
const stateLimit = 5 * time.Second

// Own is a browser of one run, which may be killed, frozen and started again with the same profile,
// the same port and its default browser context. Nobody else's browser is ever touched.
type Own struct {
	opts    launch.Options
	profile string // ours to remove; "" when the caller keeps it

	mu   sync.Mutex
	proc *launch.Process
}

// LaunchOwn starts a browser of its own. ctx bounds its life.
func LaunchOwn(ctx context.Context, o launch.Options) (*Own, error) {
	own := &Own{opts: o}
	if o.ProfileDir == "" {
		dir, err := os.MkdirTemp("", "bridgesim-own-")
		if err != nil {
			return nil, fmt.Errorf("a profile for the run's own browser: %w", err)
		}
		own.profile, own.opts.ProfileDir = dir, dir
	}
	if err := own.start(ctx); err != nil {
		return nil, errors.Join(err, own.remove())
	}
	return own, nil
}

// start launches the browser; from the second time on at the port of the first.
func (o *Own) start(ctx context.Context) error {
	p, err := launch.Launch(ctx, o.opts)
	if err != nil {
		return err
	}
	u, err := url.Parse(p.Endpoint())
	if err == nil {
		o.opts.Port, err = strconv.Atoi(u.Port())
	}
	if err != nil {
		return errors.Join(fmt.Errorf("endpoint %q: %w", p.Endpoint(), err), p.Close())
	}
	o.mu.Lock()
	o.proc = p
	o.mu.Unlock()
	return nil
}

func (o *Own) process() *launch.Process {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.proc
}

// Endpoint is the address of its DevTools; it stays the same when the browser is started again.
func (o *Own) Endpoint() string { return o.process().Endpoint() }

// Pid is the browser process.
func (o *Own) Pid() int { return o.process().Pid() }

// Kill ends the browser at once (SIGKILL) and returns when its process is gone.
func (o *Own) Kill() (string, error) {
	p := o.process()
	pid := p.Pid()
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return "", err
	}
	<-p.Done()
	return fmt.Sprintf("/proc shows process %d as %q", pid, stateOf(pid)), nil
}

// Freeze stops the browser and all its children (SIGSTOP) and returns when the kernel says so.
func (o *Own) Freeze() (string, error) { return o.signal(syscall.SIGSTOP, true) }

// Thaw lets a frozen browser go on (SIGCONT).
func (o *Own) Thaw() (string, error) { return o.signal(syscall.SIGCONT, false) }

func (o *Own) signal(sig syscall.Signal, stopped bool) (string, error) {
	p := o.process()
	if err := p.Signal(sig); err != nil {
		return "", err
	}
	ctx, cancel := wall.WithTimeout(context.Background(), stateLimit)
	defer cancel()
	for {
		state := stateOf(p.Pid())
		if (state == "T") == stopped && state != "" {
			return fmt.Sprintf("/proc shows process %d in state %s", p.Pid(), state), nil
		}
		if wall.Sleep(ctx, time.Millisecond) != nil {
			return "", fmt.Errorf("process %d is in state %q after %v", p.Pid(), state, sig)
		}
	}
}

// Relaunch starts the browser again after Kill, with the same profile and port. ctx bounds its
// life.
func (o *Own) Relaunch(ctx context.Context) (string, error) {
	before := o.Pid()
	if err := o.start(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"process %d answers at %s in place of %d",
		o.Pid(),
		o.Endpoint(),
		before,
	), nil
}

// Close ends the browser and removes its profile.
func (o *Own) Close() error {
	return errors.Join(o.process().Close(), o.remove())
}

func (o *Own) remove() error {
	if o.profile == "" {
		return nil
	}
	if err := os.RemoveAll(o.profile); err != nil {
		return fmt.Errorf("the profile of the run's own browser: %w", err)
	}
	return nil
}

// stateOf is the letter of a process's state in /proc, "" when there is no such process.
func stateOf(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The name stands in brackets and may hold anything.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) == 0 {
		return ""
	}
	return string(fields[0])
}
