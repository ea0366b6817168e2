package main

import (
	"errors"
	"fmt"
	"strings"

	"bridgesim/bridge"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/session"
)

// outcomes maps every outcome of a bridge to an exit code: 0 done; 1 the other side ended it, and a
// further try of the same is no use; 4 a person must do something first.
var outcomes = []struct {
	outcome bridge.Outcome
	code    int
	goesOn  bool // --resume can go on with it
	meaning string
}{
	{bridge.Done, exitPass, false, "the other side says that the goal is achieved"},
	{bridge.Blocked, exitFail, false, "the plan depends on something outside"},
	{bridge.ProtocolViolation, exitFail, false, "replies stayed invalid after the repairs"},
	{bridge.HandshakeRefused, exitFail, false, "HELLO was not acknowledged validly"},
	{bridge.Manual, exitUnknown, true, "a person must decide"},
	{bridge.BlockerShown, exitUnknown, true, "captcha, logout, rate limit, account"},
	{bridge.Boundary, exitUnknown, true, "--rounds, --wall or --per-round was reached"},
	{bridge.Interrupted, exitUnknown, true, "Ctrl-C"},
	{bridge.Lost, exitUnknown, true, "the connection ended"},
	{bridge.Thrown, exitUnknown, true, "a bug of the bridge: automation stops loudly"},
}

// exitOf is the exit code of an outcome; one that the table does not know proves nothing.
func exitOf(o bridge.Outcome) int {
	for _, x := range outcomes {
		if x.outcome == o {
			return x.code
		}
	}
	return exitUnknown
}

func (f *bridgeFlags) canGoOn(o bridge.Outcome) bool {
	for _, x := range outcomes {
		if x.outcome == o {
			return x.goesOn
		}
	}
	return false
}

// outcomeHelp is the table for --help.
func outcomeHelp() string {
	var b strings.Builder
	for _, x := range outcomes {
		fmt.Fprintf(&b, "  %d  %-19s %s\n", x.code, x.outcome, x.meaning)
	}
	return b.String()
}

// refusals are the reasons not to begin, with what a person can do.
var refusals = []struct {
	kind error
	code int
	mend string
}{
	{session.ErrLocked, exitEnvironment, ""}, // its text says it
	{session.ErrForeign, exitUsage, ""},
	{session.ErrNewer, exitUsage, ""},
	{session.ErrCorrupt, exitUnknown, "name the conversation with --conversation"},
	{bridge.ErrBegun, exitUsage, "add --resume, or choose another --state"},
	{bridge.ErrOtherRequest, exitUsage, "leave the request out, or choose another --state"},
	{bridge.ErrConfig, exitUsage, "give the request in quotes"},
	{command.ErrProgram, exitUsage, "--agent takes a program and its arguments"},
}

// bridgeError gives an error that kept the bridge from beginning its exit code; the other kinds are
// those of every command.
func bridgeError(err error) error {
	var known *ExitError
	if errors.As(err, &known) {
		return err
	}
	for _, r := range refusals {
		if errors.Is(err, r.kind) {
			return &ExitError{Code: r.code, Err: err, Mend: r.mend}
		}
	}
	return err
}

// printableLines keeps the lines of a report and nothing that could steer a terminal.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
}
