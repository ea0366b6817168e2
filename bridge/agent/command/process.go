package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bridgesim/bridge/agent"
)

const (
	// afterEnd is how long the output of a lookup that ended may still be held open by a child of it.
	afterEnd = time.Second
	// maxWords is how much of what a program said on its way out is told.
	maxWords = 500
)

// errLong is the end of a lookup that says too much.
var errLong = fmt.Errorf("it printed more than %d bytes", MaxAnswer)

// ask runs the program with arguments to its end and returns what it printed. It runs in a process
// group of its own, which is killed as a whole at the limit, at the end of ctx and at too much
// output.
func (a *Agent) ask(ctx context.Context, args ...string) (string, error) {
	limited, cancel := a.cfg.Clock.WithTimeout(ctx, a.cfg.AskLimit)
	defer cancel()
	full, overflow := context.WithCancelCause(limited)
	defer overflow(nil)
	out := &capped{max: MaxAnswer, full: func() { overflow(errLong) }}
	errs := &capped{max: maxWords, full: func() {}}
	cmd := exec.CommandContext(full, a.path, append(slices.Clone(a.cfg.Words[1:]), args...)...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, errs, afterEnd
	group(cmd)
	err := cmd.Run()
	switch {
	case context.Cause(full) == errLong:
		return "", errLong
	case limited.Err() != nil:
		return "", fmt.Errorf("it did not end within %s", a.cfg.AskLimit)
	case err != nil:
		return "", errors.Join(err, said(errs.String()))
	}
	return out.String(), nil
}

// said is what a program said for itself, as an error; nil when it said nothing.
func said(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return errors.New(text)
}

// capped keeps the first max bytes and takes all others, so that the writer is never stopped by it.
// It embeds no bytes.Buffer, whose ReadFrom would pass the limit by.
type capped struct {
	kept []byte
	max  int
	full func()
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.max - len(c.kept)
	if len(p) > room {
		c.full()
	}
	c.kept = append(c.kept, p[:min(len(p), room)]...)
	return len(p), nil
}

func (c *capped) String() string { return string(c.kept) }

// running is a started program.
type running struct {
	end  chan struct{} // closed when it is gone
	err  error         // then: how it ended
	errs string        // file with what it said
}

// launch starts the program on the task. Input and output are files, never pipes, and its session
// is its own: neither a signal to pi's terminal nor pi's death reaches it.
func (a *Agent) launch(t agent.Task) (*running, error) {
	stem := filepath.Join(a.cfg.Dir, fmt.Sprintf("%s-%d-%s", t.SID, t.Round, t.PlanKey))
	var files [3]*os.File
	defer func() {
		for _, f := range files {
			if f != nil {
				_ = f.Close() // the program has its own copies
			}
		}
	}()
	var err error
	if files[0], err = taskFile(stem+".task", TaskText(t)); err != nil {
		return nil, err
	}
	for i, name := range [...]string{stem + ".out", stem + ".err"} {
		files[i+1], err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(a.path, a.cfg.Words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = files[0], files[1], files[2]
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &running{end: make(chan struct{}), errs: stem + ".err"}
	go p.bury(cmd)
	return p, nil
}

// taskFile writes the task beside its place and moves it there, so that a program which another pi
// has just started never reads half of it.
func taskFile(name, text string) (*os.File, error) {
	temp, err := os.CreateTemp(filepath.Dir(name), ".task-*")
	if err != nil {
		return nil, err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(temp.Name()))
	}
	return os.Open(name)
}

// bury waits for the program, so that no zombie stays while pi lives.
func (p *running) bury(cmd *exec.Cmd) {
	p.err = cmd.Wait()
	close(p.end)
}

func (p *running) gone() bool {
	select {
	case <-p.end:
		return true
	default:
		return false
	}
}

// words is how a gone program ended, and the end of what it said.
func (p *running) words() string {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	if text := strings.TrimSpace(tail(p.errs, maxWords)); text != "" {
		how += ": " + text
	}
	return how
}

func tail(name string, most int64) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // read only
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		_, err = f.Seek(max(0, size-most), io.SeekStart)
		if err != nil {
			return ""
		}
	}
	text, _ := io.ReadAll(io.LimitReader(f, most)) // what can be read is told
	return strings.ToValidUTF8(string(text), "")
}
