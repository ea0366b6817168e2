package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/session"
)

// Values go through the ports as Go values. What is written of them is JSON that gives the same
// value back.

// encode writes a value. A text of JSON holds no character that a reader of lines could misread.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprintf("%q", "not JSON: "+err.Error()) // a command with a channel or a cycle
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte{'\n'}))
}

// question is the parameters of a command. Of the probe's script only the name is kept: it is the
// same each time, and long.
func question(params any) any {
	if _, ok := params.(probe.Install); ok {
		return "the script of the probe"
	}
	v := reflect.Indirect(reflect.ValueOf(params))
	if _, ok := params.(probe.Evaluation); ok && v.Kind() == reflect.Struct {
		if args := v.FieldByName("Args"); args.IsValid() {
			return args.Interface()
		}
	}
	return params
}

// reply is the answer of a probe, taken apart: its own form of JSON is that of a browser, and loses
// how an exception was told.
type reply struct {
	Value     json.RawMessage `json:"value"`
	Missing   bool            `json:"missing,omitempty"`
	Exception string          `json:"exception,omitempty"`
}

// probed are the fields of a probe's answer; ok is false for any other result.
func probed(result any) (value, missing, exception reflect.Value, ok bool) {
	v := reflect.ValueOf(result)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return value, missing, exception, false
	}
	v = v.Elem()
	value, missing = v.FieldByName("Value"), v.FieldByName("Missing")
	exception = v.FieldByName("Exception")
	ok = v.NumField() == 3 && value.IsValid() && missing.IsValid() && exception.IsValid()
	return value, missing, exception, ok
}

// result is what a command was answered with.
func result(r any) any {
	value, missing, exception, ok := probed(r)
	if !ok {
		return r
	}
	return reply{
		Value:   json.RawMessage(encode(value.Interface())),
		Missing: missing.Bool(), Exception: exception.String(),
	}
}

// restore fills r with what result wrote.
func restore(body json.RawMessage, r any) error {
	value, missing, exception, ok := probed(r)
	if !ok {
		if r == nil || len(body) == 0 {
			return nil
		}
		return json.Unmarshal(body, r)
	}
	var got reply
	if err := json.Unmarshal(body, &got); err != nil {
		return err
	}
	missing.SetBool(got.Missing)
	exception.SetString(got.Exception)
	if len(got.Value) == 0 {
		return nil
	}
	return json.Unmarshal(got.Value, value.Addr().Interface())
}

// answer is what came back through a port: a value or an error.
type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error *failure        `json:"error,omitempty"`
}

// failure is an error as far as a bridge can tell errors apart.
type failure struct {
	Text string   `json:"text"`
	Is   []string `json:"is,omitempty"`
	Loss *loss    `json:"loss,omitempty"`
	CDP  *cdpFail `json:"cdp,omitempty"`
}

type loss struct {
	Kind   browser.LossKind `json:"kind"`
	During string           `json:"during,omitempty"`
	Cause  *failure         `json:"cause,omitempty"`
	// Bare: the error is the loss itself and nothing around it.
	Bare bool `json:"bare,omitempty"`
}

type cdpFail struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Bare    bool   `json:"bare,omitempty"`
}

// sentinels are the errors of the ports that a bridge looks for.
var sentinels = []struct {
	name string
	err  error
}{
	{"canceled", context.Canceled},
	{"deadline", context.DeadlineExceeded},
	{"no session", session.ErrNoSession},
	{"corrupt", session.ErrCorrupt},
	{"newer", session.ErrNewer},
	{"foreign", session.ErrForeign},
	{"too large", session.ErrTooLarge},
	{"locked", session.ErrLocked},
	{"gone", session.ErrGone},
	{"text", session.ErrText},
	{"store", session.ErrStore},
}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			f.Is = append(f.Is, s.name)
		}
	}
	if l, ok := browser.AsLoss(err); ok {
		f.Loss = &loss{Kind: l.Kind, During: l.During, Cause: failureOf(l.Cause)}
		_, f.Loss.Bare = err.(*browser.Loss)
	}
	if c, ok := errors.AsType[*cdproto.Error](err); ok {
		f.CDP = &cdpFail{Code: c.Code, Message: c.Message}
		_, f.CDP.Bare = err.(*cdproto.Error)
	}
	return f
}

// replayed is an error that was recorded: same text, same kinds.
type replayed struct {
	text string
	is   []error
	loss *browser.Loss
	cdp  *cdproto.Error
}

// Error is the recorded text.
func (r *replayed) Error() string { return r.text }

// Unwrap gives what errors.Is and errors.As find in it.
func (r *replayed) Unwrap() (all []error) {
	all = append(all, r.is...)
	if r.loss != nil {
		all = append(all, r.loss)
	}
	if r.cdp != nil {
		all = append(all, r.cdp)
	}
	return all
}

// err makes the error again.
func (f *failure) err() error {
	if f == nil {
		return nil
	}
	r := &replayed{text: f.Text}
	for _, s := range sentinels {
		for _, name := range f.Is {
			if s.name == name {
				r.is = append(r.is, s.err)
			}
		}
	}
	if f.Loss != nil {
		r.loss = &browser.Loss{Kind: f.Loss.Kind, During: f.Loss.During, Cause: f.Loss.Cause.err()}
		if f.Loss.Bare {
			return r.loss
		}
	}
	if f.CDP != nil {
		r.cdp = &cdproto.Error{Code: f.CDP.Code, Message: f.CDP.Message}
		if f.CDP.Bare {
			return r.cdp
		}
	}
	return r
}
