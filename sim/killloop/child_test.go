//go:build linux

package killloop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience bounds the life of a process on a busy machine; no test waits for it in vain.
const patience = 45 * time.Second

// step is one line of the step descriptor.
type step struct {
	op, record, message, phase string
	round                      int
}

var stepForm = regexp.MustCompile(
	`^([a-z.]+)@(\d+)(?::([a-z-]+))?#\d+/(before|after)(?: ([A-Z]+))?\n$`)

func readStep(line string) (step, error) {
	m := stepForm.FindStringSubmatch(line)
	if m == nil {
		return step{}, fmt.Errorf("no step: %q", line)
	}
	round, err := strconv.Atoi(m[2])
	return step{op: m[1], round: round, record: m[3], phase: m[4], message: m[5]}, err
}

// is tells whether the step stands at a durable write.
func (s step) is(w write, phase string) bool {
	return s.op == "store.append" && s.phase == phase &&
		s.record == w.record && s.message == w.message && s.round == w.round
}

// event is one line of --events-fd.
type event struct {
	Op, Phase, Note, Record, Message, Key, Text string
	Round                                       int
}

// ending is how a process ended and what it told.
type ending struct {
	killed         bool
	code           int
	events         []event
	stdout, stderr string
}

// rows are the rows of its verdicts, in order.
func (e *ending) rows() (rows []string) {
	for _, x := range e.events {
		if x.Note == "verdict" {
			rows = append(rows, x.Key)
		}
	}
	return rows
}

// firstRow is the row of its first verdict that is one, "" without.
func (e *ending) firstRow() string {
	for _, r := range e.rows() {
		if r != "0" {
			return r
		}
	}
	return ""
}

// child is one process of the bridge.
type child struct {
	cmd            *exec.Cmd
	step           net.Conn
	lines          *bufio.Reader
	events         *os.File
	stdout, stderr bytes.Buffer
}

// start runs the command with a step and an events descriptor. Both end with the process: the
// bridge does not pass them on.
func start(name string, args ...string) (*child, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	mine, its := os.NewFile(uintptr(fds[0]), "step"), os.NewFile(uintptr(fds[1]), "step of the child")
	defer its.Close()
	defer mine.Close() // FileConn makes a copy
	c := &child{cmd: exec.Command(name, append(args, "--step-fd", "3", "--events-fd", "4")...)}
	if c.step, err = net.FileConn(mine); err != nil {
		return nil, err
	}
	events, pipe, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, c.step.Close())
	}
	defer pipe.Close()
	c.events, c.lines = events, bufio.NewReader(c.step)
	c.cmd.ExtraFiles = []*os.File{its, pipe}
	c.cmd.Stdout, c.cmd.Stderr, c.cmd.WaitDelay = &c.stdout, &c.stderr, patience
	if err := c.cmd.Start(); err != nil {
		return nil, errors.Join(err, c.step.Close(), events.Close())
	}
	return c, nil
}

// play lets the process go step by step until strikes says that it dies here, or it ends by itself.
func (c *child) play(dies func(step) bool) (*ending, error) {
	var events []event
	var eventsErr error
	var wg sync.WaitGroup
	wg.Go(func() { events, eventsErr = readEvents(c.events) })
	killed, err := c.walk(dies)
	if killed || err != nil {
		err = errors.Join(err, c.cmd.Process.Kill())
	}
	werr := c.cmd.Wait()
	wg.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(werr, &exit) {
		werr = nil
	}
	end := &ending{
		killed: killed, code: c.cmd.ProcessState.ExitCode(), events: events,
		stdout: c.stdout.String(), stderr: c.stderr.String(),
	}
	return end, errors.Join(err, werr, eventsErr, c.step.Close(), c.events.Close())
}

// end makes sure that nothing of a process is left: it is killed if it still lives, and its
// descriptors are closed. After play it changes nothing.
func (c *child) end() {
	if c.cmd.ProcessState == nil {
		_ = c.cmd.Process.Kill() // it may have ended
		_ = c.cmd.Wait()         // killed
	}
	_, _ = c.step.Close(), c.events.Close() // closed twice at worst
}

func (c *child) walk(dies func(step) bool) (killed bool, err error) {
	if err := c.step.SetDeadline(time.Now().Add(patience)); err != nil {
		return false, err
	}
	for {
		line, err := c.lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		s, err := readStep(line)
		if err != nil {
			return false, err
		}
		if dies != nil && dies(s) {
			return true, nil
		}
		if _, err := c.step.Write([]byte{1}); err != nil && !errors.Is(err, unix.EPIPE) {
			return false, err
		}
	}
}

// readEvents reads to the end. A killed process may leave half a line.
func readEvents(r io.Reader) (all []event, err error) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// at makes the condition under which a process dies at a place.
func at(p place) func(step) bool {
	switch p.strike {
	case before:
		return func(s step) bool { return s.is(p.write, "before") }
	case torn, after:
		return func(s step) bool { return s.is(p.write, "after") }
	}
	return behindAct(p)
}

// behindAct waits for the write, then for the act that it announces, then for whatever comes next.
// A submit is two operations of one name: press and release.
func behindAct(p place) func(step) bool {
	durable, doing := false, ""
	return func(s step) bool {
		switch {
		case doing != "":
			return p.strike == press || s.op != doing
		case !durable:
			durable = s.is(p.write, "after")
		case s.op == acts[p.record], acts[p.record] == "" && s.op != "store.append":
			doing = s.op
		}
		return false
	}
}

// told writes what a process said into the log of a failed test.
func (e *ending) told(t *testing.T, generation int) {
	var last strings.Builder
	for _, x := range e.events[max(0, len(e.events)-8):] {
		fmt.Fprintf(&last, "  %+v\n", x)
	}
	t.Logf("process %d: killed %t, code %d, rows %v\n%s%slast events:\n%s", generation, e.killed,
		e.code,
		e.rows(), e.stdout, e.stderr, &last)
}
