package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
)

// The exit codes of sim. Scripts decide by them, so each has one meaning.
const (
	exitPass        = 0 // what was asked for holds, or was done
	exitFail        = 1 // what was asked for was judged, and does not hold
	exitUsage       = 2 // the call or a file that it names is wrong: change the call
	exitEnvironment = 3 // the machine lacks something: see sim doctor
	exitUnknown     = 4 // stopped or broken off before there was a verdict
)

// ExitError carries the exit code of an error up to main, and what a person can do about it.
type ExitError struct {
	Code int
	Err  error  // what happened, in house style (say.go); nil when everything is said already
	Mend string // what to do, usually a command; may be ""
}

// Error is one line: what happened, then what to do.
func (e *ExitError) Error() string {
	switch {
	case e.Err == nil:
		return fmt.Sprintf("exit %d", e.Code)
	case e.Mend == "":
		return e.Err.Error()
	}
	return e.Err.Error() + "; " + e.Mend
}

// Unwrap keeps the kind of the cause.
func (e *ExitError) Unwrap() error { return e.Err }

// failed ends sim with code 1 without a word: the report on standard output has said it all.
func failed() error { return &ExitError{Code: exitFail} }

// usage is the error of a wrong call: format says what is wrong, mend what to write instead.
func usage(mend, format string, args ...any) error {
	return &ExitError{Code: exitUsage, Err: fmt.Errorf(format, args...), Mend: mend}
}

// environment is the error of a machine that lacks something.
func environment(mend string, err error) error {
	return &ExitError{Code: exitEnvironment, Err: err, Mend: mend}
}

// kinded gives an error that a subcommand returned its exit code. It is the one place that maps
// kinds of errors to codes; a kind that it does not know proves neither pass nor fail.
func kinded(err error) error {
	var known *ExitError
	var netErr *net.OpError
	var pathErr *fs.PathError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled):
		return &ExitError{Code: exitUnknown, Err: errors.New("stopped before the end")}
	case errors.Is(err, syscall.EISDIR):
		return usage("name a file in it", "%w", err)
	case errors.As(err, &netErr):
		return environment(`"sim doctor" checks the loopback ports`, err)
	case errors.Is(err, fs.ErrNotExist):
		return usage("check the path", "%w", err)
	case errors.As(err, &pathErr):
		return environment("", err)
	}
	return &ExitError{Code: exitUnknown, Err: err}
}

// end says what err has to say and returns the exit code. Subcommands hand over kinded errors, so
// an error without a code is one of the command parser: a wrong call.
func end(w io.Writer, err error) int {
	var e *ExitError
	switch {
	case err == nil:
		return exitPass
	case !errors.As(err, &e):
		say(w, "%v", err)
		return exitUsage
	case e.Err != nil:
		sayEach(w, err)
	}
	return e.Code
}

// maxLines bounds how many mistakes are said at once.
const maxLines = 20

// sayEach says an error in one line; several mistakes that were found at once have one line each.
func sayEach(w io.Writer, err error) {
	all := []error{err}
	if e, ok := err.(*ExitError); ok && e.Mend == "" {
		all = apart(e.Err)
	}
	for _, one := range all[:min(len(all), maxLines)] {
		say(w, "%v", one)
	}
	if more := len(all) - maxLines; more > 0 {
		say(w, "and %d more; mend these first", more)
	}
}

// apart gives the errors that were joined, or the error itself.
func apart(err error) (all []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || err.Error() != errors.Join(joined.Unwrap()...).Error() { // it says more than they do
		return []error{err}
	}
	for _, one := range joined.Unwrap() {
		all = append(all, apart(one)...)
	}
	return all
}
