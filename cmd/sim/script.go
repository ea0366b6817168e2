package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bridgesim/fakesite"
)

// maxScript bounds a script file.
const maxScript = 1 << 20

// readScript reads what the persona answers: the fields of fakesite.Script as JSON, durations in
// Go's notation ("1m30s"). A field that the script does not have is refused, because a typing error
// would otherwise be a default.
func readScript(path string) (fakesite.Script, error) {
	file, err := os.Open(path)
	if err != nil {
		return fakesite.Script{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxScript+1))
	switch {
	case err != nil:
		return fakesite.Script{}, err
	case len(text) > maxScript:
		return fakesite.Script{}, usage("", "%s is larger than %d bytes", path, maxScript)
	}
	script, err := parseScript(text)
	if err != nil {
		return fakesite.Script{}, usage("", "%s:%d: %w", path, lineOf(text, err), err)
	}
	return script, nil
}

func parseScript(text []byte) (fakesite.Script, error) {
	var script fakesite.Script
	err := json.Unmarshal(text, &script, json.RejectUnknownMembers(true),
		json.MatchCaseInsensitiveNames(true),
		json.WithUnmarshalers(json.UnmarshalFromFunc(readDuration)))
	if err != nil {
		return script, err
	}
	return script, script.Validate()
}

func readDuration(d *jsontext.Decoder, to *time.Duration) error {
	var text string
	err := json.UnmarshalDecode(d, &text)
	if err == nil {
		*to, err = time.ParseDuration(text)
	}
	if err == nil && *to < 0 {
		err = fmt.Errorf("duration %q is negative", text)
	}
	return err
}

// lineOf is the line where the reading stopped; 1 when the script as a whole makes no sense.
func lineOf(text []byte, err error) int {
	offset := int64(0)
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic):
		offset = semantic.ByteOffset
	case errors.As(err, &syntactic):
		offset = syntactic.ByteOffset
	}
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte{'\n'})
}
