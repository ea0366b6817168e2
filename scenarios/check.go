package scenarios

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/cucumber/godog"
)

// check writes every Given into a script that nobody plays, and reads the arguments of everything
// else: a scenario that makes no sense is its author's mistake, and never a verdict on a bridge. It
// reports the first mistake of each line.
func (f *file) check(engine string) error {
	var mistakes []error
	seen := map[int]bool{}
	for _, p := range f.pickles {
		if m := f.checkScenario(p, engine); m != nil && !seen[m.Line] {
			seen[m.Line] = true
			mistakes = append(mistakes, m)
		}
	}
	return errors.Join(mistakes...)
}

// checkScenario gives the first mistake of one scenario, nil when there is none.
func (f *file) checkScenario(p *messages.Pickle, engine string) *InputError {
	s := &scenario{on: engine}
	had := role(0)
	for _, ps := range p.Steps {
		st, part, n := find(ps.Text)
		switch {
		case n != 1:
			return &InputError{File: f.path, Line: f.line(ps), What: unread(ps.Text, n), Mend: listed}
		case had == then && part != then:
			return &InputError{
				File: f.path, Line: f.line(ps),
				What: "a " + part.String() + " step stands behind a Then, where nothing hears it any more",
				Mend: "move it up",
			}
		}
		had = part
		if err := st.try(s, part, ps); err != nil {
			return misfit(f.path, f.place(p, ps), err)
		}
	}
	return f.incomplete(p, s.relays, had)
}

const listed = `"sim steps" lists them all`

func unread(text string, n int) string {
	if n == 0 {
		return fmt.Sprintf("no step reads %q", text)
	}
	return fmt.Sprintf("%d steps read %q: the vocabulary is ambiguous", n, text)
}

// incomplete: what looks at nothing, or lets nothing run, would pass without a proof.
func (f *file) incomplete(p *messages.Pickle, relays bool, had role) *InputError {
	e := &InputError{File: f.path, Line: int(p.Location.Line)}
	switch {
	case !relays:
		e.What, e.Mend = "the scenario has no When step", `add "When the bridge relays the request"`
	case had != then:
		e.What, e.Mend = "the scenario has no Then step, so nothing would run", "say what must hold"
	default:
		return nil
	}
	return e
}

// line is where a step of a pickle stands in the file.
func (f *file) line(s *messages.PickleStep) int {
	if st := f.step(s.AstNodeIds[0]); st != nil {
		return int(st.Location.Line)
	}
	return 0
}

// place is where the arguments of a step stand: in the example row, when that is where they come
// from.
func (f *file) place(p *messages.Pickle, s *messages.PickleStep) int {
	if st := f.step(s.AstNodeIds[0]); st != nil && st.Text == s.Text {
		return int(st.Location.Line)
	}
	return int(p.Location.Line)
}

// try reads a step's arguments; a Given and the When are carried out, on a script that nobody
// plays.
func (st *step) try(s *scenario, part role, ps *messages.PickleStep) error {
	words := st.pattern.FindStringSubmatch(ps.Text)[1:]
	handler := reflect.ValueOf(st.bind(s))
	args, err := arguments(handler.Type(), words, ps.Argument)
	switch {
	case err != nil:
		return err
	case part != then && len(args) == handler.Type().NumIn():
		err = failure(handler.Call(args))
		if err == nil {
			err = s.script.Persona.Validate()
		}
	}
	if err == nil && st.check != nil {
		err = st.check(words)
	}
	return err
}

// failure is what a handler returned, if it returns anything.
func failure(results []reflect.Value) error {
	if len(results) == 0 {
		return nil
	}
	err, _ := results[0].Interface().(error)
	return err
}

var (
	ofContext   = reflect.TypeFor[context.Context]()
	ofDocString = reflect.TypeFor[*godog.DocString]()
	ofTable     = reflect.TypeFor[*godog.Table]()
)

// arguments are what godog will hand to a handler of this type, but for the context: the words of
// the sentence, then what stands under it.
func arguments(
	handler reflect.Type, words []string, under *messages.PickleStepArgument,
) ([]reflect.Value, error) {
	var args []reflect.Value
	for i := range handler.NumIn() {
		var v any
		var err error
		switch typ := handler.In(i); {
		case typ == ofContext:
			continue
		case typ == ofDocString || typ == ofTable:
			v, err = below(typ, under)
			under = nil
		case typ.Kind() == reflect.Int:
			v, err = counted(words[0])
			words = words[1:]
		default:
			v, words = words[0], words[1:]
		}
		if err != nil {
			return nil, err
		}
		args = append(args, reflect.ValueOf(v))
	}
	if under != nil && (under.DocString != nil || under.DataTable != nil) {
		return nil, &mistake{"the step takes nothing under it", "take the text or table away"}
	}
	return args, nil
}

func counted(word string) (int, error) {
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		return 0, &mistake{
			fmt.Sprintf("%s is no number that can be counted to", word),
			"write a smaller one",
		}
	}
	return int(n), nil
}

// below is the text or the table under a step that wants one.
func below(typ reflect.Type, under *messages.PickleStepArgument) (any, error) {
	switch {
	case typ == ofDocString && under != nil && under.DocString != nil:
		return under.DocString, nil
	case typ == ofTable && under != nil && under.DataTable != nil:
		return under.DataTable, nil
	case typ == ofTable:
		return nil, &mistake{"the step wants a table under it", look}
	}
	return nil, &mistake{"the step wants a text under it", `put it between two lines of """`}
}

// among checks one word of a sentence against the names that there are.
func among[T ~string](i int, what string, names []T) func([]string) error {
	return func(words []string) error { return oneOf(what, words[i], names) }
}

// each checks every name of a list in a sentence.
func each[T ~string](i int, what string, names []T) func([]string) error {
	return func(words []string) error {
		for _, name := range strings.Split(words[i], ",") {
			if err := oneOf(what, strings.TrimSpace(name), names); err != nil {
				return err
			}
		}
		return nil
	}
}

// both is the first mistake of several checks.
func both(checks ...func([]string) error) func([]string) error {
	return func(words []string) error {
		for _, c := range checks {
			if err := c(words); err != nil {
				return err
			}
		}
		return nil
	}
}
