package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// TestExitCodes: each kind of error has one code and says one line, a verdict that is printed
// already says nothing more, and what is not known is no pass and no fail.
func TestExitCodes(t *testing.T) {
	_, missing := os.Open("/nothing/here")
	for _, c := range []struct {
		name string
		err  error
		code int
		said string
	}{
		{"nothing", nil, exitPass, ""},
		{"fail", failed(), exitFail, ""},
		{"usage", usage("see help", "bad %d", 1), exitUsage, "sim: bad 1; see help\n"},
		{"wrapped", fmt.Errorf("around: %w", usage("", "bad")), exitUsage, "sim: around: bad\n"},
		{
			"environment", environment("mend", errors.New("no browser")), exitEnvironment,
			"sim: no browser; mend\n",
		},
		{
			"missing file", missing, exitUsage,
			"sim: open /nothing/here: no such file or directory; check the path\n",
		},
		{
			"unreadable", &os.PathError{Op: "read", Path: "x", Err: os.ErrPermission}, exitEnvironment,
			"sim: read x: permission denied\n",
		},
		{
			"network", &net.OpError{Op: "listen", Net: "tcp", Err: errors.New("no")}, exitEnvironment,
			"sim: listen tcp: no; \"sim doctor\" checks the loopback ports\n",
		},
		{
			"interrupted", fmt.Errorf("run: %w", context.Canceled), exitUnknown,
			"sim: stopped before the end\n",
		},
		{"unknown", errors.New("what\nis this\x1b"), exitUnknown, "sim: what; is this?\n"},
	} {
		var said bytes.Buffer
		if code := end(&said, kinded(c.err)); code != c.code || said.String() != c.said {
			t.Errorf("%s: code %d and %q, want %d and %q", c.name, code, &said, c.code, c.said)
		}
	}
}

// TestReadAllEndsWithTheContext: Ctrl-C ends a read of a terminal that will never be answered.
func TestReadAllEndsWithTheContext(t *testing.T) {
	silent, end := io.Pipe()
	defer end.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := readReply(ctx, silent, "-"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	text, err := readReply(context.Background(), strings.NewReader("x"), "-")
	if text != "x" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

// TestNoColour: NO_COLOR and dumb terminals win over a terminal, a file or buffer never has colour.
func TestNoColour(t *testing.T) {
	if p := paintFor(&bytes.Buffer{}); p.on || p.good("ok") != "ok" {
		t.Error("a buffer has colour")
	}
	if got := (paint{on: true}).bad("x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("got %q", got)
	}
}
