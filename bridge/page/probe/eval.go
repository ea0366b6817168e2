package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"bridgesim/bridge/browser"
)

// MethodEvaluate is the protocol method that carries every probe.
const MethodEvaluate = "Runtime.evaluate"

// noProbe is what the expression gives in a document without our script.
const noProbe = "no-probe"

// ErrNoProbe says that the document does not hold our script: it is a new document, or the script's
// owner is gone (F108). Install it and ask again.
var ErrNoProbe = errors.New("the document does not hold the bridge's probe")

// Evaluation is any probe call, for those who only want its name.
type Evaluation interface{ ProbeName() string }

// Eval is the parameters of one probe call. It marshals to the parameters of Runtime.evaluate.
type Eval[A any] struct {
	Name  string
	Await bool
	Args  A
}

// ProbeName returns the probe's name.
func (e Eval[A]) ProbeName() string { return e.Name }

type evaluateParams struct {
	Expression    string `json:"expression"`
	ReturnByValue bool   `json:"returnByValue"`
	AwaitPromise  bool   `json:"awaitPromise,omitempty"`
}

// MarshalJSON writes the parameters of Runtime.evaluate.
func (e Eval[A]) MarshalJSON() ([]byte, error) {
	args, err := json.Marshal(e.Args)
	if err != nil {
		return nil, err
	}
	x := fmt.Sprintf("globalThis.__bridge===undefined?%q:__bridge.%s(%s)", noProbe, e.Name, args)
	return json.Marshal(evaluateParams{Expression: x, ReturnByValue: true, AwaitPromise: e.Await})
}

// Install is the parameters of the call that puts Source into the document.
type Install struct{}

// ProbeName returns "install".
func (Install) ProbeName() string { return "install" }

// MarshalJSON writes the parameters of Runtime.evaluate.
func (Install) MarshalJSON() ([]byte, error) {
	return json.Marshal(evaluateParams{Expression: Source, ReturnByValue: true})
}

// Reply is the answer of one probe call. It unmarshals the result of Runtime.evaluate.
type Reply[R any] struct {
	Value     R
	Missing   bool   // the document does not hold our script
	Exception string // the script threw; a bug of ours or of the page
}

// UnmarshalJSON reads the result of Runtime.evaluate.
func (r *Reply[R]) UnmarshalJSON(b []byte) error {
	var wire struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	if d := wire.ExceptionDetails; d != nil {
		r.Exception = d.Text + ": " + d.Exception.Description
		return nil
	}
	if string(wire.Result.Value) == `"`+noProbe+`"` {
		r.Missing = true
		return nil
	}
	if len(wire.Result.Value) == 0 { // the install script has no value
		return nil
	}
	return json.Unmarshal(wire.Result.Value, &r.Value)
}

// MarshalJSON writes the form that UnmarshalJSON reads; engines that must encode use it.
func (r Reply[R]) MarshalJSON() ([]byte, error) {
	type value struct {
		Value any `json:"value"`
	}
	if r.Exception != "" {
		return json.Marshal(map[string]any{
			"result":           value{},
			"exceptionDetails": map[string]any{"text": r.Exception},
		})
	}
	if r.Missing {
		return json.Marshal(map[string]any{"result": value{noProbe}})
	}
	return json.Marshal(map[string]any{"result": value{r.Value}})
}

// ErrThrew says that the probe's script threw: an invariant of ours or the page's is broken, and no
// reconnect mends it (row 15).
var ErrThrew = errors.New("the probe threw in the page")

// Do makes one probe call.
func Do[A, R any](ctx context.Context, s browser.Session, p Probe[A, R], args A) (R, error) {
	x := p.exchange()
	x.question = Eval[A]{Name: p.Name, Await: p.Await, Args: args}
	if err := s.Call(ctx, MethodEvaluate, &x.question, &x.answer); err != nil {
		// A call that got no answer may be under way still: what it holds is not used again.
		return x.answer.Value, err
	}
	r := x.answer
	p.done(x)
	switch {
	case r.Missing:
		return r.Value, ErrNoProbe
	case r.Exception != "":
		return r.Value, fmt.Errorf("%w: %s: %s", ErrThrew, p.Name, r.Exception)
	}
	return r.Value, nil
}

// exchange is question and answer of one call. They escape through the port, and polls come by the
// thousand, so they are used again.
type exchange[A, R any] struct {
	question Eval[A]
	answer   Reply[R]
}

func (p *Probe[A, R]) exchange() *exchange[A, R] {
	if p.spare != nil { // nil: a probe of a caller's own making
		if x, ok := p.spare.Get().(*exchange[A, R]); ok {
			return x
		}
	}
	return new(exchange[A, R])
}

func (p *Probe[A, R]) done(x *exchange[A, R]) {
	*x = exchange[A, R]{}
	if p.spare != nil {
		p.spare.Put(x)
	}
}

// DoInstall puts the script into the document.
func DoInstall(ctx context.Context, s browser.Session) error {
	var r Reply[any]
	if err := s.Call(ctx, MethodEvaluate, Install{}, &r); err != nil {
		return err
	}
	if r.Exception != "" {
		return fmt.Errorf("%w: install: %s", ErrThrew, r.Exception)
	}
	return nil
}
