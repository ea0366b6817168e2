package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// InputError is a mistake in what a person gave: which file, which line, what to do. It says
// nothing about the bridge.
type InputError struct {
	File string // or the flag
	Line int    // 0 = the file as a whole
	What string
	Mend string // what to do
	Err  error
}

// Error is one line: file and line, what is wrong, what to do.
func (e *InputError) Error() string {
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	if e.Mend == "" {
		return place + ": " + e.What
	}
	return place + ": " + e.What + "; " + e.Mend
}

// Unwrap gives the cause, if there is one.
func (e *InputError) Unwrap() error { return e.Err }

// unreadable is the mistake of a path that cannot be read.
func unreadable(path string, err error) *InputError {
	e := &InputError{
		File: path, What: "cannot be read: " + reason(err), Mend: "check the path",
		Err: err,
	}
	if errors.Is(err, fs.ErrPermission) {
		e.Mend = "allow yourself to read it"
	}
	return e
}

func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// mistake is an argument of a step that makes no sense, before its place in the file is known.
type mistake struct{ what, mend string }

func (m *mistake) Error() string { return m.what + "; " + m.mend }

// look is the advice where a step has none of its own.
const look = `"sim steps" shows how it is written`

// misfit turns what a step said about its arguments into the mistake at its place.
func misfit(file string, line int, err error) *InputError {
	e := &InputError{File: file, Line: line, What: err.Error(), Mend: look, Err: err}
	var m *mistake
	if errors.As(err, &m) {
		e.What, e.Mend = m.what, m.mend
	}
	return e
}

// oneOf refuses a name that is not among the known ones, so that a misspelt one is no quiet pass.
func oneOf[T ~string](what, name string, known []T) error {
	words := make([]string, len(known))
	for i, k := range known {
		if string(k) == name {
			return nil
		}
		words[i] = string(k)
	}
	return &mistake{
		fmt.Sprintf("%s %q is not known", what, name),
		"use one of " + strings.Join(words, ", "),
	}
}

// duration reads a time of the world.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, &mistake{
			fmt.Sprintf("%q is no length of time", text),
			`write one such as "90s" or "28m"`,
		}
	}
	return d, nil
}

// between refuses a number outside the range.
func between(what string, n, least, most int) error {
	if n < least || n > most {
		return &mistake{
			fmt.Sprintf("%d %s make no sense", n, what),
			fmt.Sprintf("write %d to %d", least, most),
		}
	}
	return nil
}
