package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of one JSON value. Larger or deeper ones are refused before anything is looked up.
const (
	MaxBytes = 1 << 20
	MaxDepth = 64
)

// InputFault says what is wrong with a JSON value.
type InputFault string

// The faults of input.
const (
	Oversized    InputFault = "oversized"
	TooDeep      InputFault = "too deep or cyclic"
	NonFinite    InputFault = "non-finite number"
	DuplicateKey InputFault = "duplicate key"
	UnknownField InputFault = "unknown field"
	Malformed    InputFault = "malformed"
	NotPlain     InputFault = "unsupported value"
	BadField     InputFault = "bad field"
)

// DigestInputError refuses a value that has no canonical form. It never quotes the value.
type DigestInputError struct{ Fault InputFault }

func (e *DigestInputError) Error() string {
	return fmt.Sprintf("exchange: no canonical form: %s", e.Fault)
}

// Canonical is the text that is hashed: compact JSON with sorted keys (RFC 8785). The order of keys
// in a request therefore does not matter; the order of an array does.
func Canonical(v any) ([]byte, error) {
	if fault := plain(reflect.ValueOf(v), 0); fault != "" {
		return nil, &DigestInputError{fault}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, &DigestInputError{faultOf(err)}
	}
	return CanonicalText(text)
}

// CanonicalText is Canonical for a value that is text already.
func CanonicalText(text []byte) ([]byte, error) {
	if fault := scan(text); fault != "" {
		return nil, &DigestInputError{fault}
	}
	value := jsontext.Value(append([]byte(nil), text...))
	if err := value.Canonicalize(); err != nil {
		return nil, &DigestInputError{faultOf(err)}
	}
	return value, nil
}

// Digest is the SHA-256 of a value's canonical form, in lower-case hexadecimal digits.
func Digest(v any) (string, error) {
	text, err := Canonical(v)
	if err != nil {
		return "", err
	}
	return DigestBytes(text), nil
}

// DigestBytes is the SHA-256 of bytes as they are: of a payload or a body.
func DigestBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// plain walks a Go value before it is marshalled: only what JSON itself knows is taken, so that no
// value brings its own idea of how it is written, and no cycle is followed.
func plain(v reflect.Value, depth int) InputFault {
	if depth > MaxDepth {
		return TooDeep
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return ""
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return NonFinite
		}
		return ""
	case reflect.Pointer, reflect.Interface:
		return plain(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		return eachElement(v, depth)
	case reflect.Struct:
		return eachField(v, depth)
	case reflect.Map:
		return eachEntry(v, depth)
	}
	return NotPlain
}

func eachElement(v reflect.Value, depth int) InputFault {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return "" // bytes, or text that is JSON already and is scanned as such
	}
	for i := range v.Len() {
		if fault := plain(v.Index(i), depth+1); fault != "" {
			return fault
		}
	}
	return ""
}

func eachField(v reflect.Value, depth int) InputFault {
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			return NotPlain // a time, a lock: not plain data
		}
		if fault := plain(v.Field(i), depth+1); fault != "" {
			return fault
		}
	}
	return ""
}

func eachEntry(v reflect.Value, depth int) InputFault {
	if v.Type().Key().Kind() != reflect.String {
		return NotPlain
	}
	for _, key := range v.MapKeys() {
		if fault := plain(v.MapIndex(key), depth+1); fault != "" {
			return fault
		}
	}
	return ""
}

// scan checks size, depth, numbers and names of a JSON text.
func scan(text []byte) InputFault {
	if len(text) > MaxBytes {
		return Oversized
	}
	d := jsontext.NewDecoder(strings.NewReader(string(text)))
	for values := 0; ; {
		token, err := d.ReadToken()
		switch {
		case err != nil && values == 1 && d.StackDepth() == 0 && err == io.EOF:
			return ""
		case err != nil:
			return faultOf(err)
		case d.StackDepth() > MaxDepth:
			return TooDeep
		case token.Kind() == '0' && !finite(token):
			return NonFinite
		}
		if d.StackDepth() == 0 {
			values++
		}
	}
}

func finite(t jsontext.Token) bool {
	_, err := strconv.ParseFloat(t.String(), 64)
	return err == nil
}

// faultOf gives an error of the JSON library its name here.
func faultOf(err error) InputFault {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return DuplicateKey
	case errors.Is(err, json.ErrUnknownName):
		return UnknownField
	case strings.Contains(err.Error(), "exceeded max depth"):
		return TooDeep
	}
	if _, ok := errors.AsType[*json.SemanticError](err); ok {
		return BadField
	}
	return Malformed
}
